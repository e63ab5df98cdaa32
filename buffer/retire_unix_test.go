//go:build unix

package buffer

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// needsRoom skips where addresses are not kept.
func needsRoom(t testing.TB) {
	t.Helper()
	offHeap(t, 1).Close() // skips
	if room() == 0 {
		t.Skip("no room to keep addresses")
	}
}

// mappings makes and ends a mapping of each kind. content is of size bytes, all
// v, at the start of a page.
var mappings = []struct {
	name string
	make func(t *testing.T, size int, v byte) (content []byte, end func() error)
}{
	{"OffHeap", func(t *testing.T, size int, v byte) ([]byte, func() error) {
		b, err := OffHeap(size)
		return filled(t, b, err, size, v)
	}},
	{"Create", func(t *testing.T, size int, v byte) ([]byte, func() error) {
		b, err := Create(filepath.Join(t.TempDir(), "file"), size)
		return filled(t, b, err, size, v)
	}},
	{"Append", func(t *testing.T, size int, v byte) ([]byte, func() error) {
		b, err := Append(fileOf(t, size/2, v), size)
		return filled(t, b, err, size-size/2, v)
	}},
	{"Open", func(t *testing.T, size int, v byte) ([]byte, func() error) {
		b, err := Open(fileOf(t, size, v))
		return filled(t, b, err, 0, v)
	}},
	{"Retire", func(t *testing.T, size int, v byte) ([]byte, func() error) {
		p, err := mapNew(-1, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
		if err != nil {
			t.Fatal(err)
		}
		fill(p, v)
		return p, func() error { return Retire(p) }
	}},
}

func fileOf(t *testing.T, size int, v byte) string {
	p := make([]byte, size)
	fill(p, v)
	return write(t, p)
}

// filled appends n bytes of v to b.
func filled(t *testing.T, b *Buffer, err error, n int, v byte) ([]byte, func() error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if n > 0 {
		fill(mustExtend(t, b, n), v)
	}
	return b.Bytes(), b.Close
}

// TestClosedAddressesAreNobodyElses ends a mapping of each kind and makes many of
// the same size of every kind: without a quarantine the first of them gets the
// addresses.
func TestClosedAddressesAreNobodyElses(t *testing.T) {
	needsRoom(t)
	for _, size := range []int{1, os.Getpagesize(), 300_001} {
		for _, m := range mappings {
			stale, end := m.make(t, size, 1)
			if len(stale) != size || stale[0] != 1 || stale[size-1] != 1 {
				t.Fatalf("%s: %d bytes", m.name, len(stale))
			}
			if err := end(); err != nil {
				t.Fatalf("%s: %v", m.name, err)
			}
			for range 5 {
				for _, other := range mappings {
					p, end := other.make(t, size, 2)
					if at := address(p); at < address(stale)+uintptr(size) && address(stale) < at+uintptr(size) {
						t.Fatalf("%s of %d bytes has got the addresses of a closed %s", other.name, size, m.name)
					}
					if !faults(stale, 0) || !faults(stale, size-1) {
						t.Fatalf("a closed %s of %d bytes can be read while another %s is open", m.name, size, other.name)
					}
					defer end()
				}
			}
		}
	}
}

// TestClosedAddressesFaultUnderLoad: many goroutines open and close at once; what
// any of them closed faults at every moment.
func TestClosedAddressesFaultUnderLoad(t *testing.T) {
	needsRoom(t)
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			var stale [][]byte
			for i := range rounds {
				b, err := OffHeap(1 + (g*31+i*17)%40*1000)
				if err != nil {
					t.Error(err)
					return
				}
				p, err := b.Extend(b.Cap())
				if err != nil {
					t.Error(err)
				}
				fill(p, byte(g))
				for _, s := range stale {
					if !faults(s, 0) || !faults(s, len(s)-1) {
						t.Error("what was closed can be read")
					}
				}
				if p[0] != byte(g) || p[len(p)-1] != byte(g) {
					t.Error("another goroutine wrote here")
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
				stale = append(stale, p)
				stale = stale[max(0, len(stale)-50):]
			}
		})
	}
	wg.Wait()
}

func TestRetireOfNoMapping(t *testing.T) {
	needsRoom(t)
	p, err := mapNew(-1, 3*os.Getpagesize(), unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	if err := Retire(p[1:]); !errors.Is(err, unix.EINVAL) {
		t.Errorf("Retire of addresses that are no pages: %v, want EINVAL", err)
	}
	if faults(p, 0) {
		t.Error("it is gone all the same")
	}
	if err := Retire(p); err != nil || !faults(p, 0) {
		t.Errorf("Retire: %v", err)
	}
}

package buffer

import (
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

func TestLiveWhileOpen(t *testing.T) {
	if !Live().Empty() || Live().Contains(0) || (Ranges{}).Contains(1) {
		t.Fatal("live before anything was opened")
	}
	heap := New(1000)
	if h := mustExtend(t, heap, 1); !Live().Empty() || Live().Contains(address(h)) {
		t.Error("the Go heap is live")
	}
	const limit = 10<<20 + 1
	b := offHeap(t, limit)
	start := address(b.space)
	r := Live()
	if r.Empty() {
		t.Fatal("empty with a Buffer open")
	}
	for _, c := range []struct {
		addr uintptr
		want bool
	}{
		{start, true},
		{start + limit/2, true}, // nothing is committed yet
		{start + limit - 1, true},
		{start - 1, false},
		{start + uintptr(len(b.space)), false},
		{0, false},
		{math.MaxUint32, false},
		{^uintptr(0), false},
		{address(mustExtend(t, heap, 1)), false},
	} {
		if got := r.Contains(c.addr); got != c.want {
			t.Errorf("Contains(start%+d) is %t", int(c.addr-start), got)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if !Live().Empty() || Live().Contains(start) {
		t.Error("live after Close")
	}
	if !r.Contains(start) {
		t.Error("a snapshot changed")
	}
}

func TestLiveWithManyGoroutines(t *testing.T) {
	offHeap(t, 1).Close() // skips
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			var open []*Buffer
			check := func() {
				r := Live()
				for _, b := range open {
					p := b.Bytes()
					if !r.Contains(address(p)) || !r.Contains(address(p)+uintptr(b.Cap()-1)) {
						t.Errorf("an open Buffer at %#x is not live", address(p))
					}
				}
			}
			for i := range 200 {
				b, err := OffHeap(1 + i*1000)
				if err != nil {
					t.Error(err)
					return
				}
				mustWrite(t, b, byte(g))
				open = append(open, b)
				check()
				if i%3 != 0 {
					j := i * 7 % len(open)
					if p := open[j].Bytes(); p[0] != byte(g) {
						t.Errorf("another Buffer wrote %d here", p[0])
					}
					if err := open[j].Close(); err != nil {
						t.Error(err)
					}
					open = slices.Delete(open, j, j+1)
					check()
				}
			}
			for _, b := range open {
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if !Live().Empty() {
		t.Error("live after every Close")
	}
}

// mustWrite appends c. It may be called by any goroutine.
func mustWrite(t *testing.T, b *Buffer, c byte) {
	p, err := b.Extend(1)
	if err != nil {
		t.Error(err)
		return
	}
	p[0] = c
}

// TestRegistryBehavesAsItsModel adds and removes spans of a small space, where
// neighbours touch, and compares every address with a table.
func TestRegistryBehavesAsItsModel(t *testing.T) {
	const slots, width = 12, 5
	rapid.Check(t, func(rt *rapid.T) {
		var r registry
		var want [slots]bool
		at := func(i int) span { return span{uintptr(100 + i*width), uintptr(100 + (i+1)*width)} }
		rt.Repeat(map[string]func(*rapid.T){
			"toggle": func(rt *rapid.T) {
				i := rapid.IntRange(0, slots-1).Draw(rt, "slot")
				if want[i] {
					r.remove(at(i))
				} else {
					r.add(at(i))
				}
				want[i] = !want[i]
			},
			"": func(rt *rapid.T) {
				got := Ranges{r.current.Load()}
				if got.Empty() != !slices.Contains(want[:], true) {
					rt.Fatalf("Empty is %t", got.Empty())
				}
				for addr := range uintptr(100 + (slots+1)*width) {
					inside := addr >= 100 && addr < 100+slots*width && want[(addr-100)/width]
					if got.Contains(addr) != inside {
						rt.Fatalf("Contains(%d) is %t", addr, !inside)
					}
				}
				if got.Contains(^uintptr(0)) {
					rt.Fatal("contains the last address")
				}
			},
		})
	})
}

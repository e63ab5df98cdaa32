package buffer

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// ranges returns how many ranges of addresses the process has.
func ranges(t *testing.T) int {
	t.Helper()
	p, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Skip("no /proc to count with: ", err)
	}
	return bytes.Count(p, []byte("\n"))
}

// TestClosedMemoryIsGivenBack: what is kept after Close is addresses, no memory,
// and not many ranges of them.
func TestClosedMemoryIsGivenBack(t *testing.T) {
	needsRoom(t)
	if !inChild(t) {
		return
	}
	const size, cycles = 32 << 20, 100
	const closed = uint64(size) * cycles // more than an int has on 32 bits, where nothing is kept
	cycle := func() {
		b := offHeap(t, size)
		p := mustExtend(t, b, size)
		for i := 0; i < size; i += os.Getpagesize() {
			p[i] = 1
		}
		mustClose(t, b)
	}
	cycle()
	v0, r0 := memory(t)
	k0, n0 := kept.bytes, ranges(t)
	for range cycles {
		cycle()
	}
	v1, r1 := memory(t)
	k1, n1 := kept.bytes, ranges(t)
	t.Logf("%d Buffers of %d bytes were filled and closed: %d bytes more are resident, %d bytes of addresses more are kept, %d more are in other use, in %d ranges more",
		cycles, size, r1-r0, k1-k0, v1-v0, n1-n0)
	if r1-r0 > size {
		t.Errorf("%d bytes more are resident", r1-r0)
	}
	if k1-k0 < closed || v1-v0 > 200<<20 {
		t.Errorf("%d bytes more are kept, want %d at least; %d more are in other use", k1-k0, closed, v1-v0)
	}
	if n1-n0 > 20 {
		t.Errorf("%d ranges more", n1-n0)
	}
}

// TestQuarantineIsBounded retires more mappings than ranges are kept, none of
// which touches another.
func TestQuarantineIsBounded(t *testing.T) {
	needsRoom(t)
	if !inChild(t) {
		return
	}
	page, n := os.Getpagesize(), keptSpans*3/2
	all, err := mapNew(-1, 2*n*page, unix.PROT_READ, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	before := ranges(t)
	for i := range n {
		if err := Retire(all[2*i*page : (2*i+1)*page]); err != nil {
			t.Fatal(err)
		}
	}
	more := ranges(t) - before
	t.Logf("%d ranges were retired: the process has %d more, %d are between them", n, more, n)
	if len(kept.spans) != keptSpans || more > n+keptSpans+20 {
		t.Errorf("%d are kept, want %d", len(kept.spans), keptSpans)
	}
	for i := range n {
		if faults(all, (2*i+1)*page) {
			t.Fatal("what is between them is gone")
		}
	}
}

// TestALimitOfTheAddressSpaceIsKept closes far more than a limited process may
// have addresses.
func TestALimitOfTheAddressSpaceIsKept(t *testing.T) {
	needsRoom(t)
	if !inChild(t) {
		return
	}
	path := write(t, []byte("x"))
	if err := os.Truncate(path, 100<<20); err != nil {
		t.Fatal(err)
	}
	offHeap(t, 1<<30).Close() // kept from before the limit
	if kept.bytes < 1<<30 {
		t.Fatalf("%d bytes are kept, want %d at least", kept.bytes, 1<<30)
	}
	virtual, _ := memory(t)
	limit := uint64(virtual) + kept.bytes + 2<<30
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Skip("cannot limit the address space: ", err)
	}
	for i := range 300 {
		b, err := OffHeap(1 << 30)
		if err != nil {
			t.Fatalf("OffHeap %d: %v", i, err)
		}
		mustExtend(t, b, 100)
		mustClose(t, b)
		mustClose(t, open(t, path))
		if kept.bytes != 0 {
			t.Fatalf("%d bytes are kept", kept.bytes)
		}
	}
}

// TestAReservationGetsWhatIsKept: that addresses are kept is no reason to refuse
// any.
func TestAReservationGetsWhatIsKept(t *testing.T) {
	needsRoom(t)
	if !inChild(t) {
		return
	}
	path := write(t, []byte("x"))
	if err := os.Truncate(path, 512<<20); err != nil {
		t.Fatal(err)
	}
	for name, again := range map[string]func() (*Buffer, error){
		"OffHeap": func() (*Buffer, error) { return OffHeap(512 << 20) },
		"Open":    func() (*Buffer, error) { return Open(path) },
	} {
		if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: unix.RLIM_INFINITY, Max: unix.RLIM_INFINITY}); err != nil {
			t.Skip("cannot lift the limit of the address space: ", err)
		}
		offHeap(t, 1<<30).Close()
		virtual, _ := memory(t)
		limit := uint64(virtual) + kept.bytes + 256<<20
		if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: unix.RLIM_INFINITY}); err != nil {
			t.Skip("cannot limit the address space: ", err)
		}
		b, err := again()
		if err != nil {
			t.Errorf("%s while %d bytes are kept: %v", name, kept.bytes, err)
			continue
		}
		mustClose(t, b)
	}
}

// TestAStaleSliceEndsTheProgram: nothing but SetPanicOnFault makes of a fault
// what a program can go on after.
func TestAStaleSliceEndsTheProgram(t *testing.T) {
	needsRoom(t)
	const kind = "ASHLAR_BUFFER_TEST_STALE"
	if name := os.Getenv(kind); name != "" {
		defer func() { fmt.Println("recovered:", recover()) }()
		for _, m := range mappings {
			if m.name == name {
				stale, end := m.make(t, 5000, 1)
				fmt.Println("closed:", end())
				others, _ := m.make(t, 5000, 2)
				fmt.Println("read:", stale[4999], others[0])
			}
		}
		return
	}
	for _, m := range mappings {
		cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), kind+"="+m.name, "GORACE=atexit_sleep_ms=0", "GOTRACEBACK=single")
		out, err := cmd.CombinedOutput()
		if errors.Is(err, unix.ENOEXEC) {
			t.Skip("the test binary cannot be started under this emulator: ", err)
		}
		s := string(out)
		if err == nil || !strings.Contains(s, "closed: <nil>") || strings.Contains(s, "read:") || strings.Contains(s, "recovered:") ||
			!strings.Contains(s, "SIGSEGV") {
			t.Errorf("%s: %v, want a SIGSEGV\n%s", m.name, err, out)
		}
	}
}

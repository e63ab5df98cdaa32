package buffer

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"
)

// memory returns the address space of the process, without that which is kept
// after Close, and its resident memory, in bytes.
func memory(t *testing.T) (virtual, resident int) {
	t.Helper()
	s, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc to measure memory with: ", err)
	}
	if _, err := fmt.Sscan(string(s), &virtual, &resident); err != nil {
		t.Fatal(err)
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	return virtual*os.Getpagesize() - int(kept.bytes), resident * os.Getpagesize()
}

func TestOpenAndCloseLeaveNoMemoryBehind(t *testing.T) {
	const cycles, slack = 100_000, 200 << 20 // a new thread of a C library's takes 72 MiB
	cycle := func(n int) {
		for range n {
			b, err := OffHeap(100)
			if err != nil {
				t.Fatal(err)
			}
			mustExtend(t, b, 100)[0] = 1
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	cycle(1000)
	v0, r0 := memory(t)
	cycle(cycles)
	v1, r1 := memory(t)
	// A page lost per cycle would be 400 MB, the address space of one 1.2 GB.
	if v1-v0 > slack || r1-r0 > slack {
		t.Errorf("after %d cycles: address space %d bytes more, resident %d more", cycles, v1-v0, r1-r0)
	}
}

func TestTrimGivesMemoryBack(t *testing.T) {
	const size = 64 << 20
	b := offHeap(t, size)
	_, r0 := memory(t)
	fill(mustExtend(t, b, size), 1)
	_, r1 := memory(t)
	b.Reset()
	mustExtend(t, b, 10)
	_, r2 := memory(t)
	if err := b.Trim(); err != nil {
		t.Fatal(err)
	}
	_, r3 := memory(t)
	t.Logf("resident bytes: %d, after a message of %d: %d, after Reset: %d, after Trim: %d", r0, size, r1, r2, r3)
	if r1-r0 < size/2 {
		t.Skip("resident memory does not show the message; nothing to compare with")
	}
	if r3-r0 > size/4 {
		t.Errorf("%d bytes still resident after Trim", r3-r0)
	}
}

// inChild runs the test again in a process of its own and reports whether this
// is that process. The test ends where it is false.
func inChild(t *testing.T) bool {
	t.Helper()
	const child = "ASHLAR_BUFFER_TEST_CHILD"
	if os.Getenv(child) != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), child+"=1", "GORACE=atexit_sleep_ms=0")
	out, err := cmd.CombinedOutput()
	if errors.Is(err, unix.ENOEXEC) {
		t.Skip("the test binary cannot be started under this emulator: ", err)
	}
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
	return false
}

// TestOutOfMemoryIsAnError runs in a child, because it limits the memory of
// the process: a step that cannot be doubled is taken as small as it can be,
// and one that cannot be taken leaves the Buffer as it was.
func TestOutOfMemoryIsAnError(t *testing.T) {
	if !inChild(t) {
		return
	}
	b := offHeap(t, 1<<30)
	copy(mustExtend(t, b, 4), "kept")
	// Room for steps to 256 MiB and then some, but not to 512 MiB.
	limitData(t, 400<<20)
	mustExtend(t, b, 200<<20)
	before := len(b.mem)
	mustExtend(t, b, 100<<20)
	if len(b.mem) >= 2*before {
		t.Skip("RLIMIT_DATA is not enforced here")
	}
	n := b.Len()
	if _, err := b.Extend(500 << 20); !errors.Is(err, unix.ENOMEM) || errors.Is(err, ErrFull) {
		t.Errorf("Extend: %v, want ENOMEM", err)
	}
	if b.Len() != n || string(b.Bytes()[:4]) != "kept" {
		t.Errorf("Len %d, want %d; content %q", b.Len(), n, b.Bytes()[:4])
	}
	mustExtend(t, b, 1)
}

// limitData lets the process have so many bytes of private writable memory
// more than it has.
func limitData(t *testing.T, more uint64) {
	t.Helper()
	s, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("no /proc to measure memory with: ", err)
	}
	var f [6]uint64 // size, resident, shared, text, lib, data: pages
	if _, err := fmt.Sscan(string(s), &f[0], &f[1], &f[2], &f[3], &f[4], &f[5]); err != nil {
		t.Fatal(err)
	}
	limit := f[5]*uint64(os.Getpagesize()) + more
	if err := unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Skip("cannot limit memory: ", err)
	}
}

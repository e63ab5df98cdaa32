//go:build unix

package format_test

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// guarded is memory between two pages that nothing may touch. What stands flush
// with either of them cannot be overrun or underrun unseen: not the race detector,
// not checkptr, but the processor objects.
type guarded struct {
	inner []byte
}

func newGuarded(t testing.TB, size int) *guarded {
	t.Helper()
	page := unix.Getpagesize()
	n := (size + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, n+2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Skipf("no memory to guard: %v", err)
	}
	for _, guard := range [][]byte{all[:page], all[page+n:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Skipf("no guard page: %v", err)
		}
	}
	t.Cleanup(func() {
		if err := unix.Munmap(all); err != nil {
			t.Error(err)
		}
	})
	return &guarded{all[page : page+n : page+n]}
}

const guardsWork = true

// faultAt reports whether reading the byte at i of the memory faults; i may lie
// on a guard.
func faultAt(g *guarded, i int) (faulted bool) {
	defer func() { faulted = recover() != nil }()
	p := unsafe.Add(unsafe.Pointer(&g.inner[0]), i)
	return *(*byte)(p) == 255
}

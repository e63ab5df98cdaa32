//go:build unix

package buffer

import (
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reserve returns size bytes of address space, a multiple of the page size,
// that fault when touched.
func reserve(size int) ([]byte, error) {
	return mapNew(-1, size, unix.PROT_NONE, reserveFlags)
}

// mapNew maps size bytes wherever there is room. unix.Mmap would keep a list of
// what it has mapped, in which addresses that are kept would stay.
func mapNew(fd, size, protection, flags int) ([]byte, error) {
	p, err := unix.MmapPtr(fd, 0, nil, uintptr(size), protection, flags)
	if err == unix.ENOMEM && dropAll(kept.trim(0)) {
		p, err = unix.MmapPtr(fd, 0, nil, uintptr(size), protection, flags)
	}
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(p), size), nil
}

// commit makes p, whole pages of a reservation, readable and writable.
func commit(p []byte) error {
	return unix.Mprotect(p, unix.PROT_READ|unix.PROT_WRITE)
}

// discard tells the system that the content of p, whole pages that are
// committed, is of no more use. They stay committed.
func discard(p []byte) error {
	return unix.Madvise(p, discardAdvice)
}

// release unmaps space, all that reserve returned, of which no slices are
// about.
func release(space []byte) error { return unmap(spanOf(space)) }

// spansJoin says that ranges that touch can be unmapped together. The system
// takes those that forbid has made for one.
const spansJoin = true

// forbid puts address space that faults when touched in place of what is
// mapped at sp, whole pages, at once, so that nobody else can get it meanwhile.
func forbid(sp span) error {
	_, err := unix.MmapPtr(-1, 0, sp.pointer(), sp.end-sp.start, unix.PROT_NONE, reserveFlags|unix.MAP_FIXED)
	return err
}

// unmap gives the addresses of sp back to the system.
func unmap(sp span) error { return unix.MunmapPtr(sp.pointer(), sp.end-sp.start) }

// wide reports whether the process has addresses from 2^46 on: it asks for a
// page there. A large mapping would tell as well, but costs an emulator memory.
var wide = sync.OnceValue(func() bool {
	at, page := wideFrom, uintptr(unix.Getpagesize())
	p, err := unix.MmapPtr(-1, 0, span{start: uintptr(at)}.pointer(), page, unix.PROT_NONE, reserveFlags)
	return err == nil && unix.MunmapPtr(p, page) == nil && uint64(uintptr(p)) >= at
})

// wideFrom is no constant: on 32 bits that would not compile.
var wideFrom uint64 = 1 << 46

func retireMapping(mapping []byte) error { return retire(spanOf(mapping)) }

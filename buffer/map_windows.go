package buffer

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// reserve returns size bytes of address space, a multiple of the page size,
// that fault when touched.
func reserve(size int) ([]byte, error) {
	addr, err := windows.VirtualAlloc(0, uintptr(size), windows.MEM_RESERVE, windows.PAGE_NOACCESS)
	if err != nil {
		return nil, err
	}
	return unsafe.Slice((*byte)(span{start: addr}.pointer()), size), nil
}

// commit makes p, whole pages of a reservation, readable and writable.
func commit(p []byte) error {
	_, err := windows.VirtualAlloc(address(p), uintptr(len(p)), windows.MEM_COMMIT, windows.PAGE_READWRITE)
	return err
}

// discard tells the system that the content of p, whole pages that are
// committed, is of no more use. They stay committed.
func discard(p []byte) error {
	_, err := windows.VirtualAlloc(address(p), uintptr(len(p)), windows.MEM_RESET, windows.PAGE_READWRITE)
	return err
}

// release frees space, all that reserve returned, of which no slices are about.
func release(space []byte) error { return unmap(spanOf(space)) }

// spansJoin says that each reservation is given up alone.
const spansJoin = false

// forbid gives back the memory of sp, a reservation, which stays reserved and
// faults when touched.
func forbid(sp span) error {
	return windows.VirtualFree(sp.start, sp.end-sp.start, windows.MEM_DECOMMIT)
}

// unmap gives the addresses of sp, a reservation, back to the system.
func unmap(sp span) error { return windows.VirtualFree(sp.start, 0, windows.MEM_RELEASE) }

func limited() bool { return false }

// wide reports whether the process has addresses from 2^46 on, as all 64-bit
// processes do here.
func wide() bool { return true }

func retireMapping([]byte) error { return errNoRetire }

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
	// The address is none of the garbage collector's, so that it may be kept
	// as a number; vet cannot know that of a plain conversion.
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&addr)), size), nil
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

// release unmaps space, all that reserve returned.
func release(space []byte) error {
	return windows.VirtualFree(address(space), 0, windows.MEM_RELEASE)
}

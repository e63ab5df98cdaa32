//go:build unix

package buffer

import "golang.org/x/sys/unix"

// reserve returns size bytes of address space, a multiple of the page size,
// that fault when touched.
func reserve(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_NONE, reserveFlags)
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

// release unmaps space, all that reserve returned.
func release(space []byte) error {
	return unix.Munmap(space)
}

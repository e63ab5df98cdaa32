//go:build unix && !linux && !aix

package buffer

import "golang.org/x/sys/unix"

const (
	// Memory that cannot be written is not accounted for here, and FreeBSD
	// has no MAP_NORESERVE.
	reserveFlags = unix.MAP_PRIVATE | unix.MAP_ANON

	// MADV_DONTNEED keeps the content here, and so the memory.
	discardAdvice = unix.MADV_FREE
)

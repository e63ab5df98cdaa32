package buffer

import "golang.org/x/sys/unix"

const (
	reserveFlags  = unix.MAP_PRIVATE | unix.MAP_ANON
	discardAdvice = unix.MADV_DONTNEED // there is no MADV_FREE
)

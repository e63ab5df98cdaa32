package buffer

import "golang.org/x/sys/unix"

const (
	// Without MAP_NORESERVE a commit counts against the overcommit heuristic
	// before any of it is touched.
	reserveFlags = unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_NORESERVE

	// MADV_FREE would leave the pages counted as in use until memory is short.
	discardAdvice = unix.MADV_DONTNEED
)

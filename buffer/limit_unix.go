//go:build unix && !openbsd

package buffer

import (
	"math"

	"golang.org/x/sys/unix"
)

// limited reports whether the process may have only so many addresses. What is
// kept would be missing elsewhere, and the Go runtime does not survive that.
func limited() bool {
	var l unix.Rlimit
	err := unix.Getrlimit(unix.RLIMIT_AS, &l)
	return err == nil && uint64(l.Cur) < math.MaxInt64 // systems differ in what is infinite
}

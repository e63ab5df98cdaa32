//go:build unix && !aix

package buffer

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// lock makes f one that no other can lock until f is closed or the process ends.
// File systems that know of no locks let everyone.
func lock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case err == nil, err == unix.ENOLCK, errors.Is(err, errors.ErrUnsupported):
			return nil
		case err == unix.EWOULDBLOCK:
			return ErrLocked
		case err != unix.EINTR:
			return fmt.Errorf("buffer: lock: %w", err)
		}
	}
}

package buffer

import (
	"os"

	"golang.org/x/sys/unix"
)

// allocate extends f from the offset from, where it ends, to to and takes the
// room for it from the disk.
func allocate(f *os.File, from, to int64) error {
	err := unix.FcntlFstore(f.Fd(), unix.F_PREALLOCATE, &unix.Fstore_t{
		Flags:   unix.F_ALLOCATEALL,
		Posmode: unix.F_PEOFPOSMODE,
		Length:  to - from,
	})
	switch err {
	case nil:
		return f.Truncate(to)
	case unix.ENOTSUP, unix.EOPNOTSUPP, unix.EINVAL:
		return writeZeros(f, from, to)
	}
	return os.NewSyscallError("fcntl", err)
}

package buffer

import (
	"os"

	"golang.org/x/sys/unix"
)

// allocate extends f from the offset from, where it ends, to to and takes the
// room for it from the disk.
func allocate(f *os.File, from, to int64) error {
	// tmpfs undoes a call that a signal interrupts. Small ones get done
	// between the signals of a profiler.
	const piece = 16 << 20
	for from < to {
		n := min(to-from, piece)
		switch err := unix.Fallocate(int(f.Fd()), 0, from, n); err {
		case nil:
			from += n
		case unix.EINTR:
		case unix.EOPNOTSUPP, unix.ENOSYS:
			return writeZeros(f, from, to)
		default:
			return os.NewSyscallError("fallocate", err)
		}
	}
	return nil
}

// fillHoles takes the room for the first size bytes of f, which it has, from the
// disk: a copy of a file may have holes where the file has zeros.
func fillHoles(f *os.File, size int64) error {
	for size > 0 {
		switch err := unix.Fallocate(int(f.Fd()), 0, 0, size); err {
		case nil, unix.EOPNOTSUPP, unix.ENOSYS:
			return nil
		case unix.EINTR:
		default:
			return os.NewSyscallError("fallocate", err)
		}
	}
	return nil
}

// syncMapped puts mem, all of f that is mapped, on disk. Here msync is
// fdatasync, which includes the file's length: a second call would only flush
// the disk's cache again.
func syncMapped(_ *os.File, mem []byte) error { return msync(mem) }

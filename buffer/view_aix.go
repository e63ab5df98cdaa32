package buffer

import (
	"os"

	"golang.org/x/sys/unix"
)

// view maps the first size bytes of f, which it has, for reading. mmap-go does
// not know AIX.
func view(f *os.File, size int) ([]byte, error) {
	return unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
}

// closeView unmaps what view returned.
func closeView(mem []byte) error { return unix.Munmap(mem) }

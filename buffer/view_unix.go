//go:build unix

package buffer

import (
	"os"

	"golang.org/x/sys/unix"
)

// view maps the first size bytes of f, which it has, for reading.
func view(f *os.File, size int) ([]byte, error) {
	return mapNew(int(f.Fd()), size, unix.PROT_READ, unix.MAP_SHARED)
}

// closeView ends what view returned.
func closeView(mem []byte) error { return retire(spanOf(mem)) }

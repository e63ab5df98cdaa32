package buffer

import (
	"os"

	"github.com/edsrzf/mmap-go"
)

// view maps the first size bytes of f, which it has, for reading.
func view(f *os.File, size int) ([]byte, error) {
	return mmap.MapRegion(f, size, mmap.RDONLY, 0, 0)
}

// closeView unmaps what view returned. Nothing here can take the place of a
// view in one step, so that its addresses are not kept.
func closeView(mem []byte) error {
	m := mmap.MMap(mem)
	return m.Unmap()
}

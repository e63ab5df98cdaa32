//go:build unix && !linux

package buffer

import "os"

// syncMapped puts mem, all of f that is mapped, on disk. msync promises that of
// the content alone, and os.File.Sync also empties the disk's cache on macOS.
func syncMapped(f *os.File, mem []byte) error {
	if err := msync(mem); err != nil {
		return err
	}
	return f.Sync()
}

// fillHoles is for systems that can allocate within a file.
func fillHoles(*os.File, int64) error { return nil }

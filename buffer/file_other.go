//go:build !unix

package buffer

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// createFile says that the platform cannot. No Buffer comes to hold a file to
// be written, so the functions below are never called, openFile excepted.
func createFile(string) (*os.File, error) {
	return nil, fmt.Errorf("buffer: %s/%s: a file that grows while it is mapped: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

func appendFile(path string) (*os.File, error) { return createFile(path) }

func lock(*os.File) error { return errors.ErrUnsupported }

func fillHoles(*os.File, int64) error { return errors.ErrUnsupported }

func allocate(*os.File, int64, int64) error { return errors.ErrUnsupported }

func mapFile(*os.File, []byte, int64) error { return errors.ErrUnsupported }

func syncMapped(*os.File, []byte) error { return errors.ErrUnsupported }

func syncDir(string) error { return errors.ErrUnsupported }

// openFile opens whatever is at path for reading, unless it is a link. There is
// no way here to do both at once.
func openFile(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, fmt.Errorf("buffer: %w", err)
	}
	if info.Mode()&(fs.ModeSymlink|fs.ModeNamedPipe|fs.ModeDir|fs.ModeDevice) != 0 {
		return nil, notRegular(path, info)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("buffer: %w", err)
	}
	return f, nil
}

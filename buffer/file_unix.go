//go:build unix

package buffer

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// createFile makes a file where there is nothing.
func createFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("buffer: create a mapped file: %w", err)
	}
	return f, nil
}

// appendFile opens whatever is at path for reading and writing, as openFile
// does, or makes a file where there is nothing.
func appendFile(path string) (*os.File, error) {
	return openAs(path, os.O_RDWR|os.O_CREATE)
}

// openFile opens whatever is at path for reading, without waiting for the other
// end of a pipe and without following a link. It may not be a regular file.
func openFile(path string) (*os.File, error) { return openAs(path, os.O_RDONLY) }

func openAs(path string, flags int) (*os.File, error) {
	f, err := os.OpenFile(path, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, 0o600)
	if err == nil {
		return f, nil
	}
	// The errors for a link (ELOOP, EMLINK, EFTYPE) and for a socket differ
	// from system to system.
	if info, e := os.Lstat(path); e == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %w", notRegular(path, info), err)
	}
	return nil, fmt.Errorf("buffer: %w", err)
}

// mapFile maps what f has at the offset at, whole pages, over p, which is part
// of a reservation.
func mapFile(f *os.File, p []byte, at int64) error {
	_, err := unix.MmapPtr(int(f.Fd()), at, start(p), uintptr(len(p)), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_FIXED)
	if err != nil {
		// What was to be replaced may be gone, and a hole in a reservation is
		// anyone's.
		unix.MmapPtr(-1, 0, start(p), uintptr(len(p)), unix.PROT_NONE, reserveFlags|unix.MAP_FIXED)
	}
	return os.NewSyscallError("mmap", err)
}

// msync writes p, which is mapped, to its file and that to disk.
func msync(p []byte) error {
	for {
		if err := unix.Msync(p, unix.MS_SYNC); err != unix.EINTR {
			return os.NewSyscallError("msync", err)
		}
	}
}

// syncDir puts the names in a directory on disk.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	defer d.Close()
	// Some file systems have nothing to do there and say EINVAL.
	if err := d.Sync(); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}

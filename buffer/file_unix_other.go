//go:build unix && !linux && !darwin

package buffer

import "os"

// allocate extends f from the offset from, where it ends, to to and takes the
// room for it from the disk. FreeBSD's posix_fallocate, where there is one, is
// refused by ZFS as well.
func allocate(f *os.File, from, to int64) error { return writeZeros(f, from, to) }

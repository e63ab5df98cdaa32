package buffer

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

var (
	// ErrReadOnly says that the Buffer is one of [Open]'s and cannot be
	// written to.
	ErrReadOnly = errors.New("buffer: read-only")

	// ErrEmpty says that a file has no bytes, so that there is nothing to map.
	ErrEmpty = errors.New("buffer: empty file")

	// ErrNotRegular says that a path leads to something else than a regular
	// file: a directory, a symbolic link, a named pipe, a socket, a device.
	ErrNotRegular = errors.New("buffer: not a regular file")

	// ErrLocked says that another Buffer of [Create] or [Append] has the file,
	// in this process or another.
	ErrLocked = errors.New("buffer: another writer has the file")
)

// maxStep is how many bytes the file of a Buffer is allocated ahead at the
// most. It is a multiple of the page size of every platform Go runs on.
const maxStep = 64 << 20

// A file is what a Buffer of Create or Append has besides memory.
type file struct {
	*os.File
	dir    string // where its name is not yet known to be on disk, or ""
	failed error  // of the first Sync that failed
}

// Create makes a new file and returns an empty Buffer that can grow to limit
// bytes in it. Whoever maps the file sees what is written as it is written.
//
// It reserves the address space for limit bytes at once, as [OffHeap] does,
// and extends and maps the file as Len grows, in steps that double from 64 KiB
// to 64 MiB. Each step is really allocated on the disk before it is mapped, so
// that a full disk is an error of Extend or Reserve and not a signal later.
// While it is open, the file is therefore longer than Len; what nothing was
// written to is zero. [Buffer.Close] cuts it off at Len.
//
// The file has mode 0600, less what the umask takes away. There must be
// nothing at path, not even a symbolic link: the error is then [fs.ErrExist],
// and what is there is untouched. Other errors tell of a limit less than 1 or
// beyond what the process can address, or wrap what the system said. Where a
// mapped file cannot grow, as on Windows, it is [errors.ErrUnsupported]. See
// [Append] for the lock that it holds until it is closed.
func Create(path string, limit int) (*Buffer, error) {
	return openWriter("Create", path, limit, createFile)
}

// Append opens the file at path to go on behind what it has, and makes it, as
// [Create] does, where there is none. Len is the file's size in bytes: Bytes is
// the whole file, and may be written to. Cap is limit.
//
// A file whose writer was killed is longer than what was written, and zero, or
// has a part of something, behind that. Append does not know where that begins;
// whoever does calls [Buffer.Truncate] with the true end before anything is
// appended. Package compat does so for messages.
//
// Nothing in the file is changed, and Close leaves it as long as it was unless
// Len has changed. Its room, holes included, is allocated first, as that of
// Create is; elsewhere than on Linux the holes remain.
//
// One Buffer of Create or Append has a file at a time. The error is [ErrLocked]
// if another has it; the lock is advisory (flock), goes when its holder is closed
// or killed, and is missing on AIX and in file systems that know of none: there
// two writers overwrite each other, and one that is closed cuts the file off
// under the other, which is a fault.
//
// The error is [ErrFull] if the file is longer than limit, [ErrNotRegular] if it
// is no regular file (a symbolic link as the last element of path is not
// followed, a named pipe not waited for), [fs.ErrPermission] if it must not be
// written to; others are those of Create. The file is then as it was.
func Append(path string, limit int) (*Buffer, error) {
	return openWriter("Append", path, limit, appendFile)
}

// openWriter is the function named, which gets its file from open.
func openWriter(function, path string, limit int, open func(string) (*os.File, error)) (*Buffer, error) {
	space, err := reserveLimit(function, limit)
	if err != nil {
		return nil, err
	}
	dir := filepath.Dir(path)
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs // in case the process goes elsewhere before it syncs
	}
	f, err := open(path)
	if err != nil {
		return nil, errors.Join(err, release(space))
	}
	b := &Buffer{limit: limit, space: space, file: &file{File: f, dir: dir}}
	if err := b.takeOver(path); err != nil {
		return nil, errors.Join(err, f.Close(), release(space))
	}
	live.add(b.span())
	return b, nil
}

// takeOver locks the file of b, maps what it has, and sets Len to that.
func (b *Buffer) takeOver(path string) error {
	f := b.file
	if err := lock(f.File); err != nil {
		return fmt.Errorf("%w: %s", err, path)
	}
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("buffer: %w", err)
	}
	switch size := info.Size(); {
	case !info.Mode().IsRegular():
		return notRegular(path, info)
	case size > int64(b.limit):
		return fmt.Errorf("%w: %s has %d bytes, capacity %d", ErrFull, path, size, b.limit)
	case size > 0:
		b.n = int(size)
	}
	to := roundUp(b.n, os.Getpagesize())
	if to == 0 {
		return nil
	}
	end := min(to, b.limit)
	if err = fillHoles(f.File, int64(b.n)); err == nil {
		err = allocate(f.File, int64(b.n), int64(end))
	}
	if err == nil {
		err = mapFile(f.File, b.space[:to], 0)
	}
	if err != nil {
		f.Truncate(int64(b.n)) // it may have become longer
		return fmt.Errorf("buffer: map %s: %w", path, err)
	}
	b.mem = b.space[:end:end]
	return nil
}

// Open maps the file at path for reading. Bytes is the whole file; Len and Cap
// are its size in bytes when it was opened. The file may still grow under
// another process: bytes beyond that size show after another Open, bytes within
// it show as they are written. If it can become shorter, read it with
// [Buffer.Guard].
//
// Extend and Reserve return [ErrReadOnly], Reset does nothing, and writing to
// Bytes is a fault. Two Buffers may hold the same file.
//
// The error is [ErrEmpty] when the file has no bytes and [ErrNotRegular] when
// it is not a regular file; a named pipe is not waited for, and a symbolic link
// as the last element of path not followed. It tells of a size beyond what the
// process can address, or wraps what the system said. Where files cannot be
// mapped it is [errors.ErrUnsupported].
func Open(path string) (*Buffer, error) {
	f, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() // what is mapped stays mapped
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("buffer: %w", err)
	}
	size, most := info.Size(), int64(math.MaxInt-os.Getpagesize())
	switch {
	case !info.Mode().IsRegular():
		return nil, notRegular(path, info)
	case size == 0:
		return nil, fmt.Errorf("%w: %s", ErrEmpty, path)
	case size > most:
		return nil, fmt.Errorf("buffer: map %s: %d bytes, at most %d can be mapped", path, size, most)
	}
	mem, err := view(f, int(size))
	if err != nil {
		return nil, fmt.Errorf("buffer: map %s: %w", path, err)
	}
	b := &Buffer{mem: mem, n: len(mem), limit: len(mem), readOnly: true}
	live.add(b.span())
	return b, nil
}

func notRegular(path string, info os.FileInfo) error {
	return fmt.Errorf("%w: %s has mode %v", ErrNotRegular, path, info.Mode())
}

// Sync returns nil when what Bytes holds, the file's length and its name are on
// disk. For a Buffer of neither [Create] nor [Append] there is nothing to do,
// and Sync returns nil.
//
// The error is ErrClosed, or wraps what the system said. The system may then
// have dropped what it could not write and say so only once; so every later
// Sync of the Buffer fails too.
func (b *Buffer) Sync() error {
	switch {
	case b.closed:
		return ErrClosed
	case b.file == nil:
		return nil
	}
	if err := b.file.sync(b.mem); err != nil {
		return fmt.Errorf("buffer: sync %s: %w", b.file.Name(), err)
	}
	return nil
}

// sync puts mem, the part of f that is mapped, on disk. It does not stop at
// Len: that the file is zero behind it must be on disk too.
func (f *file) sync(mem []byte) error {
	if f.failed == nil && len(mem) > 0 {
		f.failed = syncMapped(f.File, mem)
	}
	if f.failed == nil && f.dir != "" {
		if f.failed = syncDir(f.dir); f.failed == nil {
			f.dir = ""
		}
	}
	return f.failed
}

// grow allocates the file from the offset from, where it ends, up to to or
// limit, and maps that at its place in space. from and to are whole pages.
func (f *file) grow(space []byte, from, to, limit int) error {
	err := allocate(f.File, int64(from), int64(min(to, limit)))
	if err == nil {
		err = mapFile(f.File, space[from:to], int64(from))
	}
	if err != nil {
		// Part of it may have been allocated. Nothing there is mapped, and if
		// it cannot be given back now, Close tries again.
		f.Truncate(int64(from))
	}
	return err
}

// writeZeros allocates the part of f from one offset to another, where the
// system has no better way, by writing zeros to it.
func writeZeros(f *os.File, from, to int64) error {
	zeros := make([]byte, min(to-from, 1<<20))
	for from < to {
		n, err := f.WriteAt(zeros[:min(to-from, int64(len(zeros)))], from)
		if err != nil {
			return err
		}
		from += int64(n)
	}
	return nil
}

// fileEnd returns how many bytes of a file are to be allocated in all so that
// need are, when from are: it doubles them, in steps of firstChunk to maxStep,
// at most to end. need is at most end.
func fileEnd(need, from, end int) int {
	step := min(max(from, firstChunk), maxStep)
	if step > end-from {
		return end
	}
	return max(need, from+step)
}

package buffer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/unix"
)

// onOwnThread runs f on a thread that ends with it, so that what f does to its
// thread stays there.
func onOwnThread(f func()) {
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlock
		f()
	}()
	<-done
}

// mount mounts a file system of a type that the calling thread alone sees, and
// returns its path.
func mount(t *testing.T, kind, options string) (path string, ok bool) {
	path = t.TempDir()
	err := unix.Unshare(unix.CLONE_NEWNS)
	if err == nil {
		err = unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, "")
	}
	if err == nil {
		err = unix.Mount(kind, path, kind, 0, options)
	}
	if err != nil {
		t.Logf("no %s to test with: %v", kind, err)
	}
	return path, err == nil
}

// TestWithoutFallocate runs on a file system that does not know the call.
func TestWithoutFallocate(t *testing.T) {
	ran := false
	onOwnThread(func() {
		dir, ok := mount(t, "ramfs", "")
		if !ok {
			return
		}
		path := filepath.Join(dir, "file")
		b, err := Create(path, 1<<20)
		if err != nil {
			t.Error(err)
			return
		}
		defer b.Close()
		if err := unix.Fallocate(int(b.file.Fd()), 0, 0, 1); !errors.Is(err, errors.ErrUnsupported) {
			t.Logf("ramfs knows fallocate: %v", err)
			return
		}
		ran = true
		for b.Len() < 900_000 {
			p, err := b.Extend(100_000)
			if err != nil {
				t.Error(err)
				return
			}
			if i := slices.IndexFunc(p, func(v byte) bool { return v != 0 }); i >= 0 {
				t.Errorf("at %d: byte %d is not zero", b.Len(), i)
			}
			fill(p, 7)
		}
		if err := b.Sync(); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(got, b.Bytes()) {
			t.Errorf("the file holds something else, %v", err)
		}
	})
	if !ran {
		t.Skip("needs a file system without fallocate")
	}
}

func TestAFullDiskIsAnErrorOfGrowth(t *testing.T) {
	ran := false
	onOwnThread(func() {
		// More than one call of fallocate, and no sum of doubled steps.
		const size = 20<<20 - 100<<10
		dir, ok := mount(t, "tmpfs", fmt.Sprintf("size=%d", size))
		if !ok {
			return
		}
		ran = true
		b, err := Create(filepath.Join(dir, "file"), 10*size)
		if err != nil {
			t.Error(err)
			return
		}
		defer b.Close()
		used := func() int64 {
			var s unix.Statfs_t
			if err := unix.Statfs(dir, &s); err != nil {
				t.Error(err)
			}
			return int64(s.Blocks-s.Bfree) * int64(s.Bsize)
		}

		// More than there is, at once: nothing happens.
		if p, err := b.Extend(2 * size); p != nil || !errors.Is(err, unix.ENOSPC) || errors.Is(err, ErrFull) {
			t.Errorf("Extend of too much: %v, want ENOSPC", err)
		}
		if b.Len() != 0 || used() != 0 {
			t.Errorf("Len %d, %d bytes used after an error", b.Len(), used())
		}
		// All that there is, in pieces: the last steps are smaller than wanted,
		// and every byte that was handed out can be written.
		for err == nil {
			var p []byte
			if p, err = b.Extend(10_000); err == nil {
				fill(p, 7)
			}
		}
		if !errors.Is(err, unix.ENOSPC) {
			t.Errorf("Extend on a full disk: %v, want ENOSPC", err)
		}
		n := b.Len()
		if n <= size-10_000-os.Getpagesize() || n > size {
			t.Errorf("full at Len %d of %d", n, size)
		}
		if free, err := b.Reserve(0); err != nil {
			t.Error(err)
		} else {
			fill(free, 7)
		}
		for i, v := range b.Bytes() {
			if v != 7 {
				t.Errorf("byte %d is %d", i, v)
				break
			}
		}
		if err := b.Sync(); err != nil {
			t.Error(err)
		}
		// Room again: it goes on where it was.
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT, fmt.Sprintf("size=%d", 2*size)); err != nil {
			t.Error(err)
		} else if p, err := b.Extend(1000); err != nil || address(p) != address(b.space)+uintptr(n) {
			t.Errorf("with room: %v", err)
		}
	})
	if !ran {
		t.Skip("needs a small disk")
	}
}

// TestAMappingThatFailsLeavesTheReservation asks for a mapping that the system
// refuses: where it was to be, nothing else may come to lie.
func TestAMappingThatFailsLeavesTheReservation(t *testing.T) {
	b, _ := create(t, 1<<20)
	page := os.Getpagesize()
	if err := mapFile(b.file.File, b.space[:page], 1); !errors.Is(err, unix.EINVAL) {
		t.Fatalf("mapping at offset 1: %v, want EINVAL", err)
	}
	if err := unix.Madvise(b.space[:page], unix.MADV_NORMAL); err != nil {
		t.Errorf("the reservation has a hole: %v", err)
	}
	if !faults(b.space, 0) {
		t.Error("the reservation can be read")
	}
	mustExtend(t, b, 1)[0] = 1
}

func TestAFileIsAllocatedAsItGrows(t *testing.T) {
	b, path := create(t, 10<<20)
	for b.Len() < 5<<20 {
		mustExtend(t, b, 1_000_000)
		var s unix.Stat_t
		if err := unix.Stat(path, &s); err != nil {
			t.Fatal(err)
		}
		if s.Size < int64(b.Len()) || s.Blocks*512 < s.Size {
			t.Fatalf("Len %d, size %d, allocated %d", b.Len(), s.Size, s.Blocks*512)
		}
	}
}

// TestNobodyElseCanOpen opens a file of this user's as another user.
func TestNobodyElseCanOpen(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can become someone else")
	}
	_, path := create(t, 100)
	dir := filepath.Dir(path)
	for _, d := range []string{dir, filepath.Dir(dir)} { // both made by TempDir
		if err := os.Chmod(d, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	onOwnThread(func() {
		if err := unix.Setfsuid(65534); err != nil {
			t.Log(err)
			return
		}
		if err := opened(path); !errors.Is(err, fs.ErrPermission) {
			t.Errorf("Open by another user: %v, want ErrPermission", err)
		}
		// What another user planted is not written into.
		planted := filepath.Join(dir, "planted")
		if err := os.WriteFile(planted, []byte("theirs"), 0o666); err != nil {
			t.Error(err)
		}
	})
	if _, err := Create(filepath.Join(dir, "planted"), 100); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over another user's file: %v, want ErrExist", err)
	}
}

func TestFilesLeaveNothingBehind(t *testing.T) {
	dir := t.TempDir()
	count := func(path string) int {
		all, err := os.ReadDir(path)
		if err != nil {
			t.Skip("no /proc to count with: ", err)
		}
		return len(all)
	}
	cycle := func(n int) {
		for range n {
			path := filepath.Join(dir, "file")
			b, err := Create(path, 4<<20)
			if err != nil {
				t.Fatal(err)
			}
			mustExtend(t, b, 100)
			mustClose(t, b)
			r := open(t, path)
			mustClose(t, r)
			if _, err := Create(path, 1<<20); err == nil {
				t.Fatal("Create twice")
			}
			if err := opened(dir); err == nil {
				t.Fatal("opened a directory")
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	cycle(50)
	f0 := count("/proc/self/fd")
	v0, _ := memory(t)
	cycle(300)
	f1 := count("/proc/self/fd")
	v1, _ := memory(t)
	// A file left mapped per cycle would be 1.2 GB of address space.
	if f1 > f0 || v1-v0 > 256<<20 {
		t.Errorf("after 300 cycles: %d files more, address space %d bytes more", f1-f0, v1-v0)
	}
}

func TestAddressesSurviveGrowthBeyond4GiB(t *testing.T) {
	if bits.UintSize == 32 {
		t.Skip("needs 8 GiB of address space")
	}
	dir := t.TempDir()
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		t.Skip(err)
	}
	if free := s.Bavail * uint64(s.Bsize); free < 20<<30 || s.Type == unix.TMPFS_MAGIC {
		t.Skipf("needs a disk with 20 GiB to spare: %d bytes free, type %#x", free, s.Type)
	}
	probe, err := os.Create(filepath.Join(dir, "probe"))
	if err != nil {
		t.Fatal(err)
	}
	defer probe.Close()
	if err := unix.Fallocate(int(probe.Fd()), 0, 0, 1); err != nil {
		t.Skip("would have to write it all: ", err)
	}

	var gib int64 = 1 << 30 // not a constant: on 32 bits that would not compile
	b, path := create(t, int(8*gib))
	first := mustExtend(t, b, 9)
	copy(first, "the first")
	for range 50 {
		mustExtend(t, b, 100_000)[0] = 1
	}
	big := mustExtend(t, b, int(5*gib))
	big[0], big[len(big)-1] = 2, 3
	last := mustExtend(t, b, 8)
	copy(last, "the last")
	if string(first) != "the first" || &first[0] != &b.Bytes()[0] || address(last) != address(first)+uintptr(b.Len()-8) {
		t.Error("memory moved")
	}
	r := open(t, path)
	p := r.Bytes()[:b.Len()]
	if string(p[:9]) != "the first" || p[len(p)-9] != 3 || string(p[len(p)-8:]) != "the last" {
		t.Error("a reader sees something else")
	}
	n := int64(b.Len())
	mustClose(t, b)
	if info, err := os.Stat(path); err != nil || info.Size() != n {
		t.Errorf("%v, want %d bytes", err, n)
	}
}

// TestAppendFillsHoles: a copy of a file can have them where the file has zeros,
// and writing to one on a full disk is a signal.
func TestAppendFillsHoles(t *testing.T) {
	const size = 1 << 20
	path := write(t, pattern(100))
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	b := appendTo(t, path, 2<<20)
	var info unix.Stat_t
	if err := unix.Stat(path, &info); err != nil || info.Blocks*512 < size {
		t.Errorf("%d bytes are allocated, want %d; %v", info.Blocks*512, size, err)
	}
	if p := b.Bytes(); len(p) != size || !bytes.Equal(p[:100], pattern(100)) || len(bytes.Trim(p[100:], "\x00")) > 0 {
		t.Errorf("it has %d bytes, and others", len(p))
	}
}

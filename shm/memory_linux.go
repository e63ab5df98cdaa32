package shm

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/ashlar-go/ashlar/buffer"
)

// Memory is handed over as sealed memfds (SPEC.md §2): neither side can change the size of either, and
// nobody can write to the payload but through the mapping that the writer made before it was sealed.
const (
	payloadSeals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_FUTURE_WRITE | unix.F_SEAL_SEAL
	recordSeals  = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

	// populateMost is how many bytes are mapped with their page tables filled at once.
	populateMost = 1 << 30
	// allocateAtOnce is how many bytes one system call allocates: one that a signal interrupts gives all
	// of them back and is made again.
	allocateAtOnce = 64 << 20
)

// newMemory makes sealable memory of a size, allocated in full.
func newMemory(name string, size uint64) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), name)
	for at := uint64(0); at < size; {
		n := min(allocateAtOnce, size-at)
		switch err := unix.Fallocate(fd, 0, int64(at), int64(n)); err {
		case nil:
			at += n
		case unix.EINTR:
		default:
			f.Close()
			return nil, fmt.Errorf("shm: allocate %d bytes: %w", size, os.NewSyscallError("fallocate", err))
		}
	}
	return f, nil
}

// room is an error that wraps ENOSPC when there is less than size bytes of memory. The kernel would not
// say so: it would allocate what there is, and then kill some process to have more.
func room(size uint64) error {
	if info, err := os.ReadFile("/proc/meminfo"); err == nil {
		have := kilobytes(info, "MemAvailable:") + kilobytes(info, "SwapFree:")
		if have != 0 && size/1024 > have {
			return fmt.Errorf("%d KiB of memory are available: %w", have, unix.ENOSPC)
		}
	}
	if most := groupLimit(); size > most {
		return fmt.Errorf("the control group has %d bytes: %w", most, unix.ENOSPC)
	}
	return nil
}

// kilobytes is the number behind a name of /proc/meminfo, 0 when it is not there.
func kilobytes(info []byte, name string) uint64 {
	_, rest, _ := bytes.Cut(info, []byte(name))
	if fields := bytes.Fields(rest[:min(len(rest), 64)]); len(fields) > 0 {
		n, _ := strconv.ParseUint(string(fields[0]), 10, 64)
		return n
	}
	return 0
}

// groupLimit is how many bytes the process's control group (version 2) may have.
func groupLimit() uint64 {
	groups, _ := os.ReadFile("/proc/self/cgroup")
	for line := range bytes.Lines(groups) {
		if path, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("0::")); ok {
			b, _ := os.ReadFile("/sys/fs/cgroup" + string(path) + "/memory.max")
			if n, err := strconv.ParseUint(string(bytes.TrimSpace(b)), 10, 64); err == nil {
				return n
			}
		}
	}
	return math.MaxUint64 // no limit, or "max"
}

func seal(f *os.File, seals int) error {
	_, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals)
	return os.NewSyscallError("fcntl", err)
}

// checkMemory checks that f is memory of a size that nobody can change any more.
func checkMemory(f *os.File, size uint64, seals int) error {
	have, err := unix.FcntlInt(f.Fd(), unix.F_GET_SEALS, 0)
	if err != nil {
		return fmt.Errorf("%w: not sealable memory: %w", ErrSeals, os.NewSyscallError("fcntl", err))
	}
	if have&seals != seals {
		return fmt.Errorf("%w: %#x, want %#x", ErrSeals, have, seals)
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return os.NewSyscallError("fstat", err)
	}
	if st.Size < 0 || uint64(st.Size) != size {
		return fmt.Errorf("%w: memory of %d bytes, want %d", ErrGeometry, st.Size, size)
	}
	// Pages of another size, and pages that are not there yet, can fail when they are touched.
	var fs unix.Statfs_t
	if err := unix.Fstatfs(int(f.Fd()), &fs); err != nil {
		return os.NewSyscallError("fstatfs", err)
	}
	if int64(fs.Type) != unix.TMPFS_MAGIC {
		return fmt.Errorf("%w: memory of file system %#x, want %#x", ErrSeals, int64(fs.Type), int64(unix.TMPFS_MAGIC))
	}
	if uint64(st.Blocks)*512 < size {
		return fmt.Errorf("%w: %d bytes of memory are allocated, want %d", ErrGeometry, uint64(st.Blocks)*512, size)
	}
	return nil
}

func mapMemory(f *os.File, size uint64, prot int) ([]byte, error) {
	flags := unix.MAP_SHARED
	if size <= populateMost {
		flags |= unix.MAP_POPULATE
	}
	p, err := unix.MmapPtr(int(f.Fd()), 0, nil, uintptr(size), prot, flags)
	if err != nil {
		return nil, os.NewSyscallError("mmap", err)
	}
	return bytesAt(p, size), nil
}

// populate makes the kernel bring all of a sealed piece into memory: blocks behind the end of a file count
// as allocated too, so that checkMemory can be deceived. What is there stays, the seals see to that.
func populate(m []byte) error {
	if err := unix.Madvise(m, unix.MADV_POPULATE_READ); err != nil && err != unix.EINVAL { // Linux 5.14
		return fmt.Errorf("%w: not all memory is there: %w", ErrGeometry, os.NewSyscallError("madvise", err))
	}
	return nil
}

// unmap ends the mappings of a segment, into which values may still point.
func (s *segment) unmap() error {
	var errs []error
	for _, m := range []*[]byte{&s.payload, &s.record} {
		if *m != nil {
			errs = append(errs, buffer.Retire(*m))
			*m = nil
		}
	}
	return errors.Join(errs...)
}

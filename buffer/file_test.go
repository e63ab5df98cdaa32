package buffer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// create returns a Buffer on a new file, and its path. It is closed with the
// test, if the test does not do it. It skips where there is none.
func create(t testing.TB, limit int) (*Buffer, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	b, err := Create(path, limit)
	return closeLater(t, b, err), path
}

func mappedFile(t testing.TB, limit int) *Buffer {
	t.Helper()
	b, _ := create(t, limit)
	return b
}

// open returns a Buffer on the file at path, as create does.
func open(t testing.TB, path string) *Buffer {
	t.Helper()
	b, err := Open(path)
	return closeLater(t, b, err)
}

func closeLater(t testing.TB, b *Buffer, err error) *Buffer {
	t.Helper()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return b
}

func mustClose(t testing.TB, b *Buffer) {
	t.Helper()
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// write makes a file and returns its path.
func write(t testing.TB, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pattern returns n bytes none of which is zero.
func pattern(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i%251) + 1
	}
	return p
}

func TestAClosedFileEndsAtItsLastByte(t *testing.T) {
	page := os.Getpagesize()
	for _, n := range []int{0, 1, 8, page - 1, page, page + 1, firstChunk, firstChunk + 1, 300_001} {
		b, path := create(t, 1<<20)
		want := pattern(n)
		for i, c := range [][]byte{want[:n/3], want[n/3:]} {
			if copy(mustExtend(t, b, len(c)), c); i == 0 {
				continue
			}
			now, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if len(now) < n || !bytes.Equal(now[:n], want) || len(bytes.Trim(now[n:], "\x00")) > 0 {
				t.Errorf("%d bytes, open: the file has %d, and something else than they and zeros", n, len(now))
			}
		}
		mustClose(t, b)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: the file has %d, equal: %t; %v", n, len(got), bytes.Equal(got, want), err)
		}
	}
}

func TestAFileIsNeverLongerThanItsLimit(t *testing.T) {
	for _, limit := range []int{1, 4097, firstChunk + 1, 300_001} {
		b, path := create(t, limit)
		mustExtend(t, b, 1)
		mustExtend(t, b, limit-1)
		if info, err := os.Stat(path); err != nil || info.Size() != int64(limit) {
			t.Errorf("limit %d: the file has %d bytes, %v", limit, info.Size(), err)
		}
	}
}

func TestOpenMapsTheWholeFile(t *testing.T) {
	for _, n := range []int{1, 4095, 4096, 4097, 100_000} {
		want := pattern(n)
		b := open(t, write(t, want))
		if got := b.Bytes(); !bytes.Equal(got, want) || cap(got) != n || b.Len() != n || b.Cap() != n {
			t.Errorf("%d bytes: got %d of capacity %d (equal: %t), Len %d, Cap %d",
				n, len(got), cap(got), bytes.Equal(got, want), b.Len(), b.Cap())
		}
	}
}

func TestOpenIsReadOnly(t *testing.T) {
	b := open(t, write(t, []byte("as it was")))
	for _, n := range []int{-1, 0, 1, 9, math.MaxInt} {
		if p, err := b.Extend(n); p != nil || err != ErrReadOnly {
			t.Errorf("Extend(%d): %q, %v", n, p, err)
		}
		if p, err := b.Reserve(n); p != nil || err != ErrReadOnly {
			t.Errorf("Reserve(%d): %q, %v", n, p, err)
		}
	}
	b.Reset()
	if err := b.Trim(); err != nil {
		t.Errorf("Trim: %v", err)
	}
	if err := b.Sync(); err != nil {
		t.Errorf("Sync: %v", err)
	}
	if string(b.Bytes()) != "as it was" {
		t.Errorf("Bytes %q", b.Bytes())
	}
	if err := b.Guard(func(p []byte) error { p[0] = 'A'; return nil }); !errors.Is(err, ErrFault) {
		t.Errorf("a write: %v", err)
	}
}

func TestOpenIsLiveUntilClosed(t *testing.T) {
	path := write(t, pattern(10_000))
	a, b := open(t, path), open(t, path)
	p := a.Bytes()
	first := address(p)
	for _, at := range []uintptr{first, first + 9_999, address(b.Bytes())} {
		if !Live().Contains(at) {
			t.Errorf("%+d is not live", int(at-first))
		}
	}
	if Live().Contains(first-1) || Live().Contains(first+10_000) {
		t.Error("more is live than the file")
	}
	mustClose(t, a)
	if Live().Contains(first) || !Live().Contains(address(b.Bytes())) {
		t.Error("Close of one took the other from the ranges")
	}
	if !faults(p, 0) {
		t.Error("closed memory can be read")
	}
	mustClose(t, b)
	if a.Bytes() != nil || a.Len() != 0 || a.Cap() != 0 || a.Close() != ErrClosed || !Live().Empty() {
		t.Error("Close left something")
	}
	if _, err := a.Extend(1); err != ErrClosed {
		t.Errorf("Extend: %v", err)
	}
}

// opened says what an Open of a path came to.
func opened(path string) error {
	b, err := Open(path)
	if err == nil {
		b.Close()
	}
	return err
}

func TestOpenHasAnErrorForEachReason(t *testing.T) {
	open(t, write(t, []byte("x"))) // skips
	dir := t.TempDir()
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"missing", filepath.Join(dir, "missing"), fs.ErrNotExist},
		{"empty", write(t, nil), ErrEmpty},
		{"directory", dir, ErrNotRegular},
	} {
		err := opened(c.path)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		for _, other := range []error{ErrEmpty, ErrNotRegular, ErrReadOnly, ErrClosed, ErrFull, ErrFault} {
			if other != c.want && errors.Is(err, other) {
				t.Errorf("%s: %v is also %v", c.name, err, other)
			}
		}
	}
}

func TestCreateDoesNotTouchAFile(t *testing.T) {
	create(t, 1) // skips
	path := write(t, []byte("as it was"))
	b, err := Create(path, 100)
	if b != nil || !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), path) {
		t.Errorf("%v, %v, want ErrExist", b, err)
	}
	if got, err := os.ReadFile(path); string(got) != "as it was" {
		t.Errorf("the file holds %q, %v", got, err)
	}
	if _, err := Create(filepath.Join(path, "below"), 100); err == nil {
		t.Error("a file has become a directory")
	}
	if _, err := Create(filepath.Join(t.TempDir(), "missing", "file"), 100); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in no directory: %v", err)
	}
}

func TestCreateWithABadLimitLeavesNoFile(t *testing.T) {
	create(t, 1) // skips
	path := filepath.Join(t.TempDir(), "file")
	for _, limit := range []int{0, -5, math.MaxInt, math.MaxInt - 1<<20} {
		b, err := Create(path, limit)
		if err == nil {
			b.Close()
			os.Remove(path)
			if limit == math.MaxInt-1<<20 && math.MaxInt == math.MaxInt32 {
				continue // half the address space happens to be free
			}
		}
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint(limit)) {
			t.Errorf("limit %d: %v", limit, err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("limit %d: there is a file: %v", limit, err)
		}
	}
}

func TestAReaderSeesWhatIsWritten(t *testing.T) {
	w, path := create(t, 10<<20)
	copy(mustExtend(t, w, 5), "first")
	r := open(t, path)
	if r.Len() != firstChunk || string(r.Bytes()[:5]) != "first" {
		t.Fatalf("Len %d, %q", r.Len(), r.Bytes()[:5])
	}
	copy(mustExtend(t, w, 6), "second")
	if got := string(r.Bytes()[5:11]); got != "second" {
		t.Errorf("the open reader sees %q", got)
	}
	fill(mustExtend(t, w, 1<<20), 7)
	again := open(t, path)
	if again.Len() < w.Len() || !bytes.Equal(again.Bytes()[:w.Len()], w.Bytes()) {
		t.Errorf("opened again it has %d bytes, want the writer's %d", again.Len(), w.Len())
	}
}

func TestTrimClearsAFileBeyondLen(t *testing.T) {
	b, path := create(t, 1<<20)
	fill(mustExtend(t, b, 1<<19), 7)
	b.Reset()
	p := mustExtend(t, b, 10)
	fill(p, 7)
	if err := b.Trim(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil || len(got) < 1<<19 || !bytes.Equal(got[:10], bytes.Repeat([]byte{7}, 10)) || len(bytes.Trim(got[10:], "\x00")) > 0 {
		t.Errorf("%d bytes, %v; want 10 of 7 and zeros", len(got), err)
	}
	if q := mustExtend(t, b, 1<<19); address(q) != address(p)+10 {
		t.Error("memory moved")
	}
}

func TestSyncStaysFailed(t *testing.T) {
	b, _ := create(t, 1<<20)
	mustExtend(t, b, 100)
	if err := b.Sync(); err != nil {
		t.Fatal(err)
	}
	b.file.dir = filepath.Join(t.TempDir(), "missing")
	for range 2 {
		if err := b.Sync(); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), b.file.Name()) {
			t.Errorf("%v, want ErrNotExist", err)
		}
		b.file.dir = ""
	}
}

func TestSyncOfMemoryIsNil(t *testing.T) {
	for _, b := range []*Buffer{New(8), Wrap(nil), {}} {
		if err := b.Sync(); err != nil {
			t.Error(err)
		}
	}
	if err := offHeap(t, 8).Sync(); err != nil {
		t.Error(err)
	}
}

func TestSyncOfAnEmptyFile(t *testing.T) {
	b, _ := create(t, 100)
	for range 2 {
		if err := b.Sync(); err != nil {
			t.Error(err)
		}
	}
}

func TestFilesGrowInBoundedSteps(t *testing.T) {
	const huge = math.MaxInt &^ (firstChunk - 1)
	for _, c := range []struct{ need, from, end, want int }{
		{4096, 0, 4096, 4096},
		{4096, 0, 1 << 30, firstChunk},
		{firstChunk, 0, 1 << 30, firstChunk},
		{2 * firstChunk, firstChunk, 1 << 30, 2 * firstChunk},
		{9 * firstChunk, firstChunk, 1 << 30, 9 * firstChunk},
		{2*firstChunk + 4096, 2 * firstChunk, 3 * firstChunk, 3 * firstChunk},
		{512<<20 + 4096, 512 << 20, 1 << 30, 512<<20 + maxStep},
		{huge, maxStep, huge, huge},
		{huge - 4096, huge - 8192, huge, huge},
	} {
		if got := fileEnd(c.need, c.from, c.end); got != c.want {
			t.Errorf("fileEnd(%d, %d, %d) = %d, want %d", c.need, c.from, c.end, got, c.want)
		}
	}
}

func TestWriteZerosAllocates(t *testing.T) {
	f, err := os.OpenFile(write(t, []byte("kept")), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const size = 2<<20 + 123
	if err := writeZeros(f, 4, size); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(f.Name())
	if err != nil || len(got) != size || string(got[:4]) != "kept" || len(bytes.Trim(got[4:], "\x00")) > 0 {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestGuardIsTransparent(t *testing.T) {
	b := open(t, write(t, []byte("content")))
	if err := b.Guard(func(p []byte) error {
		if string(p) != "content" || cap(p) != len(p) {
			t.Errorf("read is given %q, capacity %d", p, cap(p))
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	own := errors.New("read's own")
	if err := b.Guard(func([]byte) error { return own }); err != own {
		t.Errorf("%v, want read's error", err)
	}
	if got := panics(func() { b.Guard(func([]byte) error { panic(own) }) }); got != own {
		t.Errorf("a panic of read's became %v", got)
	}
	var null *Buffer
	if got := panics(func() { b.Guard(func([]byte) error { return Wrap(null.mem).Close() }) }); got == nil {
		t.Error("a nil dereference is not a panic")
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		b.Guard(func([]byte) error { runtime.Goexit(); return nil })
		t.Error("Goexit is not transparent")
	}()
	<-done
	for _, before := range []bool{false, true} {
		debug.SetPanicOnFault(before)
		b.Guard(func([]byte) error { return nil })
		if got := debug.SetPanicOnFault(false); got != before {
			t.Errorf("SetPanicOnFault is %t after Guard, was %t", got, before)
		}
	}
}

func TestGuardLetsOtherFaultsThrough(t *testing.T) {
	b := open(t, write(t, []byte("content")))
	other := offHeap(t, 1)
	mustExtend(t, other, 1)
	beyond := other.space[os.Getpagesize():]
	got := panics(func() { b.Guard(func([]byte) error { sink = beyond[0]; return nil }) })
	if a, ok := got.(interface{ Addr() uintptr }); !ok || a.Addr() != address(beyond) {
		t.Errorf("a fault elsewhere is %v", got)
	}
	if err := other.Guard(func([]byte) error { return b.Guard(func([]byte) error { return nil }) }); err != nil {
		t.Error(err)
	}
}

// needsAddresses skips where the address of a SIGBUS is wrong.
func needsAddresses(t *testing.T) {
	if os.Getenv("ASHLAR_EMULATED") != "" {
		t.Skip("qemu takes the address of a SIGBUS for two numbers and, if the machine is big-endian, swaps them")
	}
}

func panics(f func()) (value any) {
	defer func() { value = recover() }()
	f()
	return nil
}

// TestAShorterFileIsAnErrorUnderGuard reads each page of a file and beyond its
// new end after it has lost one page after another.
func TestAShorterFileIsAnErrorUnderGuard(t *testing.T) {
	needsAddresses(t)
	page := os.Getpagesize()
	const pages = 16
	path := write(t, pattern(pages*page))
	b := open(t, path)
	read := func(from int) error {
		return b.Guard(func(p []byte) error {
			for _, v := range p[from:] {
				sink += v
			}
			return nil
		})
	}
	if err := read(0); err != nil {
		t.Fatal(err)
	}
	for left := pages - 1; left >= 0; left-- {
		if err := os.Truncate(path, int64(left*page)); err != nil {
			t.Skip("a mapped file cannot become shorter here: ", err)
		}
		for _, from := range []int{0, left * page, pages*page - 1} {
			err := read(from)
			var fault *FaultError
			if !errors.Is(err, ErrFault) || !errors.As(err, &fault) || fault.Size != pages*page {
				t.Fatalf("%d pages left, read from %d: %v, want ErrFault", left, from, err)
			}
			want := max(from, left*page)
			if got := fault.Offset; got != want && got != want&^(page-1) {
				t.Errorf("%d pages left, read from %d: offset %d, want %d", left, from, got, want)
			}
			if !strings.Contains(err.Error(), fmt.Sprintf("offset %d of", fault.Offset)) {
				t.Errorf("%q does not give the offset", err)
			}
		}
		if !bytes.Equal(b.Bytes()[:left*page], pattern(pages * page)[:left*page]) {
			t.Errorf("%d pages left: they changed", left)
		}
	}
}

// TestAFileShortByLessThanAPageReadsAsZero says what no system can report.
func TestAFileShortByLessThanAPageReadsAsZero(t *testing.T) {
	path := write(t, pattern(100))
	b := open(t, path)
	if err := os.Truncate(path, 10); err != nil {
		t.Skip("a mapped file cannot become shorter here: ", err)
	}
	if err := b.Guard(func(p []byte) error {
		if !bytes.Equal(p[:10], pattern(10)) || len(bytes.Trim(p[10:], "\x00")) > 0 {
			t.Errorf("reads as %x", p)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

func TestGuardCoversWhatReadAppends(t *testing.T) {
	needsAddresses(t)
	b, path := create(t, 1<<20)
	mustExtend(t, b, 1)
	err := b.Guard(func([]byte) error {
		p, err := b.Extend(1 << 19)
		if err != nil {
			return err
		}
		if err := os.Truncate(path, firstChunk); err != nil {
			return err
		}
		p[firstChunk] = 1
		return nil
	})
	var fault *FaultError
	if !errors.As(err, &fault) || fault.Offset&^4095 != firstChunk {
		t.Errorf("%v, want a fault at %d", err, 1+firstChunk)
	}
}

func BenchmarkGuard(b *testing.B) {
	buf := New(8)
	read := func([]byte) error { return nil }
	b.ReportAllocs()
	for b.Loop() {
		if err := buf.Guard(read); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSync(b *testing.B) {
	buf := mappedFile(b, 1<<30)
	for b.Loop() {
		buf.Reset()
		fill(mustExtend(b, buf, 4096), 1)
		if err := buf.Sync(); err != nil {
			b.Fatal(err)
		}
	}
}

package buffer

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// appendTo returns a Buffer that goes on in the file at path, as create does.
func appendTo(t testing.TB, path string, limit int) *Buffer {
	t.Helper()
	b, err := Append(path, limit)
	return closeLater(t, b, err)
}

func TestAppendGoesOnBehindWhatTheFileHas(t *testing.T) {
	page := os.Getpagesize()
	for _, n := range []int{0, 1, 8, page - 1, page, page + 1, firstChunk, 300_001} {
		path := write(t, pattern(n))
		b := appendTo(t, path, 1<<20)
		if b.Len() != n || b.Cap() != 1<<20 || !bytes.Equal(b.Bytes(), pattern(n)) {
			t.Fatalf("%d bytes: Len %d, Cap %d", n, b.Len(), b.Cap())
		}
		free, err := b.Reserve(1)
		if err != nil || len(bytes.Trim(free, "\x00")) > 0 {
			t.Errorf("%d bytes: what is behind is not zero, %v", n, err)
		}
		more := pattern(100_000)
		copy(mustExtend(t, b, 5), more)
		copy(mustExtend(t, b, len(more)-5), more[5:])
		if n > 0 && !Live().Contains(address(b.Bytes())) {
			t.Error("it is not live")
		}
		if err := b.Sync(); err != nil {
			t.Error(err)
		}
		mustClose(t, b)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, append(pattern(n), more...)) {
			t.Errorf("%d bytes: the file has %d, %v", n, len(got), err)
		}
	}
}

func TestAppendMakesAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	b := appendTo(t, path, 100)
	if b.Len() != 0 || b.Cap() != 100 {
		t.Errorf("Len %d, Cap %d", b.Len(), b.Cap())
	}
	copy(mustExtend(t, b, 100), pattern(100))
	if err := b.Sync(); err != nil {
		t.Error(err)
	}
	mustClose(t, b)
	if info, err := os.Stat(path); err != nil || info.Size() != 100 || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestAppendAloneChangesNothing: opened, at its limit or below, and closed, a
// file is what it was.
func TestAppendAloneChangesNothing(t *testing.T) {
	for _, c := range []struct{ size, limit int }{{5, 5}, {5, 6}, {4096, 4096}, {4097, 4097}, {100_000, 1 << 20}} {
		path := write(t, pattern(c.size))
		b := appendTo(t, path, c.limit)
		if info, err := os.Stat(path); err != nil || info.Size() > int64(c.limit) {
			t.Errorf("%+v: open, it has %d bytes, %v", c, info.Size(), err)
		}
		if _, err := b.Extend(c.limit - c.size + 1); !errors.Is(err, ErrFull) {
			t.Errorf("%+v: %v, want ErrFull", c, err)
		}
		mustClose(t, b)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, pattern(c.size)) {
			t.Errorf("%+v: it has %d bytes, %v", c, len(got), err)
		}
	}
}

func TestAppendHasAnErrorForEachReason(t *testing.T) {
	mappedFile(t, 1) // skips
	dir := t.TempDir()
	readOnly := write(t, []byte("x"))
	if err := os.Chmod(readOnly, 0o400); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"too long", write(t, pattern(101)), ErrFull},
		{"directory", dir, ErrNotRegular},
		{"no directory", filepath.Join(dir, "missing", "file"), fs.ErrNotExist},
		{"read-only", readOnly, fs.ErrPermission},
	} {
		if c.want == fs.ErrPermission && os.Getuid() == 0 {
			continue // root may
		}
		before, _ := os.ReadFile(c.path)
		b, err := Append(c.path, 100)
		if b != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
		for _, other := range []error{ErrEmpty, ErrNotRegular, ErrReadOnly, ErrClosed, ErrFull, ErrFault, ErrLocked} {
			if other != c.want && errors.Is(err, other) {
				t.Errorf("%s: %v is also %v", c.name, err, other)
			}
		}
		if after, _ := os.ReadFile(c.path); !bytes.Equal(before, after) {
			t.Errorf("%s: the file has changed", c.name)
		}
	}
	if _, err := Append(filepath.Join(dir, "file"), 0); err == nil || !strings.Contains(err.Error(), "Append") {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "file")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a bad limit leaves a file")
	}
}

// TestAFileHasOneWriter: two would overwrite each other, and the one that is
// closed first would take the file's end from under the other.
func TestAFileHasOneWriter(t *testing.T) {
	if runtime.GOOS == "aix" {
		t.Skip("no locks")
	}
	a, path := create(t, 1<<20)
	mustExtend(t, a, 100_000)
	for range 2 {
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := Append(path, 1<<20); b != nil || !errors.Is(err, ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("%v, want ErrLocked", err)
		}
		if after, err := os.Stat(path); err != nil || after.Size() != before.Size() {
			t.Errorf("the file has %d bytes, and had %d; %v", after.Size(), before.Size(), err)
		}
		open(t, path) // readers may
		mustClose(t, a)
		a = appendTo(t, path, 1<<20)
	}
}

func TestTruncateClearsWhatItCutsOff(t *testing.T) {
	path := write(t, pattern(200_000))
	b := appendTo(t, path, 1<<20)
	p := b.Bytes()
	for _, n := range []int{200_000, 199_999, 150_003, 150_000, 8, 5, 0, 0} {
		if err := b.Truncate(n); err != nil || b.Len() != n {
			t.Fatalf("Truncate(%d): Len %d, %v", n, b.Len(), err)
		}
		if !bytes.Equal(p[:n], pattern(n)) || len(bytes.Trim(p[n:], "\x00")) > 0 {
			t.Errorf("Truncate(%d): other bytes", n)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(got, p) || len(got) < len(p) {
			t.Errorf("Truncate(%d): the file has others, %v", n, err)
		}
	}
	if q := mustExtend(t, b, 10); address(q) != address(p) {
		t.Error("memory moved")
	}
	copy(p, "new")
	mustClose(t, b)
	if got, err := os.ReadFile(path); string(got) != "new\x00\x00\x00\x00\x00\x00\x00" {
		t.Errorf("the file holds %q, %v", got, err)
	}
}

func TestTruncateOnlyShortens(t *testing.T) {
	memory := Wrap([]byte("0123456789"))
	mustExtend(t, memory, 6)
	for _, n := range []int{-1, 7, 10, math.MaxInt, math.MinInt} {
		if err := memory.Truncate(n); err == nil || memory.Len() != 6 {
			t.Errorf("Truncate(%d): Len %d, %v", n, memory.Len(), err)
		}
	}
	if err := memory.Truncate(2); err != nil || string(mustExtend(t, memory, 8)) != "\x00\x00\x00\x006789" {
		t.Errorf("%q, %v", memory.Bytes(), err)
	}
	mustClose(t, memory)
	if err := memory.Truncate(0); err != ErrClosed {
		t.Error(err)
	}
	if r := open(t, write(t, []byte("as it was"))); r.Truncate(3) != ErrReadOnly || r.Len() != 9 {
		t.Error("a Buffer of Open was truncated")
	}
}

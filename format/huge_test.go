package format_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

var gib = uint64(1) << 30 // no constant: on 32 bits some of what follows is not one

// caseHuge: sizes, counts and distances beyond what 31 and 32 bits hold.
func caseHuge(t *testing.T) {
	switch {
	case thin() || !aliases():
		t.Skip("takes too long, or too much memory, this way")
	case math.MaxInt == math.MaxInt32:
		t.Skip("int has 32 bits")
	}
	dir := t.TempDir()
	if fast, err := os.MkdirTemp("/dev/shm", "format-huge"); err == nil { // where nothing waits for a disk
		t.Cleanup(func() { os.RemoveAll(fast) })
		dir = fast
	}
	disk, memory, err := roomFor(dir)
	if err != nil {
		t.Skip(err)
	}
	if disk < 8*gib || memory < 8*gib {
		t.Skipf("%d bytes on disk and %d of memory, 8 GiB of each are wanted", disk, memory)
	}
	t.Run("over 2 GiB", func(t *testing.T) { hugeBytes(t, filepath.Join(dir, "two")) })
	t.Run("over 4 GiB", func(t *testing.T) { hugeStruct(t, filepath.Join(dir, "four")) })
}

// written writes v into a file, holds its length against Size, and maps the file again.
func written[T any](t *testing.T, c *format.Codec[T], path string, v *T, most uint64) *buffer.Buffer {
	t.Helper()
	b, err := buffer.Create(path, int(5*gib))
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { os.Remove(path) })
	small := must(forget[T](format.WithRefs(), format.WithMaxMessage(int64(most))))
	wantErr(t, "under a lower limit", small.Encode(b, v), format.ErrLimit)
	if b.Len() != 0 {
		t.Errorf("a refused message left %d bytes", b.Len())
	}
	if err := c.Encode(b, v); err != nil {
		b.Close()
		t.Fatal(err)
	}
	if n, err := c.Size(v); err != nil || n != b.Len() || uint64(n) <= most {
		t.Errorf("%d bytes, Size %d, %v", b.Len(), n, err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := buffer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	wantErr(t, "read under a lower limit", small.DecodeAlias(m.Bytes(), new(T)), format.ErrLimit)
	return m
}

func hugeBytes(t *testing.T, path string) {
	v := make([]byte, 2*gib+9)
	v[0], v[len(v)-1] = 1, 2
	c := format.MustFor[[]byte]()
	m := written(t, c, path, &v, 2*gib)
	var got []byte
	if err := c.DecodeAlias(m.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(v) || got[0] != 1 || got[len(got)-1] != 2 || got[len(got)/2] != 0 || !inside(m.Bytes(), unsafe.Pointer(&got[len(got)-1])) {
		t.Errorf("%d bytes, want %d", len(got), len(v))
	}
}

// hugeValue has refs over more than 4 GiB, forward from the root and back to the first
// objects from the last.
type hugeValue struct {
	First  *Point
	Before []int64
	Map    map[string]*Point
	Bytes  []byte
	Longs  []int64
	Behind []float64
	Last   []*Point
	Again  map[string]*Point
	Root   *hugeValue
	Text   string
}

func hugeStruct(t *testing.T, path string) {
	p := &Point{1, 2}
	v := &hugeValue{
		First: p, Before: []int64{1, 2, 3}, Map: map[string]*Point{"p": p, "q": {3, 4}}, Bytes: make([]byte, 2*gib+13), Longs: make([]int64, gib/4+3),
		Behind: []float64{99: 0.5}, Text: "text",
	}
	v.Last, v.Again, v.Root = []*Point{p, v.Map["q"], {5, 6}}, v.Map, v
	v.Bytes[0], v.Bytes[len(v.Bytes)-1] = 1, 2
	v.Longs[0], v.Longs[len(v.Longs)-1] = -1, -2
	c := format.MustFor[hugeValue](format.WithRefs())
	m := written(t, c, path, v, 4*gib)
	if err := c.Verify(m.Bytes()); err != nil {
		t.Error(err)
	}
	var got hugeValue
	if err := c.DecodeAlias(m.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if n, l := len(got.Bytes), len(got.Longs); n != len(v.Bytes) || l != len(v.Longs) || got.Bytes[0] != 1 || got.Bytes[n-1] != 2 || got.Longs[0] != -1 || got.Longs[l-1] != -2 {
		t.Errorf("%d bytes and %d numbers", n, l)
	}
	if got.First != got.Last[0] || got.Map["p"] != got.First || got.Map["q"] != got.Last[1] || *got.Last[2] != (Point{5, 6}) || got.Root != &got {
		t.Error("refs over more than 4 GiB lead elsewhere")
	}
	if got.Again["q"] != got.Map["q"] || got.Behind[99] != 0.5 || got.Text != "text" || got.Before[2] != 3 {
		t.Error("what lies behind or before 4 GiB is lost")
	}
}

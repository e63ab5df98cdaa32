package format_test

import (
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/format"
)

// Large objects begin at cache lines, small ones do not, and what lies between is zero (SPEC §3.6).
func TestLargeObjectsBeginAtCacheLines(t *testing.T) {
	type value struct {
		Small []int64 // 511 bytes and fewer
		Text  string
		Large []float64
		Plain *[64]int64
		Texts []string
	}
	v := value{make([]int64, 63), string(make([]byte, 511)), make([]float64, 64), new([64]int64), make([]string, 64)}
	codec := format.MustFor[value]()
	dirty := make([]byte, 8192)
	for i := range dirty {
		dirty[i] = 0xAA
	}
	msg, err := codec.Append(dirty[:0], &v)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := codec.Size(&v); err != nil || n != len(msg) {
		t.Fatalf("Size %d, %v, want %d", n, err, len(msg))
	}
	for i, b := range msg[56:] { // all that v refers to is zero
		if b != 0 {
			t.Fatalf("byte %d is %#x", 56+i, b)
		}
	}
	if !aliases() {
		return
	}
	var got value
	if err := codec.DecodeAlias(msg, &got); err != nil {
		t.Fatal(err)
	}
	at := func(p unsafe.Pointer) uintptr { return uintptr(p) - uintptr(unsafe.Pointer(&msg[0])) }
	small, text := at(unsafe.Pointer(&got.Small[0])), at(unsafe.Pointer(unsafe.StringData(got.Text)))
	large, plain := at(unsafe.Pointer(&got.Large[0])), at(unsafe.Pointer(got.Plain))
	if small != 56 || text != 56+504 {
		t.Errorf("small objects at %d and %d, want 56 and 560", small, text)
	}
	if large != 1088 || plain != 1088+512 {
		t.Errorf("large objects at %d and %d, want 1088 and 1600", large, plain)
	}
}

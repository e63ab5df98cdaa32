package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestErrorsSayWhere: an error names the operation, the path to the field in the
// names that the message has, and the offset of what is wrong.
func TestErrorsSayWhere(t *testing.T) {
	type in struct {
		Flag bool
		Text string
		Opt  *bool
	}
	type T struct {
		Renamed string `ashlar:"other"`
		List    []in
		Array   [2]in
		Ptr     *in
		Deep    [][]*in
		PP      **string
		Self    *T
		In      struct{ Slice *[]in }
		Flags   []bool
		Base2
	}
	one := in{Text: "x", Opt: new(true)}
	v := T{
		Renamed: "x", List: []in{one, one, one}, Array: [2]in{one, one}, Ptr: &one, Deep: [][]*in{nil, {nil, &one}}, PP: new(new("x")),
		Self: &T{Renamed: "x", List: []in{one}}, Flags: []bool{true, false, true},
	}
	v.In.Slice = &[]in{one}
	c := must(forget[T]())
	msg := mustModelEncode(&v)

	// The model's walk knows where each path lies.
	paths := map[string]int64{}
	d := &dumper{msg: msg}
	d.value(modelHeader, reflect.ValueOf(&v).Elem(), "")
	for _, n := range d.notes {
		path, _, ok := strings.Cut(n.text, ":")
		if before, _, is := strings.Cut(n.text, " = "); is {
			path, ok = before, true
		}
		if _, known := paths[path]; ok && !known {
			paths[path] = n.off
		}
	}
	for _, path := range []string{
		"other", "List", "List[2].Flag", "List[1].Text", "List[0].Opt", "Array[1].Flag", "Array[1].Text",
		"Ptr", "Ptr.Flag", "Ptr.Text", "Deep", "Deep[1]", "Deep[1][1]", "Deep[1][1].Text", "PP",
		"Self", "Self.List", "Self.List[0].Flag", "Self.Array[1].Flag", "In.Slice", "Flags",
		"Base2.Flag",
	} {
		off, ok := paths[path]
		if !ok {
			t.Fatalf("no %s among %v", path, paths)
		}
		bad := bytes.Clone(msg)
		if strings.HasSuffix(path, "Flag") || strings.HasSuffix(path, "Opt") {
			bad[off] = 2
		} else {
			copy(bad[off:], "\x02\x00\x00\x00\x00\x00\x00\x00") // count 0
		}
		errs := map[string]error{"Verify": c.Verify(bad)}
		for _, d := range decodes {
			errs[d.name] = d.call(c, bad, new(T))
		}
		for name, err := range errs {
			var e *format.Error
			if !errors.As(err, &e) {
				t.Errorf("%s of a bad %s: %v", name, path, err)
				continue
			}
			if e.Path != path || e.Offset != off || !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("%s of a bad %s at %#x: path %q, offset %#x: %v", name, path, off, e.Path, e.Offset, err)
			}
			for _, want := range []string{e.Op, path, fmt.Sprint(off)} {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %q is not in the text %q", name, want, err)
				}
			}
		}
	}
	bad := bytes.Clone(msg)
	bad[paths["Flags[0..2]"]+1] = 7
	for _, d := range decodes {
		err := d.call(c, bad, new(T))
		var e *format.Error
		if !errors.As(err, &e) || e.Path != "Flags[1]" {
			t.Errorf("%s of a bad Flags[1]: %v", d.name, err)
		}
	}
}

// TestHeaderErrors has an error of its class for each byte of the header.
func TestHeaderErrors(t *testing.T) {
	v := Part{Name: "x"}
	c := must(forget[Part]())
	good := mustModelEncode(&v)
	for _, h := range []struct {
		off  int
		b    byte
		want error
	}{
		{0, 0xA4, format.ErrCorrupt}, {1, 0x4D, format.ErrCorrupt}, {2, 0, format.ErrCorrupt}, {2, 2, format.ErrCorrupt},
		{3, 1, format.ErrSchema}, {3, 2, nil}, {3, 4, format.ErrCorrupt}, {3, 8, format.ErrCorrupt}, {3, 16, format.ErrCorrupt},
		{3, 128, format.ErrCorrupt}, {4, good[4] + 1, format.ErrTruncated}, {4, good[4] - 1, format.ErrCorrupt}, {4, 0, format.ErrCorrupt},
		{4, 1, format.ErrCorrupt}, {7, 0x40, format.ErrTruncated}, {8, good[8] + 1, format.ErrSchema}, {15, good[15] + 1, format.ErrSchema},
	} {
		bad := bytes.Clone(good)
		bad[h.off] = h.b
		if h.want == nil { // a message of another kind: either
			if h.want = format.ErrCorrupt; errors.Is(c.Verify(bad), format.ErrSchema) {
				h.want = format.ErrSchema
			}
		}
		if h.off < 4 && h.b != 1 && h.b != 2 || h.off == 2 {
			// No message at all, whatever its type.
			_, _, err := format.Next(bad)
			if !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("byte %d is %#x: Next: %v, want ErrCorrupt", h.off, h.b, err)
			}
			if _, err = format.Peek(bad); !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("byte %d is %#x: Peek: %v, want ErrCorrupt", h.off, h.b, err)
			}
		}
		if err := c.Verify(bad); !errors.Is(err, h.want) {
			t.Errorf("byte %d is %#x: Verify: %v, want %v", h.off, h.b, err, h.want)
		}
		for _, d := range decodes {
			target := Part{Name: "before", Sizes: []int16{1}}
			err := d.call(c, bad, &target)
			if !errors.Is(err, h.want) {
				t.Errorf("byte %d is %#x: %s: %v, want %v", h.off, h.b, d.name, err, h.want)
			}
			if target.Name != "before" || len(target.Sizes) != 1 {
				t.Errorf("byte %d is %#x: %s changed the target", h.off, h.b, d.name)
			}
		}
	}
	// A root block that does not fit.
	short := craft(reflect.TypeFor[Part](), 0, 0, 0)
	if err := c.Verify(short); !errors.Is(err, format.ErrCorrupt) {
		t.Errorf("a root block of 24 bytes where 32 are wanted: %v", err)
	}
}

// TestLimitsNameThemselves: an error that a limit causes names the limit and both
// numbers, and the writer meets it before the reader would (B24, §7).
func TestLimitsNameThemselves(t *testing.T) {
	v := string(make([]byte, 960)) // at 64: a message of 1,024 bytes
	msg := mustModelEncode(&v)
	for _, limit := range []int64{16, 100, 1016, 1023} {
		c := must(forget[string](format.WithMaxMessage(limit)))
		_, err := c.Append(nil, &v)
		errs := map[string]error{"Append": err, "Verify": c.Verify(msg), "Encode": c.Encode(buffer.New(2048), &v)}
		_, errs["Size"] = c.Size(&v)
		for _, d := range decodes[:3] {
			errs[d.name] = d.call(c, msg, new(string))
		}
		for name, err := range errs {
			if !errors.Is(err, format.ErrLimit) {
				t.Errorf("%s of 1,024 bytes under a limit of %d: %v, want ErrLimit", name, limit, err)
				continue
			}
			// The writer may stop before it knows the whole size.
			over := false
			for _, word := range strings.FieldsFunc(err.Error(), func(r rune) bool { return r < '0' || r > '9' }) {
				n, _ := strconv.ParseInt(word, 10, 64)
				over = over || n > limit && n <= 1024
			}
			if !over || !strings.Contains(err.Error(), "MaxMessage") || !strings.Contains(err.Error(), fmt.Sprint(limit)) {
				t.Errorf("%s: the error does not name MaxMessage and both numbers: %v", name, err)
			}
		}
	}
	c := must(forget[string](format.WithMaxMessage(1024)))
	if got, err := c.Append(nil, &v); err != nil || !bytes.Equal(got, msg) {
		t.Errorf("a message as large as the limit: %v", err)
	}
	if err := c.Verify(msg); err != nil {
		t.Errorf("a message as large as the limit: %v", err)
	}
	deep := must(forget[[][]string](format.WithMaxDepth(1)))
	_, err := deep.Append(nil, &[][]string{{"x"}})
	if err == nil || !errors.Is(err, format.ErrLimit) || !strings.Contains(err.Error(), "MaxDepth") {
		t.Errorf("two refs deep under a limit of 1: %v", err)
	}
}

// TestCountsBeyondTheFormat: a slice of more elements than a ref can count is the
// writer's error.
func TestCountsBeyondTheFormat(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("int has 32 bits")
	}
	most := int64(math.MaxUint32)
	n := int(most)
	v := make([]struct{}, n)
	if _, err := format.Marshal(&v); err != nil {
		t.Errorf("2^32-1 elements: %v", err)
	}
	v = make([]struct{}, n+1)
	_, err := format.Marshal(&v)
	if !errors.Is(err, format.ErrLimit) || !strings.Contains(fmt.Sprint(err), "4294967296") {
		t.Errorf("2^32 elements: %v, want ErrLimit", err)
	}
}

// TestIntsOf32Bits: an int that does not fit is an error of the reader that names
// the field (C10); what fits is read.
func TestIntsOf32Bits(t *testing.T) {
	type T struct {
		A int32
		I int
		U uint
		L []int
		O *uint
		P [2]*int
	}
	c := must(forget[T]())
	for _, x := range []struct {
		path string
		set  func(*T64)
	}{
		{"I", func(v *T64) { v.I = 1 << 31 }}, {"I", func(v *T64) { v.I = -1<<31 - 1 }}, {"U", func(v *T64) { v.U = 1 << 32 }},
		{"L[1]", func(v *T64) { v.L = []int64{1, 1 << 40} }}, {"O", func(v *T64) { v.O = new(uint64(math.MaxUint64)) }},
		{"P[1]", func(v *T64) { v.P[1] = new(int64(math.MinInt64)) }},
		{"", func(v *T64) {
			*v = T64{1, math.MinInt32, math.MaxUint32, []int64{math.MaxInt32}, new(uint64(1 << 31)), [2]*int64{nil, new(int64(-1))}}
		}},
	} {
		var v T64
		x.set(&v)
		msg := mustModelEncode(&v)
		fits := x.path == "" || math.MaxInt > math.MaxInt32
		for _, d := range decodes {
			err := d.call(c, msg, new(T))
			var e *format.Error
			if fits && err != nil {
				t.Errorf("%s: %v", d.name, err)
			}
			if !fits && (!errors.Is(err, format.ErrLimit) || !errors.As(err, &e) || e.Path != x.path) {
				t.Errorf("%s of %s too large for 32 bits: %v", d.name, x.path, err)
			}
		}
		if err := c.Verify(msg); fits != (err == nil) {
			t.Errorf("Verify: %v", err)
		}
	}
}

// T64 is TestIntsOf32Bits' type with the widths spelled out: one description.
type T64 struct {
	A int32
	I int64
	U uint64
	L []int64
	O *uint64
	P [2]*int64
}

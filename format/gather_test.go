package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// soiled is a buffer of n bytes that are not zero, before of which are written.
func soiled(t *testing.T, n, before int) *buffer.Buffer {
	t.Helper()
	b := buffer.New(n)
	if free, err := b.Reserve(0); err == nil {
		for i := range free {
			free[i] = 0xAA
		}
	}
	if _, err := b.Extend(before); err != nil {
		t.Fatal(err)
	}
	return b
}

// checkPieces: each piece lies in b or is an array of *v whole, so that nothing
// else of v has to stay as it is.
func checkPieces(t *testing.T, pieces net.Buffers, b *buffer.Buffer, v any) (apart int) {
	t.Helper()
	arrays := map[*byte]int{}
	for _, r := range aliasableRegions(reflect.ValueOf(v).Elem()) {
		arrays[unsafe.SliceData(r.live)] = max(arrays[unsafe.SliceData(r.live)], len(r.live))
	}
	for i, p := range pieces {
		at := unsafe.SliceData(p)
		switch {
		case len(p) == 0 || cap(p) != len(p):
			t.Errorf("piece %d has %d bytes and a capacity of %d", i, len(p), cap(p))
		case inside(b.Bytes(), unsafe.Pointer(at)):
			if !inside(b.Bytes(), unsafe.Pointer(&p[len(p)-1])) {
				t.Errorf("piece %d ends outside of the buffer", i)
			}
		case len(p) < 512 || arrays[at] < len(p):
			t.Errorf("piece %d, %d bytes, is neither in the buffer nor a large array of the value", i, len(p))
		default:
			apart++
		}
	}
	return apart
}

// TestGatherGivesTheMessage: whatever the buffer held before and however little
// room it has, the pieces are the bytes that Append writes, or nothing happens.
func TestGatherGivesTheMessage(t *testing.T) {
	for _, r := range bothWays() {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			for i, v := range r.all(thinned(6)) {
				want, err := c.Append(nil, v)
				if err != nil {
					t.Fatalf("value %d: Append: %v", i, err)
				}
				checkGather(t, c, i, v, want)
				if t.Failed() {
					return
				}
			}
		})
	}
}

func checkGather(t *testing.T, c *codec, i int, v any, want []byte) {
	t.Helper()
	other := []byte("another's")
	large := buffer.New(len(want))
	if _, err := c.Gather(nil, large, v); err != nil {
		t.Errorf("value %d: Gather: %v", i, err)
		return
	}
	need := large.Len()
	for before := range 16 {
		gap := -before & 7
		b := soiled(t, before+gap+need, before)
		got, err := c.Gather(net.Buffers{other}, b, v)
		if err != nil || &got[0][0] != &other[0] || !bytes.Equal(bytes.Join(got[1:], nil), want) {
			t.Errorf("value %d: behind %d bytes, in a buffer that just fits: %v, %s", i, before, err, firstDifference(bytes.Join(got, nil)[len(other):], want))
			return
		}
		if b.Len() != before+gap+need || len(bytes.Trim(b.Bytes()[:before], "\xAA")) != 0 || !bytes.Equal(b.Bytes()[before:before+gap], make([]byte, gap)) {
			t.Errorf("value %d: behind %d bytes: Len %d, then % x", i, before, b.Len(), b.Bytes()[:before+gap])
		}
		checkPieces(t, got[1:], b, v)

		if before == 0 && need == 0 {
			continue
		}
		b = soiled(t, before+gap+need-1, before)
		got, err = c.Gather(net.Buffers{other}[:1:1], b, v)
		if !errors.Is(err, buffer.ErrFull) || len(got) != 1 || &got[0][0] != &other[0] || b.Len() != before {
			t.Errorf("value %d: behind %d bytes, in a buffer one byte too small: %v, %d pieces, Len %d", i, before, err, len(got), b.Len())
			return
		}
		if b.Reset(); before+gap > 0 {
			if got, err = c.Gather(nil, b, v); err != nil || !bytes.Equal(bytes.Join(got, nil), want) {
				t.Errorf("value %d: in the same buffer after ErrFull: %v, %s", i, err, firstDifference(bytes.Join(got, nil), want))
			}
		}
	}
}

// TestGatherOutsideTheHeap: pieces in mapped memory stay where they are while the
// buffer grows under the next values.
func TestGatherOutsideTheHeap(t *testing.T) {
	for _, r := range bothWays() {
		c := r.codec(t)
		values := r.all(3)
		var want []byte
		for _, v := range values {
			msg, err := c.Append(nil, v)
			if err != nil {
				t.Fatalf("%s: %v", r.name, err)
			}
			want = append(want, msg...)
		}
		check := func(kind string, b *buffer.Buffer, err error) {
			if errors.Is(err, errors.ErrUnsupported) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			var pieces net.Buffers
			for i, v := range values {
				if pieces, err = c.Gather(pieces, b, v); err != nil {
					t.Fatalf("%s, %s: value %d: %v", r.name, kind, i, err)
				}
			}
			if got := bytes.Join(pieces, nil); !bytes.Equal(got, want) {
				t.Errorf("%s, %s: %s", r.name, kind, firstDifference(got, want))
			}
		}
		b, err := buffer.OffHeap(1 << 22)
		check("off the heap", b, err)
		b, err = buffer.Create(filepath.Join(t.TempDir(), "file"), 1<<22)
		check("in a file", b, err)
	}
}

// around has arrays of T in each place, so that refs cross those that are left out.
type around[T any] struct {
	Flag   bool
	First  []T
	Text   string
	Nested [][]T
	Ptr    *[]T
	Map    map[string][]T
	Any    any
	Opt    *bool
	Last   []T
	Tail   []string
}

// TestGatherAroundTheThreshold: arrays of 512 bytes and more are left where they
// are, whatever their elements and however they end in a word; smaller ones and
// those with gaps, which hold what the memory did, never.
func TestGatherAroundTheThreshold(t *testing.T) {
	gatherAround[bool](t, true)
	gatherAround[int8](t, true)
	gatherAround[uint8](t, true)
	gatherAround[int16](t, true)
	gatherAround[uint16](t, true)
	gatherAround[int32](t, true)
	gatherAround[float32](t, true)
	gatherAround[int64](t, true)
	gatherAround[uint64](t, true)
	gatherAround[float64](t, true)
	gatherAround[int](t, unsafe.Sizeof(0) == 8)
	gatherAround[uint](t, unsafe.Sizeof(0) == 8)
	gatherAround[complex64](t, true)
	gatherAround[complex128](t, true)
	gatherAround[Bool](t, true)
	gatherAround[[3]bool](t, true)
	gatherAround[[3]uint16](t, true)
	gatherAround[[5]uint8](t, true)
	gatherAround[Point](t, true)
	gatherAround[struct{ A, B, C bool }](t, true)
	gatherAround[struct {
		A int16
		B [2]bool
	}](t, true)
	gatherAround[struct {
		A int64
		B bool
	}](t, false)
	gatherAround[struct {
		A bool
		B int16
	}](t, false)
	gatherAround[Blank](t, false)
	gatherAround[*bool](t, false)
	gatherAround[string](t, false)
	gatherAround[[]bool](t, false)
	gatherAround[struct {
		A int64
		b int64 //lint:ignore U1000 it is not on the wire
	}](t, false)
}

func gatherAround[T any](t *testing.T, plain bool) {
	checkAround(t, must(forget[around[T]]()), reflect.TypeFor[T](), plain, func(small, a, b []T) any {
		return &around[T]{true, a, "text", [][]T{b, nil, small, a, {}}, &b, map[string][]T{"a": b, "b": a, "c": nil}, 7, new(true), a, []string{"x", ""}}
	})
}

// checkAround gathers what around, a func of three []T, makes of arrays of n bytes and of one element more.
func checkAround(t *testing.T, c *codec, typ reflect.Type, plain bool, around any) {
	size := int(layoutOf(typ).size)
	fill := seeded(uint64(size), 10_000)
	array := func(bytes int) reflect.Value {
		a := reflect.MakeSlice(reflect.SliceOf(typ), bytes/size, bytes/size)
		for i := range a.Len() {
			fill.fill(a.Index(i), 0)
		}
		return a
	}
	for n := 504; n <= 529; n++ {
		if n%size != 0 {
			continue
		}
		a, b := array(n), array(n+size)
		v := reflect.ValueOf(around).Call([]reflect.Value{array(size), a, b})[0].Interface()
		want, err := c.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		checkGather(t, c, n, v, want)
		all := buffer.New(len(want))
		pieces, err := c.Gather(nil, all, v)
		if err != nil {
			t.Fatal(err)
		}
		apart := 0
		if plain && aliases() {
			for _, a := range []reflect.Value{a, b, a, b, b, a, a} { // in the order of the fields
				if a.Len()*size >= 512 {
					apart++
				}
			}
		}
		if got := checkPieces(t, pieces, all, v); got != apart {
			t.Errorf("%d bytes of %v: %d arrays are left where they are, want %d", n, typ, got, apart)
		}
		if t.Failed() {
			t.Fatalf("with arrays of %d bytes of %v", n, typ)
		}
	}
}

// spanning shares across arrays that are left out.
type spanning struct {
	Early *Point
	Map   map[string]*Point
	Big   []int64
	Odd   []byte
	Late  *Point
	Again map[string]*Point
	Kids  []*spanning
	Up    *spanning
	More  []byte
	Text  *string
	Other *Point
}

// TestGatherSharesAcrossArrays: refs forward and backward count the bytes of the
// arrays between, which the buffer does not hold.
func TestGatherSharesAcrossArrays(t *testing.T) {
	p, m := &Point{1, 2}, map[string]*Point{"a": {3, 4}, "b": nil}
	m["c"] = p
	root := &spanning{Early: p, Map: m, Big: make([]int64, 100), Odd: make([]byte, 1001), Late: p, Again: m, Text: new(strings.Repeat("x", 600))}
	kid := &spanning{Big: root.Big, Late: m["a"], Up: root, More: make([]byte, 513), Other: p, Again: m, Odd: root.Odd[:999]}
	root.Kids = []*spanning{kid, {Odd: make([]byte, 517), Up: kid, Other: p, More: root.Odd}, kid}
	root.Up, root.Other, root.More = kid, m["a"], make([]byte, 4097)
	r := ofGraph("", root)
	c := r.codec(t)
	want, err := c.Append(nil, root)
	if err != nil || !bytes.Equal(want, r.encode(root)) {
		t.Fatalf("Append: %v", err)
	}
	checkGather(t, c, 0, root, want)
	b := buffer.New(len(want))
	pieces, err := c.Gather(nil, b, root)
	if err != nil {
		t.Fatal(err)
	}
	var back spanning
	if err := c.Decode(bytes.Join(pieces, nil), &back); err != nil {
		t.Fatal(err)
	}
	if d := graphDifference(root, &back); d != "" {
		t.Errorf("the pieces decode to%s", d)
	}
}

// TestGatherFollowsTheValue: what is left where it is costs nothing and is the
// value's: a change of the array is one of the piece.
func TestGatherFollowsTheValue(t *testing.T) {
	if !aliases() {
		t.Skip("this build copies")
	}
	v := []int64{511: 1}
	b := buffer.New(64)
	pieces, err := format.MustFor[[]int64]().Gather(nil, b, &v)
	if err != nil || len(pieces) != 2 || unsafe.Pointer(&pieces[1][0]) != unsafe.Pointer(&v[0]) || len(pieces[1]) != 4096 || b.Len() != 64 {
		t.Errorf("%v, %d pieces, Len %d", err, len(pieces), b.Len())
	}
}

// TestGatherLimits: arrays that are left where they are count against MaxMessage
// as if they were written.
func TestGatherLimits(t *testing.T) {
	type T struct {
		A []int64
		B string
		C []byte
	}
	v := T{make([]int64, 100), "text", make([]byte, 801)}
	whole, err := format.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for limit := int64(8); limit <= int64(len(whole)); limit += 8 {
		c := must(forget[T](format.WithMaxMessage(limit)))
		b := buffer.New(len(whole))
		pieces, err := c.Gather(net.Buffers{}, b, &v)
		if limit == int64(len(whole)) {
			if err != nil || !bytes.Equal(bytes.Join(pieces, nil), whole) {
				t.Errorf("a message as large as the limit: %v", err)
			}
			continue
		}
		wantErr(t, "Gather", err, format.ErrLimit)
		if len(pieces) != 0 || b.Len() != 0 {
			t.Errorf("limit %d: %d pieces and %d bytes are left of a refused message", limit, len(pieces), b.Len())
		}
		var size, most int64
		text := fmt.Sprint(err)
		if i := strings.Index(text, "a message of"); i < 0 {
			t.Errorf("limit %d: %v", limit, err)
		} else if _, err := fmt.Sscanf(text[i:], "a message of %d bytes or more, at most MaxMessage %d", &size, &most); err != nil || most != limit || size <= limit || size > int64(len(whole)) {
			t.Errorf("limit %d: %s", limit, text)
		}
		var out bytes.Buffer
		n, err := c.WriteTo(&out, &v)
		wantErr(t, "WriteTo", err, format.ErrLimit)
		if n != 0 || out.Len() != 0 {
			t.Errorf("limit %d: WriteTo wrote %d bytes and says %d", limit, out.Len(), n)
		}
	}
}

// TestGatherRefuses: no value, no buffer, a closed one or one of Open's is an
// error that leaves the pieces as they were.
func TestGatherRefuses(t *testing.T) {
	c := format.MustFor[[]int64]()
	v := make([]int64, 1000)
	pieces := net.Buffers{[]byte("x")}
	closed := buffer.New(100)
	closed.Close()
	for name, err := range map[string]error{
		"nil value":  second(c.Gather(pieces, buffer.New(100), nil)),
		"nil buffer": second(c.Gather(pieces, nil, &v)),
	} {
		wantErr(t, name, err, format.ErrType)
	}
	wantErr(t, "closed", second(c.Gather(pieces, closed, &v)), buffer.ErrClosed)
	wantErr(t, "no room", second(c.Gather(pieces, new(buffer.Buffer), &v)), buffer.ErrFull)
	_, err := c.WriteTo(new(bytes.Buffer), nil)
	wantErr(t, "WriteTo of nil", err, format.ErrType)
	if len(pieces) != 1 || string(pieces[0]) != "x" {
		t.Errorf("pieces are %q", pieces)
	}
	loop := &List{}
	loop.Next = loop
	got, err := format.MustFor[List]().Gather(pieces, buffer.New(1<<16), loop)
	wantErr(t, "cycle", err, format.ErrCycle)
	if len(got) != 1 {
		t.Errorf("%d pieces after a cycle", len(got))
	}
}

func second[T any](_ T, err error) error { return err }

// What is written behind the last array that is left out is not counted with it: a
// message larger than MaxMessage is gathered and written without an error.
func TestGatherLimitsBehindTheLastArray(t *testing.T) {
	type T struct {
		A []int64
		D []string
	}
	v := T{make([]int64, 100), []string{"x"}}
	whole, err := format.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for limit := int64(len(whole)) - 16; limit < int64(len(whole)); limit += 8 {
		c := must(forget[T](format.WithMaxMessage(limit)))
		_, err := c.Gather(nil, buffer.New(len(whole)), &v)
		wantErr(t, "Gather", err, format.ErrLimit)
		_, err = c.WriteTo(new(bytes.Buffer), &v)
		wantErr(t, "WriteTo", err, format.ErrLimit)
	}
}

// TestGatherAllocatesNothing: a loop that reuses its pieces and its buffer does not
// allocate.
func TestGatherAllocatesNothing(t *testing.T) {
	if raceEnabled || !aliases() {
		t.Skip("allocates here")
	}
	for _, r := range []row{of("arrays", arraysData(1000)), of("small", arraysData(3)), of("media", mediaContent())} {
		c, v := r.codec(t), r.values[0]
		b := buffer.New(1 << 14)
		pieces := net.Buffers{}
		if n := testing.AllocsPerRun(100, func() {
			b.Reset()
			var err error
			if pieces, err = c.Gather(pieces[:0], b, v); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: Gather allocates %v times", r.name, n)
		}
	}
}

// TestGatherOfMapsWithInterfaceKeys: a key in a box behind an array that is left out is
// not where its offset in the message says; a -0 in it must become 0 all the same.
func TestGatherOfMapsWithInterfaceKeys(t *testing.T) {
	negative := math.Copysign(0, -1)
	type big map[any][]byte
	for _, v := range []big{
		{1.5: make([]byte, 600), negative: make([]byte, 700), "x": make([]byte, 1000), "y": nil, 2: make([]byte, 5000), 3: []byte("a")},
		{negative: make([]byte, 600), 1: nil},
		{1: make([]byte, 600), negative: make([]byte, 100)},
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("panic: %v", r)
				}
			}()
			want := mustModelEncode(&v)
			parts, err := format.MustFor[big]().Gather(net.Buffers{}, buffer.New(len(want)+64), &v)
			if got := bytes.Join(parts, nil); err != nil || !bytes.Equal(got, want) {
				t.Errorf("Gather: %v, %s", err, firstDifference(got, want))
			}
		}()
	}
}

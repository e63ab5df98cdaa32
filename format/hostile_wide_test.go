package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestHostileMutationsWithOptions: options take other ways through the same checks, of
// which none may be missing.
func TestHostileMutationsWithOptions(t *testing.T) {
	step := strided(11, 47)
	for name, opt := range map[string]format.Option{"refs": format.WithRefs(), "shared": format.WithShared()} {
		for _, r := range goldens() {
			if name == "refs" && r.refs {
				continue // so they are in TestHostileMutations
			}
			t.Run(name+"/"+r.name, func(t *testing.T) {
				c := must(r.make(opt))
				c.refs = r.refs || name == "refs"
				x := newVictim(t, c)
				msg := r.encode(r.values[0])
				if err := x.attack(t, msg); err != nil {
					t.Fatalf("the undamaged message: %v", err)
				}
				mutations(msg, step*(1+len(msg)/120), func(input []byte) { _ = x.attack(t, input) })
				flagged := bytes.Clone(msg)
				flagged[3] = 1
				mutations(flagged, 5*step*(1+len(msg)/120), func(input []byte) { _ = x.attack(t, input) })
			})
		}
	}
}

type (
	pairNode struct{ L, R *pairNode }
	mapNode  map[int64]mapNode
)

// diamonds are deep levels each of which refers to the next twice: 2^deep ways to the
// last. A reader that went them all would not come back.
func diamonds(deep int) []badMessage {
	pairs, maps, boxes := []uint64{}, []uint64{ref(1, 2)}, []uint64{}
	for range deep {
		pairs = append(pairs, ref(2, 1), ref(1, 1))
		maps = append(maps, 1, ref(3, 2), 2, ref(1, 2))
		boxes = append(boxes, ref(2, 1), ref(1, 1), box64[[2]any]("[2]any"))
	}
	pairs, maps, boxes = append(pairs, 0, 0), append(maps, 1, 0, 2, 0), append(boxes, 0, 0)
	return []badMessage{
		badGraph[pairNode](fmt.Sprintf("%d diamonds of pointers", deep), "", pairs...),
		bad[pairNode](fmt.Sprintf("%d diamonds without the flag", deep), classCorrupt, pairs...),
		badGraph[mapNode](fmt.Sprintf("%d diamonds of maps", deep), "", maps...),
		bad[mapNode](fmt.Sprintf("%d diamonds of maps without the flag", deep), classCorrupt, maps...),
		badGraph[[2]any](fmt.Sprintf("%d diamonds of boxes", deep), classCorrupt, boxes...),
	}
}

// moreBadMessages go on from badMessages.
func moreBadMessages() []badMessage {
	const c = classCorrupt
	anyInt, point := box64[int]("int"), box64[*Point]("*Point")
	out := []badMessage{
		badGraph[mapNode]("a map in itself", "", ref(1, 1), 7, ref(-1, 1)),
		badGraph[mapNode]("a map in itself, twice", "", ref(1, 2), 7, ref(-1, 2), 8, ref(-3, 2)),
		badGraph[mapNode]("a map in itself, with another count", c, ref(1, 1), 7, ref(-1, 2)),
		bad[mapNode]("a map in itself without the flag", c, ref(1, 1), 7, ref(-1, 1)),
		badGraph[mapNode]("a map at its own ref", c, ref(0, 1), 7, 0),
		badGraph[mapNode]("a map in the header", c, ref(-1, 1), 7, 0),
		badGraph[Trie]("text keys and itself", "", ref(1, 1), 0, ref(-1, 1)),
		badGraph[map[any]int64]("a key in the map's own entries", c, ref(1, 1), ref(0, 1), 0),
		badGraph[pairNode]("the root twice", "", ref(0, 1), ref(-1, 1)),
		badGraph[pairNode]("the root with another count", c, ref(0, 2), 0),
		badGraph[pairNode]("the root, one word late", c, ref(1, 1), 0),
		badGraph[pairNode]("the root, one word early", c, ref(-1, 1), 0),
		badGraph[pairNode]("the header", c, ref(-2, 1), 0),
		badGraph[pairNode]("into the middle of a pointee", c, ref(2, 1), ref(2, 1), 0, 0),
		badGraph[pairNode]("into the middle, with room to spare", "", ref(2, 1), ref(2, 1), 0, 0, 0, 0),
		badGraph[struct {
			M map[int64]int64
			P *pairNode
		}]("into a map's entries", c, ref(2, 1), ref(1, 1), 0, 0),
		badGraph[struct {
			M map[int64]*pairNode
			N map[int64]*pairNode
		}]("into a map's entries by a map", c, ref(2, 2), ref(3, 1), 1, 0, 2, 0),
		badGraph[struct {
			A any
			P *int64
			Q *pairNode
		}]("into a box", c, 0, ref(3, 1), 0, ref(2, 1), anyInt, 1),
		badGraph[struct {
			A any
			P **Point
		}]("at a box's value", c, ref(2, 1), ref(2, 1), point, ref(1, 1), 0),
		badGraph[struct{ A, B any }]("one pointee from two boxes", "", ref(2, 1), ref(3, 1), point, ref(3, 1), point, ref(1, 1), 0),
		badGraph[struct{ A, B any }]("one pointee of two types from two boxes", c, ref(2, 1), ref(3, 1), point, ref(3, 1), box64[*List]("*List"), ref(1, 1), 0),
		bad[map[string]int8]("more entries than there are words", c, ref(1, math.MaxUint32), 0, 0),
		bad[map[string]int8]("entries that end within the last", c, ref(1, 2), 0, 0, 0),
		bad[map[int8]int8]("entries within a word", "", ref(1, 4), 0x0003_0002_0001_0000),
		bad[map[int8]int8]("one entry too many within a word", c, ref(1, 5), 0x0003_0002_0001_0000),
		bad[map[int8]int8]("four entries of which one is the padding", c, ref(1, 4), 0x0000_0002_0001_0000),
		bad[map[string]map[string]int8]("a map of maps at one place", c, ref(1, 2), 0, ref(3, 1), ref(4, 1), ref(1, 1), 0, 0, 'a'),
		bad[[]time.Time]("nanoseconds in a slice", c, ref(1, 2), 0, 0, 0, 1e9),
		bad[map[int64]time.Time]("a zone in a map", c, ref(1, 1), 0, 0, 86_400<<32),
		bad[map[int64]*time.Time]("an optional zone in a map", c, ref(1, 1), 1, 0, 0, 86_400<<32),
		bad[map[int64]*time.Time]("an absent one", "", ref(1, 1), 0, 0, 0, 86_400<<32),
		bad[any]("a zone in a box", c, ref(1, 1), box64[time.Time]("time.Time"), 0, 1e9),
		bad[struct{ A, B *time.Time }]("the second optional", c, 2, 0, 1e9, 0, 1e9),
		bad[struct{ A, B *time.Time }]("neither optional", "", 0, 0, 1e9, 0, 1e9),
	}
	for _, deep := range []int{1, 2, 30} {
		out = append(out, diamonds(deep)...)
	}
	// Every registered type in every kind of interface, as a value and as a key, in front
	// of zeroes and of what may be refs.
	for _, b := range append(builtinBoxes(), testBoxes()...) {
		for _, fill := range []uint64{0, 1, ref(1, 1), ref(2, 1)} {
			words := append([]uint64{ref(1, 1), boxID(b.name, b.typ)}, slices.Repeat([]uint64{fill}, 20)...)
			key := append([]uint64{ref(1, 1)}, words...)
			name := fmt.Sprintf("%s before %#x", b.name, fill)
			out = append(out, bad[any](name, "?", words...), bad[fmt.Stringer](name, "?", words...), bad[error](name, "?", words...), bad[Shape](name, "?", words...),
				bad[map[any]struct{}](name, "?", key...), bad[map[fmt.Stringer]struct{}](name, "?", key...), badGraph[any](name, "?", words...))
		}
	}
	return out
}

// TestHostileBoxesMapsAndGraphs holds readers to the model's verdict, in bounded time
// and memory.
func TestHostileBoxesMapsAndGraphs(t *testing.T) {
	for i, b := range moreBadMessages() {
		if thin() && b.want == "?" && i%3 != 0 {
			continue
		}
		t.Run(fmt.Sprintf("%v/%s", b.r.typ, b.name), func(t *testing.T) {
			x := newVictim(t, b.r.codec(t))
			err := x.attack(t, b.msg)
			var e *modelError
			if errors.As(err, &e); math.MaxInt == math.MaxInt32 && e != nil && e.class == classLimit {
				// a count that an int does not hold
			} else if b.want != "?" && ((err == nil) != (b.want == "") || e != nil && e.class != b.want) {
				t.Errorf("the model says %v, want %q", err, b.want)
			}
			checkAllocation(t, x.c, [][]byte{b.msg})
		})
	}
}

// TestHostileRefsOfGraphs points each ref of a graph at each word of its message: into
// entries, boxes, pointees and the header, with bytes to spare behind it and without.
func TestHostileRefsOfGraphs(t *testing.T) {
	for _, r := range graphRows() {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			good := r.encode(r.values[0])
			turn, step := 0, 1+len(good)/400
			if thin() {
				step *= 12
			}
			for _, spare := range []int{0, 48} {
				msg := append(bytes.Clone(good), make([]byte, spare)...)
				binary.LittleEndian.PutUint32(msg[4:], uint32(len(msg)/8))
				msg[3] = 1
				var batch [][]byte
				for _, p := range placesOf(good, r.typ) {
					if p.typ == nil || p.typ.Kind() == reflect.Bool {
						continue
					}
					was := binary.LittleEndian.Uint32(msg[p.off+4:])
					for to := int64(0); to <= int64(len(msg)); to += 8 {
						for _, count := range []uint32{1, 2, was} {
							if turn++; turn%step != 0 {
								continue
							}
							bad := bytes.Clone(msg)
							binary.LittleEndian.PutUint64(bad[p.off:], ref(int32((to-p.off)/8), count))
							_ = x.attack(t, bad)
							batch = append(batch, bad)
						}
					}
				}
				for part := range slices.Chunk(batch, 64) {
					checkAllocation(t, x.c, part)
				}
			}
		})
	}
}

// TestHostileTimes puts times that are none, and the farthest that are, where times may
// stand: fields, optionals, elements, entries and boxes.
func TestHostileTimes(t *testing.T) {
	words := []uint64{}
	for _, ns := range []uint32{0, 1, 999_999_999, 1e9, math.MaxUint32} {
		for _, east := range []int32{0, 1, 86_399, 86_400, -86_399, -86_400, math.MaxInt32, math.MinInt32} {
			words = append(words, uint64(uint32(east))<<32|uint64(ns))
		}
	}
	for _, r := range timeRows() {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			for i, v := range r.values {
				if thin() && i > 0 {
					break
				}
				msg := r.encode(v)
				var batch [][]byte
				for at := modelHeader; at < len(msg); at += 8 {
					for j, w := range words {
						if thin() && (j+at/8)%4 != 0 {
							continue
						}
						bad := bytes.Clone(msg)
						binary.LittleEndian.PutUint64(bad[at:], w)
						_ = x.attack(t, bad)
						batch = append(batch, bad)
					}
				}
				for part := range slices.Chunk(batch, 64) {
					checkAllocation(t, x.c, part)
				}
			}
		})
	}
}

// TestHostileKeys swaps and doubles entries of maps of every kind of key, and makes each
// part of a key NaN. What is taken could not be found again, or would be lost.
func TestHostileKeys(t *testing.T) {
	for _, r := range mapKeyRows() {
		if r.typ.Kind() != reflect.Map {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			msg := r.encode(r.values[0])
			size := layoutOf(entryType(r.typ)).size
			rootRef := binary.LittleEndian.Uint64(msg[modelHeader:])
			n, start := int64(rootRef>>32), modelHeader+int64(int32(rootRef))*8
			places := placesOf(msg, r.typ)
			// move copies entry i over entry j, refs and all.
			move := func(out []byte, i, j int64) {
				from, to := start+i*size, start+j*size
				copy(out[to:to+size], msg[from:])
				for _, p := range places {
					at := p.off - from + to
					if p.off < from || p.off >= from+size || p.typ == nil || p.typ.Kind() == reflect.Bool {
						continue
					}
					if w := binary.LittleEndian.Uint64(out[at:]); w > 1 {
						binary.LittleEndian.PutUint32(out[at:], uint32(int32(uint32(w))+int32((from-to)/8)))
					}
				}
			}
			refused := func(what string, bad []byte) {
				t.Helper()
				if err := x.attack(t, bad); err == nil && size > 0 {
					t.Errorf("%s is taken", what)
				}
				for _, h := range x.calls() {
					if _, err := h.call(x, bad); size > 0 && !errors.Is(err, format.ErrCorrupt) {
						t.Errorf("%s of %s: %v, want ErrCorrupt", h.name, what, err)
					}
				}
				checkAllocation(t, x.c, [][]byte{bad})
			}
			for i := range n {
				for j := range n {
					if i == j || thin() && (i+j)%3 != 0 {
						continue
					}
					bad := bytes.Clone(msg)
					move(bad, i, j)
					refused(fmt.Sprintf("entry %d twice, also for %d", i, j), bad)
					move(bad, j, i)
					refused(fmt.Sprintf("entries %d and %d in each other's place", i, j), bad)
				}
			}
			for at := start; at+4 <= int64(len(msg)); at += 4 {
				if thin() && at%12 != 0 {
					continue
				}
				for _, nan := range []uint32{0x7fc00000, 0xffc00001, 0x7f800001} {
					bad := bytes.Clone(msg)
					binary.LittleEndian.PutUint32(bad[at:], nan)
					_ = x.attack(t, bad)
					if at%8 == 0 {
						binary.LittleEndian.PutUint64(bad[at:], uint64(nan)<<32|1<<51|1)
						_ = x.attack(t, bad)
					}
				}
			}
		})
	}
}

// moody marshals and unmarshals as its first byte says.
type moody struct{ bytes string }

var errMoody = errors.New("not today")

func (m moody) MarshalBinary() ([]byte, error) {
	return []byte(m.bytes), moodOf(m.bytes)
}

func (m *moody) UnmarshalBinary(b []byte) error {
	m.bytes = string(b)
	return moodOf(m.bytes)
}

func moodOf(s string) error {
	if s == "" {
		return nil
	}
	switch s[0] {
	case 'p':
		panic("a fit")
	case 'e':
		panic(errMoody)
	case 'n':
		return *(*error)(nil)
	case 'i':
		_ = s[len(s)]
	case 'z':
		zero := 0
		return fmt.Errorf("%d", 1/zero)
	case 'f':
		return errMoody
	}
	return nil
}

// TestMethodsThatFailOrPanic: what a method of the user's does wrong is an error that
// says so, in every place, and the codec goes on.
func TestMethodsThatFailOrPanic(t *testing.T) {
	types := format.NewTypes()
	if err := format.RegisterIn[moody](types, "moody"); err != nil {
		t.Fatal(err)
	}
	type T struct {
		Before string
		Any    any
		Field  moody
		Ptr    *moody
		Slice  []moody
		Array  [2]moody
		Map    map[string]moody
		Keys   map[moody]int8
		Anys   map[any]int8
		After  []int64
	}
	for _, opts := range [][]format.Option{{}, {format.WithRefs()}, {format.WithShared()}, {format.WithMaxDepth(3)}} {
		c := format.MustFor[T](append(opts, format.WithTypes(types))...)
		values := func(s string) map[string]*T {
			m := moody{s}
			return map[string]*T{
				"Any": {Any: m}, "Field": {Field: m}, "Ptr": {Ptr: &m}, "Slice[1]": {Slice: []moody{{"x"}, m}}, "Array[1]": {Array: [2]moody{{}, m}},
				"Map": {Map: map[string]moody{"a": m}}, "Keys": {Keys: map[moody]int8{m: 1, {"x"}: 2}}, "Anys": {Anys: map[any]int8{m: 1, "x": 2}},
			}
		}
		calm := values("k" + strings.Repeat("x", 9))
		for _, mood := range []string{"p", "e", "n", "i", "z", "f"} {
			says := "panics"
			if mood == "f" {
				says = errMoody.Error()
			}
			check := func(op, path string, err, want error) {
				t.Helper()
				var e *format.Error
				if !errors.Is(err, want) || !errors.As(err, &e) || !strings.HasPrefix(e.Path, path) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "moody") {
					t.Errorf("%s of %q in %s: %v", op, mood, path, err)
				}
				if mood == "f" && !errors.Is(err, errMoody) {
					t.Errorf("%s of %q in %s hides its cause: %v", op, mood, path, err)
				}
			}
			for path, v := range values(mood) {
				dst := []byte("prefix--")
				out, err := c.Append(dst, v)
				check("Append", path, err, format.ErrType)
				if string(out) != "prefix--" {
					t.Errorf("a refused Append leaves %q", out)
				}
				_, err = c.Size(v)
				check("Size", path, err, format.ErrType)
				_, err = c.Clone(v)
				check("Clone", path, err, format.ErrType)
				b := buffer.New(1 << 10)
				check("Encode", path, c.Encode(b, v), format.ErrType)
				_, err = c.Gather(nil, b, v)
				check("Gather", path, err, format.ErrType)
				if b.Len() != 0 {
					t.Errorf("a refused Encode leaves %d bytes", b.Len())
				}
			}
			for path, v := range calm {
				msg, err := c.Append(nil, v)
				if err != nil {
					t.Fatal(err)
				}
				bad := bytes.Replace(msg, []byte("kx"), []byte(mood+"x"), 1)
				for name, read := range map[string]func([]byte, *T) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias} {
					var got T
					place, _, _ := strings.Cut(path, "[")
					if err := read(bad, &got); err == nil {
						t.Errorf("%s of %q in %s is taken", name, mood, path)
					} else {
						check(name, place, err, format.ErrCorrupt)
					}
					if err := read(msg, &got); err != nil { // the same target
						t.Errorf("%s after a failure: %v", name, err)
					} else if again, err := c.Append(nil, &got); err != nil || !bytes.Equal(again, msg) {
						t.Errorf("%s after a failure gives something else: %v", name, err)
					}
				}
				if err := c.Verify(bad); err != nil && path != "Keys" && path != "Anys" { // it calls no methods
					t.Errorf("Verify of %q in %s: %v", mood, path, err)
				}
			}
		}
	}
}

// blob is custom and takes bytes of any length.
type blob struct{ b string }

func (b blob) AppendBinary(dst []byte) ([]byte, error) { return append(dst, b.b...), nil }
func (b *blob) UnmarshalBinary(in []byte) error {
	if cap(in) != len(in) || in == nil {
		return fmt.Errorf("%d bytes with room for %d, nil %v", len(in), cap(in), in == nil)
	}
	b.b = string(in)
	return nil
}

// TestMethodsGetEveryLength: none, one, those at which messages grow and objects move to
// a cache line; and no byte of what stands behind.
func TestMethodsGetEveryLength(t *testing.T) {
	type T struct {
		A blob
		B []blob
		C map[string]*blob
		D string
	}
	text := strings.Repeat("0123456789abcdef", 5000)
	c := must(forget[T]())
	step := 1
	if thin() {
		step = 7
	}
	for n := 0; n <= len(text); n += step {
		if n > 600 {
			n = n*3/2 + 1
		}
		n := min(n, len(text))
		v := T{blob{text[:n]}, []blob{{text[:n/2]}, {}, {text[:n]}}, map[string]*blob{"a": {text[:n]}, "b": nil}, "end"}
		want := mustModelEncode(&v)
		got, err := c.Append(nil, &v)
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("%d bytes: %v, %s", n, err, firstDifference(got, want))
		}
		if size, err := c.Size(&v); err != nil || size != len(want) {
			t.Fatalf("%d bytes: Size %d, %v, want %d", n, size, err, len(want))
		}
		for _, d := range decodes {
			var back T
			if err := d.call(c, want, &back); err != nil {
				t.Fatalf("%s of %d bytes: %v", d.name, n, err)
			}
			if diff := difference(&back, &v); diff != "" {
				t.Fatalf("%s of %d bytes gives%s", d.name, n, diff)
			}
		}
	}
}

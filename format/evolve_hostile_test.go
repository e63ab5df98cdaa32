package format_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// hostileRow is a value of the writer's type and the type that a stranger's bytes are read into.
type hostileRow struct {
	name string
	in   any // a pointer
	out  reflect.Type
	refs bool
}

func hostile[In, Out any](name string, in In) hostileRow {
	return hostileRow{name, &in, reflect.TypeFor[Out](), false}
}

type (
	huge      struct{ Page [4096]byte }
	hugeAdded struct {
		A int8
		B [4096]byte
	}
	hugePointer struct {
		A *int8
		B [33]byte
		P *int
	}
	odd33 struct {
		A int8
		B [32]byte
		P *int
	}
)

// pointerTree shares, valueTree cannot.
type (
	pointerTree struct {
		Name string
		Kids []*pointerTree
	}
	valueTree struct {
		Kids []valueTree
		Name string
	}
)

// sharedTree is a tree so deep whose nodes are shared by both branches of the one above.
func sharedTree(depth int) *pointerTree {
	t := &pointerTree{Name: "leaf"}
	for range depth {
		t = &pointerTree{"node", []*pointerTree{t, t}}
	}
	return t
}

func hostileRows() []hostileRow {
	n := new(int8(1))
	point := &Point{1, 2}
	ring := &List{Value: 1}
	ring.Next = &List{Value: 2, Next: ring}
	type newList struct {
		Added *string
		Next  *newList
		Value int64
	}
	return []hostileRow{
		hostile[edited, struct {
			I int8
			S []byte
			P int64
			T string
			L [2]uint16
			A []int32
			K map[string]*int16
			W Point
		}]("edits", edited{I: 5, B: true, S: "text", P: new(int16(3)), T: new("t"), L: []uint16{1, 2}, X: []byte("xyz"),
			K: map[string]int32{"a": 1, "b": 2}, W: &Point{1, 2}, Ptr: []*int32{nil, new(int32(3))}}),
		hostile[[]*edited, []struct {
			K map[string]int8
			Q *int8
			V *Point
		}]("removed optionals", []*edited{{P: new(int16(1)), Q: new(true), K: map[string]int32{"k": 3}}, nil}),
		hostile[[]struct{ A int8 }, []hugeAdded]("added arrays", []struct{ A int8 }{{1}, {2}, {3}}),
		hostile[[]*struct{}, []*huge]("pointers to nothing", []*struct{}{{}, {}, nil, {}}),
		hostile[[]*struct{ A int8 }, []*hugeAdded]("pointers", []*struct{ A int8 }{{1}, nil, {3}}),
		hostile[[]struct{ A *int8 }, []hugePointer]("optionals", []struct{ A *int8 }{{n}, {}, {n}}),
		hostile[[]int8, []*int64]("wraps", []int8{1, 2, 3}),
		hostile[[]struct{ A int8 }, []*odd33]("sizes between those of the allocator", make([]struct{ A int8 }, 40)),
		hostile[map[int8]int8, map[int64]int32]("map", map[int8]int8{1: 1, 2: 2}),
		hostile[[]map[string]int8, []map[string]*int64]("maps", []map[string]int8{{}, {"a": 1}, nil, {"b": 2, "c": 3}}),
		hostile[map[struct {
			A string
			B any
		}]int8, map[struct{ A string }]int16]("keys that lose a box", map[struct {
			A string
			B any
		}]int8{{"a", 1}: 1, {"b", "x"}: 2}),
		hostile[[][2]string, [][]string]("arrays", [][2]string{{"a", ""}, {"b", "c"}}),
		hostile[[][]string, [][2]string]("lists", [][]string{{"a", ""}, {"b", "c"}}),
		hostile[[]any, []*any]("boxes", []any{1, "x", nil, []int{1}}),
		hostile[MediaContent, struct {
			Media struct {
				Title   string
				Width   int64
				Persons [][]byte
				Player  *int64
			}
			Images []struct {
				URI    []byte
				Title  *string
				Height *int16
			}
		}]("media content", mediaContent()),
		hostile[List, newList]("list", List{1, &List{2, &List{3, nil}}}),
		{"ring", ring, reflect.TypeFor[newList](), true},
		{"shared", &[3]*Point{point, point, point}, reflect.TypeFor[[]struct{ Y *int64 }](), true},
		{"shared by types", &[3]*List{ring, ring, ring.Next}, reflect.TypeFor[[]*newList](), true},
		{"diamonds", sharedTree(4), reflect.TypeFor[valueTree](), true},
	}
}

// codec makes the row's codec and a message of its value.
func (h hostileRow) codec(t testing.TB) (*format.AnyCodec, []byte) {
	t.Helper()
	var opts []format.Option
	if h.refs {
		opts = append(opts, format.WithRefs())
	}
	in := reflect.TypeOf(h.in).Elem()
	r, err := format.EvolvedAny(h.out, modelDescription(in), format.SchemaLimits{}, opts...)
	if err != nil {
		t.Fatal(err)
	}
	msg, err := modelEncodeWith(reflect.ValueOf(h.in).Elem(), modelOptions{modelMaxDepth, h.refs})
	if err != nil {
		t.Fatal(err)
	}
	return r, msg
}

// TestEvolvedHostile damages messages in every small way and lets them be read between guard pages: an error
// of a known class or a value, whichever the memory around the message, and the next message is read as if
// nothing had been.
func TestEvolvedHostile(t *testing.T) {
	for _, h := range hostileRows() {
		t.Run(h.name, func(t *testing.T) {
			faultsPanic(t)
			r, msg := h.codec(t)
			memory := newGuarded(t, maxHostile)
			want := reflect.New(h.out).Interface()
			if err := r.Decode(msg, want); err != nil {
				t.Fatal(err)
			}
			reused, aliased := reflect.New(h.out).Interface(), reflect.New(h.out).Interface()
			step := 1 + len(msg)/300
			if thin() {
				step *= 13
			}
			turn := 0
			mutations(msg, step, func(input []byte) {
				turn++
				var first error
				for i, place := range []func([]byte) []byte{memory.before, memory.behind} {
					m := place(input)
					for j, call := range []func() error{
						func() error { return r.Decode(m, reflect.New(h.out).Interface()) },
						func() error { return r.DecodeReuse(m, reused) },
						func() error { return r.DecodeAlias(m, aliased) },
						func() error { return r.Verify(m) },
					} {
						err := safely(t, m, call)
						if err != nil {
							if bad := unclassified(err, len(m)); bad != "" {
								t.Fatalf("%s of\n%x", bad, input)
							}
						}
						if i == 0 && j == 0 {
							first = err
						} else if (err == nil) != (first == nil) {
							t.Fatalf("call %d says %v, Decode %v of\n%x", j, err, first, input)
						}
					}
					if !bytes.Equal(m, input) {
						t.Fatalf("a reader wrote into\n%x", input)
					}
				}
				if turn%20 != 0 {
					return
				}
				for _, target := range []any{reused, reflect.New(h.out).Interface()} {
					if err := r.DecodeReuse(msg, target); err != nil {
						t.Fatalf("the good message after %x: %v", input, err)
					}
				}
			})
		})
	}
}

func safely(t testing.TB, m []byte, call func() error) error {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("panics: %v of\n%x", r, m)
		}
	}()
	return call()
}

// evolvedBound is what a decode of n bytes may allocate.
func evolvedBound(n int) uint64 { return 64<<10 + 48*uint64(n) }

func checkEvolvedAllocation(t *testing.T, r *format.AnyCodec, out reflect.Type, in []byte) {
	t.Helper()
	for _, d := range evolvedReads {
		target := reflect.New(out).Interface()
		var err error
		if got := allocated(func() { err = d.call(r, in, target) }); got > evolvedBound(len(in)) {
			t.Fatalf("%s of %d bytes as %v allocates %d, more than %d (%v)", d.name, len(in), out, got, evolvedBound(len(in)), err)
		}
		runtime.KeepAlive(target)
	}
}

// TestEvolvedAllocation: small messages, damaged, of types whose Go values are much larger than their blocks.
func TestEvolvedAllocation(t *testing.T) {
	for _, h := range hostileRows() {
		t.Run(h.name, func(t *testing.T) {
			r, msg := h.codec(t)
			step := 17
			if thin() {
				step = 101
			}
			mutations(msg, step, func(input []byte) { checkEvolvedAllocation(t, r, h.out, bytes.Clone(input)) })
		})
	}
}

// bomb makes a message of n elements of a []In.
func bomb[In, Out any](name string, fill func(i int, x *In)) func(t *testing.T) {
	return func(t *testing.T) {
		r, err := format.EvolvedAny(reflect.TypeFor[Out](), modelDescription(reflect.TypeFor[[]In]()), format.SchemaLimits{})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, n := range []int{10, 1000, 30_000, 300_000} {
			if thin() && n > 30_000 {
				continue
			}
			in := make([]In, n)
			for i := range in {
				fill(i, &in[i])
			}
			msg, err := format.Marshal(&in)
			if err != nil {
				t.Fatal(name, err)
			}
			checkEvolvedAllocation(t, r, reflect.TypeFor[Out](), msg)
		}
	}
}

// TestEvolvedBombs: long messages, and good ones, that would take much more memory than they have bytes.
func TestEvolvedBombs(t *testing.T) {
	skipWhenSlow(t)
	type tiny struct{ A int8 }
	none := func(int, *tiny) {}
	for name, f := range map[string]func(t *testing.T){
		"added pages":   bomb[tiny, []hugeAdded]("", none),
		"pointers":      bomb[tiny, []*tiny]("", none),
		"two pointers":  bomb[tiny, []**odd33]("", none),
		"between sizes": bomb[tiny, []*odd33]("", none),
		"nothings":      bomb[*struct{}, []*huge]("", func(_ int, x **struct{}) { *x = new(struct{}) }),
		"pointers to defaults": bomb[*struct{}, []*struct {
			B [40]byte
			C int8 `ashlar:",default=1"`
		}]("", func(_ int, x **struct{}) { *x = new(struct{}) }),
		"empty maps": bomb[map[string]int8, []map[string]int64]("", func(_ int, x *map[string]int8) { *x = map[string]int8{} }),
		"one entry":  bomb[map[int8]int8, []map[int64]*int64]("", func(i int, x *map[int8]int8) { *x = map[int8]int8{int8(i): 1} }),
		"texts":      bomb[string, []*string]("", func(_ int, x *string) { *x = "x" }),
		"bytes":      bomb[string, [][]byte]("", func(_ int, x *string) { *x = "x" }),
		"lists":      bomb[[1]int8, [][]*int64]("", func(int, *[1]int8) {}),
		"zones": bomb[struct{ T time.Time }, []struct {
			T   time.Time
			Pad [560]byte
		}]("", func(i int, x *struct{ T time.Time }) { x.T = time.Unix(0, 0).In(time.FixedZone("", i%80_000+1)) }),
		"boxes": bomb[any, []*any]("", func(i int, x *any) { *x = "x" }),
	} {
		t.Run(name, f)
	}
}

// TestEvolvedForeignMessages: a message of another fingerprint is no message of this schema, not even one of
// the type's own.
func TestEvolvedForeignMessages(t *testing.T) {
	for _, h := range hostileRows() {
		r, msg := h.codec(t)
		bad := bytes.Clone(msg)
		bad[8] ^= 1
		own := reflect.New(h.out)
		ownMsg, err := modelEncodeWith(own.Elem(), modelOptions{modelMaxDepth, h.refs})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range evolvedReads {
			for _, m := range [][]byte{bad, ownMsg} {
				if err := d.call(r, m, reflect.New(h.out).Interface()); !errors.Is(err, format.ErrSchema) {
					t.Errorf("%s, %s: %v, want ErrSchema", h.name, d.name, err)
				}
			}
		}
	}
}

// TestEvolvedBitmaps: bits of fields that the reader does not have are no spare ones; what is spare is.
func TestEvolvedBitmaps(t *testing.T) {
	type in struct{ A, B, C *int8 }
	type out struct{ B *int8 }
	r, err := format.EvolvedAny(reflect.TypeFor[out](), modelDescription(reflect.TypeFor[in]()), format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	for bits := range uint64(16) {
		msg := craft(reflect.TypeFor[in](), bits, 0x030201)
		for _, d := range evolvedReads {
			var v out
			err := d.call(r, msg, &v)
			switch {
			case bits >= 8:
				if !errors.Is(err, format.ErrCorrupt) {
					t.Errorf("%s, bits %b: %v, want ErrCorrupt", d.name, bits, err)
				}
			case err != nil || (v.B != nil) != (bits&2 != 0) || v.B != nil && *v.B != 2:
				t.Errorf("%s, bits %b: %v, %v", d.name, bits, v.B, err)
			}
		}
	}
}

// TestEvolvedDescriptions damages descriptions: an error of a known class or a codec, which then reads
// whatever stands behind its fingerprint without harm.
func TestEvolvedDescriptions(t *testing.T) {
	for _, h := range hostileRows() {
		t.Run(h.name, func(t *testing.T) {
			faultsPanic(t)
			_, msg := h.codec(t)
			d := modelDescription(reflect.TypeOf(h.in).Elem())
			memory := newGuarded(t, maxHostile)
			try := func(d []byte) {
				t.Helper()
				var r *format.AnyCodec
				var err error
				got := allocated(func() {
					err = safely(t, d, func() (err error) { r, err = format.EvolvedAny(h.out, d, format.SchemaLimits{}); return err })
				})
				if got > 4<<20 {
					t.Fatalf("a description of %d bytes takes %d: %x", len(d), got, d)
				}
				if err != nil {
					var e *format.Error
					known := errors.Is(err, format.ErrSchema) || errors.Is(err, format.ErrCorrupt) || errors.Is(err, format.ErrTruncated) || errors.Is(err, format.ErrLimit)
					if !known || !errors.As(err, &e) || e.Op == "" {
						t.Fatalf("%v of %x", err, d)
					}
					return
				}
				m := memory.before(msg)
				binary.LittleEndian.PutUint64(m[8:], fingerprintOf(d))
				for _, c := range evolvedReads {
					if err := safely(t, d, func() error { return c.call(r, m, reflect.New(h.out).Interface()) }); err != nil {
						if bad := unclassified(err, len(m)); bad != "" {
							t.Fatalf("%s with %x", bad, d)
						}
					}
				}
			}
			for n := range d {
				try(d[:n])
			}
			for i := range len(d) * 8 {
				bad := bytes.Clone(d)
				bad[i/8] ^= 1 << (i % 8)
				try(bad)
			}
		})
	}
}

func fingerprintOf(d []byte) uint64 {
	sum := sha256.Sum256(d)
	return binary.LittleEndian.Uint64(sum[:])
}

// TestEvolvedGreedyDescriptions: blocks of half a GiB, nothings by the hundred million, where the limits let
// them pass, and arrays within arrays around a ref take neither memory nor time nor stack.
func TestEvolvedGreedyDescriptions(t *testing.T) {
	start := time.Now()
	type small struct{ A int64 }
	var r *format.AnyCodec
	var err error
	limits := format.SchemaLimits{}
	if got := allocated(func() {
		r, err = format.EvolvedAny(reflect.TypeFor[small](), modelDescription(reflect.TypeFor[struct {
			X [1 << 29]byte
			A int64
		}]()), limits)
	}); got > 1<<20 || err != nil {
		t.Errorf("a block of 512 MiB takes %d bytes, %v", got, err)
	}
	if err := r.Decode(make([]byte, 64), new(small)); err == nil {
		t.Error("a message that is smaller than its root block is taken")
	}

	type nothings struct {
		A [1 << 29]struct{}
		X int8
	}
	type lists []struct {
		A []struct{}
		X int8
	}
	many := modelDescription(reflect.TypeFor[[]nothings]())
	if _, err = format.EvolvedAny(reflect.TypeFor[lists](), many, limits); !errors.Is(err, format.ErrLimit) {
		t.Errorf("more nothings than Leaves: %v, want ErrLimit", err)
	}
	if r, err = format.EvolvedAny(reflect.TypeFor[lists](), many, format.SchemaLimits{Leaves: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	msg := craft(reflect.TypeFor[[]nothings](), append([]uint64{ref(1, 64)}, make([]uint64, 8)...)...)
	v := new(lists)
	if err := r.Decode(msg, v); err != nil || len(*v) != 64 || len((*v)[1].A) != 1<<29 {
		t.Errorf("nothings: %v", err)
	}

	// A slice of [1][1]...[1] of itself, 900 deep.
	d := binary.AppendUvarint(nil, 901)
	d = append(d, 16, 1)
	for i := range 900 {
		d = append(d, 17, 1)
		d = binary.AppendUvarint(d, uint64((i+2)%901))
	}
	if _, err = format.EvolvedAny(reflect.TypeFor[Nest](), d, limits); !errors.Is(err, format.ErrLimit) {
		t.Errorf("arrays 900 deep around a ref: %v, want ErrLimit", err)
	}

	if _, err = format.EvolvedAny(reflect.TypeFor[Loop](), modelDescription(reflect.TypeFor[int8]()), limits); !errors.Is(err, format.ErrSchema) {
		t.Errorf("a number for a pointer without end: %v, want ErrSchema", err)
	}
	if d := time.Since(start); d > tooLong {
		t.Errorf("all that took %v", d)
	}
}

// TestEvolvedImpossible: what cannot become the other is seen when the codec is made, and the error names the
// place and both sides.
func TestEvolvedImpossible(t *testing.T) {
	for _, r := range []struct {
		in, out reflect.Type
		path    string
		names   string // what the text has to have
	}{
		{reflect.TypeFor[struct{ A string }](), reflect.TypeFor[struct{ A int }](), "A", "string int"},
		{reflect.TypeFor[struct{ A int }](), reflect.TypeFor[struct{ A string }](), "A", "int64 string"},
		{reflect.TypeFor[struct{ A float64 }](), reflect.TypeFor[struct{ A int64 }](), "A", "float64 int64"},
		{reflect.TypeFor[struct{ A int8 }](), reflect.TypeFor[struct{ A bool }](), "A", "int8 bool"},
		{reflect.TypeFor[struct{ A bool }](), reflect.TypeFor[struct{ A float32 }](), "A", "bool float32"},
		{reflect.TypeFor[struct{ A complex64 }](), reflect.TypeFor[struct{ A complex128 }](), "A", "complex64 complex128"},
		{reflect.TypeFor[struct{ A [2]int8 }](), reflect.TypeFor[struct{ A [3]int8 }](), "A", "[2]int8 [3]int8"},
		{reflect.TypeFor[struct{ A []struct{ B string } }](), reflect.TypeFor[struct{ A []struct{ B []string } }](), "A[].B", "string []string"},
		{reflect.TypeFor[map[string]string](), reflect.TypeFor[map[int8]string](), "[key]", "string int8"},
		{reflect.TypeFor[map[string]struct{ V string }](), reflect.TypeFor[map[string]struct{ V int }](), "[].V", "string int"},
		{reflect.TypeFor[struct{ P *struct{ X any } }](), reflect.TypeFor[struct{ P struct{ X string } }](), "P.X", "an interface string"},
		{reflect.TypeFor[struct{ A *int8 }](), reflect.TypeFor[struct{ A string }](), "A", "int8 string"},
		{reflect.TypeFor[struct{ A time.Time }](), reflect.TypeFor[struct{ A int64 }](), "A", "a time int64"},
		{reflect.TypeFor[struct{ A Point }](), reflect.TypeFor[struct{ A []int32 }](), "A", "a struct []int32"},
		{reflect.TypeFor[struct{ A [2]struct{ B []byte } }](), reflect.TypeFor[struct{ A []struct{ B map[string]int } }](), "A[].B", "[]uint8 map[string]int"},
		{reflect.TypeFor[struct{ Old string }](), reflect.TypeFor[struct {
			New int `ashlar:",alias=Old"`
		}](), "New", "string int"},
		{reflect.TypeFor[[]struct{}](), reflect.TypeFor[[]struct{ A int8 }](), "", "elements have no bytes"},
	} {
		_, err := format.EvolvedAny(r.out, modelDescription(r.in), format.SchemaLimits{})
		var e *format.Error
		if !errors.Is(err, format.ErrSchema) || !errors.As(err, &e) || e.Path != r.path {
			t.Errorf("%v as %v: %v, want ErrSchema at %q", r.in, r.out, err, r.path)
			continue
		}
		text := err.Error()
		for _, side := range strings.Fields(r.names) {
			if !strings.Contains(text, side) {
				t.Errorf("%v as %v: %q does not name %q", r.in, r.out, text, side)
			}
		}
	}
	for _, bad := range []reflect.Type{
		reflect.TypeFor[struct {
			A int8 `ashlar:",default=300"`
		}](), reflect.TypeFor[struct {
			A []int `ashlar:",default=1"`
		}](),
	} {
		if _, err := format.AnyFor(bad); !errors.Is(err, format.ErrType) {
			t.Errorf("%v: %v, want ErrType for a default that is none", bad, err)
		}
	}
}

// TestEvolvedBombsBesideTexts: texts that are copied count with what else takes memory.
func TestEvolvedBombsBesideTexts(t *testing.T) {
	skipWhenSlow(t)
	type tiny struct{ A int8 }
	type large struct {
		A int8
		B [255]byte
	}
	type in struct {
		A []tiny
		S []string
		B []byte
	}
	type out struct {
		A []*large
		S []string
		B string
	}
	r := must(format.EvolvedAny(reflect.TypeFor[out](), modelDescription(reflect.TypeFor[in]()), format.SchemaLimits{}))
	for n := range 60 {
		if thin() && n%10 != 0 {
			continue
		}
		v := in{make([]tiny, 20_000+500*n), []string{strings.Repeat("x", 60_000), "y"}, make([]byte, 60_000)}
		msg, err := format.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		checkEvolvedAllocation(t, r, reflect.TypeFor[out](), msg)
	}
}

// TestEvolvedBoxBombs: a box of another schema may take much more memory than it has bytes, whether the type
// around it is the writer's or not.
func TestEvolvedBoxBombs(t *testing.T) {
	type tiny struct{ A int8 }
	types := format.NewTypes()
	must(0, format.RegisterIn[[]hugeAdded](types, "pages"))
	must(0, format.RegisterIn[[]*hugeAdded](types, "pointers"))
	for name, in := range map[string]reflect.Type{"pages": reflect.TypeFor[[]tiny](), "pointers": reflect.TypeFor[[]*tiny]()} {
		schema := must(format.ParseSchema(modelDescription(in), format.SchemaLimits{})).Named(name)
		opts := []format.Option{format.WithTypes(types), format.WithBoxes(resolver{schema.BoxID(), schema})}
		for _, out := range []reflect.Type{reflect.TypeFor[any](), reflect.TypeFor[*any]()} {
			c := must(format.EvolvedAny(out, modelDescription(reflect.TypeFor[any]()), format.SchemaLimits{}, opts...))
			if out == reflect.TypeFor[any]() {
				c = must(format.AnyFor(out, opts...))
			}
			for _, n := range []int{1, 30_000} {
				words := []uint64{ref(1, 1), schema.BoxID(), ref(1, uint32(n))}
				if name == "pages" {
					words = append(words, make([]uint64, (n+7)/8)...)
				} else {
					for range n { // the block of each stands behind all the refs
						words = append(words, ref(int32(n), 1))
					}
					words = append(words, make([]uint64, n)...)
				}
				msg := craft(reflect.TypeFor[any](), words...)
				for _, d := range evolvedReads {
					v := reflect.New(out).Interface()
					var err error
					bound := 128<<10 + 48*uint64(len(msg)) + uint64(c.Expansion()*len(msg))
					if got := allocated(func() { err = d.call(c, msg, v) }); got > bound {
						t.Errorf("%s of %d %s in a box as %v allocates %d, more than %d", d.name, n, name, out, got, bound)
					}
					if n == 1 && err != nil || n > 1 && !errors.Is(err, format.ErrLimit) {
						t.Errorf("%s of %d %s in a box as %v: %v", d.name, n, name, out, err)
					}
				}
			}
		}
	}
}

// TestEvolvedMemoryOfPlainSlices: plain slices of an object that is read anew for each value are charged, and so
// are the zones of times in a box of the type's own schema.
func TestEvolvedMemoryOfPlainSlices(t *testing.T) {
	skipWhenSlow(t)
	type large struct{ S []int64 }
	type in struct {
		P []*large
		Q []struct{ A int8 }
	}
	type out struct {
		P []large
		Q []*struct {
			A int8
			B [1015]byte
		}
	}
	x, one := &in{Q: make([]struct{ A int8 }, 36_000)}, &large{make([]int64, 100_000)}
	for range 46 {
		x.P = append(x.P, one)
	}
	type boxIn struct {
		A any
		Q []struct{ A int8 }
	}
	type boxOut struct {
		A any
		Q []*struct {
			A int8
			B [255]byte
		}
	}
	times := make([]time.Time, 50_000)
	for i := range times {
		times[i] = time.Unix(0, 0).In(time.FixedZone("", i+1))
	}
	for _, v := range [][2]any{{x, new(out)}, {&boxIn{times, make([]struct{ A int8 }, 200_000)}, new(boxOut)}} {
		w := must(format.AnyFor(reflect.TypeOf(v[0]).Elem(), format.WithRefs()))
		r := must(format.EvolvedAny(reflect.TypeOf(v[1]).Elem(), w.Description(), format.SchemaLimits{}, format.WithRefs()))
		msg := must(w.Append(nil, v[0]))
		var err error
		got := allocated(func() { err = r.Decode(msg, v[1]) })
		runtime.KeepAlive(v)
		if got > evolvedBound(len(msg)) {
			t.Errorf("%T: %d bytes for a message of %d: %.1f each (%v)", v[0], got, len(msg), float64(got)/float64(len(msg)), err)
		}
	}
}

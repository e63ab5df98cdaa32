package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// evolution is a pair of types with codecs: in is what was written, out is what it is read as.
type evolution struct {
	in, out reflect.Type
	refs    bool
	shared  bool
	reader  *format.AnyCodec
	own     *format.AnyCodec // of out
}

func newEvolution(in, out reflect.Type, refs, shared bool, opts ...format.Option) (*evolution, error) {
	e := &evolution{in: in, out: out, refs: refs, shared: shared}
	if refs {
		opts = append(opts, format.WithRefs())
	}
	if shared {
		opts = append(opts, format.WithShared())
	}
	var err error
	if e.own, err = format.AnyFor(out, opts...); err != nil {
		return nil, err
	}
	e.reader, err = format.EvolvedAny(out, modelDescription(in), format.SchemaLimits{}, opts...)
	return e, err
}

// offHeap is memory that every test may put messages into, one test at a time.
func offHeap(t testing.TB) *buffer.Buffer {
	b, err := buffer.OffHeap(1 << 20)
	if err != nil {
		t.Skipf("no memory off the heap: %v", err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

func putOffHeap(t testing.TB, b *buffer.Buffer, msg []byte) []byte {
	for b.Len()%64 != 0 {
		must(b.Extend(64 - b.Len()%64))
	}
	out, err := b.Extend(len(msg))
	if err != nil {
		t.Fatal(err)
	}
	copy(out, msg)
	return out
}

var evolvedReads = []struct {
	name string
	call func(r *format.AnyCodec, msg []byte, p any) error
}{
	{"Decode", (*format.AnyCodec).Decode}, {"DecodeReuse", (*format.AnyCodec).DecodeReuse}, {"DecodeAlias", (*format.AnyCodec).DecodeAlias},
}

// check reads the message of in, a pointer, in every way, over a zero value and over an old one, and holds
// what comes of it against the model.
func (e *evolution) check(t *testing.T, b *buffer.Buffer, in, old any) {
	t.Helper()
	e.checkOver(t, b, in, reflect.New(e.out).Interface(), old)
}

func (e *evolution) checkOver(t *testing.T, b *buffer.Buffer, in any, olds ...any) {
	t.Helper()
	fail := func(what, text string, args ...any) {
		t.Helper()
		t.Fatalf("%v\nas %v\nrefs %v, shared %v, %s: %s", e.in, e.out, e.refs, e.shared, what, fmt.Sprintf(text, args...))
	}
	o := modelOptions{modelMaxDepth, e.refs}
	msg, err := modelEncodeWith(reflect.ValueOf(in).Elem(), o)
	if err != nil {
		fail("model", "%v", err)
	}
	for i, old := range olds {
		ownMsg, err := modelEncodeWith(reflect.ValueOf(old).Elem(), o)
		if err != nil {
			fail("model", "%v", err)
		}
		want := mustRead(ownMsg, e.out, o)
		wantErr := evolveModel(reflect.ValueOf(in).Elem(), reflect.ValueOf(want).Elem(), true)
		verdict := func(what string, err error, got any) bool {
			t.Helper()
			if wantErr != nil {
				var f *format.Error
				if !errors.Is(err, format.ErrLimit) && !errors.Is(err, format.ErrCorrupt) || !errors.As(err, &f) {
					fail(what, "over value %d: %v, want %v", i, err, wantErr)
				}
				return false
			}
			if err != nil {
				fail(what, "over value %d: %v", i, err)
			}
			if d := difference(got, want); d != "" {
				fail(what, "over value %d: got and want differ%s", i, d)
			}
			return true
		}
		for _, d := range evolvedReads {
			in := alignedCopy(msg)
			got := mustRead(ownMsg, e.out, o)
			var regions []region
			if d.name == "DecodeAlias" && !e.shared {
				regions = aliasableRegions(reflect.ValueOf(got).Elem())
			}
			ok := verdict(d.name, d.call(e.reader, in, got), got)
			if s := changed(regions); s != "" {
				fail(d.name, "over value %d wrote through%s", i, s)
			}
			if ok { // and again, over itself: what the writer does not have is there already
				verdict(d.name+" again", d.call(e.reader, in, got), got)
			}
			if !bytes.Equal(in, msg) {
				fail(d.name, "it wrote into its message")
			}
			if d.name != "DecodeAlias" && ok {
				clear(in)
				if s := difference(got, want); s != "" {
					fail(d.name, "it points into its message%s", s)
				}
			}
		}
		if err := e.reader.Verify(msg); (err == nil) != (wantErr == nil) {
			fail("Verify", "%v, want %v", err, wantErr)
		}

		// A target that points into a message of its own type, on the heap and off it.
		for _, d := range evolvedReads {
			for _, off := range []bool{false, true} {
				what := fmt.Sprintf("%s into a target that aliases (off the heap %v)", d.name, off)
				if d.name == "DecodeReuse" && !off {
					continue // on the heap that is the caller's duty
				}
				first, second := alignedCopy(ownMsg), alignedCopy(msg)
				if off {
					b.Reset()
					first, second = putOffHeap(t, b, ownMsg), putOffHeap(t, b, msg)
				}
				got := reflect.New(e.out).Interface()
				if err := e.own.DecodeAlias(first, got); err != nil {
					fail(what, "own: %v", err)
				}
				ok := verdict(what, d.call(e.reader, second, got), got)
				if !bytes.Equal(first, ownMsg) {
					fail(what, "it wrote into the earlier message: %s", firstDifference(first, ownMsg))
				}
				if !bytes.Equal(second, msg) {
					fail(what, "it wrote into its message")
				}
				if d.name == "DecodeAlias" && ok { // the own codec goes on with the same target
					third := alignedCopy(ownMsg)
					if err := e.own.DecodeAlias(third, got); err != nil {
						fail(what, "own after it: %v", err)
					}
					if s := difference(got, old); s != "" {
						fail(what, "own after it gives%s", s)
					}
					if !bytes.Equal(second, msg) || !bytes.Equal(first, ownMsg) {
						fail(what, "own after it wrote into an earlier message")
					}
				}
			}
		}
	}
}

func mustRead(msg []byte, t reflect.Type, o modelOptions) any {
	return must(modelDecodeWith(msg, t, o)).Interface()
}

// checkTypes tries a pair of types with random values, in each mode at least one.
func checkTypes(t *testing.T, b *buffer.Buffer, in, out reflect.Type, seed uint64, values int) {
	t.Helper()
	if !long {
		values = (values + 3) / 4
	}
	for mode := range 4 {
		e, err := newEvolution(in, out, mode&1 != 0, mode&2 != 0)
		if !possible(in, out) {
			if !errors.Is(err, format.ErrSchema) {
				t.Fatalf("%v as %v: %v, want ErrSchema", in, out, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("%v as %v: %v", in, out, err)
		}
		for i := range values {
			f := seeded(seed<<8+uint64(mode*values+i), 60)
			e.check(t, b, f.writers(in), f.random(out).Interface())
		}
	}
}

// writers makes a value that a writer may send: half of them of small numbers, since others hardly ever fit
// narrow types.
func (f *filler) writers(in reflect.Type) any {
	x := f.random(in)
	if f.below(2) == 0 {
		small(x.Elem(), map[unsafe.Pointer]bool{})
	}
	return x.Interface()
}

// resolver knows one type of box.
type resolver struct {
	id     uint64
	schema *format.Schema
}

func (r resolver) Box(id uint64) (*format.Schema, bool) { return r.schema, id == r.id }

// boxing is two types that have one name in interfaces: values of in come, and are read as ones of out.
type boxing struct {
	in, out reflect.Type
	id, own uint64
	opts    []format.Option
}

// newBoxing returns nil where there is nothing to try.
func newBoxing(in, out reflect.Type) *boxing {
	const name = "evolved"
	m := modelBoxes()
	for _, t := range []reflect.Type{in, out} {
		if t.Kind() == reflect.Interface || m.ids[t] != 0 || !fits(t) {
			return nil
		}
	}
	x := &boxing{in: in, out: out, id: boxID(name, in), own: boxID(name, out)}
	if x.id == x.own || !possible(in, out) {
		return nil
	}
	types := format.NewTypes()
	for name, t := range modelTypes() {
		must(0, format.RegisterType(types, t, name))
	}
	must(0, format.RegisterType(types, out, name))
	known := resolver{x.id, must(format.ParseSchema(modelDescription(in), format.SchemaLimits{})).Named(name)}
	x.opts = []format.Option{format.WithTypes(types), format.WithBoxes(known)}
	return x
}

// known makes the types known to the model until the func that it returns is called.
func (x *boxing) known() func() {
	m := modelBoxes()
	m.ids[x.in], m.types[x.id], m.ids[x.out], m.types[x.own], evolvedBoxes[x.in] = x.id, x.in, x.own, x.out, x.out
	return func() {
		delete(m.ids, x.in)
		delete(m.ids, x.out)
		delete(m.types, x.id)
		delete(m.types, x.own)
		delete(evolvedBoxes, x.in)
	}
}

// Structs with interfaces in them.
type (
	boxesBefore struct {
		N int8
		B any
		L []any
	}
	boxesAfter struct {
		L []any
		N int64
		M string
		B any
	}
)

// checkBoxes tries a pair of types that have one name as what interfaces hold, where the type around them is
// the writer's and where it is another.
func checkBoxes(t *testing.T, b *buffer.Buffer, in, out reflect.Type, seed uint64) {
	t.Helper()
	x := newBoxing(in, out)
	if x == nil {
		return
	}
	defer x.known()()
	for i, r := range [][2]reflect.Type{
		{reflect.TypeFor[any](), reflect.TypeFor[any]()}, {reflect.TypeFor[[]any](), reflect.TypeFor[[]any]()},
		{reflect.TypeFor[map[string]any](), reflect.TypeFor[map[string]any]()}, {reflect.TypeFor[boxesBefore](), reflect.TypeFor[boxesAfter]()},
		{reflect.TypeFor[[]any](), reflect.TypeFor[[]*any]()}, {reflect.TypeFor[boxesBefore](), reflect.TypeFor[boxesBefore]()},
	} {
		mode := int(seed) + i
		e, err := newEvolution(r[0], r[1], mode&1 != 0, mode&2 != 0, x.opts...)
		if err != nil {
			t.Fatal(err)
		}
		f := seeded(seed<<8+uint64(i), 60)
		v, old := f.random(r[0]), f.random(r[1])
		f.plant(v.Elem(), in)
		f.plant(old.Elem(), out)
		e.check(t, b, v.Interface(), old.Interface())
		if r[0] == r[1] { // by the codec of the type too
			e.reader = e.own
			e.check(t, b, v.Interface(), old.Interface())
		}
	}
}

// modelTypes are the types that the tests register, by their names.
var modelTypes = sync.OnceValue(func() map[string]reflect.Type {
	types := map[string]reflect.Type{}
	for _, b := range testBoxes() {
		types[b.name] = b.typ
	}
	return types
})

// plant puts values of t in the interfaces of v.
func (f *filler) plant(v reflect.Value, t reflect.Type) {
	switch v.Kind() {
	case reflect.Interface:
		if f.below(4) > 0 {
			v.Set(reflect.ValueOf(f.writers(t)).Elem())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			f.plant(v.Elem(), t)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			f.plant(v.Index(i), t)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			x := addressable(it.Value())
			f.plant(x, t)
			v.SetMapIndex(it.Key(), x)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.plant(v.Field(i), t)
		}
	}
}

// small makes numbers of v small ones that every type of number holds.
func small(v reflect.Value, met map[unsafe.Pointer]bool) {
	t := v.Type()
	if isTime(t) || isCustom(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && !met[v.UnsafePointer()] {
			met[v.UnsafePointer()] = true
			small(v.Elem(), met)
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && layoutOf(t.Elem()).size == 0 {
			return
		}
		for i := range v.Len() {
			small(v.Index(i), met)
		}
	case reflect.Map:
		for it := v.MapRange(); it.Next(); {
			x := addressable(it.Value())
			small(x, met)
			v.SetMapIndex(it.Key(), x)
		}
		if k := t.Key().Kind(); k != reflect.Bool && isScalar(t.Key()) { // keys of which none is another's small one
			n := v.Len()
			var values []reflect.Value
			for it := v.MapRange(); it.Next(); {
				values = append(values, it.Value())
			}
			v.Clear()
			for i := range n {
				key := reflect.New(t.Key()).Elem()
				setSmall(key, i)
				v.SetMapIndex(key, values[i])
			}
		}
	case reflect.Struct:
		for _, f := range layoutOf(t).fields {
			small(v.Field(f.index), met)
		}
	default:
		if isScalar(t) && t.Kind() != reflect.Bool {
			lo, _ := scalarBits(v)
			setSmall(v, int(lo%100))
		}
	}
}

func setSmall(v reflect.Value, n int) {
	switch {
	case v.CanInt():
		v.SetInt(int64(n))
	case v.CanUint():
		v.SetUint(uint64(n))
	case v.CanFloat():
		v.SetFloat(float64(n))
	case v.CanComplex():
		v.SetComplex(complex(float64(n), 0))
	}
}

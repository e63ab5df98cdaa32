package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// evolveModel makes out, which holds old content, what a reader of its type is to make of in. It shares
// nothing with the package: it goes by the values, not by layouts. root says that out is the root or a part
// of it by value, whose added fields keep what they hold. It panics where possible says no.
func evolveModel(in, out reflect.Value, root bool) error {
	a, b := in.Type(), out.Type()
	switch {
	case a.Kind() == reflect.Interface && b.Kind() == reflect.Interface && !in.IsNil() && evolvedBoxes[in.Elem().Type()] != nil:
		box := reflect.New(evolvedBoxes[in.Elem().Type()]).Elem()
		if err := evolveModel(addressable(in.Elem()), box, false); err != nil {
			return err
		}
		out.Set(box)
	case a == b && !isStructural(a):
		out.Set(in)
	case isOpaque(a) || isOpaque(b):
		if modelKind(a) != modelKind(b) {
			return evolvePointers(in, out)
		}
		out.Set(in.Convert(b))
	case a.Kind() == reflect.Pointer || b.Kind() == reflect.Pointer:
		return evolvePointers(in, out)
	case isScalar(a):
		return evolveScalar(in, out)
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		out.SetString(in.String())
	case a.Kind() == reflect.String:
		out.SetBytes([]byte(in.String()))
	case b.Kind() == reflect.String:
		out.SetString(string(in.Bytes()))
	case b.Kind() == reflect.Slice:
		if a.Kind() == reflect.Slice && in.IsNil() {
			out.SetZero()
			return nil
		}
		s := reflect.MakeSlice(b, in.Len(), in.Len())
		out.Set(s)
		return evolveElements(in, out, false)
	case b.Kind() == reflect.Array:
		if in.Len() != out.Len() {
			return fmt.Errorf("%d elements for %d", in.Len(), out.Len())
		}
		return evolveElements(in, out, root && a.Kind() == reflect.Array)
	case b.Kind() == reflect.Map:
		if in.IsNil() {
			out.SetZero()
			return nil
		}
		m := reflect.MakeMap(b)
		for it := in.MapRange(); it.Next(); {
			k, v := reflect.New(b.Key()).Elem(), reflect.New(b.Elem()).Elem()
			if err := evolveModel(addressable(it.Key()), k, false); err != nil {
				return err
			}
			if err := evolveModel(addressable(it.Value()), v, false); err != nil {
				return err
			}
			m.SetMapIndex(k, v)
		}
		if m.Len() != in.Len() {
			return errors.New("keys that are the same now")
		}
		out.Set(m)
	case b.Kind() == reflect.Struct:
		for _, f := range matchesOf(a, b) {
			at := out.Field(f.index)
			if f.writers >= 0 {
				if err := evolveModel(in.Field(f.writers), at, root); err != nil {
					return err
				}
			} else if f.null != nil && (!root || at.IsZero()) {
				at.Set(parsedDefault(at.Type(), *f.null))
			} else if !root {
				at.SetZero()
			}
		}
	default:
		panic(fmt.Sprintf("%v into %v", a, b))
	}
	return nil
}

// evolvedBoxes are the types that take the place of others in interfaces.
var evolvedBoxes = map[reflect.Type]reflect.Type{}

// isStructural reports whether a value may have parts that a reader of the same type has to make anew.
func isStructural(t reflect.Type) bool {
	return !isOpaque(t) && !isScalar(t) && t.Kind() != reflect.String
}

// isOpaque reports whether values of t are taken as they are or not at all.
func isOpaque(t reflect.Type) bool {
	return isTime(t) || isCustom(t) || t.Kind() == reflect.Interface
}

func evolvePointers(in, out reflect.Value) error {
	if in.Kind() == reflect.Pointer && in.IsNil() {
		out.SetZero()
		return nil
	}
	if in.Kind() == reflect.Pointer {
		in = in.Elem()
	}
	if out.Kind() == reflect.Pointer {
		p := reflect.New(out.Type().Elem())
		out.Set(p.Convert(out.Type()))
		out = p.Elem()
	}
	return evolveModel(in, out, false)
}

func evolveElements(in, out reflect.Value, root bool) error {
	for i := range in.Len() {
		if err := evolveModel(in.Index(i), out.Index(i), root); err != nil {
			return err
		}
	}
	return nil
}

// evolveScalar goes by the numbers themselves.
func evolveScalar(in, out reflect.Value) error {
	unfit := func() error { return fmt.Errorf("%v is no %v", in, out.Type()) }
	a, b := modelKind(in.Type()), modelKind(out.Type())
	switch {
	case a == b:
		lo, hi := scalarBits(in)
		if in.CanInt() {
			if out.OverflowInt(in.Int()) {
				return unfit()
			}
			out.SetInt(in.Int())
		} else if in.CanUint() {
			if out.OverflowUint(in.Uint()) {
				return unfit()
			}
			out.SetUint(in.Uint())
		} else {
			setScalarBits(out, lo, hi)
		}
	case in.CanFloat():
		f := in.Float()
		if out.Type().Bits() == 32 && f == f && float64(float32(f)) != f {
			return unfit()
		}
		out.SetFloat(f)
	default:
		var text string // of the whole number, which fits if the other side spells it alike
		switch {
		case in.Kind() == reflect.Bool:
			text = "0"
			if in.Bool() {
				text = "1"
			}
		case in.CanInt():
			text = strconv.FormatInt(in.Int(), 10)
		default:
			text = strconv.FormatUint(in.Uint(), 10)
		}
		switch {
		case out.CanInt():
			n, err := strconv.ParseInt(text, 10, out.Type().Bits())
			if err != nil {
				return unfit()
			}
			out.SetInt(n)
		case out.CanUint():
			n, err := strconv.ParseUint(text, 10, out.Type().Bits())
			if err != nil {
				return unfit()
			}
			out.SetUint(n)
		default:
			f, err := strconv.ParseFloat(text, out.Type().Bits())
			if err != nil || strconv.FormatFloat(f, 'f', 0, 64) != text { // all digits, not those that are enough
				return unfit()
			}
			out.SetFloat(f)
		}
	}
	return nil
}

// match is a field of a reader's struct and the index of the writer's field that it is read from, or -1.
type match struct {
	readerField
	writers int
}

var matches sync.Map // [2]reflect.Type, the writer's and the reader's, to []match

func matchesOf(a, b reflect.Type) []match {
	if m, ok := matches.Load([2]reflect.Type{a, b}); ok {
		return m.([]match)
	}
	var m []match
	for _, f := range readerFields(b) {
		m = append(m, match{f, f.writers(a, b)})
	}
	matches.Store([2]reflect.Type{a, b}, m)
	return m
}

// readerField is a field as a reader's tag has it.
type readerField struct {
	index int
	name  string
	alias []string
	null  *string
}

func readerFields(t reflect.Type) []readerField {
	var out []readerField
	for _, f := range wireFields(t) {
		r := readerField{index: f.index, name: f.name}
		_, rest, more := strings.Cut(t.Field(f.index).Tag.Get("ashlar"), ",")
		for more {
			if v, ok := strings.CutPrefix(rest, "default="); ok {
				r.null = &v
				break
			}
			var part string
			part, rest, more = strings.Cut(rest, ",")
			r.alias = append(r.alias, strings.TrimPrefix(part, "alias="))
		}
		out = append(out, r)
	}
	return out
}

// writers is the index of the field of a, the writer's struct, that the field of b is read from, or -1. A
// field that another of b has the name of is not taken by an alias.
func (f readerField) writers(a, b reflect.Type) int {
	fields := wireFields(a)
	find := func(name string) int {
		if i := slices.IndexFunc(fields, func(w wireField) bool { return w.name == name }); i >= 0 {
			return fields[i].index
		}
		return -1
	}
	if i := find(f.name); i >= 0 {
		return i
	}
	for _, alias := range f.alias {
		if slices.ContainsFunc(wireFields(b), func(w wireField) bool { return w.name == alias }) {
			continue
		}
		if i := find(alias); i >= 0 {
			return i
		}
	}
	return -1
}

func parsedDefault(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case v.CanInt():
		v.SetInt(must(strconv.ParseInt(text, 0, 64)))
	case v.CanUint():
		v.SetUint(must(strconv.ParseUint(text, 0, 64)))
	case v.CanFloat():
		v.SetFloat(must(strconv.ParseFloat(text, 64)))
	case v.Kind() == reflect.Bool:
		v.SetBool(must(strconv.ParseBool(text)))
	default:
		v.SetString(text)
	}
	return v
}

// possible reports whether values of a can become values of b.
func possible(a, b reflect.Type) bool { return possibleIn(a, b, map[[2]reflect.Type]bool{}) }

func possibleIn(a, b reflect.Type, met map[[2]reflect.Type]bool) bool {
	if a == b || met[[2]reflect.Type{a, b}] {
		return true
	}
	met[[2]reflect.Type{a, b}] = true
	elems := func() bool {
		return (layoutOf(a.Elem()).size > 0 || b.Elem().Size() == 0) && possibleIn(a.Elem(), b.Elem(), met)
	}
	pa, pb := !isOpaque(a) && a.Kind() == reflect.Pointer, !isOpaque(b) && b.Kind() == reflect.Pointer
	switch {
	case pa && pb:
		return possibleIn(a.Elem(), b.Elem(), met)
	case pa:
		return possibleIn(a.Elem(), b, met)
	case pb:
		return possibleIn(a, b.Elem(), met)
	case isOpaque(a) || isOpaque(b):
		return modelKind(a) == modelKind(b)
	case isScalar(a) && isScalar(b):
		x, y := modelKind(a), modelKind(b)
		whole := func(k byte) bool { return k >= 2 && k <= 9 }
		real := func(k byte) bool { return k == 10 || k == 11 }
		return x == y || whole(x) && (whole(y) || real(y)) || x == 1 && whole(y) || real(x) && real(y)
	case isScalar(a) || isScalar(b):
		return false
	}
	switch x, y := a.Kind(), b.Kind(); {
	case x == reflect.String || y == reflect.String:
		bytes := func(t reflect.Type) bool { return t.Kind() == reflect.Slice && modelKind(t.Elem()) == 6 }
		return x == y || bytes(a) || bytes(b)
	case x == reflect.Array && y == reflect.Array:
		return a.Len() == b.Len() && possibleIn(a.Elem(), b.Elem(), met)
	case x == reflect.Slice && y == reflect.Array:
		return possibleIn(a.Elem(), b.Elem(), met)
	case y == reflect.Slice:
		return (x == reflect.Slice || x == reflect.Array) && elems()
	case x == reflect.Map && y == reflect.Map:
		return possibleIn(a.Key(), b.Key(), met) && possibleIn(a.Elem(), b.Elem(), met)
	case x == reflect.Struct && y == reflect.Struct:
		for _, f := range matchesOf(a, b) {
			if f.writers >= 0 && !possibleIn(a.Field(f.writers).Type, b.Field(f.index).Type, met) {
				return false
			}
		}
		return true
	}
	return false
}

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

// An edit makes another version of a struct.
type edit struct {
	name string
	make func(t reflect.Type) reflect.Type
}

func fieldsOf(t reflect.Type) []reflect.StructField {
	var out []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		out = append(out, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag, PkgPath: f.PkgPath})
	}
	return out
}

func withField(name string, change func(f *reflect.StructField)) func(t reflect.Type) reflect.Type {
	return func(t reflect.Type) reflect.Type {
		fields := fieldsOf(t)
		for i := range fields {
			if fields[i].Name == name {
				change(&fields[i])
			}
		}
		return reflect.StructOf(fields)
	}
}

func withType[T any](name string) func(t reflect.Type) reflect.Type {
	return withField(name, func(f *reflect.StructField) { f.Type = reflect.TypeFor[T]() })
}

func added[T any](at int, tag string) func(t reflect.Type) reflect.Type {
	return func(t reflect.Type) reflect.Type {
		return reflect.StructOf(slices.Insert(fieldsOf(t), at, reflect.StructField{Name: "Added", Type: reflect.TypeFor[T](), Tag: reflect.StructTag(tag)}))
	}
}

func removed(names ...string) func(t reflect.Type) reflect.Type {
	return func(t reflect.Type) reflect.Type {
		return reflect.StructOf(slices.DeleteFunc(fieldsOf(t), func(f reflect.StructField) bool { return slices.Contains(names, f.Name) }))
	}
}

// edited is what edits are made of; it is a struct without a name, so that it has versions.
type edited = struct {
	I   int32
	B   bool
	S   string
	P   *int16
	T   *string
	L   []uint16
	A   [2]int8
	Q   *bool
	V   Point
	X   []byte
	F   float32
	K   map[string]int32
	W   *Point
	Ptr []*int32
}

func edits() []edit {
	return []edit{
		{"none", func(t reflect.Type) reflect.Type { return t }},
		{"add", added[int64](0, "")},
		{"add in the middle", added[string](3, "")},
		{"add an optional", added[*int64](4, "")},
		{"add a pointer at the end", added[*Point](14, "")},
		{"add a default", added[int16](2, `ashlar:",default=-7"`)},
		{"add a default text", added[string](2, `ashlar:"text,default=a,b"`)},
		{"add an array", added[[3]uint64](1, "")},
		{"add a struct", added[Scalars](5, "")},
		{"remove a scalar", removed("I")},
		{"remove the optionals", removed("P", "Q")},
		{"remove one optional", removed("P")},
		{"remove refs", removed("S", "L", "K")},
		{"remove most", removed("B", "S", "P", "T", "L", "A", "Q", "V", "X", "F", "K", "W", "Ptr")},
		{"reorder", func(t reflect.Type) reflect.Type {
			f := fieldsOf(t)
			slices.Reverse(f)
			return reflect.StructOf(f)
		}},
		{"rename", withField("I", func(f *reflect.StructField) { f.Name, f.Tag = "Index", `ashlar:",alias=None,alias=I"` })},
		{"rename a ref", withField("S", func(f *reflect.StructField) { f.Name, f.Tag = "Str", `ashlar:"s,alias=S"` })},
		{"rename, and the old name is another field", func(t reflect.Type) reflect.Type {
			f := append(fieldsOf(t), reflect.StructField{Name: "Text", Type: reflect.TypeFor[string](), Tag: `ashlar:",alias=S"`})
			return reflect.StructOf(f)
		}},
		{"widen", withType[int64]("I")}, {"narrow", withType[int8]("I")}, {"sign", withType[uint32]("I")}, {"int", withType[int]("I")},
		{"int to float", withType[float32]("I")}, {"float to float", withType[float64]("F")}, {"bool to int", withType[uint16]("B")},
		{"wrap a scalar", withType[*int32]("I")}, {"wrap and widen", withType[*int64]("I")}, {"wrap twice", withType[**int32]("I")},
		{"wrap a text", withType[*string]("S")}, {"wrap a list", withType[*[]uint16]("L")}, {"wrap a struct", withType[*Point]("V")},
		{"wrap an array", withType[*[2]int8]("A")}, {"wrap a map", withType[*map[string]int32]("K")},
		{"unwrap an optional", withType[int16]("P")}, {"unwrap and widen", withType[int64]("P")}, {"widen an optional", withType[*uint64]("P")},
		{"unwrap a text", withType[string]("T")}, {"unwrap a struct", withType[Point]("W")}, {"unwrap a bool", withType[bool]("Q")},
		{"optional bool to int", withType[*int8]("Q")}, {"wrap an optional", withType[**int16]("P")},
		{"text to bytes", withType[[]byte]("S")}, {"text to pointer to bytes", withType[*[]byte]("S")}, {"bytes to text", withType[string]("X")},
		{"array to list", withType[[]int8]("A")}, {"array to wider list", withType[[]int32]("A")}, {"wider array", withType[[2]int64]("A")},
		{"list to array", withType[[2]uint16]("L")}, {"list to wider array", withType[[2]int64]("L")}, {"wider list", withType[[]uint64]("L")},
		{"list to pointers", withType[[]*uint16]("L")}, {"pointers to list", withType[[]int32]("Ptr")}, {"wider pointers", withType[[]*int64]("Ptr")},
		{"bytes to ints", withType[[]int16]("X")},
		{"other struct", withType[struct{ Y int64 }]("V")}, {"struct with more", withType[struct{ Z, X, Y int32 }]("V")},
		{"pointer to struct with more", withType[*struct {
			X, Y int32
			Z    [40]byte
		}]("W")},
		{"map values", withType[map[string]*int64]("K")},
		{"nest by value", func(t reflect.Type) reflect.Type {
			return reflect.StructOf(append(fieldsOf(t), reflect.StructField{Name: "Nested", Type: t}))
		}},
	}
}

// placesFor puts a type wherever one can stand.
func placesFor(t reflect.Type) map[string]reflect.Type {
	field := func(name string, t reflect.Type) reflect.StructField { return reflect.StructField{Name: name, Type: t} }
	n := field("N", reflect.TypeFor[int16]())
	return map[string]reflect.Type{
		"root": t, "element": reflect.SliceOf(t), "map value": reflect.MapOf(reflect.TypeFor[string](), t), "array": reflect.ArrayOf(2, t),
		"pointer": reflect.PointerTo(t), "pointers": reflect.SliceOf(reflect.PointerTo(t)), "nested": reflect.StructOf([]reflect.StructField{n, field("In", t), field("M", reflect.TypeFor[string]())}),
		"field of element": reflect.SliceOf(reflect.StructOf([]reflect.StructField{n, field("In", t)})),
		"embedded":         reflect.StructOf([]reflect.StructField{n, {Name: "In", Type: t, Anonymous: true}, field("Arr", reflect.ArrayOf(2, t))}),
		"lists":            reflect.SliceOf(reflect.SliceOf(t)), "pointer field": reflect.StructOf([]reflect.StructField{n, field("P", reflect.PointerTo(t))}),
	}
}

// TestEvolvedEdits tries each edit at each place, in both directions. With ASHLAR_LONG=1 it tries more values.
func TestEvolvedEdits(t *testing.T) {
	b := offHeap(t)
	base := reflect.TypeFor[edited]()
	seed := uint64(1)
	for _, ed := range edits() {
		t.Run(ed.name, func(t *testing.T) {
			t1, t2 := base, ed.make(base)
			one, two := placesFor(t1), placesFor(t2)
			for _, place := range slices.Sorted(maps.Keys(one)) {
				seed++
				if thin() && seed%5 != 0 {
					continue
				}
				t.Run(place, func(t *testing.T) {
					checkTypes(t, b, one[place], two[place], seed, 4)
					checkTypes(t, b, two[place], one[place], seed, 4)
				})
			}
			if !thin() || seed%5 < 2 {
				t.Run("box", func(t *testing.T) {
					checkBoxes(t, b, t1, t2, seed)
					checkBoxes(t, b, t2, t1, seed)
				})
			}
		})
	}
}

// TestEvolvedKeys: keys of other types, and keys that lose or gain a field.
func TestEvolvedKeys(t *testing.T) {
	b := offHeap(t)
	for i, r := range [][2]reflect.Type{
		{reflect.TypeFor[map[int8]int8](), reflect.TypeFor[map[int64]string]()},
		{reflect.TypeFor[map[int8]int8](), reflect.TypeFor[map[int64]*int64]()},
		{reflect.TypeFor[map[uint64]bool](), reflect.TypeFor[map[int8]int]()},
		{reflect.TypeFor[map[bool]string](), reflect.TypeFor[map[uint16][]byte]()},
		{reflect.TypeFor[map[float32]string](), reflect.TypeFor[map[float64]string]()},
		{reflect.TypeFor[map[int32]string](), reflect.TypeFor[map[float32]*string]()},
		{reflect.TypeFor[map[struct{ A, B int8 }]int8](), reflect.TypeFor[map[struct{ B, A int64 }]int8]()},
		{reflect.TypeFor[map[struct{ A, B int8 }]int8](), reflect.TypeFor[map[struct{ B int8 }]int8]()},
		{reflect.TypeFor[map[struct {
			A string
			B any
		}]int8](), reflect.TypeFor[map[struct{ A string }]int8]()},
		{reflect.TypeFor[map[struct {
			A string
			B any
		}]int8](), reflect.TypeFor[map[struct {
			A string
			B any
			C int8
		}]int8]()},
		{reflect.TypeFor[map[[2]int8]int8](), reflect.TypeFor[map[[2]int16]int8]()},
		{reflect.TypeFor[map[struct{}]struct{}](), reflect.TypeFor[map[struct {
			A int8 `ashlar:",default=3"`
		}]struct {
			B int8 `ashlar:",default=5"`
		}]()},
	} {
		checkTypes(t, b, r[0], r[1], uint64(100+i), 6)
		checkTypes(t, b, r[1], r[0], uint64(200+i), 6)
	}
}

// TestEvolvedNothing: blocks of no bytes that have some in Go now. What such a one holds is the default, or
// what it held, and nothing is left of old elements.
func TestEvolvedNothing(t *testing.T) {
	b := offHeap(t)
	type none = struct{}
	type some = struct {
		A int16
		B int16 `ashlar:",default=9"`
	}
	for i, r := range [][2]reflect.Type{
		{reflect.TypeFor[none](), reflect.TypeFor[some]()},
		{reflect.TypeFor[*none](), reflect.TypeFor[*some]()},
		{reflect.TypeFor[*none](), reflect.TypeFor[some]()},
		{reflect.TypeFor[none](), reflect.TypeFor[*some]()},
		{reflect.TypeFor[[]*none](), reflect.TypeFor[[]*some]()},
		{reflect.TypeFor[[]*none](), reflect.TypeFor[[]some]()},
		{reflect.TypeFor[[2]none](), reflect.TypeFor[[2]some]()},
		{reflect.TypeFor[[][2]*none](), reflect.TypeFor[[][2]*some]()},
		{reflect.TypeFor[[]none](), reflect.TypeFor[[2]some]()},
		{reflect.TypeFor[map[string][2]none](), reflect.TypeFor[map[string][2]some]()},
		{reflect.TypeFor[[]struct {
			X int8
			N [2]none
		}](), reflect.TypeFor[[]struct {
			N [2]some
			X int8
		}]()},
		{reflect.TypeFor[struct {
			A, Z int32
			X    [2]none
			B    int32
		}](), reflect.TypeFor[struct {
			A int32
			X [2]struct{ Y int16 }
			B int32
		}]()},
		{reflect.TypeFor[[]none](), reflect.TypeFor[[]some]()}, // impossible: they would cost nothing in a message
		{reflect.TypeFor[[2]none](), reflect.TypeFor[[]some]()},
	} {
		checkTypes(t, b, r[0], r[1], uint64(300+i), 8)
		checkTypes(t, b, r[1], r[0], uint64(400+i), 8)
	}
}

// TestEvolvedTable reads each type of the table as itself by the evolving compiler: the added and removed
// fields around it must not matter to any kind.
func TestEvolvedTable(t *testing.T) {
	b := offHeap(t)
	wrap := func(t reflect.Type, names ...string) reflect.Type {
		var fields []reflect.StructField
		for _, n := range names {
			f := reflect.StructField{Name: n, Type: reflect.TypeFor[int8]()}
			if n == "It" {
				f.Type = t
			}
			fields = append(fields, f)
		}
		return reflect.StructOf(fields)
	}
	for i, r := range table() {
		if thin() && i%4 != 0 || r.refs || r.typ.Size() > 4096 {
			continue
		}
		t.Run(r.name, func(t *testing.T) {
			checkTypes(t, b, r.typ, r.typ, uint64(i), 2)
			checkTypes(t, b, wrap(r.typ, "A", "It", "B"), wrap(r.typ, "C", "It", "A"), uint64(i), 2)
			checkTypes(t, b, r.typ, reflect.PointerTo(r.typ), uint64(i), 2)
			if r.typ.Kind() != reflect.Pointer {
				checkTypes(t, b, reflect.PointerTo(r.typ), r.typ, uint64(i), 2)
			}
		})
	}
}

// TestEvolvedScalars tries every number as every other.
func TestEvolvedScalars(t *testing.T) {
	b := offHeap(t)
	for i, in := range scalarTypes {
		for j, out := range scalarTypes {
			checkTypes(t, b, in, out, uint64(i*100+j), 2)
			checkTypes(t, b, reflect.SliceOf(in), reflect.SliceOf(out), uint64(i*100+j), 3)
			checkTypes(t, b, reflect.ArrayOf(2, reflect.PointerTo(in)), reflect.ArrayOf(2, out), uint64(i*100+j), 2)
		}
	}
	exact := func(in, out any, ok bool) {
		t.Helper()
		r, err := format.EvolvedAny(reflect.TypeOf(out), modelDescription(reflect.TypeOf(in)), format.SchemaLimits{})
		if err != nil {
			t.Fatal(err)
		}
		p, got := reflect.New(reflect.TypeOf(in)), reflect.New(reflect.TypeOf(out))
		p.Elem().Set(reflect.ValueOf(in))
		err = r.Decode(mustModelEncode(p.Interface()), got.Interface())
		if ok && (err != nil || got.Elem().Interface() != out) || !ok && !errors.Is(err, format.ErrLimit) {
			t.Errorf("%T %v as %T: %v, %v, want %v %v", in, in, out, got.Elem(), err, out, ok)
		}
	}
	exact(int32(1<<24), float32(1<<24), true)
	exact(int32(1<<24+1), float32(0), false)
	exact(int64(math.MinInt64), float32(math.MinInt64), true)
	exact(int64(math.MaxInt64), float64(0), false)
	exact(uint64(math.MaxUint64), float64(0), false)
	exact(uint64(1<<63), float32(1<<63), true)
	exact(uint64(1<<53+1), float64(0), false)
	exact(int64(-40971067970454470), float64(0), false) // which is the shortest text of another
	exact(uint64(1<<63), int64(0), false)
	exact(int8(-1), uint64(0), false)
	exact(int64(128), int8(0), false)
	exact(int64(-128), int8(-128), true)
	exact(0.1, float32(0), false)
	exact(1e39, float32(0), false)
	exact(math.Inf(-1), float32(math.Inf(-1)), true)
	exact(math.SmallestNonzeroFloat64, float32(0), false)
	exact(float64(math.SmallestNonzeroFloat32), float32(math.SmallestNonzeroFloat32), true)
	exact(true, int8(1), true)
}

// edit makes another version of t. It leaves types with names as they are.
func (f *filler) edit(t reflect.Type, key bool) reflect.Type {
	named := t.PkgPath() != "" || isOpaque(t)
	if f.below(8) == 0 && !key {
		return reflect.PointerTo(t)
	}
	switch {
	case isScalar(t):
		if f.below(2) == 0 {
			return scalarTypes[f.below(len(scalarTypes))]
		}
	case named:
	case t.Kind() == reflect.Pointer:
		if f.below(4) == 0 {
			return t.Elem()
		}
		return reflect.PointerTo(f.edit(t.Elem(), false))
	case t.Kind() == reflect.String:
		if f.below(4) == 0 && !key {
			return reflect.TypeFor[[]byte]()
		}
	case t.Kind() == reflect.Slice:
		if modelKind(t.Elem()) == 6 && f.below(2) == 0 {
			return reflect.TypeFor[string]()
		}
		if f.below(8) == 0 {
			return reflect.ArrayOf(f.below(3), f.edit(t.Elem(), false))
		}
		return reflect.SliceOf(f.edit(t.Elem(), false))
	case t.Kind() == reflect.Array:
		if f.below(4) == 0 && !key {
			return reflect.SliceOf(f.edit(t.Elem(), false))
		}
		return reflect.ArrayOf(t.Len(), f.edit(t.Elem(), key))
	case t.Kind() == reflect.Map:
		return reflect.MapOf(f.edit(t.Key(), true), f.edit(t.Elem(), false))
	case t.Kind() == reflect.Struct && !key:
		return f.editStruct(t)
	}
	return t
}

func (f *filler) editStruct(t reflect.Type) reflect.Type {
	var out []reflect.StructField
	for i, s := range fieldsOf(t) {
		if s.PkgPath == "" && s.Tag.Get("ashlar") != "-" {
			switch f.below(8) {
			case 0:
				continue
			case 1:
				old, _, _ := strings.Cut(s.Tag.Get("ashlar"), ",")
				if old == "" {
					old = s.Name
				}
				s.Name = fmt.Sprintf("%sx%d", s.Name, i)
				s.Tag = reflect.StructTag(fmt.Sprintf(`ashlar:",alias=%s"`, old))
			case 2, 3, 4:
				s.Type = f.edit(s.Type, false)
			}
		}
		out = append(out, s)
	}
	for i := range f.below(3) {
		s := reflect.StructField{Name: fmt.Sprintf("New%d", i), Type: randomType(f, 1)}
		if s.Type.Kind() == reflect.Int16 && s.Type.PkgPath() == "" {
			s.Tag = `ashlar:",default=-3"`
		}
		out = slices.Insert(out, f.below(len(out)+1), s)
	}
	if f.below(3) == 0 && len(out) > 1 {
		i, j := f.below(len(out)), f.below(len(out))
		out[i], out[j] = out[j], out[i]
	}
	out = append(out, reflect.StructField{Name: "Last" + strconv.Itoa(len(out)), Type: reflect.TypeFor[uint8]()})
	return reflect.StructOf(out)
}

// versions makes a type and another version of it, in most cases structs.
func (f *filler) versions() (in, out reflect.Type) {
	for {
		in = randomType(f, 3)
		if in.Size() > 4<<10 {
			in = randomType(f, 1)
		}
		out = f.edit(in, false)
		if in.Kind() == reflect.Struct && in.PkgPath() == "" && !isOpaque(in) {
			out = f.editStruct(in)
		} else if f.below(4) > 0 {
			continue
		}
		if in != out && in.Size() <= 16<<10 && out.Size() <= 16<<10 && fits(in) && fits(out) {
			return in, out
		}
	}
}

// fits reports whether there is a codec for t: random ones may have elements without bytes.
func fits(t reflect.Type) bool {
	_, err := format.AnyFor(t)
	return err == nil
}

// TestEvolvedRandom tries random types, edits and values, also in boxes. With ASHLAR_LONG=1 it tries many more.
func TestEvolvedRandom(t *testing.T) {
	b := offHeap(t)
	rounds := 500
	if long {
		rounds = 20_000
	} else if thin() {
		rounds = 80
	}
	for i := range rounds {
		seed := uint64(i) + 1<<40
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			in, out := seeded(seed, 0).versions()
			checkTypes(t, b, in, out, seed, 2)
			checkTypes(t, b, out, in, seed, 2)
			if i%4 == 0 {
				checkBoxes(t, b, in, out, seed)
			}
		})
		if t.Failed() {
			return
		}
	}
}

// FuzzEvolve makes a type and a version of it of the first number, chooses by the bits of the second what is
// read and how, and makes values of the bytes. The model says what each reader must make of them.
func FuzzEvolve(f *testing.F) {
	for i := range uint16(64) {
		f.Add(i*31, uint8(i*37), []byte{byte(i), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
		f.Add(i*37, uint8(i*29), bytes.Repeat([]byte{byte(i) * 5, 0xff, 0}, 40))
	}
	b := offHeap(f)
	made := map[fuzzedPair]*fuzzedEvolution{}
	boxings := map[fuzzedPair]*boxing{}
	f.Fuzz(func(t *testing.T, types uint16, mode uint8, data []byte) {
		if len(data) > 512 {
			return // a value as large takes long
		}
		pair := fuzzedPair{types % 512, mode % fuzzModes &^ fuzzKept} // reflect never forgets a type
		e := made[pair]
		if e == nil {
			e = pair.evolution(t, boxings)
			made[pair] = e
		}
		if e.reader != nil {
			e.round(t, b, mode&fuzzKept != 0, data)
		}
	})
}

// Bits of the mode of FuzzEvolve.
const (
	fuzzRefs = 1 << iota
	fuzzShared
	fuzzBack  // the version is the writer's type
	fuzzKept  // values are read over old ones
	fuzzBoxed // the types are what interfaces hold
	fuzzAny   // and the type around them is the writer's
	fuzzModes
)

type fuzzedPair struct {
	types uint16
	mode  uint8
}

type fuzzedEvolution struct {
	evolution // without a reader where there is nothing to try
	boxing    *boxing
}

// evolution makes what is tried; boxings are those that have been made.
func (p fuzzedPair) evolution(t *testing.T, boxings map[fuzzedPair]*boxing) *fuzzedEvolution {
	in, out := seeded(uint64(p.types), 0).versions()
	if p.mode&fuzzBack != 0 {
		in, out = out, in
	}
	x := new(fuzzedEvolution)
	var opts []format.Option
	if p.mode&fuzzBoxed != 0 {
		types, ok := fuzzedPair{p.types, p.mode & fuzzBack}, false
		if x.boxing, ok = boxings[types]; !ok {
			x.boxing = newBoxing(in, out)
			boxings[types] = x.boxing
		}
		if x.boxing == nil {
			return x
		}
		opts = x.boxing.opts
		in, out = reflect.TypeFor[boxesBefore](), reflect.TypeFor[boxesAfter]()
		if p.mode&fuzzAny != 0 {
			in, out = reflect.TypeFor[[2]any](), reflect.TypeFor[[2]any]()
		}
	}
	e, err := newEvolution(in, out, p.mode&fuzzRefs != 0, p.mode&fuzzShared != 0, opts...)
	if possible(in, out) != (err == nil) {
		t.Fatalf("%v as %v: %v", in, out, err)
	}
	if err == nil {
		x.evolution = *e
	}
	if in == out {
		x.reader = x.own
	}
	return x
}

func (x *fuzzedEvolution) round(t *testing.T, b *buffer.Buffer, kept bool, data []byte) {
	fill := &filler{next: numbersOf(data), budget: min(4+len(data), 60), nils: 2}
	in := reflect.ValueOf(fill.writers(x.in))
	old := reflect.New(x.out)
	if kept {
		old = fill.random(x.out)
	}
	if x.boxing != nil {
		defer x.boxing.known()()
		fill.plant(in.Elem(), x.boxing.in)
		fill.plant(old.Elem(), x.boxing.out)
	}
	x.checkOver(t, b, in.Interface(), old.Interface())
}

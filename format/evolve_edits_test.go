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
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

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

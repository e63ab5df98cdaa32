package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // for machines that have none

	"github.com/ashlar-go/ashlar/format"
)

type inner01 struct {
	A int32
	B string
}

// Fields promoted through a nil pointer must not be followed: such a type is refused by
// the name of what it embeds, or the field is left out.
func caseEmbeddedUnexported(t *testing.T) {
	type byPointer struct {
		*inner01
		C int8
	}
	type byValue struct {
		inner01
		C int8
	}
	type deep struct {
		D string
		P map[string][]*byPointer
	}
	for _, v := range []any{new(byPointer), new(byValue), &byPointer{&inner01{1, "x"}, 2}, new(deep), new([]byPointer)} {
		_, err := format.Marshal(v)
		wantErr(t, fmt.Sprintf("Marshal of %T", v), err, format.ErrType)
		if err != nil && !strings.Contains(err.Error(), "inner01") {
			t.Errorf("the error does not name what is embedded: %v", err)
		}
		wantErr(t, fmt.Sprintf("Unmarshal into %T", v), format.Unmarshal(craft(reflect.TypeFor[int8](), 0), v), format.ErrType)
	}
	type tagged struct {
		*inner01 `ashlar:"-"`
		C        int8
	}
	for _, v := range []tagged{{nil, 9}, {&inner01{1, "x"}, 9}} {
		msg, err := format.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		into := tagged{nil, 1}
		if err := format.Unmarshal(msg, &into); err != nil || into.inner01 != nil || into.C != 9 {
			t.Errorf("%+v, %v", into, err)
		}
		kept := tagged{&inner01{1, "kept"}, 2}
		if err := format.Unmarshal(msg, &kept); err != nil || *kept.inner01 != (inner01{1, "kept"}) || kept.C != 9 {
			t.Errorf("%+v, %v: what is left out is not the message's", kept, err)
		}
	}
}

// The methods that an embedded type lends to a struct must not swallow what stands beside it.
func caseEmbeddedMarshalers(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	type Both struct {
		time.Time
		UUID
		A int32
	}
	type Deeper struct {
		Stamped
		Host
		B string
	}
	type Pointed struct {
		*Stamped
		*UUID
		C []string
	}
	for _, v := range []any{
		&Stamped{at, "note", 7}, &Stamped{}, &Host{80, oddAddrs[4]}, &HostPointer{&oddAddrs[2], 443}, &HostPointer{nil, 1},
		&Both{at, UUID{1}, 2}, &Deeper{Stamped{at, "n", 1}, Host{1, oddAddrs[1]}, "b"}, &Pointed{&Stamped{at, "n", 1}, &UUID{2}, []string{"c"}}, &Pointed{},
		&[]Both{{at, UUID{1}, 2}, {}}, &map[string]Both{"a": {at, UUID{1}, 2}}, &map[Host]int8{{1, oddAddrs[1]}: 1, {2, oddAddrs[1]}: 2}, &[]any{Stamped{at, "in a box", 1}},
	} {
		checkMarshal(t, reflect.ValueOf(v), reflect.New(reflect.TypeOf(v).Elem()))
	}
	msg, err := format.Marshal(Stamped{at, "note", 7})
	var got Stamped
	if err := errors.Join(err, format.Unmarshal(msg, &got)); err != nil || got.Note != "note" || got.N != 7 || !got.Equal(at) {
		t.Errorf("%+v, %v", got, err)
	}
}

// Nil and empty must stay apart in maps too, also over a target that had something.
func caseNilAndEmptyMaps(t *testing.T) {
	type in struct {
		Map   map[string]int8
		Maps  map[string]map[int8]bool
		PMap  *map[string]int8
		Slice map[string][]int8
		Any   any
		PAny  *any
		Time  *time.Time
		Own   *Words
		Bytes AppendsText
	}
	values := []in{
		{}, {Map: map[string]int8{}}, {Map: map[string]int8{"": 0}}, {Maps: map[string]map[int8]bool{}}, {Maps: map[string]map[int8]bool{"a": nil, "b": {}, "c": {0: false}}},
		{PMap: new(map[string]int8)}, {PMap: &map[string]int8{}}, {Slice: map[string][]int8{"a": nil, "b": {}, "c": {0}}},
		{Any: 0}, {Any: ""}, {Any: (*int)(nil)}, {Any: []any(nil)}, {Any: []any{}}, {Any: map[string]any(nil)}, {Any: map[string]any{}}, {Any: new(any)}, {PAny: new(any)},
		{PAny: new(any([]any{nil}))}, {Time: &time.Time{}}, {Own: &Words{}}, {Bytes: AppendsText{}}, {Any: Trie{"x": nil, "y": {}}},
	}
	c := must(forget[in]())
	for i := range values {
		msg, err := c.Append(nil, &values[i])
		if err != nil || !bytes.Equal(msg, mustModelEncode(&values[i])) {
			t.Errorf("%+v: %v", values[i], err)
			continue
		}
		for j := range values {
			for _, d := range decodes {
				target := copyOf(&values[j])
				if err := d.call(c, msg, target); err != nil {
					t.Errorf("%s of %+v: %v", d.name, values[i], err)
				} else if diff := difference(target, &values[i]); diff != "" {
					t.Errorf("%s of %+v into %+v gives%s", d.name, values[i], values[j], diff)
				}
			}
		}
	}
}

// A pointer that the collector cannot see, or one that is none, shows when it never rests.
// All types of the table: TestCollectorKeepsDecodedValues.
func caseCollector(t *testing.T) {
	defer collecting()()
	type T struct {
		Map    map[string][]*Point
		Points []*Point
		Boxes  []any
		Names  map[string]any
		Texts  []*string
		Deep   map[string]map[int32]*Node
		Keys   map[any]*int64
		Own    map[UUID]*Words
		Times  []*time.Time
	}
	r := of[T]("T")
	var values []any
	for seed := range uint64(4) {
		f := seeded(seed, 400)
		f.nils = 1
		values = append(values, f.random(r.typ).Interface())
	}
	for _, opts := range [][]format.Option{nil, {format.WithRefs()}, {format.WithShared()}} {
		c := must(r.make(opts...))
		var kept []any
		reused := [4]any{new(T), new(T), new(T), new(T)}
		for round := range thinned(24) {
			v := values[round%len(values)]
			for i, d := range decodes {
				got := any(new(T))
				if round%2 == 1 {
					got = reused[i]
				} else {
					kept = append(kept, got)
				}
				if err := d.call(c, alignedCopy(mustModelEncode(v)), got); err != nil {
					t.Fatalf("%s: %v", d.name, err)
				}
				if diff := difference(got, v); diff != "" {
					t.Fatalf("%s gives%s", d.name, diff)
				}
			}
		}
		for i, got := range kept {
			if diff := difference(got, values[i/len(decodes)*2%len(values)]); diff != "" {
				t.Fatalf("value %d has become%s", i, diff)
			}
		}
	}
}

// A time is the same instant on the same clock, whatever kind of zone it had.
func caseZones(t *testing.T) {
	var times []time.Time
	for _, name := range []string{"UTC", "Local", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Africa/Monrovia", "Pacific/Kiritimati"} {
		loc, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, year := range []int{1, 1800, 1900, 1971, 2026, 9999} {
			for _, month := range []time.Month{1, 7} {
				times = append(times, time.Date(year, month, 3, 4, 5, 6, 789_012_345, loc))
			}
		}
	}
	for _, offset := range []int{0, 1, -1, 59, 60, -3600, 14 * 3600, 86_399, -86_399} {
		times = append(times, time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("fixed", offset)))
	}
	now := time.Now()
	times = append(times, now, now.UTC(), now.Local(), now.Round(0), time.Time{}, time.Time{}.Local(), time.Unix(0, 0), time.Unix(-1, 1), time.UnixMilli(1<<40))
	type T struct {
		Time time.Time
		Ptr  *time.Time
		Map  map[string]time.Time
		Any  any
		Many []time.Time
	}
	c := must(forget[T]())
	targets := map[string]*T{}
	for _, at := range times {
		v := T{at, &at, map[string]time.Time{"a": at}, at, []time.Time{at}}
		msg, err := c.Append(nil, &v)
		if err != nil || !bytes.Equal(msg, mustModelEncode(&v)) {
			t.Errorf("%v: %v", at, err)
			continue
		}
		for _, d := range decodes {
			if targets[d.name] == nil {
				targets[d.name] = new(T)
			}
			got := targets[d.name]
			if err := d.call(c, msg, got); err != nil {
				t.Fatalf("%s of %v: %v", d.name, at, err)
			}
			_, want := at.Zone()
			for place, x := range map[string]time.Time{"field": got.Time, "pointer": *got.Ptr, "map": got.Map["a"], "box": got.Any.(time.Time), "slice": got.Many[0]} {
				_, offset := x.Zone()
				if !x.Equal(at) || offset != want || x.Format(time.RFC3339Nano) != at.Format(time.RFC3339Nano) {
					t.Errorf("%s in a %s gives %v for %v", d.name, place, x, at)
				}
				if want == 0 && x.Location() != time.UTC {
					t.Errorf("%s in a %s gives the zone %v for offset 0", d.name, place, x.Location())
				}
				if name, _ := x.Zone(); want != 0 && name != "" {
					t.Errorf("%s keeps a name %q", d.name, name)
				}
			}
			if again, err := c.Append(nil, got); err != nil || !bytes.Equal(again, msg) {
				t.Errorf("%v is written otherwise once it was read: %v", at, err)
			}
		}
	}
	if now.String() == now.Round(0).String() {
		t.Error("no monotonic reading was tried")
	}
	for _, offset := range []int{86_400, -86_400, 1 << 30} {
		at := time.Unix(0, 0).In(time.FixedZone("", offset))
		for _, v := range []any{&at, &[]time.Time{at}, &T{Time: at}, &T{Ptr: &at}, &T{Map: map[string]time.Time{"a": at}}, &T{Any: at}} {
			_, err := format.Marshal(v)
			wantErr(t, fmt.Sprintf("Marshal of a zone of %d s in %T", offset, v), err, format.ErrLimit)
		}
	}
}

// A map in which a key cannot be found again, or stands twice, must not come to be.
func caseOddKeys(t *testing.T) {
	type key struct {
		A string
		F float64
	}
	nan := math.NaN()
	for name, v := range map[string]any{
		"float64": map[float64]int8{nan: 1, 1: 2}, "two": map[float64]int8{nan: 1, -nan: 2, math.NaN(): 3}, "float32": map[float32]int8{float32(nan): 1},
		"complex": map[complex128]int8{complex(1, nan): 1}, "struct": map[key]int8{{"a", 1}: 1, {"b", nan}: 2}, "array": map[[2]float64]int8{{1, nan}: 1},
		"any": map[any]int8{nan: 1}, "deep": map[any]int8{[2]any{1, nan}: 1}, "alone": map[[1]complex64]struct{}{{complex64(complex(nan, 0))}: {}},
		"inside": []any{map[any]any{nan: 1}},
	} {
		_, err := format.Marshal(v)
		wantErr(t, "Marshal of NaN in "+name, err, format.ErrType)
	}
	negative := math.Copysign(0, -1)
	for _, v := range []any{
		&map[float64]int8{0: 1}, &map[float64]int8{negative: 1}, &map[[2]float64]int8{{0, negative}: 1}, &map[any]int8{negative: 1},
		&map[complex128]int8{complex(negative, negative): 1}, &map[key]int8{{"a", negative}: 1}, &map[any]int8{[2]any{negative, key{}.F}: 1},
	} {
		checkMarshal(t, reflect.ValueOf(v), reflect.New(reflect.TypeOf(v).Elem()))
	}
	a, err := format.Marshal(map[float64]int8{0: 1})
	b, err2 := format.Marshal(map[float64]int8{negative: 1})
	if err := errors.Join(err, err2); err != nil || !bytes.Equal(a, b) {
		t.Errorf("0 and -0 are two keys: %v", err)
	}
	one := math.Float64bits(1)
	for name, msg := range map[string][]byte{
		"float":  craft(reflect.TypeFor[map[float64]int64](), ref(1, 2), one, 1, one, 2),
		"zeroes": craft(reflect.TypeFor[map[float64]int64](), ref(1, 2), 1<<63, 1, 0, 2),
		"NaN":    craft(reflect.TypeFor[map[float64]int64](), ref(1, 1), math.Float64bits(nan), 1),
	} {
		for _, d := range decodes {
			wantErr(t, d.name+" of a bad key, "+name, d.call(must(forget[map[float64]int64]()), msg, new(map[float64]int64)), format.ErrCorrupt)
		}
	}
	for _, d := range decodes {
		c, m := must(forget[map[string]int64]()), new(map[string]int64)
		wantErr(t, d.name+" of a string twice", d.call(c, craft(c.Type(), ref(1, 2), ref(4, 1), 1, ref(3, 1), 2, 'a', 'a'), m), format.ErrCorrupt)
		wantErr(t, d.name+" of no string twice", d.call(c, craft(c.Type(), ref(1, 2), 0, 1, 0, 2), m), format.ErrCorrupt)
		c = must(forget[map[any]int64]())
		wantErr(t, d.name+" of nil twice", d.call(c, craft(c.Type(), ref(1, 2), 0, 1, 0, 2), new(map[any]int64)), format.ErrCorrupt)
	}
}

// An int that does not fit must be an error wherever it stands: cut off it would be
// another number, or another key. In fields: TestIntsOf32Bits.
func caseIntsOf32Bits(t *testing.T) {
	wide := math.MaxInt > math.MaxInt32
	check := func(name string, c *codec, msg []byte, fits bool) {
		t.Helper()
		for _, d := range decodes {
			err := d.call(c, msg, reflect.New(c.Type()).Interface())
			if (wide || fits) && err != nil || !wide && !fits && !errors.Is(err, format.ErrLimit) {
				t.Errorf("%s of %s: %v", d.name, name, err)
			}
		}
		if err := c.Verify(msg); (err == nil) != (wide || fits) {
			t.Errorf("Verify of %s: %v", name, err)
		}
	}
	for _, x := range []int64{1, -1, math.MaxInt32, math.MinInt32, 1 << 31, -1<<31 - 1, math.MaxInt64, math.MinInt64} {
		fits := x == int64(int32(x))
		check(fmt.Sprintf("%d as a key", x), must(forget[map[int]int8]()), mustModelEncode(&map[int64]int8{x: 1}), fits)
		check(fmt.Sprintf("%d as a map's value", x), must(forget[map[string]int]()), mustModelEncode(&map[string]int64{"a": x}), fits)
		check(fmt.Sprintf("%d in a key", x), must(forget[map[[2]int]int8]()), mustModelEncode(&map[[2]int64]int8{{0, x}: 1}), fits)
		check(fmt.Sprintf("%d as a map's optional", x), must(forget[map[int8]*int]()), mustModelEncode(&map[int8]*int64{1: &x}), fits)
		check(fmt.Sprintf("%d in a slice", x), must(forget[map[string][]int]()), mustModelEncode(&map[string][]int64{"a": {1, x}}), fits)
		id := box64[int]("int")
		check(fmt.Sprintf("%d in a box", x), must(forget[any]()), craft(reflect.TypeFor[any](), ref(1, 1), id, uint64(x)), fits)
		check(fmt.Sprintf("%d in a box in a key", x), must(forget[map[any]struct{}]()), craft(reflect.TypeFor[map[any]struct{}](), ref(1, 1), ref(1, 1), id, uint64(x)), fits)
		check(fmt.Sprintf("%d in a slice in a box", x), must(forget[any]()), craft(reflect.TypeFor[any](), ref(1, 1), box64[[]int]("[]int"), ref(1, 1), uint64(x)), fits)
		u := uint64(x)
		fits = u == uint64(uint32(u))
		check(fmt.Sprintf("%d as an unsigned key", u), must(forget[map[uint]int8]()), mustModelEncode(&map[uint64]int8{u: 1}), fits)
		check(fmt.Sprintf("%d in an unsigned box", u), must(forget[any]()), craft(reflect.TypeFor[any](), ref(1, 1), box64[uint]("uint"), u), fits)
	}
	// A pair of keys that are one once they are cut off.
	check("keys that fall together", must(forget[map[int]int8]()), mustModelEncode(&map[int64]int8{1: 1, 1<<32 | 1: 2}), false)
}

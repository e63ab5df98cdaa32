package format_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
)

// TestModelByHand holds the model to messages that were made from SPEC.md with
// paper and sha256sum.
func TestModelByHand(t *testing.T) {
	self := List{Value: 9}
	self.Next = &self
	for _, x := range []struct {
		r    row
		want string
	}{
		{of("map of two", map[string]int8{"b": 2, "a": -1}), `
			a54c 01 00 09000000 ecf165d933c049f5
			01000000 02000000                      2 entries at 18
			04000000 01000000 ff 00000000000000    key at 38, -1
			03000000 01000000 02 00000000000000    key at 40, 2
			61 00000000000000
			62 00000000000000`},
		{of("time", time.Unix(0, 5).In(time.FixedZone("", -3600))), `
			a54c 01 00 04000000 764c8a3561c7cf26
			00f791770e000000 05000000 f0f1ffff     62,135,596,800 s, 5 ns, -3,600 s`},
		{of[any]("box of int", 7), `
			a54c 01 00 05000000 dbe726e81a7221a3
			01000000 01000000                      a box at 18
			c0f0ae3b58aa82b3 0700000000000000      int, 7`},
		{of[any]("nil interface", nil), `
			a54c 01 00 03000000 dbe726e81a7221a3
			0000000000000000`},
		{ofGraph("points at itself", &self), `
			a54c 01 01 04000000 4b70515885f9ca65
			09000000 00000000                      Value, gap
			ffffffff 01000000                      Next: at 10`},
		{of("custom of no bytes", Appends{}), `
			a54c 01 00 03000000 dce37f3512b6337d
			0100000000000000`},
		{of("customs", []Appends{{}, {2}}), `
			a54c 01 00 06000000 ab6d2cccaccc674d
			01000000 02000000                      2 elements at 18
			0100000000000000                       no bytes
			01000000 02000000                      2 bytes at 28
			7878 000000000000`},
		{of("keys in boxes", map[any]int8{7: 2, nil: 1}), `
			a54c 01 00 09000000 3aecd129e0ac576d
			01000000 02000000                      2 entries at 18
			0000000000000000 01 00000000000000     nil, 1
			02000000 01000000 02 00000000000000    key in a box at 38, 2
			c0f0ae3b58aa82b3 0700000000000000      int, 7`},
		{of("optionals in entries", map[float64]*int8{math.Copysign(0, -1): nil, -1: new(int8(5))}), `
			a54c 01 00 09000000 39225f4c4a814815
			01000000 02000000                      2 entries at 18
			0100000000000000 000000000000f0bf 05 00000000000000
			0000000000000000 0000000000000000 00 00000000000000`},
	} {
		var digits strings.Builder
		for line := range strings.Lines(x.want) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "    ") // before what it means
			digits.WriteString(strings.ReplaceAll(line, " ", ""))
		}
		want, err := hex.DecodeString(digits.String())
		if err != nil {
			t.Fatalf("%s: %v", x.r.name, err)
		}
		if got := x.r.encode(x.r.values[0]); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", x.r.name, got, want)
		}
		back, err := modelDecodeWith(want, x.r.typ, x.r.options())
		if err != nil {
			t.Errorf("%s: %v", x.r.name, err)
		} else if d := x.r.difference(back.Interface(), x.r.values[0]); d != "" {
			t.Errorf("%s gives%s", x.r.name, d)
		}
	}
}

// badMessage is a message that readers refuse, or nearly.
type badMessage struct {
	name string
	r    row
	msg  []byte
	want modelClass // "" if it is good after all
}

func bad[T any](name string, want modelClass, words ...uint64) badMessage {
	r := of[T](name)
	return badMessage{name, r, craft(r.typ, words...), want}
}

// badGraph is bad with the graph flag, for a reader that knows it.
func badGraph[T any](name string, want modelClass, words ...uint64) badMessage {
	r := ofGraph[T](name)
	msg := craft(r.typ, words...)
	msg[3] = 1
	return badMessage{name, r, msg, want}
}

func box64[T any](name string) uint64 { return boxID(name, reflect.TypeFor[T]()) }

// badMessages breaks what is said of maps, interfaces, times, custom types and
// shared references, each beside what is still right.
func badMessages() []badMessage {
	const c = classCorrupt
	f := math.Float64bits
	nan, negative := f(math.NaN()), f(math.Copysign(0, -1))
	u64 := func(i int64) uint64 { return uint64(i) }
	ints, anyInt := ref(1, 2), box64[int]("int")
	at := uint64(toYear1)
	second := func(ns uint32, east int32) uint64 { return uint64(uint32(east))<<32 | uint64(ns) }
	return []badMessage{
		bad[map[int64]int64]("ascending", "", ints, u64(-1), 0, 1, 0),
		bad[map[int64]int64]("descending", c, ints, 1, 0, u64(-1), 0),
		bad[map[int64]int64]("twice", c, ints, 1, 0, 1, 1),
		bad[map[int64]int64]("one entry more than there is", c, ref(1, 3), 1, 0, 2, 1),
		bad[map[int64]int64]("empty", "", 1),
		bad[map[int64]int64]("count 0", c, 2, 0, 0),
		bad[map[uint64]int64]("ascending without sign", "", ints, 1, 0, u64(-1), 0),
		bad[map[uint64]int64]("descending without sign", c, ints, u64(-1), 0, 1, 0),
		bad[map[float64]int64]("ascending floats", "", ints, f(-1), 0, f(0.5), 0),
		bad[map[float64]int64]("descending floats", c, ints, f(-1), 0, f(-2), 0),
		bad[map[float64]int64]("infinities", "", ints, f(math.Inf(-1)), 0, f(math.Inf(1)), 0),
		bad[map[float64]int64]("-0 alone", "", ref(1, 1), negative, 0),
		bad[map[float64]int64]("-0 and 0", c, ints, negative, 0, 0, 0),
		bad[map[float64]int64]("NaN alone", c, ref(1, 1), nan, 0),
		bad[map[float64]int64]("NaN last", c, ints, 0, 0, nan, 0),
		bad[map[int64]float64]("NaN as a value", "", ref(1, 1), 0, nan),
		bad[map[complex128]int64]("imaginary NaN", c, ref(1, 1), 0, nan, 0),
		bad[map[complex128]int64]("ascending by the imaginary part", "", ints, 0, f(1), 0, 0, f(2), 0),
		bad[map[complex128]int64]("the real part comes first", c, ints, f(1), f(1), 0, 0, f(2), 0),
		bad[map[bool]bool]("false before true", "", ints, 0x0001_0000),
		bad[map[bool]bool]("true before false", c, ints, 0x0000_0001),
		bad[map[bool]bool]("a key that is no bool", c, ref(1, 1), 2),
		bad[map[string]struct{}]("strings", "", ints, ref(2, 1), ref(2, 2), 'a', 'a'|'a'<<8),
		bad[map[string]struct{}]("strings of one length", c, ints, ref(2, 1), ref(2, 1), 'b', 'a'),
		bad[map[string]struct{}]("a prefix after", c, ints, ref(2, 2), ref(2, 1), 'a'|'a'<<8, 'a'),
		bad[map[string]struct{}]("empty string twice", c, ints, 0, 0),
		bad[map[string]struct{}]("bytes used twice", c, ints, ref(2, 1), ref(1, 2), 'a'|'b'<<8),
		bad[map[[2]int64]struct{}]("arrays", "", ints, 0, 1, 0, 2),
		bad[map[[2]int64]struct{}]("descending arrays", c, ints, 0, 2, 0, 1),
		bad[map[struct{}]struct{}]("nothing", "", ref(1, 1)),
		bad[map[struct{}]struct{}]("nothing twice", c, ref(1, 2)),
		bad[map[struct{}]struct{}]("nothing elsewhere", c, ref(2, 1), 0),
		bad[map[struct{}]int64]("one of two keys that are nothing", c, ref(1, 2), 0, 0),
		bad[map[UUID]struct{}]("custom", "", ref(1, 1), ref(1, 32), zeros, zeros, zeros, zeros),
		bad[map[UUID]struct{}]("custom that does not unmarshal", "method", ref(1, 1), ref(1, 31), zeros, zeros, zeros, zeros),
		bad[map[UUID]struct{}]("bytes of one key", "method", ref(1, 2), ref(2, 32), ref(5, 32),
			zeros, zeros, zeros, zeros>>8|'A'<<56, zeros, zeros, zeros, zeros>>8|'a'<<56),
		bad[map[netip.Addr]struct{}]("no bytes", "", ref(1, 1), 1),
		bad[map[netip.Addr]struct{}]("zero value and no bytes", c, ref(1, 2), 0, 1),
		bad[map[any]struct{}]("nil and int", "", ints, 0, ref(1, 1), anyInt, 1),
		bad[map[any]struct{}]("int and nil", c, ints, ref(2, 1), 0, anyInt, 1),
		bad[map[any]struct{}]("nil twice", c, ints, 0, 0),
		bad[map[any]struct{}]("ints in boxes", "", ints, ref(2, 1), ref(3, 1), anyInt, u64(-1), anyInt, 1),
		bad[map[any]struct{}]("descending ints in boxes", c, ints, ref(2, 1), ref(3, 1), anyInt, 1, anyInt, u64(-1)),
		bad[map[any]struct{}]("slice", c, ref(1, 1), ref(1, 1), box64[[]int]("[]int"), 0),
		bad[map[any]struct{}]("map", c, ref(1, 1), ref(1, 1), box64[map[string]any]("map[string]any"), 1),
		bad[map[any]struct{}]("time", c, ref(1, 1), ref(1, 1), box64[time.Time]("time.Time"), at, 0),
		bad[map[any]struct{}]("pointer", c, ref(1, 1), ref(1, 1), box64[*Point]("*Point"), 0),
		bad[map[any]struct{}]("optional", c, ref(1, 1), ref(1, 1), box64[*int]("*int"), 0, 0),
		bad[map[any]struct{}]("struct of a slice", c, ref(1, 1), ref(1, 1), box64[Node]("Node"), 0, 0, 0, 0),
		bad[map[any]struct{}]("NaN in a box", c, ref(1, 1), ref(1, 1), box64[float64]("float64"), nan),
		bad[map[any]struct{}]("pointer in a box in an array in a box", c, ref(1, 1), ref(1, 1), box64[[2]any]("[2]any"), 0, ref(1, 1), box64[*Point]("*Point"), 0),
		bad[map[any]struct{}]("int in a box in an array in a box", "", ref(1, 1), ref(1, 1), box64[[2]any]("[2]any"), 0, ref(1, 1), anyInt, 0),

		bad[any]("nil", "", 0),
		bad[any]("int", "", ref(1, 1), anyInt, 1),
		bad[any]("ref 1", c, 1),
		bad[any]("two boxes", c, ref(1, 2), anyInt, 1),
		bad[any]("no id", c, ref(1, 1)),
		bad[any]("id alone", c, ref(1, 1), anyInt),
		bad[any]("id alone is enough for nothing", "", ref(1, 1), box64[Nothing]("Nothing")),
		bad[any]("unknown id", c, ref(1, 1), anyInt+1, 1),
		bad[any]("id 0", c, ref(1, 1), 0, 1),
		bad[any]("a box in the header", c, ref(-1, 1), anyInt),
		bad[any]("a bool that is none", c, ref(1, 1), box64[bool]("bool"), 2),
		bad[any]("a box in itself", c, ref(1, 1), box64[*any]("*any"), ref(1, 1), ref(-2, 1)),
		bad[[2]any]("one box twice", c, ref(2, 1), ref(1, 1), anyInt, 1),
		bad[Shape]("what fits", "", ref(1, 1), box64[Square]("Square"), f(1)),
		bad[Shape]("what does not", c, ref(1, 1), anyInt, 1),

		bad[time.Time]("time", "", at, second(999_999_999, 86_399)),
		bad[time.Time]("far west", "", at, second(0, -86_399)),
		bad[time.Time]("a billion nanoseconds", c, at, second(1e9, 0)),
		bad[time.Time]("all nanoseconds", c, at, second(math.MaxUint32, 0)),
		bad[time.Time]("a day east", c, at, second(0, 86_400)),
		bad[time.Time]("a day west", c, at, second(0, -86_400)),
		bad[time.Time]("the end of the world", "", math.MaxInt64, second(0, 1)),
		bad[time.Time]("farthest west", c, at, second(0, math.MinInt32)),
		bad[*time.Time]("no time is not looked at", "", 0, at, second(math.MaxUint32, -1)),
		bad[*time.Time]("a time is", c, 1, at, second(math.MaxUint32, -1)),
		bad[*time.Time]("a spare bit", c, 2, at, 0),

		bad[UUID]("zero", "", 0),
		bad[UUID]("no bytes", "method", 1),
		bad[UUID]("count 0", c, 2, 0),
		bad[Words]("no bytes", "", 1),
		bad[Words]("bytes", "", ref(1, 3), 'a'|' '<<8|'b'<<16),
		bad[Words]("more bytes than there are", c, ref(1, 9), 0),

		badGraph[List]("itself", "", 1, ref(-1, 1)),
		bad[List]("itself without the flag", c, 1, ref(-1, 1)),
		badGraph[List]("nothing shared", "", 1, 0),
		badGraph[[2]*Point]("twice", "", ref(2, 1), ref(1, 1), 0),
		bad[[2]*Point]("twice without the flag", c, ref(2, 1), ref(1, 1), 0),
		badGraph[struct {
			A *int64
			B **int64
			C **int64
		}]("optionals by two pointers", "", 0, 0, ref(2, 1), ref(1, 1), 0, 0),
		badGraph[struct {
			A *Point
			B *twinPoint
		}]("of two types", c, ref(2, 1), ref(1, 1), 0),
		badGraph[[2]map[int64]int64]("a map twice", "", ref(2, 2), ref(1, 2), 1, 0, 2, 0),
		badGraph[[2]map[int64]int64]("a map twice, with two counts", c, ref(2, 2), ref(1, 1), 1, 0, 2, 0),
		badGraph[[2]string]("a string twice", c, ref(2, 1), ref(1, 1), 'a'),
		badGraph[[2]*string]("a string of two pointers", c, ref(2, 1), ref(1, 1), 'a'),
		badGraph[[2][]int8]("a slice twice", c, ref(2, 1), ref(1, 1), 1),
		badGraph[[2]any]("a box twice", c, ref(2, 1), ref(1, 1), anyInt, 1),
		badGraph[struct {
			A *Point
			B []Point
		}]("a pointer into a slice", c, ref(2, 1), ref(1, 1), 0),
		badGraph[struct {
			A [1]*Point
			B *[1]*Point
		}]("not quite the root", c, 0, ref(-1, 1)),
		badGraph[[2]*struct{}]("nothing twice", "", ref(1, 1), ref(1, 1)),
	}
}

const zeros = 0x3030303030303030 // eight digits

// TestModelRefuses holds the model to what SPEC.md calls corrupt.
func TestModelRefuses(t *testing.T) {
	for _, b := range badMessages() {
		_, err := modelDecodeWith(b.msg, b.r.typ, b.r.options())
		var e *modelError
		if errors.As(err, &e); (err == nil) != (b.want == "") || e != nil && e.class != b.want {
			t.Errorf("%v, %s: %v, want %q", b.r.typ, b.name, err, b.want)
		}
	}
	shared := mustCraftGraph()
	if _, err := modelDecode(shared, reflect.TypeFor[List]()); err == nil {
		t.Error("the flag is taken by a reader that does not know it")
	}
}

func mustCraftGraph() []byte { return badGraph[List]("", "", 1, ref(-1, 1)).msg }

// TestModelRefusesValues: what a writer reports.
func TestModelRefusesValues(t *testing.T) {
	type notRegistered struct{ X int8 }
	deep := any(1)
	for range modelMaxDepth + 1 {
		deep = []any{deep}
	}
	for name, v := range map[string]any{
		"NaN":                       &map[float64]int8{math.NaN(): 1},
		"NaN in a struct":           &map[PointKey]int8{{Y: float32(math.NaN())}: 1},
		"NaN in a box":              &map[any]int8{math.NaN(): 1},
		"imaginary NaN":             &map[complex64]int8{complex(0, float32(math.NaN())): 1},
		"pointer in a box in a key": &map[any]int8{new(Point): 1},
		"time in a box in a key":    &map[any]int8{time.Time{}: 1},
		"pointer deep in a key":     &map[any]int8{[2]any{1: new(Point)}: 1},
		"not registered":            new(any(notRegistered{})),
		"pointer to registered":     new(any(new(Square))),
		"in a key, not registered":  &map[any]int8{notRegistered{}: 1},
		"two keys of one text":      &map[Overrider]int8{{Name: "x"}: 1, {Name: "x", UUID: UUID{1}}: 2},
		"a day east":                new(time.Unix(0, 0).In(time.FixedZone("", 86_400))),
		"too deep":                  &deep,
	} {
		if _, err := modelEncode(v); err == nil {
			t.Errorf("%s is written", name)
		}
	}
}

// TestCustomTypes: which types marshal themselves (§2.6).
func TestCustomTypes(t *testing.T) {
	v := reflect.TypeFor[Customs]()
	for i := range v.NumField() {
		f := v.Field(i)
		want := strings.Contains("Addr Prefix Big URL UUID Celsius Words Appends Text Slug Flags Opaque", f.Name)
		if got := isCustom(f.Type); got != want {
			t.Errorf("%s %v: custom is %v", f.Name, f.Type, got)
		}
	}
	for typ, want := range map[reflect.Type]bool{
		reflect.TypeFor[time.Time](): false, reflect.TypeFor[Stamped](): false, reflect.TypeFor[Host](): false, reflect.TypeFor[HostPointer](): false,
		reflect.TypeFor[Overrider](): true, reflect.TypeFor[HalfOverrider](): false, reflect.TypeFor[Fallen](): true, reflect.TypeFor[Grade](): false,
		reflect.TypeFor[textual](): true, reflect.TypeFor[binaryOnPtr](): true, reflect.TypeFor[onlyMarshal](): false, reflect.TypeFor[onlyUnmarshal](): false,
		reflect.TypeFor[promoted](): false, reflect.TypeFor[level](): false, reflect.TypeFor[levels](): true, reflect.TypeFor[pair](): true,
		reflect.TypeFor[*UUID](): false, reflect.TypeFor[[2]UUID](): false, reflect.TypeFor[encodingText](): false,
	} {
		if got := isCustom(typ); got != want {
			t.Errorf("%v: custom is %v", typ, got)
		}
	}
}

// encodingText is an interface that demands the methods, which makes it no custom type.
type encodingText interface {
	MarshalText() ([]byte, error)
	UnmarshalText([]byte) error
}

package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestBoxesEndInside: a box whose id is the message's last word must not be read past the
// end, however much of the message is spare; nor may a ref count two boxes.
func TestBoxesEndInside(t *testing.T) {
	anyInt, hundred := box64[int]("int"), box64[[100]int64]("hundred")
	for _, b := range []badMessage{
		bad[any]("value behind the end", classCorrupt, ref(2, 1), 0, anyInt),
		bad[any]("value that ends behind", classCorrupt, append(append([]uint64{ref(101, 1)}, make([]uint64, 100)...), hundred, 0)...),
		bad[any]("value at the end", "", ref(2, 1), 0, anyInt, 1),
		bad[any]("two boxes with room", classCorrupt, ref(1, 2), anyInt, 1, 0, 0),
		bad[any]("2^32-1 boxes", classCorrupt, ref(1, math.MaxUint32), anyInt, 1, 0, 0),
		bad[map[any]struct{}]("key behind the end", classCorrupt, ref(1, 1), ref(2, 1), 0, anyInt),
		badGraph[[2]any]("boxes behind the end", classCorrupt, ref(3, 1), 0, 0, anyInt),
	} {
		x := newVictim(t, b.r.codec(t))
		if err := x.attack(t, b.msg); (err == nil) != (b.want == "") {
			t.Errorf("%s: the model says %v", b.name, err)
		}
	}
}

// TestKeysOfHiddenParts: a key in a box with a field that is not written would be another
// key once it was read.
func TestKeysOfHiddenParts(t *testing.T) {
	type hidden struct {
		A int64
		b int64 //lint:ignore U1000 it is not written
	}
	types := format.NewTypes()
	if err := format.RegisterIn[hidden](types, "hidden"); err != nil {
		t.Fatal(err)
	}
	c := format.MustFor[map[any]struct{}](format.WithTypes(types))
	_, err := c.Append(nil, &map[any]struct{}{hidden{A: 1}: {}})
	wantErr(t, "Append", err, format.ErrType)
	_, err = c.Append(make([]byte, 0, 1000), &map[any]struct{}{hidden{A: 1}: {}})
	wantErr(t, "Append with room", err, format.ErrType)
	msg := craft(reflect.TypeFor[map[any]struct{}](), ref(1, 1), ref(1, 1), boxID("hidden", reflect.TypeFor[hidden]()), 1)
	wantErr(t, "Decode", c.Decode(msg, new(map[any]struct{})), format.ErrCorrupt)
	wantErr(t, "Verify", c.Verify(msg), format.ErrCorrupt)
	if _, err := format.MustFor[any](format.WithTypes(types)).Append(nil, new(any(hidden{A: 1}))); err != nil {
		t.Errorf("as a value: %v", err)
	}
}

// TestWritersRefuseKeys: what cannot be a key is an error whether or not there is room, so
// whichever walk meets it first.
func TestWritersRefuseKeys(t *testing.T) {
	nan := math.NaN()
	for name, v := range map[string]row{
		"NaN": of("", map[float64]int8{nan: 1}), "NaN, float32": of("", map[float32]string{float32(nan): "x"}), "NaN among others": of("", map[float64]int8{1: 1, nan: 1, -1: 2}),
		"NaN in a struct": of("", map[PointKey]int8{{Y: float32(nan)}: 1}), "NaN in a box": of("", map[any]int8{nan: 1}), "imaginary NaN": of("", map[complex64]int8{complex(0, float32(nan)): 1}),
		"pointer": of("", map[any]int8{new(Point): 1}), "time": of("", map[any]int8{time.Time{}: 1}), "pointer deep down": of("", map[any]int8{[2]any{1: new(Point)}: 1}),
		"one text of two keys": of("", map[Overrider]int8{{Name: "x"}: 1, {Name: "x", UUID: UUID{1}}: 2}), "among others": of("", map[Overrider]int8{{Name: "x"}: 1, {Name: "x", UUID: UUID{1}}: 2, {Name: "a"}: 3, {Name: "z"}: 4}),
		"not registered": of("", map[any]int8{struct{ Q int8 }{1}: 1}),
	} {
		for _, opts := range [][]format.Option{nil, {format.WithRefs()}} {
			c := must(v.make(opts...))
			dst := make([]byte, 0, 4096)
			_, err := c.Append(dst, v.values[0])
			wantErr(t, "Append with room of "+name, err, format.ErrType)
			_, err = c.Append(nil, v.values[0])
			wantErr(t, "Append of "+name, err, format.ErrType)
			_, err = c.Size(v.values[0])
			wantErr(t, "Size of "+name, err, format.ErrType)
			wantErr(t, "Encode of "+name, c.Encode(buffer.New(4096), v.values[0]), format.ErrType)
		}
	}
}

// TestMapsOfTheTarget: Decode leaves the map that the target had alone; DecodeReuse fills
// it anew; with references it is always another.
func TestMapsOfTheTarget(t *testing.T) {
	msg := mustModelEncode(&map[string]int8{"new": 1})
	for _, refs := range []bool{false, true} {
		var opts []format.Option
		if refs {
			opts = []format.Option{format.WithRefs()}
		}
		c := must(forget[map[string]int8](opts...))
		for _, d := range decodes[:3] {
			old := map[string]int8{"old": 7, "new": 8}
			v := old
			if err := d.call(c, msg, &v); err != nil {
				t.Fatal(err)
			}
			if len(v) != 1 || v["new"] != 1 {
				t.Errorf("%s gives %v", d.name, v)
			}
			kept := d.name == "Decode" || refs
			if same := reflect.ValueOf(old).Pointer() == reflect.ValueOf(v).Pointer(); same == kept || kept && (len(old) != 2 || old["old"] != 7) {
				t.Errorf("%s, references %v: the old map is %v", d.name, refs, old)
			}
		}
	}
}

// TestEveryZone: zones are kept for later; one must not be given for another.
func TestEveryZone(t *testing.T) {
	var times []time.Time
	for east := -86_399; east <= 86_399; east += 1 + thinned(0) {
		times = append(times, time.Unix(1, 0).In(time.FixedZone("", east)))
	}
	msg, err := format.Marshal(&times)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		var got []time.Time
		if err := format.Unmarshal(msg, &got); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			_, a := times[i].Zone()
			if _, b := got[i].Zone(); a != b || !got[i].Equal(times[i]) {
				t.Fatalf("%v, want %v", got[i], times[i])
			}
		}
		slices.Reverse(times)
		if msg, err = format.Marshal(&times); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDepthOfMapsAndBoxes: a map that can hold refs is a step, and a box always is, for
// writers, Size and all readers alike.
func TestDepthOfMapsAndBoxes(t *testing.T) {
	limit := format.WithMaxDepth(2)
	for i, r := range []struct {
		depth int
		row
	}{
		{1, of("", map[string]string{"a": "b"})}, {2, of("", map[string]map[string]string{"a": {"b": "c"}})}, {3, of("", map[int8]map[int8]map[int8][]int8{1: {1: {1: {1}}}})},
		{3, of("", []map[string][]string{{"a": {"x"}}})}, {2, of("", []map[string][]int8{{"a": {1}}})},
		{1, of[any]("", 1)}, {3, of[any]("", []any{1})}, {2, of("", []any{1, "x"})}, {3, of[any]("", []any{[]any{}, 1})}, {3, of[any]("", map[string]any{"a": 1})}, {3, of("", [][]any{{1}})},
		{3, of("", map[any]int8{[2]any{1}: 1})}, {2, of("", map[any]int8{1: 1})}, {4, of("", map[any]int8{[2]any{[2]any{nil, 1}}: 1})}, {4, of("", []map[any]int8{{[2]any{1}: 1}})},
		{2, of[any]("", new(any(nil)))}, {3, of[any]("", new(any(1)))},
	} {
		fits := r.depth <= 2
		msg := mustModelEncode(r.values[0])
		if _, err := modelEncodeDepth(reflect.ValueOf(r.values[0]).Elem(), 2); (err == nil) != fits {
			t.Errorf("row %d, %v: the model says %v", i, r.typ, err)
		}
		for _, opts := range [][]format.Option{{limit}, {limit, format.WithRefs()}} {
			c := must(r.make(opts...))
			errs := map[string]error{"Verify": c.Verify(msg), "Encode": c.Encode(buffer.New(4096), r.values[0])}
			_, errs["Append"] = c.Append(nil, r.values[0])
			_, errs["Append with room"] = c.Append(make([]byte, 0, 4096), r.values[0])
			_, errs["Size"] = c.Size(r.values[0])
			for _, d := range decodes[:3] {
				errs[d.name] = d.call(c, msg, reflect.New(r.typ).Interface())
			}
			for name, err := range errs {
				if fits && err != nil || !fits && !errors.Is(err, format.ErrLimit) {
					t.Errorf("row %d, %s of %v, %d deep: %v", i, name, r.typ, r.depth, err)
				}
			}
		}
	}
}

// TestLimitOfMapsAndBoxes: the largest message bounds maps and boxes in Size, Append and
// Encode, to the byte.
func TestLimitOfMapsAndBoxes(t *testing.T) {
	for _, r := range []row{
		of("map", map[int32]int32{1: 1, 2: 2, 3: 3}), of("map of strings", map[string]string{"a": "b"}), of[any]("box", [100]int64{1}), of[any]("map in a box", map[string]any{"a": 1}),
		of("large map", numberedMap(1000)), of("keys", map[any]int8{1: 1, "x": 2}), of("custom", UUID{1}),
	} {
		msg := r.encode(r.values[0])
		for _, less := range []int{0, 8} {
			c := must(r.make(format.WithMaxMessage(int64(len(msg) - less))))
			errs := map[string]error{"Encode": c.Encode(buffer.New(2*len(msg)+64), r.values[0]), "Verify": c.Verify(msg)}
			_, errs["Size"] = c.Size(r.values[0])
			_, errs["Append"] = c.Append(nil, r.values[0])
			_, errs["Append with room"] = c.Append(make([]byte, 0, 2*len(msg)), r.values[0])
			for name, err := range errs {
				if less == 0 && err != nil || less > 0 && !errors.Is(err, format.ErrLimit) {
					t.Errorf("%s of a %s of %d bytes, %d too many: %v", name, r.name, len(msg), less, err)
				}
			}
		}
		for n := range len(msg) { // memory that is too small, by any amount, is grown or refused
			if n%8 != 0 && n < len(msg)-8 || thin() && n%88 != 0 {
				continue
			}
			got, err := must(r.make()).Append(make([]byte, 0, n), r.values[0])
			if err != nil || !bytes.Equal(got, msg) {
				t.Fatalf("%s into %d bytes: %v, %s", r.name, n, err, firstDifference(got, msg))
			}
			if err := must(r.make()).Encode(buffer.Wrap(alignedBytes(n)), r.values[0]); !errors.Is(err, buffer.ErrFull) {
				t.Fatalf("%s into a buffer of %d: %v", r.name, n, err)
			}
		}
	}
}

// TestSharedMapsThatChange: keys are compared where they lie in a message that somebody
// changes meanwhile; that must never lead outside of it, nor round for ever.
func TestSharedMapsThatChange(t *testing.T) {
	if raceEnabled {
		t.Skip("races on purpose")
	}
	type T struct {
		A map[string]int64
		B map[any]string
		C map[PointKey]bool
		D []any
	}
	v := T{A: map[string]int64{}, B: map[any]string{}, C: map[PointKey]bool{}, D: []any{1, "x", []any{true}}}
	for i := range 20 {
		v.A[fmt.Sprintf("key %d", i)], v.B[fmt.Sprint("text", i)], v.B[i], v.C[PointKey{X: int8(i), Z: [2]string{"a", fmt.Sprint(i)}}] = 1, "x", "y", true
	}
	good := mustModelEncode(&v)
	memory := newGuarded(t, maxHostile)
	faultsPanic(t)
	msg := memory.before(good)
	c := must(forget[T](format.WithShared()))
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := uint(0); ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			msg[16+i*7919%uint(len(msg)-16)] ^= byte(i)
			if i%16 == 0 {
				copy(msg[16:], good[16:])
			}
		}
	}()
	defer func() { close(stop); <-done }()
	for range thinned(20_000) {
		for _, err := range []error{c.Verify(msg), c.Decode(msg, new(T)), c.DecodeAlias(msg, new(T))} {
			if err != nil && !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrSchema) && !errors.Is(err, format.ErrLimit) {
				t.Fatal(err)
			}
		}
	}
}

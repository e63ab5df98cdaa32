package format_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
)

// TestSteadyWrites: a loop that writes values of maps, times, boxes, custom types and
// shared references into memory it has allocates nothing.
func TestSteadyWrites(t *testing.T) {
	if raceEnabled || !aliases() {
		t.Skip("this build allocates")
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	node := &Node{Name: "root"}
	node.List = []*Node{node, {Name: "kid", List: []*Node{node}}}
	byName := map[string]*Node{"a": node, "b": node}
	for _, r := range []row{
		of("map of string", map[string]int64{"a": 1, "bb": 2, "a longer key": 3}), of("map of int", map[int]int64{1: 1, -2: 2}), of("map of float", map[float64]int64{1: 1, -2: 2, 0.5: 3}),
		of("map of strings to strings", map[string]string{"a": "b", "c": ""}), of("map to slices", map[int32][]string{1: {"a"}, 2: nil}), of("map to structs", map[string]Point{"a": {1, 2}}),
		of("map of struct", map[PointKey]int8{{X: 1}: 1, {X: 2}: 2}), of("map of array", map[[2]int16]int8{{1}: 1, {2}: 2}),
		of("time", at), of("times", []time.Time{at, {}, at.UTC()}), of("optional times", []*time.Time{nil, &at}), of("map of times", map[string]time.Time{"a": at}),
		of("boxes of ints", []any{1, int8(2), uint64(3), 1e9, 1234567}), of("boxes of strings", []any{"a", "bb", ""}), of("boxes of structs", []any{Point{1, 2}, Square{1}, Optionals{}}),
		of("boxes of pointers", []any{&Point{1, 2}, nil, new(7)}), of("boxes of slices", []any{[]any{1, "x"}, []int{1}, []byte("x")}), of("boxes of maps", []any{map[string]any{"a": 1}, map[string]string{"b": "c"}}),
		of("map of boxes", map[string]any{"a": 1, "b": "x", "c": nil}), of("map of keys in boxes", map[any]int8{1: 1, "x": 2}),
		of("AppendBinary", []blob{{"x"}, {"a longer one"}, {}}), of("AppendBinary by pointers", []*blob{{"x"}, nil}), of("map of AppendBinary", map[string]blob{"a": {"x"}}), of("AppendText", AppendsText{"a"}),
		ofGraph("graph", node), ofGraph("graph by maps", &byName), ofGraph("a graph that is a tree", &Node{Name: "x", Any: 1}),
	} {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			v := r.values[0]
			msg := r.encode(v)
			dst := make([]byte, 0, len(msg))
			b := buffer.New(len(msg) + 64)
			for name, op := range map[string]func() error{
				"Append": func() error { _, err := c.Append(dst, v); return err },
				"Encode": func() error { b.Reset(); return c.Encode(b, v) },
				"Size":   func() error { _, err := c.Size(v); return err },
			} {
				for range 3 {
					if err := op(); err != nil {
						t.Fatal(err)
					}
				}
				if got := testing.AllocsPerRun(100, func() { _ = op() }); got > 0 {
					t.Errorf("%s allocates %v times", name, got)
				}
			}
		})
	}
}

// TestSteadyReads: a loop of aliasing decodes into one target, and Verify of anything,
// allocates nothing.
func TestSteadyReads(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	if aliases() {
		for _, r := range []row{
			of("map of string", map[string]int64{"a": 1, "bb": 2, "a longer key": 3}), of("map of int", map[int]float64{1: 1, -2: 2}),
			of("times", []time.Time{at, {}, at.UTC(), at.In(time.FixedZone("", -7))}), of("optional times", []*time.Time{&at, nil}),
			of("map of structs", map[string]Point{"a": {1, 2}, "b": {3, 4}}), of("map to strings", map[int32]string{1: "a"}), of("map of times", map[string]time.Time{"a": at}),
			of("struct", struct {
				M map[string]int64
				T time.Time
				N map[uint8]string
			}{map[string]int64{"x": 1}, at, map[uint8]string{1: "y"}}),
		} {
			c := r.codec(t)
			msg := alignedCopy(r.encode(r.values[0]))
			target := reflect.New(r.typ).Interface()
			read := func() error { return c.DecodeAlias(msg, target) }
			for range 3 {
				if err := read(); err != nil {
					t.Fatal(err)
				}
			}
			if got := testing.AllocsPerRun(100, func() { _ = read() }); got > 0 {
				t.Errorf("DecodeAlias of %s allocates %v times", r.name, got)
			}
			if d := difference(target, r.values[0]); d != "" {
				t.Errorf("%s gives%s", r.name, d)
			}
		}
	}
	for _, r := range append(append(table()[:len(table()):len(table())], graphRows()...), expansionRows()[:5]...) {
		c := r.codec(t)
		for i, v := range r.all(2) {
			msg := alignedCopy(r.encode(v))
			for range 2 {
				if err := c.Verify(msg); err != nil {
					t.Fatalf("%s: %v", r.name, err)
				}
			}
			if got := testing.AllocsPerRun(20, func() { _ = c.Verify(msg) }); got > 0 {
				t.Errorf("Verify of value %d of %s allocates %v times", i, r.name, got)
			}
		}
	}
}

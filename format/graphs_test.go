package format_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"
)

// randomGraph makes a graph of n nodes, all of which can be reached from the one
// that it gives: each hangs on an earlier one, and then edges run between any two.
// The edges are pointers, pointers to pointers, slices, maps and interfaces; maps
// and pointers to pointers are themselves shared.
func randomGraph(seed uint64, n int) *Crossing {
	f := seeded(seed, 0)
	nodes := make([]*Crossing, n)
	var twices []**Crossing
	var maps []map[int32]*Crossing
	for i := range nodes {
		nodes[i] = &Crossing{ID: int32(i)}
	}
	edge := func(from, to *Crossing) {
		switch choice := f.below(7); {
		case choice == 0 && from.Next == nil:
			from.Next = to
		case choice == 1 && from.Twice == nil:
			from.Twice = new(to)
			twices = append(twices, from.Twice)
		case choice == 2 && from.Any == nil:
			from.Any = to
		case choice == 3:
			if from.By == nil {
				from.By = map[int32]*Crossing{}
				maps = append(maps, from.By)
			}
			from.By[int32(f.below(1000))*int32(n)+to.ID] = to
		case choice == 4:
			if from.Named == nil {
				from.Named = map[string]*Crossing{}
			}
			from.Named[fmt.Sprint(len(from.Named))] = to
		default:
			from.Many = append(from.Many, to)
		}
	}
	for i := 1; i < n; i++ {
		edge(nodes[f.below(i)], nodes[i])
	}
	for range f.below(2*n + 1) {
		from := nodes[f.below(n)]
		edge(from, nodes[f.below(n)])
		if m := len(maps); m > 0 && from.Any == nil && f.below(4) == 0 {
			from.Any = maps[f.below(m)]
		}
		if m := len(twices); m > 0 && from.Twice == nil && f.below(4) == 0 {
			from.Twice = twices[f.below(m)]
		}
		if f.below(16) == 0 {
			from.Many = append(from.Many, nil)
		}
	}
	return nodes[0]
}

// graphDepth is a limit that no graph of n nodes meets.
func graphDepth(n int) int { return 4*n + 4 }

// TestModelOnGraphs takes random graphs through the model.
func TestModelOnGraphs(t *testing.T) {
	sizes := []int{1, 2, 3, 5, 10, 100, 1000, 10_000, 100_000}
	if thin() {
		sizes = sizes[:7]
	}
	for _, n := range sizes {
		for seed := range uint64(max(1, min(50, 2000/n))) {
			g := randomGraph(seed, n)
			o := modelOptions{graphDepth(n), true}
			msg, err := modelEncodeWith(reflect.ValueOf(g).Elem(), o)
			if err != nil {
				t.Fatalf("seed %d, %d nodes: %v", seed, n, err)
			}
			back, err := modelDecodeWith(msg, reflect.TypeFor[Crossing](), o)
			if err != nil {
				t.Fatalf("seed %d, %d nodes: %v", seed, n, err)
			}
			if d := graphDifference(g, back.Interface()); d != "" {
				t.Fatalf("seed %d, %d nodes: %.400s", seed, n, d)
			}
			if again, err := modelEncodeWith(back.Elem(), o); err != nil || !bytes.Equal(again, msg) {
				t.Fatalf("seed %d, %d nodes: written again: %v, %s", seed, n, err, firstDifference(again, msg))
			}
		}
	}
}

// TestGraphDifference: what is shared in one value alone is a difference.
func TestGraphDifference(t *testing.T) {
	p, q, m := &Point{1, 2}, &Point{1, 2}, map[string]int8{"x": 1}
	ring, longer := &List{}, &List{Next: &List{}}
	ring.Next = ring
	longer.Next.Next = longer
	for _, x := range []struct {
		name string
		a, b any
		same bool
	}{
		{"the same", &[]*Point{p, p}, &[]*Point{q, q}, true},
		{"shared in one", &[]*Point{p, p}, &[]*Point{p, q}, false},
		{"shared in the other", &[]*Point{p, q}, &[]*Point{p, p}, false},
		{"crossed", &[]*Point{p, q, p}, &[]*Point{p, q, q}, false},
		{"a map shared in one", &[]map[string]int8{m, m}, &[]map[string]int8{m, {"x": 1}}, false},
		{"a map shared in both", &[]map[string]int8{m, m}, &[]map[string]int8{m, m}, true},
		{"rings of one and two", ring, longer, false},
		{"the same ring", longer, longer, true},
		{"text is not shared", &[]*string{new("x"), new("x")}, func() any { s := new("x"); return &[]*string{s, s} }(), true},
		{"empty maps are not shared", &[]map[string]int8{{}, {}}, func() any { m := map[string]int8{}; return &[]map[string]int8{m, m} }(), true},
		{"in boxes", &[]any{p, p}, &[]any{p, q}, false},
	} {
		if d := graphDifference(x.a, x.b); (d == "") != x.same {
			t.Errorf("%s: %q", x.name, d)
		}
	}
	at := time.Unix(1, 0).UTC()
	for _, x := range []struct {
		name string
		a, b any
	}{
		{"nil and empty map", new(map[string]int8), &map[string]int8{}},
		{"a key is missing", &map[string]int8{"a": 1}, &map[string]int8{"b": 1}},
		{"a value differs", &map[string]int8{"a": 1}, &map[string]int8{"a": 2}},
		{"types in boxes", new(any(1)), new(any(int8(1)))},
		{"nil and a box of nil", new(any(nil)), new(any((*Point)(nil)))},
		{"offsets", &at, new(at.In(time.FixedZone("", 1)))},
		{"instants", &at, new(at.Add(1))},
		{"custom", &UUID{1}, &UUID{2}},
	} {
		if difference(x.a, x.b) == "" || graphDifference(x.a, x.b) == "" {
			t.Errorf("%s: no difference", x.name)
		}
	}
}

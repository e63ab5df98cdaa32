package format_test

import (
	"bytes"
	"net"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestGraphs takes graphs through everything that writes and reads.
func TestGraphs(t *testing.T) {
	for _, r := range graphRows() {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			for i, v := range r.all(thinned(12)) {
				want := r.encode(v)
				got, err := x.c.Append(nil, v)
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("value %d: Append: %v, %s", i, err, firstDifference(got, want))
				}
				if n, err := x.c.Size(v); err != nil || n != len(want) {
					t.Errorf("value %d: Size %d, %v, want %d", i, n, err, len(want))
				}
				if err := x.attack(t, want); err != nil {
					t.Errorf("value %d: the model: %v", i, err)
				}
			}
		})
	}
}

// TestBadMessages holds readers to the model's verdict on what breaks §3 and §2.5.
func TestBadMessages(t *testing.T) {
	for _, b := range badMessages() {
		t.Run(b.name, func(t *testing.T) { newVictim(t, b.r.codec(t)).attack(t, b.msg) })
	}
}

// TestRandomGraphs takes graphs of all sizes through a codec, and lets it copy them.
func TestRandomGraphs(t *testing.T) {
	sizes := []int{1, 2, 3, 10, 100, 1000, 10_000, 100_000}
	if thin() {
		sizes = sizes[:6]
	}
	for _, n := range sizes {
		c := format.MustFor[Crossing](format.WithRefs(), format.WithMaxDepth(graphDepth(n)))
		for seed := range uint64(max(1, min(50, 2000/n))) {
			g := randomGraph(seed, n)
			want, err := modelEncodeWith(reflect.ValueOf(g).Elem(), modelOptions{graphDepth(n), true})
			if err != nil {
				t.Fatal(err)
			}
			got, err := c.Append(nil, g)
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("seed %d, %d nodes: Append: %v, %s", seed, n, err, firstDifference(got, want))
			}
			var back Crossing
			if err := c.Decode(got, &back); err != nil {
				t.Fatalf("seed %d, %d nodes: Decode: %v", seed, n, err)
			}
			if d := graphDifference(g, &back); d != "" {
				t.Fatalf("seed %d, %d nodes: Decode gives%.400s", seed, n, d)
			}
			clone, err := c.Clone(g)
			if err != nil {
				t.Fatalf("seed %d, %d nodes: Clone: %v", seed, n, err)
			}
			if d := graphDifference(g, clone); d != "" {
				t.Fatalf("seed %d, %d nodes: Clone gives%.400s", seed, n, d)
			}
		}
	}
}

// TestGatherAndWriteTo write the bytes that Append does.
func TestGatherAndWriteTo(t *testing.T) {
	c := format.MustFor[Maps]()
	for seed := range uint64(thinned(20)) {
		v := seeded(seed, 100).random(reflect.TypeFor[Maps]()).Interface().(*Maps)
		want := mustModelEncode(v)
		parts, err := c.Gather(net.Buffers{}, buffer.New(len(want)+64), v)
		if got := bytes.Join(parts, nil); err != nil || !bytes.Equal(got, want) {
			t.Errorf("Gather: %v, %s", err, firstDifference(got, want))
		}
		var out bytes.Buffer
		n, err := c.WriteTo(&out, v)
		if err != nil || n != int64(len(want)) || !bytes.Equal(out.Bytes(), want) {
			t.Errorf("WriteTo: %d, %v, %s", n, err, firstDifference(out.Bytes(), want))
		}
	}
}

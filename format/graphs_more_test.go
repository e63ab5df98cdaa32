package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// TestGraphsThroughEveryReader: a graph of any size comes back as the same graph,
// copied, aliased, into the memory of another, or cloned.
func TestGraphsThroughEveryReader(t *testing.T) {
	sizes := []int{1, 2, 7, 50, 500, 5000, 100_000}
	if thin() {
		sizes = sizes[:5]
	}
	for _, n := range sizes {
		c := format.MustFor[Crossing](format.WithRefs(), format.WithMaxDepth(graphDepth(n)))
		reused, aliased := randomGraph(99, min(n, 100)), randomGraph(98, min(n, 100))
		for seed := range uint64(max(1, min(20, 500/n))) {
			g := randomGraph(seed+1000, n)
			msg, err := c.Append(nil, g)
			if err != nil {
				t.Fatalf("%d nodes: %v", n, err)
			}
			if size, err := c.Size(g); err != nil || size != len(msg) {
				t.Errorf("%d nodes: Size %d, %v, want %d", n, size, err, len(msg))
			}
			if err := c.Verify(msg); err != nil {
				t.Errorf("%d nodes: Verify: %v", n, err)
			}
			was := bytes.Clone(msg)
			decoded := new(Crossing)
			for name, err := range map[string]error{"Decode": c.Decode(msg, decoded), "DecodeReuse": c.DecodeReuse(msg, reused), "DecodeAlias": c.DecodeAlias(msg, aliased)} {
				if err != nil {
					t.Errorf("%d nodes: %s: %v", n, name, err)
				}
			}
			clone, err := c.Clone(aliased)
			if err != nil {
				t.Fatalf("%d nodes: Clone: %v", n, err)
			}
			if !bytes.Equal(msg, was) {
				t.Fatalf("%d nodes: a reader wrote into the message", n)
			}
			for name, v := range map[string]*Crossing{"Decode": decoded, "DecodeReuse": reused, "DecodeAlias": aliased, "Clone": clone} {
				if d := graphDifference(g, v); d != "" {
					t.Fatalf("%d nodes, seed %d: %s gives%.400s", n, seed, name, d)
				}
			}
		}
	}
}

// TestUnsharedIsTheSameEitherWay: where nothing is shared WithRefs changes no byte, and
// each codec reads the other's messages.
func TestUnsharedIsTheSameEitherWay(t *testing.T) {
	for _, r := range table() {
		plain, tracked := r.codec(t), r.tracked().codec(t)
		for i, v := range r.all(3) {
			v = copyOf(v) // a tree: nothing is met twice
			want, err := plain.Append(nil, v)
			if err != nil {
				t.Fatalf("%s: value %d: %v", r.name, i, err)
			}
			got, err := tracked.Append(nil, v)
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: value %d: WithRefs: %v, %s", r.name, i, err, firstDifference(got, want))
				continue
			}
			for _, d := range decodes[:3] {
				back := copyOf(v)
				if err := d.call(tracked, want, back); err != nil {
					t.Errorf("%s: value %d: %s WithRefs: %v", r.name, i, d.name, err)
				} else if diff := graphDifference(back, v); diff != "" {
					t.Errorf("%s: value %d: %s WithRefs gives%s", r.name, i, d.name, diff)
				}
			}
		}
	}
}

// TestEqualIsNotShared: what is equal and not one is written twice and stays two.
func TestEqualIsNotShared(t *testing.T) {
	c := must(forget[[]*Point](format.WithRefs()))
	c.refs = true
	v := []*Point{{1, 2}, {1, 2}, {1, 2}}
	msg, err := c.Append(nil, &v)
	if err != nil || msg[3] != 0 || !bytes.Equal(msg, mustModelEncode(&v)) {
		t.Errorf("%v, flags %d", err, msg[3])
	}
	for _, d := range decodes[:3] {
		var back []*Point
		if err := d.call(c, msg, &back); err != nil || back[0] == back[1] || back[1] == back[2] {
			t.Errorf("%s: %v, %p", d.name, err, back)
		}
	}
}

// plainGraphs are codecs for some of graphRows that do not keep track.
var plainGraphs = map[string]func(...format.Option) (*codec, error){
	"ring": forget[List], "diamond": forget[[2]*Point], "crossing": forget[Crossing], "a map twice": forget[[]map[string]any],
}

// TestSharedWithoutRefsIsRefused: a codec that does not keep track reads no message in
// which something is shared, and says what would.
func TestSharedWithoutRefsIsRefused(t *testing.T) {
	for _, r := range graphRows() {
		for i, v := range r.values {
			msg := r.encode(v)
			if msg[3] == 0 || plainGraphs[r.name] == nil {
				continue
			}
			plain := must(plainGraphs[r.name]())
			errs := map[string]error{"Verify": plain.Verify(msg)}
			for _, d := range decodes {
				errs[d.name] = d.call(plain, msg, reflect.New(r.typ).Interface())
			}
			for name, err := range errs {
				wantErr(t, fmt.Sprintf("%s, value %d: %s", r.name, i, name), err, format.ErrSchema)
				if !strings.Contains(fmt.Sprint(err), "WithRefs") {
					t.Errorf("%s: %s: %v does not name WithRefs", r.name, name, err)
				}
			}
		}
	}
}

// TestLongListsWithRefs: the depth counts as without WithRefs, for the writer, Size and
// the readers alike.
func TestLongListsWithRefs(t *testing.T) {
	c := format.MustFor[List](format.WithRefs())
	v := listOf(9000)
	msg, err := c.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	var back List
	if err := c.Decode(msg, &back); err != nil {
		t.Fatal(err)
	}
	if d := graphDifference(v, &back); d != "" {
		t.Errorf("9,000 nodes: %.200s", d)
	}
	for _, n := range []int{10_001, 10_002, 12_000} {
		v := listOf(n)
		_, err := c.Append(nil, v)
		_, sizeErr := c.Size(v)
		if n == 10_001 {
			if err != nil || sizeErr != nil {
				t.Errorf("10,000 refs: Append: %v, Size: %v", err, sizeErr)
			}
			continue
		}
		wantErr(t, "Append", err, format.ErrLimit)
		wantErr(t, "Size", sizeErr, format.ErrLimit)
		wantErr(t, "Verify", c.Verify(listMessage(n)), format.ErrLimit)
	}
}

// TestRingsWithRefs: a ring and a list linked both ways come back whole, however long;
// each of their objects is entered once.
func TestRingsWithRefs(t *testing.T) {
	sizes := []int{1, 2, 3, 1000, 9000, 100_000}
	if thin() {
		sizes = sizes[:5]
	}
	for _, n := range sizes {
		c := format.MustFor[Double](format.WithRefs(), format.WithMaxDepth(n+10))
		nodes := make([]Double, n)
		for i := range nodes {
			next := &nodes[(i+1)%n]
			nodes[i].Value, nodes[i].Next, next.Prev = int32(i), next, &nodes[i]
		}
		msg, err := c.Append(nil, &nodes[0])
		if err != nil {
			t.Fatalf("%d nodes: %v", n, err)
		}
		if want := 16 + 24*n; len(msg) != want {
			t.Errorf("%d nodes: %d bytes, want %d", n, len(msg), want)
		}
		for name, read := range map[string]func([]byte, *Double) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias} {
			first := new(Double)
			if err := read(msg, first); err != nil {
				t.Errorf("%s of %d nodes: %v", name, n, err)
				continue
			}
			at := first
			for i := range n {
				if at.Value != int32(i) || at.Next.Prev != at {
					t.Fatalf("%s of %d nodes: node %d is %d", name, n, i, at.Value)
				}
				at = at.Next
			}
			if at != first {
				t.Errorf("%s of %d nodes: the ring does not close", name, n)
			}
		}
	}
}

// TestCyclesWithoutRefs: a value that refers to itself by pointers, maps, interfaces or
// slices is ErrCycle; WithRefs writes the first two and knows the last for a cycle
// still, since slices have no identity.
func TestCyclesWithoutRefs(t *testing.T) {
	ring := &List{Next: &List{}}
	ring.Next.Next = ring
	trie := Trie{"a": {}}
	trie["a"]["b"] = trie
	boxed := new(any)
	*boxed = boxed
	anyone := &Anyone{}
	anyone.Next = &Anyone{anyone}
	own := map[string]any{}
	own["self"] = []any{own}
	nest := Nest{nil, nil}
	nest[1] = Nest{nest}
	anys := []any{1, nil}
	anys[1] = anys
	for _, x := range []struct {
		name          string
		plain, tracks *codec
		v             any
		slices        bool
	}{
		{"pointers", must(forget[List]()), must(forget[List](format.WithRefs())), ring, false},
		{"maps", must(forget[Trie]()), must(forget[Trie](format.WithRefs())), &trie, false},
		{"a pointer in an interface", must(forget[any]()), must(forget[any](format.WithRefs())), boxed, false},
		{"structs in interfaces", must(forget[Anyone]()), must(forget[Anyone](format.WithRefs())), anyone, false},
		{"a map in an interface", must(forget[map[string]any]()), must(forget[map[string]any](format.WithRefs())), &own, false},
		{"slices", must(forget[Nest]()), must(forget[Nest](format.WithRefs())), &nest, true},
		{"slices in interfaces", must(forget[[]any]()), must(forget[[]any](format.WithRefs())), &anys, true},
	} {
		for name, err := range map[string]error{"Append": second(x.plain.Append(nil, x.v)), "Size": second(x.plain.Size(x.v))} {
			wantErr(t, x.name+": "+name, err, format.ErrCycle)
		}
		msg, err := x.tracks.Append(nil, x.v)
		if x.slices {
			wantErr(t, x.name+" WithRefs: Append", err, format.ErrCycle)
			wantErr(t, x.name+" WithRefs: Size", second(x.tracks.Size(x.v)), format.ErrCycle)
			continue
		}
		if err != nil {
			t.Errorf("%s WithRefs: %v", x.name, err)
		} else if err := x.tracks.Verify(msg); err != nil {
			t.Errorf("%s WithRefs: %v", x.name, err)
		}
	}
}

// sharers is a target whose parts may be one.
type sharers struct {
	A, B   *Point
	C, D   *List
	M, N   map[string]*Point
	P, Q   **Point
	X, Y   any
	Z, W   *[3]int64
	Inner  *sharers
	Times  *[]time.Time
	Times2 *[]time.Time
}

// TestTargetsThatShare: readers WithRefs make new pointees and maps, so that a target
// whose parts are one object, the target itself among them, is read into correctly
// and what it referred to is as it was.
func TestTargetsThatShare(t *testing.T) {
	v := &sharers{
		A: &Point{1, 2}, B: &Point{3, 4}, C: &List{Value: 1}, D: &List{Value: 2}, M: map[string]*Point{"a": {5, 6}}, N: map[string]*Point{"b": {7, 8}},
		P: new(&Point{9, 9}), Q: new(&Point{8, 8}), X: &Point{7, 7}, Y: &Point{6, 6}, Z: &[3]int64{1}, W: &[3]int64{2},
		Inner: &sharers{A: &Point{10, 10}}, Times: &[]time.Time{time.Unix(1, 0).UTC()}, Times2: &[]time.Time{time.Unix(2, 0).UTC()},
	}
	target := func() *sharers {
		p, l, m, pp, z, times := &Point{-1, -1}, &List{-1, &List{}}, map[string]*Point{"old": {-2, -2}}, new(&Point{-3, -3}), &[3]int64{-4}, &[]time.Time{time.Unix(9, 0).UTC()}
		m["one"], *pp, l.Next = p, p, l
		s := &sharers{A: p, B: p, C: l, D: l, M: m, N: m, P: pp, Q: pp, X: p, Y: p, Z: z, W: z, Times: times, Times2: times}
		s.Inner = s
		return s
	}
	c := format.MustFor[sharers](format.WithRefs())
	whole := *v
	whole.B, whole.Q, whole.N, whole.Y = v.A, v.P, v.M, v.A // and one that shares otherwise
	for _, v := range []*sharers{v, &whole, {}} {
		msg, err := c.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for name, read := range map[string]func([]byte, *sharers) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias} {
			got, old := target(), new(sharers)
			*old = *got
			if err := read(alignedCopy(msg), got); err != nil {
				t.Fatal(err)
			}
			if d := graphDifference(got, v); d != "" {
				t.Errorf("%s gives%s", name, d)
			}
			old.Inner = old // the target itself is read into
			if d := graphDifference(old, target()); d != "" {
				t.Errorf("%s writes into what the target referred to%s", name, d)
			}
		}
	}
}

type (
	peerHost  struct{ Peers []*peerHost }
	peerRoute struct {
		Next *peerRoute
		H    *peerHost
	}
	kid struct {
		Kids   []kid
		Parent *kid
	}
)

// A slice that is reached again behind a pointer that was not is no cycle, wherever on the path it is.
func TestSharedSlicesAreNoCycle(t *testing.T) {
	for n := range 13 {
		peers := make([]*peerHost, n+1)
		for i := range peers {
			peers[i] = new(peerHost)
		}
		for _, p := range peers {
			p.Peers = peers
		}
		route := &peerRoute{H: peers[0]}
		for range 40 {
			checkGraph(t, format.MustFor[peerRoute](format.WithRefs()), route)
			route = &peerRoute{Next: route}
		}
	}
	for depth := range 20 {
		root := &kid{Kids: make([]kid, 3)}
		for i := range root.Kids {
			root.Kids[i].Parent = root
		}
		for range depth {
			root = &kid{Kids: []kid{*root}, Parent: root}
		}
		checkGraph(t, format.MustFor[kid](format.WithRefs()), root)
	}
}

func checkGraph[T any](t *testing.T, c *format.Codec[T], v *T) {
	t.Helper()
	msg, err := c.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := c.Size(v); err != nil || n != len(msg) {
		t.Fatalf("Size %d, %v, want %d", n, err, len(msg))
	}
	if err := c.Verify(msg); err != nil {
		t.Fatal(err)
	}
	var got T
	if err := c.Decode(msg, &got); err != nil {
		t.Fatal(err)
	}
	again, err := c.Append(nil, &got)
	if err != nil || string(again) != string(msg) {
		t.Fatal("what was read is written differently: ", err)
	}
}

// TestCyclesThroughInterfacesAreFound: A cycle whose marked depths are all boxes, which have another spare each time, is ErrLimit.
func TestCyclesThroughInterfacesAreFound(t *testing.T) {
	for n := range 9 {
		s := []any{nil}
		var x any = s
		for range n {
			x = Holder{Any: x}
		}
		s[0] = x
		p := &s
		pp := &p
		_ = pp
		for _, d := range []int{0, 9999, 9998, 9997} {
			_, err := format.MustFor[[]any](format.WithMaxDepth(d)).Append(nil, &s)
			_, err2 := format.MustFor[*[]any](format.WithMaxDepth(d)).Append(nil, &p)
			_, err3 := format.MustFor[**[]any](format.WithMaxDepth(d)).Append(nil, &pp)
			if !errors.Is(err, format.ErrCycle) || !errors.Is(err2, format.ErrCycle) || !errors.Is(err3, format.ErrCycle) {
				t.Errorf("%d boxes, max depth %d: %v; %v; %v", n+1, d, err, err2, err3)
			}
		}
	}
}

// TestTargetsThatShareStrings: two fields of a target that point at one string or number
// must not both get the value that is read last.
func TestTargetsThatShareStrings(t *testing.T) {
	type T struct {
		A, B *string
		C, D *int
		E    **int
	}
	c := format.MustFor[T](format.WithRefs())
	v := T{A: new("x"), B: new("y"), C: new(1), D: new(2)}
	msg, _ := c.Append(nil, &v)
	for name, f := range map[string]func([]byte, *T) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias} {
		s, n := new("old"), new(7)
		got := T{A: s, B: s, C: n, D: n}
		if err := f(msg, &got); err != nil {
			t.Error(err)
		}
		if d := graphDifference(&got, &v); d != "" || *s != "old" || *n != 7 {
			t.Errorf("%s: %s, old %q %d", name, d, *s, *n)
		}
	}
}

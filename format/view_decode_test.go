package format_test

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// TestPartsDecodeWithWhatTheyShare: within a part of a graph identities are kept, and what lies outside of it comes
// along as new values.
func TestPartsDecodeWithWhatTheyShare(t *testing.T) {
	c := format.MustFor[Crossing](format.WithRefs())
	shared := &Crossing{ID: 9}
	root := &Crossing{ID: 1, Next: &Crossing{ID: 2, Next: &Crossing{ID: 3}}, Many: []*Crossing{shared, shared, nil}}
	root.Next.Many = []*Crossing{root, root.Next, shared, shared}
	root.Next.Named = map[string]*Crossing{"a": shared, "up": root}
	root.Next.Next.Next = root
	root.Next.Next.Twice = &root.Next.Next
	msg, err := c.Append(nil, root)
	if err != nil {
		t.Fatal(err)
	}
	if msg[3] != 1 {
		t.Fatal("not a graph")
	}
	v := must(c.View(msg))
	next := format.MustField[format.View[Crossing]](c, "Next")
	many := format.MustField[format.View[Crossing]](c, "Many[]")
	second := must(next.Get(v))
	third := must(next.Get(second))
	for _, x := range []struct {
		name string
		view format.View[Crossing]
		want *Crossing
		root bool
	}{
		{"the root", v, root, true},
		{"a pointee", second, root.Next, false},
		{"a pointee that refers to itself", third, root.Next.Next, false},
		{"an element", must(many.Get(v, 0)), shared, false},
		{"the root by way of others", must(next.Get(third)), root, false},
		{"the root in a list", must(many.Get(second, 0)), root, false},
	} {
		if x.view.IsNil() {
			t.Fatalf("%s is nil", x.name)
		}
		got := Crossing{ID: 77, Many: []*Crossing{{}}}
		if err := x.view.Decode(&got); err != nil {
			t.Errorf("%s: %v", x.name, err)
		} else if d := graphDifference(&got, x.want); d != "" && !x.root {
			// A pointer back to the part itself leads to a copy, if the part is not the root.
			if d := difference(&got.ID, &x.want.ID); d != "" {
				t.Errorf("%s%s", x.name, d)
			}
			checkUnrolled(t, x.name, &got, x.want)
		} else if d != "" {
			t.Errorf("%s differs%s", x.name, d)
		}
	}
	// Without WithRefs such a message is none.
	if _, err := format.MustFor[Crossing]().View(msg); !errors.Is(err, format.ErrSchema) {
		t.Errorf("without WithRefs: %v", err)
	}
	id := format.MustField[int32](c, "Next.Next.Next.Next.ID")
	if got, err := id.Get(v); got != 2 || err != nil {
		t.Errorf("around the cycle: %d, %v", got, err)
	}
	// Any number of times around it.
	for range 100_000 {
		if v, err = next.Get(v); err != nil || v.IsNil() {
			t.Fatalf("around the cycle: nil %v, %v", v.IsNil(), err)
		}
	}
}

// checkUnrolled goes a few ways through both graphs at once, and compares the values.
func checkUnrolled(t *testing.T, name string, got, want *Crossing) {
	t.Helper()
	type both struct{ got, want *Crossing }
	todo := []both{{got, want}}
	for i := 0; i < len(todo) && len(todo) < 2000; i++ {
		g, w := todo[i].got, todo[i].want
		if (g == nil) != (w == nil) {
			t.Errorf("%s: nil %v, want %v", name, g == nil, w == nil)
			return
		}
		if g == nil {
			continue
		}
		if g.ID != w.ID || len(g.Many) != len(w.Many) || len(g.Named) != len(w.Named) || (g.Twice == nil) != (w.Twice == nil) {
			t.Errorf("%s: node %d, want %d", name, g.ID, w.ID)
			return
		}
		todo = append(todo, both{g.Next, w.Next})
		for i := range g.Many {
			todo = append(todo, both{g.Many[i], w.Many[i]})
		}
		for k := range w.Named {
			todo = append(todo, both{g.Named[k], w.Named[k]})
		}
	}
}

// TestPartOfTheRootsTypeIsNotTheRoot: a pointer to the message's root, met in a part, is to a root.
func TestPartOfTheRootsTypeIsNotTheRoot(t *testing.T) {
	c := format.MustFor[List](format.WithRefs())
	ring := &List{1, &List{2, &List{3, nil}}}
	ring.Next.Next.Next = ring
	msg, err := c.Append(nil, ring)
	if err != nil {
		t.Fatal(err)
	}
	second, err := format.MustField[format.View[List]](c, "Next").Get(must(c.View(msg)))
	if err != nil {
		t.Fatal(err)
	}
	var got List
	if err := second.Decode(&got); err != nil {
		t.Fatal(err)
	}
	l := &got
	for i, want := range []int32{2, 3, 1, 2, 3, 1, 2} {
		if l == nil || l.Value != want {
			t.Fatalf("node %d is %v, want %d", i, l, want)
		}
		l = l.Next
	}
	root := got.Next.Next
	if root.Next.Next.Next != root {
		t.Error("the ring is not closed")
	}
}

// TestPartsDecodeAtTheEnd: a part may be the last of the message, and its budget is the message's.
func TestPartsDecodeAtTheEnd(t *testing.T) {
	type T struct {
		A []struct{ S, T string }
		B *struct {
			X [3]byte
			Y bool
		}
	}
	c := format.MustFor[T]()
	x := T{A: []struct{ S, T string }{{"one", "two"}, {"three", ""}}}
	x.B = &struct {
		X [3]byte
		Y bool
	}{[3]byte{1, 2, 3}, true}
	v := must(c.View(mustModelEncode(&x)))
	elems := format.MustField[format.View[struct{ S, T string }]](c, "A[]")
	for i := range x.A {
		var got struct{ S, T string }
		e, err := elems.Get(v, i)
		if err := errors.Join(err, e.Decode(&got)); err != nil || got != x.A[i] {
			t.Errorf("A[%d]: %v, %v", i, got, err)
		}
	}
	last := format.MustField[format.View[struct {
		X [3]byte
		Y bool
	}]](c, "B")
	var got struct {
		X [3]byte
		Y bool
	}
	b, err := last.Get(v)
	if err := errors.Join(err, b.Decode(&got)); err != nil || got != *x.B {
		t.Errorf("B: %v, %v", got, err)
	}
	wantErr(t, "Decode into nil", b.Decode(nil), format.ErrType)
	wantErr(t, "Decode into nil from nothing", format.View[int]{}.Decode(nil), format.ErrType)
}

// TestViewsAreNoDeeperThanMessages: a chain of views ends where a decode does.
func TestViewsAreNoDeeperThanMessages(t *testing.T) {
	for _, most := range []int{1, 5, 100} {
		c := format.MustFor[List](format.WithMaxDepth(most))
		next := format.MustField[format.View[List]](c, "Next")
		msg := listMessage(most + 5)
		v := must(c.View(msg))
		steps := 0
		var err error
		for err == nil && !v.IsNil() {
			v, err = next.Get(v)
			steps++
		}
		wantErr(t, "a view too deep", err, format.ErrLimit)
		if decodable := c.Decode(listMessage(most+1), new(List)) == nil; steps != most+1 || !decodable {
			t.Errorf("MaxDepth %d: %d steps; a list as deep decodes: %v", most, steps, decodable)
		}
	}
}

// TestFirstPartOfAGraph: the root's first field lies where the root does.
func TestFirstPartOfAGraph(t *testing.T) {
	c := format.MustFor[ringOf](format.WithRefs())
	x := &ringOf{N: 5}
	x.First.Up, x.First.Text = x, "text"
	msg, err := c.Append(nil, x)
	if err != nil {
		t.Fatal(err)
	}
	v, err := format.MustField[format.View[ringPart]](c, "First").Get(must(c.View(msg)))
	if err != nil {
		t.Fatal(err)
	}
	var got ringPart
	if err := v.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if up := got.Up; got.Text != "text" || up == nil || up.N != 5 || up.First.Text != "text" || up.First.Up != up {
		t.Errorf("%+v", got)
	}
}

type (
	ringPart struct {
		Up   *ringOf
		Text string
	}
	ringOf struct {
		First ringPart
		N     int32
	}
)

package format_test

import (
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestCloneOutlivesTheMessage: a clone of a value that points into mapped memory is
// good when that is unmapped.
func TestCloneOutlivesTheMessage(t *testing.T) {
	b, err := buffer.OffHeap(1 << 20)
	if err != nil {
		t.Skip(err)
	}
	type T struct {
		Sample Sample
		Media  MediaContent
		Maps   Maps
		Any    any
		Nested map[string][][]byte
		Plain  *[64]int64
		Custom Customs
	}
	v := seeded(4, 500).random(reflect.TypeFor[T]()).Interface().(*T)
	v.Sample, v.Media, v.Plain, v.Any = sample(), mediaContent(), &[64]int64{63: 1}, []any{"text", []byte("bytes"), []string{"x"}}
	v.Nested = map[string][][]byte{"key": {[]byte("value"), nil, {}}}
	c := format.MustFor[T]()
	if err := c.Encode(b, v); err != nil {
		t.Fatal(err)
	}
	var aliased T
	if err := c.DecodeAlias(b.Bytes(), &aliased); err != nil {
		t.Fatal(err)
	}
	clone, err := c.Clone(&aliased)
	if err != nil {
		t.Fatal(err)
	}
	aliased = T{}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if d := difference(clone, v); d != "" {
		t.Errorf("the clone is%s", d)
	}
}

// TestCloneSharesNothing: neither the value nor what it refers to is the clone's, so
// that a change of one is none of the other.
func TestCloneSharesNothing(t *testing.T) {
	v := arraysData(100)
	m := map[string][]int32{"a": {1, 2}}
	type T struct {
		A *ArraysData
		M map[string][]int32
		P []*string
	}
	in := &T{&v, m, []*string{new("x")}}
	was := copyOf(in)
	out, err := format.MustFor[T]().Clone(in)
	if err != nil {
		t.Fatal(err)
	}
	clear(v.Longs)
	clear(v.Booleans)
	m["a"][0] = 9
	m["b"] = nil
	*in.P[0] = "y"
	if d := difference(out, was); d != "" {
		t.Errorf("the clone changes with the value%s", d)
	}
}

// TestCloneLeavesOutWhatIsNotWritten: fields that a message does not have are zero.
func TestCloneLeavesOutWhatIsNotWritten(t *testing.T) {
	in := Skipping{A: 1, hidden: 2, B: "b", Skip: map[string]int{"x": 1}, C: []int16{3}, secret: "s", D: new(int8(4))}
	in.Inner.X, in.Inner.y, in.Inner.Chan, in.Inner.After = 1, 2, make(chan int), 3
	out, err := format.MustFor[Skipping]().Clone(&in)
	if err != nil {
		t.Fatal(err)
	}
	want := Skipping{A: 1, B: "b", C: []int16{3}, D: new(int8(4))}
	want.Inner.X, want.Inner.After = 1, 3
	if !reflect.DeepEqual(*out, want) {
		t.Errorf("got %+v, want %+v", *out, want)
	}
}

// TestCloneKeepsThePartition: with WithRefs what was one is one in the clone, and what
// was equal is not made one.
func TestCloneKeepsThePartition(t *testing.T) {
	p := &Point{1, 2}
	v := []*Point{p, {1, 2}, p, nil}
	out, err := format.MustFor[[]*Point](format.WithRefs()).Clone(&v)
	if err != nil {
		t.Fatal(err)
	}
	if d := graphDifference(&v, out); d != "" {
		t.Errorf("the clone is%s", d)
	}
	if (*out)[0] != (*out)[2] || (*out)[0] == (*out)[1] || (*out)[0] == p {
		t.Errorf("the clone has pointers %p of %p", *out, v)
	}
	out, err = format.MustFor[[]*Point]().Clone(&v)
	if err != nil || (*out)[0] == (*out)[2] || *(*out)[2] != *p {
		t.Errorf("without WithRefs: %v, pointers %p", err, *out)
	}
}

// TestCloneRefuses: what cannot be written is no clone but the writer's error.
func TestCloneRefuses(t *testing.T) {
	loop := &List{}
	loop.Next = loop
	out, err := format.MustFor[List]().Clone(loop)
	wantErr(t, "Clone of a cycle", err, format.ErrCycle)
	if out != nil {
		t.Error("a clone beside an error")
	}
	_, err = format.MustFor[List]().Clone(nil)
	wantErr(t, "Clone of nil", err, format.ErrType)
	_, err = format.MustFor[[]int64](format.WithMaxMessage(100)).Clone(&[]int64{99: 1})
	wantErr(t, "Clone of what is too large", err, format.ErrLimit)
}

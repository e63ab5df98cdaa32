package format_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

func caseNilAndEmpty(t *testing.T) {
	type in struct {
		Slice  []int32
		Text   *string
		Number *int64
		Point  *Point
		Slices [][]byte
		PSlice *[]string
	}
	values := []in{
		{}, {Slice: []int32{}}, {Slice: []int32{0}}, {Text: new("")}, {Number: new(int64(0))}, {Point: &Point{}},
		{Slices: [][]byte{}}, {Slices: [][]byte{nil}}, {Slices: [][]byte{{}}}, {PSlice: new([]string(nil))}, {PSlice: new([]string{})},
	}
	one := must(forget[in]())
	many := must(forget[[]in]())
	check := func(c *codec, v any) {
		msg, err := c.Append(nil, v)
		if err != nil {
			t.Errorf("%+v: %v", v, err)
			return
		}
		for _, d := range decodes {
			for _, from := range values {
				var target any
				if c == one {
					target = copyOf(&from)
				} else {
					target = copyOf(&[]in{from, from})
				}
				if err := d.call(c, msg, target); err != nil {
					t.Errorf("%s of %+v: %v", d.name, v, err)
				} else if diff := difference(target, v); diff != "" {
					t.Errorf("%s of %+v into %+v gives%s", d.name, v, from, diff)
				}
			}
		}
	}
	for i := range values {
		check(one, &values[i])
		check(many, &[]in{values[i], values[(i+1)%len(values)]})
	}
	check(many, new([]in(nil)))
	check(many, &[]in{})
}

// chain is a node that can be linked in every way.
type chain struct {
	Name string
	Next *chain
	Prev *chain
	Kids []*chain
	Vals []chain
	Ptr  *[]chain
	PP   **chain
	Arr  [2]*chain
}

func caseCycles(t *testing.T) {
	ring := func(n int) *chain {
		nodes := make([]chain, n)
		for i := range nodes {
			nodes[i].Next = &nodes[(i+1)%n]
		}
		return &nodes[0]
	}
	twoWays := func(n int) *chain {
		nodes := make([]chain, n)
		for i := range n - 1 {
			nodes[i].Next, nodes[i+1].Prev = &nodes[i+1], &nodes[i]
		}
		return &nodes[0]
	}
	wide := func(n int) *chain {
		root := &chain{}
		for range n {
			root.Kids = append(root.Kids, &chain{Kids: []*chain{{}, {}, {Kids: []*chain{root}}}})
		}
		return root
	}
	self := &chain{Name: "self"}
	self.Next = self
	late := &chain{Kids: make([]*chain, 1000)}
	for i := range late.Kids {
		late.Kids[i] = &chain{Name: "kid"}
	}
	late.Kids[999] = late
	vals := &chain{Vals: make([]chain, 3)}
	vals.Vals[2].Vals = vals.Vals
	inner := &chain{Vals: make([]chain, 3)}
	inner.Vals[1].Vals = inner.Vals[1:2]
	ptr := &chain{}
	ptr.Ptr = new([]chain{{Next: ptr}})
	pp := &chain{}
	pp.PP = new(pp)
	arr := &chain{}
	arr.Arr[1] = &chain{Arr: [2]*chain{nil, arr}}
	deep := listChain(9000)
	last := deep
	for last.Next != nil {
		last = last.Next
	}
	last.Next = last
	for name, v := range map[string]*chain{
		"self": self, "ring of 2": ring(2), "ring of 3": ring(3), "ring of 1,000": ring(1000), "doubly linked": twoWays(2),
		"doubly linked, 5,000": twoWays(5000), "wide": wide(1000), "late": late, "slice of itself": vals, "slice of its part": inner,
		"pointer to slice": ptr, "pointer to pointer": pp, "array": arr, "deep, then one": deep,
	} {
		if got := allocated(func() {
			_, err := format.Marshal(v)
			wantErr(t, name, err, format.ErrCycle)
		}); got > 64<<20 {
			t.Errorf("%s: %d bytes allocated", name, got)
		}
		c := format.MustFor[chain]()
		_, err := c.Size(v)
		wantErr(t, "Size of "+name, err, format.ErrCycle)
		b := buffer.New(1 << 20)
		wantErr(t, "Encode of "+name, c.Encode(b, v), format.ErrCycle)
		if b.Len() != 0 {
			t.Errorf("%s: a refused Encode left %d bytes", name, b.Len())
		}
		dst := []byte("prefix")
		got, err := c.Append(dst[:3], v)
		wantErr(t, "Append of "+name, err, format.ErrCycle)
		if string(dst[:3]) != "pre" || got != nil && string(got[:3]) != "pre" {
			t.Errorf("%s: a refused Append gives %q", name, got)
		}
	}
	// Rings longer than the depth may meet the limit first.
	if _, err := format.Marshal(ring(50_000)); !errors.Is(err, format.ErrCycle) && !errors.Is(err, format.ErrLimit) {
		t.Errorf("ring of 50,000: %v", err)
	}

	nest := make(Nest, 2)
	nest[1] = nest
	_, err := format.Marshal(&nest)
	wantErr(t, "slice that holds itself", err, format.ErrCycle)
	nest[1] = nest[1:]
	_, err = format.Marshal(&nest)
	wantErr(t, "slice that holds its own end", err, format.ErrCycle)
	var loop Loop
	loop = &loop
	_, err = format.Marshal(&loop)
	wantErr(t, "pointer to itself", err, format.ErrCycle)
	var odd Odd
	odd.Even = []Even{{}, {&odd}}
	_, err = format.Marshal(&odd)
	wantErr(t, "two types in turn", err, format.ErrCycle)
}

func listChain(n int) *chain {
	nodes := make([]chain, n)
	for i := range n - 1 {
		nodes[i].Next = &nodes[i+1]
	}
	return &nodes[0]
}

// TestSharedIsNotCyclic: what is met twice, but not on one path, is written twice;
// what has one address but another type, or none of the same elements, is no cycle.
func TestSharedIsNotCyclic(t *testing.T) {
	shared := &chain{Name: "shared", Kids: []*chain{{}}}
	diamond := &chain{Next: shared, Prev: shared, Kids: []*chain{shared, shared}, Vals: []chain{*shared, *shared}}
	for range 5 {
		diamond = &chain{Next: diamond, Prev: diamond}
	}
	checkMarshal(t, reflect.ValueOf(diamond), reflect.New(reflect.TypeFor[chain]()))
	checkMarshal(t, reflect.ValueOf(listChain(9_999)), reflect.New(reflect.TypeFor[chain]()))

	nest := make(Nest, 3)
	nest[0] = nest[1:2] // nest[1] is nil
	nest[2] = nest[0:0]
	checkMarshal(t, reflect.ValueOf(&nest), reflect.New(reflect.TypeFor[Nest]()))

	type first struct {
		A    *[2]string
		B, C string
	}
	type holder struct {
		In   first
		Self *first   // the address of the holder
		Name *string  // of a field in it
		Text []string // of no elements at an address in it
		Arr  *[1]first
	}
	h := &holder{In: first{B: "b"}}
	h.Self, h.Name = &h.In, &h.In.B
	h.Arr = &[1]first{h.In}
	checkMarshal(t, reflect.ValueOf(h), reflect.New(reflect.TypeFor[holder]()))

	type empties struct {
		A, B *struct{}
		S    []struct{}
		P    *empties
	}
	e := &empties{A: &struct{}{}, B: &struct{}{}, S: make([]struct{}, 2), P: &empties{A: &struct{}{}}}
	checkMarshal(t, reflect.ValueOf(e), reflect.New(reflect.TypeFor[empties]()))

	type wrap struct{ In struct{ P *wrap } }
	w := &wrap{}
	w.In.P = &wrap{}
	checkMarshal(t, reflect.ValueOf(w), reflect.New(reflect.TypeFor[wrap]()))
}

func caseSelfCycle(t *testing.T) {
	l := &List{}
	l.Next = l
	_, err := format.Marshal(l)
	wantErr(t, "Marshal", err, format.ErrCycle)
	// And as bytes: the list whose next is the root.
	c := format.MustFor[List]()
	for _, words := range [][]uint64{{1, ref(-1, 1)}, {1, ref(-1, 1), 0, 0}, append([]uint64{1, ref(-1, 1)}, make([]uint64, 100_000)...)} {
		msg := craft(reflect.TypeFor[List](), words...)
		for _, d := range decodes {
			err := d.call(wrap(c), msg, new(List))
			if !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrLimit) {
				t.Errorf("%s: %v", d.name, err)
			}
		}
	}
}

func caseAppendToAlias(t *testing.T) {
	type two struct {
		A, B []int32
		C, D []byte
		E    [][]int16
		F    []Point
		G    []string
	}
	v := two{[]int32{1, 2}, []int32{3, 4}, []byte("c"), []byte("dd"), [][]int16{{1}, {2}}, []Point{{1, 2}}, []string{"x", "y"}}
	c := must(forget[two]())
	for _, d := range decodes {
		msg := alignedCopy(mustModelEncode(&v))
		was := bytes.Clone(msg)
		got := new(two)
		if err := d.call(c, msg, got); err != nil {
			t.Fatal(err)
		}
		_ = append(got.A, -1)
		_ = append(got.B, -1)
		_ = append(got.C, 'x')
		_ = append(got.D, 'x')
		_ = append(got.E[0], -1)
		_ = append(got.E[1], -1)
		_ = append(got.F, Point{-1, -1})
		_ = append(got.E, []int16{-1})
		_ = append(got.G, "z")
		if diff := difference(got, &v); diff != "" {
			t.Errorf("%s: an append spoils%s", d.name, diff)
		}
		if !bytes.Equal(msg, was) {
			t.Errorf("%s: an append wrote into the message", d.name)
		}
	}
}

func caseMisuse(t *testing.T) {
	v := mediaContent()
	msg := mustModelEncode(&v)
	c := format.MustFor[MediaContent]()
	for _, extra := range []int{1, 7, 8, 16, len(msg)} {
		long := append(bytes.Clone(msg), make([]byte, extra)...)
		if extra == len(msg) {
			copy(long[len(msg):], msg)
		}
		wantErr(t, "Unmarshal of trailing bytes", format.Unmarshal(long, new(MediaContent)), format.ErrCorrupt)
		wantErr(t, "Decode of trailing bytes", c.Decode(long, new(MediaContent)), format.ErrCorrupt)
		wantErr(t, "DecodeReuse of trailing bytes", c.DecodeReuse(long, new(MediaContent)), format.ErrCorrupt)
		wantErr(t, "DecodeAlias of trailing bytes", c.DecodeAlias(long, new(MediaContent)), format.ErrCorrupt)
		wantErr(t, "Verify of trailing bytes", c.Verify(long), format.ErrCorrupt)
		if first, rest, err := format.Next(long); err != nil || !bytes.Equal(first, msg) || len(rest) != extra {
			t.Errorf("Next: %d and %d bytes, %v", len(first), len(rest), err)
		}
	}
	for name, target := range map[string]any{
		"nil": nil, "a nil pointer": (*MediaContent)(nil), "a struct": MediaContent{}, "an int": 7, "a slice": []byte{},
		"a map": map[string]int{}, "a func": func() {}, "a channel": make(chan int),
	} {
		wantErr(t, "Unmarshal into "+name, format.Unmarshal(msg, target), format.ErrType)
	}
	wantErr(t, "Decode into nil", c.Decode(msg, nil), format.ErrType)
	wantErr(t, "DecodeReuse into nil", c.DecodeReuse(msg, nil), format.ErrType)
	wantErr(t, "DecodeAlias into nil", c.DecodeAlias(msg, nil), format.ErrType)
	_, err := c.Append(nil, nil)
	wantErr(t, "Append of nil", err, format.ErrType)
	_, err = c.Size(nil)
	wantErr(t, "Size of nil", err, format.ErrType)
	wantErr(t, "Encode of nil", c.Encode(buffer.New(64), nil), format.ErrType)
	for name, value := range map[string]any{
		"nil": nil, "a nil pointer": (*MediaContent)(nil), "a func": func() {}, "a channel": make(chan int),
	} {
		_, err := format.Marshal(value)
		wantErr(t, "Marshal of "+name, err, format.ErrType)
	}
}

func caseFixedBuffer(t *testing.T) {
	v := mediaContent()
	want := mustModelEncode(&v)
	checkFixedBuffer(t, must(forget[MediaContent]()), 0, &v, want)

	// What was in the buffer before a refused Encode is still there.
	c := format.MustFor[MediaContent]()
	b := buffer.Wrap(alignedBytes(2*len(want) - 1))
	if err := c.Encode(b, &v); err != nil {
		t.Fatal(err)
	}
	wantErrFull := c.Encode(b, &v)
	if !errors.Is(wantErrFull, buffer.ErrFull) {
		t.Errorf("a second message: %v, want ErrFull", wantErrFull)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("a refused Encode changed the message before it: %s", firstDifference(b.Bytes(), want))
	}
	if err := format.MustFor[struct{}]().Encode(b, &struct{}{}); err != nil || b.Len() != len(want)+16 {
		t.Errorf("a small message after a refused one: %v, Len %d", err, b.Len())
	}
}

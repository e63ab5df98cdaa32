package format_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
)

// allocs is a type of the benchmark and what decoding it fresh may allocate.
type allocs struct {
	row
	decode float64
}

func allocRows() []allocs {
	buffers := make([][]byte, 5)
	for i := range buffers {
		buffers[i] = make([]byte, 200)
	}
	return []allocs{
		{of("ArraysData", arraysData(1000)), 5},
		{of("Buffers", buffers), 6},
		{of("Struct100", numbered[Struct100]()), 0},
		{of("Struct100Optional", numbered[Struct100Optional]()), 4},
		{of("MediaContent", mediaContent()), 8},
	}
}

// TestAllocations: what is promised to allocate nothing allocates nothing, from
// the first call after a warm-up on, whatever the collector does to pools.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	for _, r := range allocRows() {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			v := r.values[0]
			msg := alignedCopy(mustModelEncode(v))
			dst := make([]byte, 0, len(msg))
			b := buffer.New(len(msg))
			reused, aliased := reflect.New(c.Type()).Interface(), reflect.New(c.Type()).Interface()
			fresh := make([]any, 0, 64)
			for range cap(fresh) {
				fresh = append(fresh, reflect.New(c.Type()).Interface())
			}
			next := 0
			for _, op := range []struct {
				name string
				most float64
				call func() error
			}{
				{"Size", 0, func() error { _, err := c.Size(v); return err }},
				{"Append", 0, func() error { _, err := c.Append(dst, v); return err }},
				{"Encode", 0, func() error { b.Reset(); return c.Encode(b, v) }},
				{"Verify", 0, func() error { return c.Verify(msg) }},
				{"DecodeReuse", 0, func() error { return c.DecodeReuse(msg, reused) }},
				{"DecodeAlias", 0, func() error { return c.DecodeAlias(msg, aliased) }},
				{"Decode", r.decode, func() error { next++; return c.Decode(msg, fresh[next%len(fresh)]) }},
			} {
				if strings.HasPrefix(op.name, "Decode") && !aliases() {
					continue // by reflect there
				}
				if err := op.call(); err != nil {
					t.Errorf("%s: %v", op.name, err)
					continue
				}
				got := testing.AllocsPerRun(50, func() {
					if err := op.call(); err != nil {
						t.Error(err)
					}
				})
				if got > op.most {
					t.Errorf("%s allocates %v times, at most %v are allowed", op.name, got, op.most)
				}
			}
		})
	}
}

// TestAliasesPointIntoTheMessage: an aliasing decode copies nothing that need not
// be copied, and Decode keeps nothing of the message.
func TestAliasesPointIntoTheMessage(t *testing.T) {
	if !aliases() {
		t.Skip("this build copies")
	}
	type T struct {
		Arrays ArraysData
		Texts  []string
		Ptr    *string
		Points []Point
		Point  *Point
		Grid   *[4]int16
		Nested [][]byte
	}
	v := T{
		arraysData(50), []string{"one", "two"}, new("three"), []Point{{1, 2}}, &Point{3, 4}, new([4]int16{1, 2}), [][]byte{[]byte("four")},
	}
	c := must(forget[T]())
	msg := alignedCopy(mustModelEncode(&v))
	inside := func(r region) bool {
		at := uintptr(reflect.ValueOf(r.live).UnsafePointer())
		start := uintptr(reflect.ValueOf(msg).UnsafePointer())
		return at >= start && at+uintptr(len(r.live)) <= start+uintptr(len(msg))
	}
	var aliased, decoded T
	if err := c.DecodeAlias(msg, &aliased); err != nil {
		t.Fatal(err)
	}
	if err := c.Decode(msg, &decoded); err != nil {
		t.Fatal(err)
	}
	regions := aliasableRegions(reflect.ValueOf(&aliased).Elem())
	if len(regions) != 12 {
		t.Errorf("%d regions", len(regions))
	}
	for _, r := range regions {
		if !inside(r) {
			t.Errorf("%s is copied", r.path)
		}
	}
	for _, r := range aliasableRegions(reflect.ValueOf(&decoded).Elem()) {
		if inside(r) {
			t.Errorf("Decode leaves %s in the message", r.path)
		}
	}
}

// TestDecodeReuseReuses: the memory that a value holds is written to again.
func TestDecodeReuseReuses(t *testing.T) {
	type T struct {
		Ints  []int32
		Strs  []string
		Ptr   *Point
		Opt   *int64
		Deep  [][]byte
		Nodes []*Point
	}
	long := T{[]int32{1, 2, 3, 4}, []string{"a", "b", "c"}, &Point{1, 2}, new(int64(1)), [][]byte{{1, 2, 3}, {4}}, []*Point{{1, 2}, {3, 4}}}
	short := T{[]int32{9}, []string{"z"}, &Point{5, 6}, new(int64(2)), [][]byte{{7}}, []*Point{{7, 8}}}
	c := must(forget[T]())
	got := *copyOf(&long).(*T)
	was := got
	if err := c.DecodeReuse(mustModelEncode(&short), &got); err != nil {
		t.Fatal(err)
	}
	if d := difference(&got, &short); d != "" {
		t.Errorf("gives%s", d)
	}
	if &got.Ints[0] != &was.Ints[0] || &got.Strs[0] != &was.Strs[0] || got.Ptr != was.Ptr || got.Opt != was.Opt ||
		&got.Deep[0] != &was.Deep[0] || &got.Deep[0][0] != &was.Deep[0][0] || got.Nodes[0] != was.Nodes[0] {
		t.Error("memory that was there is not reused")
	}
}

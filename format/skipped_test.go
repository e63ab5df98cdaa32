//lint:file-ignore U1000 the fields that nobody uses are the point of these types

package format_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/format"
)

// keeper has fields that are not on the wire around every kind of field that is,
// so that no run of bytes may be written across them.
type keeper struct {
	a    int32
	A    int32
	b    int32
	B    int64
	c    string
	C    string
	D    []byte
	d    []byte
	Keep chan int `ashlar:"-"`
	E    [2]keeperInner
	e    *int
	F    keeperInner
	f    func()
	G    *int16
	G2   *int16 `ashlar:"-"`
	H    [4]uint8
	h    uint8
	I    uint8
	Embed
	embed
}

type keeperInner struct {
	X int8
	x int8
	Y int64
	y int64
	Z string `ashlar:"-"`
}

type Embed struct {
	Q int16
	q int16
}

type embed struct{ w int }

// TestSkippedFieldsKeepTheirValues: a decode into v leaves what is not on the
// wire alone, in v and in what is nested in it by value, and an encode never
// writes it.
func TestSkippedFieldsKeepTheirValues(t *testing.T) {
	c := format.MustFor[keeper]()
	ch, one, short := make(chan int), 1, int16(2)
	filled := func() keeper {
		return keeper{
			a: 1, b: 2, c: "c", d: []byte("d"), Keep: ch, e: &one, G2: &short, h: 9,
			E:     [2]keeperInner{{x: 3, y: 4, Z: "z0"}, {x: 5, y: 6, Z: "z1"}},
			F:     keeperInner{x: 7, y: 8, Z: "zF"},
			Embed: Embed{q: 10}, embed: embed{11},
		}
	}
	wire := keeper{
		A: -1, B: -2, C: "wire", D: []byte("bytes"), G: new(int16(-3)), H: [4]uint8{1, 2, 3, 4}, I: 0xEE,
		E: [2]keeperInner{{X: -4, Y: -5}, {X: -6, Y: -7}}, F: keeperInner{X: -8, Y: -9}, Embed: Embed{Q: -10},
	}
	want := filled()
	want.A, want.B, want.C, want.D, want.G, want.H, want.I = wire.A, wire.B, wire.C, wire.D, wire.G, wire.H, wire.I
	for i := range want.E {
		want.E[i].X, want.E[i].Y = wire.E[i].X, wire.E[i].Y
	}
	want.F.X, want.F.Y, want.Embed.Q = wire.F.X, wire.F.Y, wire.Embed.Q

	clean, err := c.Append(nil, &wire)
	if err != nil {
		t.Fatal(err)
	}
	dirty := wire
	for i := range dirty.E {
		dirty.E[i].x, dirty.E[i].y, dirty.E[i].Z = 0x5e, 0x5ec2e7, "secret"
	}
	dirty.a, dirty.b, dirty.c, dirty.d, dirty.h, dirty.embed.w = 0x5e, 0x5e, "secret", []byte("secret"), 0x5e, 0x5e
	dirty.F.x, dirty.F.y, dirty.F.Z, dirty.Embed.q, dirty.Keep = 0x5e, 0x5e, "secret", 0x5e, ch
	if msg, err := c.Append(nil, &dirty); err != nil || string(msg) != string(clean) {
		t.Errorf("fields that are not on the wire change the message: %v\n% x\n% x", err, msg, clean)
	}

	same := cmp.Options{
		cmp.AllowUnexported(keeper{}, keeperInner{}, Embed{}, embed{}),
		cmp.Comparer(func(a, b chan int) bool { return a == b }),
		cmp.Comparer(func(a, b func()) bool { return (a == nil) == (b == nil) }),
	}
	zero := mustModelEncode(new(keeper))
	for _, d := range decodes {
		got := filled()
		for _, msg := range [][]byte{clean, zero, clean} {
			if err := d.call(wrap(c), msg, &got); err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
		}
		if diff := cmp.Diff(want, got, same); diff != "" {
			t.Errorf("%s (-want +got):\n%s", d.name, diff)
		}
	}
}

// TestReuseKeepsNothingStaleOnTheWire: memory that is decoded into again keeps no
// stale value in a field that is on the wire, and none that comes into sight is
// stale either.
func TestReuseKeepsNothingStaleOnTheWire(t *testing.T) {
	type element struct {
		A int32
		B *int32
		C string
		D []int8
		E *Point
		F [2]*bool
	}
	full := element{1, new(int32(2)), "c", []int8{3}, &Point{4, 5}, [2]*bool{new(true), new(false)}}
	c := must(forget[[]element]())
	long := []element{full, full, full, full}
	for _, v := range [][]element{{}, {{}}, {{}, full, {}}, nil, {{}, {}, {}, {}, {}}} {
		msg := mustModelEncode(&v)
		for _, d := range decodes {
			target := copyOf(&long)
			if err := d.call(c, msg, target); err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
			if diff := difference(target, &v); diff != "" {
				t.Errorf("%s of %d elements into 4 gives%s", d.name, len(v), diff)
			}
			// Shrink and grow again within the capacity.
			if err := d.call(c, mustModelEncode(&long), target); err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
			if err := d.call(c, msg, target); err != nil {
				t.Fatalf("%s: %v", d.name, err)
			}
			if diff := difference(target, &v); diff != "" {
				t.Errorf("%s of %d elements into 4 again gives%s", d.name, len(v), diff)
			}
		}
	}
}

// TestReuseOfSharedTails: behind the length of a slice there may lie what its
// elements still hold, left there when others were deleted. Elements that come into
// use again there share nothing with those before them.
func TestReuseOfSharedTails(t *testing.T) {
	type in struct {
		Ints   []int32
		Point  *Point
		Opt    *int64
		Text   *string
		Strs   []string
		Arr    [2]*List
		Hidden *int `ashlar:"-"`
	}
	make3 := func(i int32) in {
		return in{
			[]int32{i, i}, &Point{i, i}, new(int64(i)), new(fmt.Sprint(i)), []string{fmt.Sprint(i)},
			[2]*List{{Value: i, Next: &List{Value: i}}, {Value: i}}, nil,
		}
	}
	type all struct {
		Structs  []in
		Slices   [][]int32
		Strings  [][]string
		Pointers []*Point
		Lists    []*List
		Opts     []*int64
		Texts    []*string
		Arrays   [][2]*Tree
		Nest     Nest
	}
	want := all{
		Structs: []in{make3(1), make3(2), make3(3)}, Slices: [][]int32{{1, 1}, {2, 2}, {3, 3}}, Strings: [][]string{{"1"}, {"2"}, {"3"}},
		Pointers: []*Point{{1, 1}, {2, 2}, {3, 3}}, Lists: []*List{{Value: 1}, {Value: 2}, {Value: 3}},
		Opts: []*int64{new(int64(1)), new(int64(2)), new(int64(3))}, Texts: []*string{new("1"), new("2"), new("3")},
		Arrays: [][2]*Tree{{{Name: "1"}, {Name: "2"}}, {{Name: "3"}, {Name: "4"}}, {{Name: "5"}, nil}}, Nest: Nest{{{}}, {{}, {}}, {}},
	}
	c := must(forget[all]())
	msg := mustModelEncode(&want)
	for _, d := range decodes {
		v := *copyOf(&want).(*all)
		// Delete all but the last element of each, as slices.Delete did before it cleared.
		r := reflect.ValueOf(&v).Elem()
		for i := range r.NumField() {
			s := r.Field(i)
			last := s.Index(s.Len() - 1)
			for j := range s.Len() {
				s.Index(j).Set(last)
			}
			s.Set(s.Slice(0, 1))
		}
		if err := d.call(c, msg, &v); err != nil {
			t.Fatalf("%s: %v", d.name, err)
		}
		if diff := difference(&v, &want); diff != "" {
			t.Errorf("%s gives%s", d.name, diff)
		}
	}
}

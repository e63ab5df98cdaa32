package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// craft makes a message of type t out of the words behind the header.
func craft(t reflect.Type, words ...uint64) []byte {
	msg := alignedBytes(modelHeader + 8*len(words))
	copy(msg, "\xA5\x4C\x01\x00")
	binary.LittleEndian.PutUint32(msg[4:], uint32(len(msg)/8))
	binary.LittleEndian.PutUint64(msg[8:], modelFingerprint(t))
	for i, w := range words {
		binary.LittleEndian.PutUint64(msg[modelHeader+8*i:], w)
	}
	return msg
}

// ref is a ref of §3.
func ref(distance int32, count uint32) uint64 { return uint64(count)<<32 | uint64(uint32(distance)) }

// TestHostileCrafted has messages that somebody thought about.
func TestHostileCrafted(t *testing.T) {
	const most = math.MaxUint32
	self := [][]uint64{
		{ref(0, 1)}, {ref(0, most)}, {ref(0, 0)}, {ref(0, 8)}, {ref(0, 1), 0}, {ref(0, 1), 0, 0, 0},
		{ref(1, 1), ref(0, 1), 0, 0}, {ref(1, 1), ref(-1, 1), 0, 0}, {ref(-1, 1)}, {ref(-2, 1)}, {ref(-3, 1)}, {ref(-1, 8), 0},
		{ref(math.MinInt32, 1)}, {ref(math.MaxInt32, 1)}, {ref(math.MinInt32, most)}, {ref(math.MaxInt32, most)},
		{ref(1, most)}, {ref(1, most), 0}, {ref(2, most), 0}, {ref(1, 1<<31), 0}, {ref(1, 1<<31-1), 0}, {ref(1, 1<<29), 0},
		{ref(1, 1)}, {ref(2, 1)}, {ref(2, 1), 0}, {ref(1, 2), 0}, {ref(1, 0), 0}, {ref(2, 0), 0}, {1}, {0}, {2}, {0, 0},
		{ref(1, 16), ref(1, 1), 0}, {ref(1, 2), ref(2, 8), ref(1, 8), 0}, {ref(1, 2), ref(2, 8), ref(1, 8), 0, 0},
		{ref(1, 2), ref(1, 1), ref(0, 1)}, {ref(1, 3), ref(3, 1), ref(2, 1), ref(1, 1), 0, 0, 0, 0, 0},
		{ref(3, 1), 0, 0, ref(-2, 1), 0}, {ref(2, 1), ref(-1, 1), ref(-1, 1)},
		{ref(1, 9), 0}, {ref(1, 9), 0, 0}, {ref(1, 17), 0, 0},
	}
	for _, r := range craftRows() {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			var inputs [][]byte
			for _, words := range self {
				// Once as the root ref, and once behind a presence bitmap and zeroes.
				for _, before := range [][]uint64{nil, {0}, {1}, {0, 0}, {3, 1}} {
					inputs = append(inputs, craft(r.typ, append(before[:len(before):len(before)], words...)...))
				}
			}
			for _, in := range inputs {
				x.attack(t, in)
				checkAllocation(t, x.c, [][]byte{in})
			}
		})
	}
}

func craftRows() []row {
	return []row{
		of[string]("string"), of[*string]("pointer to string"), of[[]byte]("bytes"), of[[]bool]("bools"),
		of[[]int]("ints"), of[[]complex128]("complexes"), of[[]string]("strings"), of[[]*string]("pointers to strings"),
		of[[][]byte]("slices"), of[[][][]int64]("slices of slices"), of[[]*int16]("optionals"), of[*Point]("pointer"),
		of[**Point]("pointer to pointer"), of[*[]int32]("pointer to slice"), of[*[4]string]("pointer to array"),
		of[*Optionals]("pointer to optionals"), of[**bool]("pointer to optional"),
		of[Loop]("loop"), of[Nest]("nest"), of[List]("list"), of[Tree]("tree"), of[Even]("even"),
		of[[]struct{}]("nothing"), of[[][0]string]("arrays of none"), of[*struct{}]("pointer to nothing"),
		of[[][]struct{}]("slices of nothing"), of[[2]string]("two strings"), of[[2][]int32]("two slices"),
		of[[]Point]("points"), of[[]Blank]("blanks"), of[[]Scalars]("scalars"), of[[][3]uint16]("arrays"),
		of[Part]("part"), of[ArraysData]("arrays data"), of[MediaContent]("media content"), of[Hollow]("hollow"),
	}
}

// TestNestedHalves: a slice of slices in which each level claims half of what is
// left would grow without bound if each were held to the message alone.
func TestNestedHalves(t *testing.T) {
	for _, n := range []int{16, 100, 1000, 8000} {
		words := make([]uint64, n)
		for i := range words {
			words[i] = ref(1, uint32(max(1, (n-i)/2)))
		}
		for _, r := range []row{
			of[[][][]int64]("int64"), of[[][][][][][]byte]("byte"), of[[][][]string]("string"), of[Nest]("nest"),
			of[[]*[]*[]*int64]("pointers"), of[[][][]struct{ A, B string }]("structs"),
		} {
			t.Run(fmt.Sprintf("%s/words=%d", r.name, n), func(t *testing.T) {
				x := newVictim(t, r.codec(t))
				msg := craft(r.typ, words...)
				if err := x.attack(t, msg); err == nil {
					t.Error("the model takes it")
				}
				checkAllocation(t, x.c, [][]byte{msg})
			})
		}
	}
}

// TestBombs: a long message all of whose refs claim the same few bytes is refused
// before memory is made for what it claims.
func TestBombs(t *testing.T) {
	skipWhenSlow(t)
	const n = 1 << 16
	for _, r := range []row{
		of[[]*Scalars]("scalars"), of[[]*Mixed104]("mixed"), of[[]*Sample]("samples"), of[[]*Optional130]("optionals"),
		of[[]*[100]string]("strings"), of[[]*bulky]("bulky"), of[[]*hollowBulk]("hollow"), of[[]*boolPlaces]("bools"),
		of[[][]Scalars]("slices of scalars"), of[[][]string]("slices of strings"), of[[]string]("strings themselves"),
		of[[]*string]("pointers to strings"), of[[][]*Scalars]("slices of pointers"), of[[]***Scalars]("three pointers"),
	} {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			room := int(layoutOf(r.typ.Elem()).size)
			if k := r.typ.Elem().Kind(); k == reflect.Pointer || k == reflect.Slice {
				room = int(layoutOf(r.typ.Elem().Elem()).size)
			}
			tail := room/8 + 1
			for name, fill := range map[string]func(i int) uint64{
				"all to one object": func(i int) uint64 { return ref(int32(n-i), 1) },
				"all to the next":   func(int) uint64 { return ref(1, 1) },
				"all to the rest":   func(i int) uint64 { return ref(1, uint32(n-i)) },
				"all to a quarter":  func(i int) uint64 { return ref(1, n/4) },
			} {
				words := make([]uint64, n+tail)
				for i := range n {
					words[i] = fill(i)
				}
				for _, count := range []uint32{n - 1, 1000} {
					words[0] = ref(1, count)
					msg := craft(r.typ, words...)
					_, modelErr := modelDecode(msg, r.typ)
					checkAllocation(t, c, [][]byte{msg})
					for _, d := range decodes {
						if err := d.call(c, msg, reflect.New(r.typ).Interface()); (err == nil) != (modelErr == nil) {
							t.Errorf("%s, %d of %s: %v, the model says %v", d.name, count, name, err, modelErr)
						}
					}
				}
			}
		})
	}
}

// TestCountsOfNothing: elements without bytes cost nothing, however many there are
// said to be (C04).
func TestCountsOfNothing(t *testing.T) {
	c := format.MustFor[[]struct{}]()
	for _, count := range []uint32{1, 1 << 20, 1<<31 - 1, 1 << 31, math.MaxUint32} {
		msg := craft(reflect.TypeFor[[]struct{}](), ref(1, count))
		fits := uint64(count) <= math.MaxInt
		for _, d := range decodes {
			var v []struct{}
			start := time.Now()
			var err error
			got := allocated(func() { err = d.call(wrap(c), msg, &v) })
			if time.Since(start) > time.Second {
				t.Errorf("%s of %d nothings took %v", d.name, count, time.Since(start))
			}
			if got > 16<<10 {
				t.Errorf("%s of %d nothings allocated %d bytes", d.name, count, got)
			}
			switch {
			case fits && (err != nil || uint64(len(v)) != uint64(count)):
				t.Errorf("%s of %d nothings: %d, %v", d.name, count, len(v), err)
			case !fits && !errors.Is(err, format.ErrLimit):
				t.Errorf("%s of %d nothings: %v, want ErrLimit", d.name, count, err)
			}
			if err == nil {
				again, err := c.Append(nil, &v)
				if err != nil || !bytes.Equal(again, msg) {
					t.Errorf("Append of %d nothings: %v, % x", count, err, again)
				}
			}
		}
		if err := c.Verify(msg); fits && err != nil {
			t.Errorf("Verify of %d nothings: %v", count, err)
		}
		for _, distance := range []int32{0, 2, -1, 1 << 30} {
			if err := c.Verify(craft(reflect.TypeFor[[]struct{}](), ref(distance, count))); !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("nothing at distance %d: %v, want ErrCorrupt", distance, err)
			}
		}
	}
}

// boolPlaces has a bool wherever one can stand.
type boolPlaces struct {
	A     bool
	Pad   int64
	B     Bool
	Array [3]bool
	Long  [21]bool
	Slice []bool
	Opt   *bool
	Opts  []*bool
	OptA  [2]*Bool
	PP    **bool
	PPP   ***bool
	PS    *[]bool
	PA    *[9]bool
	In    struct {
		X int16
		Y bool
	}
	PIn *struct{ Y, Z bool }
	Ins []struct {
		X int32
		Y bool
	}
	Deep  [][]bool
	Pairs [][2]bool
	Refs  []struct {
		S string
		Y bool
	}
	Self *boolPlaces
	Base2
	Last bool
}

type Base2 struct{ Flag bool }

func boolRows() []row {
	long := make([]bool, 70)
	for i := range long {
		long[i] = i%3 == 0
	}
	return []row{
		of("everywhere", boolPlaces{
			Slice: long[:5], Opt: new(true), Opts: []*bool{new(false), nil}, OptA: [2]*Bool{new(Bool(true)), nil},
			PP: new(new(true)), PPP: new(new(new(false))), PS: new(long[:2]), PA: new([9]bool{}),
			PIn: new(struct{ Y, Z bool }), Ins: make([]struct {
				X int32
				Y bool
			}, 2),
			Deep: [][]bool{nil, {}, {true}}, Pairs: make([][2]bool, 2), Refs: make([]struct {
				S string
				Y bool
			}, 2),
			Self: &boolPlaces{},
		}),
		of("root", true), of("array", [64]bool{}), of("small array", [3]bool{}),
		of("1", long[:1]), of("7", long[:7]), of("8", long[:8]), of("9", long[:9]), of("31", long[:31]), of("32", long[:32]),
		of("33", long[:33]), of("63", long[:63]), of("64", long[:64]), of("65", long[:65]), of("70", long),
		of("named", []Bool{true, false}), of("structs", make([]Scalars, 3)), of("mixed", make([]Mixed104, 2)),
		of("optionals", Optional64{F1: new(true), F32: new(false)}), of("optional root", new(true)),
		of("pairs", make([]struct{ A, B bool }, 5)),
		of("triples with gaps", make([]struct {
			A bool
			B int16
			C bool
		}, 5)),
		of("far apart", make([]struct {
			A bool
			B [5]int64
			C bool
		}, 3)),
	}
}

// TestBoolsAreChecked sets every bool of a message to everything that is no bool
// (B55, §2.3).
func TestBoolsAreChecked(t *testing.T) {
	for _, r := range boolRows() {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			msg := mustModelEncode(r.values[0])
			bools := 0
			for _, p := range placesOf(msg, r.typ) {
				if p.typ == nil || p.typ.Kind() != reflect.Bool {
					continue
				}
				bools++
				bad := bytes.Clone(msg)
				for b := 2; b < 256; b++ {
					if thin() && b > 3 && b&(b-1) != 0 && b != 255 {
						continue
					}
					bad[p.off] = byte(b)
					if b == 2 || b == 128 || b == 255 {
						if err := x.attack(t, bad); err == nil {
							t.Fatalf("the model takes bool %d at %#x", b, p.off)
						}
					}
					for _, h := range hostileCalls {
						_, err := h.call(x, bad)
						if !errors.Is(err, format.ErrCorrupt) {
							t.Fatalf("%s of bool %d at %#x: %v, want ErrCorrupt", h.name, b, p.off, err)
						}
						var e *format.Error
						if errors.As(err, &e); e.Offset != p.off {
							t.Fatalf("%s of bool %d at %#x: an error at %#x: %v", h.name, b, p.off, e.Offset, err)
						}
					}
				}
				bad[p.off] = msg[p.off] ^ 1
				if err := x.attack(t, bad); err != nil {
					t.Fatalf("bool %d at %#x: %v", bad[p.off], p.off, err)
				}
			}
			if bools == 0 {
				t.Error("no bools")
			}
		})
	}
}

// TestAbsentOptionalsAreNotLookedAt: what stands behind a clear bit is a gap.
func TestAbsentOptionalsAreNotLookedAt(t *testing.T) {
	for _, r := range []row{of[Optionals]("fields"), of[Optional64]("bools"), of("elements", make([]*bool, 3)), of[*bool]("root")} {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			v := append(r.values, reflect.New(r.typ).Interface())[0]
			msg := mustModelEncode(v)
			bitmaps := map[int64]bool{}
			for _, p := range placesOf(msg, r.typ) {
				bitmaps[p.off] = true // and refs
			}
			for at := int64(modelHeader); at < int64(len(msg)); at += 8 {
				if !bitmaps[at] {
					copy(msg[at:], "\xff\xff\xff\xff\xff\xff\xff\xff")
				}
			}
			if err := x.attack(t, msg); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestBitmapsAndRefsAreChecked breaks each bitmap and ref in the ways of §2.2, §3.
func TestBitmapsAndRefsAreChecked(t *testing.T) {
	rows := append(goldens(), boolRows()...)
	rows = append(rows, of[Optional65]("spare"), of[[2]Optional65]("spare twice"), of[Optional130]("three words"), of[*int8]("root"))
	bitmaps, refs := 0, 0
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			msg := r.encode(append(r.values, reflect.New(r.typ).Interface())[0])
			places := placesOf(msg, r.typ)
			if thin() {
				places = places[:min(len(places), 20)]
			}
			for _, p := range places {
				at := p.off
				corrupt := func(what string, bad []byte) {
					t.Helper()
					if err := x.attack(t, bad); err == nil {
						t.Fatalf("the model takes %s at %#x", what, at)
					}
					for _, h := range x.calls() {
						_, err := h.call(x, bad)
						var e *format.Error
						if !errors.Is(err, format.ErrCorrupt) || !errors.As(err, &e) || e.Offset != at {
							t.Fatalf("%s of %s: %v, want ErrCorrupt at %#x", h.name, what, err, at)
						}
					}
				}
				if p.typ == nil {
					bitmaps++
					for bit := p.optionals; bit < (p.optionals+63)/64*64; bit++ {
						bad := bytes.Clone(msg)
						bad[p.off+int64(bit/8)] |= 1 << (bit % 8)
						at = p.off + int64(bit/64*8) // the word that the bit is in
						corrupt(fmt.Sprintf("bit %d of %d optionals", bit, p.optionals), bad)
					}
					continue
				}
				if p.typ.Kind() == reflect.Bool {
					continue
				}
				refs++
				set := func(ref uint64) []byte {
					bad := bytes.Clone(msg)
					binary.LittleEndian.PutUint64(bad[p.off:], ref)
					return bad
				}
				left := int64(len(msg)) - p.off
				plain := isString(p.typ) || isPString(p.typ) || isCustom(p.typ) || p.typ.Kind() == reflect.Interface
				one := p.typ.Kind() == reflect.Interface || p.typ.Kind() == reflect.Pointer && !isPString(p.typ)
				if isString(p.typ) || one {
					corrupt("ref 1", set(1))
				}
				corrupt("count 0", set(2))
				corrupt("count 0 far back", set(1<<31))
				corrupt("distance into the header", set(ref(int32(8-p.off)/8, 1)))
				corrupt("distance before the message", set(ref(int32(-8-p.off)/8, 1)))
				if plain || layoutOf(objectOf(p.typ)).size > 0 {
					corrupt("the end of the message", set(ref(int32(left/8), 1)))
					corrupt("more than there is", set(ref(1, uint32(left*8))))
					corrupt("all that can be counted", set(ref(1, math.MaxUint32)))
				} else {
					corrupt("nothing elsewhere", set(ref(2, 1)))
				}
				if one {
					corrupt("two at a pointer", set(ref(1, 2)))
				}
			}
		})
	}
	if bitmaps == 0 || refs == 0 {
		t.Errorf("%d bitmaps, %d refs", bitmaps, refs)
	}
}

// TestFailedDecodesLeaveNoTrace: bad, good, bad, good, on one codec and one target;
// what is encoded meanwhile does not change either.
func TestFailedDecodesLeaveNoTrace(t *testing.T) { inSmallHeap(t, "failures") }

func failuresLeaveNoTrace(t *testing.T) {
	for _, r := range goldens() {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			good := r.encode(r.values[0])
			mutations(good, strided(50, 50)*(1+len(good)/200), func(bad []byte) {
				for _, h := range x.calls() {
					_, _ = h.call(x, bytes.Clone(bad))
					v, err := h.call(x, good)
					if err != nil {
						t.Fatalf("%s of the good message after %x: %v", h.name, bad, err)
					}
					if v == nil {
						continue
					}
					if d := r.difference(v, r.values[0]); d != "" {
						t.Fatalf("%s of the good message after %x gives%s", h.name, bad, d)
					}
				}
				if msg, err := x.c.Append(nil, r.values[0]); err != nil || !bytes.Equal(msg, good) {
					t.Fatalf("after %x: Append: %v, %s", bad, err, firstDifference(msg, good))
				}
			})
			runtime.GC() // what failed decodes left behind must be fit for the collector
		})
	}
}

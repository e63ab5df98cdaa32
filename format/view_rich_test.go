package format_test

import (
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

type (
	richKey struct {
		A int8
		B uint32
		C [2]bool
	}
	// Rich has every kind of field that a handle reads, and itself in every place.
	Rich struct {
		Name     string
		Title    *string
		Twice    **string
		When     time.Time
		At       *time.Time
		Addr     netip.Addr
		PAddr    *netip.Addr
		UUID     UUID
		Scalars  Scalars
		PScalars *Scalars
		Opts     Optionals
		POpts    *Optionals
		Deep     **int32
		Point    Point
		PPoint   **Point
		Pair     sharedPair
		PPair    *sharedPair
		Grid     Grid
		PGrid    *Grid
		Flags    [3]bool
		Texts    [2]string
		Bytes    []byte
		Bools    []bool
		Floats   []float32
		Longs    []int64
		Ints     []int
		Points   []Point
		Pairs    []sharedPair
		PSlice   *[]int16
		Strings  []string
		PStrings []*string
		Maybes   []*int32
		Times    []time.Time
		UUIDs    []UUID
		Rows     [][]int32
		Cubes    [][]Point
		Base
		Tagged   int32 `ashlar:"tag"`
		Any      any
		Named    Text
		Kid      *Rich
		PKid     **Rich
		Kids     []Rich
		PKids    []*Rich
		Pairwise [2]*Rich
		Maps     richMaps
		PMap     *map[string]int32
		ByName   map[string]*Rich
	}
	richMaps struct {
		Strings map[string]int32
		Texts   map[Text]string
		Bools   map[bool][]int32
		Int8s   map[int8]string
		Int16s  map[int16]int64
		Int32s  map[int32]bool
		Int64s  map[int64]float64
		Ints    map[int]time.Time
		Uint8s  map[uint8][]byte
		Uint16s map[uint16]Point
		Uint32s map[uint32]int8
		Uint64s map[uint64]uint64
		Uints   map[uint]Text
		Floats  map[float32]int32
		Doubles map[float64]string
		Bytes   map[[16]byte]int32
		Keys    map[richKey]int16
		Cplx    map[complex64]int8
		Grades  map[Grade]string
		Nothing map[struct{}]int32
		Set     map[string]struct{}
	}
)

func scalarsPart(c *format.Codec[Scalars]) *part[Scalars] {
	p := newPart(c)
	reads(p, "Bool", func(x *Scalars) bool { return x.Bool })
	reads(p, "Int64", func(x *Scalars) int64 { return x.Int64 })
	reads(p, "Int8", func(x *Scalars) int8 { return x.Int8 })
	reads(p, "Int16", func(x *Scalars) int16 { return x.Int16 })
	reads(p, "Uint8", func(x *Scalars) uint8 { return x.Uint8 })
	reads(p, "Int32", func(x *Scalars) int32 { return x.Int32 })
	reads(p, "Uint16", func(x *Scalars) uint16 { return x.Uint16 })
	reads(p, "Float32", func(x *Scalars) float32 { return x.Float32 })
	reads(p, "Uint32", func(x *Scalars) uint32 { return x.Uint32 })
	reads(p, "Complex64", func(x *Scalars) complex64 { return x.Complex64 })
	reads(p, "Float64", func(x *Scalars) float64 { return x.Float64 })
	reads(p, "Uint64", func(x *Scalars) uint64 { return x.Uint64 })
	reads(p, "Complex128", func(x *Scalars) complex128 { return x.Complex128 })
	reads(p, "Int", func(x *Scalars) int { return x.Int })
	reads(p, "Uint", func(x *Scalars) uint { return x.Uint })
	reads(p, "Last", func(x *Scalars) bool { return x.Last })
	reads(p, "", func(x *Scalars) Scalars { return *x })
	decoded(p)
	return p
}

func optionalsPart(c *format.Codec[Optionals]) *part[Optionals] {
	p := newPart(c)
	maybe(p, "Bool", func(x *Optionals) *bool { return x.Bool })
	maybe(p, "Int8", func(x *Optionals) *int8 { return x.Int8 })
	maybe(p, "Uint16", func(x *Optionals) *uint16 { return x.Uint16 })
	maybe(p, "Int32", func(x *Optionals) *int32 { return x.Int32 })
	maybe(p, "Float32", func(x *Optionals) *float32 { return x.Float32 })
	maybe(p, "Int64", func(x *Optionals) *int64 { return x.Int64 })
	maybe(p, "Float64", func(x *Optionals) *float64 { return x.Float64 })
	maybe(p, "Complex64", func(x *Optionals) *complex64 { return x.Complex64 })
	maybe(p, "Complex128", func(x *Optionals) *complex128 { return x.Complex128 })
	maybe(p, "Int", func(x *Optionals) *int { return x.Int })
	maybe(p, "Uint", func(x *Optionals) *uint { return x.Uint })
	maybe(p, "Named", func(x *Optionals) *Bool { return x.Named })
	whole(p, "Int64", func(x *Optionals) *int64 { return x.Int64 })
	decoded(p)
	return p
}

func mapsPart(c *format.Codec[richMaps]) *part[richMaps] {
	p := newPart(c)
	entries(p, "Strings", func(x *richMaps) map[string]int32 { return x.Strings }, "", "a", "\xff\xff", "nine9999")
	entries(p, "Texts", func(x *richMaps) map[Text]string { return x.Texts }, "日本語", "z")
	entries(p, "Bools", func(x *richMaps) map[bool][]int32 { return x.Bools }, false, true)
	entries(p, "Int8s", func(x *richMaps) map[int8]string { return x.Int8s }, -128, -1, 0, 127)
	entries(p, "Int16s", func(x *richMaps) map[int16]int64 { return x.Int16s }, -1, 0)
	entries(p, "Int32s", func(x *richMaps) map[int32]bool { return x.Int32s }, -1, 0)
	entries(p, "Int64s", func(x *richMaps) map[int64]float64 { return x.Int64s }, math.MinInt64, math.MaxInt64)
	entries(p, "Ints", func(x *richMaps) map[int]time.Time { return x.Ints }, math.MinInt, math.MaxInt)
	entries(p, "Uint8s", func(x *richMaps) map[uint8][]byte { return x.Uint8s }, 0, 255)
	entries(p, "Uint16s", func(x *richMaps) map[uint16]Point { return x.Uint16s }, 0, 1<<15)
	entries(p, "Uint32s", func(x *richMaps) map[uint32]int8 { return x.Uint32s }, 0, 1<<31)
	entries(p, "Uint64s", func(x *richMaps) map[uint64]uint64 { return x.Uint64s }, 0, 1<<63)
	entries(p, "Uints", func(x *richMaps) map[uint]Text { return x.Uints }, 0, math.MaxUint)
	entries(p, "Floats", func(x *richMaps) map[float32]int32 { return x.Floats }, 0, -1, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(-1)))
	entries(p, "Doubles", func(x *richMaps) map[float64]string { return x.Doubles }, 0, -1, math.NaN(), math.Inf(1))
	entries(p, "Bytes", func(x *richMaps) map[[16]byte]int32 { return x.Bytes }, [16]byte{}, [16]byte{15: 255})
	entries(p, "Keys", func(x *richMaps) map[richKey]int16 { return x.Keys }, richKey{}, richKey{A: -1, C: [2]bool{true}})
	entries(p, "Cplx", func(x *richMaps) map[complex64]int8 { return x.Cplx }, 0, 1i, complex64(complex(math.NaN(), 0)))
	entries(p, "Grades", func(x *richMaps) map[Grade]string { return x.Grades }, 0, -1)
	entries(p, "Nothing", func(x *richMaps) map[struct{}]int32 { return x.Nothing }, struct{}{})
	entries(p, "Set", func(x *richMaps) map[string]struct{} { return x.Set }, "", "a")
	decoded(p)
	return p
}

// richPart has the handles of c, which may be for memory that changes: slices of bools and pointers to them are
// then not to be had.
func richPart(c *format.Codec[Rich], shared bool) *part[Rich] {
	p := newPart(c)
	reads(p, "Name", func(x *Rich) string { return x.Name })
	reads(p, "Named", func(x *Rich) Text { return x.Named })
	maybe(p, "Title", func(x *Rich) *string { return x.Title })
	maybe(p, "Twice", func(x *Rich) *string { return through(x.Twice) })
	reads(p, "When", func(x *Rich) time.Time { return x.When })
	maybe(p, "At", func(x *Rich) *time.Time { return x.At })
	reads(p, "Addr", func(x *Rich) netip.Addr { return x.Addr })
	maybe(p, "PAddr", func(x *Rich) *netip.Addr { return x.PAddr })
	reads(p, "UUID", func(x *Rich) UUID { return x.UUID })
	maybe(p, "Deep", func(x *Rich) *int32 { return through(x.Deep) })
	reads(p, "Point", func(x *Rich) Point { return x.Point })
	reads(p, "Point.X", func(x *Rich) int32 { return x.Point.X })
	whole(p, "Point", func(x *Rich) *Point { return &x.Point })
	maybe(p, "PPoint", func(x *Rich) *Point { return through(x.PPoint) })
	whole(p, "PPoint", func(x *Rich) *Point { return through(x.PPoint) })
	maybe(p, "PPoint.Y", func(x *Rich) *int32 {
		if q := through(x.PPoint); q != nil {
			return &q.Y
		}
		return nil
	})
	reads(p, "Pair", func(x *Rich) sharedPair { return x.Pair })
	maybe(p, "PPair", func(x *Rich) *sharedPair { return x.PPair })
	reads(p, "Grid", func(x *Rich) Grid { return x.Grid })
	maybe(p, "PGrid", func(x *Rich) *Grid { return x.PGrid })
	whole(p, "PGrid", func(x *Rich) *Grid { return x.PGrid })
	list(p, "Grid[]", func(x *Rich) [][3]int16 { return x.Grid[:] })
	reads(p, "Flags", func(x *Rich) [3]bool { return x.Flags })
	list(p, "Flags[]", func(x *Rich) []bool { return x.Flags[:] })
	list(p, "Texts[]", func(x *Rich) []string { return x.Texts[:] })
	reads(p, "Bytes", func(x *Rich) []byte { return x.Bytes })
	list(p, "Bytes[]", func(x *Rich) []byte { return x.Bytes })
	reads(p, "Floats", func(x *Rich) []float32 { return x.Floats })
	reads(p, "Longs", func(x *Rich) []int64 { return x.Longs })
	reads(p, "Ints", func(x *Rich) []int { return x.Ints })
	list(p, "Ints[]", func(x *Rich) []int { return x.Ints })
	reads(p, "Points", func(x *Rich) []Point { return x.Points })
	list(p, "Points[]", func(x *Rich) []Point { return x.Points })
	list(p, "Pairs[]", func(x *Rich) []sharedPair { return x.Pairs })
	list(p, "Bools[]", func(x *Rich) []bool { return x.Bools })
	maybe(p, "PSlice", func(x *Rich) *[]int16 {
		if x.PSlice == nil || *x.PSlice == nil { // Has asks for the slice
			return nil
		}
		return x.PSlice
	})
	if !shared {
		reads(p, "Bools", func(x *Rich) []bool { return x.Bools })
		reads(p, "Pairs", func(x *Rich) []sharedPair { return x.Pairs })
		whole(p, "Pair", func(x *Rich) *sharedPair { return &x.Pair })
		whole(p, "PPair", func(x *Rich) *sharedPair { return x.PPair })
		whole(p, "PScalars", func(x *Rich) *Scalars { return x.PScalars })
	}
	list(p, "Strings[]", func(x *Rich) []string { return x.Strings })
	maybes(p, "PStrings[]", func(x *Rich) []*string { return x.PStrings }, func(e **string) *string { return *e })
	maybes(p, "Maybes[]", func(x *Rich) []*int32 { return x.Maybes }, func(e **int32) *int32 { return *e })
	list(p, "Times[]", func(x *Rich) []time.Time { return x.Times })
	list(p, "UUIDs[]", func(x *Rich) []UUID { return x.UUIDs })
	maybes(p, "Rows[]", func(x *Rich) [][]int32 { return x.Rows }, notNil[int32])
	maybes(p, "Cubes[]", func(x *Rich) [][]Point { return x.Cubes }, notNil[Point])
	reads(p, "Base.ID", func(x *Rich) int64 { return x.ID })
	reads(p, "Base.Name", func(x *Rich) string { return x.Base.Name })
	reads(p, "tag", func(x *Rich) int32 { return x.Tagged })
	base := newPart(format.MustFor[Base]())
	reads(base, "ID", func(x *Base) int64 { return x.ID })
	decoded(base)
	sub(p, "Base", base, func(x *Rich) *Base { return &x.Base })
	scalars, optionals := scalarsPart(format.MustFor[Scalars]()), optionalsPart(format.MustFor[Optionals]())
	sub(p, "Scalars", scalars, func(x *Rich) *Scalars { return &x.Scalars })
	sub(p, "PScalars", scalars, func(x *Rich) *Scalars { return x.PScalars })
	sub(p, "Opts", optionals, func(x *Rich) *Optionals { return &x.Opts })
	sub(p, "POpts", optionals, func(x *Rich) *Optionals { return x.POpts })
	sub(p, "Maps", mapsPart(format.MustFor[richMaps]()), func(x *Rich) *richMaps { return &x.Maps })
	entries(p, "PMap", func(x *Rich) map[string]int32 {
		if x.PMap == nil {
			return nil
		}
		return *x.PMap
	}, "a")
	boxes := newPart(format.MustFor[any]())
	decoded(boxes)
	sub(p, "Any", boxes, func(x *Rich) *any { return &x.Any })
	text := newPart(format.MustFor[string]())
	reads(text, "", func(x *string) string { return *x })
	decoded(text)
	sub(p, "Name", text, func(x *Rich) *string { return &x.Name })
	sub(p, "Title", text, func(x *Rich) *string { return x.Title })
	number := newPart(format.MustFor[int32]())
	reads(number, "", func(x *int32) int32 { return *x })
	decoded(number)
	subs(p, "Maybes[]", number, func(x *Rich) []*int32 { return x.Maybes })
	subs(p, "PStrings[]", text, func(x *Rich) []*string { return x.PStrings })
	kids := newPart(format.MustFor[[]Rich]())
	subs(kids, "[]", p, func(x *[]Rich) []*Rich { return addresses(*x) })
	sub(p, "Kids", kids, func(x *Rich) *[]Rich { return &x.Kids })
	sub(p, "Kid", p, func(x *Rich) *Rich { return x.Kid })
	sub(p, "PKid", p, func(x *Rich) *Rich { return through(x.PKid) })
	subs(p, "Kids[]", p, func(x *Rich) []*Rich { return addresses(x.Kids) })
	subs(p, "PKids[]", p, func(x *Rich) []*Rich { return x.PKids })
	subs(p, "Pairwise[]", p, func(x *Rich) []*Rich { return x.Pairwise[:] })
	parts(p, "ByName", p, func(x *Rich) map[string]*Rich { return x.ByName }, "", "a")
	list(p, "Kids[].Name", func(x *Rich) []string {
		if x.Kids == nil {
			return nil
		}
		names := make([]string, len(x.Kids))
		for i := range x.Kids {
			names[i] = x.Kids[i].Name
		}
		return names
	})
	maybe(p, "Kid.Name", func(x *Rich) *string {
		if x.Kid == nil {
			return nil
		}
		return &x.Kid.Name
	})
	maybe(p, "Kid.tag", func(x *Rich) *int32 {
		if x.Kid == nil {
			return nil
		}
		return &x.Kid.Tagged
	})
	maybes(p, "PKids[].tag", func(x *Rich) []*Rich { return x.PKids }, func(e **Rich) *int32 {
		if *e == nil {
			return nil
		}
		return &(*e).Tagged
	})
	decoded(p)
	return p
}

// through is what two pointers lead to.
func through[T any](p **T) *T {
	if p == nil {
		return nil
	}
	return *p
}

func notNil[T any](s *[]T) *[]T {
	if *s == nil {
		return nil
	}
	return s
}

func addresses[T any](s []T) []*T {
	out := make([]*T, len(s))
	for i := range s {
		out[i] = &s[i]
	}
	return out
}

// rich is a small value in which everything is there.
func rich() Rich {
	r := Rich{
		Name: "rich", Title: new(""), Twice: new(new("twice")), When: time.Unix(1, 2).UTC(), At: new(time.Unix(3, 4).In(time.FixedZone("", 3600))),
		Addr: oddAddrs[2], PAddr: &oddAddrs[4], UUID: UUID{1}, Scalars: Scalars{Bool: true, Int: -1, Last: true, Complex128: 1i},
		PScalars: &Scalars{Bool: true, Uint: 7}, Opts: Optionals{Bool: new(false), Uint: new(uint(9))}, POpts: &Optionals{Int64: new(int64(-9))},
		Deep: new(new(int32(5))), Point: Point{1, 2}, PPoint: new(&Point{3, 4}), Pair: sharedPair{true, 1}, PPair: &sharedPair{true, 2},
		Grid: Grid{{1, 2, 3}, {4, 5, 6}}, PGrid: &Grid{{7}}, Flags: [3]bool{true, false, true}, Texts: [2]string{"", "text"},
		Bytes: []byte("bytes"), Bools: []bool{true, false, true}, Floats: []float32{0.5, -1}, Longs: []int64{1, -2, 3}, Ints: []int{-1, 1},
		Points: []Point{{1, 2}, {3, 4}}, Pairs: []sharedPair{{true, 1}, {false, 2}}, PSlice: new([]int16{1, 2, 3}), Strings: []string{"a", "", "c"},
		PStrings: []*string{nil, new(""), new("x")}, Maybes: []*int32{nil, new(int32(0)), new(int32(-1))}, Times: []time.Time{{}, time.Unix(9, 9).UTC()},
		UUIDs: []UUID{{}, {2}}, Rows: [][]int32{nil, {}, {1, 2}}, Cubes: [][]Point{{{1, 1}}, nil}, Base: Base{7, "base"}, Tagged: 8, Any: "any", Named: "named",
		Maps: richMaps{
			Strings: map[string]int32{"": 1, "a": 2, "bb": 3}, Texts: map[Text]string{"日本語": "x"}, Bools: map[bool][]int32{true: {1}, false: nil},
			Int8s: map[int8]string{-1: "m", 1: "p"}, Int16s: map[int16]int64{-300: 1, 300: 2}, Int32s: map[int32]bool{-5: true, 5: false}, Int64s: map[int64]float64{math.MinInt64: 1, 0: 2},
			Ints: map[int]time.Time{-1: {}, 1: time.Unix(1, 1).UTC()}, Uint8s: map[uint8][]byte{0: {1}, 255: nil}, Uint16s: map[uint16]Point{1: {1, 1}, 1 << 15: {2, 2}},
			Uint32s: map[uint32]int8{0: 1, 1 << 31: 2}, Uint64s: map[uint64]uint64{1: 1, 1 << 63: 2}, Uints: map[uint]Text{5: "five"},
			Floats: map[float32]int32{-1: 1, 0: 2, 1.5: 3}, Doubles: map[float64]string{math.Inf(-1): "low", 3: "three", math.Inf(1): "high"},
			Bytes: map[[16]byte]int32{{}: 1, {0: 1}: 2, {15: 255}: 3}, Keys: map[richKey]int16{{A: -1, C: [2]bool{true}}: 1, {B: 2}: 2}, Cplx: map[complex64]int8{1i: 1, 1: 2},
			Grades: map[Grade]string{-1: "low", 1: "high"}, Nothing: map[struct{}]int32{{}: 5}, Set: map[string]struct{}{"a": {}, "b": {}},
		},
		PMap: new(map[string]int32{"a": 1}),
	}
	return r
}

// richTree has a rich value in each place of another.
func richTree() Rich {
	r := rich()
	r.Kid, r.PKid, r.Kids, r.PKids = &Rich{Name: "kid"}, new(&Rich{Title: new("t")}), []Rich{{Name: "first", Bools: []bool{true}}, {}}, []*Rich{nil, {Longs: []int64{1}}}
	r.Pairwise[1] = &Rich{Kids: []Rich{}}
	r.ByName = map[string]*Rich{"": {Name: "x"}, "a": nil}
	return r
}

// richCodec and richHandles are shared by the tests, as handles are by a program.
var (
	richCodec   = sync.OnceValue(func() *format.Codec[Rich] { return format.MustFor[Rich]() })
	richHandles = sync.OnceValue(func() *part[Rich] { return richPart(richCodec(), false) })
)

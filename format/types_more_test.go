package format_test

import (
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"time"
)

// Types of maps, interfaces, times and shared references.

// Trie and Node come back to themselves through maps and interfaces.
type (
	Trie map[string]Trie
	Node struct {
		Name string
		Kids map[string]*Node
		Any  any
		List []*Node
	}
	Forest []map[string]*Forest
	Chain  struct{ Links map[int8]map[bool][]*Chain }
	Anyone struct{ Next any }
	Double struct {
		Value      int32
		Prev, Next *Double
	}
	// Crossing has every way from one node to another.
	Crossing struct {
		ID    int32
		Next  *Crossing
		Twice **Crossing
		Many  []*Crossing
		Named map[string]*Crossing
		By    map[int32]*Crossing
		Any   any
	}
)

// Interfaces, and what fits into them.
type (
	Shape  interface{ Area() float64 }
	Square struct{ Side float64 }
	Circle struct {
		Radius float64
		Name   *string
	}
	Failure struct {
		Code int32
		Text string
	}
	PFailure struct{ Why error }
)

func (s Square) Area() float64   { return s.Side * s.Side }
func (c *Circle) Area() float64  { return 3 * c.Radius * c.Radius }
func (f Failure) Error() string  { return fmt.Sprint(f.Code, f.Text) }
func (p PFailure) Error() string { return "because" }

// Holder has interfaces in each place.
type Holder struct {
	Any      any
	Stringer fmt.Stringer
	Error    error
	Shape    Shape
	Anys     []any
	Shapes   [2]Shape
	PAny     *any
	Named    map[string]any
	ByAny    map[any]int32
	Flag     bool
}

// Keys are what a struct as a key may have.
type (
	PointKey struct {
		X int8
		Y float32
		Z [2]string
	}
	AnyKey struct {
		Kind Text
		Any  any
		Addr netip.Addr
	}
)

// Pair and Cell are generic.
type (
	Pair[K comparable, V any] struct {
		Key   K
		Value V
	}
	Cell[T any] struct {
		Map  map[string]T
		Ptr  *T
		List []T
		Next *Cell[T]
	}
)

// Named kinds.
type (
	Ages    map[Text]Int
	Moments []time.Time
	Weather map[Grade]Celsius
	Thing   any
)

// Times has times in each place.
type Times struct {
	A     bool
	Time  time.Time
	Ptr   *time.Time
	PPtr  **time.Time
	B     *bool
	Many  []time.Time
	Ptrs  []*time.Time
	Array [2]time.Time
	Opts  [2]*time.Time
	Map   map[string]time.Time
	PMap  map[int8]*time.Time
	Any   any
	For   time.Duration
	PFor  *time.Duration
}

// Optional70 has more optionals than a word has bits, times among them.
type Optional70 struct {
	F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15, F16                                        *time.Time
	F17, F18, F19, F20, F21, F22, F23, F24, F25, F26, F27, F28, F29, F30, F31, F32                               *bool
	S1                                                                                                           string
	F33, F34, F35, F36, F37, F38, F39, F40, F41, F42, F43, F44, F45, F46, F47, F48, F49, F50, F51, F52, F53, F54 *int16
	F55, F56, F57, F58, F59, F60, F61, F62                                                                       *complex128
	F63, F64, F65, F66                                                                                           *time.Time
	T1                                                                                                           time.Time
	F67, F68                                                                                                     *uint8
	F69, F70                                                                                                     *time.Time
}

// Maps has maps of everything.
type Maps struct {
	Bools    map[bool]bool
	Int8s    map[int8]int8
	Int16s   map[int16]uint16
	Int32s   map[int32]float32
	Int64s   map[int64]complex64
	Ints     map[int]int
	Uint8s   map[uint8]string
	Uint16s  map[uint16][]byte
	Uint32s  map[uint32]*string
	Uint64s  map[uint64]complex128
	Uints    map[uint]uint
	Float32s map[float32]*int
	Float64s map[float64]*Point
	Complex  map[complex64][2]bool
	Wide     map[complex128]map[string]int8
	Strings  map[string]string
	Texts    map[Text]Ages
	Arrays   map[[2]int16][]map[string]bool
	Structs  map[PointKey]Scalars
	Anys     map[any]any
	AnyKeys  map[AnyKey]Optionals
	Addrs    map[netip.Addr]netip.Prefix
	UUIDs    map[UUID]*bool
	Set      map[string]struct{}
	Nothing  map[struct{}]struct{}
	One      map[[0]int8]string
	Times    map[Grade]time.Time
	Ptr      *map[string]int32
	Slice    []map[int8]bool
	Array    [2]map[string]*Node
}

// testBoxes are the types that the tests register.
func testBoxes() []boxable {
	return []boxable{
		box[Point]("Point"), box[*Point]("*Point"), box[*int]("*int"), box[**int]("**int"), box[*string]("*string"), box[*time.Time]("*time.Time"),
		box[Square]("Square"), box[*Circle]("*Circle"), box[Failure]("Failure"), box[*PFailure]("*PFailure"),
		box[netip.Addr]("Addr"), box[netip.Prefix]("Prefix"), box[big.Int]("big.Int"), box[*big.Int]("*big.Int"), box[*url.URL]("*url.URL"),
		box[UUID]("UUID"), box[Celsius]("Celsius"), box[*Words]("*Words"), box[Grade]("Grade"), box[Text]("Text"), box[Bool]("Bool"),
		box[Node]("Node"), box[*Node]("*Node"), box[Trie]("Trie"), box[*Anyone]("*Anyone"), box[Holder]("Holder"), box[*any]("*any"),
		box[map[string]*Node]("map[string]*Node"), box[map[any]any]("map[any]any"), box[[]*Point]("[]*Point"), box[[2]any]("[2]any"),
		box[PointKey]("PointKey"), box[AnyKey]("AnyKey"), box[Nothing]("Nothing"), box[[3]int8]("[3]int8"), box[[100]int64]("hundred"),
		box[Optionals]("Optionals"), box[List]("List"), box[*List]("*List"), box[*Crossing]("*Crossing"), box[Crossing]("Crossing"),
		box[map[int32]*Crossing]("map[int32]*Crossing"), box[Pair[string, int]]("Pair"), box[Stamped]("Stamped"), box[[]struct{}]("[]struct{}"),
		box[*Double]("*Double"), box[*Sample]("*Sample"),
	}
}

// twinPoint is another type of the structure of Point.
type twinPoint Point

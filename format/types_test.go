//lint:file-ignore U1000 the fields that nobody uses are the point of these types

package format_test

// Types of the published benchmarks, and some that only a tester thinks of.

type ArraysData struct {
	Booleans []bool
	Bytes    []int8
	Ints     []int32
	Longs    []int64
	Doubles  []float64
}

type (
	Player int32
	Size   int32
)

type MediaContent struct {
	Media  *Media
	Images []*Image
}

type Media struct {
	URI           string
	Title         *string
	Width, Height int32
	Format        string
	Duration      int64
	Size          int64
	Bitrate       int32
	HasBitrate    bool
	Persons       []string
	Player        Player
	Copyright     *string
}

type Image struct {
	URI           string
	Title         *string
	Width, Height int32
	Size          Size
	Media         *Media
}

func mediaContent() MediaContent {
	return MediaContent{
		Media: &Media{
			URI: "http://javaone.com/keynote.ogg", Width: 641, Height: 481, Format: "video/theora\u1234",
			Duration: 18000001, Size: 58982401, Persons: []string{"Bill Gates, Jr.", "Steven Jobs"},
			Player: 1, Copyright: new("Copyright (c) 2009, Scooby Dooby Doo"),
		},
		Images: []*Image{
			{URI: "http://javaone.com/keynote_huge.jpg", Title: new("Javaone Keynote\u1234"), Width: 32000, Height: 24000, Size: 1},
			{URI: "http://javaone.com/keynote_large.jpg", Width: 1024, Height: 768, Size: 1},
			{URI: "http://javaone.com/keynote_small.jpg", Width: 320, Height: 240},
		},
	}
}

type Sample struct {
	IntValue          int32
	LongValue         int64
	FloatValue        float32
	DoubleValue       float64
	ShortValue        int16
	CharValue         uint16
	BooleanValue      bool
	IntValueBoxed     *int32
	LongValueBoxed    *int64
	FloatValueBoxed   *float32
	DoubleValueBoxed  *float64
	ShortValueBoxed   *int16
	CharValueBoxed    *uint16
	BooleanValueBoxed *bool
	IntArray          []int32
	LongArray         []int64
	FloatArray        []float32
	DoubleArray       []float64
	ShortArray        []int16
	CharArray         []uint16
	BooleanArray      []bool
	String            string
	Sample            *Sample
}

func sample() Sample {
	return Sample{
		IntValue: 123, LongValue: 1230000, FloatValue: 12.345, DoubleValue: 1.234567,
		ShortValue: 12345, CharValue: '!', BooleanValue: true,
		IntValueBoxed: new(int32(321)), LongValueBoxed: new(int64(3210000)), FloatValueBoxed: new(float32(54.321)),
		DoubleValueBoxed: new(7.654321), ShortValueBoxed: new(int16(32100)), CharValueBoxed: new(uint16('$')),
		BooleanValueBoxed: new(false),
		IntArray:          []int32{-1234, -123, -12, -1, 0, 1, 12, 123, 1234},
		LongArray:         []int64{-123400, -12300, -1200, -100, 0, 100, 1200, 12300, 123400},
		FloatArray:        []float32{-12.34, -12.3, -12, -1, 0, 1, 12, 12.3, 12.34},
		DoubleArray:       []float64{-1.234, -1.23, -12, -1, 0, 1, 12, 1.23, 1.234},
		ShortArray:        []int16{-1234, -123, -12, -1, 0, 1, 12, 123, 1234},
		CharArray:         []uint16{'a', 's', 'd', 'f', 'A', 'S', 'D', 'F'},
		BooleanArray:      []bool{true, false, false, true},
		String:            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	}
}

// Scalars has one field of each kind, in an order that leaves gaps.
type Scalars struct {
	Bool       bool
	Int64      int64
	Int8       int8
	Int16      int16
	Uint8      uint8
	Int32      int32
	Uint16     uint16
	Float32    float32
	Uint32     uint32
	Complex64  complex64
	Float64    float64
	Uint64     uint64
	Complex128 complex128
	Int        int
	Uint       uint
	Last       bool
}

type (
	Bool   bool
	Int    int
	Float  float32
	Cplx   complex64
	Text   string
	Ints   []int32
	Bytes  []byte
	Grid   [2][3]int16
	PInt   *int32
	PText  *Text
	PPoint *Point
)

type Point struct{ X, Y int32 }

// Named has a field of each named type.
type Named struct {
	Bool   Bool
	Int    Int
	Float  Float
	Cplx   Cplx
	Text   Text
	Ints   Ints
	Bytes  Bytes
	Grid   Grid
	PInt   PInt
	PText  PText
	PPoint PPoint
}

// Optionals has an optional of each width.
type Optionals struct {
	Bool       *bool
	Int8       *int8
	Uint16     *uint16
	Int32      *int32
	Float32    *float32
	Int64      *int64
	Float64    *float64
	Complex64  *complex64
	Complex128 *complex128
	Int        *int
	Uint       *uint
	Named      *Bool
}

// Recursive types.
type (
	List struct {
		Value int32
		Next  *List
	}
	Tree struct {
		Name        string
		Left, Right *Tree
		Kids        []Tree
	}
	Nest []Nest
	Loop *Loop
	Even struct{ Odd *Odd }
	Odd  struct{ Even []Even }
	// Twin is one node in the description, though two Go types (§6.2).
	Twin  struct{ Next *Twin2 }
	Twin2 struct{ Next *Twin }
)

// Nothing has no bytes; Aligner has none but an alignment.
type (
	Nothing struct{}
	Aligner [0]int64
)

// Hollow has fields of no bytes first, between and last.
type Hollow struct {
	First  Nothing
	A      int8
	Align  Aligner
	B      int8
	Middle struct{}
	C      int16
	Refs   [0]string
	D      bool
	Opts   [0]*int8
	Last   [0]int16
}

// HollowRefs refers to objects of no bytes.
type HollowRefs struct {
	P  *Nothing
	Q  *Aligner
	S  []Nothing
	R  []Aligner
	PS *[]struct{}
	PP **Nothing
	A  [2]*struct{}
	T  []*Nothing
	End
}

type End struct{}

// Skipping has fields that are not on the wire.
type Skipping struct {
	A      int32
	hidden int64
	B      string
	Skip   map[string]int `ashlar:"-"`
	C      []int16        `ashlar:"sea"`
	_      int32
	secret string
	D      *int8
	Inner  struct {
		X     int8
		y     int8
		Z     int8
		Chan  chan int `ashlar:"-"`
		After int64
	}
}

// Blank has gaps that are declared.
type Blank struct {
	A uint8
	_ [3]byte
	B uint32
	_ uint64
	C uint8
	_ [7]byte
}

// Base is embedded by Embedding, by value and by pointer.
type Base struct {
	ID   int64
	Name string
}

type Other struct{ Flag *bool }

type hiddenEmpty struct{ x int }

type Embedding struct {
	Base
	*Other
	Text
	*Float
	hiddenEmpty
	After int8
}

// Pointers has what stands behind more than one pointer.
type Pointers struct {
	String        *string
	PString       **string
	PPString      ***string
	PInt          **int32
	PPBool        ***bool
	Slice         *[]int32
	Strings       *[]string
	Array         *[3]int16
	OptionalArray *[2]*int16
	Struct        *Point
	PStruct       **Point
	Optionals     *Optionals
	Deep          *[]*[]*string
}

// Slices has slices of everything.
type Slices struct {
	Bools      []bool
	Bytes      []byte
	Int16s     []int16
	Floats     []float32
	Complexes  []complex128
	Ints       []int
	Strings    []string
	PStrings   []*string
	Slices     [][]int32
	Deep       [][][]bool
	Points     []Point
	Blanks     []Blank
	Pointers   []*Point
	Optionals  []*int32
	Structs    []Optionals
	PPOptional []**int8
	Arrays     [][3]int8
	Texts      [][2]string
	Scalars    []Scalars
	Embedded   []Embedding
}

// Arrays has arrays of everything.
type Arrays struct {
	Bools     [3]bool
	Bytes     [5]byte
	Int64s    [2]int64
	None      [0]int32
	NoStrings [0]string
	Strings   [3]string
	Pointers  [2]*Point
	PStrings  [2]*string
	Optionals [3]*bool
	Slices    [2][]int16
	Grid      [2][2][2]uint8
	Structs   [2]Optionals
	One       [1]Scalars
	Refs      [2]List
}

// Gapped is what a record with fields of falling and rising width looks like.
type Gapped struct {
	A uint8
	B uint64
	C uint8
	D uint16
	E uint8
	F uint32
	G uint8
}

// Gaps puts gaps into every place where bulk moves take them along.
type Gaps struct {
	One   Gapped
	Many  []Gapped
	Array [3]Gapped
	Ptr   *Gapped
	Tail  []struct {
		A uint64
		B uint32
	}
	Narrow []struct {
		A uint32
		B uint8
	}
}

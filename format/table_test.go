package format_test

import (
	"fmt"
	"math"
	"reflect"
	"sync"
)

// table is every kind in every place, with the values that are easily got wrong.
// Zero values and random ones are added to each row where it is used.
var table = sync.OnceValue(func() []row {
	var rows []row
	rows = append(rows, scalarRows()...)
	rows = append(rows, optionalRows()...)
	rows = append(rows, refRows()...)
	rows = append(rows, compositeRows()...)
	rows = append(rows, recursiveRows()...)
	rows = append(rows, emptyRows()...)
	rows = append(rows, benchmarkRows()...)
	return append(rows, wideRows()...)
})

func scalarRows() []row {
	return []row{
		of("bool", true),
		of[int8]("int8", -1, math.MinInt8),
		of[int16]("int16", -2),
		of[int32]("int32", math.MinInt32),
		of[int64]("int64", math.MinInt64, math.MaxInt64),
		of[uint8]("uint8", 255),
		of[uint16]("uint16", math.MaxUint16),
		of[uint32]("uint32", math.MaxUint32),
		of[uint64]("uint64", math.MaxUint64),
		of[int]("int", math.MaxInt, math.MinInt, -1),
		of[uint]("uint", math.MaxUint),
		of("float32", float32(math.Copysign(0, -1)), math.Float32frombits(0x7fc00001), float32(math.Inf(-1))),
		of("float64", math.Copysign(0, -1), math.Float64frombits(0x7ff0000000000001), math.Inf(1)),
		of[complex64]("complex64", 1-2i),
		of[complex128]("complex128", complex(math.NaN(), math.Copysign(0, -1))),
		of[Bool]("named bool", true),
		of[Float]("named float", 1.5),
		of[Cplx]("named complex", 2i),
		of("all scalars", Scalars{Bool: true, Int8: -1, Uint16: 0xABCD, Last: true}),
		of[[7]bool]("bools", [7]bool{true, false, true}),
		of[[64]bool]("64 bools"),
		of[[3]int]("ints", [3]int{-1, 0, math.MinInt}),
		of[[4]complex64]("complex array"),
		of[struct {
			A bool
			B [9]bool
			C int16
			D bool
		}]("bools between"),
		of[struct {
			A int32
			B int
			C bool
			D uint
		}]("int and uint"),
		of("names", Named{Text: "x", Bytes: Bytes{}, PText: new(Text("")), PInt: new(int32(0))}),
	}
}

func optionalRows() []row {
	return []row{
		of("optional at the root", new(int32(7)), nil),
		of("optional bool at the root", new(true), new(false)),
		of("optional complex at the root", new(complex(1, math.Inf(1)))),
		of[PInt]("named optional at the root", new(int32(-1))),
		of("optional elements", []*int8{nil, new(int8(0)), new(int8(-1)), nil}, []*int8{}),
		of("optional bools", []*bool{new(true), nil, new(false)}),
		of("optional array", [3]*uint16{nil, new(uint16(9)), nil}),
		of("optional pointee", new(new(uint64(1))), new((*uint64)(nil))),
		of("optional pointee twice", new(new(new(false)))),
		of("optional of each width", Optionals{Bool: new(false), Complex128: new(1i), Uint: new(uint(math.MaxUint))}),
		of("one optional", struct{ A *int16 }{new(int16(0))}),
		of("one optional between", struct {
			A bool
			B *bool
			C bool
		}{true, new(true), true}),
		of[Optional64]("64 optionals", Optional64{F1: new(true), F64: new(int32(0))}),
		of[Optional65]("65 optionals", Optional65{F64: new(uint8(1)), F65: new(math.Copysign(0, -1))}),
		of[Optional130]("130 optionals", Optional130{F1: new(true), F129: new(complex128(1)), F130: new(1)}),
		of[[]Optional65]("slice of 65 optionals"),
		of[[2]Optional65]("array of 65 optionals"),
		of[struct {
			A *int8
			B Optionals
			C *int8
			D []Optionals
		}]("optionals in optionals' structs"),
	}
}

func refRows() []row {
	return []row{
		of("string", "a", "seven77", "eight888", "nine99999", "\xff\x00", string(make([]byte, 300))),
		of[Text]("named string", "日本語"),
		of("pointer to string", new(""), new("x"), nil),
		of("pointer to pointer to string", new(new("")), new((*string)(nil))),
		of("strings", []string{"", "a", ""}, []string{}, []string{""}),
		of("pointers to strings", []*string{nil, new(""), new("a")}),
		of("bytes", []byte{}, []byte{0}, []byte("eight888"), make([]byte, 4096)),
		of("bools", []bool{true}, []bool{false, true, false, true, true, false, false, true, true}),
		of("int32s", []int32{1, -1, 2}, []int32{}),
		of("ints", []int{math.MinInt, 0, math.MaxInt}),
		of("complexes", []complex64{1i, 2}),
		of("objects about as large as those that begin at cache lines", [][]byte{
			make([]byte, 503), make([]byte, 504), make([]byte, 505), make([]byte, 511), {1}, make([]byte, 512), {2}, make([]byte, 513), make([]byte, 520), {3},
		}),
		of("large objects of every kind", struct {
			A []int64
			B string
			C *[64]int64
			D *string
			E []string
			F *[64]string
			G [][65]*bool
			H [][512]bool
		}{
			make([]int64, 64), string(make([]byte, 512)), &[64]int64{63: 1}, new(string(make([]byte, 600))), make([]string, 64), &[64]string{63: "x"},
			make([][65]*bool, 1), make([][512]bool, 1),
		}),
		of("large root", [100]string{99: string(make([]byte, 512))}),
		of("slices", [][]int16{nil, {}, {1}, {1, 2, 3, 4, 5}}),
		of("byte slices", [][]byte{[]byte("x"), nil, {}, make([]byte, 200)}),
		of("slices of slices", [][][]bool{nil, {}, {nil, {}, {true}}}),
		of("pointer to slice", new([]int32(nil)), new([]int32{}), new([]int32{1})),
		of("pointer to slice of strings", new([]string{"a"})),
		of("pointer to array", new([3]int64{1, 2, 3})),
		of("pointer to array of strings", new([2]string{"", "x"})),
		of("pointer to struct", new(Point{1, 2}), nil),
		of("pointer to pointer", new(new(Point{1, 2})), new((*Point)(nil))),
		of("pointers", Pointers{
			String: new(""), PString: new(new("")), PPString: new(new(new("x"))), PInt: new(new(int32(1))),
			Slice: new([]int32{}), Struct: new(Point{}), PStruct: new((*Point)(nil)),
		}),
		of("slices of everything", Slices{
			Bools: []bool{}, Strings: []string{}, Slices: [][]int32{nil, {}}, Points: []Point{{1, 2}, {3, 4}},
			Pointers: []*Point{nil, {}}, PPOptional: []**int8{nil, new((*int8)(nil)), new(new(int8(1)))},
		}),
		of("arrays of everything", Arrays{Bools: [3]bool{true, false, true}, Strings: [3]string{"", "b"}}),
	}
}

func compositeRows() []row {
	skipping := Skipping{A: 1, B: "b", C: []int16{3}, D: new(int8(4))}
	return []row{
		of("gaps", Gaps{Many: []Gapped{{1, 2, 3, 4, 5, 6, 7}}, Ptr: &Gapped{A: 1, G: 7}}),
		of("blank fields", Blank{A: 1, B: 2, C: 3}),
		of("slice of blank fields", []Blank{{A: 1, B: 2, C: 3}, {A: 4}}),
		of("fields left out", skipping),
		of("slice of fields left out", []Skipping{skipping, {}}),
		of("embedded", Embedding{Base: Base{1, "n"}, Other: &Other{new(true)}, Text: "t", Float: new(Float(1))}),
		of("embedded slice", []Embedding{{After: 1}, {Base: Base{Name: "x"}}}),
		of("nested by value", struct {
			A struct {
				B struct {
					C struct{ D bool }
					E string
				}
				F int64
			}
			G int8
		}{}),
		of("renamed", struct {
			A int32  `ashlar:"b"`
			B string `ashlar:"a"`
			C *bool  `ashlar:"日本"`
			D int8   `json:"d"`
		}{A: 1, B: "x"}),
		of("fields of no kind of order", []struct {
			A uint8
			B string
			C bool
			D []byte
			E *int16
			F [3]uint16
			G *Point
			H complex64
		}{{A: 1, B: "b", C: true, D: []byte{}, H: 1}}),
	}
}

func recursiveRows() []row {
	return []row{
		of("list", List{1, &List{2, &List{3, nil}}}, *listOf(100)),
		of("tree", Tree{Name: "r", Left: &Tree{Kids: []Tree{{}, {Name: "k"}}}, Right: &Tree{Kids: []Tree{}}}),
		of("slice of itself", Nest{nil, {}, {nil, {{}}}}, Nest{}),
		of("pointer to itself", Loop(new(Loop(new(Loop(nil))))), Loop(new(Loop(nil)))),
		of("tree behind a slice", struct{ F []Tree }{[]Tree{branching()}}),
		of("tree behind a pointer", struct{ F *Tree }{new(branching())}),
		of("tree behind a slice, then by value", struct {
			F []Tree
			G Tree
		}{[]Tree{branching()}, branching()}),
		of("tree by value, then behind a pointer", struct {
			F Tree
			G *Tree
		}{branching(), new(branching())}),
		of("two types in turn", Even{&Odd{[]Even{{}, {&Odd{[]Even{}}}}}}),
		of("two equal types in turn", Twin{&Twin2{&Twin{}}}),
	}
}

// branching is a tree that has every kind of child at every level.
func branching() Tree {
	leaf := Tree{Name: "leaf", Kids: []Tree{}}
	twig := Tree{Name: "twig", Left: &leaf, Right: &Tree{Kids: []Tree{leaf, {}}}, Kids: []Tree{leaf, {Left: &leaf}}}
	return Tree{Left: &Tree{Left: &twig, Kids: []Tree{twig, leaf}}, Right: &twig, Kids: []Tree{{}, twig}}
}

// listOf makes a list of n nodes, which has n-1 refs on one path.
func listOf(n int) *List {
	var l *List
	for i := range n {
		l = &List{int32(n - i), l}
	}
	return l
}

func emptyRows() []row {
	return []row{
		of[struct{}]("no bytes"),
		of[[0]int]("array of none"),
		of[[3]struct{}]("array of nothing"),
		of("slice of nothing", []struct{}{}, make([]struct{}, 3), make([]struct{}, 1<<20)),
		of("slice of arrays of none", [][0]int64{}, make([][0]int64, 2)),
		of("slice of slices of nothing", [][]struct{}{nil, {}, make([]struct{}, 5)}),
		of("pointer to nothing", new(struct{}{}), nil),
		of("pointer to pointer to nothing", new(new(struct{}{})), new((*struct{})(nil))),
		of("fields of no bytes", Hollow{A: 1, B: -1, C: 2, D: true}),
		of("slice of fields of no bytes", []Hollow{{A: 1, D: true}, {}}),
		of("refs to no bytes", HollowRefs{P: new(Nothing{}), S: make([]Nothing, 9), PS: new(make([]struct{}, 2))}),
		of("nothing but left out", struct {
			A map[int]int `ashlar:"-"`
		}{}),
		of("pointer to nothing but left out", new(struct {
			A chan int `ashlar:"-"`
		})),
		of[[0]string]("array of no strings"),
		of[[0]*int]("array of no optionals"),
		of[struct {
			A int8
			B [0]*int
		}]("no optionals keep their alignment"),
	}
}

func benchmarkRows() []row {
	return []row{
		of("ArraysData", arraysData(200), ArraysData{Booleans: []bool{}, Bytes: []int8{}}),
		of("Buffers", [][]byte{make([]byte, 200), []byte("x"), {}}),
		of[Struct100]("Struct100"),
		of[Struct100Optional]("Struct100Optional"),
		of[Float33]("Float33"),
		of[Mixed104]("Mixed104"),
		of[[]Mixed104]("Mixed104s"),
		of("MediaContent", mediaContent()),
		of("Sample", sample()),
	}
}

func arraysData(n int) ArraysData {
	a := ArraysData{make([]bool, n), make([]int8, n), make([]int32, n), make([]int64, n), make([]float64, n)}
	f := seeded(uint64(n), 0)
	for i := range n {
		a.Booleans[i] = f.next()&1 != 0
		a.Bytes[i], a.Ints[i], a.Longs[i] = int8(f.next()), int32(f.next()), int64(f.next())
		a.Doubles[i] = math.Float64frombits(f.next())
	}
	return a
}

// wideStruct is a struct of n fields F1 … Fn whose types take turns.
func wideStruct(n int, types ...reflect.Type) reflect.Type {
	fields := make([]reflect.StructField, n)
	for i := range fields {
		fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i+1), Type: types[i%len(types)]}
	}
	return reflect.StructOf(fields)
}

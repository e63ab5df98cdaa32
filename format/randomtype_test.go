package format_test

import (
	"fmt"
	"math/big"
	"net/netip"
	"reflect"
	"time"
)

var scalarTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[int8](), reflect.TypeFor[uint8](), reflect.TypeFor[int16](), reflect.TypeFor[uint16](),
	reflect.TypeFor[int32](), reflect.TypeFor[uint32](), reflect.TypeFor[int64](), reflect.TypeFor[uint64](), reflect.TypeFor[int](),
	reflect.TypeFor[uint](), reflect.TypeFor[float32](), reflect.TypeFor[float64](), reflect.TypeFor[complex64](),
	reflect.TypeFor[complex128](), reflect.TypeFor[Bool](), reflect.TypeFor[Float](),
}

var namedTypes = []reflect.Type{
	reflect.TypeFor[List](), reflect.TypeFor[Tree](), reflect.TypeFor[Nest](), reflect.TypeFor[Loop](), reflect.TypeFor[Point](),
	reflect.TypeFor[Blank](), reflect.TypeFor[Skipping](), reflect.TypeFor[Optionals](), reflect.TypeFor[Hollow](),
	reflect.TypeFor[Text](), reflect.TypeFor[PInt](), reflect.TypeFor[PText](), reflect.TypeFor[Embedding](),
}

// randomType makes a type out of the filler's numbers, nested at most so deep.
func randomType(f *filler, depth int) reflect.Type {
	if t := randomWideType(f, depth); t != nil {
		return t
	}
	choice := f.below(16)
	if depth <= 0 && choice >= 8 {
		choice %= 8
	}
	switch choice {
	default:
		return scalarTypes[f.below(len(scalarTypes))]
	case 5:
		return reflect.TypeFor[string]()
	case 6:
		return namedTypes[f.below(len(namedTypes))]
	case 7:
		return reflect.PointerTo(scalarTypes[f.below(len(scalarTypes))])
	case 8:
		return reflect.PointerTo(randomType(f, depth-1))
	case 9, 10:
		elem := randomType(f, depth-1)
		if layoutOf(elem).size == 0 && elem.Size() > 0 {
			elem = reflect.TypeFor[struct{}]() // others are refused
		}
		return reflect.SliceOf(elem)
	case 11:
		return reflect.ArrayOf(f.below(4), randomType(f, depth-1))
	case 12, 13, 14, 15:
		n := f.below(7)
		if f.below(16) == 0 {
			n = 60 + f.below(20)
		}
		fields := make([]reflect.StructField, n)
		for i := range fields {
			fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: randomType(f, depth-1)}
			switch f.below(12) {
			case 0:
				fields[i].Tag = reflect.StructTag(fmt.Sprintf(`ashlar:"name%d"`, i))
			case 1:
				fields[i].Tag = `ashlar:"-"`
			case 2:
				fields[i].Name, fields[i].PkgPath = fmt.Sprintf("f%d", i), "example.com/hidden"
			}
		}
		if n > 0 {
			// At least one field is exported, or the struct is refused.
			fields[n-1].Name, fields[n-1].PkgPath = fmt.Sprintf("F%d", n-1), ""
		}
		return reflect.StructOf(fields)
	}
}

var wideTypes = []reflect.Type{
	reflect.TypeFor[time.Time](), reflect.TypeFor[*time.Time](), reflect.TypeFor[any](), reflect.TypeFor[any](), reflect.TypeFor[fmt.Stringer](),
	reflect.TypeFor[netip.Addr](), reflect.TypeFor[UUID](), reflect.TypeFor[*big.Int](), reflect.TypeFor[Words](), reflect.TypeFor[Celsius](),
	reflect.TypeFor[Trie](), reflect.TypeFor[Node](), reflect.TypeFor[Holder](), reflect.TypeFor[map[string]any](),
}

// randomWideType makes one of the types that randomType's own choices lack, or
// leaves the choice to them.
func randomWideType(f *filler, depth int) reflect.Type {
	switch choice := f.below(8); {
	case choice == 0:
		return wideTypes[f.below(len(wideTypes))]
	case choice == 1 && depth > 0:
		return reflect.MapOf(randomKeyType(f, depth-1), randomType(f, depth-1))
	}
	return nil
}

// randomKeyType makes a type that keys can be of.
func randomKeyType(f *filler, depth int) reflect.Type {
	choice := f.below(8)
	if depth <= 0 && choice >= 6 {
		choice -= 6
	}
	switch choice {
	default:
		return scalarTypes[f.below(len(scalarTypes))]
	case 2:
		return reflect.TypeFor[string]()
	case 3:
		return reflect.TypeFor[Text]()
	case 4:
		return []reflect.Type{reflect.TypeFor[netip.Addr](), reflect.TypeFor[UUID]()}[f.below(2)]
	case 5:
		return reflect.TypeFor[any]()
	case 6:
		return reflect.ArrayOf(f.below(4), randomKeyType(f, depth-1))
	case 7:
		fields := make([]reflect.StructField, f.below(4))
		for i := range fields {
			fields[i] = reflect.StructField{Name: fmt.Sprintf("F%d", i), Type: randomKeyType(f, depth-1)}
		}
		return reflect.StructOf(fields)
	}
}

package format_test

import (
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// TestLimitsOfTypes: types beyond §7 are refused when their codec is made, without
// a value of theirs, and those just within are not.
func TestLimitsOfTypes(t *testing.T) {
	skipWhenSlow(t)
	bytesOf := func(n int64) reflect.Type { return reflect.ArrayOf(int(n), reflect.TypeFor[byte]()) }
	nested := func(n int, wrap func(reflect.Type) reflect.Type) reflect.Type {
		typ := reflect.TypeFor[int32]()
		for range n {
			typ = wrap(typ)
		}
		return typ
	}
	inArray := func(t reflect.Type) reflect.Type { return reflect.ArrayOf(1, t) }
	inSlice := func(t reflect.Type) reflect.Type { return reflect.SliceOf(t) }
	inStruct := func(t reflect.Type) reflect.Type {
		return reflect.StructOf([]reflect.StructField{{Name: "F", Type: t}})
	}
	cases := []struct {
		name string
		typ  func() reflect.Type
		fits bool
		wide bool // needs an int of 64 bits
	}{
		{"element of 2^31-1 bytes", func() reflect.Type { return reflect.SliceOf(bytesOf(1<<31 - 1)) }, true, true},
		{"element of 2^31 bytes", func() reflect.Type { return reflect.SliceOf(bytesOf(1 << 31)) }, false, true},
		{"pointee of 2^31 bytes", func() reflect.Type { return reflect.PointerTo(reflect.PointerTo(bytesOf(1 << 31))) }, true, true},
		{"pointee of 2^34 bytes", func() reflect.Type { return reflect.PointerTo(reflect.PointerTo(bytesOf(1 << 34))) }, false, true},
		{"pointee of 2^40 bytes", func() reflect.Type { return reflect.PointerTo(reflect.PointerTo(bytesOf(1 << 40))) }, false, true},
		{"element of 2^30 optionals", func() reflect.Type {
			return reflect.SliceOf(reflect.ArrayOf(1<<28, reflect.TypeFor[*bool]()))
		}, false, true},
		{"500 arrays in each other", func() reflect.Type { return nested(500, inArray) }, true, false},
		{"3,000 arrays in each other", func() reflect.Type { return nested(3000, inArray) }, false, false},
		{"500 structs in each other", func() reflect.Type { return nested(500, inStruct) }, true, false},
		{"3,000 structs in each other", func() reflect.Type { return nested(3000, inStruct) }, false, false},
		{"500 slices in each other", func() reflect.Type { return nested(500, inSlice) }, true, false},
		{"3,000 slices in each other", func() reflect.Type { return nested(3000, inSlice) }, false, false},
		{"500 pointers in each other", func() reflect.Type { return nested(500, reflect.PointerTo) }, true, false},
		{"3,000 pointers in each other", func() reflect.Type { return nested(3000, reflect.PointerTo) }, false, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.wide && math.MaxInt == math.MaxInt32 {
				t.Skip("int has 32 bits")
			}
			typ := c.typ()
			if typ.Kind() == reflect.Pointer {
				typ = inStruct(typ) // Marshal takes one pointer off
			}
			_, err := format.Marshal(reflect.New(typ).Interface())
			switch {
			case c.fits && err != nil:
				t.Errorf("%.200v", err)
			case !c.fits && !errors.Is(err, format.ErrLimit) && !errors.Is(err, format.ErrType):
				t.Errorf("%.200v, want ErrLimit", err)
			}
		})
	}
}

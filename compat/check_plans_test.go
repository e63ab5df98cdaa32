package compat_test

import (
	"math"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// checked are types that a field can have, each with values among which is one that does not fit wherever
// some do not.
var checked = []any{
	[]bool{false, true},
	[]int8{math.MinInt8, -1, 0, 1, math.MaxInt8}, []int16{math.MinInt16, 0, math.MaxInt16},
	[]int32{math.MinInt32, 0, 1<<24 + 1, math.MaxInt32}, []int64{math.MinInt64, 0, 1<<53 + 1, math.MaxInt64},
	[]uint8{0, 1, math.MaxUint8}, []uint16{0, math.MaxUint16}, []uint32{0, 1<<24 + 1, math.MaxUint32}, []uint64{0, 1<<53 + 1, math.MaxUint64},
	[]float32{0, 0.5, math.MaxFloat32}, []float64{0, 0.1, math.MaxFloat64}, []complex64{1}, []complex128{1i},
	[]string{"", "text"}, [][]byte{nil, {}, {1, math.MaxUint8}}, [][]int8{nil, {-1}}, [][]int32{nil, {math.MaxInt32, -1}}, [][]int64{nil, {math.MaxInt64}},
	[][]string{nil, {"x"}}, [][][]byte{{nil, {1}}}, [][]*int32{{new(int32(math.MaxInt32)), nil}}, [][][]int32{{{-1, math.MaxInt32}, nil}},
	[][3]int32{{}, {math.MaxInt32, -1}}, [][3]int64{{math.MaxInt64}}, [][4]int32{{math.MaxInt32, -1}}, [][3]uint8{{1, math.MaxUint8}},
	[]*int32{nil, new(int32(math.MaxInt32))}, []*int64{nil, new(int64(math.MaxInt64))}, []*bool{nil, new(true)}, []*float32{nil, new(float32(0.5))},
	[]**int32{nil, new((*int32)(nil)), new(new(int32(-1)))}, []*string{nil, new("x"), new("")}, []**string{nil, new((*string)(nil)), new(new(""))}, []*[]byte{nil, new([]byte{1})}, []*[3]int32{nil, {-1}},
	[]struct{ A int32 }{{math.MaxInt32}, {-1}}, []struct{ A int64 }{{math.MaxInt64}}, []struct{ B string }{{"x"}}, []*struct{ A int32 }{nil, {-1}},
	[]struct{ A, B *int32 }{{}, {new(int32(-1)), nil}}, []struct{}{{}}, []*struct{}{nil, {}},
	[]map[string]int32{nil, {"x": -1, "y": math.MaxInt32}}, []map[string]int64{nil, {"x": math.MaxInt64}}, []map[int32]int8{nil, {math.MaxInt32: -1, -1: 1}},
	[]map[int64]int8{{math.MaxInt64: -1}}, []map[[2]int8]bool{{{1}: true}}, []map[string]*int32{{"x": nil, "y": new(int32(-1))}},
	[]time.Time{{}, time.Unix(1, 2)}, []*time.Time{nil, new(time.Unix(1, 2))}, []time.Duration{-1, math.MaxInt64},
	[]any{nil, int32(1), "x"}, [][]any{{1, nil}}, []netip.Addr{{}, netip.IPv4Unspecified()},
}

// TestCheckSaysWhatReadersDo holds the verdict on each pair of types against what a reader does with the
// other's messages.
func TestCheckSaysWhatReadersDo(t *testing.T) {
	type side struct {
		typ      reflect.Type
		codec    *format.AnyCodec
		messages [][]byte
	}
	var sides []side
	for _, values := range checked {
		v := reflect.ValueOf(values)
		s := side{typ: reflect.StructOf([]reflect.StructField{{Name: "X", Type: v.Type().Elem()}})}
		var err error
		if s.codec, err = format.AnyFor(s.typ); err != nil {
			t.Fatal(err)
		}
		for i := range v.Len() {
			p := reflect.New(s.typ)
			p.Elem().Field(0).Set(v.Index(i))
			msg, err := s.codec.Append(nil, p.Interface())
			if err != nil {
				t.Fatal(err)
			}
			s.messages = append(s.messages, msg)
		}
		sides = append(sides, s)
	}
	pairs, safe := 0, 0
	for _, old := range sides {
		for _, new := range sides {
			changes, err := compat.Check(old.codec.Description(), new.codec.Description())
			if err != nil {
				t.Fatal(err)
			}
			verdict := compat.Safe
			for _, c := range changes {
				verdict &= c.Verdict
			}
			pairs++
			reader, err := format.EvolvedAny(new.typ, old.codec.Description(), format.SchemaLimits{}, format.WithStrictNil())
			for _, msg := range old.messages {
				if err == nil {
					err = reader.Decode(msg, reflect.New(new.typ).Interface())
				}
			}
			if verdict&compat.SafeOldToNew != 0 {
				safe++
				if err != nil {
					t.Errorf("%v to %v: %v, %v", old.typ, new.typ, changes, err)
				}
			} else if err == nil {
				t.Errorf("%v to %v: %v, and all values are read", old.typ, new.typ, changes)
			}
		}
	}
	t.Logf("%d pairs, %d of them safe", pairs, safe)
}

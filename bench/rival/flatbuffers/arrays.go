package flatbuffers

import (
	"bytes"
	"math"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteArrays prepends element by element.
func (b *Builder) WriteArrays(v *workload.ArraysData) []byte {
	b.Reset()
	fbs.ArraysStartBooleansVector(&b.Builder, len(v.Booleans))
	for i := len(v.Booleans) - 1; i >= 0; i-- {
		b.PrependBool(v.Booleans[i])
	}
	booleans := b.EndVector(len(v.Booleans))
	fbs.ArraysStartBytesVector(&b.Builder, len(v.Bytes))
	for i := len(v.Bytes) - 1; i >= 0; i-- {
		b.PrependInt8(v.Bytes[i])
	}
	octets := b.EndVector(len(v.Bytes))
	fbs.ArraysStartIntsVector(&b.Builder, len(v.Ints))
	for i := len(v.Ints) - 1; i >= 0; i-- {
		b.PrependInt32(v.Ints[i])
	}
	ints := b.EndVector(len(v.Ints))
	fbs.ArraysStartLongsVector(&b.Builder, len(v.Longs))
	for i := len(v.Longs) - 1; i >= 0; i-- {
		b.PrependInt64(v.Longs[i])
	}
	longs := b.EndVector(len(v.Longs))
	fbs.ArraysStartDoublesVector(&b.Builder, len(v.Doubles))
	for i := len(v.Doubles) - 1; i >= 0; i-- {
		b.PrependFloat64(v.Doubles[i])
	}
	doubles := b.EndVector(len(v.Doubles))
	return b.finishArrays(booleans, octets, ints, longs, doubles)
}

// WriteArraysExpert writes each array with one copy.
func (b *Builder) WriteArraysExpert(v *workload.ArraysData) []byte {
	b.Reset()
	booleans, octets, ints := vector(b, v.Booleans), vector(b, v.Bytes), vector(b, v.Ints)
	longs, doubles := vector(b, v.Longs), vector(b, v.Doubles)
	return b.finishArrays(booleans, octets, ints, longs, doubles)
}

// finishArrays writes the table and ends the message.
func (b *Builder) finishArrays(booleans, octets, ints, longs, doubles fb.UOffsetT) []byte {
	fbs.ArraysStart(&b.Builder)
	fbs.ArraysAddBooleans(&b.Builder, booleans)
	fbs.ArraysAddBytes(&b.Builder, octets)
	fbs.ArraysAddInts(&b.Builder, ints)
	fbs.ArraysAddLongs(&b.Builder, longs)
	fbs.ArraysAddDoubles(&b.Builder, doubles)
	b.Finish(fbs.ArraysEnd(&b.Builder))
	return b.FinishedBytes()
}

// ReadArrays fills fresh slices by the generated accessors.
func ReadArrays(msg []byte, v *workload.ArraysData) {
	x := fbs.GetRootAsArrays(msg, 0)
	v.Booleans = make([]bool, x.BooleansLength())
	for i := range v.Booleans {
		v.Booleans[i] = x.Booleans(i)
	}
	v.Bytes = make([]int8, x.BytesLength())
	for i := range v.Bytes {
		v.Bytes[i] = x.Bytes(i)
	}
	v.Ints = make([]int32, x.IntsLength())
	for i := range v.Ints {
		v.Ints[i] = x.Ints(i)
	}
	v.Longs = make([]int64, x.LongsLength())
	for i := range v.Longs {
		v.Longs[i] = x.Longs(i)
	}
	v.Doubles = make([]float64, x.DoublesLength())
	for i := range v.Doubles {
		v.Doubles[i] = x.Doubles(i)
	}
}

// ReadArraysExpert copies the message and views the copy.
func ReadArraysExpert(msg []byte, v *workload.ArraysData) {
	ViewArrays(bytes.Clone(msg), v)
}

// ViewArrays makes v's slices point into the message.
func ViewArrays(msg []byte, v *workload.ArraysData) {
	t := rootTable(msg)
	v.Booleans, v.Bytes, v.Ints = view[bool](&t, 0), view[int8](&t, 1), view[int32](&t, 2)
	v.Longs, v.Doubles = view[int64](&t, 3), view[float64](&t, 4)
}

// SumArrays sums through the generated accessors.
func SumArrays(msg []byte) uint64 {
	x := fbs.GetRootAsArrays(msg, 0)
	var s int64
	for i, n := 0, x.BooleansLength(); i < n; i++ {
		if x.Booleans(i) {
			s++
		}
	}
	for i, n := 0, x.BytesLength(); i < n; i++ {
		s += int64(x.Bytes(i))
	}
	for i, n := 0, x.IntsLength(); i < n; i++ {
		s += int64(x.Ints(i))
	}
	for i, n := 0, x.LongsLength(); i < n; i++ {
		s += x.Longs(i)
	}
	var f float64
	for i, n := 0, x.DoublesLength(); i < n; i++ {
		f += x.Doubles(i)
	}
	return uint64(s) + math.Float64bits(f)
}

// SumArraysExpert sums views.
func SumArraysExpert(msg []byte) uint64 {
	var v workload.ArraysData
	ViewArrays(msg, &v)
	return v.Sum()
}

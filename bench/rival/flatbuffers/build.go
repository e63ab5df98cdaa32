package flatbuffers

import (
	"encoding/binary"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// BuildArrays generates n elements of each array and prepends each.
func (b *Builder) BuildArrays(n int) []byte {
	b.Reset()
	fbs.ArraysStartBooleansVector(&b.Builder, n)
	for i := n - 1; i >= 0; i-- {
		b.PrependBool(workload.GeneratedBool(i))
	}
	booleans := b.EndVector(n)
	fbs.ArraysStartBytesVector(&b.Builder, n)
	for i := n - 1; i >= 0; i-- {
		b.PrependInt8(workload.GeneratedInt8(i))
	}
	octets := b.EndVector(n)
	fbs.ArraysStartIntsVector(&b.Builder, n)
	for i := n - 1; i >= 0; i-- {
		b.PrependInt32(workload.GeneratedInt32(i))
	}
	ints := b.EndVector(n)
	fbs.ArraysStartLongsVector(&b.Builder, n)
	for i := n - 1; i >= 0; i-- {
		b.PrependInt64(workload.GeneratedInt64(i))
	}
	longs := b.EndVector(n)
	fbs.ArraysStartDoublesVector(&b.Builder, n)
	for i := n - 1; i >= 0; i-- {
		b.PrependFloat64(workload.GeneratedDouble(i))
	}
	return b.finishArrays(booleans, octets, ints, longs, b.EndVector(n))
}

// BuildArraysExpert generates the elements where the vectors lie. The library has no way to reserve room for a
// vector, so it is made by the copy of as many bytes of nothing in particular, and filled in then.
func (b *Builder) BuildArraysExpert(n int) []byte {
	b.Reset()
	var v workload.ArraysData
	booleans, octets, ints := room(b, n, &v.Booleans), room(b, n, &v.Bytes), room(b, n, &v.Ints)
	longs, doubles := room(b, n, &v.Longs), room(b, n, &v.Doubles)
	v.Generate()
	return b.finishArrays(booleans, octets, ints, longs, doubles)
}

// room makes a vector of n elements and sets v to where they lie. The first bytes of the builder's own memory,
// which it has not filled yet, are what is copied, where there are enough: the copy of a part of the memory to
// another is as cheap as one can be.
func room[T raw.Scalar](b *Builder, n int, v *[]T) fb.UOffsetT {
	var zero [1]T
	size := len(raw.Bytes(zero[:]))
	b.Prep(size, n*size)
	if n*size > len(b.Bytes) {
		b.nothing = append(b.nothing[:0], make([]byte, n*size)...)
	} else {
		b.nothing = b.Bytes[:n*size]
	}
	off := b.CreateByteVector(b.nothing)
	at := b.Bytes[len(b.Bytes)-int(off):]
	binary.LittleEndian.PutUint32(at, uint32(n))
	*v = raw.Slice[T](at[4:], n)
	return off
}

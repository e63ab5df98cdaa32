package capnproto

import (
	"bytes"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteArraysExpert writes each array with one copy, booleans packed a word at a
// time.
func (b *BuilderOver) WriteArraysExpert(v *workload.ArraysData) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	x, err := cps.NewRootArrays(seg)
	if err != nil {
		return nil, err
	}
	if _, err := x.NewBooleans(int32(len(v.Booleans))); err != nil {
		return nil, err
	}
	packBits(last(seg, (len(v.Booleans)+7)/8), v.Booleans)
	p := raw.Bytes(v.Bytes)
	if _, err := x.NewBytes(int32(len(v.Bytes))); err != nil {
		return nil, err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.Ints)
	if _, err := x.NewInts(int32(len(v.Ints))); err != nil {
		return nil, err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.Longs)
	if _, err := x.NewLongs(int32(len(v.Longs))); err != nil {
		return nil, err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.Doubles)
	if _, err := x.NewDoubles(int32(len(v.Doubles))); err != nil {
		return nil, err
	}
	copy(last(seg, len(p)), p)
	return b.finish(seg), nil
}

// view returns the list at a position as a Go slice.
func view[T raw.Scalar](s segment, at int) []T {
	b, n := s.list(at)
	return raw.Slice[T](b, n)
}

// ReadArraysExpert copies the message and views the copy; booleans are unpacked
// a byte at a time.
func ReadArraysExpert(msg []byte, v *workload.ArraysData) {
	packed := ViewArrays(bytes.Clone(msg), v)
	v.Booleans = make([]bool, packed.Len)
	packed.Unpack(v.Booleans)
}

// Bits are booleans as they lie in a message.
type Bits struct {
	Bytes []byte
	Len   int
}

// Unpack writes the booleans to dst, which must have their number.
func (b Bits) Unpack(dst []bool) { unpackBits(dst, b.Bytes) }

// ViewArrays makes v's slices point into the message, but for the booleans,
// which it returns as they are.
func ViewArrays(msg []byte, v *workload.ArraysData) Bits {
	s := segment(msg[header:])
	_, at := s.object(0)
	v.Bytes, v.Ints = view[int8](s, at+8), view[int32](s, at+16)
	v.Longs, v.Doubles = view[int64](s, at+24), view[float64](s, at+32)
	p, n := s.list(at)
	return Bits{p, n}
}

// SumArraysExpert sums views, and counts the bits of the booleans.
func SumArraysExpert(msg []byte) uint64 {
	var v workload.ArraysData
	booleans := ViewArrays(msg, &v)
	return countBits(booleans.Bytes, booleans.Len) + v.SumNumbers()
}

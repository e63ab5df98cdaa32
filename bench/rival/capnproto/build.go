package capnproto

import (
	capnp "capnproto.org/go/capnp/v3"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// BuildArrays generates n elements of each array and sets each.
func (b *Builder) BuildArrays(n int) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	x, err := cps.NewRootArrays(seg)
	if err != nil {
		return nil, err
	}
	booleans, err := x.NewBooleans(int32(n))
	if err != nil {
		return nil, err
	}
	for i := range n {
		booleans.Set(i, workload.GeneratedBool(i))
	}
	octets, err := x.NewBytes(int32(n))
	if err != nil {
		return nil, err
	}
	for i := range n {
		octets.Set(i, workload.GeneratedInt8(i))
	}
	ints, err := x.NewInts(int32(n))
	if err != nil {
		return nil, err
	}
	for i := range n {
		ints.Set(i, workload.GeneratedInt32(i))
	}
	longs, err := x.NewLongs(int32(n))
	if err != nil {
		return nil, err
	}
	for i := range n {
		longs.Set(i, workload.GeneratedInt64(i))
	}
	doubles, err := x.NewDoubles(int32(n))
	if err != nil {
		return nil, err
	}
	for i := range n {
		doubles.Set(i, workload.GeneratedDouble(i))
	}
	return b.msg.Marshal()
}

// BuildArraysExpert generates the elements where the lists lie, booleans a word at a time.
func (b *BuilderOver) BuildArraysExpert(n int) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	x, err := cps.NewRootArrays(seg)
	if err != nil {
		return nil, err
	}
	if _, err := x.NewBooleans(int32(n)); err != nil {
		return nil, err
	}
	generateBits(last(seg, (n+7)/8), n)
	var v workload.ArraysData
	if _, err := x.NewBytes(int32(n)); err != nil {
		return nil, err
	}
	v.Bytes = room[int8](seg, n)
	if _, err := x.NewInts(int32(n)); err != nil {
		return nil, err
	}
	v.Ints = room[int32](seg, n)
	if _, err := x.NewLongs(int32(n)); err != nil {
		return nil, err
	}
	v.Longs = room[int64](seg, n)
	if _, err := x.NewDoubles(int32(n)); err != nil {
		return nil, err
	}
	v.Doubles = room[float64](seg, n)
	v.GenerateNumbers()
	return b.finish(seg), nil
}

// room is the memory of the list of n elements that was allocated last.
func room[T raw.Scalar](seg *capnp.Segment, n int) []T {
	var zero [1]T
	return raw.Slice[T](last(seg, n*len(raw.Bytes(zero[:]))), n)
}

// generateBits generates n booleans as they lie in a message.
func generateBits(dst []byte, n int) {
	for i := range dst {
		var b byte
		for k := range min(8, n-8*i) {
			b |= byte(workload.Generated(8*i+k)&1) << k
		}
		dst[i] = b
	}
}

package capnproto

import (
	"math"

	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteArrays sets element by element.
func (b *Builder) WriteArrays(v *workload.ArraysData) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	x, err := cps.NewRootArrays(seg)
	if err != nil {
		return nil, err
	}
	booleans, err := x.NewBooleans(int32(len(v.Booleans)))
	if err != nil {
		return nil, err
	}
	for i, e := range v.Booleans {
		booleans.Set(i, e)
	}
	octets, err := x.NewBytes(int32(len(v.Bytes)))
	if err != nil {
		return nil, err
	}
	for i, e := range v.Bytes {
		octets.Set(i, e)
	}
	ints, err := x.NewInts(int32(len(v.Ints)))
	if err != nil {
		return nil, err
	}
	for i, e := range v.Ints {
		ints.Set(i, e)
	}
	longs, err := x.NewLongs(int32(len(v.Longs)))
	if err != nil {
		return nil, err
	}
	for i, e := range v.Longs {
		longs.Set(i, e)
	}
	doubles, err := x.NewDoubles(int32(len(v.Doubles)))
	if err != nil {
		return nil, err
	}
	for i, e := range v.Doubles {
		doubles.Set(i, e)
	}
	return b.msg.Marshal()
}

// ReadArrays fills fresh slices by At.
func ReadArrays(msg []byte, v *workload.ArraysData) error {
	x, err := root(msg, cps.ReadRootArrays)
	if err != nil {
		return err
	}
	booleans, err := x.Booleans()
	if err != nil {
		return err
	}
	v.Booleans = make([]bool, booleans.Len())
	for i := range v.Booleans {
		v.Booleans[i] = booleans.At(i)
	}
	octets, err := x.Bytes()
	if err != nil {
		return err
	}
	v.Bytes = make([]int8, octets.Len())
	for i := range v.Bytes {
		v.Bytes[i] = octets.At(i)
	}
	ints, err := x.Ints()
	if err != nil {
		return err
	}
	v.Ints = make([]int32, ints.Len())
	for i := range v.Ints {
		v.Ints[i] = ints.At(i)
	}
	longs, err := x.Longs()
	if err != nil {
		return err
	}
	v.Longs = make([]int64, longs.Len())
	for i := range v.Longs {
		v.Longs[i] = longs.At(i)
	}
	doubles, err := x.Doubles()
	if err != nil {
		return err
	}
	v.Doubles = make([]float64, doubles.Len())
	for i := range v.Doubles {
		v.Doubles[i] = doubles.At(i)
	}
	return nil
}

// SumArrays sums by At.
func SumArrays(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootArrays)
	if err != nil {
		return 0, err
	}
	booleans, err := x.Booleans()
	if err != nil {
		return 0, err
	}
	var s int64
	for i, n := 0, booleans.Len(); i < n; i++ {
		if booleans.At(i) {
			s++
		}
	}
	octets, err := x.Bytes()
	if err != nil {
		return 0, err
	}
	for i, n := 0, octets.Len(); i < n; i++ {
		s += int64(octets.At(i))
	}
	ints, err := x.Ints()
	if err != nil {
		return 0, err
	}
	for i, n := 0, ints.Len(); i < n; i++ {
		s += int64(ints.At(i))
	}
	longs, err := x.Longs()
	if err != nil {
		return 0, err
	}
	for i, n := 0, longs.Len(); i < n; i++ {
		s += longs.At(i)
	}
	doubles, err := x.Doubles()
	if err != nil {
		return 0, err
	}
	var f float64
	for i, n := 0, doubles.Len(); i < n; i++ {
		f += doubles.At(i)
	}
	return uint64(s) + math.Float64bits(f), nil
}

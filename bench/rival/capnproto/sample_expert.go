package capnproto

import (
	"bytes"

	capnp "capnproto.org/go/capnp/v3"

	"github.com/ashlar-go/ashlar/bench/internal/packed"
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// The pointers of a SampleExpert, by their byte among the pointers.
const (
	sampleInts     = 0
	sampleLongs    = 8
	sampleFloats   = 16
	sampleDoubles  = 24
	sampleShorts   = 32
	sampleChars    = 40
	sampleBooleans = 48
	sampleText     = 56
	sampleSample   = 64
	samplePointers = 72
)

// WriteSampleExpert packs the scalars where they lie in the message and writes
// each array with one copy.
func (b *BuilderOver) WriteSampleExpert(v *workload.Sample) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	x, err := cps.NewRootSampleExpert(seg)
	if err != nil {
		return nil, err
	}
	if err := setSampleExpert(seg, x, v); err != nil {
		return nil, err
	}
	return b.finish(seg), nil
}

// setSampleExpert fills x, which must have been allocated last.
func setSampleExpert(seg *capnp.Segment, x cps.SampleExpert, v *workload.Sample) error {
	raw.At[packed.Sample](last(seg, packed.SampleSize+samplePointers), 1).Pack(v)
	p := raw.Bytes(v.IntArray)
	if _, err := x.NewIntArray(int32(len(v.IntArray))); err != nil {
		return err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.LongArray)
	if _, err := x.NewLongArray(int32(len(v.LongArray))); err != nil {
		return err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.FloatArray)
	if _, err := x.NewFloatArray(int32(len(v.FloatArray))); err != nil {
		return err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.DoubleArray)
	if _, err := x.NewDoubleArray(int32(len(v.DoubleArray))); err != nil {
		return err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.ShortArray)
	if _, err := x.NewShortArray(int32(len(v.ShortArray))); err != nil {
		return err
	}
	copy(last(seg, len(p)), p)
	p = raw.Bytes(v.CharArray)
	if _, err := x.NewCharArray(int32(len(v.CharArray))); err != nil {
		return err
	}
	copy(last(seg, len(p)), p)
	if err := x.SetBooleanArray(raw.Bytes(v.BooleanArray)); err != nil {
		return err
	}
	if err := x.SetText(v.String); err != nil {
		return err
	}
	if v.Sample == nil {
		return nil
	}
	s, err := x.NewSample()
	if err != nil {
		return err
	}
	return setSampleExpert(seg, s, v.Sample)
}

// ReadSampleExpert copies the message once and lets everything lie in the copy.
func ReadSampleExpert(msg []byte, v *workload.Sample) {
	*v = workload.Sample{}
	ViewSample(bytes.Clone(msg), v)
}

// ViewSample makes v's slices, its string and what is boxed point into the
// message; a Sample that v holds is reused.
func ViewSample(msg []byte, v *workload.Sample) {
	s := segment(msg[header:])
	data, at := s.object(0)
	s.viewSample(data, at, v)
}

// viewSample views the struct whose data section and pointers are given.
func (s segment) viewSample(data []byte, at int, v *workload.Sample) {
	raw.At[packed.Sample](data, 1).View(v)
	s.viewSampleArrays(at, v)
	data, at = s.object(at + sampleSample)
	if data == nil {
		v.Sample = nil
		return
	}
	if v.Sample == nil {
		v.Sample = new(workload.Sample)
	}
	s.viewSample(data, at, v.Sample)
}

func (s segment) viewSampleArrays(at int, v *workload.Sample) {
	v.IntArray, v.LongArray = view[int32](s, at+sampleInts), view[int64](s, at+sampleLongs)
	v.FloatArray, v.DoubleArray = view[float32](s, at+sampleFloats), view[float64](s, at+sampleDoubles)
	v.ShortArray, v.CharArray = view[int16](s, at+sampleShorts), view[uint16](s, at+sampleChars)
	v.BooleanArray = view[bool](s, at+sampleBooleans)
	v.String = raw.String(s.text(at + sampleText))
}

// SumSampleExpert sums the packed scalars where they lie, and views of the rest.
func SumSampleExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	return s.sumSample(s.object(0))
}

func (s segment) sumSample(data []byte, at int) uint64 {
	if data == nil {
		return 0
	}
	var v workload.Sample
	s.viewSampleArrays(at, &v)
	i, f := raw.At[packed.Sample](data, 1).Sum()
	return uint64(i) + v.SumArrays(f) + s.sumSample(s.object(at+sampleSample))
}

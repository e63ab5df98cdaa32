package flatbuffers

import (
	"bytes"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/internal/packed"
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// The fields of a SampleExpert by their number.
const (
	sampleValues = iota
	sampleInts
	sampleLongs
	sampleFloats
	sampleDoubles
	sampleShorts
	sampleChars
	sampleBooleans
	sampleText
	sampleSample
)

// WriteSampleExpert writes the scalars with one copy and each array with one.
func (b *Builder) WriteSampleExpert(v *workload.Sample) []byte {
	b.Reset()
	b.Finish(b.sampleExpert(v))
	return b.FinishedBytes()
}

func (b *Builder) sampleExpert(v *workload.Sample) fb.UOffsetT {
	var sample fb.UOffsetT
	if v.Sample != nil {
		sample = b.sampleExpert(v.Sample)
	}
	b.packedSample.Pack(v)
	values := b.bulk(8, raw.StructBytes(&b.packedSample), 1)
	ints := vector(b, v.IntArray)
	longs := vector(b, v.LongArray)
	floats := vector(b, v.FloatArray)
	doubles := vector(b, v.DoubleArray)
	shorts := vector(b, v.ShortArray)
	chars := vector(b, v.CharArray)
	booleans := vector(b, v.BooleanArray)
	text := b.CreateString(v.String)
	fbs.SampleExpertStart(&b.Builder)
	fbs.SampleExpertAddValues(&b.Builder, values)
	fbs.SampleExpertAddIntArray(&b.Builder, ints)
	fbs.SampleExpertAddLongArray(&b.Builder, longs)
	fbs.SampleExpertAddFloatArray(&b.Builder, floats)
	fbs.SampleExpertAddDoubleArray(&b.Builder, doubles)
	fbs.SampleExpertAddShortArray(&b.Builder, shorts)
	fbs.SampleExpertAddCharArray(&b.Builder, chars)
	fbs.SampleExpertAddBooleanArray(&b.Builder, booleans)
	fbs.SampleExpertAddText(&b.Builder, text)
	fbs.SampleExpertAddSample(&b.Builder, sample)
	return fbs.SampleExpertEnd(&b.Builder)
}

// ReadSampleExpert copies the message once and lets everything lie in the copy.
func ReadSampleExpert(msg []byte, v *workload.Sample) {
	*v = workload.Sample{}
	ViewSample(bytes.Clone(msg), v)
}

// ViewSample makes v's slices, its string and what is boxed point into the
// message; a Sample that v holds is reused.
func ViewSample(msg []byte, v *workload.Sample) {
	t := rootTable(msg)
	viewSample(&t, v)
}

func viewSample(t *fb.Table, v *workload.Sample) {
	raw.At[packed.Sample](elements(t, sampleValues)).View(v)
	v.IntArray = view[int32](t, sampleInts)
	v.LongArray = view[int64](t, sampleLongs)
	v.FloatArray = view[float32](t, sampleFloats)
	v.DoubleArray = view[float64](t, sampleDoubles)
	v.ShortArray = view[int16](t, sampleShorts)
	v.CharArray = view[uint16](t, sampleChars)
	v.BooleanArray = view[bool](t, sampleBooleans)
	text, n := elements(t, sampleText)
	v.String = raw.String(text[:n])
	o := fb.UOffsetT(t.Offset(slot(sampleSample)))
	if o == 0 {
		v.Sample = nil
		return
	}
	if v.Sample == nil {
		v.Sample = new(workload.Sample)
	}
	viewSample(&fb.Table{Bytes: t.Bytes, Pos: t.Indirect(o + t.Pos)}, v.Sample)
}

// SumSampleExpert sums the packed scalars where they lie, and views of the rest.
func SumSampleExpert(msg []byte) uint64 {
	t := rootTable(msg)
	return sumSampleExpert(&t)
}

func sumSampleExpert(t *fb.Table) uint64 {
	i, f := raw.At[packed.Sample](elements(t, sampleValues)).Sum()
	text, n := elements(t, sampleText)
	v := workload.Sample{String: raw.String(text[:n])}
	v.IntArray = view[int32](t, sampleInts)
	v.LongArray = view[int64](t, sampleLongs)
	v.FloatArray = view[float32](t, sampleFloats)
	v.DoubleArray = view[float64](t, sampleDoubles)
	v.ShortArray = view[int16](t, sampleShorts)
	v.CharArray = view[uint16](t, sampleChars)
	v.BooleanArray = view[bool](t, sampleBooleans)
	sum := uint64(i) + v.SumArrays(f)
	if o := fb.UOffsetT(t.Offset(slot(sampleSample))); o != 0 {
		sum += sumSampleExpert(&fb.Table{Bytes: t.Bytes, Pos: t.Indirect(o + t.Pos)})
	}
	return sum
}

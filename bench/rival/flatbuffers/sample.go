package flatbuffers

import (
	"math"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteSample prepends the arrays element by element, then adds field by field.
func (b *Builder) WriteSample(v *workload.Sample) []byte {
	b.Reset()
	b.Finish(b.sample(v))
	return b.FinishedBytes()
}

func (b *Builder) sample(v *workload.Sample) fb.UOffsetT {
	var sample fb.UOffsetT
	if v.Sample != nil {
		sample = b.sample(v.Sample)
	}
	fbs.SampleStartIntArrayVector(&b.Builder, len(v.IntArray))
	for i := len(v.IntArray) - 1; i >= 0; i-- {
		b.PrependInt32(v.IntArray[i])
	}
	ints := b.EndVector(len(v.IntArray))
	fbs.SampleStartLongArrayVector(&b.Builder, len(v.LongArray))
	for i := len(v.LongArray) - 1; i >= 0; i-- {
		b.PrependInt64(v.LongArray[i])
	}
	longs := b.EndVector(len(v.LongArray))
	fbs.SampleStartFloatArrayVector(&b.Builder, len(v.FloatArray))
	for i := len(v.FloatArray) - 1; i >= 0; i-- {
		b.PrependFloat32(v.FloatArray[i])
	}
	floats := b.EndVector(len(v.FloatArray))
	fbs.SampleStartDoubleArrayVector(&b.Builder, len(v.DoubleArray))
	for i := len(v.DoubleArray) - 1; i >= 0; i-- {
		b.PrependFloat64(v.DoubleArray[i])
	}
	doubles := b.EndVector(len(v.DoubleArray))
	fbs.SampleStartShortArrayVector(&b.Builder, len(v.ShortArray))
	for i := len(v.ShortArray) - 1; i >= 0; i-- {
		b.PrependInt16(v.ShortArray[i])
	}
	shorts := b.EndVector(len(v.ShortArray))
	fbs.SampleStartCharArrayVector(&b.Builder, len(v.CharArray))
	for i := len(v.CharArray) - 1; i >= 0; i-- {
		b.PrependUint16(v.CharArray[i])
	}
	chars := b.EndVector(len(v.CharArray))
	fbs.SampleStartBooleanArrayVector(&b.Builder, len(v.BooleanArray))
	for i := len(v.BooleanArray) - 1; i >= 0; i-- {
		b.PrependBool(v.BooleanArray[i])
	}
	booleans := b.EndVector(len(v.BooleanArray))
	text := b.CreateString(v.String)

	fbs.SampleStart(&b.Builder)
	fbs.SampleAddIntValue(&b.Builder, v.IntValue)
	fbs.SampleAddLongValue(&b.Builder, v.LongValue)
	fbs.SampleAddFloatValue(&b.Builder, v.FloatValue)
	fbs.SampleAddDoubleValue(&b.Builder, v.DoubleValue)
	fbs.SampleAddShortValue(&b.Builder, v.ShortValue)
	fbs.SampleAddCharValue(&b.Builder, v.CharValue)
	fbs.SampleAddBooleanValue(&b.Builder, v.BooleanValue)
	if v.IntValueBoxed != nil {
		fbs.SampleAddIntValueBoxed(&b.Builder, *v.IntValueBoxed)
	}
	if v.LongValueBoxed != nil {
		fbs.SampleAddLongValueBoxed(&b.Builder, *v.LongValueBoxed)
	}
	if v.FloatValueBoxed != nil {
		fbs.SampleAddFloatValueBoxed(&b.Builder, *v.FloatValueBoxed)
	}
	if v.DoubleValueBoxed != nil {
		fbs.SampleAddDoubleValueBoxed(&b.Builder, *v.DoubleValueBoxed)
	}
	if v.ShortValueBoxed != nil {
		fbs.SampleAddShortValueBoxed(&b.Builder, *v.ShortValueBoxed)
	}
	if v.CharValueBoxed != nil {
		fbs.SampleAddCharValueBoxed(&b.Builder, *v.CharValueBoxed)
	}
	if v.BooleanValueBoxed != nil {
		fbs.SampleAddBooleanValueBoxed(&b.Builder, *v.BooleanValueBoxed)
	}
	fbs.SampleAddIntArray(&b.Builder, ints)
	fbs.SampleAddLongArray(&b.Builder, longs)
	fbs.SampleAddFloatArray(&b.Builder, floats)
	fbs.SampleAddDoubleArray(&b.Builder, doubles)
	fbs.SampleAddShortArray(&b.Builder, shorts)
	fbs.SampleAddCharArray(&b.Builder, chars)
	fbs.SampleAddBooleanArray(&b.Builder, booleans)
	fbs.SampleAddText(&b.Builder, text)
	fbs.SampleAddSample(&b.Builder, sample)
	return fbs.SampleEnd(&b.Builder)
}

// ReadSample makes fresh values, slices and strings from the generated accessors.
func ReadSample(msg []byte, v *workload.Sample) {
	readSample(fbs.GetRootAsSample(msg, 0), v)
}

func readSample(x *fbs.Sample, v *workload.Sample) {
	v.IntValue = x.IntValue()
	v.LongValue = x.LongValue()
	v.FloatValue = x.FloatValue()
	v.DoubleValue = x.DoubleValue()
	v.ShortValue = x.ShortValue()
	v.CharValue = x.CharValue()
	v.BooleanValue = x.BooleanValue()
	v.IntValueBoxed = x.IntValueBoxed()
	v.LongValueBoxed = x.LongValueBoxed()
	v.FloatValueBoxed = x.FloatValueBoxed()
	v.DoubleValueBoxed = x.DoubleValueBoxed()
	v.ShortValueBoxed = x.ShortValueBoxed()
	v.CharValueBoxed = x.CharValueBoxed()
	v.BooleanValueBoxed = x.BooleanValueBoxed()
	v.IntArray = make([]int32, x.IntArrayLength())
	for i := range v.IntArray {
		v.IntArray[i] = x.IntArray(i)
	}
	v.LongArray = make([]int64, x.LongArrayLength())
	for i := range v.LongArray {
		v.LongArray[i] = x.LongArray(i)
	}
	v.FloatArray = make([]float32, x.FloatArrayLength())
	for i := range v.FloatArray {
		v.FloatArray[i] = x.FloatArray(i)
	}
	v.DoubleArray = make([]float64, x.DoubleArrayLength())
	for i := range v.DoubleArray {
		v.DoubleArray[i] = x.DoubleArray(i)
	}
	v.ShortArray = make([]int16, x.ShortArrayLength())
	for i := range v.ShortArray {
		v.ShortArray[i] = x.ShortArray(i)
	}
	v.CharArray = make([]uint16, x.CharArrayLength())
	for i := range v.CharArray {
		v.CharArray[i] = x.CharArray(i)
	}
	v.BooleanArray = make([]bool, x.BooleanArrayLength())
	for i := range v.BooleanArray {
		v.BooleanArray[i] = x.BooleanArray(i)
	}
	v.String = string(x.Text())
	v.Sample = nil
	if s := x.Sample(nil); s != nil {
		v.Sample = new(workload.Sample)
		readSample(s, v.Sample)
	}
}

// SumSample sums through the generated accessors.
func SumSample(msg []byte) uint64 {
	return sumSample(fbs.GetRootAsSample(msg, 0))
}

func sumSample(x *fbs.Sample) uint64 {
	i := int64(x.IntValue()) + x.LongValue() + int64(x.ShortValue()) + int64(x.CharValue()) +
		whole(x.IntValueBoxed()) + whole(x.LongValueBoxed()) + whole(x.ShortValueBoxed()) + whole(x.CharValueBoxed())
	if x.BooleanValue() {
		i++
	}
	if p := x.BooleanValueBoxed(); p != nil && *p {
		i++
	}
	f := float64(x.FloatValue()) + x.DoubleValue() + fraction(x.FloatValueBoxed()) + fraction(x.DoubleValueBoxed())
	i += int64(len(x.Text()))
	for k, n := 0, x.IntArrayLength(); k < n; k++ {
		i += int64(x.IntArray(k))
	}
	for k, n := 0, x.LongArrayLength(); k < n; k++ {
		i += x.LongArray(k)
	}
	for k, n := 0, x.FloatArrayLength(); k < n; k++ {
		f += float64(x.FloatArray(k))
	}
	for k, n := 0, x.DoubleArrayLength(); k < n; k++ {
		f += x.DoubleArray(k)
	}
	for k, n := 0, x.ShortArrayLength(); k < n; k++ {
		i += int64(x.ShortArray(k))
	}
	for k, n := 0, x.CharArrayLength(); k < n; k++ {
		i += int64(x.CharArray(k))
	}
	for k, n := 0, x.BooleanArrayLength(); k < n; k++ {
		if x.BooleanArray(k) {
			i++
		}
	}
	sum := uint64(i) + math.Float64bits(f)
	if s := x.Sample(nil); s != nil {
		sum += sumSample(s)
	}
	return sum
}

package capnproto

import (
	"math"

	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteSample sets field by field, and the arrays element by element.
func (b *Builder) WriteSample(v *workload.Sample) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	x, err := cps.NewRootSample(seg)
	if err != nil {
		return nil, err
	}
	if err := setSample(x, v); err != nil {
		return nil, err
	}
	return b.msg.Marshal()
}

func setSample(x cps.Sample, v *workload.Sample) error {
	x.SetIntValue(v.IntValue)
	x.SetLongValue(v.LongValue)
	x.SetFloatValue(v.FloatValue)
	x.SetDoubleValue(v.DoubleValue)
	x.SetShortValue(v.ShortValue)
	x.SetCharValue(v.CharValue)
	x.SetBooleanValue(v.BooleanValue)
	if v.IntValueBoxed != nil {
		x.IntValueBoxed().SetSome(*v.IntValueBoxed)
	}
	if v.LongValueBoxed != nil {
		x.LongValueBoxed().SetSome(*v.LongValueBoxed)
	}
	if v.FloatValueBoxed != nil {
		x.FloatValueBoxed().SetSome(*v.FloatValueBoxed)
	}
	if v.DoubleValueBoxed != nil {
		x.DoubleValueBoxed().SetSome(*v.DoubleValueBoxed)
	}
	if v.ShortValueBoxed != nil {
		x.ShortValueBoxed().SetSome(*v.ShortValueBoxed)
	}
	if v.CharValueBoxed != nil {
		x.CharValueBoxed().SetSome(*v.CharValueBoxed)
	}
	if v.BooleanValueBoxed != nil {
		x.BooleanValueBoxed().SetSome(*v.BooleanValueBoxed)
	}
	ints, err := x.NewIntArray(int32(len(v.IntArray)))
	if err != nil {
		return err
	}
	for i, e := range v.IntArray {
		ints.Set(i, e)
	}
	longs, err := x.NewLongArray(int32(len(v.LongArray)))
	if err != nil {
		return err
	}
	for i, e := range v.LongArray {
		longs.Set(i, e)
	}
	floats, err := x.NewFloatArray(int32(len(v.FloatArray)))
	if err != nil {
		return err
	}
	for i, e := range v.FloatArray {
		floats.Set(i, e)
	}
	doubles, err := x.NewDoubleArray(int32(len(v.DoubleArray)))
	if err != nil {
		return err
	}
	for i, e := range v.DoubleArray {
		doubles.Set(i, e)
	}
	shorts, err := x.NewShortArray(int32(len(v.ShortArray)))
	if err != nil {
		return err
	}
	for i, e := range v.ShortArray {
		shorts.Set(i, e)
	}
	chars, err := x.NewCharArray(int32(len(v.CharArray)))
	if err != nil {
		return err
	}
	for i, e := range v.CharArray {
		chars.Set(i, e)
	}
	booleans, err := x.NewBooleanArray(int32(len(v.BooleanArray)))
	if err != nil {
		return err
	}
	for i, e := range v.BooleanArray {
		booleans.Set(i, e)
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
	return setSample(s, v.Sample)
}

// ReadSample makes fresh values, slices and strings from the generated accessors.
func ReadSample(msg []byte, v *workload.Sample) error {
	x, err := root(msg, cps.ReadRootSample)
	if err != nil {
		return err
	}
	return readSample(x, v)
}

func readSample(x cps.Sample, v *workload.Sample) error {
	*v = workload.Sample{
		IntValue:     x.IntValue(),
		LongValue:    x.LongValue(),
		FloatValue:   x.FloatValue(),
		DoubleValue:  x.DoubleValue(),
		ShortValue:   x.ShortValue(),
		CharValue:    x.CharValue(),
		BooleanValue: x.BooleanValue(),
	}
	if f := x.IntValueBoxed(); f.Which() == cps.Sample_intValueBoxed_Which_some {
		v.IntValueBoxed = new(f.Some())
	}
	if f := x.LongValueBoxed(); f.Which() == cps.Sample_longValueBoxed_Which_some {
		v.LongValueBoxed = new(f.Some())
	}
	if f := x.FloatValueBoxed(); f.Which() == cps.Sample_floatValueBoxed_Which_some {
		v.FloatValueBoxed = new(f.Some())
	}
	if f := x.DoubleValueBoxed(); f.Which() == cps.Sample_doubleValueBoxed_Which_some {
		v.DoubleValueBoxed = new(f.Some())
	}
	if f := x.ShortValueBoxed(); f.Which() == cps.Sample_shortValueBoxed_Which_some {
		v.ShortValueBoxed = new(f.Some())
	}
	if f := x.CharValueBoxed(); f.Which() == cps.Sample_charValueBoxed_Which_some {
		v.CharValueBoxed = new(f.Some())
	}
	if f := x.BooleanValueBoxed(); f.Which() == cps.Sample_booleanValueBoxed_Which_some {
		v.BooleanValueBoxed = new(f.Some())
	}
	ints, err := x.IntArray()
	if err != nil {
		return err
	}
	v.IntArray = make([]int32, ints.Len())
	for i := range v.IntArray {
		v.IntArray[i] = ints.At(i)
	}
	longs, err := x.LongArray()
	if err != nil {
		return err
	}
	v.LongArray = make([]int64, longs.Len())
	for i := range v.LongArray {
		v.LongArray[i] = longs.At(i)
	}
	floats, err := x.FloatArray()
	if err != nil {
		return err
	}
	v.FloatArray = make([]float32, floats.Len())
	for i := range v.FloatArray {
		v.FloatArray[i] = floats.At(i)
	}
	doubles, err := x.DoubleArray()
	if err != nil {
		return err
	}
	v.DoubleArray = make([]float64, doubles.Len())
	for i := range v.DoubleArray {
		v.DoubleArray[i] = doubles.At(i)
	}
	shorts, err := x.ShortArray()
	if err != nil {
		return err
	}
	v.ShortArray = make([]int16, shorts.Len())
	for i := range v.ShortArray {
		v.ShortArray[i] = shorts.At(i)
	}
	chars, err := x.CharArray()
	if err != nil {
		return err
	}
	v.CharArray = make([]uint16, chars.Len())
	for i := range v.CharArray {
		v.CharArray[i] = chars.At(i)
	}
	booleans, err := x.BooleanArray()
	if err != nil {
		return err
	}
	v.BooleanArray = make([]bool, booleans.Len())
	for i := range v.BooleanArray {
		v.BooleanArray[i] = booleans.At(i)
	}
	if v.String, err = x.Text(); err != nil {
		return err
	}
	if !x.HasSample() {
		return nil
	}
	s, err := x.Sample()
	if err != nil {
		return err
	}
	v.Sample = new(workload.Sample)
	return readSample(s, v.Sample)
}

// SumSample sums through the generated accessors, that of the text as bytes.
func SumSample(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootSample)
	if err != nil {
		return 0, err
	}
	return sumSample(x)
}

func sumSample(x cps.Sample) (uint64, error) {
	i := int64(x.IntValue()) + x.LongValue() + int64(x.ShortValue()) + int64(x.CharValue())
	f := float64(x.FloatValue()) + x.DoubleValue()
	if x.BooleanValue() {
		i++
	}
	if v := x.IntValueBoxed(); v.Which() == cps.Sample_intValueBoxed_Which_some {
		i += int64(v.Some())
	}
	if v := x.LongValueBoxed(); v.Which() == cps.Sample_longValueBoxed_Which_some {
		i += v.Some()
	}
	if v := x.FloatValueBoxed(); v.Which() == cps.Sample_floatValueBoxed_Which_some {
		f += float64(v.Some())
	}
	if v := x.DoubleValueBoxed(); v.Which() == cps.Sample_doubleValueBoxed_Which_some {
		f += v.Some()
	}
	if v := x.ShortValueBoxed(); v.Which() == cps.Sample_shortValueBoxed_Which_some {
		i += int64(v.Some())
	}
	if v := x.CharValueBoxed(); v.Which() == cps.Sample_charValueBoxed_Which_some {
		i += int64(v.Some())
	}
	if v := x.BooleanValueBoxed(); v.Which() == cps.Sample_booleanValueBoxed_Which_some && v.Some() {
		i++
	}
	text, err := x.TextBytes()
	if err != nil {
		return 0, err
	}
	i += int64(len(text))
	ints, err := x.IntArray()
	if err != nil {
		return 0, err
	}
	for k, n := 0, ints.Len(); k < n; k++ {
		i += int64(ints.At(k))
	}
	longs, err := x.LongArray()
	if err != nil {
		return 0, err
	}
	for k, n := 0, longs.Len(); k < n; k++ {
		i += longs.At(k)
	}
	floats, err := x.FloatArray()
	if err != nil {
		return 0, err
	}
	for k, n := 0, floats.Len(); k < n; k++ {
		f += float64(floats.At(k))
	}
	doubles, err := x.DoubleArray()
	if err != nil {
		return 0, err
	}
	for k, n := 0, doubles.Len(); k < n; k++ {
		f += doubles.At(k)
	}
	shorts, err := x.ShortArray()
	if err != nil {
		return 0, err
	}
	for k, n := 0, shorts.Len(); k < n; k++ {
		i += int64(shorts.At(k))
	}
	chars, err := x.CharArray()
	if err != nil {
		return 0, err
	}
	for k, n := 0, chars.Len(); k < n; k++ {
		i += int64(chars.At(k))
	}
	booleans, err := x.BooleanArray()
	if err != nil {
		return 0, err
	}
	for k, n := 0, booleans.Len(); k < n; k++ {
		if booleans.At(k) {
			i++
		}
	}
	sum := uint64(i) + math.Float64bits(f)
	if !x.HasSample() {
		return sum, nil
	}
	s, err := x.Sample()
	if err != nil {
		return 0, err
	}
	t, err := sumSample(s)
	return sum + t, err
}

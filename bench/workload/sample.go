package workload

import "math"

// Sample is data=SAMPLE: each kind of scalar, once as a value, once behind a
// pointer and once in an array.
type Sample struct {
	IntValue          int32
	LongValue         int64
	FloatValue        float32
	DoubleValue       float64
	ShortValue        int16
	CharValue         uint16
	BooleanValue      bool
	IntValueBoxed     *int32
	LongValueBoxed    *int64
	FloatValueBoxed   *float32
	DoubleValueBoxed  *float64
	ShortValueBoxed   *int16
	CharValueBoxed    *uint16
	BooleanValueBoxed *bool
	IntArray          []int32
	LongArray         []int64
	FloatArray        []float32
	DoubleArray       []float64
	ShortArray        []int16
	CharArray         []uint16
	BooleanArray      []bool
	String            string
	Sample            *Sample
}

// NewSample makes the value that Kryo's benchmark prescribes, without references.
func NewSample() *Sample {
	return &Sample{
		IntValue:          123,
		LongValue:         1230000,
		FloatValue:        12.345,
		DoubleValue:       1.234567,
		ShortValue:        12345,
		CharValue:         '!',
		BooleanValue:      true,
		IntValueBoxed:     new(int32(321)),
		LongValueBoxed:    new(int64(3210000)),
		FloatValueBoxed:   new(float32(54.321)),
		DoubleValueBoxed:  new(7.654321),
		ShortValueBoxed:   new(int16(32100)),
		CharValueBoxed:    new(uint16('$')),
		BooleanValueBoxed: new(false),
		IntArray:          []int32{-1234, -123, -12, -1, 0, 1, 12, 123, 1234},
		LongArray:         []int64{-123400, -12300, -1200, -100, 0, 100, 1200, 12300, 123400},
		FloatArray:        []float32{-12.34, -12.3, -12, -1, 0, 1, 12, 12.3, 12.34},
		DoubleArray:       []float64{-1.234, -1.23, -12, -1, 0, 1, 12, 1.23, 1.234},
		ShortArray:        []int16{-1234, -123, -12, -1, 0, 1, 12, 123, 1234},
		CharArray:         []uint16{'a', 's', 'd', 'f', 'A', 'S', 'D', 'F'},
		BooleanArray:      []bool{true, false, false, true},
		String:            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
	}
}

// NewSampleRefs makes the same value with references: it points at itself.
func NewSampleRefs() *Sample {
	s := NewSample()
	s.Sample = s
	return s
}

// Sum adds all numbers, bools as 0 or 1, and the length of the string. It does
// not go round a Sample that points at itself.
func (s *Sample) Sum() uint64 {
	i := int64(s.IntValue) + s.LongValue + int64(s.ShortValue) + int64(s.CharValue) + one(s.BooleanValue) +
		whole(s.IntValueBoxed) + whole(s.LongValueBoxed) + whole(s.ShortValueBoxed) + whole(s.CharValueBoxed)
	if s.BooleanValueBoxed != nil {
		i += one(*s.BooleanValueBoxed)
	}
	f := float64(s.FloatValue) + s.DoubleValue + fraction(s.FloatValueBoxed) + fraction(s.DoubleValueBoxed)
	n := i + int64(s.SumArrays(f))
	if s.Sample != nil && s.Sample != s {
		n += int64(s.Sample.Sum())
	}
	return uint64(n)
}

// SumArrays adds the elements of the arrays and the length of the string, those
// of floats to f, for readers that have the rest in another form.
func (s *Sample) SumArrays(f float64) uint64 {
	i := int64(len(s.String))
	for _, x := range s.IntArray {
		i += int64(x)
	}
	for _, x := range s.LongArray {
		i += x
	}
	for _, x := range s.FloatArray {
		f += float64(x)
	}
	for _, x := range s.DoubleArray {
		f += x
	}
	for _, x := range s.ShortArray {
		i += int64(x)
	}
	for _, x := range s.CharArray {
		i += int64(x)
	}
	for _, x := range s.BooleanArray {
		i += one(x)
	}
	return uint64(i) + math.Float64bits(f)
}

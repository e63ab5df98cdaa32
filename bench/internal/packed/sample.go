package packed

import "github.com/ashlar-go/ashlar/bench/workload"

// A Sample is the scalars of a workload.Sample in 64 bytes.
type Sample struct {
	Long         int64
	Double       float64
	LongBoxed    int64
	DoubleBoxed  float64
	Int          int32
	Float        float32
	IntBoxed     int32
	FloatBoxed   float32
	Short        int16
	Char         uint16
	ShortBoxed   int16
	CharBoxed    uint16
	Boolean      bool
	BooleanBoxed bool
	Present      uint8 // a bit for each of the boxed, in the order of a workload.Sample
	_            [5]uint8
}

// SampleSize is how many bytes a Sample takes.
const SampleSize = 64

// Pack makes p what v is. Boxed values that are absent are zero.
func (p *Sample) Pack(v *workload.Sample) {
	p.Long, p.Double, p.Int, p.Float = v.LongValue, v.DoubleValue, v.IntValue, v.FloatValue
	p.Short, p.Char, p.Boolean = v.ShortValue, v.CharValue, v.BooleanValue
	p.Present = uint8(pack(&p.IntBoxed, v.IntValueBoxed, 0) |
		pack(&p.LongBoxed, v.LongValueBoxed, 1) |
		pack(&p.FloatBoxed, v.FloatValueBoxed, 2) |
		pack(&p.DoubleBoxed, v.DoubleValueBoxed, 3) |
		pack(&p.ShortBoxed, v.ShortValueBoxed, 4) |
		pack(&p.CharBoxed, v.CharValueBoxed, 5) |
		pack(&p.BooleanBoxed, v.BooleanValueBoxed, 6))
}

// View copies v's plain scalars, and makes the boxed ones point into p.
func (p *Sample) View(v *workload.Sample) {
	v.LongValue, v.DoubleValue, v.IntValue, v.FloatValue = p.Long, p.Double, p.Int, p.Float
	v.ShortValue, v.CharValue, v.BooleanValue = p.Short, p.Char, p.Boolean
	present := uint64(p.Present)
	v.IntValueBoxed = view(&p.IntBoxed, present, 0)
	v.LongValueBoxed = view(&p.LongBoxed, present, 1)
	v.FloatValueBoxed = view(&p.FloatBoxed, present, 2)
	v.DoubleValueBoxed = view(&p.DoubleBoxed, present, 3)
	v.ShortValueBoxed = view(&p.ShortBoxed, present, 4)
	v.CharValueBoxed = view(&p.CharBoxed, present, 5)
	v.BooleanValueBoxed = view(&p.BooleanBoxed, present, 6)
}

// Sum returns the sums of the integers and bools, and of the floats.
func (p *Sample) Sum() (int64, float64) {
	i := int64(p.Int) + p.Long + int64(p.Short) + int64(p.Char) +
		int64(p.IntBoxed) + p.LongBoxed + int64(p.ShortBoxed) + int64(p.CharBoxed)
	if p.Boolean {
		i++
	}
	if p.BooleanBoxed {
		i++
	}
	return i, float64(p.Float) + p.Double + float64(p.FloatBoxed) + p.DoubleBoxed
}

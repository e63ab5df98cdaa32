package flatbuffers

import (
	"bytes"
	"math"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteComplexExpert writes all scalars as one struct and the floats by one copy.
func (b *Builder) WriteComplexExpert(v *workload.Complex) []byte {
	b.Reset()
	attr9, attr12, attr13 := b.CreateString(v.Attr9), b.optional(v.Attr12), b.optional(v.Attr13)
	attr10, attr11 := vector(b, v.Attr10), b.stringsExpert(v.Attr11)
	fbs.ComplexExpertStart(&b.Builder)
	fbs.ComplexExpertAddAttr13(&b.Builder, attr13)
	fbs.ComplexExpertAddAttr12(&b.Builder, attr12)
	fbs.ComplexExpertAddAttr11(&b.Builder, attr11)
	fbs.ComplexExpertAddAttr10(&b.Builder, attr10)
	fbs.ComplexExpertAddAttr9(&b.Builder, attr9)
	fbs.ComplexExpertAddFixed(&b.Builder, fbs.CreateComplexFixed(&b.Builder,
		v.Attr4, v.Attr6, v.Attr3, v.Attr5, v.Attr2, v.Attr8, v.Attr1, v.Attr7))
	b.Finish(fbs.ComplexExpertEnd(&b.Builder))
	return b.FinishedBytes()
}

// stringsExpert is strings without memory of its own.
func (b *Builder) stringsExpert(list []string) fb.UOffsetT {
	used := len(b.offsets)
	for _, s := range list {
		b.offsets = append(b.offsets, b.CreateString(s))
	}
	at := b.vectorOf(b.offsets[used:])
	b.offsets = b.offsets[:used]
	return at
}

// ReadComplexExpert copies the message once and lets strings and floats lie in the copy.
func ReadComplexExpert(msg []byte, v *workload.Complex) {
	*v = workload.Complex{}
	ViewComplex(bytes.Clone(msg), v)
}

// ViewComplex makes v's strings and floats lie in the message; what else v holds is reused.
func ViewComplex(msg []byte, v *workload.Complex) {
	var x fbs.ComplexExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	var fixed fbs.ComplexFixed
	x.Fixed(&fixed)
	v.Attr1, v.Attr2, v.Attr3, v.Attr4 = fixed.Attr1(), fixed.Attr2(), fixed.Attr3(), fixed.Attr4()
	v.Attr5, v.Attr6, v.Attr7, v.Attr8 = fixed.Attr5(), fixed.Attr6(), fixed.Attr7(), fixed.Attr8()
	v.Attr9 = raw.String(x.Attr9())
	t := x.Table()
	v.Attr10 = view[float64](&t, 2)
	v.Attr11 = resized(v.Attr11, x.Attr11Length())
	for i := range v.Attr11 {
		v.Attr11[i] = raw.String(x.Attr11(i))
	}
	viewOptional(x.Attr12(), &v.Attr12)
	viewOptional(x.Attr13(), &v.Attr13)
}

// SumComplexExpert sums through the accessors of the expert's schema, the floats as a slice.
func SumComplexExpert(msg []byte) uint64 {
	var x fbs.ComplexExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	var fixed fbs.ComplexFixed
	x.Fixed(&fixed)
	f := float64(fixed.Attr5()) + fixed.Attr6()
	t := x.Table()
	for _, d := range view[float64](&t, 2) {
		f += d
	}
	s := int64(fixed.Attr1()) + int64(fixed.Attr2()) + int64(fixed.Attr3()) + fixed.Attr4() + int64(fixed.Attr8()) + bit(fixed.Attr7()) +
		int64(len(x.Attr9())+len(x.Attr12())+len(x.Attr13()))
	for i := range x.Attr11Length() {
		s += int64(len(x.Attr11(i)))
	}
	return uint64(s) ^ math.Float64bits(f)
}

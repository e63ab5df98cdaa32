package flatbuffers

import (
	"math"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteComplex creates strings and vectors first, then adds field by field.
func (b *Builder) WriteComplex(v *workload.Complex) []byte {
	b.Reset()
	attr9, attr12, attr13 := b.CreateString(v.Attr9), b.optional(v.Attr12), b.optional(v.Attr13)
	fbs.ComplexStartAttr10Vector(&b.Builder, len(v.Attr10))
	for i := len(v.Attr10) - 1; i >= 0; i-- {
		b.PrependFloat64(v.Attr10[i])
	}
	attr10 := b.EndVector(len(v.Attr10))
	attr11 := b.strings(v.Attr11)

	fbs.ComplexStart(&b.Builder)
	fbs.ComplexAddAttr1(&b.Builder, v.Attr1)
	fbs.ComplexAddAttr2(&b.Builder, v.Attr2)
	fbs.ComplexAddAttr3(&b.Builder, v.Attr3)
	fbs.ComplexAddAttr4(&b.Builder, v.Attr4)
	fbs.ComplexAddAttr5(&b.Builder, v.Attr5)
	fbs.ComplexAddAttr6(&b.Builder, v.Attr6)
	fbs.ComplexAddAttr7(&b.Builder, v.Attr7)
	fbs.ComplexAddAttr8(&b.Builder, v.Attr8)
	fbs.ComplexAddAttr9(&b.Builder, attr9)
	fbs.ComplexAddAttr10(&b.Builder, attr10)
	fbs.ComplexAddAttr11(&b.Builder, attr11)
	fbs.ComplexAddAttr12(&b.Builder, attr12)
	fbs.ComplexAddAttr13(&b.Builder, attr13)
	b.Finish(fbs.ComplexEnd(&b.Builder))
	return b.FinishedBytes()
}

// strings creates the strings, and a vector of them.
func (b *Builder) strings(list []string) fb.UOffsetT {
	offsets := make([]fb.UOffsetT, len(list))
	for i, s := range list {
		offsets[i] = b.CreateString(s)
	}
	return b.vectorOf(offsets)
}

// ReadComplex makes fresh strings and slices from the generated accessors.
func ReadComplex(msg []byte, v *workload.Complex) {
	x := fbs.GetRootAsComplex(msg, 0)
	*v = workload.Complex{
		Attr1: x.Attr1(), Attr2: x.Attr2(), Attr3: x.Attr3(), Attr4: x.Attr4(), Attr5: x.Attr5(), Attr6: x.Attr6(), Attr7: x.Attr7(), Attr8: x.Attr8(),
		Attr9:  string(x.Attr9()),
		Attr10: make([]float64, x.Attr10Length()),
		Attr11: make([]string, x.Attr11Length()),
		Attr12: optional(x.Attr12()),
		Attr13: optional(x.Attr13()),
	}
	for i := range v.Attr10 {
		v.Attr10[i] = x.Attr10(i)
	}
	for i := range v.Attr11 {
		v.Attr11[i] = string(x.Attr11(i))
	}
}

// SumComplex sums through the generated accessors.
func SumComplex(msg []byte) uint64 {
	x := fbs.GetRootAsComplex(msg, 0)
	f := float64(x.Attr5()) + x.Attr6()
	for i := range x.Attr10Length() {
		f += x.Attr10(i)
	}
	s := int64(x.Attr1()) + int64(x.Attr2()) + int64(x.Attr3()) + x.Attr4() + int64(x.Attr8()) + bit(x.Attr7()) +
		int64(len(x.Attr9())+len(x.Attr12())+len(x.Attr13()))
	for i := range x.Attr11Length() {
		s += int64(len(x.Attr11(i)))
	}
	return uint64(s) ^ math.Float64bits(f)
}

package capnproto

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	capnp "capnproto.org/go/capnp/v3"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteComplex sets field by field, and element by element.
func (b *Builder) WriteComplex(v *workload.Complex) ([]byte, error) { return written(b, v, setComplex) }

// WriteComplexExpert does the same where the message is to lie: of three floats there is nothing to be copied in bulk.
func (b *BuilderOver) WriteComplexExpert(v *workload.Complex) ([]byte, error) {
	return writtenOver(b, v, setComplex)
}

func setComplex(seg *capnp.Segment, v *workload.Complex) error {
	x, err := cps.NewRootComplex(seg)
	if err != nil {
		return err
	}
	x.SetAttr1(v.Attr1)
	x.SetAttr2(v.Attr2)
	x.SetAttr3(v.Attr3)
	x.SetAttr4(v.Attr4)
	x.SetAttr5(v.Attr5)
	x.SetAttr6(v.Attr6)
	x.SetAttr7(v.Attr7)
	x.SetAttr8(v.Attr8)
	if err := x.SetAttr9(v.Attr9); err != nil {
		return err
	}
	floats, err := x.NewAttr10(int32(len(v.Attr10)))
	if err != nil {
		return err
	}
	for i, f := range v.Attr10 {
		floats.Set(i, f)
	}
	texts, err := x.NewAttr11(int32(len(v.Attr11)))
	if err != nil {
		return err
	}
	if err := setTexts(texts, v.Attr11); err != nil {
		return err
	}
	if v.Attr12 != nil {
		if err := x.SetAttr12(*v.Attr12); err != nil {
			return err
		}
	}
	if v.Attr13 != nil {
		return x.SetAttr13(*v.Attr13)
	}
	return nil
}

func setTexts(to capnp.TextList, from []string) error {
	for i, s := range from {
		if err := to.Set(i, s); err != nil {
			return err
		}
	}
	return nil
}

// texts makes fresh strings of a list.
func texts(list capnp.TextList, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	to := make([]string, list.Len())
	for i := range to {
		if to[i], err = list.At(i); err != nil {
			return nil, err
		}
	}
	return to, nil
}

// sumTexts adds the lengths of a list's strings.
func sumTexts(list capnp.TextList, err error) (s int64, _ error) {
	if err != nil {
		return 0, err
	}
	for i := range list.Len() {
		t, err := list.BytesAt(i)
		if err != nil {
			return 0, err
		}
		s += int64(len(t))
	}
	return s, nil
}

// given is a text that may be absent.
func given(has bool, s string, err error) (*string, error) {
	if !has || err != nil {
		return nil, err
	}
	return &s, nil
}

// ReadComplex makes fresh strings and slices from the generated accessors.
func ReadComplex(msg []byte, v *workload.Complex) error {
	x, err := root(msg, cps.ReadRootComplex)
	if err != nil {
		return err
	}
	v.Attr1, v.Attr2, v.Attr3, v.Attr4 = x.Attr1(), x.Attr2(), x.Attr3(), x.Attr4()
	v.Attr5, v.Attr6, v.Attr7, v.Attr8 = x.Attr5(), x.Attr6(), x.Attr7(), x.Attr8()
	if v.Attr9, err = x.Attr9(); err != nil {
		return err
	}
	floats, err := x.Attr10()
	if err != nil {
		return err
	}
	v.Attr10 = make([]float64, floats.Len())
	for i := range v.Attr10 {
		v.Attr10[i] = floats.At(i)
	}
	if v.Attr11, err = texts(x.Attr11()); err != nil {
		return err
	}
	attr12, err12 := x.Attr12()
	attr13, err13 := x.Attr13()
	if v.Attr12, err = given(x.HasAttr12(), attr12, err12); err != nil {
		return err
	}
	v.Attr13, err = given(x.HasAttr13(), attr13, err13)
	return err
}

// SumComplex sums through the generated accessors, those of texts as bytes.
func SumComplex(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootComplex)
	if err != nil {
		return 0, err
	}
	attr9, err9 := x.Attr9Bytes()
	floats, err10 := x.Attr10()
	list, err11 := sumTexts(x.Attr11())
	attr12, err12 := x.Attr12Bytes()
	attr13, err13 := x.Attr13Bytes()
	if err := errors.Join(err9, err10, err11, err12, err13); err != nil {
		return 0, err
	}
	f := float64(x.Attr5()) + x.Attr6()
	for i := range floats.Len() {
		f += floats.At(i)
	}
	s := int64(x.Attr1()) + int64(x.Attr2()) + int64(x.Attr3()) + x.Attr4() + int64(x.Attr8()) + bit(x.Attr7()) +
		int64(len(attr9)+len(attr12)+len(attr13)) + list
	return uint64(s) ^ math.Float64bits(f), nil
}

// Where the compiler put the fields.
const (
	complexAttr1  = 0
	complexAttr7  = 1
	complexAttr2  = 2
	complexAttr3  = 4
	complexAttr4  = 8
	complexAttr5  = 16
	complexAttr8  = 20
	complexAttr6  = 24
	complexAttr9  = 0
	complexAttr10 = 8
	complexAttr11 = 16
	complexAttr12 = 24
	complexAttr13 = 32
)

func uint16At(p []byte, i int) uint16 { return binary.LittleEndian.Uint16(p[i:]) }
func float32At(p []byte, i int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32(p[i:]))
}
func float64At(p []byte, i int) float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(p[i:]))
}

// ReadComplexExpert copies the message once and lets strings and floats lie in the copy.
func ReadComplexExpert(msg []byte, v *workload.Complex) {
	*v = workload.Complex{}
	ViewComplex(bytes.Clone(msg), v)
}

// ViewComplex makes v's strings and floats lie in the message; what else v holds is reused.
func ViewComplex(msg []byte, v *workload.Complex) {
	s := segment(msg[header:])
	d, p := s.object(0)
	v.Attr1, v.Attr2, v.Attr3, v.Attr4 = int8(d[complexAttr1]), int16(uint16At(d, complexAttr2)), int32At(d, complexAttr3), int64At(d, complexAttr4)
	v.Attr5, v.Attr6, v.Attr7, v.Attr8 = float32At(d, complexAttr5), float64At(d, complexAttr6), d[complexAttr7]&1 != 0, uint16At(d, complexAttr8)
	v.Attr9 = raw.String(s.text(p + complexAttr9))
	floats, n := s.list(p + complexAttr10)
	v.Attr10 = raw.Slice[float64](floats, n)
	v.Attr11 = s.viewTexts(p+complexAttr11, v.Attr11)
	s.viewOptional(p+complexAttr12, &v.Attr12)
	s.viewOptional(p+complexAttr13, &v.Attr13)
}

// viewTexts makes the strings of a list point into the message.
func (s segment) viewTexts(at int, to []string) []string {
	from, n := s.pointers(at)
	to = resized(to, n)
	for i := range to {
		to[i] = raw.String(s.text(from + i*8))
	}
	return to
}

// sumTexts adds the lengths of a list's strings.
func (s segment) sumTexts(at int) (sum int64) {
	from, n := s.pointers(at)
	for i := range n {
		sum += int64(len(s.text(from + i*8)))
	}
	return sum
}

// SumComplexExpert sums by hand.
func SumComplexExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	d, p := s.object(0)
	f := float64(float32At(d, complexAttr5)) + float64At(d, complexAttr6)
	floats, n := s.list(p + complexAttr10)
	for _, x := range raw.Slice[float64](floats, n) {
		f += x
	}
	sum := int64(int8(d[complexAttr1])) + int64(int16(uint16At(d, complexAttr2))) + int64(int32At(d, complexAttr3)) + int64At(d, complexAttr4) +
		int64(uint16At(d, complexAttr8)) + int64(d[complexAttr7]&1) + s.sumTexts(p+complexAttr11) +
		int64(len(s.text(p+complexAttr9))+len(s.text(p+complexAttr12))+len(s.text(p+complexAttr13)))
	return uint64(sum) ^ math.Float64bits(f)
}

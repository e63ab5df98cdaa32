package workload

import (
	"math"
	"reflect"
)

// Struct2 is data=STRUCT2: the fields of a Struct, each of which may be absent.
type Struct2 struct {
	F1   *int32
	F2   *int64
	F3   *float32
	F4   *float64
	F5   *int32
	F6   *int64
	F7   *float32
	F8   *float64
	F9   *int32
	F10  *int64
	F11  *float32
	F12  *float64
	F13  *int32
	F14  *int64
	F15  *float32
	F16  *float64
	F17  *int32
	F18  *int64
	F19  *float32
	F20  *float64
	F21  *int32
	F22  *int64
	F23  *float32
	F24  *float64
	F25  *int32
	F26  *int64
	F27  *float32
	F28  *float64
	F29  *int32
	F30  *int64
	F31  *float32
	F32  *float64
	F33  *int32
	F34  *int64
	F35  *float32
	F36  *float64
	F37  *int32
	F38  *int64
	F39  *float32
	F40  *float64
	F41  *int32
	F42  *int64
	F43  *float32
	F44  *float64
	F45  *int32
	F46  *int64
	F47  *float32
	F48  *float64
	F49  *int32
	F50  *int64
	F51  *float32
	F52  *float64
	F53  *int32
	F54  *int64
	F55  *float32
	F56  *float64
	F57  *int32
	F58  *int64
	F59  *float32
	F60  *float64
	F61  *int32
	F62  *int64
	F63  *float32
	F64  *float64
	F65  *int32
	F66  *int64
	F67  *float32
	F68  *float64
	F69  *int32
	F70  *int64
	F71  *float32
	F72  *float64
	F73  *int32
	F74  *int64
	F75  *float32
	F76  *float64
	F77  *int32
	F78  *int64
	F79  *float32
	F80  *float64
	F81  *int32
	F82  *int64
	F83  *float32
	F84  *float64
	F85  *int32
	F86  *int64
	F87  *float32
	F88  *float64
	F89  *int32
	F90  *int64
	F91  *float32
	F92  *float64
	F93  *int32
	F94  *int64
	F95  *float32
	F96  *float64
	F97  *int32
	F98  *int64
	F99  *float32
	F100 *float64
}

// NewStruct2 makes the Struct2 of the benchmark, all of whose fields point at the
// values of NewStruct. None of these is zero.
func NewStruct2() *Struct2 {
	s := new(Struct2)
	from, to := reflect.ValueOf(NewStruct()).Elem(), reflect.ValueOf(s).Elem()
	for i := range to.NumField() {
		p := reflect.New(from.Field(i).Type()) // each on its own, as a program has them
		p.Elem().Set(from.Field(i))
		to.Field(i).Set(p)
	}
	return s
}

// NewStruct2Nil makes data=STRUCT2_NIL: the same, but every third field is nil.
func NewStruct2Nil() *Struct2 {
	s := NewStruct2()
	v := reflect.ValueOf(s).Elem()
	for i := 2; i < v.NumField(); i += 3 {
		v.Field(i).SetZero()
	}
	return s
}

// Sum visits every field, and adds nothing for those that are nil.
func (s *Struct2) Sum() uint64 {
	var i int64
	var f float64
	i += whole(s.F1) + whole(s.F2)
	f = f + fraction(s.F3) + fraction(s.F4)
	i += whole(s.F5) + whole(s.F6)
	f = f + fraction(s.F7) + fraction(s.F8)
	i += whole(s.F9) + whole(s.F10)
	f = f + fraction(s.F11) + fraction(s.F12)
	i += whole(s.F13) + whole(s.F14)
	f = f + fraction(s.F15) + fraction(s.F16)
	i += whole(s.F17) + whole(s.F18)
	f = f + fraction(s.F19) + fraction(s.F20)
	i += whole(s.F21) + whole(s.F22)
	f = f + fraction(s.F23) + fraction(s.F24)
	i += whole(s.F25) + whole(s.F26)
	f = f + fraction(s.F27) + fraction(s.F28)
	i += whole(s.F29) + whole(s.F30)
	f = f + fraction(s.F31) + fraction(s.F32)
	i += whole(s.F33) + whole(s.F34)
	f = f + fraction(s.F35) + fraction(s.F36)
	i += whole(s.F37) + whole(s.F38)
	f = f + fraction(s.F39) + fraction(s.F40)
	i += whole(s.F41) + whole(s.F42)
	f = f + fraction(s.F43) + fraction(s.F44)
	i += whole(s.F45) + whole(s.F46)
	f = f + fraction(s.F47) + fraction(s.F48)
	i += whole(s.F49) + whole(s.F50)
	f = f + fraction(s.F51) + fraction(s.F52)
	i += whole(s.F53) + whole(s.F54)
	f = f + fraction(s.F55) + fraction(s.F56)
	i += whole(s.F57) + whole(s.F58)
	f = f + fraction(s.F59) + fraction(s.F60)
	i += whole(s.F61) + whole(s.F62)
	f = f + fraction(s.F63) + fraction(s.F64)
	i += whole(s.F65) + whole(s.F66)
	f = f + fraction(s.F67) + fraction(s.F68)
	i += whole(s.F69) + whole(s.F70)
	f = f + fraction(s.F71) + fraction(s.F72)
	i += whole(s.F73) + whole(s.F74)
	f = f + fraction(s.F75) + fraction(s.F76)
	i += whole(s.F77) + whole(s.F78)
	f = f + fraction(s.F79) + fraction(s.F80)
	i += whole(s.F81) + whole(s.F82)
	f = f + fraction(s.F83) + fraction(s.F84)
	i += whole(s.F85) + whole(s.F86)
	f = f + fraction(s.F87) + fraction(s.F88)
	i += whole(s.F89) + whole(s.F90)
	f = f + fraction(s.F91) + fraction(s.F92)
	i += whole(s.F93) + whole(s.F94)
	f = f + fraction(s.F95) + fraction(s.F96)
	i += whole(s.F97) + whole(s.F98)
	f = f + fraction(s.F99) + fraction(s.F100)
	return uint64(i) + math.Float64bits(f)
}

// whole is what p points at, or 0.
func whole[T int16 | int32 | int64 | uint16](p *T) int64 {
	if p == nil {
		return 0
	}
	return int64(*p)
}

// fraction is what p points at, or 0.
func fraction[T float32 | float64](p *T) float64 {
	if p == nil {
		return 0
	}
	return float64(*p)
}

package workload

import (
	"math"
	"math/rand/v2"
	"reflect"
)

// Struct is data=STRUCT: 100 scalar fields whose types alternate. Go lays it out
// in 800 bytes, 200 of which are gaps.
type Struct struct {
	F1   int32
	F2   int64
	F3   float32
	F4   float64
	F5   int32
	F6   int64
	F7   float32
	F8   float64
	F9   int32
	F10  int64
	F11  float32
	F12  float64
	F13  int32
	F14  int64
	F15  float32
	F16  float64
	F17  int32
	F18  int64
	F19  float32
	F20  float64
	F21  int32
	F22  int64
	F23  float32
	F24  float64
	F25  int32
	F26  int64
	F27  float32
	F28  float64
	F29  int32
	F30  int64
	F31  float32
	F32  float64
	F33  int32
	F34  int64
	F35  float32
	F36  float64
	F37  int32
	F38  int64
	F39  float32
	F40  float64
	F41  int32
	F42  int64
	F43  float32
	F44  float64
	F45  int32
	F46  int64
	F47  float32
	F48  float64
	F49  int32
	F50  int64
	F51  float32
	F52  float64
	F53  int32
	F54  int64
	F55  float32
	F56  float64
	F57  int32
	F58  int64
	F59  float32
	F60  float64
	F61  int32
	F62  int64
	F63  float32
	F64  float64
	F65  int32
	F66  int64
	F67  float32
	F68  float64
	F69  int32
	F70  int64
	F71  float32
	F72  float64
	F73  int32
	F74  int64
	F75  float32
	F76  float64
	F77  int32
	F78  int64
	F79  float32
	F80  float64
	F81  int32
	F82  int64
	F83  float32
	F84  float64
	F85  int32
	F86  int64
	F87  float32
	F88  float64
	F89  int32
	F90  int64
	F91  float32
	F92  float64
	F93  int32
	F94  int64
	F95  float32
	F96  float64
	F97  int32
	F98  int64
	F99  float32
	F100 float64
}

// NewStruct makes the Struct of the benchmark, always the same.
func NewStruct() *Struct {
	r := rand.New(rand.NewPCG(seed, 100))
	s := new(Struct)
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Int32:
			f.SetInt(int64(int32(r.Uint32())))
		case reflect.Int64:
			f.SetInt(int64(r.Uint64()))
		case reflect.Float32:
			f.SetFloat(float64(float32(r.NormFloat64())))
		default:
			f.SetFloat(r.NormFloat64())
		}
	}
	return s
}

// Sum visits every field.
func (s *Struct) Sum() uint64 {
	var i int64
	var f float64
	i += int64(s.F1) + s.F2
	f += float64(s.F3) + s.F4
	i += int64(s.F5) + s.F6
	f += float64(s.F7) + s.F8
	i += int64(s.F9) + s.F10
	f += float64(s.F11) + s.F12
	i += int64(s.F13) + s.F14
	f += float64(s.F15) + s.F16
	i += int64(s.F17) + s.F18
	f += float64(s.F19) + s.F20
	i += int64(s.F21) + s.F22
	f += float64(s.F23) + s.F24
	i += int64(s.F25) + s.F26
	f += float64(s.F27) + s.F28
	i += int64(s.F29) + s.F30
	f += float64(s.F31) + s.F32
	i += int64(s.F33) + s.F34
	f += float64(s.F35) + s.F36
	i += int64(s.F37) + s.F38
	f += float64(s.F39) + s.F40
	i += int64(s.F41) + s.F42
	f += float64(s.F43) + s.F44
	i += int64(s.F45) + s.F46
	f += float64(s.F47) + s.F48
	i += int64(s.F49) + s.F50
	f += float64(s.F51) + s.F52
	i += int64(s.F53) + s.F54
	f += float64(s.F55) + s.F56
	i += int64(s.F57) + s.F58
	f += float64(s.F59) + s.F60
	i += int64(s.F61) + s.F62
	f += float64(s.F63) + s.F64
	i += int64(s.F65) + s.F66
	f += float64(s.F67) + s.F68
	i += int64(s.F69) + s.F70
	f += float64(s.F71) + s.F72
	i += int64(s.F73) + s.F74
	f += float64(s.F75) + s.F76
	i += int64(s.F77) + s.F78
	f += float64(s.F79) + s.F80
	i += int64(s.F81) + s.F82
	f += float64(s.F83) + s.F84
	i += int64(s.F85) + s.F86
	f += float64(s.F87) + s.F88
	i += int64(s.F89) + s.F90
	f += float64(s.F91) + s.F92
	i += int64(s.F93) + s.F94
	f += float64(s.F95) + s.F96
	i += int64(s.F97) + s.F98
	f += float64(s.F99) + s.F100
	return uint64(i) + math.Float64bits(f)
}

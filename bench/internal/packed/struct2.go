package packed

import (
	"math"

	"github.com/ashlar-go/ashlar/bench/workload"
)

// A Struct2 is a workload.Struct2 in 816 bytes: a bit for each field, set when it
// is there, and the values where a Struct has them.
type Struct2 struct {
	Present [2]uint64
	Values  workload.Struct
}

// Struct2Size is how many bytes a Struct2 takes.
const Struct2Size = 816

// Pack makes p what v is. Fields that are absent are zero.
func (p *Struct2) Pack(v *workload.Struct2) {
	s := &p.Values
	var a, b uint64
	a |= pack(&s.F1, v.F1, 0)
	a |= pack(&s.F2, v.F2, 1)
	a |= pack(&s.F3, v.F3, 2)
	a |= pack(&s.F4, v.F4, 3)
	a |= pack(&s.F5, v.F5, 4)
	a |= pack(&s.F6, v.F6, 5)
	a |= pack(&s.F7, v.F7, 6)
	a |= pack(&s.F8, v.F8, 7)
	a |= pack(&s.F9, v.F9, 8)
	a |= pack(&s.F10, v.F10, 9)
	a |= pack(&s.F11, v.F11, 10)
	a |= pack(&s.F12, v.F12, 11)
	a |= pack(&s.F13, v.F13, 12)
	a |= pack(&s.F14, v.F14, 13)
	a |= pack(&s.F15, v.F15, 14)
	a |= pack(&s.F16, v.F16, 15)
	a |= pack(&s.F17, v.F17, 16)
	a |= pack(&s.F18, v.F18, 17)
	a |= pack(&s.F19, v.F19, 18)
	a |= pack(&s.F20, v.F20, 19)
	a |= pack(&s.F21, v.F21, 20)
	a |= pack(&s.F22, v.F22, 21)
	a |= pack(&s.F23, v.F23, 22)
	a |= pack(&s.F24, v.F24, 23)
	a |= pack(&s.F25, v.F25, 24)
	a |= pack(&s.F26, v.F26, 25)
	a |= pack(&s.F27, v.F27, 26)
	a |= pack(&s.F28, v.F28, 27)
	a |= pack(&s.F29, v.F29, 28)
	a |= pack(&s.F30, v.F30, 29)
	a |= pack(&s.F31, v.F31, 30)
	a |= pack(&s.F32, v.F32, 31)
	a |= pack(&s.F33, v.F33, 32)
	a |= pack(&s.F34, v.F34, 33)
	a |= pack(&s.F35, v.F35, 34)
	a |= pack(&s.F36, v.F36, 35)
	a |= pack(&s.F37, v.F37, 36)
	a |= pack(&s.F38, v.F38, 37)
	a |= pack(&s.F39, v.F39, 38)
	a |= pack(&s.F40, v.F40, 39)
	a |= pack(&s.F41, v.F41, 40)
	a |= pack(&s.F42, v.F42, 41)
	a |= pack(&s.F43, v.F43, 42)
	a |= pack(&s.F44, v.F44, 43)
	a |= pack(&s.F45, v.F45, 44)
	a |= pack(&s.F46, v.F46, 45)
	a |= pack(&s.F47, v.F47, 46)
	a |= pack(&s.F48, v.F48, 47)
	a |= pack(&s.F49, v.F49, 48)
	a |= pack(&s.F50, v.F50, 49)
	a |= pack(&s.F51, v.F51, 50)
	a |= pack(&s.F52, v.F52, 51)
	a |= pack(&s.F53, v.F53, 52)
	a |= pack(&s.F54, v.F54, 53)
	a |= pack(&s.F55, v.F55, 54)
	a |= pack(&s.F56, v.F56, 55)
	a |= pack(&s.F57, v.F57, 56)
	a |= pack(&s.F58, v.F58, 57)
	a |= pack(&s.F59, v.F59, 58)
	a |= pack(&s.F60, v.F60, 59)
	a |= pack(&s.F61, v.F61, 60)
	a |= pack(&s.F62, v.F62, 61)
	a |= pack(&s.F63, v.F63, 62)
	a |= pack(&s.F64, v.F64, 63)
	b |= pack(&s.F65, v.F65, 0)
	b |= pack(&s.F66, v.F66, 1)
	b |= pack(&s.F67, v.F67, 2)
	b |= pack(&s.F68, v.F68, 3)
	b |= pack(&s.F69, v.F69, 4)
	b |= pack(&s.F70, v.F70, 5)
	b |= pack(&s.F71, v.F71, 6)
	b |= pack(&s.F72, v.F72, 7)
	b |= pack(&s.F73, v.F73, 8)
	b |= pack(&s.F74, v.F74, 9)
	b |= pack(&s.F75, v.F75, 10)
	b |= pack(&s.F76, v.F76, 11)
	b |= pack(&s.F77, v.F77, 12)
	b |= pack(&s.F78, v.F78, 13)
	b |= pack(&s.F79, v.F79, 14)
	b |= pack(&s.F80, v.F80, 15)
	b |= pack(&s.F81, v.F81, 16)
	b |= pack(&s.F82, v.F82, 17)
	b |= pack(&s.F83, v.F83, 18)
	b |= pack(&s.F84, v.F84, 19)
	b |= pack(&s.F85, v.F85, 20)
	b |= pack(&s.F86, v.F86, 21)
	b |= pack(&s.F87, v.F87, 22)
	b |= pack(&s.F88, v.F88, 23)
	b |= pack(&s.F89, v.F89, 24)
	b |= pack(&s.F90, v.F90, 25)
	b |= pack(&s.F91, v.F91, 26)
	b |= pack(&s.F92, v.F92, 27)
	b |= pack(&s.F93, v.F93, 28)
	b |= pack(&s.F94, v.F94, 29)
	b |= pack(&s.F95, v.F95, 30)
	b |= pack(&s.F96, v.F96, 31)
	b |= pack(&s.F97, v.F97, 32)
	b |= pack(&s.F98, v.F98, 33)
	b |= pack(&s.F99, v.F99, 34)
	b |= pack(&s.F100, v.F100, 35)
	p.Present = [2]uint64{a, b}
}

// View makes v's fields point into p.
func (p *Struct2) View(v *workload.Struct2) {
	s, a, b := &p.Values, p.Present[0], p.Present[1]
	v.F1 = view(&s.F1, a, 0)
	v.F2 = view(&s.F2, a, 1)
	v.F3 = view(&s.F3, a, 2)
	v.F4 = view(&s.F4, a, 3)
	v.F5 = view(&s.F5, a, 4)
	v.F6 = view(&s.F6, a, 5)
	v.F7 = view(&s.F7, a, 6)
	v.F8 = view(&s.F8, a, 7)
	v.F9 = view(&s.F9, a, 8)
	v.F10 = view(&s.F10, a, 9)
	v.F11 = view(&s.F11, a, 10)
	v.F12 = view(&s.F12, a, 11)
	v.F13 = view(&s.F13, a, 12)
	v.F14 = view(&s.F14, a, 13)
	v.F15 = view(&s.F15, a, 14)
	v.F16 = view(&s.F16, a, 15)
	v.F17 = view(&s.F17, a, 16)
	v.F18 = view(&s.F18, a, 17)
	v.F19 = view(&s.F19, a, 18)
	v.F20 = view(&s.F20, a, 19)
	v.F21 = view(&s.F21, a, 20)
	v.F22 = view(&s.F22, a, 21)
	v.F23 = view(&s.F23, a, 22)
	v.F24 = view(&s.F24, a, 23)
	v.F25 = view(&s.F25, a, 24)
	v.F26 = view(&s.F26, a, 25)
	v.F27 = view(&s.F27, a, 26)
	v.F28 = view(&s.F28, a, 27)
	v.F29 = view(&s.F29, a, 28)
	v.F30 = view(&s.F30, a, 29)
	v.F31 = view(&s.F31, a, 30)
	v.F32 = view(&s.F32, a, 31)
	v.F33 = view(&s.F33, a, 32)
	v.F34 = view(&s.F34, a, 33)
	v.F35 = view(&s.F35, a, 34)
	v.F36 = view(&s.F36, a, 35)
	v.F37 = view(&s.F37, a, 36)
	v.F38 = view(&s.F38, a, 37)
	v.F39 = view(&s.F39, a, 38)
	v.F40 = view(&s.F40, a, 39)
	v.F41 = view(&s.F41, a, 40)
	v.F42 = view(&s.F42, a, 41)
	v.F43 = view(&s.F43, a, 42)
	v.F44 = view(&s.F44, a, 43)
	v.F45 = view(&s.F45, a, 44)
	v.F46 = view(&s.F46, a, 45)
	v.F47 = view(&s.F47, a, 46)
	v.F48 = view(&s.F48, a, 47)
	v.F49 = view(&s.F49, a, 48)
	v.F50 = view(&s.F50, a, 49)
	v.F51 = view(&s.F51, a, 50)
	v.F52 = view(&s.F52, a, 51)
	v.F53 = view(&s.F53, a, 52)
	v.F54 = view(&s.F54, a, 53)
	v.F55 = view(&s.F55, a, 54)
	v.F56 = view(&s.F56, a, 55)
	v.F57 = view(&s.F57, a, 56)
	v.F58 = view(&s.F58, a, 57)
	v.F59 = view(&s.F59, a, 58)
	v.F60 = view(&s.F60, a, 59)
	v.F61 = view(&s.F61, a, 60)
	v.F62 = view(&s.F62, a, 61)
	v.F63 = view(&s.F63, a, 62)
	v.F64 = view(&s.F64, a, 63)
	v.F65 = view(&s.F65, b, 0)
	v.F66 = view(&s.F66, b, 1)
	v.F67 = view(&s.F67, b, 2)
	v.F68 = view(&s.F68, b, 3)
	v.F69 = view(&s.F69, b, 4)
	v.F70 = view(&s.F70, b, 5)
	v.F71 = view(&s.F71, b, 6)
	v.F72 = view(&s.F72, b, 7)
	v.F73 = view(&s.F73, b, 8)
	v.F74 = view(&s.F74, b, 9)
	v.F75 = view(&s.F75, b, 10)
	v.F76 = view(&s.F76, b, 11)
	v.F77 = view(&s.F77, b, 12)
	v.F78 = view(&s.F78, b, 13)
	v.F79 = view(&s.F79, b, 14)
	v.F80 = view(&s.F80, b, 15)
	v.F81 = view(&s.F81, b, 16)
	v.F82 = view(&s.F82, b, 17)
	v.F83 = view(&s.F83, b, 18)
	v.F84 = view(&s.F84, b, 19)
	v.F85 = view(&s.F85, b, 20)
	v.F86 = view(&s.F86, b, 21)
	v.F87 = view(&s.F87, b, 22)
	v.F88 = view(&s.F88, b, 23)
	v.F89 = view(&s.F89, b, 24)
	v.F90 = view(&s.F90, b, 25)
	v.F91 = view(&s.F91, b, 26)
	v.F92 = view(&s.F92, b, 27)
	v.F93 = view(&s.F93, b, 28)
	v.F94 = view(&s.F94, b, 29)
	v.F95 = view(&s.F95, b, 30)
	v.F96 = view(&s.F96, b, 31)
	v.F97 = view(&s.F97, b, 32)
	v.F98 = view(&s.F98, b, 33)
	v.F99 = view(&s.F99, b, 34)
	v.F100 = view(&s.F100, b, 35)
}

// Sum sums as a workload.Struct2 does, in the same order; absent fields are zero.
func (p *Struct2) Sum() uint64 {
	s := &p.Values
	var i int64
	var f float64
	i += int64(s.F1) + s.F2
	f = f + float64(s.F3) + s.F4
	i += int64(s.F5) + s.F6
	f = f + float64(s.F7) + s.F8
	i += int64(s.F9) + s.F10
	f = f + float64(s.F11) + s.F12
	i += int64(s.F13) + s.F14
	f = f + float64(s.F15) + s.F16
	i += int64(s.F17) + s.F18
	f = f + float64(s.F19) + s.F20
	i += int64(s.F21) + s.F22
	f = f + float64(s.F23) + s.F24
	i += int64(s.F25) + s.F26
	f = f + float64(s.F27) + s.F28
	i += int64(s.F29) + s.F30
	f = f + float64(s.F31) + s.F32
	i += int64(s.F33) + s.F34
	f = f + float64(s.F35) + s.F36
	i += int64(s.F37) + s.F38
	f = f + float64(s.F39) + s.F40
	i += int64(s.F41) + s.F42
	f = f + float64(s.F43) + s.F44
	i += int64(s.F45) + s.F46
	f = f + float64(s.F47) + s.F48
	i += int64(s.F49) + s.F50
	f = f + float64(s.F51) + s.F52
	i += int64(s.F53) + s.F54
	f = f + float64(s.F55) + s.F56
	i += int64(s.F57) + s.F58
	f = f + float64(s.F59) + s.F60
	i += int64(s.F61) + s.F62
	f = f + float64(s.F63) + s.F64
	i += int64(s.F65) + s.F66
	f = f + float64(s.F67) + s.F68
	i += int64(s.F69) + s.F70
	f = f + float64(s.F71) + s.F72
	i += int64(s.F73) + s.F74
	f = f + float64(s.F75) + s.F76
	i += int64(s.F77) + s.F78
	f = f + float64(s.F79) + s.F80
	i += int64(s.F81) + s.F82
	f = f + float64(s.F83) + s.F84
	i += int64(s.F85) + s.F86
	f = f + float64(s.F87) + s.F88
	i += int64(s.F89) + s.F90
	f = f + float64(s.F91) + s.F92
	i += int64(s.F93) + s.F94
	f = f + float64(s.F95) + s.F96
	i += int64(s.F97) + s.F98
	f = f + float64(s.F99) + s.F100
	return uint64(i) + math.Float64bits(f)
}

// pack copies a value, or zero for none, and returns its bit.
func pack[T any](dst, v *T, bit int) uint64 {
	if v == nil {
		var zero T
		*dst = zero
		return 0
	}
	*dst = *v
	return 1 << bit
}

// view returns p if the bit is set.
func view[T any](p *T, present uint64, bit int) *T {
	if present>>bit&1 == 0 {
		return nil
	}
	return p
}

package flatbuffers

import (
	"math"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteStruct2 adds each field that is there by its generated function.
func (b *Builder) WriteStruct2(v *workload.Struct2) []byte {
	b.Reset()
	fbs.Struct2Start(&b.Builder)
	if v.F1 != nil {
		fbs.Struct2AddF1(&b.Builder, *v.F1)
	}
	if v.F2 != nil {
		fbs.Struct2AddF2(&b.Builder, *v.F2)
	}
	if v.F3 != nil {
		fbs.Struct2AddF3(&b.Builder, *v.F3)
	}
	if v.F4 != nil {
		fbs.Struct2AddF4(&b.Builder, *v.F4)
	}
	if v.F5 != nil {
		fbs.Struct2AddF5(&b.Builder, *v.F5)
	}
	if v.F6 != nil {
		fbs.Struct2AddF6(&b.Builder, *v.F6)
	}
	if v.F7 != nil {
		fbs.Struct2AddF7(&b.Builder, *v.F7)
	}
	if v.F8 != nil {
		fbs.Struct2AddF8(&b.Builder, *v.F8)
	}
	if v.F9 != nil {
		fbs.Struct2AddF9(&b.Builder, *v.F9)
	}
	if v.F10 != nil {
		fbs.Struct2AddF10(&b.Builder, *v.F10)
	}
	if v.F11 != nil {
		fbs.Struct2AddF11(&b.Builder, *v.F11)
	}
	if v.F12 != nil {
		fbs.Struct2AddF12(&b.Builder, *v.F12)
	}
	if v.F13 != nil {
		fbs.Struct2AddF13(&b.Builder, *v.F13)
	}
	if v.F14 != nil {
		fbs.Struct2AddF14(&b.Builder, *v.F14)
	}
	if v.F15 != nil {
		fbs.Struct2AddF15(&b.Builder, *v.F15)
	}
	if v.F16 != nil {
		fbs.Struct2AddF16(&b.Builder, *v.F16)
	}
	if v.F17 != nil {
		fbs.Struct2AddF17(&b.Builder, *v.F17)
	}
	if v.F18 != nil {
		fbs.Struct2AddF18(&b.Builder, *v.F18)
	}
	if v.F19 != nil {
		fbs.Struct2AddF19(&b.Builder, *v.F19)
	}
	if v.F20 != nil {
		fbs.Struct2AddF20(&b.Builder, *v.F20)
	}
	if v.F21 != nil {
		fbs.Struct2AddF21(&b.Builder, *v.F21)
	}
	if v.F22 != nil {
		fbs.Struct2AddF22(&b.Builder, *v.F22)
	}
	if v.F23 != nil {
		fbs.Struct2AddF23(&b.Builder, *v.F23)
	}
	if v.F24 != nil {
		fbs.Struct2AddF24(&b.Builder, *v.F24)
	}
	if v.F25 != nil {
		fbs.Struct2AddF25(&b.Builder, *v.F25)
	}
	if v.F26 != nil {
		fbs.Struct2AddF26(&b.Builder, *v.F26)
	}
	if v.F27 != nil {
		fbs.Struct2AddF27(&b.Builder, *v.F27)
	}
	if v.F28 != nil {
		fbs.Struct2AddF28(&b.Builder, *v.F28)
	}
	if v.F29 != nil {
		fbs.Struct2AddF29(&b.Builder, *v.F29)
	}
	if v.F30 != nil {
		fbs.Struct2AddF30(&b.Builder, *v.F30)
	}
	if v.F31 != nil {
		fbs.Struct2AddF31(&b.Builder, *v.F31)
	}
	if v.F32 != nil {
		fbs.Struct2AddF32(&b.Builder, *v.F32)
	}
	if v.F33 != nil {
		fbs.Struct2AddF33(&b.Builder, *v.F33)
	}
	if v.F34 != nil {
		fbs.Struct2AddF34(&b.Builder, *v.F34)
	}
	if v.F35 != nil {
		fbs.Struct2AddF35(&b.Builder, *v.F35)
	}
	if v.F36 != nil {
		fbs.Struct2AddF36(&b.Builder, *v.F36)
	}
	if v.F37 != nil {
		fbs.Struct2AddF37(&b.Builder, *v.F37)
	}
	if v.F38 != nil {
		fbs.Struct2AddF38(&b.Builder, *v.F38)
	}
	if v.F39 != nil {
		fbs.Struct2AddF39(&b.Builder, *v.F39)
	}
	if v.F40 != nil {
		fbs.Struct2AddF40(&b.Builder, *v.F40)
	}
	if v.F41 != nil {
		fbs.Struct2AddF41(&b.Builder, *v.F41)
	}
	if v.F42 != nil {
		fbs.Struct2AddF42(&b.Builder, *v.F42)
	}
	if v.F43 != nil {
		fbs.Struct2AddF43(&b.Builder, *v.F43)
	}
	if v.F44 != nil {
		fbs.Struct2AddF44(&b.Builder, *v.F44)
	}
	if v.F45 != nil {
		fbs.Struct2AddF45(&b.Builder, *v.F45)
	}
	if v.F46 != nil {
		fbs.Struct2AddF46(&b.Builder, *v.F46)
	}
	if v.F47 != nil {
		fbs.Struct2AddF47(&b.Builder, *v.F47)
	}
	if v.F48 != nil {
		fbs.Struct2AddF48(&b.Builder, *v.F48)
	}
	if v.F49 != nil {
		fbs.Struct2AddF49(&b.Builder, *v.F49)
	}
	if v.F50 != nil {
		fbs.Struct2AddF50(&b.Builder, *v.F50)
	}
	if v.F51 != nil {
		fbs.Struct2AddF51(&b.Builder, *v.F51)
	}
	if v.F52 != nil {
		fbs.Struct2AddF52(&b.Builder, *v.F52)
	}
	if v.F53 != nil {
		fbs.Struct2AddF53(&b.Builder, *v.F53)
	}
	if v.F54 != nil {
		fbs.Struct2AddF54(&b.Builder, *v.F54)
	}
	if v.F55 != nil {
		fbs.Struct2AddF55(&b.Builder, *v.F55)
	}
	if v.F56 != nil {
		fbs.Struct2AddF56(&b.Builder, *v.F56)
	}
	if v.F57 != nil {
		fbs.Struct2AddF57(&b.Builder, *v.F57)
	}
	if v.F58 != nil {
		fbs.Struct2AddF58(&b.Builder, *v.F58)
	}
	if v.F59 != nil {
		fbs.Struct2AddF59(&b.Builder, *v.F59)
	}
	if v.F60 != nil {
		fbs.Struct2AddF60(&b.Builder, *v.F60)
	}
	if v.F61 != nil {
		fbs.Struct2AddF61(&b.Builder, *v.F61)
	}
	if v.F62 != nil {
		fbs.Struct2AddF62(&b.Builder, *v.F62)
	}
	if v.F63 != nil {
		fbs.Struct2AddF63(&b.Builder, *v.F63)
	}
	if v.F64 != nil {
		fbs.Struct2AddF64(&b.Builder, *v.F64)
	}
	if v.F65 != nil {
		fbs.Struct2AddF65(&b.Builder, *v.F65)
	}
	if v.F66 != nil {
		fbs.Struct2AddF66(&b.Builder, *v.F66)
	}
	if v.F67 != nil {
		fbs.Struct2AddF67(&b.Builder, *v.F67)
	}
	if v.F68 != nil {
		fbs.Struct2AddF68(&b.Builder, *v.F68)
	}
	if v.F69 != nil {
		fbs.Struct2AddF69(&b.Builder, *v.F69)
	}
	if v.F70 != nil {
		fbs.Struct2AddF70(&b.Builder, *v.F70)
	}
	if v.F71 != nil {
		fbs.Struct2AddF71(&b.Builder, *v.F71)
	}
	if v.F72 != nil {
		fbs.Struct2AddF72(&b.Builder, *v.F72)
	}
	if v.F73 != nil {
		fbs.Struct2AddF73(&b.Builder, *v.F73)
	}
	if v.F74 != nil {
		fbs.Struct2AddF74(&b.Builder, *v.F74)
	}
	if v.F75 != nil {
		fbs.Struct2AddF75(&b.Builder, *v.F75)
	}
	if v.F76 != nil {
		fbs.Struct2AddF76(&b.Builder, *v.F76)
	}
	if v.F77 != nil {
		fbs.Struct2AddF77(&b.Builder, *v.F77)
	}
	if v.F78 != nil {
		fbs.Struct2AddF78(&b.Builder, *v.F78)
	}
	if v.F79 != nil {
		fbs.Struct2AddF79(&b.Builder, *v.F79)
	}
	if v.F80 != nil {
		fbs.Struct2AddF80(&b.Builder, *v.F80)
	}
	if v.F81 != nil {
		fbs.Struct2AddF81(&b.Builder, *v.F81)
	}
	if v.F82 != nil {
		fbs.Struct2AddF82(&b.Builder, *v.F82)
	}
	if v.F83 != nil {
		fbs.Struct2AddF83(&b.Builder, *v.F83)
	}
	if v.F84 != nil {
		fbs.Struct2AddF84(&b.Builder, *v.F84)
	}
	if v.F85 != nil {
		fbs.Struct2AddF85(&b.Builder, *v.F85)
	}
	if v.F86 != nil {
		fbs.Struct2AddF86(&b.Builder, *v.F86)
	}
	if v.F87 != nil {
		fbs.Struct2AddF87(&b.Builder, *v.F87)
	}
	if v.F88 != nil {
		fbs.Struct2AddF88(&b.Builder, *v.F88)
	}
	if v.F89 != nil {
		fbs.Struct2AddF89(&b.Builder, *v.F89)
	}
	if v.F90 != nil {
		fbs.Struct2AddF90(&b.Builder, *v.F90)
	}
	if v.F91 != nil {
		fbs.Struct2AddF91(&b.Builder, *v.F91)
	}
	if v.F92 != nil {
		fbs.Struct2AddF92(&b.Builder, *v.F92)
	}
	if v.F93 != nil {
		fbs.Struct2AddF93(&b.Builder, *v.F93)
	}
	if v.F94 != nil {
		fbs.Struct2AddF94(&b.Builder, *v.F94)
	}
	if v.F95 != nil {
		fbs.Struct2AddF95(&b.Builder, *v.F95)
	}
	if v.F96 != nil {
		fbs.Struct2AddF96(&b.Builder, *v.F96)
	}
	if v.F97 != nil {
		fbs.Struct2AddF97(&b.Builder, *v.F97)
	}
	if v.F98 != nil {
		fbs.Struct2AddF98(&b.Builder, *v.F98)
	}
	if v.F99 != nil {
		fbs.Struct2AddF99(&b.Builder, *v.F99)
	}
	if v.F100 != nil {
		fbs.Struct2AddF100(&b.Builder, *v.F100)
	}
	b.Finish(fbs.Struct2End(&b.Builder))
	return b.FinishedBytes()
}

// ReadStruct2 takes what the generated accessors return, each a pointer to a
// value of its own.
func ReadStruct2(msg []byte, v *workload.Struct2) {
	x := fbs.GetRootAsStruct2(msg, 0)
	v.F1 = x.F1()
	v.F2 = x.F2()
	v.F3 = x.F3()
	v.F4 = x.F4()
	v.F5 = x.F5()
	v.F6 = x.F6()
	v.F7 = x.F7()
	v.F8 = x.F8()
	v.F9 = x.F9()
	v.F10 = x.F10()
	v.F11 = x.F11()
	v.F12 = x.F12()
	v.F13 = x.F13()
	v.F14 = x.F14()
	v.F15 = x.F15()
	v.F16 = x.F16()
	v.F17 = x.F17()
	v.F18 = x.F18()
	v.F19 = x.F19()
	v.F20 = x.F20()
	v.F21 = x.F21()
	v.F22 = x.F22()
	v.F23 = x.F23()
	v.F24 = x.F24()
	v.F25 = x.F25()
	v.F26 = x.F26()
	v.F27 = x.F27()
	v.F28 = x.F28()
	v.F29 = x.F29()
	v.F30 = x.F30()
	v.F31 = x.F31()
	v.F32 = x.F32()
	v.F33 = x.F33()
	v.F34 = x.F34()
	v.F35 = x.F35()
	v.F36 = x.F36()
	v.F37 = x.F37()
	v.F38 = x.F38()
	v.F39 = x.F39()
	v.F40 = x.F40()
	v.F41 = x.F41()
	v.F42 = x.F42()
	v.F43 = x.F43()
	v.F44 = x.F44()
	v.F45 = x.F45()
	v.F46 = x.F46()
	v.F47 = x.F47()
	v.F48 = x.F48()
	v.F49 = x.F49()
	v.F50 = x.F50()
	v.F51 = x.F51()
	v.F52 = x.F52()
	v.F53 = x.F53()
	v.F54 = x.F54()
	v.F55 = x.F55()
	v.F56 = x.F56()
	v.F57 = x.F57()
	v.F58 = x.F58()
	v.F59 = x.F59()
	v.F60 = x.F60()
	v.F61 = x.F61()
	v.F62 = x.F62()
	v.F63 = x.F63()
	v.F64 = x.F64()
	v.F65 = x.F65()
	v.F66 = x.F66()
	v.F67 = x.F67()
	v.F68 = x.F68()
	v.F69 = x.F69()
	v.F70 = x.F70()
	v.F71 = x.F71()
	v.F72 = x.F72()
	v.F73 = x.F73()
	v.F74 = x.F74()
	v.F75 = x.F75()
	v.F76 = x.F76()
	v.F77 = x.F77()
	v.F78 = x.F78()
	v.F79 = x.F79()
	v.F80 = x.F80()
	v.F81 = x.F81()
	v.F82 = x.F82()
	v.F83 = x.F83()
	v.F84 = x.F84()
	v.F85 = x.F85()
	v.F86 = x.F86()
	v.F87 = x.F87()
	v.F88 = x.F88()
	v.F89 = x.F89()
	v.F90 = x.F90()
	v.F91 = x.F91()
	v.F92 = x.F92()
	v.F93 = x.F93()
	v.F94 = x.F94()
	v.F95 = x.F95()
	v.F96 = x.F96()
	v.F97 = x.F97()
	v.F98 = x.F98()
	v.F99 = x.F99()
	v.F100 = x.F100()
}

// SumStruct2 sums through the generated accessors.
func SumStruct2(msg []byte) uint64 {
	x := fbs.GetRootAsStruct2(msg, 0)
	var i int64
	var f float64
	i += whole(x.F1()) + whole(x.F2())
	f = f + fraction(x.F3()) + fraction(x.F4())
	i += whole(x.F5()) + whole(x.F6())
	f = f + fraction(x.F7()) + fraction(x.F8())
	i += whole(x.F9()) + whole(x.F10())
	f = f + fraction(x.F11()) + fraction(x.F12())
	i += whole(x.F13()) + whole(x.F14())
	f = f + fraction(x.F15()) + fraction(x.F16())
	i += whole(x.F17()) + whole(x.F18())
	f = f + fraction(x.F19()) + fraction(x.F20())
	i += whole(x.F21()) + whole(x.F22())
	f = f + fraction(x.F23()) + fraction(x.F24())
	i += whole(x.F25()) + whole(x.F26())
	f = f + fraction(x.F27()) + fraction(x.F28())
	i += whole(x.F29()) + whole(x.F30())
	f = f + fraction(x.F31()) + fraction(x.F32())
	i += whole(x.F33()) + whole(x.F34())
	f = f + fraction(x.F35()) + fraction(x.F36())
	i += whole(x.F37()) + whole(x.F38())
	f = f + fraction(x.F39()) + fraction(x.F40())
	i += whole(x.F41()) + whole(x.F42())
	f = f + fraction(x.F43()) + fraction(x.F44())
	i += whole(x.F45()) + whole(x.F46())
	f = f + fraction(x.F47()) + fraction(x.F48())
	i += whole(x.F49()) + whole(x.F50())
	f = f + fraction(x.F51()) + fraction(x.F52())
	i += whole(x.F53()) + whole(x.F54())
	f = f + fraction(x.F55()) + fraction(x.F56())
	i += whole(x.F57()) + whole(x.F58())
	f = f + fraction(x.F59()) + fraction(x.F60())
	i += whole(x.F61()) + whole(x.F62())
	f = f + fraction(x.F63()) + fraction(x.F64())
	i += whole(x.F65()) + whole(x.F66())
	f = f + fraction(x.F67()) + fraction(x.F68())
	i += whole(x.F69()) + whole(x.F70())
	f = f + fraction(x.F71()) + fraction(x.F72())
	i += whole(x.F73()) + whole(x.F74())
	f = f + fraction(x.F75()) + fraction(x.F76())
	i += whole(x.F77()) + whole(x.F78())
	f = f + fraction(x.F79()) + fraction(x.F80())
	i += whole(x.F81()) + whole(x.F82())
	f = f + fraction(x.F83()) + fraction(x.F84())
	i += whole(x.F85()) + whole(x.F86())
	f = f + fraction(x.F87()) + fraction(x.F88())
	i += whole(x.F89()) + whole(x.F90())
	f = f + fraction(x.F91()) + fraction(x.F92())
	i += whole(x.F93()) + whole(x.F94())
	f = f + fraction(x.F95()) + fraction(x.F96())
	i += whole(x.F97()) + whole(x.F98())
	f = f + fraction(x.F99()) + fraction(x.F100())
	return uint64(i) + math.Float64bits(f)
}

// whole is what an accessor returned, or 0 for an absent value.
func whole[T int16 | int32 | int64 | uint16](p *T) int64 {
	if p == nil {
		return 0
	}
	return int64(*p)
}

// fraction is what an accessor returned, or 0 for an absent value.
func fraction[T float32 | float64](p *T) float64 {
	if p == nil {
		return 0
	}
	return float64(*p)
}

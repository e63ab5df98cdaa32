package capnproto

import (
	"math"

	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteStruct2 sets each field that is there by its generated function.
func (b *Builder) WriteStruct2(v *workload.Struct2) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	x, err := cps.NewRootStruct2(seg)
	if err != nil {
		return nil, err
	}
	if v.F1 != nil {
		x.F1().SetSome(*v.F1)
	}
	if v.F2 != nil {
		x.F2().SetSome(*v.F2)
	}
	if v.F3 != nil {
		x.F3().SetSome(*v.F3)
	}
	if v.F4 != nil {
		x.F4().SetSome(*v.F4)
	}
	if v.F5 != nil {
		x.F5().SetSome(*v.F5)
	}
	if v.F6 != nil {
		x.F6().SetSome(*v.F6)
	}
	if v.F7 != nil {
		x.F7().SetSome(*v.F7)
	}
	if v.F8 != nil {
		x.F8().SetSome(*v.F8)
	}
	if v.F9 != nil {
		x.F9().SetSome(*v.F9)
	}
	if v.F10 != nil {
		x.F10().SetSome(*v.F10)
	}
	if v.F11 != nil {
		x.F11().SetSome(*v.F11)
	}
	if v.F12 != nil {
		x.F12().SetSome(*v.F12)
	}
	if v.F13 != nil {
		x.F13().SetSome(*v.F13)
	}
	if v.F14 != nil {
		x.F14().SetSome(*v.F14)
	}
	if v.F15 != nil {
		x.F15().SetSome(*v.F15)
	}
	if v.F16 != nil {
		x.F16().SetSome(*v.F16)
	}
	if v.F17 != nil {
		x.F17().SetSome(*v.F17)
	}
	if v.F18 != nil {
		x.F18().SetSome(*v.F18)
	}
	if v.F19 != nil {
		x.F19().SetSome(*v.F19)
	}
	if v.F20 != nil {
		x.F20().SetSome(*v.F20)
	}
	if v.F21 != nil {
		x.F21().SetSome(*v.F21)
	}
	if v.F22 != nil {
		x.F22().SetSome(*v.F22)
	}
	if v.F23 != nil {
		x.F23().SetSome(*v.F23)
	}
	if v.F24 != nil {
		x.F24().SetSome(*v.F24)
	}
	if v.F25 != nil {
		x.F25().SetSome(*v.F25)
	}
	if v.F26 != nil {
		x.F26().SetSome(*v.F26)
	}
	if v.F27 != nil {
		x.F27().SetSome(*v.F27)
	}
	if v.F28 != nil {
		x.F28().SetSome(*v.F28)
	}
	if v.F29 != nil {
		x.F29().SetSome(*v.F29)
	}
	if v.F30 != nil {
		x.F30().SetSome(*v.F30)
	}
	if v.F31 != nil {
		x.F31().SetSome(*v.F31)
	}
	if v.F32 != nil {
		x.F32().SetSome(*v.F32)
	}
	if v.F33 != nil {
		x.F33().SetSome(*v.F33)
	}
	if v.F34 != nil {
		x.F34().SetSome(*v.F34)
	}
	if v.F35 != nil {
		x.F35().SetSome(*v.F35)
	}
	if v.F36 != nil {
		x.F36().SetSome(*v.F36)
	}
	if v.F37 != nil {
		x.F37().SetSome(*v.F37)
	}
	if v.F38 != nil {
		x.F38().SetSome(*v.F38)
	}
	if v.F39 != nil {
		x.F39().SetSome(*v.F39)
	}
	if v.F40 != nil {
		x.F40().SetSome(*v.F40)
	}
	if v.F41 != nil {
		x.F41().SetSome(*v.F41)
	}
	if v.F42 != nil {
		x.F42().SetSome(*v.F42)
	}
	if v.F43 != nil {
		x.F43().SetSome(*v.F43)
	}
	if v.F44 != nil {
		x.F44().SetSome(*v.F44)
	}
	if v.F45 != nil {
		x.F45().SetSome(*v.F45)
	}
	if v.F46 != nil {
		x.F46().SetSome(*v.F46)
	}
	if v.F47 != nil {
		x.F47().SetSome(*v.F47)
	}
	if v.F48 != nil {
		x.F48().SetSome(*v.F48)
	}
	if v.F49 != nil {
		x.F49().SetSome(*v.F49)
	}
	if v.F50 != nil {
		x.F50().SetSome(*v.F50)
	}
	if v.F51 != nil {
		x.F51().SetSome(*v.F51)
	}
	if v.F52 != nil {
		x.F52().SetSome(*v.F52)
	}
	if v.F53 != nil {
		x.F53().SetSome(*v.F53)
	}
	if v.F54 != nil {
		x.F54().SetSome(*v.F54)
	}
	if v.F55 != nil {
		x.F55().SetSome(*v.F55)
	}
	if v.F56 != nil {
		x.F56().SetSome(*v.F56)
	}
	if v.F57 != nil {
		x.F57().SetSome(*v.F57)
	}
	if v.F58 != nil {
		x.F58().SetSome(*v.F58)
	}
	if v.F59 != nil {
		x.F59().SetSome(*v.F59)
	}
	if v.F60 != nil {
		x.F60().SetSome(*v.F60)
	}
	if v.F61 != nil {
		x.F61().SetSome(*v.F61)
	}
	if v.F62 != nil {
		x.F62().SetSome(*v.F62)
	}
	if v.F63 != nil {
		x.F63().SetSome(*v.F63)
	}
	if v.F64 != nil {
		x.F64().SetSome(*v.F64)
	}
	if v.F65 != nil {
		x.F65().SetSome(*v.F65)
	}
	if v.F66 != nil {
		x.F66().SetSome(*v.F66)
	}
	if v.F67 != nil {
		x.F67().SetSome(*v.F67)
	}
	if v.F68 != nil {
		x.F68().SetSome(*v.F68)
	}
	if v.F69 != nil {
		x.F69().SetSome(*v.F69)
	}
	if v.F70 != nil {
		x.F70().SetSome(*v.F70)
	}
	if v.F71 != nil {
		x.F71().SetSome(*v.F71)
	}
	if v.F72 != nil {
		x.F72().SetSome(*v.F72)
	}
	if v.F73 != nil {
		x.F73().SetSome(*v.F73)
	}
	if v.F74 != nil {
		x.F74().SetSome(*v.F74)
	}
	if v.F75 != nil {
		x.F75().SetSome(*v.F75)
	}
	if v.F76 != nil {
		x.F76().SetSome(*v.F76)
	}
	if v.F77 != nil {
		x.F77().SetSome(*v.F77)
	}
	if v.F78 != nil {
		x.F78().SetSome(*v.F78)
	}
	if v.F79 != nil {
		x.F79().SetSome(*v.F79)
	}
	if v.F80 != nil {
		x.F80().SetSome(*v.F80)
	}
	if v.F81 != nil {
		x.F81().SetSome(*v.F81)
	}
	if v.F82 != nil {
		x.F82().SetSome(*v.F82)
	}
	if v.F83 != nil {
		x.F83().SetSome(*v.F83)
	}
	if v.F84 != nil {
		x.F84().SetSome(*v.F84)
	}
	if v.F85 != nil {
		x.F85().SetSome(*v.F85)
	}
	if v.F86 != nil {
		x.F86().SetSome(*v.F86)
	}
	if v.F87 != nil {
		x.F87().SetSome(*v.F87)
	}
	if v.F88 != nil {
		x.F88().SetSome(*v.F88)
	}
	if v.F89 != nil {
		x.F89().SetSome(*v.F89)
	}
	if v.F90 != nil {
		x.F90().SetSome(*v.F90)
	}
	if v.F91 != nil {
		x.F91().SetSome(*v.F91)
	}
	if v.F92 != nil {
		x.F92().SetSome(*v.F92)
	}
	if v.F93 != nil {
		x.F93().SetSome(*v.F93)
	}
	if v.F94 != nil {
		x.F94().SetSome(*v.F94)
	}
	if v.F95 != nil {
		x.F95().SetSome(*v.F95)
	}
	if v.F96 != nil {
		x.F96().SetSome(*v.F96)
	}
	if v.F97 != nil {
		x.F97().SetSome(*v.F97)
	}
	if v.F98 != nil {
		x.F98().SetSome(*v.F98)
	}
	if v.F99 != nil {
		x.F99().SetSome(*v.F99)
	}
	if v.F100 != nil {
		x.F100().SetSome(*v.F100)
	}
	return b.msg.Marshal()
}

// ReadStruct2 makes a fresh value for each field that is there.
func ReadStruct2(msg []byte, v *workload.Struct2) error {
	x, err := root(msg, cps.ReadRootStruct2)
	if err != nil {
		return err
	}
	*v = workload.Struct2{}
	if f := x.F1(); f.Which() == cps.Struct2_f1_Which_some {
		v.F1 = new(f.Some())
	}
	if f := x.F2(); f.Which() == cps.Struct2_f2_Which_some {
		v.F2 = new(f.Some())
	}
	if f := x.F3(); f.Which() == cps.Struct2_f3_Which_some {
		v.F3 = new(f.Some())
	}
	if f := x.F4(); f.Which() == cps.Struct2_f4_Which_some {
		v.F4 = new(f.Some())
	}
	if f := x.F5(); f.Which() == cps.Struct2_f5_Which_some {
		v.F5 = new(f.Some())
	}
	if f := x.F6(); f.Which() == cps.Struct2_f6_Which_some {
		v.F6 = new(f.Some())
	}
	if f := x.F7(); f.Which() == cps.Struct2_f7_Which_some {
		v.F7 = new(f.Some())
	}
	if f := x.F8(); f.Which() == cps.Struct2_f8_Which_some {
		v.F8 = new(f.Some())
	}
	if f := x.F9(); f.Which() == cps.Struct2_f9_Which_some {
		v.F9 = new(f.Some())
	}
	if f := x.F10(); f.Which() == cps.Struct2_f10_Which_some {
		v.F10 = new(f.Some())
	}
	if f := x.F11(); f.Which() == cps.Struct2_f11_Which_some {
		v.F11 = new(f.Some())
	}
	if f := x.F12(); f.Which() == cps.Struct2_f12_Which_some {
		v.F12 = new(f.Some())
	}
	if f := x.F13(); f.Which() == cps.Struct2_f13_Which_some {
		v.F13 = new(f.Some())
	}
	if f := x.F14(); f.Which() == cps.Struct2_f14_Which_some {
		v.F14 = new(f.Some())
	}
	if f := x.F15(); f.Which() == cps.Struct2_f15_Which_some {
		v.F15 = new(f.Some())
	}
	if f := x.F16(); f.Which() == cps.Struct2_f16_Which_some {
		v.F16 = new(f.Some())
	}
	if f := x.F17(); f.Which() == cps.Struct2_f17_Which_some {
		v.F17 = new(f.Some())
	}
	if f := x.F18(); f.Which() == cps.Struct2_f18_Which_some {
		v.F18 = new(f.Some())
	}
	if f := x.F19(); f.Which() == cps.Struct2_f19_Which_some {
		v.F19 = new(f.Some())
	}
	if f := x.F20(); f.Which() == cps.Struct2_f20_Which_some {
		v.F20 = new(f.Some())
	}
	if f := x.F21(); f.Which() == cps.Struct2_f21_Which_some {
		v.F21 = new(f.Some())
	}
	if f := x.F22(); f.Which() == cps.Struct2_f22_Which_some {
		v.F22 = new(f.Some())
	}
	if f := x.F23(); f.Which() == cps.Struct2_f23_Which_some {
		v.F23 = new(f.Some())
	}
	if f := x.F24(); f.Which() == cps.Struct2_f24_Which_some {
		v.F24 = new(f.Some())
	}
	if f := x.F25(); f.Which() == cps.Struct2_f25_Which_some {
		v.F25 = new(f.Some())
	}
	if f := x.F26(); f.Which() == cps.Struct2_f26_Which_some {
		v.F26 = new(f.Some())
	}
	if f := x.F27(); f.Which() == cps.Struct2_f27_Which_some {
		v.F27 = new(f.Some())
	}
	if f := x.F28(); f.Which() == cps.Struct2_f28_Which_some {
		v.F28 = new(f.Some())
	}
	if f := x.F29(); f.Which() == cps.Struct2_f29_Which_some {
		v.F29 = new(f.Some())
	}
	if f := x.F30(); f.Which() == cps.Struct2_f30_Which_some {
		v.F30 = new(f.Some())
	}
	if f := x.F31(); f.Which() == cps.Struct2_f31_Which_some {
		v.F31 = new(f.Some())
	}
	if f := x.F32(); f.Which() == cps.Struct2_f32_Which_some {
		v.F32 = new(f.Some())
	}
	if f := x.F33(); f.Which() == cps.Struct2_f33_Which_some {
		v.F33 = new(f.Some())
	}
	if f := x.F34(); f.Which() == cps.Struct2_f34_Which_some {
		v.F34 = new(f.Some())
	}
	if f := x.F35(); f.Which() == cps.Struct2_f35_Which_some {
		v.F35 = new(f.Some())
	}
	if f := x.F36(); f.Which() == cps.Struct2_f36_Which_some {
		v.F36 = new(f.Some())
	}
	if f := x.F37(); f.Which() == cps.Struct2_f37_Which_some {
		v.F37 = new(f.Some())
	}
	if f := x.F38(); f.Which() == cps.Struct2_f38_Which_some {
		v.F38 = new(f.Some())
	}
	if f := x.F39(); f.Which() == cps.Struct2_f39_Which_some {
		v.F39 = new(f.Some())
	}
	if f := x.F40(); f.Which() == cps.Struct2_f40_Which_some {
		v.F40 = new(f.Some())
	}
	if f := x.F41(); f.Which() == cps.Struct2_f41_Which_some {
		v.F41 = new(f.Some())
	}
	if f := x.F42(); f.Which() == cps.Struct2_f42_Which_some {
		v.F42 = new(f.Some())
	}
	if f := x.F43(); f.Which() == cps.Struct2_f43_Which_some {
		v.F43 = new(f.Some())
	}
	if f := x.F44(); f.Which() == cps.Struct2_f44_Which_some {
		v.F44 = new(f.Some())
	}
	if f := x.F45(); f.Which() == cps.Struct2_f45_Which_some {
		v.F45 = new(f.Some())
	}
	if f := x.F46(); f.Which() == cps.Struct2_f46_Which_some {
		v.F46 = new(f.Some())
	}
	if f := x.F47(); f.Which() == cps.Struct2_f47_Which_some {
		v.F47 = new(f.Some())
	}
	if f := x.F48(); f.Which() == cps.Struct2_f48_Which_some {
		v.F48 = new(f.Some())
	}
	if f := x.F49(); f.Which() == cps.Struct2_f49_Which_some {
		v.F49 = new(f.Some())
	}
	if f := x.F50(); f.Which() == cps.Struct2_f50_Which_some {
		v.F50 = new(f.Some())
	}
	if f := x.F51(); f.Which() == cps.Struct2_f51_Which_some {
		v.F51 = new(f.Some())
	}
	if f := x.F52(); f.Which() == cps.Struct2_f52_Which_some {
		v.F52 = new(f.Some())
	}
	if f := x.F53(); f.Which() == cps.Struct2_f53_Which_some {
		v.F53 = new(f.Some())
	}
	if f := x.F54(); f.Which() == cps.Struct2_f54_Which_some {
		v.F54 = new(f.Some())
	}
	if f := x.F55(); f.Which() == cps.Struct2_f55_Which_some {
		v.F55 = new(f.Some())
	}
	if f := x.F56(); f.Which() == cps.Struct2_f56_Which_some {
		v.F56 = new(f.Some())
	}
	if f := x.F57(); f.Which() == cps.Struct2_f57_Which_some {
		v.F57 = new(f.Some())
	}
	if f := x.F58(); f.Which() == cps.Struct2_f58_Which_some {
		v.F58 = new(f.Some())
	}
	if f := x.F59(); f.Which() == cps.Struct2_f59_Which_some {
		v.F59 = new(f.Some())
	}
	if f := x.F60(); f.Which() == cps.Struct2_f60_Which_some {
		v.F60 = new(f.Some())
	}
	if f := x.F61(); f.Which() == cps.Struct2_f61_Which_some {
		v.F61 = new(f.Some())
	}
	if f := x.F62(); f.Which() == cps.Struct2_f62_Which_some {
		v.F62 = new(f.Some())
	}
	if f := x.F63(); f.Which() == cps.Struct2_f63_Which_some {
		v.F63 = new(f.Some())
	}
	if f := x.F64(); f.Which() == cps.Struct2_f64_Which_some {
		v.F64 = new(f.Some())
	}
	if f := x.F65(); f.Which() == cps.Struct2_f65_Which_some {
		v.F65 = new(f.Some())
	}
	if f := x.F66(); f.Which() == cps.Struct2_f66_Which_some {
		v.F66 = new(f.Some())
	}
	if f := x.F67(); f.Which() == cps.Struct2_f67_Which_some {
		v.F67 = new(f.Some())
	}
	if f := x.F68(); f.Which() == cps.Struct2_f68_Which_some {
		v.F68 = new(f.Some())
	}
	if f := x.F69(); f.Which() == cps.Struct2_f69_Which_some {
		v.F69 = new(f.Some())
	}
	if f := x.F70(); f.Which() == cps.Struct2_f70_Which_some {
		v.F70 = new(f.Some())
	}
	if f := x.F71(); f.Which() == cps.Struct2_f71_Which_some {
		v.F71 = new(f.Some())
	}
	if f := x.F72(); f.Which() == cps.Struct2_f72_Which_some {
		v.F72 = new(f.Some())
	}
	if f := x.F73(); f.Which() == cps.Struct2_f73_Which_some {
		v.F73 = new(f.Some())
	}
	if f := x.F74(); f.Which() == cps.Struct2_f74_Which_some {
		v.F74 = new(f.Some())
	}
	if f := x.F75(); f.Which() == cps.Struct2_f75_Which_some {
		v.F75 = new(f.Some())
	}
	if f := x.F76(); f.Which() == cps.Struct2_f76_Which_some {
		v.F76 = new(f.Some())
	}
	if f := x.F77(); f.Which() == cps.Struct2_f77_Which_some {
		v.F77 = new(f.Some())
	}
	if f := x.F78(); f.Which() == cps.Struct2_f78_Which_some {
		v.F78 = new(f.Some())
	}
	if f := x.F79(); f.Which() == cps.Struct2_f79_Which_some {
		v.F79 = new(f.Some())
	}
	if f := x.F80(); f.Which() == cps.Struct2_f80_Which_some {
		v.F80 = new(f.Some())
	}
	if f := x.F81(); f.Which() == cps.Struct2_f81_Which_some {
		v.F81 = new(f.Some())
	}
	if f := x.F82(); f.Which() == cps.Struct2_f82_Which_some {
		v.F82 = new(f.Some())
	}
	if f := x.F83(); f.Which() == cps.Struct2_f83_Which_some {
		v.F83 = new(f.Some())
	}
	if f := x.F84(); f.Which() == cps.Struct2_f84_Which_some {
		v.F84 = new(f.Some())
	}
	if f := x.F85(); f.Which() == cps.Struct2_f85_Which_some {
		v.F85 = new(f.Some())
	}
	if f := x.F86(); f.Which() == cps.Struct2_f86_Which_some {
		v.F86 = new(f.Some())
	}
	if f := x.F87(); f.Which() == cps.Struct2_f87_Which_some {
		v.F87 = new(f.Some())
	}
	if f := x.F88(); f.Which() == cps.Struct2_f88_Which_some {
		v.F88 = new(f.Some())
	}
	if f := x.F89(); f.Which() == cps.Struct2_f89_Which_some {
		v.F89 = new(f.Some())
	}
	if f := x.F90(); f.Which() == cps.Struct2_f90_Which_some {
		v.F90 = new(f.Some())
	}
	if f := x.F91(); f.Which() == cps.Struct2_f91_Which_some {
		v.F91 = new(f.Some())
	}
	if f := x.F92(); f.Which() == cps.Struct2_f92_Which_some {
		v.F92 = new(f.Some())
	}
	if f := x.F93(); f.Which() == cps.Struct2_f93_Which_some {
		v.F93 = new(f.Some())
	}
	if f := x.F94(); f.Which() == cps.Struct2_f94_Which_some {
		v.F94 = new(f.Some())
	}
	if f := x.F95(); f.Which() == cps.Struct2_f95_Which_some {
		v.F95 = new(f.Some())
	}
	if f := x.F96(); f.Which() == cps.Struct2_f96_Which_some {
		v.F96 = new(f.Some())
	}
	if f := x.F97(); f.Which() == cps.Struct2_f97_Which_some {
		v.F97 = new(f.Some())
	}
	if f := x.F98(); f.Which() == cps.Struct2_f98_Which_some {
		v.F98 = new(f.Some())
	}
	if f := x.F99(); f.Which() == cps.Struct2_f99_Which_some {
		v.F99 = new(f.Some())
	}
	if f := x.F100(); f.Which() == cps.Struct2_f100_Which_some {
		v.F100 = new(f.Some())
	}
	return nil
}

// SumStruct2 sums through the generated accessors.
func SumStruct2(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootStruct2)
	if err != nil {
		return 0, err
	}
	var i int64
	var f float64
	if v := x.F1(); v.Which() == cps.Struct2_f1_Which_some {
		i += int64(v.Some())
	}
	if v := x.F2(); v.Which() == cps.Struct2_f2_Which_some {
		i += v.Some()
	}
	if v := x.F3(); v.Which() == cps.Struct2_f3_Which_some {
		f += float64(v.Some())
	}
	if v := x.F4(); v.Which() == cps.Struct2_f4_Which_some {
		f += v.Some()
	}
	if v := x.F5(); v.Which() == cps.Struct2_f5_Which_some {
		i += int64(v.Some())
	}
	if v := x.F6(); v.Which() == cps.Struct2_f6_Which_some {
		i += v.Some()
	}
	if v := x.F7(); v.Which() == cps.Struct2_f7_Which_some {
		f += float64(v.Some())
	}
	if v := x.F8(); v.Which() == cps.Struct2_f8_Which_some {
		f += v.Some()
	}
	if v := x.F9(); v.Which() == cps.Struct2_f9_Which_some {
		i += int64(v.Some())
	}
	if v := x.F10(); v.Which() == cps.Struct2_f10_Which_some {
		i += v.Some()
	}
	if v := x.F11(); v.Which() == cps.Struct2_f11_Which_some {
		f += float64(v.Some())
	}
	if v := x.F12(); v.Which() == cps.Struct2_f12_Which_some {
		f += v.Some()
	}
	if v := x.F13(); v.Which() == cps.Struct2_f13_Which_some {
		i += int64(v.Some())
	}
	if v := x.F14(); v.Which() == cps.Struct2_f14_Which_some {
		i += v.Some()
	}
	if v := x.F15(); v.Which() == cps.Struct2_f15_Which_some {
		f += float64(v.Some())
	}
	if v := x.F16(); v.Which() == cps.Struct2_f16_Which_some {
		f += v.Some()
	}
	if v := x.F17(); v.Which() == cps.Struct2_f17_Which_some {
		i += int64(v.Some())
	}
	if v := x.F18(); v.Which() == cps.Struct2_f18_Which_some {
		i += v.Some()
	}
	if v := x.F19(); v.Which() == cps.Struct2_f19_Which_some {
		f += float64(v.Some())
	}
	if v := x.F20(); v.Which() == cps.Struct2_f20_Which_some {
		f += v.Some()
	}
	if v := x.F21(); v.Which() == cps.Struct2_f21_Which_some {
		i += int64(v.Some())
	}
	if v := x.F22(); v.Which() == cps.Struct2_f22_Which_some {
		i += v.Some()
	}
	if v := x.F23(); v.Which() == cps.Struct2_f23_Which_some {
		f += float64(v.Some())
	}
	if v := x.F24(); v.Which() == cps.Struct2_f24_Which_some {
		f += v.Some()
	}
	if v := x.F25(); v.Which() == cps.Struct2_f25_Which_some {
		i += int64(v.Some())
	}
	if v := x.F26(); v.Which() == cps.Struct2_f26_Which_some {
		i += v.Some()
	}
	if v := x.F27(); v.Which() == cps.Struct2_f27_Which_some {
		f += float64(v.Some())
	}
	if v := x.F28(); v.Which() == cps.Struct2_f28_Which_some {
		f += v.Some()
	}
	if v := x.F29(); v.Which() == cps.Struct2_f29_Which_some {
		i += int64(v.Some())
	}
	if v := x.F30(); v.Which() == cps.Struct2_f30_Which_some {
		i += v.Some()
	}
	if v := x.F31(); v.Which() == cps.Struct2_f31_Which_some {
		f += float64(v.Some())
	}
	if v := x.F32(); v.Which() == cps.Struct2_f32_Which_some {
		f += v.Some()
	}
	if v := x.F33(); v.Which() == cps.Struct2_f33_Which_some {
		i += int64(v.Some())
	}
	if v := x.F34(); v.Which() == cps.Struct2_f34_Which_some {
		i += v.Some()
	}
	if v := x.F35(); v.Which() == cps.Struct2_f35_Which_some {
		f += float64(v.Some())
	}
	if v := x.F36(); v.Which() == cps.Struct2_f36_Which_some {
		f += v.Some()
	}
	if v := x.F37(); v.Which() == cps.Struct2_f37_Which_some {
		i += int64(v.Some())
	}
	if v := x.F38(); v.Which() == cps.Struct2_f38_Which_some {
		i += v.Some()
	}
	if v := x.F39(); v.Which() == cps.Struct2_f39_Which_some {
		f += float64(v.Some())
	}
	if v := x.F40(); v.Which() == cps.Struct2_f40_Which_some {
		f += v.Some()
	}
	if v := x.F41(); v.Which() == cps.Struct2_f41_Which_some {
		i += int64(v.Some())
	}
	if v := x.F42(); v.Which() == cps.Struct2_f42_Which_some {
		i += v.Some()
	}
	if v := x.F43(); v.Which() == cps.Struct2_f43_Which_some {
		f += float64(v.Some())
	}
	if v := x.F44(); v.Which() == cps.Struct2_f44_Which_some {
		f += v.Some()
	}
	if v := x.F45(); v.Which() == cps.Struct2_f45_Which_some {
		i += int64(v.Some())
	}
	if v := x.F46(); v.Which() == cps.Struct2_f46_Which_some {
		i += v.Some()
	}
	if v := x.F47(); v.Which() == cps.Struct2_f47_Which_some {
		f += float64(v.Some())
	}
	if v := x.F48(); v.Which() == cps.Struct2_f48_Which_some {
		f += v.Some()
	}
	if v := x.F49(); v.Which() == cps.Struct2_f49_Which_some {
		i += int64(v.Some())
	}
	if v := x.F50(); v.Which() == cps.Struct2_f50_Which_some {
		i += v.Some()
	}
	if v := x.F51(); v.Which() == cps.Struct2_f51_Which_some {
		f += float64(v.Some())
	}
	if v := x.F52(); v.Which() == cps.Struct2_f52_Which_some {
		f += v.Some()
	}
	if v := x.F53(); v.Which() == cps.Struct2_f53_Which_some {
		i += int64(v.Some())
	}
	if v := x.F54(); v.Which() == cps.Struct2_f54_Which_some {
		i += v.Some()
	}
	if v := x.F55(); v.Which() == cps.Struct2_f55_Which_some {
		f += float64(v.Some())
	}
	if v := x.F56(); v.Which() == cps.Struct2_f56_Which_some {
		f += v.Some()
	}
	if v := x.F57(); v.Which() == cps.Struct2_f57_Which_some {
		i += int64(v.Some())
	}
	if v := x.F58(); v.Which() == cps.Struct2_f58_Which_some {
		i += v.Some()
	}
	if v := x.F59(); v.Which() == cps.Struct2_f59_Which_some {
		f += float64(v.Some())
	}
	if v := x.F60(); v.Which() == cps.Struct2_f60_Which_some {
		f += v.Some()
	}
	if v := x.F61(); v.Which() == cps.Struct2_f61_Which_some {
		i += int64(v.Some())
	}
	if v := x.F62(); v.Which() == cps.Struct2_f62_Which_some {
		i += v.Some()
	}
	if v := x.F63(); v.Which() == cps.Struct2_f63_Which_some {
		f += float64(v.Some())
	}
	if v := x.F64(); v.Which() == cps.Struct2_f64_Which_some {
		f += v.Some()
	}
	if v := x.F65(); v.Which() == cps.Struct2_f65_Which_some {
		i += int64(v.Some())
	}
	if v := x.F66(); v.Which() == cps.Struct2_f66_Which_some {
		i += v.Some()
	}
	if v := x.F67(); v.Which() == cps.Struct2_f67_Which_some {
		f += float64(v.Some())
	}
	if v := x.F68(); v.Which() == cps.Struct2_f68_Which_some {
		f += v.Some()
	}
	if v := x.F69(); v.Which() == cps.Struct2_f69_Which_some {
		i += int64(v.Some())
	}
	if v := x.F70(); v.Which() == cps.Struct2_f70_Which_some {
		i += v.Some()
	}
	if v := x.F71(); v.Which() == cps.Struct2_f71_Which_some {
		f += float64(v.Some())
	}
	if v := x.F72(); v.Which() == cps.Struct2_f72_Which_some {
		f += v.Some()
	}
	if v := x.F73(); v.Which() == cps.Struct2_f73_Which_some {
		i += int64(v.Some())
	}
	if v := x.F74(); v.Which() == cps.Struct2_f74_Which_some {
		i += v.Some()
	}
	if v := x.F75(); v.Which() == cps.Struct2_f75_Which_some {
		f += float64(v.Some())
	}
	if v := x.F76(); v.Which() == cps.Struct2_f76_Which_some {
		f += v.Some()
	}
	if v := x.F77(); v.Which() == cps.Struct2_f77_Which_some {
		i += int64(v.Some())
	}
	if v := x.F78(); v.Which() == cps.Struct2_f78_Which_some {
		i += v.Some()
	}
	if v := x.F79(); v.Which() == cps.Struct2_f79_Which_some {
		f += float64(v.Some())
	}
	if v := x.F80(); v.Which() == cps.Struct2_f80_Which_some {
		f += v.Some()
	}
	if v := x.F81(); v.Which() == cps.Struct2_f81_Which_some {
		i += int64(v.Some())
	}
	if v := x.F82(); v.Which() == cps.Struct2_f82_Which_some {
		i += v.Some()
	}
	if v := x.F83(); v.Which() == cps.Struct2_f83_Which_some {
		f += float64(v.Some())
	}
	if v := x.F84(); v.Which() == cps.Struct2_f84_Which_some {
		f += v.Some()
	}
	if v := x.F85(); v.Which() == cps.Struct2_f85_Which_some {
		i += int64(v.Some())
	}
	if v := x.F86(); v.Which() == cps.Struct2_f86_Which_some {
		i += v.Some()
	}
	if v := x.F87(); v.Which() == cps.Struct2_f87_Which_some {
		f += float64(v.Some())
	}
	if v := x.F88(); v.Which() == cps.Struct2_f88_Which_some {
		f += v.Some()
	}
	if v := x.F89(); v.Which() == cps.Struct2_f89_Which_some {
		i += int64(v.Some())
	}
	if v := x.F90(); v.Which() == cps.Struct2_f90_Which_some {
		i += v.Some()
	}
	if v := x.F91(); v.Which() == cps.Struct2_f91_Which_some {
		f += float64(v.Some())
	}
	if v := x.F92(); v.Which() == cps.Struct2_f92_Which_some {
		f += v.Some()
	}
	if v := x.F93(); v.Which() == cps.Struct2_f93_Which_some {
		i += int64(v.Some())
	}
	if v := x.F94(); v.Which() == cps.Struct2_f94_Which_some {
		i += v.Some()
	}
	if v := x.F95(); v.Which() == cps.Struct2_f95_Which_some {
		f += float64(v.Some())
	}
	if v := x.F96(); v.Which() == cps.Struct2_f96_Which_some {
		f += v.Some()
	}
	if v := x.F97(); v.Which() == cps.Struct2_f97_Which_some {
		i += int64(v.Some())
	}
	if v := x.F98(); v.Which() == cps.Struct2_f98_Which_some {
		i += v.Some()
	}
	if v := x.F99(); v.Which() == cps.Struct2_f99_Which_some {
		f += float64(v.Some())
	}
	if v := x.F100(); v.Which() == cps.Struct2_f100_Which_some {
		f += v.Some()
	}
	return uint64(i) + math.Float64bits(f), nil
}

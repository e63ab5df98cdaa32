package format_test

import (
	"math"
	"math/rand/v2"
	"reflect"
)

// filler makes values of any type out of a source of numbers. It stops growing
// when its budget of leaves is spent, so that recursive types end.
type filler struct {
	next   func() uint64
	budget int
	// nils is how many of 8 pointers, slices and the like are nil.
	nils uint64
}

func seeded(seed uint64, budget int) *filler {
	r := rand.New(rand.NewPCG(seed, 0x5eed))
	return &filler{next: r.Uint64, budget: budget, nils: 2}
}

// random makes a *t.
func (f *filler) random(t reflect.Type) reflect.Value {
	p := reflect.New(t)
	f.fill(p.Elem(), 0)
	return p
}

func (f *filler) below(n int) int { return int(f.next() % uint64(n)) }

func (f *filler) absent() bool { return f.budget <= 0 || f.next()%8 < f.nils }

var oddFloats = []uint64{
	0, 1 << 63, // 0 and -0
	math.Float64bits(1.5), math.Float64bits(math.Inf(1)), math.Float64bits(math.Inf(-1)),
	0x7ff8000000000001, 0x7ff0000000000001, 0xfff8dead0000beef, // NaNs, one of them signalling
	1, 0x7fefffffffffffff,
}

var oddFloat32s = []uint32{0, 1 << 31, 0x3fc00000, 0x7f800000, 0xff800000, 0x7fc00001, 0x7f800001, 0xffc0beef, 1}

var oddStrings = []string{"", "a", "\x00", "\xff\xfe", "seven77", "eight888", "nine99999", "日本語", "\u1234 theora"}

func (f *filler) fill(v reflect.Value, depth int) {
	f.budget--
	t := v.Type()
	if isScalar(t) {
		f.fillScalar(v)
		return
	}
	switch t.Kind() {
	case reflect.String:
		if f.budget <= 0 {
			return
		}
		v.SetString(oddStrings[f.below(len(oddStrings))])
	case reflect.Pointer:
		if f.absent() || depth > 64 {
			return
		}
		p := reflect.New(t.Elem())
		f.fill(p.Elem(), depth+1)
		v.Set(p.Convert(t))
	case reflect.Slice:
		if f.absent() || depth > 64 {
			return
		}
		n := f.below(5)
		if f.below(8) == 0 && isScalar(t.Elem()) {
			n = 33 + f.below(100) // past the thresholds of bulk moves
		}
		s := reflect.MakeSlice(t, n, n)
		for i := range n {
			f.fill(s.Index(i), depth+1)
		}
		v.Set(s)
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i), depth)
		}
	case reflect.Struct:
		for _, field := range layoutOf(t).fields {
			f.fill(v.Field(field.index), depth)
		}
	default:
		panic(t.String())
	}
}

func (f *filler) fillScalar(v reflect.Value) {
	x := f.next()
	odd := x>>60 < 4
	switch v.Kind() {
	case reflect.Bool:
		setScalarBits(v, x&1, 0)
	case reflect.Float32:
		if odd {
			x = uint64(oddFloat32s[x%uint64(len(oddFloat32s))])
		}
		setScalarBits(v, x&(1<<32-1), 0)
	case reflect.Float64:
		if odd {
			x = oddFloats[x%uint64(len(oddFloats))]
		}
		setScalarBits(v, x, 0)
	case reflect.Complex64:
		setScalarBits(v, x&(1<<32-1), f.next()&(1<<32-1))
	case reflect.Complex128:
		setScalarBits(v, x, f.next())
	case reflect.Int, reflect.Uint:
		if odd {
			x = []uint64{0, 1, math.MaxInt32, 1 << 31, math.MaxUint64, 1 << 63}[x%6]
		}
		if v.Kind() == reflect.Int {
			v.SetInt(int64(int(x)))
		} else {
			v.SetUint(uint64(uint(x)))
		}
	default:
		if odd {
			x = []uint64{0, 1, 0x7f, 0x80, math.MaxUint64, 1 << 63, 1 << 31, 1 << 15}[x%8]
		}
		setScalarBits(v, x, 0)
	}
}

// copyOf gives a fresh copy of *p through the model: it shares no memory with p.
func copyOf(p any) any {
	v, err := modelDecode(mustModelEncode(p), reflect.TypeOf(p).Elem())
	if err != nil {
		panic(err)
	}
	return v.Interface()
}

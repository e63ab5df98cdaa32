package format_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"time"
)

// filler makes values of any type out of a source of numbers. It stops growing
// when its budget of leaves is spent, so that recursive types end.
type filler struct {
	next   func() uint64
	budget int
	// nils is how many of 8 pointers, slices and the like are nil.
	nils uint64
	key  bool // what is filled is a key
	// made has, by type, the pointers and maps that may be used again, so that the
	// value is a graph; nil for a tree.
	made map[reflect.Type][]reflect.Value
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
	switch {
	case isScalar(t):
		f.fillScalar(v)
		return
	case isTime(t):
		v.Set(reflect.ValueOf(f.time()))
		return
	case isCustom(t):
		v.Set(f.custom(t))
		return
	}
	if made := f.made[t]; len(made) > 0 && f.below(3) == 0 {
		v.Set(made[f.below(len(made))])
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
		p := reflect.New(t.Elem()).Convert(t)
		f.share(p)
		f.fill(p.Elem(), depth+1)
		v.Set(p)
	case reflect.Map:
		if f.absent() || depth > 64 {
			return
		}
		m := reflect.MakeMap(t)
		f.share(m)
		for range f.below(5) {
			k, x := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			f.fillKey(k, depth+1)
			f.fill(x, depth+1)
			m.SetMapIndex(k, x)
		}
		v.Set(m)
	case reflect.Interface:
		if f.absent() || depth > 64 {
			return
		}
		fit := boxesFor(t, f.key)
		in := reflect.New(fit[f.below(len(fit))]).Elem()
		f.fill(in, depth+1)
		v.Set(in)
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

// share lets v, a pointer or a map, be used again.
func (f *filler) share(v reflect.Value) {
	if f.made != nil && hasIdentity(v.Type()) {
		f.made[v.Type()] = append(f.made[v.Type()], v)
	}
}

func (f *filler) fillKey(v reflect.Value, depth int) {
	defer func(key bool) { f.key = key }(f.key)
	f.key = true
	f.fill(v, depth)
}

var fitting sync.Map // of struct{ reflect.Type; bool } to []reflect.Type

// boxesFor lists the registered types that fit into the interface t; only keys if key.
func boxesFor(t reflect.Type, key bool) []reflect.Type {
	type question struct {
		t   reflect.Type
		key bool
	}
	if fit, ok := fitting.Load(question{t, key}); ok {
		return fit.([]reflect.Type)
	}
	var fit []reflect.Type
	for _, b := range append(builtinBoxes(), testBoxes()...) {
		if b.typ.Implements(t) && (!key || keyable(b.typ)) {
			fit = append(fit, b.typ)
		}
	}
	fitting.Store(question{t, key}, fit)
	return fit
}

var oddSeconds = []int64{math.MinInt64, math.MaxInt64, -toYear1, -toYear1 - 1, 0, -1, 253402300799, 1 << 33}

func (f *filler) time() time.Time {
	x := f.next()
	seconds := int64(x >> 30)
	if x%4 == 0 {
		seconds = oddSeconds[x/4%uint64(len(oddSeconds))]
	}
	t := time.Unix(seconds, int64(f.below(1e9))).UTC()
	if east := f.below(4*86_399+2) - 86_399; east <= 86_399 {
		t = t.In(time.FixedZone("here", east))
	}
	return t
}

func (f *filler) custom(t reflect.Type) reflect.Value {
	made, ok := customs[t]
	if !ok {
		panic(fmt.Sprintf("no values of %v", t))
	}
	return reflect.ValueOf(made(f.next()))
}

func (f *filler) fillScalar(v reflect.Value) {
	defer func() {
		if f.key && (v.CanFloat() || v.CanComplex()) && !v.Equal(v) {
			v.SetZero() // NaN is no key
		}
	}()
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
func copyOf(p any) any { return row{typ: reflect.TypeOf(p).Elem()}.copyOf(p) }

func (r row) copyOf(p any) any {
	v, err := modelDecodeWith(r.encode(p), r.typ, r.options())
	if err != nil {
		panic(err)
	}
	return v.Interface()
}

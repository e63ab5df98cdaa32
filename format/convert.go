package format

import (
	"math"
	"reflect"
)

// This file makes scalars of one kind those of another.

// load returns the scalar at w as one of three, of which the kind says which.
func (k kind) load(m []byte, w uint64) (i int64, u uint64, f float64) {
	switch k {
	case kindBool, kindUint8:
		u = uint64(load8(m, w))
	case kindUint16:
		u = uint64(load16(m, w))
	case kindUint32:
		u = uint64(load32(m, w))
	case kindUint64:
		u = load64(m, w)
	case kindInt8:
		i = int64(int8(load8(m, w)))
	case kindInt16:
		i = int64(int16(load16(m, w)))
	case kindInt32:
		i = int64(int32(load32(m, w)))
	case kindInt64:
		i = int64(load64(m, w))
	case kindFloat32:
		f = float64(math.Float32frombits(load32(m, w)))
	case kindFloat64:
		f = math.Float64frombits(load64(m, w))
	}
	return i, u, f
}

// convert stores the scalar of kind from at w in v. It returns an error when v cannot hold it exactly.
func convert(v reflect.Value, from kind, m []byte, w uint64) error {
	i, u, f := from.load(m, w)
	ok := true
	switch {
	case from == kindBool && u > 1:
		return badBoolAt(m, w)
	case from.real():
		ok = !v.OverflowFloat(f) && (v.Type().Bits() == 64 || f != f || float64(float32(f)) == f)
		if ok {
			v.SetFloat(f)
		}
	case v.CanInt() && from.signed():
		ok = !v.OverflowInt(i)
		if ok {
			v.SetInt(i)
		}
	case v.CanInt():
		ok = u <= math.MaxInt64 && !v.OverflowInt(int64(u))
		if ok {
			v.SetInt(int64(u))
		}
	case v.CanUint() && from.signed():
		ok = i >= 0 && !v.OverflowUint(uint64(i))
		if ok {
			v.SetUint(uint64(i))
		}
	case v.CanUint():
		ok = !v.OverflowUint(u)
		if ok {
			v.SetUint(u)
		}
	default: // a whole number becomes a real one
		bits := v.Type().Bits()
		if from.signed() {
			ok = exactInt(i, bits)
			f = float64(i)
		} else {
			ok = exactUint(u, bits)
			f = float64(u)
		}
		if ok {
			v.SetFloat(f)
		}
	}
	if !ok {
		var text any = u // not before: it allocates
		switch {
		case from.real():
			text = f
		case from.signed():
			text = i
		}
		return failf(ErrLimit, "%v is no %s", text, v.Type())
	}
	return nil
}

func (k kind) signed() bool { return k >= kindInt8 && k <= kindInt64 }

func exactInt(i int64, bits int) bool {
	if i < 0 {
		return exactUint(-uint64(i), bits)
	}
	return exactUint(uint64(i), bits)
}

// exactUint reports whether a float of that many bits holds u.
func exactUint(u uint64, bits int) bool {
	mantissa := 53
	if bits == 32 {
		mantissa = 24
	}
	for u != 0 && u&1 == 0 {
		u >>= 1
	}
	return u < 1<<mantissa
}

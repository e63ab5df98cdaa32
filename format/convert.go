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

// convert stores the scalar of kind from at w in the t at g. It returns an error when that cannot hold it exactly.
func convert(g ptr, t reflect.Type, from kind, m []byte, w uint64) error {
	i, u, f := from.load(m, w)
	bits := t.Bits()
	image, ok := u, true
	switch k := t.Kind(); {
	case from == kindBool && u > 1:
		return badBoolAt(m, w)
	case k == reflect.Float64 || k == reflect.Float32:
		switch {
		case from.signed():
			ok, f = exactInt(i, bits), float64(i)
		case !from.real():
			ok, f = exactUint(u, bits), float64(u)
		}
		image = math.Float64bits(f)
		if bits == 32 {
			ok = ok && (f != f || float64(float32(f)) == f)
			image = uint64(math.Float32bits(float32(f)))
		}
	case from.signed():
		image = uint64(i)
		if ok = i<<(64-bits)>>(64-bits) == i; k >= reflect.Uint {
			ok = i >= 0 && image<<(64-bits)>>(64-bits) == image
		}
	case k >= reflect.Uint:
		ok = u<<(64-bits)>>(64-bits) == u
	default:
		ok = u>>(bits-1) == 0
	}
	if !ok {
		var text any = u // not before: it allocates
		switch {
		case from.real():
			text = f
		case from.signed():
			text = i
		}
		return failf(ErrLimit, "%v is no %s", text, t)
	}
	storeImage(g, image, uint64(t.Size()))
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

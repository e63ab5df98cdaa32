package format

import (
	"bytes"
	"cmp"
	"math"
	"reflect"
)

// keys compares and checks the keys of maps where they lie in a message (SPEC §3.7). The message may be
// one that somebody changes: each ref is loaded once and checked, and the steps are counted.
type keys struct {
	m     []byte
	codec *core
	types *typeTable
	steps int64 // into boxes and bytes that may still be taken
	depth int   // boxes on one path that may still be entered
	bad   error

	strange bool // there may be boxes of types that this program does not have
}

// start is for all keys of one message. Each is compared with two others at most and with itself, and what
// that looks at, a box or eight bytes of a string, is part of the message.
func (k *keys) start(m []byte, c *core, types *typeTable) {
	k.m, k.codec, k.types, k.steps, k.depth = m, c, types, 4*int64(len(m))+1000, c.maxDepth
}

// compare returns how the key at a stands to the key at b; when one of them is none it notes why in bad.
func (k *keys) compare(l *layout, a, b uint64) int {
	if l.size == 0 || k.bad != nil {
		return 0
	}
	m := k.m
	switch l.kind {
	case kindBool, kindUint8:
		return cmp.Compare(load8(m, a), load8(m, b))
	case kindInt8:
		return cmp.Compare(int8(load8(m, a)), int8(load8(m, b)))
	case kindUint16:
		return cmp.Compare(load16(m, a), load16(m, b))
	case kindInt16:
		return cmp.Compare(int16(load16(m, a)), int16(load16(m, b)))
	case kindUint32:
		return cmp.Compare(load32(m, a), load32(m, b))
	case kindInt32:
		return cmp.Compare(int32(load32(m, a)), int32(load32(m, b)))
	case kindUint64:
		return cmp.Compare(load64(m, a), load64(m, b))
	case kindInt64:
		return cmp.Compare(int64(load64(m, a)), int64(load64(m, b)))
	case kindFloat32:
		return k.float32s(a, b)
	case kindFloat64:
		return k.float64s(a, b)
	case kindComplex64:
		return cmp.Or(k.float32s(a, b), k.float32s(a+4, b+4))
	case kindComplex128:
		return cmp.Or(k.float64s(a, b), k.float64s(a+8, b+8))
	case kindString, kindCustom:
		x, y := k.bytes(a), k.bytes(b)
		if !k.step(1 + min(len(x), len(y))/8) {
			return 0
		}
		return bytes.Compare(x, y)
	case kindArray:
		if l.elem.kind == kindUint8 {
			return bytes.Compare(m[a:a+l.size], m[b:b+l.size])
		}
		for i := range l.length {
			if c := k.compare(l.elem, a+i*l.elem.size, b+i*l.elem.size); c != 0 || k.bad != nil {
				return c
			}
		}
	case kindStruct:
		for i := range l.fields {
			f := &l.fields[i]
			if c := k.compare(f.lay, a+f.offset, b+f.offset); c != 0 || k.bad != nil {
				return c
			}
		}
	case kindInterface:
		return k.boxes(a, b)
	default:
		k.bad = failf(ErrCorrupt, "a key holds what no key can")
	}
	return 0
}

func (k *keys) float32s(a, b uint64) int {
	return k.floats(float64(math.Float32frombits(load32(k.m, a))), float64(math.Float32frombits(load32(k.m, b))))
}

func (k *keys) float64s(a, b uint64) int {
	return k.floats(math.Float64frombits(load64(k.m, a)), math.Float64frombits(load64(k.m, b)))
}

func (k *keys) floats(x, y float64) int {
	if x != x || y != y {
		k.bad = failf(ErrCorrupt, "a key is NaN")
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// object returns where the object of the ref at w begins and how many bytes of it there are, of count
// times size.
func (k *keys) object(w, size uint64) (at, n uint64) {
	r := load64(k.m, w)
	if r <= 1 {
		return 0, 0
	}
	at, n = w+uint64(int64(int32(r))<<3), r>>32*size
	if at < headerSize || at > uint64(len(k.m)) || n > uint64(len(k.m))-at {
		k.bad = badRef(k.m, w, r, size)
		return 0, 0
	}
	return at, n
}

// bytes returns the bytes that the ref at w means.
func (k *keys) bytes(w uint64) []byte {
	at, n := k.object(w, 1)
	return k.m[at : at+n]
}

// step counts n steps. In a message that nobody changes there are always enough.
func (k *keys) step(n int) bool {
	if k.steps -= int64(n); k.steps < 0 && k.bad == nil {
		k.bad = failf(ErrCorrupt, "keys that change while they are read")
	}
	return k.bad == nil
}

func (k *keys) boxes(a, b uint64) int {
	if k.depth--; k.depth < 0 || !k.step(1) {
		if k.bad == nil {
			k.bad = failf(ErrCorrupt, "keys that change while they are read")
		}
		return 0
	}
	defer func() { k.depth++ }()
	x, n := k.object(a, 8)
	y, o := k.object(b, 8)
	if n == 0 || o == 0 || k.bad != nil {
		return cmp.Compare(n, o) // nil is least
	}
	p, q := load64(k.m, x), load64(k.m, y)
	l, err := k.box(p)
	switch {
	case err != nil:
		k.bad = err
	case p != q:
		return cmp.Compare(p, q)
	case x+8+l.size > uint64(len(k.m)) || y+8+l.size > uint64(len(k.m)):
		k.bad = failf(ErrCorrupt, "a box that ends outside the message")
	default:
		return k.compare(l, x+8, y+8)
	}
	return 0
}

// box returns the layout of the values in boxes with an id, which keys may hold.
func (k *keys) box(id uint64) (*layout, error) {
	if k.strange && k.types.byID[id] == nil {
		l, err := k.codec.boxLayout(k.types, id)
		if err == nil && !l.isKey() {
			err = failf(ErrCorrupt, "a key holds a box of %s, which no key can", l)
		}
		return l, err
	}
	box, err := k.codec.box(k.types, id)
	if err != nil {
		return nil, err
	}
	if !box.isKey {
		return nil, failf(ErrCorrupt, "a key holds a box of %s, which no key can", box.typ)
	}
	return box.plan.lay, nil
}

func unknownBox(id uint64) error {
	return failf(ErrSchema, "a value in an interface has a type that is not registered here under its name and with its structure (box id %016x)", id)
}

// unsigned makes 0 of each -0 in the key v, whose layout is l, so that one value has one form. Such a key
// has no fields that are not written.
//
// depth is how many boxes may still be entered; beyond it, where no key can be written, it does nothing. It
// returns an error for a box that no key can hold.
func unsigned(l *layout, v reflect.Value, types *typeTable, depth int) (err error) {
	if l.size == 0 {
		return nil
	}
	switch l.kind {
	case kindFloat32, kindFloat64:
		v.SetFloat(v.Float() + 0)
	case kindComplex64, kindComplex128:
		c := v.Complex()
		v.SetComplex(complex(real(c)+0, imag(c)+0))
	case kindArray:
		if !signed(l.elem) {
			return nil
		}
		for i := 0; i < v.Len() && err == nil; i++ {
			err = unsigned(l.elem, v.Index(i), types, depth)
		}
	case kindStruct:
		for i := 0; i < len(l.fields) && err == nil; i++ {
			err = unsigned(l.fields[i].lay, v.Field(i), types, depth)
		}
	case kindInterface:
		x := v.Elem()
		if !x.IsValid() || depth == 0 {
			return nil
		}
		b := types.byType[x.Type()]
		switch {
		case b == nil: // which is reported when the key is written
		case !b.isKey:
			return failf(ErrType, "a key holds a %s, which no key can", b.typ)
		case signed(b.plan.lay):
			own := reflect.New(b.typ).Elem()
			own.Set(x)
			err = unsigned(b.plan.lay, own, types, depth-1)
			v.Set(own)
		}
	}
	return err
}

// signed reports whether a key of l can hold a -0 or a NaN.
func signed(l *layout) bool {
	if l.size == 0 {
		return false
	}
	switch l.kind {
	case kindFloat32, kindFloat64, kindComplex64, kindComplex128, kindInterface:
		return true
	case kindArray:
		return l.length > 0 && signed(l.elem)
	case kindStruct:
		for i := range l.fields {
			if signed(l.fields[i].lay) {
				return true
			}
		}
	}
	return false
}

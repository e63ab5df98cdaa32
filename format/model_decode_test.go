package format_test

import (
	"encoding/binary"
	"math"
	"reflect"
)

// modelDecode reads msg into a fresh *t, with every check of §5.2.
func modelDecode(msg []byte, t reflect.Type) (reflect.Value, error) {
	return modelDecodeDepth(msg, t, modelMaxDepth)
}

func modelDecodeDepth(msg []byte, t reflect.Type, maxDepth int) (p reflect.Value, err error) {
	defer caught(&err)
	p = reflect.New(t)
	r := &modelReader{msg: msg, maxDepth: maxDepth}
	r.header(t)
	root := layoutOf(t).size
	r.object(4, modelHeader, root)
	r.block(modelHeader, p.Elem(), 0)
	return p, nil
}

// place is where a message holds something that a reader must check.
type place struct {
	off       int64
	typ       reflect.Type // of the bool or ref; nil for a bitmap
	optionals int
}

// placesOf lists the bools, refs and bitmaps of a valid message.
func placesOf(msg []byte, t reflect.Type) []place {
	var out []place
	r := &modelReader{msg: msg, maxDepth: modelMaxDepth}
	r.seen = func(off int64, t reflect.Type, optionals int) { out = append(out, place{off, t, optionals}) }
	r.header(t)
	r.object(4, modelHeader, layoutOf(t).size)
	r.block(modelHeader, reflect.New(t).Elem(), 0)
	return out
}

type modelReader struct {
	msg      []byte
	maxDepth int
	left     int64 // bytes of the message that no object has been charged for (§3.4)
	// seen, when set, is told of each place that the reader looks at: a bool, a
	// ref, or a bitmap of so many optionals.
	seen func(off int64, t reflect.Type, optionals int)
}

func (r *modelReader) header(t reflect.Type) {
	n := int64(len(r.msg))
	for i, magic := range []byte{0xA5, 0x4C} {
		if int64(i) < n && r.msg[i] != magic {
			refuse(classCorrupt, 0, "magic")
		}
	}
	if n < modelHeader {
		refuse(classTruncated, n, "%d bytes are no header", n)
	}
	if r.msg[2] != 1 {
		refuse(classCorrupt, 2, "version %d", r.msg[2])
	}
	// The graph flag is a matter of the codec's options, the others are unknown.
	if r.msg[3] == 1 {
		refuse(classSchema, 3, "graph")
	}
	if r.msg[3] != 0 {
		refuse(classCorrupt, 3, "flags %#x", r.msg[3])
	}
	words := int64(binary.LittleEndian.Uint32(r.msg[4:]))
	switch {
	case words > 1<<31 || words < modelHeader/8:
		refuse(classCorrupt, 4, "%d words", words)
	case words*8 > n:
		refuse(classTruncated, n, "%d bytes of %d", n, words*8)
	case words*8 < n:
		refuse(classCorrupt, words*8, "%d bytes after the message", n-words*8)
	}
	if f := binary.LittleEndian.Uint64(r.msg[8:]); f != modelFingerprint(t) {
		refuse(classSchema, 8, "fingerprint %016x", f)
	}
	r.left = n - modelHeader
}

// object charges an object of size bytes at target that the bytes at off ask for.
func (r *modelReader) object(off, target, size int64) {
	if target < modelHeader || target > int64(len(r.msg)) || size > int64(len(r.msg))-target {
		refuse(classCorrupt, off, "object of %d bytes at %d in %d", size, target, len(r.msg))
	}
	r.left -= alignUp(size, 8)
	if r.left < 0 {
		refuse(classCorrupt, off, "objects overlap")
	}
}

func (r *modelReader) block(off int64, v reflect.Value, depth int) {
	walk := walker{
		bitmap: func(off int64, optionals int) {
			if r.seen != nil {
				r.seen(off, nil, optionals)
			}
			for i := optionals; i < (optionals+63)/64*64; i++ {
				if r.msg[off+int64(i/8)]>>(i%8)&1 != 0 {
					refuse(classCorrupt, off, "bit %d of a bitmap of %d", i, optionals)
				}
			}
		},
		leaf: func(l leaf) {
			switch t := l.v.Type(); {
			case isScalar(t):
				r.scalar(l.off, l.v)
			case isOptional(t):
				if binary.LittleEndian.Uint64(r.msg[l.word:])>>l.bit&1 != 0 {
					p := reflect.New(t.Elem())
					r.scalar(l.off, p.Elem())
					l.v.Set(p.Convert(t))
				}
			default:
				r.ref(l.off, l.v, depth)
			}
		},
	}
	walk.block(off, v, "")
}

func (r *modelReader) ref(off int64, v reflect.Value, depth int) {
	t := v.Type()
	if r.seen != nil {
		r.seen(off, t, 0)
	}
	ref := binary.LittleEndian.Uint64(r.msg[off:])
	count := int64(ref >> 32)
	distance := int64(int32(uint32(ref)))
	isText := t.Kind() == reflect.String || t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.String
	switch {
	case ref == 0:
		return
	case ref == 1 && t.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(t, 0, 0))
		return
	case ref == 1 && t.Kind() == reflect.Pointer && isText:
		v.Set(reflect.New(t.Elem()).Convert(t))
		return
	case ref == 1:
		refuse(classCorrupt, off, "1 in a %v", t)
	case count == 0:
		refuse(classCorrupt, off, "count 0")
	case t.Kind() == reflect.Pointer && !isText && count != 1:
		refuse(classCorrupt, off, "count %d of a pointer", count)
	}
	target := off + distance*8

	if isText {
		r.object(off, target, count)
		s := string(r.msg[target : target+count])
		if t.Kind() == reflect.String {
			v.SetString(s)
			return
		}
		p := reflect.New(t.Elem())
		p.Elem().SetString(s)
		v.Set(p.Convert(t))
		return
	}

	e := layoutOf(t.Elem())
	if e.size == 0 && distance != 1 {
		refuse(classCorrupt, off, "distance %d of an object of no bytes", distance)
	}
	if e.size > 0 {
		r.object(off, target, count*e.size)
	}
	if e.holdsRefs {
		if depth++; depth > r.maxDepth {
			refuse(classLimit, off, "depth %d", depth)
		}
	}
	if t.Kind() == reflect.Pointer {
		p := reflect.New(t.Elem())
		if e.size > 0 {
			r.block(target, p.Elem(), depth)
		}
		v.Set(p.Convert(t))
		return
	}
	if count > math.MaxInt {
		refuse(classLimit, off, "count %d", count)
	}
	s := reflect.MakeSlice(t, int(count), int(count))
	if e.size > 0 {
		for i := range int(count) {
			r.block(target+int64(i)*e.size, s.Index(i), depth)
		}
	}
	v.Set(s)
}

func (r *modelReader) scalar(off int64, v reflect.Value) {
	b := r.msg[off:]
	var lo, hi uint64
	switch layoutOf(v.Type()).size {
	case 1:
		lo = uint64(b[0])
	case 2:
		lo = uint64(binary.LittleEndian.Uint16(b))
	case 4:
		lo = uint64(binary.LittleEndian.Uint32(b))
	case 8:
		lo = binary.LittleEndian.Uint64(b)
		if v.Kind() == reflect.Complex64 {
			lo, hi = lo&(1<<32-1), lo>>32
		}
	case 16:
		lo, hi = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	}
	switch v.Kind() {
	case reflect.Bool:
		if r.seen != nil {
			r.seen(off, v.Type(), 0)
		}
		if lo > 1 {
			refuse(classCorrupt, off, "bool %d", lo)
		}
	case reflect.Int:
		if v.OverflowInt(int64(lo)) {
			refuse(classLimit, off, "int %d", int64(lo))
		}
	case reflect.Uint:
		if v.OverflowUint(lo) {
			refuse(classLimit, off, "uint %d", lo)
		}
	}
	setScalarBits(v, lo, hi)
}

package format_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"time"
)

// modelDecode reads msg into a fresh *t, with every check of §5.2.
func modelDecode(msg []byte, t reflect.Type) (reflect.Value, error) {
	return modelDecodeDepth(msg, t, modelMaxDepth)
}

func modelDecodeDepth(msg []byte, t reflect.Type, maxDepth int) (p reflect.Value, err error) {
	return modelDecodeWith(msg, t, modelOptions{maxDepth: maxDepth})
}

func modelDecodeWith(msg []byte, t reflect.Type, o modelOptions) (p reflect.Value, err error) {
	defer caught(&err)
	p = reflect.New(t)
	r := &modelReader{msg: msg, modelOptions: o}
	r.root(p)
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
	r := &modelReader{msg: msg, modelOptions: modelOptions{modelMaxDepth, true}}
	r.seen = func(off int64, t reflect.Type, optionals int) { out = append(out, place{off, t, optionals}) }
	r.root(reflect.New(t))
	return out
}

// reached is an object that may be referred to again (§3.4).
type reached struct {
	count int64
	v     reflect.Value // the pointer or map
}

type modelReader struct {
	modelOptions
	msg     []byte
	left    int64             // bytes of the message that no object has been charged for (§3.4)
	reached map[int64]reached // by offset, where the message has the flag; else nil
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
	switch {
	case r.msg[3] == 1 && r.refs:
		r.reached = map[int64]reached{}
	case r.msg[3] == 1:
		refuse(classSchema, 3, "graph")
	case r.msg[3] != 0:
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

// root reads the message into *p.
func (r *modelReader) root(p reflect.Value) {
	t := p.Type().Elem()
	r.header(t)
	r.object(4, modelHeader, layoutOf(t).size)
	if r.reached != nil && layoutOf(t).size > 0 {
		r.reached[modelHeader] = reached{1, p}
	}
	r.block(modelHeader, p.Elem(), 0)
}

// object charges an object of size bytes at target that the bytes at off ask for.
func (r *modelReader) object(off, target, size int64) {
	r.inside(off, target, size)
	r.left -= alignUp(size, 8)
	if r.left < 0 {
		refuse(classCorrupt, off, "objects overlap")
	}
}

func (r *modelReader) inside(off, target, size int64) {
	if target < modelHeader || target > int64(len(r.msg)) || size > int64(len(r.msg))-target {
		refuse(classCorrupt, off, "object of %d bytes at %d in %d", size, target, len(r.msg))
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
			case isInline(t):
				r.inline(l.off, l.v)
			case isOptional(t):
				if binary.LittleEndian.Uint64(r.msg[l.word:])>>l.bit&1 != 0 {
					p := reflect.New(t.Elem())
					r.inline(l.off, p.Elem())
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
	pointer := t.Kind() == reflect.Pointer && !isPString(t)
	box := t.Kind() == reflect.Interface
	switch {
	case ref == 0:
		return
	case ref == 1 && isCustom(t):
		unmarshalCustom(off, v, "")
		return
	case ref == 1 && t.Kind() == reflect.Slice:
		v.Set(reflect.MakeSlice(t, 0, 0))
		return
	case ref == 1 && t.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(t))
		return
	case ref == 1 && isPString(t):
		v.Set(reflect.New(t.Elem()).Convert(t))
		return
	case ref == 1:
		refuse(classCorrupt, off, "1 in a %v", t)
	case count == 0:
		refuse(classCorrupt, off, "count 0")
	case (pointer || box) && count != 1:
		refuse(classCorrupt, off, "count %d in a %v", count, t)
	}
	target := off + distance*8
	deeper := func() {
		if depth++; depth > r.maxDepth {
			refuse(classLimit, off, "depth %d", depth)
		}
	}

	switch {
	case isCustom(t) || isString(t) || isPString(t):
		r.object(off, target, count)
		s := string(r.msg[target : target+count])
		switch {
		case isCustom(t):
			unmarshalCustom(off, v, s)
		case isString(t):
			v.SetString(s)
		default:
			p := reflect.New(t.Elem())
			p.Elem().SetString(s)
			v.Set(p.Convert(t))
		}
		return
	case box:
		r.inside(off, target, 8)
		in := modelBoxes().types[binary.LittleEndian.Uint64(r.msg[target:])]
		if in == nil || !in.Implements(t) {
			refuse(classCorrupt, target, "box id %016x in a %v", r.msg[target:target+8], t)
		}
		r.object(off, target, 8+layoutOf(in).size)
		deeper()
		p := reflect.New(in).Elem()
		r.block(target+8, p, depth)
		v.Set(p)
		return
	}

	e := objectOf(t)
	l := layoutOf(e)
	if l.size == 0 && (distance != 1 || t.Kind() == reflect.Map && count != 1) {
		refuse(classCorrupt, off, "distance %d, count %d of an object of no bytes", distance, count)
	}
	if count > math.MaxInt {
		refuse(classLimit, off, "count %d", count)
	}
	shares := r.reached != nil && hasIdentity(t)
	if before, ok := r.reached[target]; ok && shares {
		if b := before.v.Type(); sharedType(b) != sharedType(t) || b.Kind() != t.Kind() || before.count != count {
			refuse(classCorrupt, off, "%d of %v where %d of %v is", count, t, before.count, before.v.Type())
		}
		v.Set(before.v.Convert(t))
		return
	}
	if l.size > 0 {
		r.object(off, target, count*l.size)
	}
	if l.holdsRefs {
		deeper()
	}
	// What refers to itself must find itself, so v is what it will be before its
	// blocks are read.
	switch t.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(e).Convert(t))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
	default:
		v.Set(reflect.MakeSlice(t, int(count), int(count)))
	}
	if shares {
		r.reached[target] = reached{count, v}
	}
	switch {
	case t.Kind() == reflect.Map:
		r.entries(target, int(count), v, depth)
	case l.size == 0:
	case t.Kind() == reflect.Pointer:
		r.block(target, v.Elem(), depth)
	default:
		for i := range int(count) {
			r.block(target+int64(i)*l.size, v.Index(i), depth)
		}
	}
}

// entries reads n entries of the map m at off, which must ascend (§3.7).
func (r *modelReader) entries(off int64, n int, m reflect.Value, depth int) {
	var before []string
	for i := range n {
		e := reflect.New(entryType(m.Type())).Elem()
		l := layoutOf(e.Type())
		at := off + int64(i)*l.size
		if l.size > 0 {
			r.block(at, e, depth)
		}
		key := keyParts(nil, at+l.fields[0].off, e.Field(0), keySource{
			class: classCorrupt,
			bytes: func(off int64, _ reflect.Value) string { return r.bytesAt(off) },
			box:   func(off int64) int64 { return r.target(off) + 8 },
		})
		if i > 0 && slices.Compare(before, key) >= 0 {
			refuse(classCorrupt, at, "key %d does not ascend", i)
		}
		before = key
		m.SetMapIndex(e.Field(0), e.Field(1))
	}
	// Two sequences of bytes may unmarshal to one key.
	if m.Len() != n {
		refuse(classMethod, off, "%d keys of which %d differ", n, m.Len())
	}
}

// target is where the ref at off, which has been checked, points.
func (r *modelReader) target(off int64) int64 {
	return off + int64(int32(binary.LittleEndian.Uint32(r.msg[off:])))*8
}

// bytesAt are the bytes that the ref at off, which has been checked, means.
func (r *modelReader) bytesAt(off int64) string {
	count := int64(binary.LittleEndian.Uint32(r.msg[off+4:]))
	if count == 0 {
		return ""
	}
	return string(r.msg[r.target(off):][:count])
}

func (r *modelReader) inline(off int64, v reflect.Value) {
	if !isTime(v.Type()) {
		r.scalar(off, v)
		return
	}
	seconds := int64(binary.LittleEndian.Uint64(r.msg[off:]))
	nanoseconds := binary.LittleEndian.Uint32(r.msg[off+8:])
	east := int(int32(binary.LittleEndian.Uint32(r.msg[off+12:])))
	if nanoseconds >= 1e9 || east <= -86_400 || east >= 86_400 {
		refuse(classCorrupt, off, "a time of %d ns, %d s east of UTC", nanoseconds, east)
	}
	t := time.Unix(seconds-toYear1, int64(nanoseconds)).UTC()
	if east != 0 {
		t = t.In(time.FixedZone("", east))
	}
	v.Set(reflect.ValueOf(t))
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

package format_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

// modelError is a message or value that the model refuses.
type modelError struct {
	class modelClass
	off   int64
	text  string
}

type modelClass string

const (
	classTruncated modelClass = "truncated"
	classCorrupt   modelClass = "corrupt"
	classSchema    modelClass = "schema"
	classLimit     modelClass = "limit"
	classValue     modelClass = "value"  // a writer's value that the format cannot carry
	classMethod    modelClass = "method" // corrupt in the eyes of a type's own method
)

func (e *modelError) Error() string {
	return fmt.Sprintf("%s at %d: %s", e.class, e.off, e.text)
}

func refuse(class modelClass, off int64, format string, args ...any) {
	panic(&modelError{class, off, fmt.Sprintf(format, args...)})
}

// caught turns what refuse threw into an error.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case *modelError:
		*err = r
	default:
		panic(r)
	}
}

// modelOptions are a codec's options as far as the model has them.
type modelOptions struct {
	maxDepth int
	refs     bool // keep track of shared references (§3.4)
}

// modelEncode writes the message of *p, for a pointer p.
func modelEncode(p any) ([]byte, error) {
	return modelEncodeDepth(reflect.ValueOf(p).Elem(), modelMaxDepth)
}

func mustModelEncode(p any) []byte {
	msg, err := modelEncode(p)
	if err != nil {
		panic(err)
	}
	return msg
}

// modelEncodeDepth writes the message of v, which must be addressable.
func modelEncodeDepth(v reflect.Value, maxDepth int) ([]byte, error) {
	return modelEncodeWith(v, modelOptions{maxDepth: maxDepth})
}

func modelEncodeWith(v reflect.Value, o modelOptions) (msg []byte, err error) {
	defer caught(&err)
	w := &modelWriter{modelOptions: o, placed: map[identity]int64{}}
	w.out = append(w.out, 0xA5, 0x4C, 1, 0)
	w.out = append(w.out, 0, 0, 0, 0)
	w.out = binary.LittleEndian.AppendUint64(w.out, modelFingerprint(v.Type()))
	root := w.room(layoutOf(v.Type()).size)
	if id, ok := identityOf(v.Addr()); ok {
		w.placed[id] = root
	}
	w.scalars(root, v)
	w.objects(root, v, 0)
	if uint64(len(w.out)/8) > 1<<31 {
		refuse(classLimit, 4, "message of %d words", len(w.out)/8)
	}
	binary.LittleEndian.PutUint32(w.out[4:], uint32(len(w.out)/8))
	return w.out, nil
}

// identity is what an object has that may be referred to more than once (§3.4).
type identity struct {
	address uintptr
	typ     reflect.Type // of the pointee or map
}

// identityOf gives the identity of the object that v, a pointer or map, refers to.
// The bytes of a *string are a string's, and empty maps and objects of zero bytes
// are not there at all.
func identityOf(v reflect.Value) (identity, bool) {
	t := v.Type()
	switch {
	case isCustom(t) || t.Kind() != reflect.Pointer && t.Kind() != reflect.Map || v.IsNil():
		return identity{}, false
	case t.Kind() == reflect.Map && v.Len() == 0:
		return identity{}, false
	case !hasIdentity(t):
		return identity{}, false
	}
	return identity{v.Pointer(), sharedType(t)}, true
}

// sharedType is the type that pointers or maps have in common which share an object.
func sharedType(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

// hasIdentity says so of the objects that refs of type t refer to.
func hasIdentity(t reflect.Type) bool {
	if isCustom(t) || isOptional(t) || isPString(t) || t.Kind() != reflect.Pointer && t.Kind() != reflect.Map {
		return false
	}
	return layoutOf(objectOf(t)).size > 0
}

type modelWriter struct {
	modelOptions
	out    []byte
	placed map[identity]int64 // to the offset of the object
}

// room appends an object of n bytes, zero and padded to a word, and gives its offset.
// A large one begins at a cache line (§3.6).
func (w *modelWriter) room(n int64) int64 {
	off := int64(len(w.out))
	if n >= 512 && off > 16 { // the root block stays at 16
		w.out = append(w.out, make([]byte, alignUp(off, 64)-off)...)
		off = int64(len(w.out))
	}
	w.out = append(w.out, make([]byte, alignUp(n, 8))...)
	return off
}

// scalars writes all of v's block at off but its refs.
func (w *modelWriter) scalars(off int64, v reflect.Value) {
	walk := walker{leaf: func(l leaf) {
		switch t := l.v.Type(); {
		case isInline(t):
			putInline(w.out[l.off:], l.off, l.v)
		case isOptional(t) && !l.v.IsNil():
			bits := binary.LittleEndian.Uint64(w.out[l.word:])
			binary.LittleEndian.PutUint64(w.out[l.word:], bits|1<<l.bit)
			putInline(w.out[l.off:], l.off, l.v.Elem())
		}
	}}
	walk.block(off, v, "")
}

// objects puts the objects that the block of v at off refers to behind what has
// been written, each with all that it refers to before the next (§4.1).
func (w *modelWriter) objects(off int64, v reflect.Value, depth int) {
	if !layoutOf(v.Type()).holdsRefs {
		return
	}
	walk := walker{leaf: func(l leaf) {
		if isRef(l.v.Type()) {
			w.ref(l.off, l.v, depth)
		}
	}}
	walk.block(off, v, "")
}

// ref puts what v refers to behind what has been written, and the ref at off.
func (w *modelWriter) ref(off int64, v reflect.Value, depth int) {
	t := v.Type()
	put := func(ref uint64) { binary.LittleEndian.PutUint64(w.out[off:], ref) }
	point := func(target int64, count int) {
		words := (target - off) / 8
		if words > 1<<31-1 || words < -1<<31 {
			refuse(classLimit, off, "distance %d", words)
		}
		put(uint64(count)<<32 | uint64(uint32(words)))
	}
	object := func(count int, size int64) int64 {
		if uint64(count) > 1<<32-1 {
			refuse(classLimit, off, "count %d", count)
		}
		target := w.room(size)
		point(target, count)
		return target
	}
	text := func(s string, empty uint64) {
		if s == "" {
			put(empty)
			return
		}
		copy(w.out[object(len(s), int64(len(s))):], s)
	}
	// blocks writes count blocks of type e and all that they refer to.
	blocks := func(e reflect.Type, count int, at func(int) reflect.Value) {
		l := layoutOf(e)
		if l.size == 0 { // §3.3
			if uint64(count) > 1<<32-1 {
				refuse(classLimit, off, "count %d", count)
			}
			put(uint64(count)<<32 | 1)
			return
		}
		id, shares := identityOf(v)
		if target, ok := w.placed[id]; ok && shares && w.refs {
			w.out[3] |= 1
			point(target, count)
			return
		}
		target := object(count, int64(count)*l.size)
		if shares {
			w.placed[id] = target
		}
		for i := range count {
			w.scalars(target+int64(i)*l.size, at(i))
		}
		if !l.holdsRefs {
			return
		}
		w.deeper(off, depth)
		for i := range count {
			w.objects(target+int64(i)*l.size, at(i), depth+1)
		}
	}
	switch {
	case isCustom(t):
		text(marshalCustom(off, v), 1)
	case isString(t):
		text(v.String(), 0)
	case v.IsNil():
	case isPString(t):
		text(v.Elem().String(), 1)
	case t.Kind() == reflect.Pointer:
		blocks(t.Elem(), 1, func(int) reflect.Value { return v.Elem() })
	case t.Kind() == reflect.Interface:
		in := addressable(v.Elem())
		id, ok := modelBoxes().ids[in.Type()]
		if !ok {
			refuse(classValue, off, "%v is not registered", in.Type())
		}
		target := object(1, 8+layoutOf(in.Type()).size)
		binary.LittleEndian.PutUint64(w.out[target:], id)
		w.scalars(target+8, in)
		w.deeper(off, depth)
		w.objects(target+8, in, depth+1)
	case v.Len() == 0:
		put(1)
	case t.Kind() == reflect.Slice:
		blocks(t.Elem(), v.Len(), v.Index)
	default:
		entries := sortedEntries(off, v)
		blocks(entries.Type().Elem(), entries.Len(), entries.Index)
	}
}

func (w *modelWriter) deeper(off int64, depth int) {
	if depth+1 > w.maxDepth {
		refuse(classLimit, off, "depth %d", depth+1)
	}
}

// scalarBits gives the bits of an addressable scalar, and the second half of a
// complex. Floats are read from memory since conversions quieten a NaN.
func scalarBits(v reflect.Value) (lo, hi uint64) {
	p := v.Addr().UnsafePointer()
	switch v.Kind() {
	case reflect.Bool, reflect.Uint8, reflect.Int8:
		return uint64(*(*uint8)(p)), 0
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return uint64(v.Int()), 0
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint(), 0
	case reflect.Float32:
		return uint64(*(*uint32)(p)), 0
	case reflect.Float64:
		return *(*uint64)(p), 0
	case reflect.Complex64:
		return uint64(*(*uint32)(p)), uint64(*(*uint32)(unsafe.Add(p, 4)))
	case reflect.Complex128:
		return *(*uint64)(p), *(*uint64)(unsafe.Add(p, 8))
	}
	panic(v.Type().String())
}

// setScalarBits is the inverse; a bool must be 0 or 1 and an int must fit.
func setScalarBits(v reflect.Value, lo, hi uint64) {
	p := v.Addr().UnsafePointer()
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(lo == 1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(int64(lo))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(lo)
	case reflect.Float32:
		*(*uint32)(p) = uint32(lo)
	case reflect.Float64:
		*(*uint64)(p) = lo
	case reflect.Complex64:
		*(*uint32)(p), *(*uint32)(unsafe.Add(p, 4)) = uint32(lo), uint32(hi)
	case reflect.Complex128:
		*(*uint64)(p), *(*uint64)(unsafe.Add(p, 8)) = lo, hi
	default:
		panic(v.Type().String())
	}
}

// putInline writes a scalar or a time, the bytes of which are at off.
func putInline(b []byte, off int64, v reflect.Value) {
	if isTime(v.Type()) {
		putTime(b, off, v.Interface().(time.Time))
		return
	}
	putScalar(b, v)
}

// toYear1 is from the year 1 to 1970, in seconds.
const toYear1 = 62_135_596_800

// putTime is §2.5.
func putTime(b []byte, off int64, t time.Time) {
	_, east := t.Zone()
	if east <= -86_400 || east >= 86_400 {
		refuse(classValue, off, "%d seconds east of UTC", east)
	}
	binary.LittleEndian.PutUint64(b, uint64(t.Unix()+toYear1))
	binary.LittleEndian.PutUint32(b[8:], uint32(t.Nanosecond()))
	binary.LittleEndian.PutUint32(b[12:], uint32(east))
}

// addressable gives a copy of v that has an address.
func addressable(v reflect.Value) reflect.Value {
	p := reflect.New(v.Type()).Elem()
	p.Set(v)
	return p
}

func putScalar(b []byte, v reflect.Value) {
	lo, hi := scalarBits(v)
	switch layoutOf(v.Type()).size {
	case 1:
		b[0] = byte(lo)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(lo))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(lo))
	case 8:
		if v.Kind() == reflect.Complex64 {
			binary.LittleEndian.PutUint32(b, uint32(lo))
			binary.LittleEndian.PutUint32(b[4:], uint32(hi))
			return
		}
		binary.LittleEndian.PutUint64(b, lo)
	case 16:
		binary.LittleEndian.PutUint64(b, lo)
		binary.LittleEndian.PutUint64(b[8:], hi)
	}
}

package format_test

import (
	"encoding/binary"
	"fmt"
	"reflect"
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
func modelEncodeDepth(v reflect.Value, maxDepth int) (msg []byte, err error) {
	defer caught(&err)
	w := &modelWriter{maxDepth: maxDepth}
	w.out = append(w.out, 0xA5, 0x4C, 1, 0)
	w.out = append(w.out, 0, 0, 0, 0)
	w.out = binary.LittleEndian.AppendUint64(w.out, modelFingerprint(v.Type()))
	root := w.room(layoutOf(v.Type()).size)
	w.scalars(root, v)
	w.refs(root, v, 0)
	if uint64(len(w.out)/8) > 1<<31 {
		refuse(classLimit, 4, "message of %d words", len(w.out)/8)
	}
	binary.LittleEndian.PutUint32(w.out[4:], uint32(len(w.out)/8))
	return w.out, nil
}

type modelWriter struct {
	out      []byte
	maxDepth int
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
		case isScalar(t):
			putScalar(w.out[l.off:], l.v)
		case isOptional(t) && !l.v.IsNil():
			bits := binary.LittleEndian.Uint64(w.out[l.word:])
			binary.LittleEndian.PutUint64(w.out[l.word:], bits|1<<l.bit)
			putScalar(w.out[l.off:], l.v.Elem())
		}
	}}
	walk.block(off, v, "")
}

// refs puts the objects that the block of v at off refers to behind what has
// been written, each with all that it refers to before the next (§4.1).
func (w *modelWriter) refs(off int64, v reflect.Value, depth int) {
	if !layoutOf(v.Type()).holdsRefs {
		return
	}
	walk := walker{leaf: func(l leaf) {
		t := l.v.Type()
		if !isRef(t) {
			return
		}
		put := func(ref uint64) { binary.LittleEndian.PutUint64(w.out[l.off:], ref) }
		object := func(count int, size int64) int64 {
			if uint64(count) > 1<<32-1 {
				refuse(classLimit, l.off, "count %d", count)
			}
			if size == 0 { // §3.3
				put(uint64(count)<<32 | 1)
				return 0
			}
			target := w.room(size)
			words := (target - l.off) / 8
			if words > 1<<31-1 {
				refuse(classLimit, l.off, "distance %d", words)
			}
			put(uint64(count)<<32 | uint64(uint32(words)))
			return target
		}
		text := func(s string, empty uint64) {
			if s == "" {
				put(empty)
				return
			}
			target := object(len(s), int64(len(s)))
			copy(w.out[target:], s)
		}
		switch t.Kind() {
		case reflect.String:
			text(l.v.String(), 0)
		case reflect.Slice:
			if l.v.IsNil() {
				return
			}
			n := l.v.Len()
			if n == 0 {
				put(1)
				return
			}
			e := layoutOf(t.Elem())
			target := object(n, int64(n)*e.size)
			if e.size == 0 {
				return
			}
			for i := range n {
				w.scalars(target+int64(i)*e.size, l.v.Index(i))
			}
			if !e.holdsRefs {
				return
			}
			w.deeper(l.off, depth)
			for i := range n {
				w.refs(target+int64(i)*e.size, l.v.Index(i), depth+1)
			}
		case reflect.Pointer:
			if l.v.IsNil() {
				return
			}
			if t.Elem().Kind() == reflect.String {
				text(l.v.Elem().String(), 1)
				return
			}
			e := layoutOf(t.Elem())
			target := object(1, e.size)
			if e.size == 0 {
				return
			}
			w.scalars(target, l.v.Elem())
			if e.holdsRefs {
				w.deeper(l.off, depth)
				w.refs(target, l.v.Elem(), depth+1)
			}
		}
	}}
	walk.block(off, v, "")
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

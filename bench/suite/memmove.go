package suite

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/packed"
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
)

// arraysOver returns arrays of n elements that lie in p, in the order of the
// fields, without gaps. n must be a multiple of 8.
func arraysOver(p []byte) workload.ArraysData {
	n := len(p) / 22
	var a workload.ArraysData
	a.Booleans, p = raw.Slice[bool](p, n), p[n:]
	a.Bytes, p = raw.Slice[int8](p, n), p[n:]
	a.Ints, p = raw.Slice[int32](p, n), p[4*n:]
	a.Longs, p = raw.Slice[int64](p, n), p[8*n:]
	a.Doubles = raw.Slice[float64](p, n)
	return a
}

func copyArrays(dst, src *workload.ArraysData) {
	copy(dst.Booleans, src.Booleans)
	copy(dst.Bytes, src.Bytes)
	copy(dst.Ints, src.Ints)
	copy(dst.Longs, src.Longs)
	copy(dst.Doubles, src.Doubles)
}

func makeCopyArrays(dst, src *workload.ArraysData) {
	dst.Booleans = makeCopy(src.Booleans)
	dst.Bytes = makeCopy(src.Bytes)
	dst.Ints = makeCopy(src.Ints)
	dst.Longs = makeCopy(src.Longs)
	dst.Doubles = makeCopy(src.Doubles)
}

// makeCopy is written as the compiler likes it: it does not clear what is
// copied over.
func makeCopy[T any](s []T) []T {
	c := make([]T, len(s))
	copy(c, s)
	return c
}

func memmoveArrays() library[workload.ArraysData] {
	type T = workload.ArraysData
	f := &form[T]{
		write: func(v *T) ([]byte, error) {
			p := make([]byte, 22*len(v.Booleans))
			dst := arraysOver(p)
			copyArrays(&dst, v)
			return p, nil
		},
		read: func(msg []byte, v *T) error {
			src := arraysOver(msg)
			makeCopyArrays(v, &src)
			return nil
		},
	}
	read := func(r *run[T]) func() {
		src := arraysOver(r.msg)
		*r.dst = workload.MakeArrays(len(src.Booleans))
		r.settle = func() { r.sum = r.dst.Sum() }
		return func() { copyArrays(r.dst, &src) }
	}
	return library[T]{Memmove, []way[T]{
		{Serialize, Copy, f, false, func(r *run[T]) func() {
			r.settle = func() { r.out = r.mem.all[:22*len(r.src.Booleans)] }
			dst := arraysOver(r.mem.all[:22*len(r.src.Booleans)])
			return func() { copyArrays(&dst, r.src) }
		}},
		{Deserialize, Copy, f, false, read},
		{Deserialize, MakeCopy, f, false, func(r *run[T]) func() {
			src := arraysOver(r.msg)
			return func() { makeCopyArrays(r.dst, &src) }
		}},
		{Deserialize, Bools, f, false, func(r *run[T]) func() {
			src := arraysOver(r.msg)
			makeCopyArrays(r.dst, &src)
			clear(r.dst.Booleans)
			return func() { copy(r.dst.Booleans, src.Booleans) }
		}},
		{Traverse, Copy, f, false, read},
	}}
}

// buffersOver returns five buffers that share p evenly.
func buffersOver(p []byte) workload.Buffers {
	b := make(workload.Buffers, 5)
	n := len(p) / len(b)
	for i := range b {
		b[i] = p[i*n:][:n:n]
	}
	return b
}

func copyBuffers(dst, src workload.Buffers) {
	for i, p := range src {
		copy(dst[i], p)
	}
}

func memmoveBuffers[T any](of func(*T) *workload.Buffers) library[T] {
	f := &form[T]{
		write: func(v *T) ([]byte, error) { return bytes.Join(*of(v), nil), nil },
		read: func(msg []byte, v *T) error {
			*of(v) = buffersOver(bytes.Clone(msg))
			return nil
		},
	}
	read := func(r *run[T]) func() {
		src := buffersOver(r.msg)
		dst := workload.MakeBuffers(len(src[0]))
		*of(r.dst) = dst
		r.settle = func() { r.sum = workload.SumBuffers(&dst) }
		return func() { copyBuffers(dst, src) }
	}
	return library[T]{Memmove, []way[T]{
		{Serialize, Copy, f, false, func(r *run[T]) func() {
			src := *of(r.src)
			all := r.mem.all[:len(src)*len(src[0])]
			r.settle = func() { r.out = all }
			dst := buffersOver(all)
			return func() { copyBuffers(dst, src) }
		}},
		{Deserialize, Copy, f, false, read},
		{Deserialize, MakeCopy, f, false, func(r *run[T]) func() {
			src := buffersOver(r.msg)
			v := of(r.dst)
			return func() {
				dst := make(workload.Buffers, len(src))
				for i, p := range src {
					dst[i] = makeCopy(p)
				}
				*v = dst
			}
		}},
		{Traverse, Copy, f, false, read},
	}}
}

func memmoveStruct() library[workload.Struct] {
	type T = workload.Struct
	f := &form[T]{
		write: func(v *T) ([]byte, error) { return bytes.Clone(raw.StructBytes(v)), nil },
		read: func(msg []byte, v *T) error {
			*v = *raw.At[T](msg, 1)
			return nil
		},
	}
	read := func(r *run[T]) func() {
		dst := raw.StructBytes(r.dst)
		r.settle = func() { r.sum = r.dst.Sum() }
		return func() { copy(dst, r.msg) }
	}
	return library[T]{Memmove, []way[T]{
		{Serialize, Copy, f, false, func(r *run[T]) func() {
			src := raw.StructBytes(r.src)
			r.settle = func() { r.out = r.mem.all[:len(src)] }
			return func() { copy(r.mem.all, src) }
		}},
		{Deserialize, Copy, f, false, read},
		{Traverse, Copy, f, false, read},
	}}
}

// memmoveStruct2 copies the 800 bytes that the values take in a Struct, which were
// brought together beforehand.
func memmoveStruct2() library[workload.Struct2] {
	return copies(Copy, &form[workload.Struct2]{
		write: func(v *workload.Struct2) ([]byte, error) {
			var p packed.Struct2
			p.Pack(v)
			return bytes.Clone(raw.StructBytes(&p.Values)), nil
		},
		// The bytes do not say what is there, but no value is zero.
		read: func(msg []byte, v *workload.Struct2) error {
			p := packed.Struct2{Values: *raw.At[workload.Struct](msg, 1)}
			for i, word := range raw.Slice[int64](msg, len(msg)/8) {
				if word != 0 {
					p.Present[i/64] |= 1 << (i % 64)
				}
			}
			p.View(v)
			return nil
		},
	}, (*workload.Struct2).Sum)
}

// memmoveMessage copies the bytes of Ashlar's message, since an object with
// pointers has none of its own.
func memmoveMessage[T any](sum func(*T) uint64, opts ...format.Option) library[T] {
	return copies(Copy, ashlarForm[T](opts...), sum)
}

// memmoveSample can copy 800 bytes, too, as many as a Struct has, whose first are
// the message: a measure that does not change with the message.
func memmoveSample(opts ...format.Option) library[workload.Sample] {
	l := memmoveMessage((*workload.Sample).Sum, opts...)
	f := ashlarForm[workload.Sample](opts...)
	padded := copies(Copy800, &form[workload.Sample]{
		write: func(v *workload.Sample) ([]byte, error) {
			msg, err := f.write(v)
			if err != nil {
				return nil, err
			}
			const size = 800
			if len(msg) > size {
				return nil, fmt.Errorf("a message of %d bytes is longer than %d", len(msg), size)
			}
			return append(msg, make([]byte, size-len(msg))...), nil
		},
		read: func(p []byte, v *workload.Sample) error {
			msg, _, err := format.Next(p)
			if err != nil {
				return err
			}
			return f.read(msg, v)
		},
	}, (*workload.Sample).Sum)
	l.ways = append(l.ways, slices.DeleteFunc(padded.ways, func(w way[workload.Sample]) bool { return w.op == Traverse })...)
	return l
}

// copies is a library that copies what a form has written beforehand.
func copies[T any](name string, f *form[T], sum func(*T) uint64) library[T] {
	read := func(r *run[T]) func() {
		dst := make([]byte, len(r.msg))
		r.settle = func() {
			must(f.read(dst, r.dst))
			r.sum = sum(r.dst)
		}
		return func() { copy(dst, r.msg) }
	}
	return library[T]{Memmove, []way[T]{
		{Serialize, name, f, false, func(r *run[T]) func() {
			src, err := f.write(r.src)
			must(err)
			r.settle = func() { r.out = r.mem.all[:len(src)] }
			return func() { copy(r.mem.all, src) }
		}},
		{Deserialize, name, f, false, read},
		{Traverse, name, f, false, read},
	}}
}

// Package raw looks at Go memory as bytes and at bytes as Go memory, for the
// expert use of formats that offer no such views themselves. It is the one
// place of the benchmark that imports unsafe.
//
// Nothing here checks what the bytes mean: a view of booleans holds whatever
// the bytes hold. Numbers are as the machine has them, so that views of
// little-endian formats are right on little-endian machines only.
package raw

import (
	"fmt"
	"unsafe"
)

// A Scalar is what arrays are made of.
type Scalar interface {
	~bool | ~int8 | ~uint8 | ~int16 | ~uint16 | ~int32 | ~int64 | ~float32 | ~float64
}

// Bytes returns the memory of s.
func Bytes[T Scalar](s []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(zero)))
}

// Slice returns n elements that lie at the beginning of b. It panics if b is
// too short or not aligned for T.
func Slice[T Scalar](b []byte, n int) []T {
	if n == 0 {
		return nil
	}
	return unsafe.Slice(At[T](b, n), n)
}

// StructBytes returns the memory of v, gaps included. T must hold no pointers.
func StructBytes[T any](v *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(v)), unsafe.Sizeof(*v))
}

// At returns the first of n values that lie at the beginning of b. It panics if
// b is too short or not aligned for T. T must hold no pointers.
func At[T any](b []byte, n int) *T {
	p := unsafe.Pointer(unsafe.SliceData(b))
	var zero T
	if uint(len(b))/uint(unsafe.Sizeof(zero)) < uint(n) || uintptr(p)%unsafe.Alignof(zero) != 0 {
		badView(len(b), n, unsafe.Sizeof(zero))
	}
	return (*T)(p)
}

// badView stands apart so that At inlines.
func badView(have, n int, size uintptr) {
	panic(fmt.Sprintf("no view of %d values of %d bytes in %d bytes: too short or misaligned", n, size, have))
}

// String returns b as a string, which changes when b does.
func String(b []byte) string {
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// StringBytes returns the memory of s, which must not be written to.
func StringBytes(s string) []byte {
	return unsafe.Slice(unsafe.StringData(s), len(s))
}

// Within reports whether all of part lies in whole. An empty part lies
// everywhere.
func Within(whole, part []byte) bool {
	if len(part) == 0 {
		return true
	}
	w, p := uintptr(unsafe.Pointer(unsafe.SliceData(whole))), uintptr(unsafe.Pointer(unsafe.SliceData(part)))
	return w <= p && p+uintptr(len(part)) <= w+uintptr(len(whole))
}

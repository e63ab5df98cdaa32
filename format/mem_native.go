//go:build !purego && (386 || amd64 || arm64 || loong64 || ppc64le || riscv64 || wasm)

package format

import (
	"reflect"
	"strings"
	"time"
	"unsafe"
)

// This file is the only one of the package that uses unsafe. Its twin, mem_purego.go, does the same
// by reflection, on big-endian machines and wherever memory must not be read at odd addresses.
//
// On the wire's side the functions take the message and an offset. They do not check bounds: the
// writer has allocated and the reader has checked the whole block before its ops run.

// native says that Go memory is moved as it is.
const (
	native        = true
	withoutUnsafe = 0
)

// A ptr is the address of a Go value.
type ptr = unsafe.Pointer

// none is no value.
var none ptr

func ptrOf[T any](v *T) ptr { return unsafe.Pointer(v) }

// ptrOfValue returns the address of what the pointer v points to.
func ptrOfValue(v reflect.Value) ptr { return v.UnsafePointer() }

func place(p ptr, o *op) ptr              { return unsafe.Add(p, o.goff) }
func placeOpt(p ptr, q *optional) ptr     { return unsafe.Add(p, q.goff) }
func elem(p ptr, i uint64, sub *plan) ptr { return unsafe.Add(p, i*sub.gsize) }

// An ident tells one pointee or one slice's elements from others of the same type.
type ident = unsafe.Pointer

var noIdent ident

func identPtr(q ptr) ident      { return q }
func identSlice(data ptr) ident { return data }

func at(m []byte, i uint64) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(m)), i)
}

// firstField is the first field of the struct at p.
func firstField(p ptr) ptr { return p }

// valueAt is the value of type t at g.
func valueAt(g ptr, t reflect.Type) reflect.Value { return reflect.NewAt(t, g).Elem() }

// dataOf is the first element of a slice.
func dataOf(v reflect.Value) ptr { return v.UnsafePointer() }

// identOf is the identity of a map.
func identOf(v reflect.Value) ident { return v.UnsafePointer() }

// number is the identity as a number.
func number(id ident) uintptr { return uintptr(id) }

// loadWhole is the bool or integer at g as a number that is ordered as such are.
func loadWhole(g ptr, k reflect.Kind) uint64 {
	switch k {
	case reflect.Bool, reflect.Uint8:
		return uint64(*(*uint8)(g))
	case reflect.Int8:
		return uint64(int64(*(*int8)(g))) ^ 1<<63
	case reflect.Int16:
		return uint64(int64(*(*int16)(g))) ^ 1<<63
	case reflect.Uint16:
		return uint64(*(*uint16)(g))
	case reflect.Int32:
		return uint64(int64(*(*int32)(g))) ^ 1<<63
	case reflect.Uint32:
		return uint64(*(*uint32)(g))
	case reflect.Int64:
		return uint64(*(*int64)(g)) ^ 1<<63
	case reflect.Int:
		return uint64(*(*int)(g)) ^ 1<<63
	case reflect.Uint:
		return uint64(*(*uint)(g))
	}
	return *(*uint64)(g)
}

// loadFloat is the float at g.
func loadFloat(g ptr, k reflect.Kind) float64 {
	if k == reflect.Float32 {
		return float64(*(*float32)(g))
	}
	return *(*float64)(g)
}

func loadTime(g ptr) time.Time     { return *(*time.Time)(g) }
func storeTime(g ptr, t time.Time) { *(*time.Time)(g) = t }

func load8(m []byte, i uint64) uint8       { return loaded8(i, *(*uint8)(at(m, i))) }
func load16(m []byte, i uint64) uint16     { return loaded16(i, *(*uint16)(at(m, i))) }
func load32(m []byte, i uint64) uint32     { return loaded32(i, *(*uint32)(at(m, i))) }
func load64(m []byte, i uint64) uint64     { return loaded64(i, *(*uint64)(at(m, i))) }
func store8(m []byte, i uint64, v uint8)   { *(*uint8)(at(m, i)) = v }
func store16(m []byte, i uint64, v uint16) { *(*uint16)(at(m, i)) = v }
func store32(m []byte, i uint64, v uint32) { *(*uint32)(at(m, i)) = v }
func store64(m []byte, i uint64, v uint64) { *(*uint64)(at(m, i)) = v }

// memory is the n bytes at p.
func memory(p ptr, n uint64) []byte { return unsafe.Slice((*byte)(p), n) }

// move copies n bytes of scalars: few of them without a call, by two copies that overlap.
func move(to, from unsafe.Pointer, n uint64) {
	type two = [2]uint64
	switch {
	case n == 8:
		*(*uint64)(to) = *(*uint64)(from)
	case n == 4:
		*(*uint32)(to) = *(*uint32)(from)
	case n > 32:
		copy(memory(to, n), memory(from, n))
	case n >= 16:
		x, y := *(*two)(from), *(*two)(unsafe.Add(from, n-16))
		*(*two)(to), *(*two)(unsafe.Add(to, n-16)) = x, y
	case n > 8:
		x, y := *(*uint64)(from), *(*uint64)(unsafe.Add(from, n-8))
		*(*uint64)(to), *(*uint64)(unsafe.Add(to, n-8)) = x, y
	case n > 4:
		x, y := *(*uint32)(from), *(*uint32)(unsafe.Add(from, n-4))
		*(*uint32)(to), *(*uint32)(unsafe.Add(to, n-4)) = x, y
	case n == 1:
		*(*uint8)(to) = *(*uint8)(from)
	default:
		x, y := *(*uint16)(from), *(*uint16)(unsafe.Add(from, n-2))
		*(*uint16)(to), *(*uint16)(unsafe.Add(to, n-2)) = x, y
	}
}

func storeRun(m []byte, w uint64, g ptr, o *op) { move(at(m, w), g, o.n) }
func loadRun(g ptr, m []byte, w uint64, o *op)  { move(g, at(m, w), o.n) }

// loadRuns copies what ops, which are runs, have in the block at w.
func loadRuns(g ptr, m []byte, w uint64, ops []op) {
	from := at(m, w)
	for i := range ops {
		o := &ops[i]
		switch to, from := unsafe.Add(g, o.goff), unsafe.Add(from, o.woff); {
		case o.n > 32:
			copy(memory(to, o.n), memory(from, o.n))
		case o.n == 8:
			*(*uint64)(to) = *(*uint64)(from)
		case o.n == 4:
			*(*uint32)(to) = *(*uint32)(from)
		default:
			move(to, from, o.n)
		}
	}
}

// storeBools copies n bools.
func storeBools(m []byte, w uint64, g ptr, n uint64) {
	if n == 1 {
		*(*uint8)(at(m, w)) = *(*uint8)(g)
		return
	}
	copy(m[w:w+n], memory(g, n))
}

// loadBools copies n bools and checks the copy. If one is neither 0 nor 1 it leaves none of them and
// returns the bad one's offset.
func loadBools(g ptr, m []byte, w, n uint64) (bad uint64, ok bool) {
	if n == 1 {
		b := load8(m, w)
		*(*uint8)(g) = b & 1
		return w, b <= 1
	}
	to := memory(g, n)
	copy(to, m[w:w+n])
	copied(w, to)
	if bad, ok = firstBad(to); !ok {
		clear(to)
	}
	return w + bad, ok
}

// copyOut writes the n bytes at g.
func copyOut(m []byte, w uint64, g ptr, n uint64) { copy(memory(at(m, w), n), memory(g, n)) }

// copyIn reads n bytes of scalars.
func copyIn(g ptr, m []byte, w uint64, n uint64) { copy(memory(g, n), memory(at(m, w), n)) }

// loadLead reads a scalar of a size.
func loadLead(v ptr, m []byte, w uint64, size uint8) {
	from := at(m, w)
	switch size {
	case 8:
		*(*uint64)(v) = *(*uint64)(from)
	case 4:
		*(*uint32)(v) = *(*uint32)(from)
	case 1:
		*(*uint8)(v) = *(*uint8)(from)
	case 2:
		*(*uint16)(v) = *(*uint16)(from)
	default:
		*(*[2]uint64)(v) = *(*[2]uint64)(from)
	}
}

// copyString writes the bytes of s.
func copyString(m []byte, w uint64, s string) { copy(memory(at(m, w), uint64(len(s))), s) }

// storePlain writes n plain values as they lie, gaps and all.
func storePlain(m []byte, w uint64, g ptr, n uint64, p *plan) {
	copyOut(m, w, g, n*p.gsize)
}

// loadPlain copies n plain values and checks the bools of the copy. If one is bad it leaves none of
// the values and returns the bad one's offset.
func loadPlain(g ptr, m []byte, w, n uint64, p *plan) (bad uint64, ok bool) {
	to := memory(g, n*p.gsize)
	copy(to, m[w:w+n*p.wsize])
	copied(w, to)
	if bad, ok = badBools(to, 0, n, p.lay); !ok {
		clear(to)
	}
	return w + bad, ok
}

// loadInt returns the int or uint at g in 64 bits.
func loadInt(g ptr, t reflect.Type) uint64 {
	if t.Kind() == reflect.Int {
		return uint64(*(*int)(g))
	}
	return uint64(*(*uint)(g))
}

// storeInt stores v in the int or uint at g and reports whether it fits.
func storeInt(g ptr, v uint64, t reflect.Type) bool {
	if t.Kind() == reflect.Int {
		*(*int)(g) = int(v)
		return int64(int(v)) == int64(v)
	}
	*(*uint)(g) = uint(v)
	return uint64(uint(v)) == v
}

// storeScalar writes the scalar at g, loadScalar reads it and reports whether it fits.
func storeScalar(m []byte, w uint64, g ptr, q *optional) {
	if q.lead {
		move(at(m, w), g, uint64(q.size))
	} else {
		store64(m, w, loadInt(g, q.typ))
	}
}

func loadScalar(g ptr, m []byte, w uint64, q *optional) bool {
	if q.kind == kindBool {
		_, ok := loadBools(g, m, w, 1)
		return ok
	}
	if q.lead {
		move(g, at(m, w), uint64(q.size))
		return true
	}
	return storeInt(g, load64(m, w), q.typ)
}

// storeOptionals writes the scalars of one word of a presence bitmap, all of which Go holds as the wire
// does, and returns the word. They are in groups of one size, which keeps the loops short.
func storeOptionals(m []byte, w uint64, g ptr, groups [][]optional) (word uint64) {
	to := at(m, w)
	for _, opts := range groups {
		switch opts[0].size {
		case 8:
			for i := range opts {
				q := &opts[i]
				v, bit := present(g, q)
				word |= bit
				*(*uint64)(unsafe.Add(to, q.woff)) = *(*uint64)(v)
			}
		case 4:
			for i := range opts {
				q := &opts[i]
				v, bit := present(g, q)
				word |= bit
				*(*uint32)(unsafe.Add(to, q.woff)) = *(*uint32)(v)
			}
		case 2:
			for i := range opts {
				q := &opts[i]
				v, bit := present(g, q)
				word |= bit
				*(*uint16)(unsafe.Add(to, q.woff)) = *(*uint16)(v)
			}
		case 1:
			for i := range opts {
				q := &opts[i]
				v, bit := present(g, q)
				word |= bit
				*(*uint8)(unsafe.Add(to, q.woff)) = *(*uint8)(v)
			}
		default:
			for i := range opts {
				q := &opts[i]
				v, bit := present(g, q)
				word |= bit
				*(*[2]uint64)(unsafe.Add(to, q.woff)) = *(*[2]uint64)(v)
			}
		}
	}
	return word
}

// present returns the value of q and its bit, or a zero and no bit. It must inline.
func present(g ptr, q *optional) (v unsafe.Pointer, bit uint64) {
	v, bit = *(*unsafe.Pointer)(unsafe.Add(g, q.goff)), q.mask
	if v == nil {
		v, bit = unsafe.Pointer(&nothing), 0
	}
	return v, bit
}

func zeroScalar(m []byte, w uint64, q *optional) {
	switch q.size {
	case 8:
		store64(m, w, 0)
	case 4:
		store32(m, w, 0)
	case 1:
		store8(m, w, 0)
	case 2:
		store16(m, w, 0)
	default:
		store64(m, w, 0)
		store64(m, w+8, 0)
	}
}

// loadString and storeString move the Go string at g.
func loadString(g ptr) string     { return *(*string)(g) }
func storeString(g ptr, s string) { *(*string)(g) = s }

// view is the n bytes at m[w] as a string that shares their memory.
func view(m []byte, w, n uint64) string { return unsafe.String((*byte)(at(m, w)), n) }

// viewString is b as a string that shares its memory.
func viewString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// stringAddr is the address of a string's bytes.
func stringAddr(s string) uintptr { return uintptr(unsafe.Pointer(unsafe.StringData(s))) }

// addrOf is the address p as a number.
func addrOf(p ptr) uintptr { return uintptr(p) }

// sliceHeader is how Go holds a slice.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// loadSlice returns the slice at g: its first element, length, capacity, and whether it is nil.
func loadSlice(g ptr) (data ptr, n, c uint64, null bool) {
	h := (*sliceHeader)(g)
	return h.data, uint64(h.len), uint64(h.cap), h.data == nil
}

func nilSlice(g ptr) { *(*sliceHeader)(g) = sliceHeader{} }

// nothing is where values of no bytes point.
var nothing [2]uint64

// emptySlice stores an empty slice that is not nil.
func emptySlice(g ptr, _ *op) { *(*sliceHeader)(g) = sliceHeader{data: unsafe.Pointer(&nothing)} }

// nothings stores a slice of n elements of no bytes.
func nothings(g ptr, n uint64, _ *op) {
	*(*sliceHeader)(g) = sliceHeader{unsafe.Pointer(&nothing), int(n), int(n)}
}

// resize sets the length of the slice at g, which its capacity allows.
func resize(g ptr, n uint64) { (*sliceHeader)(g).len = int(n) }

// aliasSlice stores a slice of n plain elements over the message.
func aliasSlice(g ptr, m []byte, w, n uint64) {
	*(*sliceHeader)(g) = sliceHeader{at(m, w), int(n), int(n)}
}

// makeSlice stores a new slice of n zero elements and returns the first.
func makeSlice(g ptr, n uint64, o *op) ptr {
	*(*sliceHeader)(g) = sliceHeader{}
	v := reflect.NewAt(o.typ, g).Elem()
	v.Grow(int(n))
	h := (*sliceHeader)(g)
	h.len = int(n)
	return h.data
}

// clearElems makes elements i to n of the slice at g zero.
func clearElems(g ptr, i, n uint64, o *op) {
	reflect.NewAt(o.typ, g).Elem().Slice(int(i), int(n)).Clear()
}

// copySlice stores a slice of n plain elements in memory of its own, made and filled at once. A message
// is a whole number of words, so that the last word can be read whole. It checks the bools of the copy
// as loadPlain does.
func copySlice(g ptr, m []byte, w, n uint64, o *op) (bad uint64, ok bool) {
	size := n * o.sub.gsize
	from := unsafe.Slice((*uint64)(at(m, w)), (size+7)/8)
	to := make([]uint64, len(from))
	copy(to, from)
	p := unsafe.Pointer(unsafe.SliceData(to))
	copied(w, memory(p, size))
	if bad, ok = badBools(memory(p, size), 0, n, o.sub.lay); ok {
		*(*sliceHeader)(g) = sliceHeader{p, int(n), int(n)}
	}
	return w + bad, ok
}

// loadPtr returns what the pointer at g points to.
func loadPtr(g ptr) (p ptr, null bool) {
	p = *(*unsafe.Pointer)(g)
	return p, p == nil
}

func nilPtr(g ptr)          { *(*unsafe.Pointer)(g) = nil }
func storePtr(g ptr, p ptr) { *(*unsafe.Pointer)(g) = p }

// aliasPtr stores a pointer into the message.
func aliasPtr(g ptr, m []byte, w uint64) { *(*unsafe.Pointer)(g) = at(m, w) }

// newValue returns a new zero value.
func newValue(t reflect.Type) ptr { return reflect.New(t).UnsafePointer() }

// newValues returns n new zero values, one behind another; slice is the type of a slice of them.
func newValues(slice reflect.Type, n uint64) ptr {
	return reflect.MakeSlice(slice, int(n), int(n)).UnsafePointer()
}

// misaligned reports whether m does not begin at a multiple of a word.
func misaligned(m []byte) bool { return uintptr(unsafe.Pointer(unsafe.SliceData(m)))&7 != 0 }

// newBytes returns n bytes, n a multiple of a word, that begin at a multiple of a word.
func newBytes(n uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(make([]uint64, n/8)))), n)
}

// scalar returns memory for the value of q, whose op needs at most more bytes from there on.
func (a *arena) scalar(q *optional, more uint64) ptr {
	size := uint64(q.typ.Size())
	return unsafe.Pointer(unsafe.SliceData(a.bytes(size, min(size, 8), more)))
}

// stringPtr returns memory for a string's header; more is as for bytes.
func (a *arena) stringPtr(_ *op, more uint64) ptr {
	if len(a.strings) == 0 {
		a.strings = make([]string, min(8, 1+more/16))
	}
	s := &a.strings[0]
	a.strings = a.strings[1:]
	return unsafe.Pointer(s)
}

// A region is a message in memory, in two words.
type region struct {
	p unsafe.Pointer
	n int
}

func regionOf(m []byte) region { return region{unsafe.Pointer(unsafe.SliceData(m)), len(m)} }
func (r region) bytes() []byte { return unsafe.Slice((*byte)(r.p), r.n) }
func (r region) size() uint64  { return uint64(r.n) }

func (r region) load64(w uint64) uint64 { return loaded64(w, *(*uint64)(unsafe.Add(r.p, w))) }

// view is the n bytes at w as a string that shares their memory; there may be none, wherever w is.
func (r region) view(w, n uint64) string {
	if n == 0 {
		return ""
	}
	return unsafe.String((*byte)(unsafe.Add(r.p, w)), n)
}

// loadAs returns the V that lies at w.
func loadAs[V any](m region, w uint64) V { return *(*V)(unsafe.Add(m.p, w)) }

func storeAs[V any](m []byte, w uint64, x V) { *(*V)(at(m, w)) = x }

// storeView stores a view at g, where a View of some type is.
func storeView(g ptr, v rawView) { *(*rawView)(g) = v }

// misalignedAt reports whether what lies at w does not begin at a multiple of align, a power of two.
func misalignedAt(m []byte, w, align uint64) bool {
	return uint64(uintptr(at(m, w)))&(align-1) != 0
}

// compareText compares the n bytes at w with s.
func compareText(m []byte, w, n uint64, s string) int { return strings.Compare(view(m, w, n), s) }

// storeImage stores the low bytes of a scalar's image at g.
func storeImage(g ptr, image, size uint64) {
	switch size {
	case 8:
		*(*uint64)(g) = image
	case 4:
		*(*uint32)(g) = uint32(image)
	case 2:
		*(*uint16)(g) = uint16(image)
	default:
		*(*uint8)(g) = uint8(image)
	}
}

func loadUnknown(g ptr) Unknown     { return *(*Unknown)(g) }
func storeUnknown(g ptr, u Unknown) { *(*Unknown)(g) = u }

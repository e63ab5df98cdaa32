//go:build purego || !(386 || amd64 || arm64 || loong64 || ppc64le || riscv64 || wasm)

package format

import (
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"time"
)

// This file is the twin of mem_native.go: the same functions by reflection and encoding/binary. No
// value is plain here, so that every scalar is moved by itself and nothing aliases the message.

const (
	native        = false
	withoutUnsafe = 1
)

// A ptr is a Go value that can be set.
type ptr = reflect.Value

var none ptr

func ptrOf[T any](v *T) ptr { return reflect.ValueOf(v).Elem() }

func ptrOfValue(v reflect.Value) ptr { return v.Elem() }

func place(p ptr, o *op) ptr              { return descend(p, o.path) }
func placeOpt(p ptr, q *optional) ptr     { return descend(p, q.path) }
func elem(p ptr, i uint64, sub *plan) ptr { return p.Index(int(i)) }

func descend(p ptr, path []int) ptr {
	for _, i := range path {
		p = p.Field(i)
	}
	return p
}

type ident = uintptr

const noIdent = 0

func identPtr(q ptr) ident      { return q.UnsafeAddr() }
func identSlice(data ptr) ident { return data.Pointer() }

func firstField(p ptr) ptr                        { return p.Field(0) }
func valueAt(g ptr, t reflect.Type) reflect.Value { return g }
func dataOf(v reflect.Value) ptr                  { return v }
func identOf(v reflect.Value) ident               { return v.Pointer() }
func number(id ident) uintptr                     { return id }
func loadFloat(g ptr, _ reflect.Kind) float64     { return g.Float() }

func loadWhole(g ptr, k reflect.Kind) uint64 {
	switch {
	case k == reflect.Bool:
		return oneIf(g.Bool())
	case g.CanInt():
		return uint64(g.Int()) ^ 1<<63
	}
	return g.Uint()
}

func loadTime(g ptr) time.Time     { return g.Interface().(time.Time) }
func storeTime(g ptr, t time.Time) { g.Set(reflect.ValueOf(t)) }

func load8(m []byte, i uint64) uint8       { return loaded8(i, m[i]) }
func load16(m []byte, i uint64) uint16     { return loaded16(i, binary.LittleEndian.Uint16(m[i:])) }
func load64(m []byte, i uint64) uint64     { return loaded64(i, binary.LittleEndian.Uint64(m[i:])) }
func store8(m []byte, i uint64, v uint8)   { m[i] = v }
func store16(m []byte, i uint64, v uint16) { binary.LittleEndian.PutUint16(m[i:], v) }
func store32(m []byte, i uint64, v uint32) { binary.LittleEndian.PutUint32(m[i:], v) }
func store64(m []byte, i uint64, v uint64) { binary.LittleEndian.PutUint64(m[i:], v) }

func load32(m []byte, i uint64) uint32 { return loaded32(i, binary.LittleEndian.Uint32(m[i:])) }

func storeRun(m []byte, w uint64, g ptr, o *op) { put(m, w, g) }
func loadRun(g ptr, m []byte, w uint64, o *op)  { get(g, m, w) }

func loadRuns(g ptr, m []byte, w uint64, ops []op) {
	for i := range ops {
		get(place(g, &ops[i]), m, w+ops[i].woff)
	}
}

// put writes the scalar g in its own size.
func put(m []byte, w uint64, g reflect.Value) {
	switch g.Kind() {
	case reflect.Bool:
		m[w] = 0
		if g.Bool() {
			m[w] = 1
		}
	case reflect.Int8:
		m[w] = uint8(g.Int())
	case reflect.Uint8:
		m[w] = uint8(g.Uint())
	case reflect.Int16:
		store16(m, w, uint16(g.Int()))
	case reflect.Uint16:
		store16(m, w, uint16(g.Uint()))
	case reflect.Int32:
		store32(m, w, uint32(g.Int()))
	case reflect.Uint32:
		store32(m, w, uint32(g.Uint()))
	case reflect.Int, reflect.Int64:
		store64(m, w, uint64(g.Int()))
	case reflect.Uint, reflect.Uint64:
		store64(m, w, g.Uint())
	case reflect.Float32:
		store32(m, w, math.Float32bits(float32of(g)))
	case reflect.Float64:
		store64(m, w, math.Float64bits(g.Float()))
	case reflect.Complex64:
		c := complex64of(g)
		store32(m, w, math.Float32bits(real(c)))
		store32(m, w+4, math.Float32bits(imag(c)))
	case reflect.Complex128:
		c := g.Complex()
		store64(m, w, math.Float64bits(real(c)))
		store64(m, w+8, math.Float64bits(imag(c)))
	}
}

// get reads the scalar g. It returns false for a bool that is neither 0 nor 1 and an int that does not
// fit.
func get(g reflect.Value, m []byte, w uint64) bool {
	switch g.Kind() {
	case reflect.Bool:
		b := load8(m, w)
		g.SetBool(b == 1)
		return b <= 1
	case reflect.Int8:
		g.SetInt(int64(int8(m[w])))
	case reflect.Uint8:
		g.SetUint(uint64(m[w]))
	case reflect.Int16:
		g.SetInt(int64(int16(binary.LittleEndian.Uint16(m[w:]))))
	case reflect.Uint16:
		g.SetUint(uint64(binary.LittleEndian.Uint16(m[w:])))
	case reflect.Int32:
		g.SetInt(int64(int32(load32(m, w))))
	case reflect.Uint32:
		g.SetUint(uint64(load32(m, w)))
	case reflect.Int, reflect.Int64:
		if v := int64(load64(m, w)); g.OverflowInt(v) {
			return false
		} else {
			g.SetInt(v)
		}
	case reflect.Uint, reflect.Uint64:
		if v := load64(m, w); g.OverflowUint(v) {
			return false
		} else {
			g.SetUint(v)
		}
	case reflect.Float32:
		setFloat32(g, math.Float32frombits(load32(m, w)))
	case reflect.Float64:
		g.SetFloat(math.Float64frombits(load64(m, w)))
	case reflect.Complex64:
		setComplex64(g, complex(math.Float32frombits(load32(m, w)), math.Float32frombits(load32(m, w+4))))
	case reflect.Complex128:
		g.SetComplex(complex(math.Float64frombits(load64(m, w)), math.Float64frombits(load64(m, w+8))))
	}
	return true
}

var (
	float32Type   = reflect.TypeFor[float32]()
	complex64Type = reflect.TypeFor[complex64]()
)

// Float and SetFloat go through a float64, which does not keep a signalling NaN. These keep every bit.
func float32of(g reflect.Value) float32 {
	return *(g.Addr().Convert(reflect.PointerTo(float32Type)).Interface().(*float32))
}

func setFloat32(g reflect.Value, v float32) {
	*(g.Addr().Convert(reflect.PointerTo(float32Type)).Interface().(*float32)) = v
}

func complex64of(g reflect.Value) complex64 {
	return *(g.Addr().Convert(reflect.PointerTo(complex64Type)).Interface().(*complex64))
}

func setComplex64(g reflect.Value, v complex64) {
	*(g.Addr().Convert(reflect.PointerTo(complex64Type)).Interface().(*complex64)) = v
}

func loadInt(g ptr, t reflect.Type) uint64 {
	if g.CanInt() {
		return uint64(g.Int())
	}
	return g.Uint()
}

func storeInt(g ptr, v uint64, t reflect.Type) bool {
	if g.CanInt() {
		if g.OverflowInt(int64(v)) {
			return false
		}
		g.SetInt(int64(v))
		return true
	}
	if g.OverflowUint(v) {
		return false
	}
	g.SetUint(v)
	return true
}

func storeScalar(m []byte, w uint64, g ptr, q *optional)     { put(m, w, g) }
func loadScalar(g ptr, m []byte, w uint64, q *optional) bool { return get(g, m, w) }

// Nothing is held as the wire does.
func storeOptionals(m []byte, w uint64, g ptr, groups [][]optional) uint64 {
	panic("no value is plain")
}

func zeroScalar(m []byte, w uint64, q *optional) { clear(m[w : w+uint64(q.size)]) }

func storeBools(m []byte, w uint64, g ptr, n uint64) { put(m, w, g) }

func loadBools(g ptr, m []byte, w, n uint64) (bad uint64, ok bool) { return w, get(g, m, w) }

// Nothing is plain, so that none of these is ever called.
func memory(p ptr, n uint64) []byte                                  { panic("no value is plain") }
func copyIn(g ptr, m []byte, w uint64, n uint64)                     { panic("no value is plain") }
func loadLead(v ptr, m []byte, w uint64, size uint8)                 { panic("no value is plain") }
func copyOut(m []byte, w uint64, g ptr, n uint64)                    { panic("no value is plain") }
func storePlain(m []byte, w uint64, g ptr, n uint64, p *plan)        { panic("no value is plain") }
func loadPlain(g ptr, m []byte, w, n uint64, p *plan) (uint64, bool) { panic("no value is plain") }
func aliasSlice(g ptr, m []byte, w, n uint64)                        { panic("no value is plain") }
func copySlice(g ptr, m []byte, w, n uint64, o *op) (uint64, bool)   { panic("no value is plain") }
func aliasPtr(g ptr, m []byte, w uint64)                             { panic("no value is plain") }

func copyString(m []byte, w uint64, s string) { copy(m[w:], s) }

func loadString(g ptr) string     { return g.String() }
func storeString(g ptr, s string) { g.SetString(s) }

func view(m []byte, w, n uint64) string { return string(m[w : w+n]) }
func viewString(b []byte) string        { return string(b) }

// Nothing that was decoded aliases a mapping, so that the addresses asked for are of no account.
func stringAddr(s string) uintptr { return 0 }
func addrOf(p ptr) uintptr        { return 0 }
func misaligned(m []byte) bool    { return false }

// loadSlice returns the slice itself in place of its first element.
func loadSlice(g ptr) (data ptr, n, c uint64, null bool) {
	return g, uint64(g.Len()), uint64(g.Cap()), g.IsNil()
}

func nilSlice(g ptr)          { g.SetZero() }
func emptySlice(g ptr, o *op) { g.Set(reflect.MakeSlice(g.Type(), 0, 0)) }
func nothings(g ptr, n uint64, o *op) {
	g.Set(reflect.MakeSlice(g.Type(), int(n), int(n)))
}

func resize(g ptr, n uint64) { g.SetLen(int(n)) }

func makeSlice(g ptr, n uint64, o *op) ptr {
	nothings(g, n, o)
	return g
}

func clearElems(g ptr, i, n uint64, o *op) { g.Slice(int(i), int(n)).Clear() }

func loadPtr(g ptr) (p ptr, null bool) { return g.Elem(), g.IsNil() }
func nilPtr(g ptr)                     { g.SetZero() }
func storePtr(g ptr, p ptr)            { g.Set(p.Addr().Convert(g.Type())) }

func newValue(t reflect.Type) ptr { return reflect.New(t).Elem() }

func newValues(slice reflect.Type, n uint64) ptr { return reflect.MakeSlice(slice, int(n), int(n)) }

func newBytes(n uint64) []byte { return make([]byte, n) }

func (a *arena) scalar(q *optional, more uint64) ptr { return newValue(q.typ) }

func (a *arena) stringPtr(o *op, more uint64) ptr { return newValue(o.typ.Elem()) }

type region []byte

func regionOf(m []byte) region { return m }
func (r region) bytes() []byte { return r }
func (r region) size() uint64  { return uint64(len(r)) }

func (r region) load64(w uint64) uint64 { return load64(r, w) }

func (r region) view(w, n uint64) string {
	if n == 0 {
		return ""
	}
	return view(r, w, n)
}

func loadAs[V any](m region, w uint64) (x V) {
	get(ptrOf(&x), m, w)
	return x
}

func storeAs[V any](m []byte, w uint64, x V) { put(m, w, ptrOf(&x)) }

func (v *rawView) setRaw(r rawView) { *v = r }

func storeView(g ptr, v rawView) { g.Addr().Interface().(interface{ setRaw(rawView) }).setRaw(v) }

func misalignedAt(m []byte, w, align uint64) bool { return false }

func compareText(m []byte, w, n uint64, s string) int { return strings.Compare(string(m[w:w+n]), s) }

func storeImage(g ptr, image, size uint64) {
	var scalar [8]byte
	store64(scalar[:], 0, image)
	get(g, scalar[:], 0)
}

func loadUnknown(g ptr) Unknown     { return g.Interface().(Unknown) }
func storeUnknown(g ptr, u Unknown) { g.Set(reflect.ValueOf(u)) }

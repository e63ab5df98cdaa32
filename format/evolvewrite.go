package format

import (
	"math"
	"reflect"
)

// This file writes by plans of another schema: what evolved.go reads, the other way round.

// evolved writes the part of the block at at that an op of another schema is about, from the value at g.
func (e *encoder) evolved(o *op, g ptr, at uint64) bool {
	w := at + o.woff
	switch o.kind {
	case opUnknown:
		return e.unknown(o, g)
	case opGraft:
		return e.graft(o, at, g)
	case opAbsent:
		return true
	}
	v := valueAt(g, o.typ)
	switch o.kind {
	case opConvert:
		if err := convertBack(e.m, w, o.from, v); err != nil {
			return e.fail(err)
		}
		return true
	case opPresent:
		pointer := v.Kind() == reflect.Pointer
		if pointer && v.IsNil() || !pointer && e.isNil(v) {
			clear(e.m[w : w+o.sub.wsize])
			return true
		}
		store64(e.m, at+o.word, load64(e.m, at+o.word)|o.mask)
		if pointer {
			g, _ = loadPtr(g)
		}
		return e.block(o.sub, g, w)
	case opWrap:
		q, null := loadPtr(g)
		if null {
			clear(e.m[w : w+o.sub.wsize])
			return true
		}
		return e.block(o.sub, q, w)
	case opDeref:
		return e.deref(o, g, w, v)
	case opDerefText:
		if e.isNil(v) {
			store64(e.m, w, 0)
			return true
		}
		return e.text(v, w, 1)
	case opTextBytes, opBytesText:
		return e.text(v, w, 0)
	case opArrayToList:
		if n := uint64(v.Len()); n != o.n {
			return e.fail(failf(ErrLimit, "%d elements, the writer has an array of %d", n, o.n))
		}
		data, _, _, _ := loadSlice(g)
		return e.array(o, data, w)
	case opListToArray:
		return e.listOf(o, g, w)
	}
	return e.fail(failf(ErrSchema, "a part that is only read"))
}

// isNil reports whether v, which is no pointer, is written as nil, where the writer has a pointer: when it is zero,
// as it was read. Where nil is an error for a reader, none is written.
func (e *encoder) isNil(v reflect.Value) bool { return !e.codec.strictNil && v.IsZero() }

// text writes a string or the bytes of a slice; empty is the ref of none.
func (e *encoder) text(v reflect.Value, w, empty uint64) bool {
	if v.Kind() == reflect.String {
		return e.string(v.String(), w, empty)
	}
	return e.bytes(v.Bytes(), w, empty)
}

// deref writes the value v, at g, as what a pointer, whose ref is at w, points to.
func (e *encoder) deref(o *op, g ptr, w uint64, v reflect.Value) bool {
	p := o.sub
	if e.isNil(v) {
		store64(e.m, w, 0)
		return true
	}
	if p.wsize == 0 {
		store64(e.m, w, 1|1<<32)
		return e.block(p, g, w)
	}
	return e.objectOf(o, g, w, 1)
}

// listOf writes the array of o.n elements at g as a slice, whose ref is at w.
func (e *encoder) listOf(o *op, g ptr, w uint64) bool {
	p, n := o.sub, o.n
	switch {
	case n == 0:
		store64(e.m, w, 0)
		return true
	case n > maxCount:
		return e.tooMany(n)
	case p.wsize == 0:
		store64(e.m, w, 1|n<<32)
		return true
	}
	return e.objectOf(o, g, w, n)
}

// objectOf writes n blocks that are by value in Go, at g, as an object, for the ref at w.
func (e *encoder) objectOf(o *op, g ptr, w, n uint64) bool {
	p := o.sub
	if n*p.wsize >= largeObject && !e.align() {
		return false
	}
	at, ok := e.alloc(up8(n * p.wsize))
	if !ok {
		return false
	}
	e.refer(w, at, n)
	delta := e.delta
	e.delta = e.skip
	if p.lay.refs {
		if err := e.enterBox(); err != nil { // what is by value is not met again
			return e.stop(err)
		}
	}
	if o.kind == opDeref {
		ok = e.block(p, g, at)
	} else {
		ok = e.array(o, g, at)
	}
	if ok && p.lay.refs {
		e.leave()
	}
	e.delta = delta
	return ok
}

// convertBack stores the scalar v as one of kind to at w. It returns an error when that cannot hold it exactly.
func convertBack(m []byte, w uint64, to kind, v reflect.Value) error {
	bad := func() error { return failf(ErrLimit, "%v is no %s, which the writer has", v, to) }
	if to.real() {
		f := v.Float()
		switch {
		case to == kindFloat64:
			store64(m, w, math.Float64bits(f))
		case f != f || float64(float32(f)) == f:
			store32(m, w, math.Float32bits(float32(f)))
		default:
			return bad()
		}
		return nil
	}
	var u uint64 // the number, in two's complement
	negative := false
	switch {
	case v.CanInt():
		u, negative = uint64(v.Int()), v.Int() < 0
	case v.CanUint():
		u = v.Uint()
	default:
		f := v.Float()
		negative = f < 0
		switch {
		case f != math.Trunc(f): // and no NaN
			return bad()
		case negative && f >= -1<<63:
			u = uint64(int64(f))
		case !negative && f < 1<<64:
			u = uint64(f)
		default:
			return bad()
		}
	}
	size := scalarSize[to]
	most := ^uint64(0) >> (64 - 8*size)
	switch {
	case to == kindBool:
		most = 1
	case to.signed():
		most >>= 1
	}
	if !negative && u > most || negative && (!to.signed() || int64(u) < -int64(most)-1) {
		return bad()
	}
	switch size {
	case 1:
		store8(m, w, uint8(u))
	case 2:
		store16(m, w, uint16(u))
	case 4:
		store32(m, w, uint32(u))
	default:
		store64(m, w, u)
	}
	return nil
}

package format

import (
	"reflect"
	"slices"
)

// This file reads what plans of another schema have beside the ops of every plan, and counts the memory
// that messages of another schema take.

// evolved reads the part of a block at offset at that an op of this file is about.
func (d *decoder) evolved(o *op, at uint64, g ptr) bool {
	w := at + o.woff
	switch o.kind {
	case opUnknown:
		return d.unknown(o, at+o.woff, g)
	case opGraft: // was read by opUnknown
		return true
	}
	v := valueAt(g, o.typ)
	switch o.kind {
	case opConvert:
		if err := convert(g, o.typ, o.from, d.m, w); err != nil {
			return d.fail(w, err)
		}
	case opAbsent:
		if o.n == 1 && !v.IsZero() {
			return true // the root keeps what it has
		}
		if o.null.IsValid() {
			v.Set(o.null)
		} else {
			v.SetZero()
		}
	case opPresent:
		pointer := v.Kind() == reflect.Pointer
		if load64(d.m, at+o.word)&o.mask == 0 {
			v.SetZero()
			return pointer || d.lacks(w)
		}
		if pointer {
			return d.wrap(o, w, g)
		}
		return d.block(o.sub, w, g)
	case opWrap:
		if o.from == kindPointer && load64(d.m, w) == 0 { // a *string that is nil
			v.SetZero()
			return true
		}
		return d.wrap(o, w, g)
	case opDeref:
		return d.deref(o, w, g, v)
	case opDerefText:
		switch r := load64(d.m, w); {
		case r == 0:
			v.SetZero()
			return d.lacks(w)
		case v.Kind() != reflect.String:
			return d.bytes(o, w, g, v)
		case r == 1:
			v.SetZero()
		default:
			return d.string(g, w)
		}
	case opTextBytes, opBytesText:
		return d.bytes(o, w, g, v)
	case opArrayToList:
		return d.list(o, w, o.n, g)
	case opListToArray:
		return d.listToArray(o, w, g, v)
	}
	return true
}

// lacks takes the nil at w for a zero, or for an error, as the codec is told to.
func (d *decoder) lacks(w uint64) bool {
	if d.codec.strictNil {
		return d.fail(w, failf(ErrSchema, "a nil, and this program has no pointer here"))
	}
	return true
}

// wrap reads the block at w into what the pointer at g points to.
func (d *decoder) wrap(o *op, w uint64, g ptr) bool {
	q, null := loadPtr(g)
	if null || d.replaces(q) || d.aliases(o.sub) {
		if !d.charge(w, allocation(o.sub.gsize)+o.sub.extra) {
			return false
		}
		q = newValue(o.typ.Elem())
		storePtr(g, q)
	}
	return d.block(o.sub, w, q)
}

// deref reads what the pointer whose ref is at w points to; nil is zero.
func (d *decoder) deref(o *op, w uint64, g ptr, v reflect.Value) bool {
	r := load64(d.m, w)
	p := o.sub
	switch {
	case r == 0:
		v.SetZero()
		return d.lacks(w)
	case r == 1:
		return d.fail(w, badEmpty(kindPointer))
	case p.wsize == 0:
		if r != 1|1<<32 {
			return d.fail(w, badZeroSize(r))
		}
		return d.block(p, w, g)
	}
	if !d.charge(w, p.extra) {
		return false
	}
	to, ok := d.object(w, r, p.wsize)
	if !ok {
		return d.badRef(w, r, p.wsize)
	}
	if r>>32 != 1 {
		return d.fail(w, badCount(r))
	}
	if p.lay.refs && !d.enter(w) || !d.block(p, to, g) {
		return false
	}
	if p.lay.refs {
		d.depth++
	}
	return true
}

// bytes reads a string into a []byte, or a []byte into a string.
func (d *decoder) bytes(o *op, w uint64, g ptr, v reflect.Value) bool {
	r := load64(d.m, w)
	if r <= 1 {
		switch {
		case o.kind == opBytesText:
			v.SetZero()
		case r == 1 && o.kind == opTextBytes:
			return d.fail(w, badEmpty(kindString))
		default:
			v.SetBytes([]byte{})
		}
		return true
	}
	to, ok := d.object(w, r, 1)
	if !ok {
		return d.badRef(w, r, 1)
	}
	if !d.charge(w, allocation(r>>32)) {
		return false
	}
	b := d.m[to : to+r>>32 : to+r>>32]
	switch {
	case o.kind == opBytesText:
		v.SetString(string(b))
	default:
		v.SetBytes(slices.Clone(b))
	}
	return true
}

// list reads n blocks at w into the slice at g.
func (d *decoder) list(o *op, w, n uint64, g ptr) bool {
	if n == 0 {
		emptySlice(g, o)
		return true
	}
	data, ok := d.elements(o, g, w, n)
	if !ok {
		return d.err == nil && d.fail(w, tooLargeHere(n, o.sub.gsize))
	}
	if len(o.sub.ops) == 0 {
		return true // there may be any number of nothings
	}
	for i := range n {
		if !d.block(o.sub, w+i*o.sub.wsize, elem(data, i, o.sub)) {
			d.trail.add("", int(i))
			return false
		}
	}
	return true
}

// listToArray reads the slice whose ref is at w into an array of o.n elements.
func (d *decoder) listToArray(o *op, w uint64, g ptr, v reflect.Value) bool {
	r := load64(d.m, w)
	n := r >> 32
	if r <= 1 {
		n = 0
	}
	if n != o.n {
		return d.fail(w, failf(ErrLimit, "%d elements for a %s", n, o.typ))
	}
	p := o.sub
	if n == 0 {
		return true
	}
	if !d.charge(w, n*p.extra) {
		return false
	}
	to, ok := w, int32(r) == 1
	switch {
	case p.wsize > 0:
		if to, ok = d.object(w, r, p.wsize); !ok {
			return d.badRef(w, r, p.wsize)
		}
	case !ok:
		return d.fail(w, badZeroSize(r))
	case len(p.ops) == 0:
		return true // there may be any number of nothings
	}
	if p.lay.refs && !d.enter(w) {
		return false
	}
	for i := range n {
		if !d.block(p, to+i*p.wsize, elem(g, i, p)) {
			d.trail.add("", int(i))
			return false
		}
	}
	if p.lay.refs {
		d.depth++
	}
	return true
}

// charge takes n bytes of Go memory from what a message of another schema may still take. Others are not charged:
// d.charged is asked first, where it is not known.
func (d *decoder) charge(w, n uint64) bool {
	if n > d.memory {
		return d.fail(w, failf(ErrLimit, "more than %d bytes of memory for a message of %d, whose types have grown: MaxExpansion is %d", d.codec.foreignMemory(len(d.m)), len(d.m), d.codec.most))
	}
	d.memory -= n
	return true
}

// remembered is how many bytes of memory an object takes among those that were reached.
func (d *decoder) remembered() uint64 {
	if d.refs == nil {
		return 0
	}
	return 96
}

// allocation is at least what the allocator takes for n bytes.
func allocation(n uint64) uint64 {
	switch {
	case n <= 32:
		return up8(n)
	case n <= 256:
		return (n + 15) &^ 15
	}
	return n + n/4 + 16
}

// madeSlice is how many bytes more than its array a slice takes that reflection makes.
const madeSlice = 24 * withoutUnsafe

// foreignMemory is how many bytes of Go memory a message of another schema may take, of 64 KiB more for each
// decode all but what an arena's last chunk and an error need.
func (c *core) foreignMemory(n int) uint64 { return 56<<10 + c.most*uint64(n) }

// defaultExpansion is what the codec of the schema itself has at most, but for fields that are left out.
const defaultExpansion = 48

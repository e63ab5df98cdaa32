package format

import (
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/buffer"
)

// A mode is one of the three ways to decode.
type mode uint8

const (
	fresh mode = iota // everything that v refers to is new
	reuse             // what v refers to is written into
	alias             // what can point into the message does; the rest is reused
)

// A decoder reads one message into one Go value.
type decoder struct {
	reach
	mode    mode
	live    buffer.Ranges // memory that reuse must not write into
	arena   arena
	memory  uint64 // bytes of Go memory that what is of another schema may still take
	charged bool   // what is read now is of another schema
	anew    uint64 // the budget of a graph's boxes of other schemas, whose objects may be read again
	ahead   uint64 // bytes of the budget for which pointees were made ahead
	err     error
	offset  uint64 // of err
	trail   *trail
}

// fail notes the cause of a failure and where in the message it is.
func (d *decoder) fail(at uint64, err error) bool {
	d.err, d.offset, d.trail = err, at, new(trail)
	return false
}

func (d *decoder) badBool(at uint64) bool {
	return d.fail(at, badBoolAt(d.m, at))
}

func (d *decoder) badRef(w, r, size uint64) bool {
	err := badRef(d.m, w, r, size)
	if err == errOverlap && d.refs != nil && d.refs.types {
		err = errAnew
	}
	return d.fail(w, err)
}

// enter goes one step deeper.
func (d *decoder) enter(w uint64) bool {
	d.depth--
	if d.depth < 0 {
		return d.fail(w, tooDeep(d.codec.maxDepth))
	}
	return true
}

// block reads the block of p at offset at into the Go value dst.
func (d *decoder) block(p *plan, at uint64, dst ptr) bool {
	for i := range p.ops {
		o := &p.ops[i]
		w := at + o.woff
		switch o.kind {
		case opRun:
			loadRun(place(dst, o), d.m, w, o)
			continue
		case opBools:
			bad, ok := loadBools(place(dst, o), d.m, w, o.n)
			if ok {
				continue
			}
			d.badBool(bad)
		case opString:
			if d.string(place(dst, o), w) {
				continue
			}
		case opPlainSlice:
			if d.plainSlice(o, place(dst, o), w) {
				continue
			}
		case opSlice:
			if d.slice(o, place(dst, o), w) {
				continue
			}
		case opPtr:
			if d.pointer(o, place(dst, o), w, nil) {
				continue
			}
		case opStringPtr:
			if d.stringPtr(o, place(dst, o), w) {
				continue
			}
		case opOptionals:
			if d.optionals(o, at, dst) {
				continue
			}
		case opMap:
			if d.mapping(o, place(dst, o), w) {
				continue
			}
		case opIface:
			if d.iface(o, place(dst, o), w) {
				continue
			}
		case opCustom:
			if d.custom(o, place(dst, o), w) {
				continue
			}
		case opTime:
			t, err := getTime(d.m, w)
			if err == nil {
				storeTime(place(dst, o), t)
				continue
			}
			d.fail(w, err)
		case opPlain:
			bad, ok := loadPlain(place(dst, o), d.m, w, 1, o.sub)
			if ok {
				continue
			}
			d.badPlain(o.sub, w, bad)
		case opInt:
			if storeInt(place(dst, o), load64(d.m, w), o.typ) {
				continue
			}
			d.fail(w, wideInt(load64(d.m, w), o.typ))
		case opBlock:
			if d.block(o.sub, w, place(dst, o)) {
				continue
			}
		case opArray:
			if d.array(o, w, place(dst, o)) {
				continue
			}
		default:
			if d.evolved(o, at, place(dst, o)) {
				continue
			}
		}
		d.trail.add(o.name, -1)
		return false
	}
	return true
}

func (d *decoder) array(o *op, w uint64, dst ptr) bool {
	for i := range o.n {
		if !d.block(o.sub, w+i*o.sub.wsize, elem(dst, i, o.sub)) {
			d.trail.add("", int(i))
			return false
		}
	}
	return true
}

// string reads the string whose ref is at w.
func (d *decoder) string(g ptr, w uint64) bool {
	r := load64(d.m, w)
	if r <= 1 {
		if r == 1 {
			return d.fail(w, badEmpty(kindString))
		}
		storeString(g, "")
		return true
	}
	to, ok := d.object(w, r, 1)
	if !ok {
		return d.badRef(w, r, 1)
	}
	n := r >> 32
	if d.charged && !d.charge(w, (1+withoutUnsafe)*allocation(n)) { // without unsafe it is copied to be compared
		return false
	}
	switch d.mode {
	case alias:
		storeString(g, view(d.m, to, n))
	case reuse:
		if s := loadString(g); s == view(d.m, to, n) && !d.live.Contains(stringAddr(s)) {
			return true
		}
		if d.codec.refs { // the string belongs to what is new
			storeString(g, d.arena.string(d.m[to:to+n], d.budget))
		} else {
			storeString(g, string(d.m[to:to+n]))
		}
	default:
		storeString(g, d.arena.string(d.m[to:to+n], d.budget))
	}
	return true
}

func (d *decoder) stringPtr(o *op, g ptr, w uint64) bool {
	r := load64(d.m, w)
	if r == 0 {
		nilPtr(g)
		return true
	}
	s, null := loadPtr(g)
	if null || d.replaces(s) {
		s = d.arena.stringPtr(o, d.budget)
		storePtr(g, s)
	}
	if r == 1 {
		storeString(s, "")
		return true
	}
	return d.string(s, w)
}

// replaces reports whether the pointee q, which the target has, is replaced by a new one.
func (d *decoder) replaces(q ptr) bool {
	return d.mode == fresh || d.codec.refs || d.isLive(addrOf(q))
}

// isLive reports whether addr lies in memory that reuse must replace.
func (d *decoder) isLive(addr uintptr) bool { return d.mode == reuse && d.live.Contains(addr) }

// aliases reports whether a value of p, whose address is asked for, is one that could point into a
// message, so that it is replaced and never written through. In memory that a peer may still change
// those that hold bools are copied always.
func (d *decoder) aliases(p *plan) bool {
	return d.mode == alias && p.free && !(d.codec.shared && p.bools)
}

// noElems reads the ref r of a slice without elements.
func (d *decoder) noElems(o *op, g ptr, r uint64) bool {
	if r == 0 {
		nilSlice(g)
	} else if data, _, c, _ := loadSlice(g); d.mode == fresh || c == 0 || d.aliases(o.sub) || d.isLive(addrOf(data)) {
		emptySlice(g, o)
	} else {
		resize(g, 0)
	}
	return true
}

// plainSlice reads the slice of plain elements whose ref is at w.
func (d *decoder) plainSlice(o *op, g ptr, w uint64) bool {
	r := load64(d.m, w)
	if r <= 1 {
		return d.noElems(o, g, r)
	}
	to, ok := d.object(w, r, o.n)
	if !ok {
		return d.badRef(w, r, o.n)
	}
	n := r >> 32
	bad := uint64(0)
	switch {
	case d.mode == alias && !(o.bools && d.codec.shared):
		if o.bools {
			bad, ok = badBools(d.m, to, n, o.sub.lay)
		}
		if ok {
			aliasSlice(g, d.m, to, n)
			return true
		}
	case d.mode != fresh:
		if data, _, c, _ := loadSlice(g); c >= n && !d.isLive(addrOf(data)) {
			if !o.bools {
				copyIn(data, d.m, to, n*o.n)
				resize(g, n)
				return true
			}
			if bad, ok = loadPlain(data, d.m, to, n, o.sub); ok {
				resize(g, n)
				return true
			}
			break
		}
		fallthrough
	default:
		if d.charged && !d.charge(w, allocation(n*o.n)+madeSlice) {
			return false
		}
		if bad, ok = copySlice(g, d.m, to, n, o); ok {
			return true
		}
	}
	return d.badElem(o.sub, to, bad)
}

// slice reads the slice of other elements whose ref is at w.
func (d *decoder) slice(o *op, g ptr, w uint64) bool {
	r := load64(d.m, w)
	p := o.sub
	if r <= 1 {
		return d.noElems(o, g, r)
	}
	n := r >> 32
	if p.wsize == 0 {
		if n == 0 || int32(r) != 1 {
			return d.fail(w, badZeroSize(r))
		}
		if n > math.MaxInt {
			return d.fail(w, tooManyHere(n))
		}
		nothings(g, n, o)
		return true
	}
	to, ok := d.object(w, r, p.wsize)
	if !ok {
		return d.badRef(w, r, p.wsize)
	}
	data, ok := d.elements(o, g, w, n)
	if !ok {
		return d.err == nil && d.fail(w, tooLargeHere(n, p.gsize))
	}
	if p.lay.refs && !d.enter(w) {
		return false
	}
	if p.pointee != nil {
		if !d.pointers(p, data, to, n) {
			return false
		}
	} else {
		for i := range n {
			if !d.block(p, to+i*p.wsize, elem(data, i, p)) {
				d.trail.add("", int(i))
				return false
			}
		}
	}
	if p.lay.refs {
		d.depth++
	}
	return true
}

// badElem notes a bad bool at offset bad in the plain blocks of p that begin at to.
func (d *decoder) badElem(p *plan, to, bad uint64) bool {
	i := (bad - to) / p.wsize
	d.badPlain(p, to+i*p.wsize, bad)
	d.trail.add("", int(i))
	return false
}

// badPlain notes a bad bool at offset bad in the plain block of p at to.
func (d *decoder) badPlain(p *plan, to, bad uint64) bool {
	d.badBool(bad)
	d.trail.add(p.lay.pathOf(bad-to), -1)
	return false
}

// elements makes the slice at g have n elements: its own, where the mode allows, else new ones.
func (d *decoder) elements(o *op, g ptr, w, n uint64) (data ptr, ok bool) {
	p := o.sub
	if d.mode != fresh && !d.aliases(p) {
		if data, had, c, _ := loadSlice(g); c >= n && !d.isLive(addrOf(data)) {
			resize(g, n)
			if had < n && !p.free {
				// What lies beyond the old length may be shared with elements before it.
				clearElems(g, had, n, o)
			}
			return data, true
		}
	}
	if n > math.MaxInt/max(p.gsize, 1) || d.charged && !d.charge(w, allocation(n*p.gsize)+n*p.extra+madeSlice) {
		return data, false
	}
	return makeSlice(g, n, o), true
}

// pointers reads n pointers; new pointees are made together.
func (d *decoder) pointers(p *plan, data ptr, to, n uint64) bool {
	o := p.pointee
	var pool pool
	if o.sub.wsize > 0 && d.refs == nil && !d.charged && !(o.sub.plain && d.aliases(o.sub)) {
		for i := range n {
			if load64(d.m, to+i*8) > 1 {
				if _, null := loadPtr(elem(data, i, p)); null || d.codec.refs {
					pool.n++
				}
			}
		}
		// Each pointee takes its bytes from the budget, of which those that were made ahead, here and
		// further up, must not have more together than there is.
		pool.n = min(pool.n, (d.budget-min(d.ahead, d.budget))/up8(o.sub.wsize))
	}
	for i := range n {
		if !d.pointer(o, elem(data, i, p), to+i*8, &pool) {
			d.trail.add("", int(i))
			return false
		}
	}
	if pool.made {
		d.ahead -= (pool.n - pool.used) * up8(o.sub.wsize)
	}
	return true
}

func (d *decoder) pointer(o *op, g ptr, w uint64, pool *pool) bool {
	r := load64(d.m, w)
	p := o.sub
	if r <= 1 {
		if r == 1 {
			return d.fail(w, badEmpty(kindPointer))
		}
		nilPtr(g)
		return true
	}
	if p.wsize == 0 {
		if r != 1|1<<32 {
			return d.fail(w, badZeroSize(r))
		}
		if d.charged && !d.charge(w, allocation(p.gsize)+p.extra) {
			return false
		}
		return d.block(p, w, d.pointee(o, g, pool))
	}
	if d.refs != nil {
		s, err := d.known(w, r, p.id)
		if err != nil {
			return d.fail(w, err)
		}
		if s != nil {
			storePtr(g, s.p)
			return true
		}
	}
	to, ok := d.object(w, r, p.wsize)
	if !ok || r>>32 != 1 {
		if ok {
			return d.fail(w, badCount(r))
		}
		return d.badRef(w, r, p.wsize)
	}
	if p.plain {
		if d.aliases(p) {
			if d.charged && !d.charge(w, d.remembered()) {
				return false
			}
			if bad, ok := badBools(d.m, to, 1, p.lay); !ok {
				return d.badPlain(p, to, bad)
			}
			aliasPtr(g, d.m, to)
			if d.refs != nil {
				q, _ := loadPtr(g)
				d.refs.meet(seen{to: to, id: p.id, count: 1, p: q})
			}
			return true
		}
	}
	if d.charged && !d.charge(w, allocation(p.gsize)+p.extra+d.remembered()) {
		return false
	}
	q := d.pointee(o, g, pool)
	if d.refs != nil {
		d.refs.meet(seen{to: to, id: p.id, count: 1, p: q})
	}
	if p.plain {
		if bad, ok := loadPlain(q, d.m, to, 1, p); !ok {
			return d.badPlain(p, to, bad)
		}
		return true
	}
	if !p.lay.refs {
		return d.block(p, to, q)
	}
	if !d.enter(w) || !d.block(p, to, q) {
		return false
	}
	d.depth++
	return true
}

// custom reads the value that marshals itself whose ref is at w.
func (d *decoder) custom(o *op, g ptr, w uint64) bool {
	r := load64(d.m, w)
	v := valueAt(g, o.typ)
	v.SetZero()
	if r == 0 {
		return true
	}
	b := []byte{}
	if r != 1 {
		to, ok := d.object(w, r, 1)
		if !ok {
			return d.badRef(w, r, 1)
		}
		n := r >> 32
		b = d.m[to : to+n : to+n]
		if d.codec.shared {
			b = slices.Clone(b)
		}
	}
	if err := o.own.unmarshal(b, v.Addr().Interface()); err != nil {
		return d.fail(w, err)
	}
	return true
}

// pointee returns what the pointer at g points to: what it did, where the mode allows, else a new
// value.
func (d *decoder) pointee(o *op, g ptr, pool *pool) ptr {
	if !d.aliases(o.sub) {
		if q, null := loadPtr(g); !null && !d.replaces(q) {
			return q
		}
	}
	var q ptr
	if pool != nil && pool.n > 1 && !pool.made {
		pool.values, pool.made = newValues(o.many, pool.n), true
		d.ahead += pool.n * up8(o.sub.wsize)
	}
	if pool != nil && pool.made && pool.used < pool.n {
		q = elem(pool.values, pool.used, o.sub)
		pool.used++
		d.ahead -= up8(o.sub.wsize)
	} else {
		q = newValue(o.typ.Elem())
	}
	storePtr(g, q)
	return q
}

// A pool is n new values of one type that are handed out one by one.
type pool struct {
	n, used uint64
	made    bool
	values  ptr
}

// optionals reads the optionals of one word of a presence bitmap.
func (d *decoder) optionals(o *op, at uint64, dst ptr) bool {
	word := load64(d.m, at+o.woff)
	if word&^o.bits != 0 {
		return d.fail(at+o.woff, badBitmap(word, o.bits))
	}
	for i := range o.opts {
		q := &o.opts[i]
		g := placeOpt(dst, q)
		if word>>q.bit&1 == 0 {
			nilPtr(g)
			continue
		}
		w := at + q.woff
		if q.lead && q.kind != kindBool {
			if d.mode == alias {
				aliasPtr(g, d.m, w)
				continue
			}
			v, null := loadPtr(g)
			if null || d.replaces(v) {
				v = d.arena.scalar(q, o.end-q.woff)
				storePtr(g, v)
			}
			loadLead(v, d.m, w, q.size)
			continue
		}
		kept := d.mode == reuse || d.codec.shared && q.kind == kindBool && d.mode == alias
		if q.kind == kindTime {
			if !d.optionalTime(q, g, w) {
				return false
			}
			continue
		}
		if d.mode == alias && q.lead && !kept {
			if q.kind == kindBool && load8(d.m, w) > 1 {
				return d.badScalar(w, q)
			}
			aliasPtr(g, d.m, w)
			continue
		}
		v, null := loadPtr(g)
		if null || !kept || d.replaces(v) {
			v = d.arena.scalar(q, o.end-q.woff)
		}
		if !loadScalar(v, d.m, w, q) {
			return d.badScalar(w, q)
		}
		storePtr(g, v)
	}
	return true
}

// optionalTime reads a time whose bit is set.
func (d *decoder) optionalTime(q *optional, g ptr, w uint64) bool {
	t, err := getTime(d.m, w)
	if err != nil {
		d.fail(w, err)
		d.trail.add(q.name, -1)
		return false
	}
	v, null := loadPtr(g)
	if null || d.replaces(v) {
		v = newValue(q.typ)
		storePtr(g, v)
	}
	storeTime(v, t)
	return true
}

// badScalar notes what is wrong with an optional's value.
func (d *decoder) badScalar(w uint64, q *optional) bool {
	if q.kind == kindBool {
		d.badBool(w)
	} else {
		d.fail(w, wideInt(load64(d.m, w), q.typ))
	}
	d.trail.add(q.name, -1)
	return false
}

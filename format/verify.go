package format

import "math"

// A verifier checks a message without a Go value: it goes through a plan as a decoder does.
type verifier struct {
	reach
	err    error
	offset uint64
	trail  *trail
}

func (v *verifier) fail(at uint64, err error) bool {
	v.err, v.offset, v.trail = err, at, new(trail)
	return false
}

func (v *verifier) badBool(at uint64) bool { return v.fail(at, badBoolAt(v.m, at)) }

// block checks the block of p at offset at.
func (v *verifier) block(p *plan, at uint64) bool {
	for i := range p.ops {
		o := &p.ops[i]
		w := at + o.woff
		switch o.kind {
		case opRun, opUnknown:
			continue
		case opBools:
			bad, ok := firstBad(v.m[w : w+o.n])
			if ok {
				continue
			}
			v.badBool(w + bad)
		case opPlain:
			bad, ok := badBools(v.m, w, 1, o.sub.lay)
			if ok {
				continue
			}
			v.badFixed(o.sub.lay, w, bad)
		case opString:
			if v.text(w, true) {
				continue
			}
		case opStringPtr, opCustom:
			if v.text(w, false) {
				continue
			}
		case opPlainSlice, opSlice:
			if v.slice(o, w) {
				continue
			}
		case opPtr:
			if v.pointer(o, w) {
				continue
			}
		case opMap:
			if v.mapping(o, w) {
				continue
			}
		case opIface:
			if v.iface(o, w) {
				continue
			}
		case opOptionals:
			if v.optionals(o, at) {
				continue
			}
		case opTime:
			err := badTime(load64(v.m, w+8))
			if err == nil {
				continue
			}
			v.fail(w, err)
		case opInt:
			if narrowInt(load64(v.m, w), o.typ) {
				continue
			}
			v.fail(w, wideInt(load64(v.m, w), o.typ))
		case opBlock:
			if v.block(o.sub, w) {
				continue
			}
		case opArray:
			if v.blocks(o.sub, w, o.n) {
				continue
			}
		}
		v.trail.add(o.name, -1)
		return false
	}
	return true
}

// blocks checks n blocks of p from offset at on.
func (v *verifier) blocks(p *plan, at, n uint64) bool {
	switch {
	case p.opaque:
		return true
	case p.plain:
		bad, ok := badBools(v.m, at, n, p.lay)
		if !ok {
			i := (bad - at) / p.wsize
			v.badFixed(p.lay, at+i*p.wsize, bad)
			v.trail.add("", int(i))
		}
		return ok
	}
	for i := range n {
		if !v.block(p, at+i*p.wsize) {
			v.trail.add("", int(i))
			return false
		}
	}
	return true
}

// badFixed notes a bad bool at offset bad in the fixed block of l at offset at.
func (v *verifier) badFixed(l *layout, at, bad uint64) bool {
	v.badBool(bad)
	v.trail.add(l.pathOf(bad-at), -1)
	return false
}

// optionals checks the optionals of one word of a presence bitmap.
func (v *verifier) optionals(o *op, at uint64) bool {
	word := load64(v.m, at+o.woff)
	if word&^o.bits != 0 {
		return v.fail(at+o.woff, badBitmap(word, o.bits))
	}
	if !o.looks {
		return true
	}
	for i := range o.opts {
		q := &o.opts[i]
		w := at + q.woff
		switch {
		case word>>q.bit&1 == 0:
			continue
		case q.kind == kindBool && load8(v.m, w) > 1:
			v.badBool(w)
		case q.kind == kindTime:
			err := badTime(load64(v.m, w+8))
			if err == nil {
				continue
			}
			v.fail(w, err)
		case q.narrow() && !narrowInt(load64(v.m, w), q.typ):
			v.fail(w, wideInt(load64(v.m, w), q.typ))
		default:
			continue
		}
		v.trail.add(q.name, -1)
		return false
	}
	return true
}

func badBitmap(word, valid uint64) error {
	return failf(ErrCorrupt, "presence bitmap %#x, valid bits are %#x", word, valid)
}

// text checks the ref at w to bytes; in a plain string it is never 1.
func (v *verifier) text(w uint64, plain bool) bool {
	r := load64(v.m, w)
	if r <= 1 {
		if r == 1 && plain {
			return v.fail(w, badEmpty(kindString))
		}
		return true
	}
	if _, ok := v.object(w, r, 1); !ok {
		return v.fail(w, badRef(v.m, w, r, 1))
	}
	return true
}

// enter goes one step deeper.
func (v *verifier) enter(w uint64) bool {
	v.depth--
	if v.depth < 0 {
		return v.fail(w, tooDeep(v.codec.maxDepth))
	}
	return true
}

func (v *verifier) slice(o *op, w uint64) bool {
	r := load64(v.m, w)
	p := o.sub
	switch {
	case r <= 1:
		return true
	case p.wsize == 0:
		if int32(r) != 1 || r>>32 == 0 {
			return v.fail(w, badZeroSize(r))
		}
		if r>>32 > math.MaxInt {
			return v.fail(w, tooManyHere(r>>32))
		}
		return true
	}
	to, ok := v.object(w, r, p.wsize)
	if !ok {
		return v.fail(w, badRef(v.m, w, r, p.wsize))
	}
	if r>>32 > math.MaxInt/max(p.gsize, 1) {
		return v.fail(w, tooLargeHere(r>>32, p.gsize))
	}
	if !p.lay.refs {
		return v.blocks(p, to, r>>32)
	}
	if !v.enter(w) || !v.blocks(p, to, r>>32) {
		return false
	}
	v.depth++
	return true
}

func (v *verifier) pointer(o *op, w uint64) bool {
	r := load64(v.m, w)
	p := o.sub
	switch {
	case r == 0:
		return true
	case r == 1:
		return v.fail(w, badEmpty(kindPointer))
	case p.wsize == 0:
		return r == 1|1<<32 || v.fail(w, badZeroSize(r))
	}
	if v.refs != nil {
		if s, err := v.known(w, r, p.id); err != nil {
			return v.fail(w, err)
		} else if s != nil {
			return true
		}
	}
	to, ok := v.object(w, r, p.wsize)
	switch {
	case !ok:
		return v.fail(w, badRef(v.m, w, r, p.wsize))
	case r>>32 != 1:
		return v.fail(w, badCount(r))
	}
	if v.refs != nil {
		v.refs.meet(seen{to: to, id: p.id, count: 1})
	}
	if !p.lay.refs {
		return v.block(p, to)
	}
	if !v.enter(w) || !v.block(p, to) {
		return false
	}
	v.depth++
	return true
}

func (v *verifier) mapping(o *op, w uint64) bool {
	r := load64(v.m, w)
	p, m := o.sub, o.maps
	switch {
	case r <= 1:
		return true
	case p.wsize == 0:
		return r == 1|1<<32 || v.fail(w, badZeroSize(r))
	}
	n := r >> 32
	if v.refs != nil {
		if s, err := v.known(w, r, m.id); err != nil {
			return v.fail(w, err)
		} else if s != nil {
			return true
		}
	}
	to, ok := v.object(w, r, p.wsize)
	if !ok {
		return v.fail(w, badRef(v.m, w, r, p.wsize))
	}
	if n > math.MaxInt {
		return v.fail(w, tooManyHere(n))
	}
	if v.refs != nil {
		v.refs.meet(seen{to: to, id: m.id, count: n})
	}
	if p.lay.refs && !v.enter(w) {
		return false
	}
	key := &p.lay.fields[0]
	for i := range n {
		at := to + i*p.wsize
		if !v.block(p, at) {
			v.trail.add("", int(i))
			return false
		}
		if !v.ordered(key, at, i, p.wsize, m) {
			v.fail(at, v.keys.bad)
			v.trail.add("", int(i))
			return false
		}
	}
	if p.lay.refs {
		v.depth++
	}
	return true
}

func (v *verifier) iface(o *op, w uint64) bool {
	r := load64(v.m, w)
	if r == 0 {
		return true
	}
	b, at, err := v.box(w, r, o.typ)
	if err != nil {
		return v.fail(w, err)
	}
	if b.foreign {
		return v.fail(w, errForeignBox)
	}
	if !v.enter(w) || !v.block(b.plan, at) {
		return false
	}
	v.depth++
	return true
}

// errForeignBox ends a verifier that comes upon a box of another schema, which is checked by reading it.
var errForeignBox = failf(ErrSchema, "a box of another schema")

func (c *core) verify(m []byte) error {
	graph, err := c.check("verify", m)
	if err != nil {
		return err
	}
	if c.foreign {
		d := c.zero() // what a value becomes is seen only by reading it
		return c.decode(m, d, fresh)
	}
	return c.verifyBody("verify", m, graph)
}

// verifyBody checks all of a message but its header.
func (c *core) verifyBody(op string, m []byte, graph bool) error {
	var v verifier
	v.start(c, m, c.plan)
	if graph {
		v.startRefs(c, c.plan, headerSize, none)
		defer v.refs.give()
	}
	if !v.block(c.plan, headerSize) {
		if v.err == errForeignBox {
			return c.decodeAt(m, graph, c.plan, headerSize, c.zero(), fresh) // of a message being built the header is not there yet
		}
		return c.decodeError(op, v.offset, v.trail, v.err)
	}
	return nil
}

package format

import (
	"errors"
	"math/bits"
	"slices"
	"time"
)

// A sizer computes the size that a value has as a message, in bytes.
type sizer struct {
	descent
	codec   *core
	size    uint64
	skipped uint64    // bytes that Gather leaves where they are
	gather  bool      // whether it does
	refs    *refTable // of what was counted, under WithRefs
	steps   int       // where positive: how many objects may still be entered
	err     error
	trail   *trail
}

// measure computes the size of the message of the value at src.
func (c *core) measure(src ptr, gather bool) (z sizer) {
	if c.lost != nil {
		z.err = c.lost
		return z
	}
	z.codec, z.gather = c, gather
	z.start(c.maxDepth)
	z.message(src)
	if z.err != nil && z.depth > c.maxDepth && !c.foreign {
		// Too deep, or round and round? Go on for a while from the object that was one too deep.
		again := sizer{codec: c, descent: descent{max: c.maxDepth + min(c.maxDepth, defaultDepth), next: c.maxDepth + 1}, steps: 8 * defaultDepth}
		again.message(src)
		if errors.Unwrap(again.err) == ErrCycle { // no more than that: errors of methods have methods, too
			return again
		}
	}
	return z
}

func (z *sizer) message(src ptr) {
	p := z.codec.plan
	if z.codec.refs {
		z.refs = takeRefs()
		defer z.refs.give()
		z.refs.visit(number(identPtr(src)), p.id, 0)
	}
	switch {
	case !z.add(headerSize + up8(p.wsize)):
	case z.codec.foreign:
		z.written(p, src)
	case p.walks:
		z.block(p, src)
	}
}

// written counts what the value at src, whose block has been counted last, refers to where the schema is another
// than its type's: it writes that.
func (z *sizer) written(p *plan, src ptr) bool {
	b := scratch.Get().(*[]byte)
	block := up8(p.wsize)
	from := headerSize + (z.size-block-headerSize)%cacheLine // large objects come to begin where they will
	e := encoder{codec: z.codec, apart: true, descent: descent{depth: z.depth, max: z.max, next: z.depth + 1}}
	e.m = slices.Grow((*b)[:0], int(from))
	e.m = e.m[:cap(e.m)]
	e.clip()
	e.end = from
	defer func() {
		*b = e.m
		giveScratch(b)
		e.done()
	}()
	if _, ok := e.alloc(block); !ok || !e.block(p, src, from) {
		z.err, z.trail = e.err, e.trail
		return false
	}
	return z.add(e.end - from - block)
}

// add counts n bytes. It ends the walk of a value that is too large, which may never end otherwise:
// what is shared is written in full each time.
func (z *sizer) add(n uint64) bool {
	z.size += n
	return z.size <= z.codec.maxMessage || z.fail(z.codec.tooLarge(z.size))
}

// enter is descent's, with an end to the steps.
func (z *sizer) enter(id ident, n uint64, p *plan) bool {
	err := z.descent.enter(id, n, p)
	if err == nil && z.steps > 0 {
		if z.steps--; z.steps == 0 {
			err = ErrLimit
		}
	}
	return err == nil || z.fail(err)
}

// enterOnce is the encoder's.
func (z *sizer) enterOnce(id ident, n uint64, p *plan) bool {
	if z.refs == nil {
		return z.enter(id, n, p)
	}
	err := z.enterNew()
	return err == nil || z.fail(err)
}

func (z *sizer) fail(err error) bool {
	z.err = err
	z.trail = new(trail)
	return false
}

// object adds n blocks of p.
func (z *sizer) object(n, size uint64) bool {
	if n > maxCount {
		return z.fail(tooMany(n))
	}
	hi, bytes := bits.Mul64(n, size)
	if hi != 0 || bytes > maxMessage {
		bytes = maxMessage
	}
	if bytes >= largeObject {
		z.size = upLarge(z.size)
	}
	return z.add(up8(bytes))
}

func (z *sizer) block(p *plan, src ptr) bool {
	for i := range p.ops {
		o := &p.ops[i]
		ok := true
		switch o.kind {
		case opString:
			ok = z.object(uint64(len(loadString(place(src, o)))), 1)
		case opStringPtr:
			if q, null := loadPtr(place(src, o)); !null {
				ok = z.object(uint64(len(loadString(q))), 1)
			}
		case opPlainSlice:
			_, n, _, _ := loadSlice(place(src, o))
			ok = z.object(n, o.sub.wsize)
			if z.gather && n*o.sub.wsize >= largeObject && !o.gaps {
				z.skipped += up8(n * o.sub.wsize)
				if n*o.sub.wsize&7 != 0 {
					z.skipped -= 8
				}
			}
		case opMap:
			ok = z.mapping(o, place(src, o))
		case opIface:
			ok = z.iface(o, place(src, o))
		case opCustom:
			ok = z.custom(o, place(src, o))
		case opTime:
			ok = z.time(loadTime(place(src, o)))
		case opOptionals:
			ok = !o.times || z.times(o, src)
		case opSlice:
			if data, n, _, _ := loadSlice(place(src, o)); n > 0 {
				ok = z.objects(o.sub, data, n, identSlice(data))
			}
		case opPtr:
			if q, null := loadPtr(place(src, o)); !null && o.sub.wsize > 0 {
				ok = z.pointee(o.sub, q)
			} else if !null && o.sub.walks {
				ok = z.block(o.sub, q)
			}
		case opBlock:
			ok = !o.sub.walks || z.block(o.sub, place(src, o))
		case opArray:
			ok = !o.sub.walks || z.blocks(o.sub, place(src, o), o.n)
		case opUnknown:
			ok = z.unknown(place(src, o))
		}
		if !ok {
			z.trail.add(o.name, -1)
			return false
		}
	}
	return true
}

func (z *sizer) objects(p *plan, data ptr, n uint64, id ident) bool {
	if !z.object(n, p.wsize) {
		return false
	}
	if !p.walks {
		return true
	}
	if p.lay.refs && !z.enter(id, n, p) || !z.blocks(p, data, n) {
		return false
	}
	if p.lay.refs {
		z.leave()
	}
	return true
}

func (z *sizer) pointee(p *plan, q ptr) bool {
	if z.refs != nil {
		if _, known := z.refs.visit(number(identPtr(q)), p.id, 0); known {
			return true
		}
	}
	if !z.object(1, p.wsize) {
		return false
	}
	if !p.walks {
		return true
	}
	if p.lay.refs && !z.enterOnce(identPtr(q), 1, p) || !z.block(p, q) {
		return false
	}
	if p.lay.refs {
		z.leave()
	}
	return true
}

func (z *sizer) blocks(p *plan, data ptr, n uint64) bool {
	for i := range n {
		if !z.block(p, elem(data, i, p)) {
			z.trail.add("", int(i))
			return false
		}
	}
	return true
}

// custom counts the value at src that marshals itself.
func (z *sizer) custom(o *op, src ptr) bool {
	b := scratch.Get().(*[]byte)
	defer giveScratch(b)
	out, err := o.own.marshal((*b)[:0], valueAt(src, o.typ).Addr().Interface())
	if err != nil {
		return z.fail(err)
	}
	return z.object(uint64(len(out)), 1)
}

// unknown checks an Unknown, which cannot be written under the own schema of its type when it holds fields.
func (z *sizer) unknown(g ptr) bool {
	u := loadUnknown(g)
	return !u.holds() || z.fail(otherSchema(u))
}

// time checks a time, which cannot be written when its zone is none.
func (z *sizer) time(t time.Time) bool {
	var block [16]byte
	if err := putTime(block[:], 0, t); err != nil {
		return z.fail(err)
	}
	return true
}

// times checks the optionals that are times.
func (z *sizer) times(o *op, src ptr) bool {
	for i := range o.opts {
		q := &o.opts[i]
		if q.kind != kindTime {
			continue
		}
		if v, null := loadPtr(placeOpt(src, q)); !null && !z.time(loadTime(v)) {
			z.trail.add(q.name, -1)
			return false
		}
	}
	return true
}

package format

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/buffer"
)

// A descent counts how deep a walk of a Go value is and finds out when it has met itself.
//
// It remembers one object of the path, the last one at a depth that is a power of two, and compares
// each deeper one with it (Brent's way to find a cycle). A walk that goes round meets that object again
// before it has gone a few times round, so that a cycle costs little more than the cycle is long.
type descent struct {
	depth, max int
	mark       int // depth of the remembered object, 0 for none
	at         ident
	n          uint64
	plan       *plan
}

// enter goes one step deeper, to n blocks at id. It returns nil or the cause to stop.
func (d *descent) enter(id ident, n uint64, p *plan) error {
	d.depth++
	if d.depth > d.max {
		return failf(ErrLimit, "%d refs on one path, at most MaxDepth %d", d.depth, d.max)
	}
	if d.mark != 0 && d.at == id && d.n == n && d.plan == p {
		return failf(ErrCycle, "this %s is part of itself", p.typ)
	}
	if d.depth&(d.depth-1) == 0 {
		d.mark, d.at, d.n, d.plan = d.depth, id, n, p
	}
	return nil
}

func (d *descent) leave() {
	if d.depth == d.mark {
		d.mark = 0
	}
	d.depth--
}

// An encoder writes one message. m is the message as far as it is written, in memory that has room to
// m's capacity.
type encoder struct {
	descent
	m     []byte
	codec *core
	src   ptr
	dst   []byte         // what Append appends to
	buf   *buffer.Buffer // what Encode writes into, or nil
	gap   int            // bytes of the gap before the message in buf
	err   error
	path  string // of err, where it is known from a walk of its own; else
	trail *trail // collects it
}

// message writes the header and the root. On failure e.err says why.
func (e *encoder) message() bool {
	p := e.codec.plan
	if _, ok := e.alloc(headerSize + p.wsize); !ok {
		return false
	}
	store64(e.m, 8, e.codec.fingerprint)
	if p.plain {
		storePlain(e.m, headerSize, e.src, 1, p)
	} else if !e.block(p, e.src, headerSize) {
		return false
	}
	if len(p.lay.gaps) > 0 {
		zeroSpans(e.m, headerSize, p.lay.gaps)
	}
	store64(e.m, 0, header(uint64(len(e.m))))
	return true
}

// alloc lengthens the message by n bytes, rounded up to words, and returns where they begin. Only the
// bytes that round up are written.
func (e *encoder) alloc(n uint64) (at uint64, ok bool) {
	at = uint64(len(e.m))
	end := at + up8(n)
	if end > uint64(cap(e.m)) && !e.grow(end) {
		return 0, false
	}
	e.m = e.m[:end]
	if n&7 != 0 {
		store64(e.m, end-8, 0)
	}
	return at, true
}

// grow makes room for the whole message, which has at least end bytes.
func (e *encoder) grow(end uint64) bool {
	if end > e.codec.maxMessage {
		e.err = e.codec.tooLarge(end)
		return false
	}
	z := sizer{descent: descent{max: e.codec.maxDepth}}
	total := z.message(e.codec, e.src)
	if z.err != nil {
		e.err, e.path = z.err, z.trail.String()
		return false
	}
	// A value that another goroutine changes can have grown since.
	need := max(total, end)
	done := len(e.m)
	if e.buf != nil {
		free, err := e.buf.Reserve(e.gap + int(need))
		if err != nil {
			e.err = err
			return false
		}
		e.m = free[e.gap:][:done]
	} else {
		full := append(e.dst, e.m...)
		full = slices.Grow(full, int(need)-done)
		e.dst = full[:len(e.dst)]
		e.m = full[len(e.dst):]
	}
	e.clip()
	return true
}

// clip hides the room beyond the largest message.
func (e *encoder) clip() {
	if uint64(cap(e.m)) > e.codec.maxMessage {
		e.m = e.m[:len(e.m):e.codec.maxMessage]
	}
}

// fail notes the cause of a failure at the block that is being written.
func (e *encoder) fail(err error) bool {
	e.err, e.trail = err, new(trail)
	return false
}

// object allocates n blocks of size bytes and stores the ref to them at w.
func (e *encoder) object(w, n, size uint64) (at uint64, ok bool) {
	if n > maxCount {
		return 0, e.fail(failf(ErrLimit, "%d elements, at most %d", n, uint64(maxCount)))
	}
	if at, ok = e.alloc(n * size); ok {
		store64(e.m, w, (at-w)>>3|n<<32)
	}
	return at, ok
}

// block writes the block of p at offset at from the Go value src. It writes every byte of the block
// except the gaps.
func (e *encoder) block(p *plan, src ptr, at uint64) bool {
	for i := range p.ops {
		o := &p.ops[i]
		w := at + o.woff
		switch o.kind {
		case opRun:
			storeRun(e.m, w, place(src, o), o)
			continue
		case opBools:
			storeBools(e.m, w, place(src, o), o.n)
			continue
		case opString:
			s := loadString(place(src, o))
			if len(s) == 0 {
				store64(e.m, w, 0)
				continue
			}
			if e.bytes(w, s) {
				continue
			}
		case opSlice:
			if e.slice(o, place(src, o), w) {
				continue
			}
		case opPtr:
			if e.pointer(o, place(src, o), w) {
				continue
			}
		case opStringPtr:
			q, null := loadPtr(place(src, o))
			if null {
				store64(e.m, w, 0)
				continue
			}
			s := loadString(q)
			if len(s) == 0 {
				store64(e.m, w, 1)
				continue
			}
			if e.bytes(w, s) {
				continue
			}
		case opOptionals:
			e.optionals(o, src, at)
			continue
		case opPlain:
			storePlain(e.m, w, place(src, o), 1, o.sub)
			continue
		case opInt:
			store64(e.m, w, loadInt(place(src, o), o.typ))
			continue
		case opBlock:
			if e.block(o.sub, place(src, o), w) {
				continue
			}
		case opArray:
			if e.array(o, place(src, o), w) {
				continue
			}
		}
		e.trail.add(o.name, -1)
		return false
	}
	return true
}

// bytes writes a string that is not empty behind the message.
func (e *encoder) bytes(w uint64, s string) bool {
	at, ok := e.object(w, uint64(len(s)), 1)
	if ok {
		copy(e.m[at:], s)
	}
	return ok
}

func (e *encoder) array(o *op, src ptr, w uint64) bool {
	for i := range o.n {
		if !e.block(o.sub, elem(src, i, o.sub), w+i*o.sub.wsize) {
			e.trail.add("", int(i))
			return false
		}
	}
	return true
}

func (e *encoder) slice(o *op, src ptr, w uint64) bool {
	data, n, _, null := loadSlice(src)
	p := o.sub
	switch {
	case null:
		store64(e.m, w, 0)
		return true
	case n == 0:
		store64(e.m, w, 1)
		return true
	case p.wsize == 0:
		if n > maxCount {
			return e.fail(failf(ErrLimit, "%d elements, at most %d", n, uint64(maxCount)))
		}
		store64(e.m, w, 1|n<<32)
		return true
	}
	at, ok := e.object(w, n, p.wsize)
	if !ok {
		return false
	}
	if p.plain {
		storePlain(e.m, at, data, n, p)
		if len(p.lay.gaps) > 0 {
			e.zeroGaps(p, at, n)
		}
		return true
	}
	if p.lay.refs {
		if err := e.enter(identSlice(data), n, p); err != nil {
			return e.fail(err)
		}
	}
	for i := range n {
		if !e.block(p, elem(data, i, p), at+i*p.wsize) {
			e.trail.add("", int(i))
			return false
		}
	}
	if len(p.lay.gaps) > 0 {
		e.zeroGaps(p, at, n)
	}
	if p.lay.refs {
		e.leave()
	}
	return true
}

// zeroGaps clears the gaps of n blocks.
func (e *encoder) zeroGaps(p *plan, at, n uint64) {
	if g := p.lay.gaps; len(g) == 1 && g[0].n == 1 {
		zeroStride(e.m, at+g[0].offset, g[0].width, p.wsize, n)
		return
	}
	for i := range n {
		zeroSpans(e.m, at+i*p.wsize, p.lay.gaps)
	}
}

func (e *encoder) pointer(o *op, src ptr, w uint64) bool {
	q, null := loadPtr(src)
	p := o.sub
	switch {
	case null:
		store64(e.m, w, 0)
		return true
	case p.wsize == 0:
		store64(e.m, w, 1|1<<32)
		return true
	}
	at, ok := e.object(w, 1, p.wsize)
	if !ok {
		return false
	}
	if p.lay.refs {
		if err := e.enter(identPtr(q), 1, p); err != nil {
			return e.fail(err)
		}
		if !e.block(p, q, at) {
			return false
		}
		e.leave()
	} else if p.plain {
		storePlain(e.m, at, q, 1, p)
	} else if !e.block(p, q, at) {
		return false
	}
	if len(p.lay.gaps) > 0 {
		zeroSpans(e.m, at, p.lay.gaps)
	}
	return true
}

// optionals writes the optionals of one word of a presence bitmap, and the word.
func (e *encoder) optionals(o *op, src ptr, at uint64) {
	var word uint64
	for i := range o.opts {
		q := &o.opts[i]
		v, null := loadPtr(placeOpt(src, q))
		if null {
			zeroScalar(e.m, at+q.woff, q)
			continue
		}
		word |= 1 << q.bit
		storeScalar(e.m, at+q.woff, v, q)
	}
	store64(e.m, at+o.woff, word)
}

// A sizer computes the size that a value has as a message, in bytes.
type sizer struct {
	descent
	size  uint64
	err   error
	trail *trail
}

func (z *sizer) message(c *core, src ptr) uint64 {
	z.size = headerSize + up8(c.plan.wsize)
	if c.plan.lay.refs {
		z.block(c.plan, src)
	}
	if z.err == nil && z.size > c.maxMessage {
		z.err = c.tooLarge(z.size)
	}
	return z.size
}

func (z *sizer) fail(err error) bool {
	z.err = err
	z.trail = new(trail)
	return false
}

// object adds n blocks of p.
func (z *sizer) object(n, size uint64) bool {
	if n > maxCount {
		return z.fail(failf(ErrLimit, "%d elements, at most %d", n, uint64(maxCount)))
	}
	hi, s := bits.Mul64(n, size)
	if hi != 0 || z.size+up8(s) < z.size || s > 1<<63 {
		return z.fail(failf(ErrLimit, "a message of more than %d bytes", uint64(maxMessage)))
	}
	z.size += up8(s)
	return true
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
		case opSlice:
			if data, n, _, _ := loadSlice(place(src, o)); n > 0 {
				ok = z.objects(o.sub, data, n, identSlice(data))
			}
		case opPtr:
			if q, null := loadPtr(place(src, o)); !null && o.sub.wsize > 0 {
				ok = z.pointee(o.sub, q)
			}
		case opBlock:
			ok = !o.sub.lay.refs || z.block(o.sub, place(src, o))
		case opArray:
			ok = !o.sub.lay.refs || z.blocks(o.sub, place(src, o), o.n)
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
	if !p.lay.refs {
		return true
	}
	if err := z.enter(id, n, p); err != nil {
		return z.fail(err)
	}
	if !z.blocks(p, data, n) {
		return false
	}
	z.leave()
	return true
}

func (z *sizer) pointee(p *plan, q ptr) bool {
	if !z.object(1, p.wsize) {
		return false
	}
	if !p.lay.refs {
		return true
	}
	if err := z.enter(identPtr(q), 1, p); err != nil {
		return z.fail(err)
	}
	if !z.block(p, q) {
		return false
	}
	z.leave()
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

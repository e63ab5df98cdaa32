package format

import (
	"slices"

	"github.com/ashlar-go/ashlar/buffer"
)

// An encoder writes one message. m is the memory that the message may fill and end is how far it does.
type encoder struct {
	descent
	m     []byte
	room  uint64 // len(m)
	end   uint64
	codec *core
	src   ptr
	dst   []byte         // what Append appends to
	buf   *buffer.Buffer // what Encode writes into, or nil
	had   int            // bytes in buf before it
	gap   int            // bytes of the gap before the message in buf
	err   error
	path  string // of err, where it is known from a walk of its own; else
	trail *trail // collects it

	flags   uint64
	refs    *refTable // of what was written, under WithRefs
	boxes   []uint64  // ids of the boxes that were written, if notes
	notes   bool
	scratch *[]byte  // what methods append to
	lacks   uint64   // bytes that buf has no room for, 0 for none
	apart   bool     // what is written is no message of the codec's type
	open    bool     // the first word is left zero
	built   bool     // the message is built part by part
	same    [2]*rest // two that are the same

	// Where parts of the message are left where they are (Gather), offsets in m are smaller than those in
	// the message: at its end by skip, in the object whose refs are being written by delta.
	skip, delta uint64
	gather      gathering
}

// run writes the message and gives back what that needed.
func (e *encoder) run() bool {
	if e.codec.guarded {
		if e.codec.lost != nil {
			e.err = e.codec.lost
			return false
		}
		if err := enterRun(); err != nil {
			e.err = err
			return false
		}
		defer leaveRun()
	}
	ok := e.message()
	e.done()
	return ok
}

// message writes the header and the root. On failure e.err says why.
func (e *encoder) message() bool {
	e.start(e.codec.maxDepth)
	e.clip()
	p := e.codec.plan
	if e.codec.refs {
		e.refs = takeRefs()
		if p.wsize > 0 {
			e.refs.visit(number(identPtr(e.src)), p.id, headerSize)
		}
	}
	if _, ok := e.alloc(headerSize + up8(p.wsize)); !ok {
		return false
	}
	store64(e.m, e.end-8, 0)
	store64(e.m, 0, 0)
	if e.codec.flat {
		e.plain(p, headerSize, e.src, 1)
	} else if !e.block(p, e.src, headerSize) {
		return false
	}
	if total := e.end + e.skip; total > e.codec.maxMessage {
		return e.fail(e.codec.tooLarge(total))
	}
	store64(e.m, 8, e.codec.fingerprint)
	if e.open {
		return true
	}
	store64(e.m, 0, header(e.end+e.skip)|e.flags<<24) // last: without it there is no message, SPEC §1.4
	return true
}

// done gives back what the encoder has borrowed.
func (e *encoder) done() {
	if e.refs != nil {
		e.refs.give()
	}
	if e.scratch != nil {
		giveScratch(e.scratch)
	}
}

// enterOnce goes one step deeper, to a pointee or a map.
func (e *encoder) enterOnce(id ident, n uint64, p *plan) error {
	if e.refs != nil {
		return e.enterNew()
	}
	return e.enter(id, n, p)
}

// alloc lengthens the message by n bytes, which are whole words, and returns where they begin. It must
// inline. It writes nothing: the caller stores zero in the last word before it fills the rest.
func (e *encoder) alloc(n uint64) (at uint64, ok bool) {
	at = e.end
	e.end += n
	return at, e.end <= e.room || e.grow(at)
}

// align moves the end of the message to where a large object may begin, SPEC §3.6.
func (e *encoder) align() bool {
	at := e.end
	e.end = upLarge(at+e.skip) - e.skip
	if e.end > e.room && !e.grow(at) {
		return false
	}
	for ; at < e.end; at += 8 {
		store64(e.m, at, 0)
	}
	return true
}

// grow makes room for the whole message, of which done bytes are written and e.end are wanted at least.
func (e *encoder) grow(done uint64) bool {
	if e.end > e.codec.maxMessage {
		e.err = e.codec.tooLarge(e.end)
		return false
	}
	if e.apart {
		e.m = slices.Grow(e.m[:done], int(e.end-done))
		e.m = e.m[:cap(e.m)]
		e.clip()
		return e.end <= e.room
	}
	need, ok := e.need()
	if !ok {
		return false
	}
	if e.buf != nil {
		free, err := e.buf.Reserve(e.gap + int(need))
		if err != nil && e.codec.guarded { // need was a guess
			free, err = e.buf.Reserve(e.gap + int(e.end))
		}
		if err != nil {
			e.err, e.lacks = err, need
			return false
		}
		e.m = free[e.gap:]
	} else {
		full := append(e.dst, e.m[:done]...)
		full = slices.Grow(full, int(need-done))
		e.dst = full[:len(e.dst)]
		e.m = full[len(e.dst):cap(full)]
	}
	e.clip()
	return true
}

// need returns how many bytes there must be room for. A value whose methods would be called, and maybe
// write values of their own, is not measured: that would call them twice at each level; nor is one that is written
// under another schema, which is measured by writing it.
func (e *encoder) need() (n uint64, ok bool) {
	if e.built {
		return e.end, true
	}
	if e.codec.guarded {
		return min(max(e.end, 2*e.room), e.codec.maxMessage), true
	}
	z := e.codec.measure(e.src, e.gather.on)
	if z.err != nil {
		e.err, e.path = z.err, z.trail.String()
		return 0, false
	}
	// A value that another goroutine changes can have grown since.
	return max(z.size-z.skipped, e.end), true
}

// clip hides the room beyond the largest message and notes how much there is.
func (e *encoder) clip() {
	if uint64(len(e.m)) > e.codec.maxMessage {
		e.m = e.m[:e.codec.maxMessage]
	}
	e.room = uint64(len(e.m))
}

// stop notes the cause for which enter has stopped.
func (e *encoder) stop(err error) bool {
	if e.depth > e.max && !e.apart && !e.built && !e.codec.foreign {
		if z := e.codec.measure(e.src, false); z.err != nil {
			e.err, e.path = z.err, z.trail.String()
			return false
		}
	}
	return e.fail(err)
}

// fail notes the cause of a failure at the block that is being written.
func (e *encoder) fail(err error) bool {
	e.err, e.trail = err, new(trail)
	return false
}

// refer stores at w the ref to n blocks at the offset at, the last of the message, and zero in their
// last word.
func (e *encoder) refer(w, at, n uint64) {
	store64(e.m, e.end-8, 0)
	store64(e.m, w, (at+e.skip-w-e.delta)>>3|n<<32)
}

func (e *encoder) tooMany(n uint64) bool { return e.fail(tooMany(n)) }

func tooMany(n uint64) error {
	return failf(ErrLimit, "%d elements, at most %d", n, uint64(maxCount))
}

// block writes the block of p at offset at from the Go value src: every byte of it.
func (e *encoder) block(p *plan, src ptr, at uint64) bool {
	for _, w := range p.words {
		store64(e.m, at+w, 0)
	}
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
			if e.string(loadString(place(src, o)), w, 0) {
				continue
			}
		case opPlainSlice:
			data, n, _, null := loadSlice(place(src, o))
			if n-1 < maxCount {
				size := n * o.n
				if size >= largeObject {
					if !e.align() {
						break
					}
					if e.gather.on && !o.gaps {
						if e.reference(w, data, n, size) {
							continue
						}
						break
					}
				}
				if at, ok := e.alloc(up8(size)); ok {
					e.refer(w, at, n)
					if o.gaps {
						e.plain(o.sub, at, data, n)
					} else {
						copyOut(e.m, at, data, size)
					}
					continue
				}
			} else if n == 0 {
				store64(e.m, w, oneIf(!null))
				continue
			} else {
				e.tooMany(n)
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
			if e.string(loadString(q), w, 1) {
				continue
			}
		case opOptionals:
			if e.optionals(o, src, at) {
				continue
			}
		case opMap:
			if e.mapping(o, place(src, o), w) {
				continue
			}
		case opIface:
			if e.iface(o, place(src, o), w) {
				continue
			}
		case opCustom:
			if e.custom(o, place(src, o), w) {
				continue
			}
		case opTime:
			err := putTime(e.m, w, loadTime(place(src, o)))
			if err == nil {
				continue
			}
			e.fail(err)
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
		default:
			if e.evolved(o, place(src, o), at) {
				continue
			}
		}
		e.trail.add(o.name, -1)
		return false
	}
	if len(p.gaps) > 0 {
		zeroSpans(e.m, at, p.gaps)
	}
	return true
}

// plain writes n plain blocks of p at offset at from the Go values that begin at src.
func (e *encoder) plain(p *plan, at uint64, src ptr, n uint64) {
	storePlain(e.m, at, src, n, p)
	e.clearGaps(p, at, n)
}

// clearGaps writes zero into the gaps of n plain blocks of p at offset at.
func (e *encoder) clearGaps(p *plan, at, n uint64) {
	if g := p.lay.gaps; len(g) == 1 && g[0].n == 1 {
		zeroStride(e.m, at+g[0].offset, g[0].width, p.wsize, n)
	} else if len(g) > 0 {
		for i := range n {
			zeroSpans(e.m, at+i*p.wsize, g)
		}
	}
}

// oneIf is the ref of an empty slice that is not nil, else that of nil.
func oneIf(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// string writes a string, whose ref is at w; empty is the ref of an empty one.
func (e *encoder) string(s string, w, empty uint64) bool {
	n := uint64(len(s))
	if n == 0 {
		store64(e.m, w, empty)
		return true
	}
	if n > maxCount {
		return e.tooMany(n)
	}
	if n >= largeObject && !e.align() {
		return false
	}
	at, ok := e.alloc(up8(n))
	if ok {
		e.refer(w, at, n)
		copyString(e.m, at, s)
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
	case n == 0:
		store64(e.m, w, oneIf(!null))
		return true
	case n > maxCount:
		return e.tooMany(n)
	case p.wsize == 0:
		store64(e.m, w, 1|n<<32)
		return true
	}
	if n*p.wsize >= largeObject && !e.align() {
		return false
	}
	at, ok := e.alloc(up8(n * p.wsize))
	if !ok {
		return false
	}
	e.refer(w, at, n)
	delta := e.delta
	if p.lay.refs {
		if err := e.enter(identSlice(data), n, p); err != nil {
			return e.stop(err)
		}
		e.delta = e.skip
	}
	i, ok := e.elements(p, data, n, at)
	if !ok {
		e.trail.add("", int(i))
		return false
	}
	if p.lay.refs {
		e.delta = delta
		e.leave()
	}
	return true
}

// elements writes the n blocks of a slice, for those whose plan is a single op without a call of block.
// On failure it returns the element's index.
func (e *encoder) elements(p *plan, data ptr, n, at uint64) (i uint64, ok bool) {
	switch {
	case p.pointee != nil:
		for i = range n {
			if !e.pointer(p.pointee, elem(data, i, p), at+i*8) {
				return i, false
			}
		}
	case p.lay.kind == kindString:
		for i = range n {
			if !e.string(loadString(elem(data, i, p)), at+i*8, 0) {
				return i, false
			}
		}
	default:
		for i = range n {
			if !e.block(p, elem(data, i, p), at+i*p.wsize) {
				return i, false
			}
		}
	}
	return 0, true
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
		return len(p.ops) == 0 || e.block(p, q, w) // there may be an Unknown
	}
	if e.refs != nil && e.shared(w, number(identPtr(q)), p.id, 1, p.wsize) {
		return true
	}
	if p.wsize >= largeObject && !e.align() {
		return false
	}
	at, ok := e.alloc(up8(p.wsize))
	if !ok {
		return false
	}
	e.refer(w, at, 1)
	if p.lay.refs {
		if err := e.enterOnce(identPtr(q), 1, p); err != nil {
			return e.stop(err)
		}
		delta := e.delta
		e.delta = e.skip
		if !e.block(p, q, at) {
			return false
		}
		e.delta = delta
		e.leave()
	} else if p.plain {
		e.plain(p, at, q, 1)
	} else {
		return e.block(p, q, at)
	}
	return true
}

// optionals writes the optionals of one word of a presence bitmap, and the word.
func (e *encoder) optionals(o *op, src ptr, at uint64) bool {
	if o.leads {
		store64(e.m, at+o.woff, storeOptionals(e.m, at, src, o.bySize))
		return true
	}
	var word uint64
	for i := range o.opts {
		q := &o.opts[i]
		v, null := loadPtr(placeOpt(src, q))
		if null {
			zeroScalar(e.m, at+q.woff, q)
			continue
		}
		word |= 1 << q.bit
		if q.kind != kindTime {
			storeScalar(e.m, at+q.woff, v, q)
		} else if err := putTime(e.m, at+q.woff, loadTime(v)); err != nil {
			e.fail(err)
			e.trail.add(q.name, -1)
			return false
		}
	}
	store64(e.m, at+o.woff, word)
	return true
}

// custom writes the value at src that marshals itself, whose ref is at w.
func (e *encoder) custom(o *op, src ptr, w uint64) bool {
	if e.scratch == nil {
		e.scratch = scratch.Get().(*[]byte)
	}
	b, err := o.own.marshal((*e.scratch)[:0], valueAt(src, o.typ).Addr().Interface())
	if err == nil && e.buf != nil && e.buf.Len() != e.had {
		err = errBufferUsed // what was written there is whole, and stays
	}
	if err != nil {
		return e.fail(err)
	}
	if o.own.append && cap(b) > cap(*e.scratch) {
		*e.scratch = make([]byte, 0, cap(b)) // b may be somebody else's
	}
	return e.bytes(b, w, 1)
}

// bytes writes bytes, whose ref is at w; empty is the ref of none.
func (e *encoder) bytes(b []byte, w, empty uint64) bool {
	n := uint64(len(b))
	if n == 0 {
		store64(e.m, w, empty)
		return true
	}
	if n > maxCount {
		return e.tooMany(n)
	}
	if n >= largeObject && !e.align() {
		return false
	}
	at, ok := e.alloc(up8(n))
	if ok {
		e.refer(w, at, n)
		copy(e.m[at:], b)
	}
	return ok
}

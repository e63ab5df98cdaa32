package format

import (
	"slices"
	"sync"
)

// This file copies values that this program has no types for, from one message to another, by their layouts. All
// of SPEC §5.2 is checked, bools, times, bitmaps and keys in the copy: the original may be in memory that others
// change.

// A graft copies values from the message that it reaches to one that an encoder writes, which its methods are given:
// kept in it, the encoder would escape.
type graft struct {
	reach
	checked bool // the keys were looked at before
	nest    int  // blocks that the walk is in
	err     error
	offset  uint64 // of err
	trail   *trail
}

// A grafting is a graft with a message of its own.
type grafting struct {
	graft
	own encoder
}

var grafts = sync.Pool{New: func() any { return new(grafting) }}

// start is for what d reads next.
func (s *grafting) start(d *decoder) {
	m := slices.Grow(s.own.m[:0], 512)
	s.own = encoder{codec: d.codec, apart: true, m: m[:cap(m)], end: headerSize}
	s.own.clip()
	s.graft = graft{reach: d.reach}
	s.keys = keys{}
	s.types = d.codec.types.load()
}

// give keeps the memory for the next one, if it is little.
func (s *grafting) give() {
	m := s.own.m
	if cap(m) > mostScratch {
		m = nil
	}
	s.graft, s.own = graft{}, encoder{m: m}
	grafts.Put(s)
}

// fields makes a message of the fields of r of the block at at.
func (s *grafting) fields(r *rest, at uint64) bool {
	e := &s.own
	if _, ok := e.alloc(up8(r.lay.size)); !ok {
		return false
	}
	clear(e.m[:e.end])
	if spare := r.of.optionals % 64; spare > 0 { // of the last word of the bitmap; Go may have none of its optionals
		last := at + uint64(r.of.optionals/64)*8
		if word := load64(s.m, last); word>>spare != 0 {
			return s.fail(last, badBitmap(word, 1<<spare-1))
		}
	}
	for i := range r.fields {
		f, own := &r.fields[i], &r.lay.fields[i]
		l := f.lay
		if f.bit >= 0 {
			l = l.elem
			if load64(s.m, at+uint64(f.bit/64)*8)>>(f.bit%64)&1 == 0 {
				continue
			}
			word := headerSize + uint64(own.bit/64)*8
			store64(e.m, word, load64(e.m, word)|1<<(own.bit%64))
		}
		if !s.value(e, l, at+f.offset, headerSize+own.offset) {
			s.trail.add(f.name, -1)
			return false
		}
	}
	return true
}

func (g *graft) fail(at uint64, err error) bool {
	g.err, g.offset, g.trail = err, at, new(trail)
	return false
}

// value copies the value of l at at to w, which is zero.
func (g *graft) value(e *encoder, l *layout, at, w uint64) bool {
	if l.fixed {
		return g.plain(e, l, at, w, 1)
	}
	// As many blocks as the plans of known values may have on one path, which bounds the stack.
	if g.nest++; g.nest > maxFrames*(g.codec.maxDepth+1) {
		return g.fail(at, failf(ErrLimit, "blocks of unknown fields nest more than %d deep", g.nest-1))
	}
	ok := false
	switch {
	case l.kind == kindTime:
		rest := load64(g.m, at+8)
		if err := badTime(rest); err != nil {
			return g.fail(at, err)
		}
		store64(e.m, w, load64(g.m, at))
		store64(e.m, w+8, rest)
		ok = true
	case l.kind == kindString, l.kind == kindCustom:
		ok = g.text(e, at, w, l.kind == kindString)
	case l.optional():
		switch word := load64(g.m, at); {
		case word > 1:
			return g.fail(at, badBitmap(word, 1))
		case word == 1:
			store64(e.m, w, 1)
			ok = g.value(e, l.elem, at+8, w+8)
		default:
			ok = true
		}
	case l.kind == kindPointer && l.elem.kind == kindString:
		ok = g.text(e, at, w, false)
	case l.kind == kindPointer:
		ok = g.pointer(e, l.elem, at, w)
	case l.kind == kindSlice:
		ok = g.list(e, l.elem, nil, at, w)
	case l.kind == kindMap:
		ok = g.list(e, l.elem, &l.elem.fields[0], at, w)
	case l.kind == kindInterface:
		ok = g.box(e, at, w)
	case l.kind == kindArray:
		ok = g.blocks(e, l.elem, nil, at, w, l.length)
	default:
		ok = g.structure(e, l, at, w)
	}
	g.nest--
	return ok
}

// plain copies n fixed blocks.
func (g *graft) plain(e *encoder, l *layout, at, w, n uint64) bool {
	m := e.m
	copy(m[w:w+n*l.size], g.m[at:at+n*l.size])
	if bad, ok := badBools(m, w, n, l); !ok {
		return g.fail(at+bad-w, badBoolAt(m, bad))
	}
	if len(l.gaps) > 0 {
		for i := range n {
			zeroSpans(m, w+i*l.size, l.gaps)
		}
	}
	return true
}

func (g *graft) structure(e *encoder, l *layout, at, w uint64) bool {
	word := uint64(0)
	for i := range l.fields {
		f := &l.fields[i]
		in, b := f.lay, f.bit
		if b >= 0 {
			if b%64 == 0 {
				from := at + uint64(b/64)*8
				word = load64(g.m, from)
				if valid := ^uint64(0) >> (64 - min(l.optionals-b, 64)); word&^valid != 0 {
					return g.fail(from, badBitmap(word, valid))
				}
				store64(e.m, w+uint64(b/64)*8, word)
			}
			if word>>(b%64)&1 == 0 {
				continue
			}
			in = in.elem
		}
		if !g.value(e, in, at+f.offset, w+f.offset) {
			g.trail.add(f.name, -1)
			return false
		}
	}
	return true
}

// blocks copies n blocks of l, which are entries of a map if there is a key.
func (g *graft) blocks(e *encoder, l *layout, key *layoutField, at, w, n uint64) bool {
	for i := range n {
		from, to := at+i*l.size, w+i*l.size
		ok := g.value(e, l, from, to)
		if ok && key != nil && !g.checked {
			ok = g.ordered(e, key, l.size, from, to, i)
		}
		if !ok {
			g.trail.add("", int(i))
			return false
		}
	}
	return true
}

// ordered checks the key of the i-th entry, size bytes long, where it was copied to.
func (g *graft) ordered(e *encoder, key *layoutField, size, from, to, i uint64) bool {
	k := &g.keys
	if k.m == nil {
		k.start(g.m, g.codec, g.types)
		k.strange = true
	}
	k.m = e.m[:e.end]
	to += key.offset
	if signed(key.lay) {
		k.compare(key.lay, to, to)
	}
	if i > 0 && k.compare(key.lay, to-size, to) >= 0 && k.bad == nil {
		k.bad = errOrder
	}
	return k.bad == nil || g.fail(from, k.bad)
}

// room makes room for n blocks of size bytes, zero, for the ref at w.
func (g *graft) room(e *encoder, w, n, size uint64) (at uint64, ok bool) {
	if n*size >= largeObject && !e.align() {
		return 0, false
	}
	if at, ok = e.alloc(up8(n * size)); ok {
		e.refer(w, at, n)
		clear(e.m[at:e.end])
	}
	return at, ok
}

// text copies the bytes that the ref at at means; in a plain string it is never 1.
func (g *graft) text(e *encoder, at, w uint64, plain bool) bool {
	r := load64(g.m, at)
	if r <= 1 {
		if r == 1 && plain {
			return g.fail(at, badEmpty(kindString))
		}
		store64(e.m, w, r)
		return true
	}
	from, ok := g.object(at, r, 1)
	if !ok {
		return g.fail(at, badRef(g.m, at, r, 1))
	}
	n := r >> 32
	to, ok := g.room(e, w, n, 1)
	if ok {
		copy(e.m[to:to+n], g.m[from:from+n])
	}
	return ok
}

// inside copies n blocks of l, or entries with a key, that the ref at at means.
func (g *graft) inside(e *encoder, l *layout, key *layoutField, r, at, w uint64) bool {
	from, ok := g.object(at, r, l.size)
	if !ok {
		return g.fail(at, badRef(g.m, at, r, l.size))
	}
	n := r >> 32
	to, ok := g.room(e, w, n, l.size)
	switch {
	case !ok:
		return false
	case l.fixed && key == nil:
		return g.plain(e, l, from, to, n)
	case !l.refs:
		return g.blocks(e, l, key, from, to, n)
	}
	delta := e.delta
	e.delta = e.skip
	if !g.enter(at) || !g.blocks(e, l, key, from, to, n) {
		return false
	}
	e.delta = delta
	g.depth++
	return true
}

// enter goes one step deeper.
func (g *graft) enter(at uint64) bool {
	g.depth--
	return g.depth >= 0 || g.fail(at, tooDeep(g.codec.maxDepth))
}

func (g *graft) pointer(e *encoder, l *layout, at, w uint64) bool {
	r := load64(g.m, at)
	switch {
	case r == 1:
		return g.fail(at, badEmpty(kindPointer))
	case l.size == 0 && r != 0 && r != 1|1<<32:
		return g.fail(at, badZeroSize(r))
	case l.size == 0 || r == 0:
		store64(e.m, w, r)
		return true
	case r>>32 != 1:
		return g.fail(at, badCount(r))
	}
	return g.inside(e, l, nil, r, at, w)
}

// list copies a slice, or a map with a key.
func (g *graft) list(e *encoder, l *layout, key *layoutField, at, w uint64) bool {
	r := load64(g.m, at)
	if r > 1 && l.size == 0 && (r>>32 == 0 || int32(r) != 1 || key != nil && r>>32 != 1) {
		return g.fail(at, badZeroSize(r))
	}
	if r <= 1 || l.size == 0 {
		store64(e.m, w, r)
		return true
	}
	return g.inside(e, l, key, r, at, w)
}

func (g *graft) box(e *encoder, at, w uint64) bool {
	r := load64(g.m, at)
	if r == 0 {
		return true
	}
	from, ok := g.object(at, r, 8)
	switch {
	case r == 1:
		return g.fail(at, badEmpty(kindInterface))
	case !ok:
		return g.fail(at, badRef(g.m, at, r, 8))
	case r>>32 != 1:
		return g.fail(at, badCount(r))
	}
	id := load64(g.m, from)
	from += 8
	l, err := g.codec.boxLayout(g.types, id)
	if err != nil {
		return g.fail(at, err)
	}
	more := up8(l.size)
	switch {
	case more > uint64(len(g.m))-from:
		return g.fail(at, failf(ErrCorrupt, "a box with %d bytes of value at byte %d ends outside the message", more, from))
	case more > g.budget:
		return g.fail(at, errOverlap)
	}
	g.budget -= more
	to, ok := g.room(e, w, 1, 8+l.size)
	if !ok {
		return false
	}
	store64(e.m, to, id)
	e.note(id)
	delta := e.delta
	e.delta = e.skip
	if !g.enter(at) || !g.value(e, l, from, to+8) {
		return false
	}
	e.delta = delta
	g.depth++
	return true
}

// boxLayout returns the layout of the values in boxes with an id, for which this program need not have a type.
func (c *core) boxLayout(types *typeTable, id uint64) (*layout, error) {
	if b := types.byID[id]; b != nil {
		return b.plan.lay, nil
	}
	if l, ok := c.strange.Load(id); ok {
		return l.(*layout), nil
	}
	if c.resolver == nil {
		return nil, unknownBox(id)
	}
	s, ok := c.resolver.Box(id)
	if !ok {
		return nil, unknownBox(id)
	}
	layouts, err := layoutsOf(s.Nodes())
	if err != nil {
		return nil, err
	}
	c.strange.Store(id, layouts[0])
	return layouts[0], nil
}

// isKey reports whether a key may hold a value of l (SPEC §3.7), as far as a description tells.
func (l *layout) isKey() bool {
	switch l.kind {
	case kindPointer, kindSlice, kindMap, kindTime:
		return false
	case kindArray:
		return l.elem.isKey()
	case kindStruct:
		for i := range l.fields {
			if !l.fields[i].lay.isKey() {
				return false
			}
		}
	}
	return true
}

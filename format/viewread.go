package format

import (
	"math"
	"reflect"
	"strconv"
)

// This file reads what a route leads to. Each ref is loaded once into a local, and nothing is followed that was not
// checked against the message's bounds.

// begin chooses the route for a view, for a call with given indices of want. It returns none where there is nothing to
// read, or an error.
func (s *routes) begin(own *route, v rawView, given, want int) (*route, error) {
	r := own
	if v.in != own.in {
		if v.in == nil { // the zero View
			return nil, nil
		}
		r = s.through(v.in)
	}
	switch {
	case given != want:
		return nil, s.error(nil, -1, failf(ErrIndex, "%d indices, want %d", given, want))
	case r.err != nil:
		return nil, r.err
	case v.pos == 0:
		return nil, nil
	case debug && load64(v.msg.bytes(), 0)<<40 != (magic|version<<16)<<40:
		return nil, s.error(nil, 0, errGone)
	}
	return r, nil
}

// errGone says, in a debug build, that a view's memory has become another thing.
var errGone = failf(ErrCorrupt, "the message is gone: its memory was reset, released or written over")

// error places an error; offset is -1 where none applies.
func (s *routes) error(at []int, offset int64, err error) error {
	return &Error{Op: "read", Path: pathOf(s.path, at), Offset: offset, Err: err}
}

// object checks the ref q, which stands at w and is neither 0 nor 1, to count blocks of size bytes, and returns the
// object's offset. It must inline, and so must those that follow.
func (m region) object(w, q, size uint64) (to uint64, ok bool) {
	to = w + uint64(int64(int32(q))<<3)
	return to, to-headerSize < m.size()-headerSize && q>>32*size-1 < m.size()-to
}

// text returns where the bytes of the string are whose ref is at w, and how many. It is not ok where the ref is not
// that of a good string that has some, or of an empty one.
func (m region) text(w uint64) (to, n uint64, ok bool) {
	q := m.load64(w)
	to, ok = m.object(w, q, 1)
	return to, q >> 32, ok || q == 0
}

// follow goes along hops from the block at w, with indices from at. It returns the offset of the block that it comes
// to: 0 where something on the way is nil, or with an error. path are the indices for the error's path.
func (s *routes) follow(msg region, hops []hop, w uint64, at, path []int) (uint64, error) {
	for i := range hops {
		h := &hops[i]
		w += h.off
		index := uint64(0)
		if h.kind != hopPointer {
			index = uint64(at[h.nth])
		}
		if h.kind == hopArray {
			if index >= h.n {
				return 0, s.error(path, int64(w), outOfRange(index, h.n))
			}
			w += index * h.size
			continue
		}
		q := msg.load64(w)
		n := q >> 32
		to, ok := msg.object(w, q, h.size)
		switch {
		case ok && index < n && n <= h.n:
			w = to + index*h.size
		case h.size == 0 && index < n && n <= h.n && int32(q) == 1:
			// It is nowhere, and has nothing to be read.
		case q == 0 && h.kind == hopPointer:
			return 0, nil
		default:
			return 0, s.error(path, int64(w), badHop(msg.bytes(), w, q, index, h))
		}
	}
	return w, nil
}

func outOfRange(i, n uint64) error {
	return failf(ErrIndex, "index %d of %d elements", int64(i), n)
}

// badHop says what is wrong with the ref q, of a pointer or a slice.
func badHop(m []byte, w, q, index uint64, h *hop) error {
	switch n := q >> 32; {
	case h.kind == hopElement && index >= n:
		return outOfRange(index, n)
	case h.kind == hopElement:
		return badList(m, w, q, h.size)
	case q == 1:
		return badEmpty(kindPointer)
	case h.size == 0:
		return badZeroSize(q)
	case n > 1:
		return badCount(q)
	}
	return badRef(m, w, q, h.size)
}

// badList says what is wrong with the ref of a slice, map or string.
func badList(m []byte, w, q, size uint64) error {
	if size == 0 {
		return badZeroSize(q)
	}
	return badRef(m, w, q, size)
}

// load reads the leaf of a route in the block at w into out, which is zero.
func (s *routes) load(out ptr, r *route, v rawView, w uint64, at []int) error {
	m := v.msg.bytes()
	if r.mask != 0 && load64(m, w+r.word)&r.mask == 0 {
		return nil
	}
	w += r.off
	bad, ok := w, true
	switch r.kind {
	case leafRun:
		loadRun(out, m, w, r.o)
		return nil
	case leafString:
		q := load64(m, w)
		if q <= 1 {
			if q == 1 && !r.leaf.null {
				return s.error(at, int64(w), badEmpty(kindString))
			}
			return nil
		}
		to, ok := regionOf(m).object(w, q, 1)
		if !ok {
			return s.error(at, int64(w), badRef(m, w, q, 1))
		}
		storeString(out, view(m, to, q>>32))
		return nil
	case leafView:
		deep := min(v.pos>>posDepth+r.deep, mostDepth)
		if deep > r.most {
			return s.error(at, int64(w), tooDeep(v.in.core.maxDepth))
		}
		if r.leaf.null && load64(m, w) == 0 {
			return nil
		}
		storeView(out, rawView{v.msg, w | v.pos&posGraph | deep<<posDepth, r.sub})
		return nil
	case leafSlice:
		return s.slice(out, r, m, w, at)
	case leafBools:
		bad, ok = loadBools(out, m, w, r.o.n)
	case leafPlain:
		bad, ok = loadPlain(out, m, w, 1, r.p)
	case leafConvert:
		if err := convert(out, r.o.typ, r.o.from, m, w); err != nil {
			return s.error(at, int64(w), err)
		}
	case leafTime:
		t, err := getTime(m, w)
		if err != nil {
			return s.error(at, int64(w), err)
		}
		storeTime(out, t)
	case leafPointer:
		if bad, ok = badBools(m, w, 1, r.p.lay); !ok {
			break
		}
		if misalignedAt(m, w, r.p.lay.align) {
			q := newValue(r.p.typ)
			if bad, ok = loadPlain(q, m, w, 1, r.p); ok {
				storePtr(out, q)
			}
			break
		}
		aliasPtr(out, m, w)
	}
	if !ok {
		err := s.error(at, int64(bad), badBoolAt(m, bad)).(*Error)
		err.Path = joinPath(err.Path, r.p.lay.pathOf(bad-w))
		return err
	}
	return nil
}

// slice reads a slice of plain elements, whose ref is at w.
func (s *routes) slice(out ptr, r *route, m []byte, w uint64, at []int) error {
	q := load64(m, w)
	if q <= 1 {
		if q == 1 {
			emptySlice(out, r.o)
		}
		return nil
	}
	p := r.o.sub
	to, ok := regionOf(m).object(w, q, p.wsize)
	n := q >> 32
	if !ok || n > math.MaxInt/max(p.gsize, 1) {
		if ok {
			return s.error(at, int64(w), tooLargeHere(n, p.gsize))
		}
		return s.error(at, int64(w), badRef(m, w, q, p.wsize))
	}
	bad := uint64(0)
	if misalignedAt(m, to, p.lay.align) {
		bad, ok = copySlice(out, m, to, n, r.o)
	} else if bad, ok = badBools(m, to, n, p.lay); ok {
		aliasSlice(out, m, to, n)
	}
	if !ok {
		i := (bad - to) / p.wsize
		err := s.error(at, int64(bad), badBoolAt(m, bad)).(*Error)
		err.Path = joinPath(err.Path+"["+strconv.FormatUint(i, 10)+"]", p.lay.pathOf((bad-to)%p.wsize))
		return err
	}
	return nil
}

// decode reads what cannot be had without memory of its own.
func (s *routes) decode(out ptr, r *route, v rawView, w uint64, at []int) error {
	m := v.msg.bytes()
	if r.mask != 0 && load64(m, w+r.word)&r.mask == 0 {
		return nil
	}
	q := out
	if r.kind == leafCopy {
		q = newValue(r.p.typ)
	}
	err := v.in.core.decodeAt(m, v.pos&posGraph != 0, r.p, w+r.off, q, fresh)
	if err == nil && r.kind == leafCopy {
		storePtr(out, q)
	}
	if err == nil && r.typ.Kind() == reflect.Slice { // as of what is over the message
		v := valueAt(out, r.typ)
		v.SetCap(v.Len())
	}
	if e, ok := err.(*Error); ok {
		placed := s.error(at, e.Offset, e.Err).(*Error)
		placed.Path = joinPath(placed.Path, e.Path)
		return placed
	}
	return err
}

// counted reports whether values of this layout have a length.
func (l *layout) counted() bool {
	return l.kind == kindString || l.kind == kindSlice || l.kind == kindArray || l.kind == kindMap
}

// count reads the ref of what a path leads to, whose layout is l, or the ref of its last list if there is an index too
// few. What has no ref has 1 if it is there, else 0.
func (s *routes) count(own *route, v rawView, at []int) (q, n uint64, l *layout, err error) {
	if len(at) == s.uses-1 {
		_, _, n, there, err := s.list(own, v, at)
		return oneIf(there), n, nil, err
	}
	r, err := s.begin(own, v, len(at), s.uses)
	if r == nil || r.kind == leafGone {
		return 0, 0, nil, err
	}
	m := v.msg.bytes()
	w, err := s.follow(v.msg, r.hops, v.pos&posOffset, at, at)
	if w == 0 || r.mask != 0 && load64(m, w+r.word)&r.mask == 0 {
		return 0, 0, r.lay, err
	}
	w += r.off
	l = r.lay
	size := uint64(1)
	switch l.kind {
	case kindArray:
		return 1, l.length, l, nil
	case kindSlice, kindMap:
		size = l.elem.size
	case kindString:
	case kindInterface:
		return load64(m, w), 0, l, nil
	default:
		return 1, 0, l, nil
	}
	q, n, _, err = s.object(m, w, size, at)
	if err == nil && l.kind == kindString && !r.leaf.null {
		q = 1
	}
	return q, n, l, err
}

// object reads the ref at w to elements of size bytes: how many they are and where.
func (s *routes) object(m []byte, w, size uint64, at []int) (q, n, to uint64, err error) {
	q = load64(m, w)
	if q <= 1 {
		return q, 0, 0, nil
	}
	n = q >> 32
	to, ok := regionOf(m).object(w, q, size)
	switch {
	case size == 0 && int32(q) == 1 && n > 0:
		to, ok = w, true
	case !ok:
		return 0, 0, 0, s.error(at, int64(w), badList(m, w, q, size))
	}
	if n > math.MaxInt {
		return 0, 0, 0, s.error(at, int64(w), tooManyHere(n))
	}
	return q, n, to, nil
}

// list reads the last list of a path: where its first element is, how many it has, and whether it is there.
func (s *routes) list(own *route, v rawView, at []int) (r *route, first, n uint64, there bool, err error) {
	if s.uses == 0 {
		return nil, 0, 0, false, s.error(nil, -1, failf(ErrType, "there is no [] in the path to go over"))
	}
	if r, err = s.begin(own, v, len(at), s.uses-1); r == nil || r.list < 0 {
		return nil, 0, 0, false, err
	}
	h, w := &r.hops[r.list], v.pos&posOffset
	if r.list > 0 {
		if w, err = s.follow(v.msg, r.hops[:r.list], w, at, at); w == 0 {
			return nil, 0, 0, false, err
		}
	}
	w += h.off
	if h.kind == hopArray {
		return r, w, h.n, true, nil
	}
	q := v.msg.load64(w)
	if first, ok := v.msg.object(w, q, h.size); ok {
		return r, first, q >> 32, true, nil
	}
	q, n, first, err = s.object(v.msg.bytes(), w, h.size, at)
	return r, first, n, q != 0, err
}

// elements returns how each element of the last list of a path is read, where the first is and how many there are that
// have something to be read.
func (s *routes) elements(own *route, v rawView, at []int) (each *route, first uint64, n int, err error) {
	r, first, many, _, err := s.list(own, v, at)
	if r == nil || err != nil || r.each.step == 0 {
		return nil, 0, 0, err
	}
	return r.each, first, int(many), nil
}

package format

import "reflect"

// A verifier checks a message without a Go value: it goes through the layout's refs as a decoder goes
// through a plan's.
type verifier struct {
	reach
	most   int // of depth, for the error's text
	err    error
	offset uint64
	trail  *trail
}

func (v *verifier) fail(at uint64, err error) bool {
	v.err, v.offset, v.trail = err, at, new(trail)
	return false
}

func (v *verifier) badBool(at uint64) bool {
	return v.fail(at, badBoolAt(v.m, at))
}

// value checks the block of l at offset at.
func (v *verifier) value(l *layout, at uint64) bool {
	switch {
	case l.fixed:
		bad, ok := badBools(v.m, at, 1, l)
		return ok || v.badFixed(l, at, bad)
	case l.optional():
		return v.bitmap(l, at) && v.present(l.elem, at, 0, at+8)
	case l.kind == kindStruct:
		if l.optionals > 0 && !v.bitmap(l, at) {
			return false
		}
		for i := range l.fields {
			f := &l.fields[i]
			ok := true
			switch {
			case f.bit >= 0:
				ok = v.present(f.lay.elem, at, f.bit, at+f.offset)
			case f.lay.fixed && len(f.lay.bools) == 0:
			default:
				ok = v.value(f.lay, at+f.offset)
			}
			if !ok {
				v.trail.add(f.name, -1)
				return false
			}
		}
		return true
	case l.kind == kindArray:
		return v.blocks(l.elem, at, l.length)
	}
	return v.ref(l, at)
}

// bitmap checks that the spare bits of the presence bitmap at offset at are clear.
func (v *verifier) bitmap(l *layout, at uint64) bool {
	last := at + uint64(l.optionals-1)/64*8
	valid := ^uint64(0) >> (63 - uint(l.optionals-1)%64)
	if word := load64(v.m, last); word&^valid != 0 {
		return v.fail(last, badBitmap(word, valid))
	}
	return true
}

func badBitmap(word, valid uint64) error {
	return failf(ErrCorrupt, "presence bitmap %#x, valid bits are %#x", word, valid)
}

// present checks the optional at w, if its bit in the bitmap at offset at is set.
func (v *verifier) present(l *layout, at uint64, bit int, w uint64) bool {
	if l.kind == kindBool && load64(v.m, at+uint64(bit/64)*8)>>(bit%64)&1 != 0 && load8(v.m, w) > 1 {
		return v.badBool(w)
	}
	return true
}

// badFixed notes a bad bool at offset bad in the fixed block of l at offset at.
func (v *verifier) badFixed(l *layout, at, bad uint64) bool {
	v.badBool(bad)
	v.trail.add(l.pathOf(bad-at), -1)
	return false
}

func (v *verifier) blocks(l *layout, at, n uint64) bool {
	if l.fixed {
		bad, ok := badBools(v.m, at, n, l)
		if !ok {
			i := (bad - at) / l.size
			v.badFixed(l, at+i*l.size, bad)
			v.trail.add("", int(i))
		}
		return ok
	}
	for i := range n {
		if !v.value(l, at+i*l.size) {
			v.trail.add("", int(i))
			return false
		}
	}
	return true
}

// ref checks the ref at w and what it refers to.
func (v *verifier) ref(l *layout, w uint64) bool {
	r := load64(v.m, w)
	elem, size := l.elem, uint64(1)
	text := l.kind == kindString || l.kind == kindPointer && elem.kind == kindString
	if !text {
		size = elem.size
	}
	one := l.kind == kindPointer && !text
	switch {
	case r == 0:
		return true
	case r == 1 && (l.kind == kindString || one):
		return v.fail(w, badEmpty(l.kind))
	case r == 1:
		return true
	case size == 0:
		if int32(r) != 1 || r>>32 == 0 || one && r>>32 != 1 {
			return v.fail(w, badZeroSize(r))
		}
		return true
	}
	to, ok := v.object(w, r, size)
	switch {
	case !ok:
		return v.fail(w, badRef(v.m, w, r, size))
	case one && r>>32 != 1:
		return v.fail(w, badCount(r))
	case text:
		return true
	case !elem.refs && one:
		return v.value(elem, to)
	case !elem.refs:
		return v.blocks(elem, to, r>>32)
	}
	v.depth--
	if v.depth < 0 {
		return v.fail(w, tooDeep(v.most))
	}
	if one && !v.value(elem, to) || !one && !v.blocks(elem, to, r>>32) {
		return false
	}
	v.depth++
	return true
}

// verify checks the message m, whose header has been checked.
func (c *core) verify(m []byte) error {
	v := verifier{most: c.maxDepth}
	v.start(c, m)
	if !v.value(c.plan.lay, headerSize) {
		return c.decodeError("verify", v.offset, v.trail, v.err)
	}
	if c.narrow {
		return c.decode(m, ptrOfValue(reflect.New(c.typ)), fresh)
	}
	return nil
}

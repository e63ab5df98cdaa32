package format

import "encoding/binary"

// boolsOK reports whether every byte of b is 0 or 1 (SPEC §2.3).
func boolsOK(b []byte) bool {
	var x, y, z, w uint64
	for len(b) >= 64 {
		c := b[:64:64]
		x |= binary.LittleEndian.Uint64(c[0:]) | binary.LittleEndian.Uint64(c[32:])
		y |= binary.LittleEndian.Uint64(c[8:]) | binary.LittleEndian.Uint64(c[40:])
		z |= binary.LittleEndian.Uint64(c[16:]) | binary.LittleEndian.Uint64(c[48:])
		w |= binary.LittleEndian.Uint64(c[24:]) | binary.LittleEndian.Uint64(c[56:])
		b = b[64:]
	}
	for len(b) >= 8 {
		x |= binary.LittleEndian.Uint64(b)
		b = b[8:]
	}
	for _, c := range b {
		y |= uint64(c)
	}
	return (x|y|z|w)&0xfefefefefefefefe == 0
}

// firstBad returns the index of the first byte of b that is neither 0 nor 1.
func firstBad(b []byte) (i uint64, ok bool) {
	if boolsOK(b) {
		return 0, true
	}
	for i, c := range b {
		if c > 1 {
			return uint64(i), false
		}
	}
	return 0, false // someone changes b
}

// badBools checks the bools of n fixed blocks at offset at. It returns the offset of the first that is
// neither 0 nor 1.
func badBools(m []byte, at, n uint64, l *layout) (bad uint64, ok bool) {
	switch {
	case len(l.bools) == 0:
		return 0, true
	case l.kind == kindBool:
		i, ok := firstBad(m[at : at+n])
		return at + i, ok
	}
	for i := range n {
		if bad, ok := badBool(m, at+i*l.size, l.bools); !ok {
			return bad, false
		}
	}
	return 0, true
}

// badBool looks through the bools that spans list in the block at base. It returns the offset of the
// first that is neither 0 nor 1.
func badBool(m []byte, base uint64, spans []span) (bad uint64, ok bool) {
	for i := range spans {
		s := &spans[i]
		at := base + s.offset
		switch {
		case s.sub != nil:
			for range s.n {
				if bad, ok := badBool(m, at, s.sub); !ok {
					return bad, false
				}
				at += s.stride
			}
		case s.stride == 1:
			if i, ok := firstBad(m[at : at+s.n]); !ok {
				return at + i, false
			}
		default:
			for range s.n {
				if load8(m, at) > 1 {
					return at, false
				}
				at += s.stride
			}
		}
	}
	return 0, true
}

package format

// A span is a set of byte ranges of one width at a regular distance; where sub is set, a set of
// repetitions of sub instead. Offsets are in bytes from the block's first.
type span struct {
	offset, width, stride, n uint64
	sub                      []span
}

// gapSpans returns the range from one offset to another, if it is not empty.
func gapSpans(from, to uint64) []span {
	if from == to {
		return nil
	}
	return []span{{offset: from, width: to - from, n: 1}}
}

func shift(in []span, by uint64) []span {
	out := make([]span, len(in))
	for i, s := range in {
		s.offset += by
		out[i] = s
	}
	return out
}

// repeat returns n repetitions of in, size bytes apart.
func repeat(in []span, n, size uint64) []span {
	switch {
	case len(in) == 0 || n == 0:
		return nil
	case n == 1:
		return in
	case len(in) == 1 && in[0].sub == nil && in[0].n == 1:
		return []span{{offset: in[0].offset, width: in[0].width, stride: size, n: n}}
	case len(in) == 1 && in[0].sub == nil && in[0].stride*in[0].n == size:
		s := in[0]
		s.n *= n
		return []span{s}
	}
	return []span{{stride: size, n: n, sub: in}}
}

// compress joins ranges of one width that follow each other at one distance.
func compress(in []span) []span {
	var out []span
	for _, s := range in {
		if len(out) > 0 && s.sub == nil {
			l := &out[len(out)-1]
			d := s.offset - l.offset
			switch {
			case l.sub != nil || l.width != s.width:
			case l.n == 1 && s.n == 1:
				l.stride, l.n = d, 2
				continue
			case l.n == 1 && s.n > 1 && d == s.stride:
				l.stride, l.n = d, s.n+1
				continue
			case l.n > 1 && d == l.n*l.stride && (s.n == 1 || s.stride == l.stride):
				l.n += s.n
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// within returns the part of the spans that lies from one offset to another.
func within(in []span, from, to uint64) []span {
	var out []span
	for _, s := range in {
		size := s.width
		if s.sub != nil {
			size = s.stride
		}
		for s.n > 0 && s.offset < from {
			s.offset += s.stride
			s.n--
			if s.stride == 0 {
				s.n = 0
			}
		}
		n := uint64(0)
		if s.n > 0 && s.offset+size <= to {
			n = 1
			if s.stride > 0 {
				n = min(s.n, (to-size-s.offset)/s.stride+1)
			}
		}
		if s.n = n; n > 0 {
			out = append(out, s)
		}
	}
	return out
}

// zeroSpans writes zero over the spans of the block at base.
func zeroSpans(m []byte, base uint64, spans []span) {
	for i := range spans {
		s := &spans[i]
		at := base + s.offset
		if s.sub != nil {
			for range s.n {
				zeroSpans(m, at, s.sub)
				at += s.stride
			}
			continue
		}
		zeroStride(m, at, s.width, s.stride, s.n)
	}
}

// zeroStride writes zero over n ranges of width bytes, stride bytes apart. A width that is no power of
// two is covered by two stores that overlap.
func zeroStride(m []byte, at, width, stride, n uint64) {
	switch width {
	case 4:
		for ; n >= 4; n -= 4 {
			store32(m, at, 0)
			store32(m, at+stride, 0)
			store32(m, at+2*stride, 0)
			store32(m, at+3*stride, 0)
			at += 4 * stride
		}
		for ; n > 0; n-- {
			store32(m, at, 0)
			at += stride
		}
	case 5, 6, 7:
		for ; n > 0; n-- {
			store32(m, at, 0)
			store32(m, at+width-4, 0)
			at += stride
		}
	case 2, 3:
		for ; n > 0; n-- {
			store16(m, at, 0)
			store16(m, at+width-2, 0)
			at += stride
		}
	case 1:
		for ; n > 0; n-- {
			store8(m, at, 0)
			at += stride
		}
	default:
		for ; n > 0; n-- {
			clear(m[at : at+width])
			at += stride
		}
	}
}

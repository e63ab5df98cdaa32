package format

// A descent counts how deep a walk of a Go value is and finds out when it has met itself.
//
// It remembers one object of the path, the last one at a depth that is a power of two and at least
// firstMark, and compares each deeper one with it (Brent's way to find a cycle). A walk that goes round
// meets that object again before it has gone a few times round, so that a cycle costs little more than
// the cycle is long.
type descent struct {
	depth, max int
	next       int // depth at which enter must look closer
	mark       int // depth of the remembered object, 0 for none
	at         ident
	n          uint64
	plan       *plan
}

const firstMark = 4

// start sets the largest depth.
func (d *descent) start(most int) { d.max, d.next = most, min(firstMark, most+1) }

// enter goes one step deeper, to n blocks at id. It returns nil or the cause to stop. It must inline.
func (d *descent) enter(id ident, n uint64, p *plan) error {
	d.depth++
	if d.depth < d.next && id != d.at {
		return nil
	}
	return d.look(id, n, p)
}

// enterNew goes one step deeper, to an object that is remembered elsewhere and never entered again: no
// cycle that is still to be found leads through it.
func (d *descent) enterNew() error {
	d.depth++
	if d.depth > d.max {
		return d.look(noIdent, 1, nil)
	}
	d.mark, d.at, d.next = 0, noIdent, min(d.depth+firstMark, d.max+1)
	return nil
}

// enterBox goes one step deeper, into a box. A box is a copy of what is in the interface and has no address
// that could be met again: where one should be remembered, the next object is.
func (d *descent) enterBox() error {
	d.depth++
	if d.depth > d.max {
		return d.look(noIdent, 1, nil)
	}
	if d.depth == d.next {
		d.next = min(d.next+1, d.max+1)
	}
	return nil
}

func (d *descent) look(id ident, n uint64, p *plan) error {
	switch {
	case d.depth > d.max:
		return failf(ErrLimit, "%d refs on one path, at most MaxDepth %d", d.depth, d.max)
	case d.mark != 0 && d.at == id && d.n == n && d.plan == p:
		what := p.typ.String()
		if p.entry {
			what = "map"
		}
		return failf(ErrCycle, "this %s is part of itself: WithRefs writes pointers and maps that are, slices cannot be", what)
	case d.depth == d.next:
		d.mark, d.at, d.n, d.plan = d.depth, id, n, p
		d.next = min(2*d.depth, d.max+1)
	}
	return nil
}

func (d *descent) leave() {
	if d.depth == d.mark {
		d.mark, d.next, d.at = 0, d.depth, noIdent
	}
	d.depth--
}

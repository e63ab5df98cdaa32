package format

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
)

// A compiler compiles plans and keeps them by their pair. The parts of a block are compiled with it;
// what a block refers to waits in the queue, which is how recursive types end.
type compiler struct {
	plans   map[planKey]*plan
	queue   []waiting
	foreign bool // the layout is not that of the type
	inner   bool // the root is a value within another
	steps   int  // ops that were made
	most    int  // of them, where a peer chooses the layout; 0 for no limit

	schema *Schema  // of the layout, if it is not that of the type
	box    *boxType // that the plan is for, if it is one of another schema
	lost   error    // why values are not written: the first field that would be lost
}

type planKey struct {
	lay  *layout
	typ  reflect.Type
	root bool
}

type waiting struct {
	plan *plan
	path string
}

// inlineOps is the largest number of ops for which a nested value's ops are merged into those of the
// block that it is part of.
const inlineOps = 64

// compile compiles the plan of the root and all that it can reach.
func (c *compiler) compile(l *layout, t reflect.Type) (*plan, error) {
	root := c.plan(l, t, "", c.foreign && !c.inner)
	for len(c.queue) > 0 {
		next := c.queue[0]
		c.queue = c.queue[1:]
		if _, err := c.block(next.plan.lay, next.plan.typ, next.path, next.plan.root); err != nil {
			return nil, err
		}
		if c.steps += 1 + len(next.plan.ops); c.most > 0 && c.steps > c.most {
			return nil, &Error{Op: "codec", Path: next.path, Offset: -1,
				Err: failf(ErrLimit, "the writer's types meet those of %s in too many ways: plans of more than %d steps", t, c.most)}
		}
	}
	for _, p := range c.plans {
		if n := p.frames(); n > maxFrames {
			return nil, &Error{Op: "codec", Offset: -1,
				Err: failf(ErrLimit, "%s: blocks by value nest %d deep around a ref, at most %d", p.typ, n, maxFrames)}
		}
		p.extra = p.beside(false)
		if c.foreign && c.lost == nil { // written is in the order of the writer's fields
			slices.SortStableFunc(p.ops, func(a, b op) int { return cmp.Compare(a.woff, b.woff) })
		}
		if c.lost == nil {
			p.findGaps()
		}
		for i := range p.ops {
			p.ops[i].groupOptionals()
		}
		p.walks = p.holdsChecked() || p.lay.refs
		p.opaque = !slices.ContainsFunc(p.ops, func(o op) bool { return o.kind != opRun })
		if p.entry { // in a path, what is in the value is not told from the value
			for i := range p.ops {
				p.ops[i].name = strings.TrimPrefix(strings.TrimPrefix(p.ops[i].name, valueName), ".")
			}
		}
		for i := range p.ops {
			if o := &p.ops[i]; o.kind == opSlice && o.sub.plain && o.sub.wsize > 0 {
				o.kind, o.n = opPlainSlice, o.sub.wsize
				o.gaps, o.bools = len(o.sub.lay.gaps) > 0, len(o.sub.lay.bools) > 0
			}
		}
	}
	return root, nil
}

// refer returns the plan of what a ref leads to, to be filled in later.
func (c *compiler) refer(l *layout, t reflect.Type, path string) *plan {
	return c.plan(l, t, path, false)
}

// plan returns the plan of a pair, to be filled in later; root says that it is of the root's block or a
// part of it.
func (c *compiler) plan(l *layout, t reflect.Type, path string, root bool) *plan {
	p := c.plans[planKey{l, t, root}]
	if p == nil {
		p = &plan{typ: t, id: typeID(t), lay: l, gsize: uint64(t.Size()), wsize: l.size, root: root}
		p.free, p.bools = l.fixed, len(l.bools) > 0
		if c.foreign {
			p.free, p.bools = pointerFree(t), holdsBools(t)
		}
		c.plans[planKey{l, t, root}] = p
		c.queue = append(c.queue, waiting{p, path})
	}
	return p
}

// typeID is a number that no other type has.
func typeID(t reflect.Type) uintptr { return reflect.ValueOf(t).Pointer() }

// block compiles the plan of a block.
func (c *compiler) block(l *layout, t reflect.Type, path string, root bool) (*plan, error) {
	p := c.plan(l, t, path, root)
	if p.done {
		return p, nil
	}
	p.done = true
	if l.size > math.MaxInt || uint64(t.Size()) > math.MaxInt {
		return nil, &Error{Op: "codec", Path: path, Offset: -1, Err: failf(ErrLimit, "%s has %d bytes, at most %d on this platform", t, l.size, math.MaxInt)}
	}
	if c.foreign {
		if done, err := c.evolve(p, path); done || err != nil {
			return p, err
		}
	}
	var err error
	switch {
	case l.kind.scalar():
		p.ops = []op{scalarOp(l, t)}
		p.plain = native && p.ops[0].kind != opInt
	case l.optional():
		p.ops = addOptional(nil, optionalOf(l, t), 0)
	case l.kind == kindString:
		p.ops = []op{{kind: opString, info: &info{typ: t}}}
	case l.kind == kindTime:
		p.ops = []op{{kind: opTime, info: &info{typ: t}}}
	case l.kind == kindInterface:
		p.ops = []op{{kind: opIface, info: &info{typ: t}}}
	case l.kind == kindCustom:
		p.ops = []op{{kind: opCustom, info: &info{typ: t, own: marshalerOf(t)}}}
	case l.kind == kindMap:
		m, err := newMapping(l, t, c.foreign)
		if err != nil {
			return nil, err
		}
		m.key = c.refer(l.elem.fields[0].lay, t.Key(), deeper(path, "[key]"))
		entry := c.refer(l.elem, m.entry, deeper(path, "[]"))
		entry.entry = true
		p.ops = []op{{kind: opMap, sub: entry, info: &info{typ: t, maps: m}}}
	case l.kind == kindPointer && l.elem.kind == kindString:
		p.ops = []op{{kind: opStringPtr, info: &info{typ: t}}}
	case l.kind == kindPointer || l.kind == kindSlice:
		o := op{kind: opPtr, info: &info{typ: t}}
		elem := path
		if l.kind == kindSlice {
			o.kind, elem = opSlice, deeper(path, "[]")
		}
		o.sub = c.refer(l.elem, t.Elem(), elem)
		if l.kind == kindSlice && l.elem.size == 0 && t.Elem().Size() > 0 {
			class := ErrType
			if c.foreign {
				class = ErrSchema
			}
			return nil, &Error{Op: "codec", Path: path, Offset: -1,
				Err: failf(class, "%s: its elements have no bytes in a message but %d in memory", t, t.Elem().Size())}
		}
		p.ops = []op{o}
		if o.kind == opPtr {
			p.pointee = &p.ops[0]
			p.pointee.many = reflect.SliceOf(t.Elem())
		}
	case l.kind == kindArray:
		err = c.compileArray(p, path)
	case l.kind == kindStruct:
		err = c.compileStruct(p, path)
	}
	if err != nil {
		return nil, err
	}
	return p, nil
}

// scalarOp returns the op for a scalar.
func scalarOp(l *layout, t reflect.Type) op {
	o := op{kind: opRun, n: l.size, info: &info{typ: t}}
	switch {
	case l.kind == kindBool:
		o.kind = opBools
	case !leadScalar(l, t):
		o.kind = opInt
	}
	return o
}

// leadScalar reports whether Go holds a scalar in as many bytes as the wire does.
func leadScalar(l *layout, t reflect.Type) bool { return uint64(t.Size()) == l.size }

func (c *compiler) compileArray(p *plan, path string) error {
	e, err := c.block(p.lay.elem, p.typ.Elem(), deeper(path, "[]"), p.root)
	if err != nil {
		return err
	}
	p.plain = native && p.gsize == p.wsize && (e.plain || p.wsize == 0)
	if p.wsize > 0 || p.lay.length > 0 && len(e.ops) > 0 {
		p.ops = []op{{kind: opArray, n: p.lay.length, sub: e, info: &info{typ: p.typ}}}
	}
	p.fence = e.fence
	if p.plain && p.wsize > 0 {
		p.ops = []op{plainOp(p)}
	}
	return nil
}

// plainOp returns the op for a whole plain value.
func plainOp(p *plan) op {
	switch b := p.lay.bools; {
	case len(b) == 0:
		return op{kind: opRun, n: p.wsize, info: &info{typ: p.typ}}
	case len(b) == 1 && b[0].sub == nil && b[0].stride == 1 && b[0].n == p.wsize:
		return op{kind: opBools, n: p.wsize, info: &info{typ: p.typ}}
	}
	return op{kind: opPlain, n: p.wsize, sub: p, info: &info{typ: p.typ}}
}

func (c *compiler) compileStruct(p *plan, path string) error {
	fields, err := fieldsOf(p.typ, path)
	if err != nil {
		return err
	}
	named := matched(fields, p.lay)
	at := func(g goField) string {
		if p.entry { // the entry is no struct of the user's: its value stands where it does
			return path
		}
		return join(path, g.goName)
	}
	p.plain = native && p.lay.optionals == 0 && p.gsize == p.wsize && len(named) == len(p.lay.fields)
	fence, keeps := false, false // whether a run must not reach over what was just passed; whether there is an Unknown
	next := 0
	for i := range p.typ.NumField() {
		if next == len(fields) || fields[next].index != i {
			if f := p.typ.Field(i); isUnknown(f) {
				keeps = true
				if err := c.keep(p, i, named); err != nil {
					return err
				}
				fence, p.plain = true, false
			} else if !blank(f) && f.Type.Size() > 0 {
				fence, p.plain = true, false
			}
			continue
		}
		g := fields[next]
		next++
		w := named[g.index]
		if w == nil {
			p.absent(g, i)
			fence, p.plain = true, false
			continue
		}
		if w.bit >= 0 && !sameOptional(w.lay, g.typ) {
			o, err := c.present(w, g.typ, at(g), p.root)
			if err != nil {
				return err
			}
			o.goff, o.path, o.name = g.offset, []int{i}, g.name
			p.ops = append(p.ops, o)
			fence, p.plain = true, false
			continue
		}
		if w.bit >= 0 {
			o := optionalOf(w.lay, g.typ)
			o.goff, o.woff, o.path, o.name = g.offset, w.offset, []int{i}, g.name
			p.ops = addOptional(p.ops, o, w.bit)
			fence, p.plain = true, false
			continue
		}
		sub, err := c.block(w.lay, g.typ, at(g), p.root)
		if err != nil {
			return err
		}
		p.plain = p.plain && sub.plain && uint64(g.offset) == w.offset
		if len(sub.ops) > inlineOps {
			p.ops = append(p.ops, op{kind: opBlock, goff: g.offset, woff: w.offset, sub: sub,
				info: &info{typ: g.typ, path: []int{i}, name: g.name}})
			continue
		}
		for _, o := range sub.ops {
			o = placed(o, g, w.offset)
			o.sole = o.sole || fence
			p.ops = addOp(p.ops, o)
			fence = false
		}
		fence = fence || sub.fence
	}
	p.fence = fence
	if !keeps {
		c.loses(p, named, path)
	}
	for i := range p.ops { // bits of fields that this type does not have are no spare ones
		if o := &p.ops[i]; o.kind == opOptionals && o.path == nil {
			o.bits = ^uint64(0) >> (64 - min(uint64(p.lay.optionals)-o.woff*8, 64))
		}
	}
	return nil
}

// placed moves an op of a nested value to where the value stands in the block around it.
func placed(o op, g goField, woff uint64) op {
	in := *o.info
	o.info = &in
	o.goff += g.offset
	o.woff += woff
	o.end += woff
	o.word += woff
	o.path = append([]int{g.index}, o.path...)
	o.name = joinPath(g.name, o.name)
	if o.kind == opOptionals {
		opts := make([]optional, len(o.opts))
		for i, q := range o.opts {
			q.goff += g.offset
			q.woff += woff
			q.optionalInfo = &optionalInfo{append([]int{g.index}, q.path...), joinPath(g.name, q.name), q.typ}
			opts[i] = q
		}
		o.opts = opts
	}
	return o
}

// addOp appends o, or lengthens the run before it where both move by the same distance.
func addOp(ops []op, o op) []op {
	if native && len(ops) > 0 && !o.sole {
		l := &ops[len(ops)-1]
		if l.kind == opRun && o.kind == opRun && uint64(o.goff)-uint64(l.goff) == o.woff-l.woff {
			l.n = o.woff + o.n - l.woff
			return ops
		}
	}
	return append(ops, o)
}

func optionalOf(l *layout, t reflect.Type) optional {
	e := t.Elem()
	return optional{woff: 8, kind: l.elem.kind, size: uint8(l.elem.size), lead: native && leadScalar(l.elem, e), optionalInfo: &optionalInfo{typ: e}}
}

// addOptional appends q, the bit-th optional of its struct, to the op of its word of the bitmap.
func addOptional(ops []op, q optional, bit int) []op {
	q.bit = uint8(bit % 64)
	q.mask = 1 << q.bit
	word := uint64(bit/64) * 8
	last := -1
	for i := range ops {
		if ops[i].kind == opOptionals && ops[i].woff == word && ops[i].path == nil {
			last = i
		}
	}
	if last < 0 {
		ops = append(ops, op{kind: opOptionals, woff: word, info: &info{}})
		last = len(ops) - 1
	}
	o := &ops[last]
	o.opts = append(o.opts, q)
	o.times = o.times || q.kind == kindTime
	o.leads = (o.leads || len(o.opts) == 1) && q.lead
	o.looks = o.looks || q.kind == kindTime || q.kind == kindBool || q.narrow()
	o.bits |= 1 << q.bit
	o.end = max(o.end, q.woff+uint64(q.size))
	return ops
}

// groupOptionals puts the optionals of one size together.
func (o *op) groupOptionals() {
	if o.kind != opOptionals {
		return
	}
	sorted := slices.Clone(o.opts)
	slices.SortStableFunc(sorted, func(a, b optional) int { return cmp.Compare(a.size, b.size) })
	o.bySize = nil
	for len(sorted) > 0 {
		n := 1
		for n < len(sorted) && sorted[n].size == sorted[0].size {
			n++
		}
		o.bySize = append(o.bySize, sorted[:n])
		sorted = sorted[n:]
	}
}

// maxFrames is how many blocks may nest by value around a ref. With the depth in refs it bounds the stack
// that a walk needs.
const maxFrames = 50

// frames returns how many blocks nest by value around a ref of p, each of which a walk has a call for.
func (p *plan) frames() int {
	if !p.lay.refs {
		return 0
	}
	n := 0
	for i := range p.ops {
		switch o := &p.ops[i]; o.kind {
		case opBlock, opArray, opPresent, opWrap, opArrayToList:
			n = max(n, 1+o.sub.frames())
		}
	}
	return n
}

// holdsChecked reports whether a block has parts by value that cannot always be written: times, Unknowns.
func (p *plan) holdsChecked() bool {
	for i := range p.ops {
		switch o := &p.ops[i]; {
		case o.kind == opTime, o.kind == opOptionals && o.times, o.kind == opUnknown:
			return true
		case (o.kind == opBlock || o.kind == opArray) && o.sub.holdsChecked():
			return true
		}
	}
	return false
}

// findGaps lists the gaps that the ops leave. Those inside of a run are there because the run is moved
// with its gaps.
func (p *plan) findGaps() {
	var covered []span // of one range each
	cover := func(offset, n uint64) { covered = append(covered, span{offset: offset, width: n, n: 1}) }
	for i := range p.ops {
		switch o := &p.ops[i]; o.kind {
		case opTime:
			cover(o.woff, 16)
		case opRun, opPlain:
			cover(o.woff, o.n)
			p.gaps = append(p.gaps, within(p.lay.gaps, o.woff, o.woff+o.n)...)
		case opBools:
			cover(o.woff, o.n)
		case opOptionals:
			cover(o.woff, 8)
			for _, q := range o.opts {
				cover(q.woff, uint64(q.size))
			}
		case opArray, opArrayToList:
			cover(o.woff, o.n*o.sub.wsize)
		case opBlock, opWrap, opPresent: // a bitmap's word that no opOptionals stores is zero first
			cover(o.woff, o.sub.wsize)
		case opConvert:
			cover(o.woff, scalarSize[o.from])
		case opGraft:
			f := &o.rest.fields[o.n]
			if f.bit >= 0 {
				cover(o.woff, f.lay.elem.size)
			} else {
				cover(o.woff, f.lay.size)
			}
		case opUnknown, opAbsent:
		default:
			cover(o.woff, 8)
		}
	}
	slices.SortFunc(covered, func(a, b span) int { return cmp.Compare(a.offset, b.offset) })
	at := uint64(0)
	for _, c := range append(covered, span{offset: p.wsize}) {
		if at < c.offset {
			if p.lay.align == 8 {
				for w := at &^ 7; w < c.offset; w += 8 {
					p.words = append(p.words, w)
				}
			} else {
				p.gaps = append(p.gaps, gapSpans(at, c.offset)...)
			}
		}
		at = max(at, c.offset+c.width)
	}
}

// holds reports whether a plan has an op of one of the kinds.
func (c *compiler) holds(kinds ...opKind) bool {
	for _, p := range c.plans {
		for i := range p.ops {
			if slices.Contains(kinds, p.ops[i].kind) {
				return true
			}
		}
	}
	return false
}

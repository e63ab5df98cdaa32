package format

import (
	"reflect"
	"slices"
)

func unregistered(t reflect.Type) error {
	return failf(ErrType, "%s, in an interface, is not registered: see Register", t)
}

// iface writes the interface at src, whose ref is at w.
func (e *encoder) iface(o *op, src ptr, w uint64) bool {
	x := valueAt(src, o.typ).Elem()
	if !x.IsValid() {
		store64(e.m, w, 0)
		return true
	}
	b := e.codec.types.load().byType[x.Type()]
	if b == nil {
		return e.fail(unregistered(x.Type()))
	}
	b = b.under(x)
	switch {
	case b.lost != nil:
		return e.fail(b.lost)
	case b.foreign && e.codec.refs:
		return e.fail(errBoxRefs)
	}
	p := b.plan
	if 8+p.wsize >= largeObject && !e.align() {
		return false
	}
	at, ok := e.alloc(up8(8 + p.wsize))
	if !ok {
		return false
	}
	e.refer(w, at, 1)
	store64(e.m, at, b.id)
	e.note(b.id)
	s := b.take()
	s.v.Set(x)
	delta := e.delta
	e.delta = e.skip
	if err := e.enterBox(); err != nil {
		ok = e.stop(err)
	} else {
		ok = e.block(p, s.p, at+8)
	}
	b.give(s)
	if ok {
		e.delta = delta
		e.leave()
	}
	return ok
}

var errBoxRefs = failf(ErrSchema, "a value of another schema, in an interface, is not written with WithRefs: what it shares would not stay shared")

// note notes the id of a box that was written.
func (e *encoder) note(id uint64) {
	if e.notes && !slices.Contains(e.boxes, id) {
		e.boxes = append(e.boxes, id)
	}
}

// iface counts the interface at src.
func (z *sizer) iface(o *op, src ptr) bool {
	x := valueAt(src, o.typ).Elem()
	if !x.IsValid() {
		return true
	}
	b := z.codec.types.load().byType[x.Type()]
	if b == nil {
		return z.fail(unregistered(x.Type()))
	}
	switch b = b.under(x); {
	case b.lost != nil:
		return z.fail(b.lost)
	case b.foreign && z.codec.refs:
		return z.fail(errBoxRefs)
	}
	if !z.object(1, 8+b.plan.wsize) {
		return false
	}
	s := b.take()
	defer b.give(s)
	s.v.Set(x)
	if err := z.enterBox(); err != nil {
		return z.fail(err)
	}
	if b.foreign && !z.written(b.plan, s.p) || !b.foreign && !z.block(b.plan, s.p) {
		return false
	}
	z.leave()
	return true
}

// box checks the ref r of an interface of type t, which stands at w, up to the value in the box.
func (d *reach) box(w, r uint64, t reflect.Type) (b *boxType, at uint64, err error) {
	at, ok := d.object(w, r, 8)
	switch {
	case r == 1:
		return nil, 0, badEmpty(kindInterface)
	case !ok:
		return nil, 0, badRef(d.m, w, r, 8)
	case r>>32 != 1:
		return nil, 0, badCount(r)
	}
	id := load64(d.m, at)
	at += 8
	if b, err = d.codec.box(d.types, id); err != nil {
		return nil, 0, err
	}
	more := up8(b.plan.wsize)
	switch {
	case !b.implements(t):
		return nil, 0, failf(ErrCorrupt, "a box of %s, which is no %s", b.typ, t)
	case more > uint64(len(d.m))-at:
		return nil, 0, failf(ErrCorrupt, "a box of %s, with %d bytes of value at byte %d, ends outside the message", b.typ, more, at)
	case more > d.budget:
		return nil, 0, badRef(d.m, w, r, 8+more)
	}
	d.budget -= more
	return b, at, nil
}

// box returns the type that a box id stands for.
func (c *core) box(types *typeTable, id uint64) (*boxType, error) {
	if b := types.byID[id]; b != nil {
		return b, nil
	}
	if b, ok := c.resolved.Load(id); ok {
		b := b.(*boxType)
		return b, b.err
	}
	if c.resolver == nil {
		return nil, unknownBox(id)
	}
	s, ok := c.resolver.Box(id)
	if !ok {
		return nil, unknownBox(id)
	}
	local := types.byName[s.Name()]
	if local == nil {
		return nil, failf(ErrSchema, "a box of %q: no type of that name is registered here", s.Name())
	}
	b, err := local.evolved(id, s)
	if err != nil {
		b = &boxType{err: err} // it takes as long to fail again
	}
	c.resolved.Store(id, b)
	return b, err
}

// evolved returns the box type that reads the type of nodes into a value of b's type.
func (b *boxType) evolved(id uint64, s *Schema) (*boxType, error) {
	nodes := s.Nodes()
	layouts, err := layoutsOf(nodes)
	if err != nil {
		return nil, err
	}
	e := &boxType{name: b.name, id: id, typ: b.typ, isKey: b.isKey, most: b.most, foreign: true, unknown: b.unknown}
	c := compiler{plans: map[planKey]*plan{}, foreign: true, inner: true, most: mostSteps(nodes, b.typ), schema: s, box: e}
	p, err := c.compile(layouts[0], b.typ)
	if err != nil {
		return nil, failf(ErrSchema, "a box of %q: %v", b.name, err)
	}
	e.plan, e.lost = p, c.lost
	e.spare.New = b.spare.New
	return e, nil
}

// iface reads the interface whose ref is at w.
func (d *decoder) iface(o *op, g ptr, w uint64) bool {
	r := load64(d.m, w)
	v := valueAt(g, o.typ)
	if r == 0 {
		v.SetZero()
		return true
	}
	b, at, err := d.box(w, r, o.typ)
	if err != nil {
		return d.fail(w, err)
	}
	charged := d.charged
	d.charged = charged || b.foreign
	if b.foreign && d.refs != nil && !charged { // not yet within one
		// What is shared may be read into values of several types there, each time anew.
		d.refs.types = true
		d.budget, d.anew = d.anew, d.budget
		defer func() { d.budget, d.anew = d.anew, d.budget }()
	}
	if d.charged && !d.charge(w, allocation(b.plan.gsize)+b.plan.extra) || !d.enter(w) {
		return false
	}
	s := b.take()
	ok := d.block(b.plan, at, s.p)
	if ok {
		v.Set(s.v)
		d.depth++
	}
	b.give(s)
	d.charged = charged
	return ok
}

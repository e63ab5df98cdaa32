package format

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// A mapping is what moving maps of one type needs besides the plan of an entry.
type mapping struct {
	id     uintptr      // of the type, for the identity of shared maps; no plan has it
	entry  reflect.Type // struct{Key K; Value V}
	key    *plan        // of a key by itself
	kind   reflect.Kind // of a key
	simple bool         // keys are ordered by a number, or as strings
	signed bool         // keys can hold a -0 or a NaN
	opaque bool         // whether Go compares a key is seen only when it is there
	refers bool         // entries refer to other memory
	own    *layout      // of a key as its Go type is laid out
	rows   sync.Pool    // *rows
	spare  sync.Pool    // *spare of an entry
}

func newMapping(l *layout, t reflect.Type, foreign bool) (*mapping, error) {
	k := l.elem.fields[0].lay
	m := &mapping{
		id: typeID(t) + 1,
		entry: reflect.StructOf([]reflect.StructField{
			{Name: "Key", Type: t.Key(), Tag: `ashlar:"` + keyName + `"`},
			{Name: "Value", Type: t.Elem(), Tag: `ashlar:"` + valueName + `"`},
		}),
		kind:   t.Key().Kind(),
		simple: k.kind == kindString || k.kind.scalar() && k.kind != kindComplex64 && k.kind != kindComplex128,
		signed: signed(k),
		own:    k,
	}
	if foreign && m.signed && !m.simple {
		var err error
		if m.own, err = layoutOf(t.Key()); err != nil {
			return nil, err
		}
	}
	m.opaque = holdsInterface(t.Key())
	m.refers = !pointerFree(m.entry)
	m.rows.New = func() any { return &rows{entries: reflect.New(reflect.SliceOf(m.entry)).Elem()} }
	m.spare.New = func() any {
		v := reflect.New(m.entry)
		return &spare{v.Elem(), ptrOfValue(v)}
	}
	return m, nil
}

// layoutOf lays out a Go type.
func layoutOf(t reflect.Type) (*layout, error) {
	s, err := schemaOf(t)
	if err != nil {
		return nil, err
	}
	nodes, _ := s.minimise()
	all, err := layoutsOf(nodes)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// holdsInterface reports whether values of t hold interfaces by value, exported or not.
func holdsInterface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Array:
		return t.Len() > 0 && holdsInterface(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsInterface(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// rows are the entries of a map and the order that they are written in.
type rows struct {
	entries reflect.Value // []entry
	fields  []fields      // of the first entries, where most maps end
	order   []row
	iter    reflect.MapIter
}

// fields are those of an entry.
type fields struct{ key, value reflect.Value }

const mostFields = 64

// A row is an entry in the order. Of strings first is made of the first 8 bytes, of numbers it is all that
// counts, of other keys it is where the key stands in the scratch message that it is compared in.
type row struct {
	first uint64
	i     uint32
}

// addKey adds the step into a map to a trail: the key, where it is short and plain, else the number of the
// entry.
func (t *trail) addKey(key reflect.Value, i int) {
	switch {
	case key.Kind() == reflect.String && key.Len() <= 40:
		t.add("["+strconv.Quote(key.String())+"]", -1)
	case key.CanInt() || key.CanUint() || key.Kind() == reflect.Bool:
		t.add(fmt.Sprintf("[%v]", key), -1)
	default:
		t.add("", i)
	}
}

// collect copies the n entries of v, a map of o. A -0 in a key becomes 0.
func (c *core) collect(r *rows, o *op, v reflect.Value, n int) error {
	if r.entries.Cap() < n {
		r.entries.Set(reflect.MakeSlice(r.entries.Type(), max(n, 8), max(n, 8)))
		r.fields = r.fields[:0]
		for i := range min(r.entries.Len(), mostFields) {
			e := r.entries.Index(i)
			r.fields = append(r.fields, fields{e.Field(0), e.Field(1)})
		}
	}
	r.entries.SetLen(n)
	r.order = slices.Grow(r.order[:0], n)[:n]
	r.iter.Reset(v)
	i := 0
	for ; i < n && r.iter.Next(); i++ {
		if i < len(r.fields) {
			f := &r.fields[i]
			f.key.SetIterKey(&r.iter)
			f.value.SetIterValue(&r.iter)
		} else {
			e := r.entries.Index(i)
			e.Field(0).SetIterKey(&r.iter)
			e.Field(1).SetIterValue(&r.iter)
		}
		r.order[i].i = uint32(i)
	}
	r.iter.Reset(reflect.Value{})
	if i != n {
		return failf(ErrType, "the map changes while it is written")
	}
	if o.maps.signed {
		types := c.types.load()
		for i := range n {
			if err := unsigned(o.maps.own, r.entries.Index(i).Field(0), types, c.maxDepth); err != nil {
				return err
			}
		}
	}
	return nil
}

// giveRows keeps the memory of r until the garbage collector wants it, and nothing of what the entries
// refer to.
func (m *mapping) giveRows(r *rows) {
	if m.refers {
		r.entries.Clear()
	}
	m.rows.Put(r)
}

// sortSimple orders numbers and strings; p is the plan of an entry. It returns an error for a NaN.
func (m *mapping) sortSimple(r *rows, p *plan) error {
	data := dataOf(r.entries)
	for i := range r.order {
		k := firstField(elem(data, uint64(i), p))
		o := &r.order[i]
		switch m.kind {
		case reflect.String:
			o.first = prefix(loadString(k))
		default:
			var ok bool
			if o.first, ok = orderOf(k, m.kind); !ok {
				return errNaN
			}
		}
	}
	switch {
	case m.kind == reflect.String && len(r.order) > 12:
		slices.SortFunc(r.order, func(a, b row) int {
			if a.first != b.first {
				return cmp.Compare(a.first, b.first)
			}
			return cmp.Compare(textKey(data, p, a), textKey(data, p, b))
		})
	case len(r.order) <= 12:
		text := m.kind == reflect.String
		for i, x := range r.order {
			for ; i > 0 && (r.order[i-1].first > x.first || text && r.order[i-1].first == x.first && textKey(data, p, x) < textKey(data, p, r.order[i-1])); i-- {
				r.order[i] = r.order[i-1]
			}
			r.order[i] = x
		}
	default:
		slices.SortFunc(r.order, func(a, b row) int { return cmp.Compare(a.first, b.first) })
	}
	return nil
}

// orderOf returns a number that is ordered as the bools, integers or floats of a kind are, of which one is at g; not
// for a NaN.
func orderOf(g ptr, k reflect.Kind) (order uint64, ok bool) {
	if k != reflect.Float32 && k != reflect.Float64 {
		return loadWhole(g, k), true
	}
	f := loadFloat(g, k)
	return floatOrder(f), f == f
}

// floatOrder returns a number that is ordered as floats are. Negative numbers are in the reverse order of their
// bits, and -0 is 0.
func floatOrder(f float64) uint64 {
	bits := math.Float64bits(f + 0)
	if bits>>63 != 0 {
		return ^bits
	}
	return bits | 1<<63
}

// textKey is the string that is the key of a row; p is the plan of an entry.
func textKey(data ptr, p *plan, r row) string {
	return loadString(firstField(elem(data, uint64(r.i), p)))
}

var errNaN = failf(ErrType, "a NaN cannot be a key")

// prefix is the first 8 bytes of s as a number that is ordered as they are.
func prefix(s string) (p uint64) {
	if len(s) >= 8 {
		return uint64(s[7]) | uint64(s[6])<<8 | uint64(s[5])<<16 | uint64(s[4])<<24 | uint64(s[3])<<32 | uint64(s[2])<<40 | uint64(s[1])<<48 | uint64(s[0])<<56
	}
	for i := range min(len(s), 8) {
		p |= uint64(s[i]) << (56 - 8*i)
	}
	return p
}

// sort puts the entries in the order of their keys, which stand where d is.
func (c *core) sort(o *op, r *rows, d *descent) (*trail, error) {
	if o.maps.simple {
		if err := o.maps.sortSimple(r, o.sub); err != nil {
			return new(trail), err
		}
		return nil, nil
	}
	return c.sortKeys(o, r, d)
}

// sortKeys orders other keys by what they are in a message: it writes them into one of their own.
func (c *core) sortKeys(o *op, r *rows, d *descent) (*trail, error) {
	m := o.maps
	var own encoder
	own.codec, own.apart = c, true
	own.descent = descent{depth: d.depth, max: d.max, next: d.depth + 1}
	buf := scratch.Get().(*[]byte)
	own.m = slices.Grow((*buf)[:0], 512)
	own.m = own.m[:cap(own.m)]
	own.clip()
	defer func() {
		*buf = own.m
		giveScratch(buf)
		own.done()
	}()
	own.end = headerSize
	data := dataOf(r.entries)
	for i := range r.order {
		at, ok := own.alloc(up8(m.key.wsize))
		if ok {
			ok = own.block(m.key, firstField(elem(data, uint64(i), o.sub)), at)
		}
		if !ok {
			if own.trail == nil {
				own.trail = new(trail)
			}
			own.trail.add(keyName, -1)
			own.trail.add("", i)
			return own.trail, own.err
		}
		r.order[i].first = at
	}
	var k keys
	k.start(own.m[:own.end], c, c.types.load())
	k.steps = math.MaxInt64
	slices.SortFunc(r.order, func(a, b row) int { return k.compare(m.key.lay, a.first, b.first) })
	for i := range r.order {
		at := r.order[i].first
		k.compare(m.key.lay, at, at) // for a NaN behind what two keys differ in
		if i > 0 && k.compare(m.key.lay, r.order[i-1].first, at) == 0 && k.bad == nil {
			x, y := r.entries.Index(int(r.order[i-1].i)).Field(0), r.entries.Index(int(r.order[i].i)).Field(0)
			return new(trail), failf(ErrType, "the keys %.40v and %.40v are the same bytes in a message", x, y)
		}
	}
	if k.bad != nil {
		text := strings.TrimPrefix(k.bad.Error(), ErrCorrupt.Error()+": ") // nothing is corrupt yet
		return new(trail), failf(ErrType, "%s", text)
	}
	return nil, nil
}

// mapping writes the map at src, whose ref is at w.
func (e *encoder) mapping(o *op, src ptr, w uint64) bool {
	v := valueAt(src, o.typ)
	if v.IsNil() {
		store64(e.m, w, 0)
		return true
	}
	n, p, m := uint64(v.Len()), o.sub, o.maps
	switch {
	case n == 0:
		store64(e.m, w, 1)
		return true
	case n > maxCount:
		return e.tooMany(n)
	case p.wsize == 0:
		store64(e.m, w, 1|1<<32)
		return e.nothing(o, v)
	}
	id := v.Pointer()
	if e.refs != nil && e.shared(w, id, m.id, n, n*p.wsize) {
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
	if p.lay.refs {
		if err := e.enterOnce(identOf(v), n, p); err != nil {
			return e.stop(err)
		}
	}
	delta := e.delta
	e.delta = e.skip
	r := m.rows.Get().(*rows)
	defer m.giveRows(r)
	if err := e.codec.collect(r, o, v, int(n)); err != nil {
		return e.fail(err)
	}
	if t, err := e.codec.sort(o, r, &e.descent); err != nil {
		e.err, e.trail = err, t
		return false
	}
	data := dataOf(r.entries)
	run := p.run()
	for i := range r.order {
		src, at := elem(data, uint64(r.order[i].i), p), at+uint64(i)*p.wsize
		if run != nil {
			storeRun(e.m, at, src, run)
		} else if !e.block(p, src, at) {
			e.trail.addKey(r.entries.Index(int(r.order[i].i)).Field(0), i)
			return false
		}
	}
	e.delta = delta
	if p.lay.refs {
		e.leave()
	}
	return true
}

// nothing writes the map v, which is not empty and whose entries have no bytes: there is one, in which there may be
// an Unknown.
func (e *encoder) nothing(o *op, v reflect.Value) bool {
	if v.Len() > 1 {
		return e.fail(failf(ErrType, "%d keys are the same bytes in a message, none", v.Len()))
	}
	if len(o.sub.ops) == 0 {
		return true
	}
	r := o.maps.rows.Get().(*rows)
	defer o.maps.giveRows(r)
	if err := e.codec.collect(r, o, v, 1); err != nil {
		return e.fail(err)
	}
	return e.block(o.sub, elem(dataOf(r.entries), 0, o.sub), 0)
}

// mapping counts the map at src.
func (z *sizer) mapping(o *op, src ptr) bool {
	v := valueAt(src, o.typ)
	n, p, m := uint64(v.Len()), o.sub, o.maps
	if n == 0 || p.wsize == 0 && !p.walks {
		return true
	}
	if z.refs != nil {
		if _, seen := z.refs.visit(v.Pointer(), m.id, 0); seen {
			return true
		}
	}
	if !z.object(n, p.wsize) || p.lay.refs && !z.enterOnce(identOf(v), n, p) {
		return false
	}
	if p.lay.refs || m.signed || !m.simple {
		r := m.rows.Get().(*rows)
		defer m.giveRows(r)
		if err := z.codec.collect(r, o, v, int(n)); err != nil {
			return z.fail(err)
		}
		// Where large objects begin depends on what comes before them.
		if t, err := z.codec.sort(o, r, &z.descent); err != nil {
			z.err, z.trail = err, t
			return false
		}
		data := dataOf(r.entries)
		for i := range r.order {
			if !z.block(p, elem(data, uint64(r.order[i].i), p)) {
				z.trail.addKey(r.entries.Index(int(r.order[i].i)).Field(0), i)
				return false
			}
		}
	}
	if p.lay.refs {
		z.leave()
	}
	return true
}

// mapping reads the map whose ref is at w.
func (d *decoder) mapping(o *op, g ptr, w uint64) bool {
	r := load64(d.m, w)
	v := valueAt(g, o.typ)
	p, m := o.sub, o.maps
	if r == 0 {
		v.SetZero()
		return true
	}
	n := r >> 32
	if d.refs != nil && r != 1 && p.wsize > 0 {
		s, err := d.known(w, r, m.id)
		if err != nil {
			return d.fail(w, err)
		}
		if s != nil {
			v.Set(s.v)
			return true
		}
	}
	to, ok := uint64(0), true
	switch {
	case r == 1:
		n = 0
	case p.wsize > 0:
		if to, ok = d.object(w, r, p.wsize); !ok {
			return d.badRef(w, r, p.wsize)
		}
		if n > math.MaxInt {
			return d.fail(w, tooManyHere(n))
		}
	case r != 1|1<<32:
		return d.fail(w, badZeroSize(r))
	}
	if d.charged && !d.charge(w, smallMap(p)+n*(3*p.gsize+p.extra)+d.remembered()) {
		return false
	}
	if d.mode == fresh || d.codec.refs || v.IsNil() {
		v.Set(reflect.MakeMapWithSize(o.typ, int(n)))
	} else {
		v.Clear()
	}
	if n == 0 {
		return true
	}
	if to != 0 {
		if d.refs != nil {
			d.refs.meet(seen{to: to, id: m.id, count: n, v: reflect.ValueOf(v.Interface())})
		}
		if p.lay.refs && !d.enter(w) {
			return false
		}
	}
	// A key must not change once it is in the map.
	mode := d.mode
	if d.codec.shared {
		d.mode = fresh
	}
	s := m.spare.Get().(*spare)
	defer func() {
		s.v.SetZero()
		m.spare.Put(s)
		d.mode = mode
	}()
	key, value := s.v.Field(0), s.v.Field(1)
	lay := &p.lay.fields[0]
	for i := range n {
		at := to + i*p.wsize
		if (to != 0 || len(p.ops) > 0) && !d.block(p, at, s.p) {
			d.trail.add("", int(i))
			return false
		}
		if to != 0 && !d.ordered(lay, at, i, p.wsize, m) || m.opaque && !key.Comparable() {
			if d.keys.bad == nil {
				d.keys.bad = failf(ErrCorrupt, "a key that Go does not compare")
			}
			d.fail(at, d.keys.bad)
			d.trail.add("", int(i))
			return false
		}
		v.SetMapIndex(key, value)
		s.v.SetZero()
	}
	if uint64(v.Len()) != n {
		if d.codec.foreign {
			return d.fail(w, failf(ErrLimit, "%d of %d entries: what this program has of the keys is the same", v.Len(), n))
		}
		return d.fail(w, failf(ErrCorrupt, "%d of %d entries: keys are the same in Go", v.Len(), n))
	}
	if to != 0 && p.lay.refs {
		d.depth++
	}
	return true
}

// ordered checks the key of the i-th entry, which stands at at and is size bytes long.
func (d *reach) ordered(key *layoutField, at, i, size uint64, m *mapping) bool {
	alone := m.signed && (i == 0 || !m.simple) // a NaN behind what two keys differ in
	if i == 0 && !alone {
		return true
	}
	if d.keys.m == nil {
		types := d.types
		if types == nil { // of a writer's interfaces, which the type does not have
			types = d.codec.types.load()
		}
		d.keys.start(d.m, d.codec, types)
	}
	at += key.offset
	if alone {
		d.keys.compare(key.lay, at, at)
	}
	if i > 0 && d.keys.compare(key.lay, at-size, at) >= 0 && d.keys.bad == nil {
		d.keys.bad = errOrder
	}
	return d.keys.bad == nil
}

var errOrder = failf(ErrCorrupt, "keys are not in strictly ascending order")

func tooLargeHere(n, size uint64) error {
	return failf(ErrLimit, "%d elements of %d bytes, at most %d bytes on this platform", n, size, math.MaxInt)
}

func tooManyHere(n uint64) error {
	return failf(ErrLimit, "%d elements, at most %d on this platform", n, math.MaxInt)
}

package format

import (
	"cmp"
	"iter"
	"reflect"
	"strings"
)

// A MapHandle looks up keys of type K in maps where they lie, and reads what they have as a V, as a [Handle] reads
// a field. It is made once, by [Map], and is safe for concurrent use.
type MapHandle[T, K, V any] struct {
	own *route
	routes
	_ [0]func(T, K) V
}

// An Entry is one of a map.
type Entry[K, V any] struct {
	Key   K
	Value V
}

// mapRoute is the way into the entries of a map.
type mapRoute struct {
	size       uint64 // bytes of an entry
	key, value *route // from the beginning of an entry
	search     search
	lookup     error // why keys cannot be looked up
	own        *plan // of a key in this program's schema
}

// A search is how keys are compared.
type search uint8

const (
	byText   search = iota // strings
	byNumber               // by a number
	byBlock                // other keys without refs, as they stand in a message
)

// Map makes the handle for the map at a path, with one index at each call for each [] of the path:
//
//	price, err := format.Map[string, float64](codec, "Prices")
//	p, ok, err := price.Get(view, "ASH")
//
// K is the type of the keys and V that of the values, or what [Field] allows in its place. Keys are found by binary
// search, as they stand in their order (SPEC §3.7): in a message that breaks it some are not found. Keys
// that marshal themselves are not looked up: All goes over them. Those that are or hold interfaces, and structs and
// arrays that hold strings, are refused.
//
// The error is an [*Error] of ErrType.
func Map[K, V, T any](c *Codec[T], path string) (*MapHandle[T, K, V], error) {
	h := &MapHandle[T, K, V]{routes: routes{path: path, typ: reflect.TypeFor[V](), key: reflect.TypeFor[K](), uses: strings.Count(path, "[]")}}
	h.view = viewOf[V]()
	h.own = h.findFrom(c.core.root)
	if h.own.err != nil {
		return nil, h.own.err
	}
	return h, nil
}

// MustMap is [Map] for package variables: it panics where Map returns an error.
func MustMap[K, V, T any](c *Codec[T], path string) *MapHandle[T, K, V] {
	h, err := Map[K, V](c, path)
	if err != nil {
		panic(err)
	}
	return h
}

// intoMap finds the ways of the keys and the values of a map that is reached.
func (f *pathfinder) intoMap(key, value, view reflect.Type) error {
	r := f.r
	if err := f.follow(); err != nil {
		return err
	}
	t := base(f.t)
	if kindOf(t) != kindMap {
		return f.refuse(ErrType, "here is a %s, not a map", f.t)
	}
	m := &mapRoute{}
	r.entries = m
	switch k := kindOf(key); {
	case key != t.Key():
		return f.refuse(ErrType, "the keys are of type %s, not %s", t.Key(), key)
	case k == kindString:
		m.search = byText
	case k.scalar() && k != kindComplex64 && k != kindComplex128:
		m.search = byNumber
	case notWhole(key, false) == "":
		m.search = byBlock
	case k == kindCustom:
		m.lookup = f.refuse(ErrType, "keys of type %s are not looked up: go over all entries", key)
	default:
		return f.refuse(ErrType, "keys of type %s are not read in place, for %s: a View[%s] decodes the map", key, notWhole(key, false), t)
	}
	path := deeper(f.path, "[key]")
	if r.kind == leafGone {
		return (&pathfinder{core: f.core, r: &route{leaf: leaf{kind: leafGone}}, t: t.Elem(), path: path}).end(value, view)
	}
	if f.l.kind != kindMap {
		return f.refuse(ErrSchema, "the writer has %s here, this program %s", f.l, t)
	}
	r.lay = f.l
	m.size = f.l.elem.size
	deep := r.refsOn() + oneIf(f.l.elem.refs) // of the entries
	for i, to := range []struct {
		r       **route
		t       reflect.Type
		as, sub reflect.Type
	}{{&m.key, t.Key(), key, nil}, {&m.value, t.Elem(), value, view}} {
		part := &pathfinder{core: f.core, r: &route{in: r.in, list: -1}, l: f.l.elem, t: to.t, path: path}
		part.into(&f.l.elem.fields[i])
		if err := part.end(to.as, to.sub); err != nil {
			return err
		}
		part.r.deep += deep
		*to.r = part.r
	}
	own, err := coreOf(key)
	if err != nil {
		return err
	}
	m.own = own.plan
	if lay := m.key.lay; m.lookup == nil && !sameOrder(lay, m.own.lay, m.search) {
		m.lookup = f.refuse(ErrSchema, "the writer's keys are %s: they are not looked up as %s, but All goes over them", lay, key)
	}
	return nil
}

// sameOrder reports whether keys of two layouts have one order.
func sameOrder(a, b *layout, how search) bool {
	switch {
	case how == byNumber:
		return a.kind == b.kind || a.kind.signed() && b.kind.signed() || a.kind.real() && b.kind.real() ||
			a.kind.whole() && b.kind.whole() && !a.kind.signed() && !b.kind.signed()
	case a.kind != b.kind || a.length != b.length || len(a.fields) != len(b.fields):
		return false
	case a.kind == kindArray:
		return sameOrder(a.elem, b.elem, how)
	}
	for i := range a.fields {
		if a.fields[i].name != b.fields[i].name || !sameOrder(a.fields[i].lay, b.fields[i].lay, how) {
			return false
		}
	}
	return true
}

// Get looks up a key. ok is false where the map has none such, or is not there. The errors are those of [Handle.Get].
func (h *MapHandle[T, K, V]) Get(v View[T], key K, at ...int) (x V, ok bool, err error) {
	r, to, n, err := h.table(h.own, v.rawView, at)
	if n == 0 || err != nil {
		return x, false, err
	}
	m := r.entries
	if m.lookup != nil {
		return x, false, m.lookup
	}
	var w uint64
	if m.search == byBlock {
		k := new(K)
		*k = key
		w = m.findBlock(v.msg.bytes(), to, n, ptrOf(k))
	} else {
		w, err = h.find(r, v.msg.bytes(), to, n, ptrOf(&key), at)
	}
	if w == 0 || err != nil {
		return x, false, err
	}
	x, err = inEntry[V](&h.routes, m.value, v.rawView, w, at)
	return x, err == nil, err
}

// inEntry reads a part of the entry at w.
func inEntry[V any](s *routes, r *route, v rawView, w uint64, at []int) (x V, err error) {
	if w, err = s.follow(v.msg, r.hops, w, nil, at); w == 0 {
		return x, err
	}
	return value[V](s, r, v, w, at)
}

// Has reports whether the map is there, and not nil.
func (h *MapHandle[T, K, V]) Has(v View[T], at ...int) (bool, error) {
	q, _, _, err := h.count(h.own, v.rawView, at)
	return err == nil && q != 0, err
}

// Len returns how many entries the map has; one that is nil has none.
func (h *MapHandle[T, K, V]) Len(v View[T], at ...int) (int, error) {
	_, n, _, err := h.count(h.own, v.rawView, at)
	return int(n), err
}

// All goes over the entries in their order. What is wrong with one is its error, and the next one follows; what
// is wrong with the map is the only error. The one entry of a map whose keys and values have no bytes is gone over.
func (h *MapHandle[T, K, V]) All(v View[T], at ...int) iter.Seq2[Entry[K, V], error] {
	return func(yield func(Entry[K, V], error) bool) {
		r, to, n, err := h.table(h.own, v.rawView, at)
		if err != nil {
			yield(Entry[K, V]{}, err)
			return
		}
		for i := range n {
			var e Entry[K, V]
			w := to + i*r.entries.size
			e.Key, err = inEntry[K](&h.routes, r.entries.key, v.rawView, w, at)
			if err == nil {
				e.Value, err = inEntry[V](&h.routes, r.entries.value, v.rawView, w, at)
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// table returns the n entries of the map that a path leads to, which begin at to.
func (s *routes) table(own *route, v rawView, at []int) (r *route, to, n uint64, err error) {
	r, err = s.begin(own, v, len(at), s.uses)
	if r == nil || r.kind == leafGone {
		return r, 0, 0, err
	}
	w, err := s.follow(v.msg, r.hops, v.pos&posOffset, at, at)
	if w == 0 {
		return r, 0, 0, err
	}
	_, n, to, err = s.object(v.msg.bytes(), w+r.off, r.entries.size, at)
	if r.entries.size == 0 {
		n = min(n, 1)
	}
	return r, to, n, err
}

// find returns the entry of the key at k, a string or a number, among n that begin at to, or 0.
func (s *routes) find(r *route, m []byte, to, n uint64, k ptr, at []int) (uint64, error) {
	t, kind, off := r.entries, r.entries.key.lay.kind, r.entries.key.off
	var text string
	var number uint64
	if t.search == byText {
		text = loadString(k)
	} else {
		var ok bool
		if number, ok = orderOf(k, s.key.Kind()); !ok {
			return 0, nil // a NaN is no key
		}
	}
	for low, high := uint64(0), n; low < high; {
		i := (low + high) / 2
		w := to + i*t.size + off
		order := 0
		if t.search == byNumber {
			order = cmp.Compare(kind.order(m, w), number)
		} else {
			b, q := uint64(0), load64(m, w)
			if q != 0 {
				var ok bool
				if b, ok = regionOf(m).object(w, q, 1); !ok || q == 1 {
					return 0, s.error(at, int64(w), badRef(m, w, q, 1))
				}
			}
			order = compareText(m, b, q>>32, text)
		}
		switch {
		case order == 0:
			return to + i*t.size, nil
		case order < 0:
			low = i + 1
		default:
			high = i
		}
	}
	return 0, nil
}

// findBlock is find for the keys that hold no refs.
func (t *mapRoute) findBlock(m []byte, to, n uint64, k ptr) uint64 {
	size := t.own.wsize
	both := make([]byte, headerSize+2*up8(size)) // the key and one that it is compared with
	wanted, found := uint64(headerSize), headerSize+up8(size)
	e := encoder{m: both}
	e.block(t.own, k, wanted)
	for low, high := uint64(0), n; low < high; {
		i := (low + high) / 2
		w := to + i*t.size
		copy(both[found:], m[w+t.key.off:w+t.key.off+size])
		compare := keys{m: both}
		switch order := compare.compare(t.own.lay, found, wanted); {
		case order == 0 && compare.bad == nil:
			return w
		case order < 0:
			low = i + 1
		default:
			high = i
		}
	}
	return 0
}

// order returns a number that is ordered as the keys of kind k are, of which one is at w.
func (k kind) order(m []byte, w uint64) uint64 {
	i, u, f := k.load(m, w)
	switch {
	case k.real():
		return floatOrder(f)
	case k.signed():
		return uint64(i) ^ 1<<63
	}
	return u
}

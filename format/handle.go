package format

import (
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Handle reads one field of messages where they lie, as a V. T is the type that the path starts from: that of
// whole messages, or of a part that another handle leads to. It is made once, by [Field], is safe for concurrent
// use, and reads messages of T's schema and those of another one that a codec of [EvolvedFor] views: for each
// such schema it finds its way once.
type Handle[T, V any] struct {
	direct *scope // the codec's own, if the field is a part of its blocks as it is, else one that nothing has
	solid  *scope // the same, if it has no gaps
	text   *scope // the same for a string
	off    uint64 // where
	own    *route
	routes
	_ [0]func(T) V
}

// routes are the ways of one path through the schemas that were met.
type routes struct {
	path   string
	typ    reflect.Type                      // what is read
	view   reflect.Type                      // what a view is of, if that is read
	key    reflect.Type                      // of a map handle
	uses   int                               // indices that the path takes
	seen   [scopeSlots]atomic.Pointer[route] // of scopes that are not the codec's own, by their slots
	others atomic.Pointer[[]*route]          // of all such
	mu     sync.Mutex
}

// mostRoutes is how many schemas a handle remembers its way through.
const mostRoutes = 256

// viewed is what tells that a type is that of views, and of what.
type viewed interface {
	of() (view, of reflect.Type)
}

func (v View[T]) of() (view, of reflect.Type) {
	return reflect.TypeFor[View[T]](), reflect.TypeFor[T]()
}

// viewOf is the type that V is a view of, or nil. A struct that embeds a view is none.
func viewOf[V any]() reflect.Type {
	if v, ok := any(*new(V)).(viewed); ok {
		if view, of := v.of(); view == reflect.TypeFor[V]() {
			return of
		}
	}
	return nil
}

// Field makes the handle for the field at a path, such as
//
//	uri, err := format.Field[string](codec, "Media.URI")
//	width, err := format.Field[int32](codec, "Images[].Width")   // with the index at the call
//	samples, err := format.Field[[]float32](codec, "Samples")    // a slice over the message
//	image, err := format.Field[format.View[Image]](codec, "Images[]")
//
// Names are those in the schema. Pointers on the way are followed. The empty path is the block itself.
//
// V is the field's type, without its pointers: a scalar, a string, a time, a type that marshals itself, a plain
// struct or array (of numbers, bools and such), or a slice of such values; or a View of the field's type, whatever
// that is. Strings and slices are over the message and must only be read; a slice's capacity is its length. V may
// also be a pointer to a plain value, which is then in the message, as *T with the empty path is for all of a plain
// T. What cannot be had without copying is refused: a View is for its parts, and decodes it.
//
// In messages of another schema bytes that the writer has as a string are read as a []byte and the other way round, but
// [] goes over the elements of slices alone.
//
// Where the memory of a message does not begin at a multiple of 8, where Go lays a type out otherwise (int64 in
// structs on 386), and where the writer's type differs, slices and pointers are to copies. In memory that
// others may change ([WithShared]) those that hold bools are refused.
//
// The error is an [*Error] of ErrType that says where on the path what was expected.
func Field[V, T any](c *Codec[T], path string) (*Handle[T, V], error) {
	h := &Handle[T, V]{routes: routes{path: path, typ: reflect.TypeFor[V](), uses: strings.Count(path, "[]")}}
	h.view = viewOf[V]()
	h.own = h.findFrom(c.core.root)
	if h.own.err != nil {
		return nil, h.own.err
	}
	h.direct, h.solid, h.text = &noScope, &noScope, &noScope
	r := h.own
	h.off = r.off
	switch {
	case r.quick == quickRun:
		if !debug {
			h.direct = r.in
		}
		if len(r.p.lay.gaps) == 0 {
			h.solid = r.in
		}
	case r.quick == quickText && !debug:
		h.text = r.in
	}
	return h, nil
}

var noScope scope

// MustField is [Field] for package variables: it panics where Field returns an error.
func MustField[V, T any](c *Codec[T], path string) *Handle[T, V] {
	h, err := Field[V](c, path)
	if err != nil {
		panic(err)
	}
	return h
}

// findFrom finds the way from the blocks of a scope.
func (s *routes) findFrom(in *scope) *route {
	r, f, err := find(in, s.path)
	switch {
	case err != nil:
	case s.key != nil:
		err = f.intoMap(s.key, s.typ, s.view)
	default:
		err = f.end(s.typ, s.view)
	}
	if err != nil {
		return &route{in: in, of: s, err: err}
	}
	r.of = s
	r.hasten()
	if r.list >= 0 {
		each := *r
		each.hops = r.hops[r.list+1:]
		each.step, r.each = r.hops[r.list].size, &each
	}
	return r
}

// through returns the way through the blocks of a scope that is not the handle's own, which is found when it is met
// first.
func (s *routes) through(in *scope) *route {
	if r := s.seen[in.slot].Load(); r != nil && r.in == in {
		return r
	}
	if known := s.others.Load(); known != nil {
		for _, r := range *known {
			if r.in == in {
				return r
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var known []*route
	if p := s.others.Load(); p != nil {
		known = *p
	}
	if i := slices.IndexFunc(known, func(r *route) bool { return r.in == in }); i >= 0 {
		return known[i]
	}
	r := s.findFrom(in.self)      // in may come with what does not outlive its function
	if len(known) >= mostRoutes { // the newest stay
		known = known[mostRoutes/2:]
	}
	if r.err == nil { // in place of an older one's, if there are as many
		s.seen[in.slot].Store(r)
	}
	known = append(slices.Clip(known), r)
	s.others.Store(&known)
	return r
}

// Get reads the field, with one index for each [] of the path. Where a pointer on the way is nil, where v is nil, and
// where the writer does not have the field, it is zero, or the default of its tag in the last case.
//
// Errors, as [*Error] with the path and the offset: ErrCorrupt for what is wrong with the bytes on the way;
// ErrIndex; ErrLimit for a number that V does not hold; ErrSchema where the writer's type cannot become V.
func (h *Handle[T, V]) Get(v View[T], at ...int) (x V, err error) {
	if len(at) == 0 {
		switch v.in {
		case h.direct:
			return loadAs[V](v.msg, v.pos&posOffset+h.off), nil
		case h.text:
			if to, n, ok := v.msg.text(v.pos&posOffset + h.off); ok {
				storeString(ptrOf(&x), v.msg.view(to, n))
				return x, nil
			}
		}
	}
	r := h.own
	if v.in != r.in && v.in != nil {
		if other := h.seen[v.in.slot].Load(); other != nil {
			if r = other; r.in == v.in && r.quick == quickRun && len(at) == 0 && !debug {
				return loadAs[V](v.msg, v.pos&posOffset+r.off), nil
			}
		}
	}
	if v.in != r.in || len(at) != h.uses || debug {
		if r, err = h.begin(h.own, v.rawView, len(at), h.uses); r == nil {
			return x, err
		}
	}
	w := v.pos&posOffset + r.start
	switch r.quick {
	case quickRun:
		return loadAs[V](v.msg, w), nil
	case quickText:
		if to, n, ok := v.msg.text(w); ok {
			storeString(ptrOf(&x), v.msg.view(to, n))
			return x, nil
		}
	case quickBool:
		if _, ok := loadBools(ptrOf(&x), v.msg.bytes(), w, 1); ok {
			return x, nil
		}
	case quickView:
		q := v.msg.load64(w)
		if q == 0 {
			return x, nil
		}
		deep := v.pos>>posDepth + r.deep
		if to, ok := v.msg.object(w, q, r.size); ok && q>>32 == 1 && deep <= r.most {
			storeView(ptrOf(&x), rawView{v.msg, (to + r.off) | v.pos&posGraph | deep<<posDepth, r.sub})
			return x, nil
		}
	case quickListed:
		q, i := v.msg.load64(w), uint64(at[0])
		to, ok := v.msg.object(w, q, 8)
		if !ok || i >= q>>32 {
			break
		}
		w = to + i*8
		fallthrough
	case quickPointed:
		q := v.msg.load64(w)
		if to, ok := v.msg.object(w, q, r.size); ok && q>>32 == 1 {
			return loadAs[V](v.msg, to+r.off), nil
		}
	case quickPointedText:
		q := v.msg.load64(w)
		if to, ok := v.msg.object(w, q, r.size); ok && q>>32 == 1 {
			if text, n, ok := v.msg.text(to + r.off); ok {
				storeString(ptrOf(&x), v.msg.view(text, n))
				return x, nil
			}
		}
	}
	return read[V](r, v.rawView, at)
}

// read goes along a route and reads its leaf. Its parameters fit the registers.
func read[V any](r *route, v rawView, at []int) (x V, err error) {
	w := v.pos & posOffset
	for i := range r.hops { // as follow does
		h := &r.hops[i]
		w += h.off
		index := uint64(0)
		if h.kind != hopPointer {
			index = uint64(at[h.nth])
			if h.kind == hopArray {
				if index >= h.n {
					return readSlowly[V](r, v, at)
				}
				w += index * h.size
				continue
			}
		}
		q := v.msg.load64(w)
		to, ok := v.msg.object(w, q, h.size)
		if n := q >> 32; !ok || index >= n || n > h.n {
			if q == 0 && h.kind == hopPointer {
				return x, nil
			}
			return readSlowly[V](r, v, at)
		}
		w = to + index*h.size
	}
	if r.mask == 0 {
		switch r.kind {
		case leafRun:
			return loadAs[V](v.msg, w+r.off), nil
		case leafString:
			if to, n, ok := v.msg.text(w + r.off); ok {
				storeString(ptrOf(&x), v.msg.view(to, n))
				return x, nil
			}
		case leafView:
			if deep := v.pos>>posDepth + r.deep; deep <= r.most && !r.leaf.null {
				storeView(ptrOf(&x), rawView{v.msg, (w + r.off) | v.pos&posGraph | deep<<posDepth, r.sub})
				return x, nil
			}
		case leafBools:
			if _, ok := loadBools(ptrOf(&x), v.msg.bytes(), w+r.off, r.o.n); ok {
				return x, nil
			}
		}
	}
	return value[V](r.of, r, v, w, at)
}

// readSlowly is read for what is not there, or is not good.
func readSlowly[V any](r *route, v rawView, at []int) (x V, err error) {
	w, err := r.of.follow(v.msg, r.hops, v.pos&posOffset, at, at)
	if w == 0 {
		return x, err
	}
	return value[V](r.of, r, v, w, at)
}

// value reads the leaf of a route in the block at w.
func value[V any](s *routes, r *route, v rawView, w uint64, at []int) (x V, err error) {
	if r.kind < leafDecode {
		return x, s.load(ptrOf(&x), r, v, w, at)
	}
	if r.kind == leafGone {
		if r.null.IsValid() {
			x = ownCopy(r.null).Interface().(V)
		}
		return x, nil
	}
	y := new(V)
	err = s.decode(ptrOf(y), r, v, w, at)
	return *y, err
}

// ownCopy is v, or a pointer to a copy of what v points to: a default is everybody's.
func ownCopy(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	p := reflect.New(v.Type().Elem())
	p.Elem().Set(v.Elem())
	return p
}

// Has reports whether the field is there: whether the pointer, slice, map or interface that the path leads to is not
// nil, and no pointer on the way is. Numbers, strings, structs and arrays that are reached are there; a field that the
// writer does not have is not. With one index fewer than the path has it is the list that the last [] goes over that is
// asked about.
func (h *Handle[T, V]) Has(v View[T], at ...int) (bool, error) {
	q, _, _, err := h.count(h.own, v.rawView, at)
	return err == nil && q != 0, err
}

// Len returns how long the field is: bytes of a string, elements of a slice or array, entries of a map. With one
// index fewer than the path has it is the list that the last [] goes over whose elements are counted. What is nil has
// none.
func (h *Handle[T, V]) Len(v View[T], at ...int) (int, error) {
	_, n, l, err := h.count(h.own, v.rawView, at)
	if err == nil && l != nil && !l.counted() {
		err = h.error(at, -1, failf(ErrType, "a %s has no length", l))
	}
	return int(n), err
}

// All goes over the elements of the list that the path's last [] goes over, with one index fewer than the path has. What
// is wrong with an element is its error, and the next one follows; what is wrong with the list is the only one.
// Elements that have no bytes are not gone over.
func (h *Handle[T, V]) All(v View[T], at ...int) iter.Seq2[V, error] {
	return func(yield func(V, error) bool) {
		r, first, n, err := h.elements(h.own, v.rawView, at)
		if err != nil {
			var none V
			yield(none, err)
			return
		}
		var few [4]int
		each := append(append(few[:0], at...), 0)
		element := v.rawView
		for i := range n {
			each[len(at)] = i
			element.pos = v.pos&^posOffset | (first + uint64(i)*r.step)
			if !yield(read[V](r, element, each)) {
				return
			}
		}
	}
}

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
	if r.direct {
		h.direct = r.in
		if len(r.p.lay.gaps) == 0 {
			h.solid = r.in
		}
	}
	if r.kind == leafString && len(r.hops) == 0 {
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
	if err == nil {
		r.direct = r.kind == leafRun && len(r.hops) == 0 && r.mask == 0
	}
	if err != nil {
		r = &route{in: in, err: err}
	}
	return r
}

// through returns the way through the blocks of a scope, which is found when it is met first.
func (s *routes) through(own *route, in *scope) *route {
	if in == own.in {
		return own
	}
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
	if len(at) == 0 && !debug {
		if v.in == h.direct {
			return loadAs[V](v.msg, v.pos&posOffset+h.off), nil
		}
		if v.in == h.text {
			if to, n, ok := v.msg.text(v.pos&posOffset + h.off); ok {
				storeString(ptrOf(&x), v.msg.view(to, n))
				return x, nil
			}
		} else if v.in != nil {
			if r := h.seen[v.in.slot].Load(); r != nil && r.in == v.in && r.direct {
				return loadAs[V](v.msg, v.pos&posOffset+r.off), nil
			}
		}
	}
	return h.get(v.rawView, at)
}

// get is Get for what is not in the block itself. Its parameters fit the registers.
func (h *Handle[T, V]) get(v rawView, at []int) (x V, err error) {
	r := h.own
	if v.in != r.in && v.in != nil {
		if other := h.seen[v.in.slot].Load(); other != nil {
			r = other
		}
	}
	if v.in != r.in || len(at) != h.uses || debug {
		if r, err = h.begin(h.own, v, len(at), h.uses); r == nil {
			return x, err
		}
	}
	w := v.pos & posOffset
	for i := range r.hops { // as follow does, without a call
		hop := &r.hops[i]
		w += hop.off
		ok, to := false, uint64(0)
		switch hop.kind {
		case hopPointer:
			q := v.msg.load64(w)
			if to, ok = v.msg.one(w, q, hop.size); !ok && q == 0 {
				return x, nil
			}
		case hopElement:
			to, ok = v.msg.element(w, v.msg.load64(w), hop.size, uint64(at[hop.nth]))
		default:
			i := uint64(at[hop.nth])
			to, ok = w+i*hop.size, i < hop.n
		}
		if !ok {
			if w, err = h.follow(v.msg, r.hops, v.pos&posOffset, at, at); w == 0 {
				return x, err
			}
			break
		}
		w = to
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
	return value[V](&h.routes, r, v, w, at)
}

// value reads the leaf of a route in the block at w.
func value[V any](s *routes, r *route, v rawView, w uint64, at []int) (x V, err error) {
	if r.kind < leafDecode {
		return x, s.load(ptrOf(&x), r, v, w, at)
	}
	if r.kind == leafGone {
		if r.null.IsValid() {
			x = r.null.Interface().(V)
		}
		return x, nil
	}
	y := new(V)
	err = s.decode(ptrOf(y), r, v, w, at)
	return *y, err
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
		n, err := h.elements(h.own, v.rawView, at)
		if err != nil {
			var none V
			yield(none, err)
			return
		}
		var few [4]int
		each := append(append(few[:0], at...), 0)
		for i := range n {
			each[len(at)] = i
			if !yield(h.get(v.rawView, each)) {
				return
			}
		}
	}
}

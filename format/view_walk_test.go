package format_test

import (
	"errors"
	"reflect"
	"unsafe"

	"github.com/ashlar-go/ashlar/format"
)

// A part is a type with handles for what is in it. It goes through views of the type, and holds what it reads against
// a Go value where there is one.
type part[T any] struct {
	c      *format.Codec[T]
	checks []func(w *walk, v format.View[T], x *T)
}

func newPart[T any](c *format.Codec[T]) *part[T] { return &part[T]{c: c} }

func (p *part[T]) add(check func(w *walk, v format.View[T], x *T)) {
	p.checks = append(p.checks, check)
}

// walk reads all of v. x is the value that v shows, or nil where nobody knows.
func (p *part[T]) walk(w *walk, v format.View[T], x *T) {
	for i := range p.checks {
		if w.steps <= 0 {
			return
		}
		p.checks[(i+w.from)%len(p.checks)](w, v, x)
	}
}

// A walk is one way through a message.
type walk struct {
	t       reporter
	n       int  // bytes of the message
	from    int  // the check that is the first: with few steps it matters
	steps   int  // reads that may still be made: lists of hostile messages overlap, and parts contain themselves
	sound   bool // the message passed Verify and nobody changes it: no read fails
	changes bool // somebody changes it: what was there may be gone
	copies  bool // slices may be copies, which may have room
	graph   bool // pointers may lead back
	reads   int
	errs    int
	sum     byte // of every byte that was handed out
}

// saw counts a read and looks at its error. It reports whether there is none.
func (w *walk) saw(path string, err error) bool {
	w.steps--
	w.reads++
	if err == nil {
		return true
	}
	w.errs++
	if w.sound {
		w.t.Fatalf("%s of a message that passed Verify: %v", path, err)
	}
	var e *format.Error
	switch errors.As(err, &e); {
	case w.changes && errors.Is(err, format.ErrIndex):
	case unclassified(err, w.n) != "":
		w.t.Fatalf("%s: %s", path, unclassified(err, w.n))
	case path != "" && e.Path == "":
		w.t.Fatalf("%s: an error without a path: %v", path, err)
	}
	return false
}

// same holds what was read against what is to be there.
func (w *walk) same(path string, got, want any) {
	w.t.Helper()
	if d := difference(got, want); d != "" {
		w.t.Fatalf("%s differs%s", path, d)
	}
}

// is holds a fact against what it is to be.
func (w *walk) is(path, what string, got, want any) {
	w.t.Helper()
	if got != want {
		w.t.Fatalf("%s: %s is %v, want %v", path, what, got, want)
	}
}

// touch reads all memory that x, which a handle gave, refers to: beyond the message there is none.
func (w *walk) touch(path string, x any) {
	var b []byte
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.String:
		b = unsafe.Slice(unsafe.StringData(v.String()), v.Len())
	case reflect.Slice:
		b = unsafe.Slice((*byte)(v.UnsafePointer()), v.Len()*int(v.Type().Elem().Size()))
		if v.Cap() != v.Len() && aliases() && !w.copies {
			w.t.Fatalf("%s: capacity %d of %d elements", path, v.Cap(), v.Len())
		}
		w.bools(path, v.Type().Elem(), b)
	case reflect.Pointer:
		if !v.IsNil() {
			b = unsafe.Slice((*byte)(v.UnsafePointer()), v.Type().Elem().Size())
			w.bools(path, v.Type().Elem(), b)
		}
	}
	for _, c := range b {
		w.sum += c
	}
	w.steps -= len(b) / 256
}

// bools looks at the bytes of bools, since a bool of 2 equals one of 1.
func (w *walk) bools(path string, t reflect.Type, b []byte) {
	at, step := uintptr(0), t.Size()
	switch t {
	case reflect.TypeFor[bool]():
	case reflect.TypeFor[sharedPair]():
		at = unsafe.Offsetof(sharedPair{}.On)
	default:
		return
	}
	for ; at < uintptr(len(b)); at += step {
		if b[at] > 1 {
			w.t.Fatalf("%s: a bool of %d", path, b[at])
		}
	}
}

// reads reads what is always there.
func reads[V, T any](p *part[T], path string, get func(x *T) V) {
	h := format.MustField[V](p.c, path)
	p.add(func(w *walk, v format.View[T], x *T) {
		got, err := h.Get(v)
		if !w.saw(path, err) {
			return
		}
		w.touch(path, got)
		if x != nil {
			want := get(x)
			w.same(path, &got, &want)
		}
	})
}

// maybe reads what a pointer leads to.
func maybe[V, T any](p *part[T], path string, get func(x *T) *V) {
	h := format.MustField[V](p.c, path)
	p.add(func(w *walk, v format.View[T], x *T) {
		got, err := h.Get(v)
		has, hasErr := h.Has(v)
		if !w.saw(path, err) || !w.saw(path, hasErr) {
			return
		}
		w.touch(path, got)
		if x == nil {
			return
		}
		want := get(x)
		w.is(path, "Has", has, want != nil)
		if want == nil {
			want = new(V)
		}
		w.same(path, &got, want)
	})
}

// whole reads a plain value as a pointer.
func whole[E, T any](p *part[T], path string, get func(x *T) *E) {
	h := format.MustField[*E](p.c, path)
	p.add(func(w *walk, v format.View[T], x *T) {
		got, err := h.Get(v)
		if !w.saw(path, err) {
			return
		}
		w.touch(path, got)
		if x != nil {
			want := get(x)
			w.same(path, &got, &want)
		}
	})
}

// list reads the elements of the path's last list, each by itself and in turn.
func list[V, T any](p *part[T], path string, get func(x *T) []V) {
	maybes(p, path, get, func(e *V) *V { return e })
}

// maybes is list for elements of another type, pointers above all.
func maybes[V, E, T any](p *part[T], path string, get func(x *T) []E, elem func(e *E) *V) {
	h := format.MustField[V](p.c, path)
	p.add(func(w *walk, v format.View[T], x *T) {
		n, err := h.Len(v)
		has, hasErr := h.Has(v)
		if !w.saw(path, err) || !w.saw(path, hasErr) {
			return
		}
		var want []E
		if x != nil {
			want = get(x)
			w.is(path, "Len", n, len(want))
			w.is(path, "Has", has, want != nil)
			for _, i := range []int{-1, n, n + 1, -1 << 31} {
				if _, err := h.Get(v, i); !errors.Is(err, format.ErrIndex) && !v.IsNil() && want != nil {
					w.t.Fatalf("%s at %d of %d: %v, want ErrIndex", path, i, n, err)
				}
			}
		}
		check := func(i int, got V, err error) {
			if !w.saw(path, err) {
				return
			}
			w.touch(path, got)
			if x == nil {
				return
			}
			wanted := elem(&want[i])
			has, err := h.Has(v, i)
			if w.saw(path, err) {
				w.is(path, "Has of an element", has, wanted != nil)
			}
			if wanted == nil {
				wanted = new(V)
			}
			w.same(path, &got, wanted)
		}
		i := 0
		for got, err := range h.All(v) {
			if w.steps <= 0 {
				return
			}
			check(i, got, err)
			i++
		}
		if !w.changes && w.errs == 0 {
			w.is(path, "the number of elements of All", i, n)
		}
		for i := 0; i < n && w.steps > 0; i += 1 + i/4 {
			got, err := h.Get(v, i)
			check(i, got, err)
		}
	})
}

// sub goes on into one part.
func sub[E, T any](p *part[T], path string, into *part[E], get func(x *T) *E) {
	h := format.MustField[format.View[E]](p.c, path)
	p.add(func(w *walk, v format.View[T], x *T) {
		e, err := h.Get(v)
		if !w.saw(path, err) {
			return
		}
		var want *E
		if x != nil {
			want = get(x)
			w.is(path, "IsNil", e.IsNil(), want == nil)
		}
		if !e.IsNil() {
			into.walk(w, e, want)
		}
	})
}

// subs goes on into the elements of a list.
func subs[E, T any](p *part[T], path string, into *part[E], get func(x *T) []*E) {
	h := format.MustField[format.View[E]](p.c, path)
	p.add(func(w *walk, v format.View[T], x *T) {
		var want []*E
		if x != nil {
			want = get(x)
		}
		i := 0
		for e, err := range h.All(v) {
			if w.steps <= 0 {
				return
			}
			if w.saw(path, err) {
				var one *E
				if x != nil {
					one = want[i]
					w.is(path, "IsNil", e.IsNil(), one == nil)
				}
				if !e.IsNil() {
					into.walk(w, e, one)
				}
			}
			i++
		}
		if x != nil {
			w.is(path, "the number of elements of All", i, len(want))
		}
	})
}

// entries reads a map. keys are looked up too.
func entries[K comparable, V, T any](p *part[T], path string, get func(x *T) map[K]V, keys ...K) {
	h := format.MustMap[K, V](p.c, path)
	mapping(p, path, h, get, keys, func(w *walk, got *V, want *V) {
		w.touch(path, *got)
		if want != nil {
			w.same(path, got, want)
		}
	})
}

// parts reads a map of parts.
func parts[K comparable, E, T any](p *part[T], path string, into *part[E], get func(x *T) map[K]*E, keys ...K) {
	h := format.MustMap[K, format.View[E]](p.c, path)
	mapping(p, path, h, get, keys, func(w *walk, got *format.View[E], want **E) {
		var one *E
		if want != nil {
			one = *want
			w.is(path, "IsNil", got.IsNil(), one == nil)
		}
		if !got.IsNil() {
			into.walk(w, *got, one)
		}
	})
}

func mapping[K comparable, V, X, T any](p *part[T], path string, h *format.MapHandle[T, K, V], get func(x *T) map[K]X, keys []K, value func(w *walk, got *V, want *X)) {
	p.add(func(w *walk, v format.View[T], x *T) {
		n, err := h.Len(v)
		has, hasErr := h.Has(v)
		if !w.saw(path, err) || !w.saw(path, hasErr) {
			return
		}
		var want map[K]X
		if x != nil {
			want = get(x)
			w.is(path, "Len", n, len(want))
			w.is(path, "Has", has, want != nil)
		}
		looked := keys[:len(keys):len(keys)]
		i := 0
		for e, err := range h.All(v) {
			if w.steps <= 0 {
				return
			}
			i++
			if !w.saw(path, err) {
				continue
			}
			w.touch(path, e.Key)
			if x == nil {
				value(w, &e.Value, nil)
				if len(looked) < len(keys)+8 && !w.changes {
					looked = append(looked, e.Key)
				}
				continue
			}
			one, ok := want[e.Key]
			w.is(path, "a key of the map", ok, true)
			value(w, &e.Value, &one)
		}
		if x != nil {
			w.is(path, "the number of entries of All", i, len(want))
			for k := range want {
				looked = append(looked, k)
			}
		}
		for _, k := range looked {
			if w.steps <= 0 {
				return
			}
			got, ok, err := h.Get(v, k)
			if !w.saw(path, err) {
				continue
			}
			var one *X
			if x != nil {
				value, there := want[k]
				one = &value
				w.is(path, "ok", ok, there)
			}
			if ok {
				value(w, &got, one)
			}
		}
	})
}

// decoded decodes a part and holds it against the value.
func decoded[T any](p *part[T]) {
	p.add(func(w *walk, v format.View[T], x *T) {
		var got T
		w.steps -= 50 // it reads all that is below
		if err := v.Decode(&got); w.saw("", err) && x != nil {
			if !w.graph { // a value that leads back to itself has no end
				w.same("Decode", &got, x)
			}
		}
	})
}

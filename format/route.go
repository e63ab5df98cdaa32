package format

import (
	"reflect"
	"strconv"
	"strings"
)

// A route is the way from a block to what a path names, and how that is read there. It is found once for a
// handle and a scope; after that a read goes through a few hops and no names.
type route struct {
	in   *scope
	of   *routes
	hops []hop
	list int    // of the hops, the one of the path's last [], or -1
	each *route // the rest of the way from an element of that list
	step uint64 // of each: bytes of such an element
	deep uint64 // how many refs deeper its end is
	most uint64 // how deep a view may be
	leaf
	quick   quickKind
	start   uint64        // for that: where in the block the leaf, the pointer or the list is
	size    uint64        // for that: bytes of the block that the pointer leads to
	null    reflect.Value // what it is if the writer does not have it, where there is a default
	entries *mapRoute     // of a map
	err     error         // why it cannot be read
}

// A hop leads from one block to the next. Offsets and sizes are in bytes.
type hop struct {
	kind hopKind
	refs bool   // what it leads to can hold refs: one step deeper (SPEC §3.5)
	nth  int32  // which of the indices it takes
	off  uint64 // where in the block the ref or the array is
	size uint64 // of the block that it leads to
	n    uint64 // elements of an array, else the most that a ref may have
}

type hopKind uint8

const (
	hopPointer hopKind = iota // to what a pointer points to
	hopElement                // to an element of a slice
	hopArray                  // to an element of an array
)

// A leaf is what is at the end of a route, in the block that the last hop leads to.
type leaf struct {
	kind leafKind
	off  uint64
	lay  *layout
	word uint64 // of an optional: where the bitmap's word is in the block
	mask uint64 // of an optional: its bit, else 0
	null bool   // a string's ref may be nil and 1
	ends int    // how many of the last hops are pointers that the path itself ends at
	o    *op    // what moves it
	p    *plan  // of the value
	sub  *scope // of a view
	typ  reflect.Type
}

type leafKind uint8

const (
	leafRun     leafKind = iota // as it is in memory
	leafBools                   // bools
	leafPlain                   // plain, with bools
	leafString                  // a string over the message
	leafSlice                   // a slice over the message
	leafPointer                 // a pointer into the message
	leafTime                    // a time
	leafConvert                 // a scalar of another kind
	leafView                    // a view
	leafDecode                  // what a decoder has to make; from here on what needs memory
	leafCopy                    // a pointer to what a decoder makes
	leafGone                    // what the writer does not have
)

// A quickKind is a usual way, which Get goes without a loop.
type quickKind uint8

const (
	quickNone        quickKind = iota
	quickRun                   // in the block itself, as it is in memory
	quickText                  // in the block itself, a string
	quickBool                  // in the block itself, a bool
	quickView                  // a view of what a pointer leads to
	quickPointed               // as it is in memory where a pointer leads to
	quickPointedText           // a string there
	quickListed                // as it is in memory where an element of a list of pointers leads to
)

// hasten finds whether a route is one of the usual ways.
func (r *route) hasten() {
	hops := r.hops
	switch {
	case r.mask != 0:
	case len(hops) == 0:
		r.start = r.off
		switch {
		case r.kind == leafRun:
			r.quick = quickRun
		case r.kind == leafString:
			r.quick = quickText
		case r.kind == leafBools && r.o.n == 1:
			r.quick = quickBool
		}
	case r.kind == leafView && len(hops) == 1 && hops[0].kind == hopPointer && !r.leaf.null:
		r.quick, r.start, r.size = quickView, hops[0].off, hops[0].size
	case len(hops) == 1 && hops[0].kind == hopPointer && (r.kind == leafRun || r.kind == leafString):
		r.quick, r.start, r.size = quickPointed, hops[0].off, hops[0].size
		if r.kind == leafString {
			r.quick = quickPointedText
		}
	case r.kind != leafRun:
	case len(hops) == 2 && hops[0].kind == hopElement && hops[1].kind == hopPointer && hops[1].off == 0 && hops[0].size == 8:
		r.quick, r.start, r.size = quickListed, hops[0].off, hops[1].size
	}
}

// mostPointers is how many pointers may follow each other where one is looked for.
const mostPointers = 100

// A pathfinder goes along a path through the writer's layout and this program's type at once.
type pathfinder struct {
	core *core
	r    *route
	l    *layout
	t    reflect.Type
	path string
	text *layout // where a *string was followed: its layout
}

// refuse says that the path cannot be gone on.
func (f *pathfinder) refuse(kind error, text string, args ...any) error {
	return &Error{Op: "field", Path: f.path, Offset: -1, Err: failf(kind, text, args...)}
}

// find returns the route that a path takes from the blocks of in, without its leaf's kind.
func find(in *scope, path string) (*route, *pathfinder, error) {
	r := &route{in: in, list: -1}
	f := &pathfinder{core: in.core, r: r, l: in.lay, t: in.typ, path: path}
	for rest := path; rest != ""; {
		var err error
		switch {
		case strings.HasPrefix(rest, "[]"):
			rest = rest[2:]
			err = f.element()
		default:
			if rest != path {
				if rest[0] != '.' {
					return nil, nil, f.refuse(ErrType, "want a name, or [] for an element, or a dot between names, at %q", rest)
				}
				rest = rest[1:]
			}
			name := rest
			if i := strings.IndexAny(rest, ".["); i >= 0 {
				name = rest[:i]
			}
			rest = rest[len(name):]
			err = f.field(name)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return r, f, nil
}

// follow goes on through pointers of the writer's, and takes those of this program's type off.
func (f *pathfinder) follow() error {
	for n := 0; f.t.Kind() == reflect.Pointer; n++ {
		if n == mostPointers {
			return f.refuse(ErrType, "more than %d pointers", mostPointers)
		}
		f.t = f.t.Elem()
	}
	if f.r.kind == leafGone { // the types alone are gone along
		return nil
	}
	leaf := &f.r.leaf
	for n := 0; f.l.kind == kindPointer; n++ {
		switch {
		case n == mostPointers:
			return f.refuse(ErrLimit, "the writer has more than %d pointers", mostPointers)
		case f.l.optional():
			if leaf.mask == 0 {
				leaf.word, leaf.mask = leaf.off, 1
				leaf.off += 8
			}
			f.l = f.l.elem
			return nil
		case f.l.elem.kind == kindString:
			leaf.null = true
			f.text, f.l = f.l, f.l.elem
			return nil
		}
		f.l = f.l.elem
		ends := f.r.ends + 1
		f.hop(hop{kind: hopPointer, size: f.l.size, n: 1})
		f.r.ends = ends
	}
	return nil
}

// hop goes on to a block of the layout that is reached.
func (f *pathfinder) hop(h hop) {
	h.off, h.refs = f.r.off, f.l.refs
	f.r.hops = append(f.r.hops, h)
	f.r.leaf = leaf{}
}

// refsOn is how many of the hops lead one step deeper.
func (r *route) refsOn() (n uint64) {
	for _, h := range r.hops {
		n += oneIf(h.refs)
	}
	return n
}

func (f *pathfinder) element() error {
	if err := f.follow(); err != nil {
		return err
	}
	k := kindOf(f.t)
	switch {
	case k != kindSlice && k != kindArray:
		return f.refuse(ErrType, "[] is for slices and arrays, here is a %s", f.t)
	case f.r.kind == leafGone:
		f.t, f.r.list, f.r.null = f.t.Elem(), -1, reflect.Value{}
		return nil
	case f.l.kind != kindSlice && f.l.kind != kindArray:
		return f.refuse(ErrSchema, "the writer has %s here, this program %s", f.l, f.t)
	}
	h := hop{kind: hopArray, n: f.l.length}
	for _, before := range f.r.hops {
		if before.kind != hopPointer {
			h.nth++
		}
	}
	if f.l.kind == kindSlice {
		h.kind, h.n = hopElement, maxCount
	}
	f.l, f.t = f.l.elem, f.t.Elem()
	h.size = f.l.size
	f.r.list = len(f.r.hops)
	f.hop(h)
	if h.kind == hopArray {
		f.r.hops[f.r.list].refs = false // it is the block's own part
	}
	return nil
}

func (f *pathfinder) field(name string) error {
	if err := f.follow(); err != nil {
		return err
	}
	if kindOf(f.t) != kindStruct {
		return f.refuse(ErrType, "%q is to be a field, but here is a %s", name, f.t)
	}
	fields, err := fieldsOf(f.t, "")
	if err != nil {
		return err
	}
	for i := range fields {
		g := &fields[i]
		if g.name != name {
			continue
		}
		if f.r.kind == leafGone {
			f.t, f.r.null = g.typ, reflect.Value{}
			return nil
		}
		if f.l.kind != kindStruct {
			return f.refuse(ErrSchema, "the writer has %s here, this program %s", f.l, f.t)
		}
		f.t = g.typ
		w := matched(fields, f.l)[g.index]
		if w == nil {
			f.r.kind = leafGone
			if g.hasNull {
				f.r.null, _ = parseDefault(g.typ, g.null)
			}
			return nil
		}
		f.into(w)
		return nil
	}
	names := make([]string, len(fields))
	for i := range fields {
		names[i] = fields[i].name
	}
	return f.refuse(ErrType, "%s has no field %q; it has %.200s", f.t, name, strings.Join(names, ", "))
}

// into goes on to a field of the struct that is reached.
func (f *pathfinder) into(w *layoutField) {
	block := f.r.off
	f.l = w.lay
	f.r.leaf = leaf{off: block + w.offset}
	if w.bit >= 0 {
		f.r.word, f.r.mask = block+uint64(w.bit/64)*8, 1<<(w.bit%64)
	}
}

// end finds how what is there is read as a value of t, in which pointers that lead there may be missing; view
// is the type that a view is of, if one is asked for.
func (f *pathfinder) end(t reflect.Type, view reflect.Type) error {
	r := f.r
	if r.kind == leafGone {
		r.typ = t
		err := f.allowed(t, view)
		switch {
		case err != nil || view != nil:
			r.null = reflect.Value{} // there is no block to be viewed
		case r.null.IsValid() && t != r.null.Type():
			p := reflect.New(r.null.Type())
			p.Elem().Set(r.null)
			r.null = p.Convert(t)
		}
		return err
	}
	if err := f.follow(); err != nil {
		return err
	}
	r.lay, r.typ = f.l, t
	r.deep += r.refsOn()
	if err := f.allowed(t, view); err != nil {
		return err
	}
	if view != nil {
		if r.most = mostDepth; !f.core.refs {
			r.most = min(uint64(f.core.maxDepth), mostDepth)
		}
		r.kind, r.sub = leafView, f.core.scope(f.there(), view)
		return nil
	}
	pointer := t != f.t
	l := f.l
	if kindOf(f.t) != kindString {
		l = f.there()
	}
	p, err := f.core.partPlan(l, f.t, f.path)
	if err != nil {
		return err
	}
	r.p = p
	aliased := f.t
	if kindOf(aliased) == kindSlice {
		aliased = aliased.Elem()
	}
	if f.core.shared && (aliased != f.t || pointer) && holdsBools(aliased) {
		return f.refuse(ErrType, "%s holds bools, which a view does not alias in memory that others may change: read them one by one, or decode a copy", t)
	}
	if len(p.ops) == 1 {
		r.o = &p.ops[0]
	}
	switch {
	case pointer && p.plain && p.wsize > 0:
		r.kind = leafPointer
	case pointer:
		r.kind = leafCopy
	case r.o == nil && p.plain && p.wsize > 0: // bools and numbers, few of them
		r.kind = leafPlain
	case r.o == nil:
		r.kind = leafDecode
	case r.o.kind == opRun && (p.plain || f.l.kind.scalar()):
		r.kind = leafRun
	case r.o.kind == opBools && (p.plain || f.l.kind.scalar()):
		r.kind = leafBools
	case r.o.kind == opPlain:
		r.kind = leafPlain
	case r.o.kind == opConvert:
		r.kind = leafConvert
	case r.o.kind == opTime:
		r.kind = leafTime
	case r.o.kind == opString:
		r.kind = leafString
	case r.o.kind == opPlainSlice:
		r.kind = leafSlice
	default:
		r.kind = leafDecode
	}
	return nil
}

// there is the layout of what is reached: that of a *string's bytes has to say that they may be nil, or 1.
func (f *pathfinder) there() *layout {
	if f.r.leaf.null {
		return f.text
	}
	return f.l
}

// allowed checks the type that a handle is to read, against that of this program at the end of the path.
func (f *pathfinder) allowed(t, view reflect.Type) error {
	has := f.t
	for n := 0; has.Kind() == reflect.Pointer && n < mostPointers; n++ {
		has = has.Elem()
	}
	switch {
	case view != nil && view == has:
		return nil
	case view != nil:
		return f.refuse(ErrType, "here is a %s, not a %s for a View of it", f.t, view)
	case t == has:
	case t.Kind() == reflect.Pointer && t.Elem() == has:
		if why := notWhole(has, true); why != "" {
			return f.refuse(ErrType, "%s is no view of memory, for %s: a View[%s] is", t, why, has)
		}
		return nil
	default:
		return f.refuse(ErrType, "here is a %s, not a %s", f.t, t)
	}
	switch k := kindOf(t); {
	case k.scalar(), k == kindString, k == kindTime, k == kindCustom:
	case k == kindSlice:
		if why := notWhole(t.Elem(), true); why != "" {
			return f.refuse(ErrType, "%s is no view of memory, for %s: a View[%s] is, and [] in the path is for its elements", t, why, t)
		}
	case k == kindStruct || k == kindArray:
		if why := notWhole(t, false); why != "" {
			return f.refuse(ErrType, "%s is no plain value, for %s: a View[%s] is for its parts", t, why, t)
		}
	default:
		return f.refuse(ErrType, "a %s is not read at once: a View[%s] is for its parts and decodes it", t, t)
	}
	return nil
}

// notWhole says why values of t are not plain: scalars, and structs and arrays of them. If they are to be aliased,
// none of their fields may be left out.
func notWhole(t reflect.Type, aliased bool) string {
	switch k := kindOf(t); {
	case k.scalar():
	case k == kindArray:
		return notWhole(t.Elem(), aliased)
	case k == kindStruct:
		fields, err := fieldsOf(t, "")
		if err != nil {
			return err.Error()
		}
		next := 0
		for i := range t.NumField() {
			if next < len(fields) && fields[next].index == i {
				if why := notWhole(fields[next].typ, aliased); why != "" {
					return why
				}
				next++
			} else if g := t.Field(i); aliased && !blank(g) {
				return t.String() + " has the field " + g.Name + ", which is not in messages"
			}
		}
	default:
		return "it holds a " + t.String()
	}
	return ""
}

// pathOf is the path with the indices that are known.
func pathOf(path string, at []int) string {
	for from, k := 0, 0; k < len(at); k++ {
		i := strings.Index(path[from:], "[]")
		if i < 0 {
			break
		}
		index := "[" + strconv.Itoa(at[k]) + "]"
		path = path[:from+i] + index + path[from+i+2:]
		from += i + len(index)
	}
	return path
}

package format

// This file is what handles do to drafts.

// Set stores x in the field, with one index for each [] of the path. Objects that pointers on the way lack are made, in a
// message that is being built, and so is the object of a string or a slice, which x is copied into; what the field
// referred to before stays in the message as dead bytes. Methods of x that marshal it must not use the builder. A V that is
// a View or a pointer is not set: [Sub] is for it.
//
// Errors: buffer.ErrFull, ErrLimit, ErrIndex, and ErrType for what a draft does not allow: of a message that is changed in
// place no more than scalars, times and plain structs are set, and what is nil stays.
func (h *Handle[T, V]) Set(d Draft[T], x V, at ...int) error {
	if d.in == h.solid && len(at) == 0 && d.b.state >= buildOpen {
		storeAs(d.b.m, d.pos&posOffset+h.off, x)
		return nil
	}
	return during("set", h.set(d.rawDraft, x, at))
}

// during says in an error what was to be done.
func during(op string, err error) error {
	if e, ok := err.(*Error); ok && (e.Op == "read" || e.Op == "build") {
		named := *e
		named.Op = op
		return &named
	}
	return err
}

func (h *Handle[T, V]) set(d rawDraft, x V, at []int) error {
	r, err := h.draftRoute(h.own, d, len(at), h.uses)
	if err != nil {
		return err
	}
	if err := d.b.settable(&h.routes, r, at); err != nil {
		return err
	}
	w, err := h.make(d, r.hops, at)
	if err != nil {
		return err
	}
	s := d.b
	to := w + r.off
	if err := h.there(s, r, w, at); err != nil {
		return err
	}
	switch {
	case r.kind == leafRun && len(r.p.lay.gaps) == 0:
		storeRun(s.m, to, ptrOf(&x), r.o)
	case r.kind == leafBools:
		storeBools(s.m, to, ptrOf(&x), r.o.n)
	case r.kind == leafString:
		err = h.setString(s, r, loadString(ptrOf(&x)), to, at)
	default:
		y := new(V)
		*y = x
		err = h.placed(s.write(r.p, ptrOf(y), to), at)
	}
	if err == nil && r.mask != 0 {
		store64(s.m, w+r.word, load64(s.m, w+r.word)|r.mask)
	}
	return err
}

// draftRoute chooses the route for a draft.
func (s *routes) draftRoute(own *route, d rawDraft, given, want int) (*route, error) {
	switch {
	case d.b == nil || d.b.state < buildOpen:
		return nil, d.b.over()
	case given != want:
		return nil, s.error(nil, -1, failf(ErrIndex, "%d indices, want %d", given, want))
	}
	r := own
	if d.in != own.in {
		r = s.through(d.in)
	}
	switch {
	case r.err != nil:
		return nil, r.err
	case r.kind == leafGone:
		return nil, s.error(nil, -1, failf(ErrSchema, "the message's schema has no such field"))
	}
	return r, nil
}

// settable checks that a field may be set.
func (s *building) settable(h *routes, r *route, at []int) error {
	text := ""
	switch {
	case r.kind == leafView:
		text = "a part is not set: Sub leads to it, and Encode fills it in"
	case r.kind == leafPointer || r.kind == leafCopy:
		text = "a pointer into a message is not set: a handle for the value is"
	case s.state == buildEdit && (!r.p.lay.fixed && r.p.lay.kind != kindTime || s.codec.foreign && (r.kind >= leafDecode || r.kind == leafConvert)):
		text = "of a message that is changed in place no more than numbers, bools, times and plain structs are set, of the kind that it has"
	default:
		return nil
	}
	return h.error(at, -1, failf(ErrType, "%s", text))
}

// there checks that an optional of the block at w is set, in a message that is changed in place.
func (h *routes) there(s *building, r *route, w uint64, at []int) error {
	if s.state == buildEdit && r.mask != 0 && load64(s.m, w+r.word)&r.mask == 0 {
		return h.error(at, int64(w+r.word), failf(ErrType, "it is nil, which a message that is changed in place keeps"))
	}
	return nil
}

// setString stores a string whose ref is at w.
func (h *routes) setString(s *building, r *route, x string, w uint64, at []int) error {
	n := uint64(len(x))
	switch {
	case n == 0:
		store64(s.m, w, oneIf(r.leaf.null))
		return nil
	case n > maxCount:
		return h.error(at, int64(w), tooMany(n))
	}
	to, err := s.object(n, 1, true)
	if err != nil {
		return h.error(at, int64(w), err)
	}
	copyString(s.m, to, x)
	store64(s.m, w, distance(w, to, n))
	return nil
}

// placed is an error of a building with the handle's path.
func (h *routes) placed(err error, at []int) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	e.Path = joinPath(pathOf(h.path, at), e.Path)
	return e
}

// make goes along hops from a draft's block and makes the objects that pointers lack.
func (h *routes) make(d rawDraft, hops []hop, at []int) (uint64, error) {
	s, w := d.b, d.pos&posOffset
	for i := range hops {
		hop := &hops[i]
		to, err := h.follow(regionOf(s.m[:s.end]), hops[i:i+1], w, at, at)
		if err != nil {
			return 0, err
		}
		if w += hop.off; to == 0 {
			switch {
			case s.state == buildEdit:
				return 0, h.error(at, int64(w), failf(ErrType, "a pointer on the way is nil, which a message that is changed in place keeps"))
			case hop.size == 0:
				store64(s.m, w, 1|1<<32)
				to = w
			default:
				if to, err = s.object(1, hop.size, false); err != nil {
					return 0, h.error(at, int64(w), err)
				}
				store64(s.m, w, distance(w, to, 1))
			}
		}
		w = to
	}
	return w, nil
}

// Clear makes the field what it is in a new message: nil or zero. Pointers on the way stay.
func (h *Handle[T, V]) Clear(d Draft[T], at ...int) error {
	r, err := h.draftRoute(h.own, d.rawDraft, len(at), h.uses)
	if err == nil {
		err = h.clear(d.rawDraft, r, at)
	}
	return during("clear", err)
}

func (h *routes) clear(d rawDraft, r *route, at []int) error {
	s := d.b
	if s.state == buildEdit {
		return h.error(at, -1, failf(ErrType, "a message that is changed in place keeps what it refers to"))
	}
	hops := r.hops
	off, size, mask := r.off, r.lay.size, r.mask
	if r.ends > 0 { // the first of the pointers
		n := len(hops) - r.ends
		hops, off, size, mask = hops[:n], hops[n].off, 8, 0
	}
	w, err := h.follow(regionOf(s.m[:s.end]), hops, d.pos&posOffset, at, at)
	if w == 0 {
		return err
	}
	clear(s.m[w+off : w+off+size])
	if mask != 0 {
		store64(s.m, w+r.word, load64(s.m, w+r.word)&^mask)
	}
	return nil
}

// Make makes a slice of n elements for the field and returns it: V is a slice of plain elements, over the buffer, to be
// filled in before Finish. Its elements are zero, unless the builder is Dirty. What the field referred to before stays in
// the message as dead bytes.
//
// Errors are those of Set, and ErrType where Go lays the elements out otherwise than the format does, so that a slice of
// them has to be set: int64 in structs on 386, everything in the build without unsafe; and for bools in memory that others
// may change.
func (h *Handle[T, V]) Make(d Draft[T], n int, at ...int) (V, error) {
	x, err := h.made(d, n, at)
	return x, during("make", err)
}

func (h *Handle[T, V]) made(d Draft[T], n int, at []int) (x V, err error) {
	r, err := h.draftRoute(h.own, d.rawDraft, len(at), h.uses)
	if err != nil {
		return x, err
	}
	s := d.b
	switch {
	case r.kind != leafSlice:
		return x, h.error(at, -1, failf(ErrType, "a %T is not made over a message: only slices whose elements are in memory as in a message", x))
	case misaligned(s.m):
		return x, h.error(at, -1, errMisaligned)
	}
	if err := s.makes(n); err != nil {
		return x, h.error(at, -1, err)
	}
	w, err := h.make(d.rawDraft, r.hops, at)
	if err != nil {
		return x, err
	}
	w += r.off
	if n == 0 {
		store64(s.m, w, 1)
		emptySlice(ptrOf(&x), r.o)
		return x, nil
	}
	p := r.o.sub
	to, err := s.object(uint64(n), p.wsize, s.dirty)
	if err != nil {
		return x, h.error(at, int64(w), err)
	}
	if len(p.lay.gaps) > 0 {
		s.padded = append(s.padded, padded{to, uint64(n), p})
	}
	store64(s.m, w, distance(w, to, uint64(n)))
	aliasSlice(ptrOf(&x), s.m, to, uint64(n))
	return x, nil
}

// makes checks that n elements may be made.
func (s *building) makes(n int) error {
	switch {
	case s.state == buildEdit:
		return failf(ErrType, "nothing is made in a message that is changed in place")
	case n < 0 || uint64(n) > maxCount:
		return failf(ErrLimit, "%d elements, want 0 to %d", n, uint64(maxCount))
	}
	return nil
}

// Slice returns the slice that the field has, over the message, to be written to: V is a slice of plain elements without
// bools. It is nil where the field or a pointer on the way is.
//
// Errors: ErrCorrupt, ErrIndex, and ErrType for bools, for elements that Go lays out otherwise than the format does, and
// for a message that does not begin at a multiple of 8 in memory.
func (h *Handle[T, V]) Slice(d Draft[T], at ...int) (V, error) {
	x, err := h.sliced(d, at)
	return x, during("slice", err)
}

func (h *Handle[T, V]) sliced(d Draft[T], at []int) (x V, err error) {
	r, err := h.draftRoute(h.own, d.rawDraft, len(at), h.uses)
	if err != nil {
		return x, err
	}
	switch {
	case r.kind != leafSlice:
		return x, h.error(at, -1, failf(ErrType, "a %T is not over a message: only slices whose elements are in memory as in a message", x))
	case r.o.bools && d.b.state == buildEdit:
		return x, h.error(at, -1, failf(ErrType, "%T holds bools: set them one by one", x))
	}
	s := d.b
	v := rawView{regionOf(s.m[:s.end]), d.pos & posOffset, d.in}
	w, err := h.follow(v.msg, r.hops, v.pos, at, at)
	if w == 0 {
		return x, err
	}
	if misaligned(s.m) {
		return x, h.error(at, -1, errMisaligned)
	}
	return x, h.load(ptrOf(&x), r, v, w, at)
}

// MakeList makes the list of n elements that the path's last [] goes over, with one index fewer than the path has: nil
// pointers, empty strings, zero structs, which handles of the same path then set or lead to. What the field referred to
// before stays in the message as dead bytes. The errors are those of Set.
func (h *Handle[T, V]) MakeList(d Draft[T], n int, at ...int) error {
	r, err := h.draftRoute(h.own, d.rawDraft, len(at), h.uses-1)
	if err == nil {
		err = h.makeList(d.rawDraft, r, n, at)
	}
	return during("make", err)
}

func (h *routes) makeList(d rawDraft, r *route, n int, at []int) error {
	s := d.b
	if r.list < 0 || r.hops[r.list].kind != hopElement {
		return h.error(at, -1, failf(ErrType, "an array has its elements already"))
	}
	if err := s.makes(n); err != nil {
		return h.error(at, -1, err)
	}
	list := &r.hops[r.list]
	w, err := h.make(d, r.hops[:r.list], at)
	if err != nil {
		return err
	}
	w += list.off
	switch {
	case n == 0:
		store64(s.m, w, 1)
	case list.size == 0:
		store64(s.m, w, 1|uint64(n)<<32)
	default:
		to, err := s.object(uint64(n), list.size, false)
		if err != nil {
			return h.error(at, int64(w), err)
		}
		store64(s.m, w, distance(w, to, uint64(n)))
	}
	return nil
}

// Sub returns the draft of the part that h leads to. In a message that is being built objects that pointers lack are made,
// so that it is there.
//
// Errors are those of [Handle.Set].
func Sub[E, T any](h *Handle[T, View[E]], d Draft[T], at ...int) (Draft[E], error) {
	r, err := h.draftRoute(h.own, d.rawDraft, len(at), h.uses)
	if err != nil {
		return Draft[E]{}, during("sub", err)
	}
	pos, err := h.sub(d.rawDraft, r, at)
	if err != nil {
		return Draft[E]{}, during("sub", err)
	}
	return Draft[E]{rawDraft: rawDraft{d.b, r.sub, pos}}, nil
}

func (h *routes) sub(d rawDraft, r *route, at []int) (pos uint64, err error) {
	s := d.b
	w, err := h.make(d, r.hops, at)
	if err == nil {
		err = h.there(s, r, w, at)
	}
	if err != nil {
		return 0, err
	}
	if r.mask != 0 {
		store64(s.m, w+r.word, load64(s.m, w+r.word)|r.mask)
	}
	pos = w + r.off
	if r.pointee() {
		pos |= draftObject
	}
	return pos, nil
}

// pointee reports whether what the route leads to is an object that a pointer refers to.
func (r *route) pointee() bool {
	return r.ends > 0 && r.mask == 0 && r.hops[len(r.hops)-1].size > 0
}

// Loose makes an object of the type that h leads to behind a pointer, which nothing refers to yet: [Link] does that, before
// Finish. d is any draft of the message.
func Loose[E, T any](h *Handle[T, View[E]], d Draft[T]) (Draft[E], error) {
	r, err := h.draftRoute(h.own, d.rawDraft, 0, 0)
	if err != nil {
		return Draft[E]{}, during("loose", err)
	}
	at, err := h.loose(d.b, r)
	if err != nil {
		return Draft[E]{}, during("loose", err)
	}
	return Draft[E]{rawDraft: rawDraft{d.b, r.sub, at | draftObject}}, nil
}

func (h *routes) loose(s *building, r *route) (at uint64, err error) {
	if !r.pointee() || s.state == buildEdit {
		return 0, h.error(nil, -1, failf(ErrType, "an object of its own is made where a pointer is to refer to it, in a message that is being built"))
	}
	if at, err = s.object(1, r.sub.lay.size, false); err != nil {
		return 0, h.error(nil, -1, err)
	}
	s.loose = append(s.loose, at)
	return at, nil
}

// Link makes the pointer that h leads to refer to an object of the same message. An object of [Loose] is linked once.
// With [WithRefs] any object may be linked any number of times, those of [Sub] and the root too: then it is shared, and an
// object may be part of itself.
func Link[E, T any](h *Handle[T, View[E]], d Draft[T], object Draft[E], at ...int) error {
	r, err := h.draftRoute(h.own, d.rawDraft, len(at), h.uses)
	if err == nil {
		err = h.link(d.rawDraft, r, object.rawDraft, at)
	}
	return during("link", err)
}

func (h *routes) link(d rawDraft, r *route, object rawDraft, at []int) error {
	s := d.b
	switch {
	case s.state == buildEdit || !r.pointee():
		return h.error(at, -1, failf(ErrType, "an object is linked where a pointer is, in a message that is being built"))
	case object.b != s || object.in.lay != r.sub.lay || object.pos&draftObject == 0:
		return h.error(at, -1, failf(ErrType, "what is to be linked is no object of this message and type"))
	}
	to := object.pos & posOffset
	last := len(r.hops) - 1
	w, err := h.make(d, r.hops[:last], at)
	if err != nil {
		return err
	}
	if !s.unlink(to) {
		if !s.codec.refs {
			return h.error(at, int64(w), failf(ErrCycle, "the object at byte %d is linked already: WithRefs lets objects be shared", to))
		}
		s.flags |= flagGraph
	}
	w += r.hops[last].off
	store64(s.m, w, distance(w, to, 1))
	return nil
}

var errMisaligned = failf(ErrType, "the message does not begin at a multiple of 8 in memory")

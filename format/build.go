package format

import (
	"slices"

	"github.com/ashlar-go/ashlar/buffer"
)

// A Builder makes a message where it is to lie, part by part, in any order (SPEC §4.3). Handles fill it in:
//
//	b, err := codec.Build(buf)
//	err = rate.Set(b.Root(), 48000)
//	samples, err := channels.Make(b.Root(), 4096)   // a []float32 over the buffer
//	...                                             // fill samples in
//	msg, err := b.Finish()
//
// What is not set is zero. What was built decodes like any other message, though its bytes are those that [Codec.Append]
// would write only if the parts were made in the order of the fields.
//
// A Builder is used by one goroutine at a time, and nothing else may be written into its buffer before Finish. Until
// then the buffer's Len does not move, so that a builder that is given up leaves nothing behind.
type Builder[T any] struct{ building }

// A building is a message that is being built, or one that is changed in place.
type building struct {
	encoder
	state  buildState
	dirty  bool
	loose  []uint64 // objects that are not linked yet
	padded []padded // slices whose gaps are cleared at the end
}

type buildState uint8

const (
	buildOver buildState = iota // finished, or given up
	buildBusy                   // a value is being written, by methods of its own perhaps
	buildOpen                   // under way
	buildEdit                   // a whole message, of which values are changed
)

// padded are the elements of a slice that somebody else fills in.
type padded struct {
	at, n uint64
	p     *plan
}

// A Draft is a part of a message that is being built, or is changed in place: the root or what a handle leads to. It
// is a small value that is copied freely, and good until the builder's Finish. Handles set its fields.
type Draft[T any] struct {
	_ [0]*T
	rawDraft
}

type rawDraft struct {
	b   *building
	in  *scope
	pos uint64 // where the block is, and whether it is an object
}

// draftObject says that the block is one that pointers can refer to.
const draftObject = 1 << 40

// Build begins a message in b, at the next multiple of 8 behind what b holds. It reserves the root's block, zeroed.
//
// The error wraps buffer.ErrFull, with the numbers, or buffer.ErrClosed. It is ErrSchema for a codec of another schema
// than T's, which only reads.
func (c *Codec[T]) Build(b *buffer.Buffer) (*Builder[T], error) {
	s := new(Builder[T]) // stays on the stack of who keeps it there, for which this must inline
	err := s.begin(c.core, b)
	return s, err
}

func (s *building) begin(c *core, b *buffer.Buffer) error {
	switch {
	case b == nil:
		return &Error{Op: "build", Offset: -1, Err: errNoBuffer}
	case c.foreign:
		return &Error{Op: "build", Offset: -1, Err: errForeign}
	}
	s.codec, s.buf, s.had, s.gap = c, b, b.Len(), -b.Len()&7
	s.built, s.notes = true, true
	s.start(c.maxDepth)
	if free, err := b.Reserve(s.gap + headerSize); err == nil {
		s.m = free[s.gap:] // else grow finds out what is wrong
	}
	s.clip()
	size := headerSize + up8(c.plan.wsize)
	if _, ok := s.alloc(size); !ok {
		return &Error{Op: "build", Offset: -1, Err: s.err}
	}
	clear(s.m[:size])
	store64(s.m, 8, c.fingerprint)
	s.state = buildOpen
	return nil
}

// Dirty makes Make hand out memory as it is from now on, whatever it held, for who fills in all of it.
func (s *Builder[T]) Dirty() { s.dirty = true }

// Root is the message's root.
func (s *Builder[T]) Root() Draft[T] {
	if s.state == buildOver {
		return Draft[T]{rawDraft: rawDraft{b: &s.building}}
	}
	return Draft[T]{rawDraft: rawDraft{&s.building, s.codec.root, headerSize | draftObject}}
}

// Boxes returns the ids of the types of values in interfaces that are in the message, see [Codec.AppendBoxes].
func (s *Builder[T]) Boxes() []uint64 { return s.boxes }

// Abort gives the message up: its drafts are of no use any more, and nothing has been added to the buffer. After Finish it
// does nothing.
func (s *Builder[T]) Abort() { s.state = buildOver }

// Finish checks the message, seals its header and takes it into the buffer. It returns the message, which is the
// buffer's. After it drafts are of no use. Slices that Make gave are still over the message and must not be written to
// once somebody reads it.
//
// The check is that of [Codec.Verify]. On an error, which may be ErrLimit for a message that goes too deep, or ErrType for
// an object that was made and not linked, nothing has been added to the buffer, and the building can go on.
func (s *Builder[T]) Finish() (msg []byte, err error) { return s.finish() }

func (s *building) finish() ([]byte, error) {
	if s.state != buildOpen {
		return nil, s.over()
	}
	if n := len(s.loose); n > 0 {
		return nil, &Error{Op: "build", Offset: int64(s.loose[0]), Err: failf(ErrType, "%d objects were made and are not linked, this is the first", n)}
	}
	for _, p := range s.padded {
		s.clearGaps(p.p, p.at, p.n)
	}
	msg := s.m[:s.end:s.end]
	if err := s.codec.verifyBody("build", msg, s.flags&flagGraph != 0); err != nil {
		return nil, err
	}
	if s.buf.Len() != s.had {
		return nil, &Error{Op: "build", Offset: -1, Err: failf(ErrType, "the buffer was written to meanwhile: it has %d bytes, had %d", s.buf.Len(), s.had)}
	}
	out, err := s.buf.Extend(s.gap + int(s.end))
	if err != nil {
		return nil, &Error{Op: "build", Offset: -1, Err: err}
	}
	clear(out[:s.gap])
	store64(msg, 0, header(s.end)|s.flags<<24) // last: without it there is no message, SPEC §1.4
	s.state = buildOver
	return msg, nil
}

func (s *building) over() error {
	text := "the message is finished or given up, or was never begun"
	if s != nil && s.state == buildBusy {
		text = "a value is being written into the message: its methods must not use the builder"
	}
	return &Error{Op: "build", Offset: -1, Err: failf(ErrType, "%s", text)}
}

// Edit begins to change msg in place, which must be one whole message, in memory that is the caller's to write to and that
// nobody reads meanwhile. Handles set scalars, times and plain structs of it, [Handle.Slice] gives the elements of plain
// slices. What a message refers to does not change, so that it stays what it was in size and shape: strings and what is nil
// stay as they are.
//
// The errors are those of [Codec.View]. Of a message that was not verified parts may lie over each other, so that one
// change shows in another place.
func (c *Codec[T]) Edit(msg []byte) (Draft[T], error) {
	v, err := c.View(msg)
	if err != nil {
		return Draft[T]{}, err
	}
	s := &building{state: buildEdit}
	s.codec, s.m, s.end = c.core, msg, uint64(len(msg))
	if v.pos&posGraph != 0 {
		s.flags = flagGraph
	}
	return Draft[T]{rawDraft: rawDraft{s, v.in, v.pos & posOffset}}, nil
}

// View returns a view of the draft as it is now, a nil one after the builder's end.
func (d Draft[T]) View() View[T] {
	if d.b == nil || d.b.state == buildOver {
		return View[T]{}
	}
	return View[T]{rawView: rawView{regionOf(d.b.m[:d.b.end]), d.pos&posOffset | d.b.flags&flagGraph*posGraph, d.in}}
}

// Encode writes all of x into the draft, in place of what it held, as [Codec.Append] writes a whole value. With
// [WithRefs] what is shared within x is shared in the message. The errors are those of Codec.Append and of
// [Codec.Build]; after one the draft's content is not specified, and the message is not to be finished.
func (d Draft[T]) Encode(x *T) error {
	if d.b == nil || d.b.state != buildOpen {
		return d.refused("whole values are encoded into a message that is being built")
	}
	if x == nil {
		return nilError("build", d.in.typ)
	}
	p, err := d.in.encoding()
	if err != nil {
		return err
	}
	w := d.pos & posOffset
	if err := d.b.write(p, ptrOf(x), w); err != nil {
		return err
	}
	if p.lay != d.in.lay && load64(d.b.m, w) == 0 { // the text of a *string is there, if it has no bytes
		store64(d.b.m, w, 1)
	}
	return nil
}

// refused is the error for a draft that does not allow what is asked of it.
func (d rawDraft) refused(text string) error {
	if d.b == nil || d.b.state < buildOpen {
		return d.b.over()
	}
	return &Error{Op: "build", Offset: int64(d.pos & posOffset), Err: failf(ErrType, "%s", text)}
}

// write writes the value at src as the block of p at an offset, and what it refers to behind the message.
func (s *building) write(p *plan, src ptr, at uint64) error {
	if s.codec.guarded {
		if err := enterRun(); err != nil {
			return &Error{Op: "build", Offset: int64(at), Err: err}
		}
		defer leaveRun()
	}
	if s.codec.refs { // the addresses in x mean nothing after it
		s.refs = takeRefs()
	}
	end := s.end
	s.descent, s.src = descent{}, src
	s.start(s.codec.maxDepth)
	was := s.state
	s.state = buildBusy
	ok := s.block(p, src, at)
	s.done()
	s.refs, s.scratch = nil, nil
	if s.state == buildOver { // a method of the value has given the message up
		return s.over()
	}
	s.state = was
	if !ok {
		s.end = end
		if s.trail != nil {
			s.path = s.trail.String()
		}
		err := &Error{Op: "build", Path: s.path, Offset: int64(at), Err: s.err}
		s.err, s.trail, s.path = nil, nil, ""
		return err
	}
	return nil
}

// object makes an object of n blocks of size bytes, zeroed unless dirty, and returns its offset.
func (s *building) object(n, size uint64, dirty bool) (at uint64, err error) {
	total, end := n*size, s.end
	if total < largeObject || s.align() {
		var ok bool
		if at, ok = s.alloc(up8(total)); ok {
			if !dirty {
				clear(s.m[at:s.end])
			}
			store64(s.m, s.end-8, load64(s.m, s.end-8)&^lastGap(total))
			return at, nil
		}
	}
	s.end = end
	err, s.err, s.trail, s.path = s.err, nil, nil, ""
	return 0, err
}

// lastGap has the bits of the bytes of the last word that n bytes do not fill.
func lastGap(n uint64) uint64 {
	if n&7 == 0 {
		return 0
	}
	return ^uint64(0) << (n & 7 * 8)
}

// distance is the ref at w to n blocks at an offset.
func distance(w, to, n uint64) uint64 { return uint64(uint32(int64(to-w)>>3)) | n<<32 }

// unlink takes an object from those that are not linked, and reports whether it was one.
func (s *building) unlink(at uint64) bool {
	i := slices.Index(s.loose, at)
	if i >= 0 {
		s.loose = slices.Delete(s.loose, i, i+1)
	}
	return i >= 0
}

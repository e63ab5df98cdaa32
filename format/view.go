package format

// A View is one block of a message, where it lies: the root or a part of it. It is a small value that is copied
// freely and costs nothing to keep. It only reads, so that any number of goroutines may read one message.
//
// Fields are read by a [Handle], which is made once. Each read loads what it needs from the message, checks it
// against the message's bounds, and follows no more than the path says. So a view is safe on bytes from anybody:
// what is wrong with them is an error of the read that meets it, and of that alone. After [Codec.Verify] of a
// message that nobody changes, reads do not fail but for an index out of range.
//
// Lifetime: a view, and the strings, slices and pointers that were read through it, are good as long as the
// message's memory is there and unchanged: until the slice is reused, until Reset or Close of the
// [buffer.Buffer] that holds it, until Release of a message in shared memory. In memory that somebody changes
// meanwhile (which [WithShared] is for) reads stay within the message; two reads may see different values.
//
// What a read checks is in SPEC §5.3. Every read is bounded by what it returns, but there is no sum over all of them: who goes through a message that
// was not verified, in which lists may overlap and parts contain themselves, bounds his own walk. A view is never
// deeper in a message than [WithMaxDepth] allows, if the codec does not keep shared references.
//
// The zero View is nil.
type View[T any] struct {
	_ [0]func(*T) // not comparable
	rawView
}

// A rawView is a view of any type. It has four words, the most that the compiler keeps in registers.
type rawView struct {
	msg region
	pos uint64 // where the block is, and more: 0 where there is none
	in  *scope
}

// What a position is made of.
const (
	posOffset = 1<<35 - 1 // bytes from the start of the message
	posGraph  = 1 << 35   // the message has the graph flag
	posDepth  = 36        // from this bit on: refs on the path to the block
	mostDepth = 1<<(64-posDepth) - 1
)

// View returns a view of msg's root, which must be one whole message. It looks at the header alone, in constant
// time: magic, version, flags, size, fingerprint, and that the root block is there. The errors are those of
// [Codec.Decode]. The view is of msg's memory, and keeps a message on the Go heap alive.
func (c *Codec[T]) View(msg []byte) (View[T], error) {
	if c.core.fits(msg) {
		return View[T]{rawView: rawView{regionOf(msg), headerSize, c.core.root}}, nil
	}
	return c.view(msg)
}

func (c *Codec[T]) view(msg []byte) (View[T], error) {
	graph, err := c.core.check("view", msg)
	if err != nil {
		return View[T]{}, err
	}
	return View[T]{rawView: rawView{regionOf(msg), headerSize | oneIf(graph)*posGraph, c.core.root}}, nil
}

// IsNil reports whether there is nothing: a nil pointer led here. All that is read from it is zero.
func (v View[T]) IsNil() bool { return v.pos == 0 }

// Decode copies what the view shows into x, as [Codec.Decode] does with a whole message. A nil view makes *x
// zero. With [WithRefs] what is shared within that part comes back shared; a pointer back to the part itself, if that
// is not the root, leads to a copy of it.
//
// The errors are those of [Codec.Decode]; paths begin at the view's block.
func (v View[T]) Decode(x *T) error {
	if x == nil {
		return &Error{Op: "decode", Offset: -1, Err: failf(ErrType, "nil target")}
	}
	if v.pos == 0 {
		*x = *new(T)
		return nil
	}
	p, err := v.in.decoding()
	if err != nil {
		return err
	}
	return v.in.core.decodeAt(v.msg.bytes(), v.pos&posGraph != 0, p, v.pos&posOffset, ptrOf(x), fresh)
}

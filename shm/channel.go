package shm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// Errors of a channel. errors.Is finds them.
var (
	// ErrClosed: this side has been closed.
	ErrClosed = errors.New("shm: closed")
	// ErrReleased: the message was released, or the loan committed or aborted.
	ErrReleased = errors.New("shm: already released")
	// ErrHeld: messages or a loan are still out.
	ErrHeld = errors.New("shm: still in use")
	// ErrPeerDied: the peer's process ended, or its end of the channel, without a Close.
	ErrPeerDied = errors.New("shm: the peer died")
	// ErrBusy: another goroutine is using this side.
	ErrBusy = errors.New("shm: in use by another goroutine")
	// ErrPeerClosed: the reader has closed its end, so that nothing sent will be read.
	ErrPeerClosed = errors.New("shm: the reader has closed")
	// ErrLost: at the writer's Close, messages were committed that nobody will read.
	ErrLost = errors.New("shm: messages lost")
	// ErrCorrupt: the peer wrote what it must not into shared memory. The channel is of no use any more.
	ErrCorrupt = errors.New("shm: corrupt channel")
	// ErrInUse: at Create, another process has a channel at the path, or something else is there.
	ErrInUse = errors.New("shm: path in use")

	// ErrForeign: at Attach, what listens at the path is not a channel.
	ErrForeign = errors.New("shm: not a channel")
	// ErrVersion: at Attach, the writer's version of the protocol is another one.
	ErrVersion = errors.New("shm: other version")
	// ErrGeometry: the number or size of slots is out of range or does not fit the memory.
	ErrGeometry = errors.New("shm: bad geometry")
	// ErrSeals: at Attach, the memory that was handed over lacks a seal that keeps it from changing.
	ErrSeals = errors.New("shm: missing seals")
	// ErrPeerUser: the peer runs under another user id.
	ErrPeerUser = errors.New("shm: peer of another user")
)

// Options are the sizes of a channel and what a side's codec is told. The zero value is good for messages of
// up to 1 MiB.
type Options struct {
	// Slots is how many messages can be under way, rounded up to a power of two, at most 65,536; 0
	// means 16.
	Slots int
	// SlotSize is the size in bytes of the largest message, as the codec's Size gives it, at least 64;
	// 0 means 1 MiB. All slots are allocated by Create. A type that is put into interfaces needs room for
	// its description too, see [Loan.Encode].
	SlotSize int

	// Refs keeps shared and cyclic references, as format.WithRefs does. A reader without it refuses the
	// messages in which something is shared (format.ErrSchema).
	Refs bool
	// Types are those of values in interfaces, in place of what format.Register knows (nil).
	Types *format.Types
}

// codec are the options of the writer's codec, which alone can write to the slots, and with format.WithShared those
// of the reader's.
func (o Options) codec() (opts []format.Option) {
	if o.Refs {
		opts = append(opts, format.WithRefs())
	}
	if o.Types != nil {
		opts = append(opts, format.WithTypes(o.Types))
	}
	return opts
}

// A Writer is the writing end of a channel. It is used by one goroutine at a time ([ErrBusy]); Close may
// be called by another one. A Writer that is dropped without Close keeps its reader waiting until the
// process ends.
type Writer[T any] struct {
	codec *format.Codec[T]
	end   *writerEnd
	boxes *boxes             // nil where T holds no interfaces
	built *format.Builder[T] // what the loan that is out is built by, or nil
}

// Create makes a channel for values of T and listens for its reader at path, a unix socket that only
// this user can connect to. It does not wait for the reader. The socket of a writer that died is
// replaced; another file at path, or a writer that lives, is an error ([ErrInUse]). All of the memory is
// allocated, so that running out of it is an error here.
func Create[T any](path string, o Options) (*Writer[T], error) {
	codec, err := format.For[T](o.codec()...)
	if err != nil {
		return nil, err
	}
	schema, err := format.SchemaOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	g, err := geometryOf(o)
	if err != nil {
		return nil, err
	}
	w := &Writer[T]{codec: codec}
	if holdsInterfaces(schema) {
		w.boxes = newBoxes(o.Types)
	}
	if w.end, err = create(path, g, schema); err != nil {
		return nil, err
	}
	return w, nil
}

// A Loan is a slot that the writer may fill. The zero Loan is released.
type Loan[T any] struct {
	w   *Writer[T]
	id  uint64
	ctx context.Context // for what Encode waits for
}

// Loan returns a slot, waiting for one until ctx ends. There is at most one loan at a time: [ErrHeld].
// Other errors: ctx's, [ErrPeerDied], [ErrPeerClosed], [ErrCorrupt], [ErrClosed].
func (w *Writer[T]) Loan(ctx context.Context) (Loan[T], error) {
	if w.end == nil {
		return Loan[T]{}, ErrClosed
	}
	id, err := w.end.loan(ctx)
	if err != nil {
		return Loan[T]{}, err
	}
	return Loan[T]{w, id, ctx}, nil
}

// Encode writes the message of v into the slot, in place of what it held. A message that is larger than
// the slot is format.ErrLimit with both numbers, and the loan remains.
//
// Before the first message with a value of a registered type in an interface the reader is sent the type's
// description (SPEC.md §4.3): that takes a slot, for which Encode waits until Loan's ctx ends. Only an error
// of that wait, which is one of Loan's, ends the loan. A description that is larger than a slot, or than
// format.SchemaLimits allow, is format.ErrLimit with both numbers, and so is more than 1,000 of them.
func (l Loan[T]) Encode(v *T) error {
	b, err := l.buffer()
	if err != nil {
		return err
	}
	b.Reset()
	l.endBuild()
	if l.w.boxes != nil {
		return l.encodeBoxes(b, v)
	}
	err = l.w.codec.Encode(b, v)
	if errors.Is(err, buffer.ErrFull) {
		size, sizeErr := l.w.codec.Size(v)
		if sizeErr != nil {
			return sizeErr
		}
		return tooLarge("message", size, b.Cap())
	}
	return err
}

func tooLarge(what string, size, most int) error {
	return fault("send", format.ErrLimit, "a %s of %d bytes, at most SlotSize %d", what, size, most)
}

func fault(op string, kind error, text string, args ...any) error {
	return &format.Error{Op: op, Offset: -1, Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(text, args...))}
}

// encodeBoxes is Encode into b where v may hold interfaces.
func (l Loan[T]) encodeBoxes(b *buffer.Buffer, v *T) error {
	end, boxes := l.w.end, l.w.boxes
	for {
		free, err := b.Reserve(b.Cap())
		if err != nil {
			return err
		}
		msg, ids, err := l.w.codec.AppendBoxes(free[:0:b.Cap()], boxes.ids[:0], v)
		if err != nil {
			return err
		}
		boxes.ids = ids
		if len(msg) > b.Cap() {
			return tooLarge("message", len(msg), b.Cap())
		}
		id, description, err := boxes.next(ids, b.Cap(), end.announced)
		switch {
		case err != nil:
			return err
		case description == nil:
			_, err := b.Extend(len(msg))
			return err
		}
		// The description goes through the slot that the message is in: a channel may have no other.
		before := end.announced
		err = end.announce(l.ctx, description)
		if end.announced > before {
			boxes.told[id] = true
		}
		if err != nil {
			return err
		}
		b = end.slots[end.slot]
	}
}

func (l Loan[T]) buffer() (*buffer.Buffer, error) {
	if l.w == nil || l.w.end.current != l.id {
		return nil, ErrReleased
	}
	return l.w.end.slots[l.w.end.slot], nil
}

// Commit hands the message over to the reader. It is an error to commit a loan that nothing was encoded into, or
// whose builder was not finished: [Loan.Encode] or [format.Builder.Finish] comes first. The loan remains.
//
// Commit never blocks after Encode. After [Loan.Build] it may wait as Encode does, for slots for the descriptions
// of types in interfaces that the reader was not told of, and has the errors of Encode; the loan remains after
// each of them.
func (l Loan[T]) Commit() error {
	b, err := l.buffer()
	if err != nil {
		return err
	}
	switch built := l.w.built; {
	case b.Len() == 0 && built != nil:
		return errors.New("shm: commit of a loan whose builder was not finished")
	case b.Len() == 0:
		return errors.New("shm: commit of an empty loan")
	case built != nil && l.w.boxes != nil:
		if err := l.describe(built.Boxes()); err != nil {
			return err
		}
	}
	if err := l.w.end.enter(); err != nil {
		return err
	}
	defer l.w.end.leave()
	l.endBuild()
	l.w.end.current = 0
	l.w.end.commit(l.w.end.slot)
	return nil
}

// Abort gives the slot up. The reader sees nothing of it.
func (l Loan[T]) Abort() error {
	if _, err := l.buffer(); err != nil {
		return err
	}
	if err := l.w.end.enter(); err != nil {
		return err
	}
	defer l.w.end.leave()
	l.endBuild()
	l.w.end.current = 0
	l.w.end.abort(l.w.end.slot)
	return nil
}

// Send encodes v into a slot and commits it. It waits while all slots are full, for a reader to attach
// too. Errors are those of Loan and Encode; after any of them nothing was sent, but for descriptions.
func (w *Writer[T]) Send(ctx context.Context, v *T) error {
	l, err := w.Loan(ctx)
	if err != nil {
		return err
	}
	if err := l.Encode(v); err != nil {
		if abort := l.Abort(); abort != nil && abort != ErrReleased {
			err = errors.Join(err, abort)
		}
		return err
	}
	return l.Commit()
}

// Attached returns a channel that is closed once a reader has attached.
func (w *Writer[T]) Attached() <-chan struct{} { return w.end.attached }

// Close ends the channel: the reader gets what was committed and then io.EOF. The error is [ErrLost]
// when no reader has attached, or it died or closed, before it released all that was committed, and no
// other call has said so; the channel is closed all the same. A wait in Loan or Send ends with [ErrClosed]. With a loan out Close
// returns [ErrHeld] and does nothing. What Make of a builder gave faults afterwards, as with [Reader.Close].
func (w *Writer[T]) Close() error {
	if w.end == nil {
		return ErrClosed
	}
	return w.end.close()
}

// A Reader is the reading end of a channel. It is used by one goroutine at a time ([ErrBusy]); Close may
// be called by another one.
type Reader[T any] struct {
	codec *format.Codec[T]
	end   *readerEnd
}

// Attach finds the writer that listens at path, waiting for one until ctx ends. It waits too where the
// folder does not exist, the writer has died, or has its reader: a channel's socket goes once both have
// met, and the next Create at the path makes another channel.
//
// The writer's type may be another version of T, see format.EvolvedFor for what may differ: the writer
// describes it (SPEC.md §3). One that cannot become T is format.ErrSchema, whose text names the field and
// both sides' types; the channel is then still there for another reader. Other errors: ctx's, [ErrForeign],
// [ErrVersion], [ErrGeometry], [ErrSeals], [ErrPeerUser]; format.ErrLimit, ErrCorrupt or ErrTruncated for a
// description that breaks a limit of format.SchemaLimits, as they are by default, or is none.
//
// Of Options only Refs and Types matter here; of several the last counts.
func Attach[T any](ctx context.Context, path string, options ...Options) (*Reader[T], error) {
	var o Options
	if n := len(options); n > 0 {
		o = options[n-1]
	}
	own, err := format.SchemaOf(reflect.TypeFor[T]())
	if err != nil {
		return nil, err
	}
	known := compat.NewRegistry(compat.Limits{Descriptions: mostBoxes})
	opts := append(o.codec(), format.WithShared(), format.WithBoxes(known))
	plain, err := format.For[T](opts...)
	if err != nil {
		return nil, err
	}
	r := &Reader[T]{}
	learns := false
	r.end, err = attach(ctx, path, judge{own, func(writers *format.Schema) (err error) {
		learns = holdsInterfaces(writers)
		if r.codec = plain; writers != own {
			r.codec, err = format.EvolvedFor[T](writers.Description(), format.SchemaLimits{}, opts...)
		}
		return err
	}})
	if err != nil {
		return nil, err
	}
	if learns {
		r.end.known = known
	}
	return r, nil
}

// A judge decides for a reader whether it can read what a writer writes.
type judge struct {
	own    *format.Schema
	accept func(writers *format.Schema) error // makes the codec for messages of that schema, maybe own
}

// most is how many bytes the writer's description may have: it may be the reader's own, whatever that has.
func (j judge) most() uint64 { return uint64(max(mostDescription, len(j.own.Description()))) }

// judge is nil if messages of the type that a writer describes can be read.
func (j judge) judge(fingerprint uint64, description []byte) error {
	own := j.own.Fingerprint()
	writers := j.own
	if fingerprint != own {
		var err error
		if writers, err = format.ParseSchema(description, format.SchemaLimits{}); err != nil {
			return fmt.Errorf("shm: attach: the writer's type: %w", err)
		}
	}
	switch {
	case fingerprint == own && !bytes.Equal(description, j.own.Description()):
		return fmt.Errorf("shm: attach: %w: the writer's fingerprint, %016x, is this type's, and its description is another", format.ErrSchema, own)
	case fingerprint != writers.Fingerprint():
		return fmt.Errorf("shm: attach: %w: the writer's fingerprint is %016x, that of its description %016x", format.ErrCorrupt, fingerprint, writers.Fingerprint())
	}
	if err := j.accept(writers); err != nil {
		return fmt.Errorf("shm: attach: the writer's fingerprint is %016x, this type's is %016x: %w", fingerprint, own, err)
	}
	return nil
}

// A Message is one message in its slot. It is good until Release; copies of it are the same message.
// The zero Message is released.
type Message[T any] struct {
	r      *Reader[T]
	bytes  []byte
	slot   uint32
	number uint64
}

// Receive returns the next message, waiting for one until ctx ends. After the writer's Close and the
// last message the error is io.EOF. While as many messages are held as there are slots none can come:
// [ErrHeld]. Other errors: ctx's, [ErrPeerDied], [ErrCorrupt], [ErrClosed].
//
// Descriptions of types in interfaces, which the writer sends before it uses them, are taken in and are no
// messages. One that is refused (format.ErrLimit, ErrCorrupt, ErrTruncated, ErrSchema) is passed over: the
// next Receive goes on behind it.
func (r *Reader[T]) Receive(ctx context.Context) (Message[T], error) {
	if r.end == nil {
		return Message[T]{}, ErrClosed
	}
	slot, number, bytes, err := r.end.receive(ctx)
	if err != nil {
		return Message[T]{}, err
	}
	return Message[T]{r, bytes, slot, number}, nil
}

func (m Message[T]) check() error {
	if m.r == nil || !m.r.end.holding(m.slot, m.number) {
		return ErrReleased
	}
	return nil
}

// Bytes returns the message where it lies, read-only, until Release; nil after it.
func (m Message[T]) Bytes() []byte {
	if m.check() != nil {
		return nil
	}
	return m.bytes
}

// Alias makes v point into the message, as format's DecodeAlias does under WithShared: a loop that
// reuses v allocates nothing. v is good until Release, except for what holds bools, which is v's own. Where
// the writer's type is another version of T, what differs is converted and v's own too; fields that the
// writer does not have keep their values, or get the default of their tag (format.EvolvedFor).
func (m Message[T]) Alias(v *T) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.r.codec.DecodeAlias(m.bytes, v)
}

// Decode copies the message into v, which is then independent of it.
func (m Message[T]) Decode(v *T) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.r.codec.Decode(m.bytes, v)
}

// DecodeReuse copies the message into the memory that v holds, as format's DecodeReuse does under WithShared. v
// must never have been filled by [Message.Alias]: that memory cannot be written to, and the program would end
// with a fault.
func (m Message[T]) DecodeReuse(v *T) error {
	if err := m.check(); err != nil {
		return err
	}
	return m.r.codec.DecodeReuse(m.bytes, v)
}

// View returns a view of the message, of which a handle of format.Field reads single fields where they lie, in
// constant time and without allocation. The view, and what is read through it, are good until Release. Slices and
// pointers to what holds bools are refused, since the writer could still change them; they are read one by one or
// decoded. Where the writer's type is another version of T handles find their way as [format.Field] says.
//
// The error is [ErrReleased], or one of format's View: the header is looked at, and no more.
func (m Message[T]) View() (format.View[T], error) {
	if err := m.check(); err != nil {
		return format.View[T]{}, err
	}
	return m.r.codec.View(m.bytes)
}

// Release gives the slot back to the writer. A second Release is [ErrReleased].
func (m Message[T]) Release() error {
	if m.r == nil {
		return ErrReleased
	}
	return m.r.end.release(m.slot, m.number)
}

// Close ends the channel and gives its memory back: what still points into a message faults then, since the
// addresses are kept as package buffer keeps those of a closed Buffer. A wait in
// Receive ends with [ErrClosed]. While messages are held Close returns [ErrHeld] and does nothing.
func (r *Reader[T]) Close() error {
	if r.end == nil {
		return ErrClosed
	}
	return r.end.close()
}

package compat

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// An Encoder writes values to a stream or a file. Before the first message of a type it writes the type's
// description, and so before the first message with a value of a type in an interface; nothing else is
// added to the messages, which are those of package format. It is used by one goroutine at a time.
type Encoder struct {
	w      io.Writer
	file   *buffer.Buffer // in place of w
	has    *Registry      // what is described in file already, or nil
	opts   []format.Option
	types  *format.Types
	silent bool

	registry *Registry // of types in boxes that are only passed on, or nil
	others   int       // codecs of schemas that are not their type's

	codecs map[sendKey]*sending
	sent   map[uint64]bool // box ids that were described
	out    []byte
	boxes  []uint64
	err    error // of the writer; what follows would be lost
	busy   bool  // Encode is at work
}

// A sendKey is a Go type and the schema that it is written under.
type sendKey struct {
	typ         reflect.Type
	other       bool   // it is not the type's own, but
	fingerprint uint64 // that
}

// A sending is a codec and whether its type was described.
type sending struct {
	codec  *format.AnyCodec
	schema *format.Schema
	sent   bool
}

// An Option changes an [Encoder], a [Decoder] or a [Reader].
type Option func(*options)

type options struct {
	silent    bool
	registry  *Registry
	types     *format.Types
	refs      bool
	shared    bool
	limit     int64
	strictNil bool
	most      int
}

// WithoutDescriptions makes an Encoder send no descriptions: its readers have the same types or are given
// the descriptions otherwise ([Registry.Add]).
func WithoutDescriptions() Option { return func(o *options) { o.silent = true } }

// WithTypes is for values in interfaces, in place of what format.Register knows.
func WithTypes(types *format.Types) Option { return func(o *options) { o.types = types } }

// WithRefs keeps shared and cyclic references, as format.WithRefs does.
func WithRefs() Option { return func(o *options) { o.refs = true } }

// WithShared is for messages in memory that others can still change while a [Reader] reads them, as
// format.WithShared.
func WithShared() Option { return func(o *options) { o.shared = true } }

// WithStrictNil makes a nil pointer of a writer, where the reader has a value and no pointer, an error in place
// of a zero, as format.WithStrictNil.
func WithStrictNil() Option { return func(o *options) { o.strictNil = true } }

// WithMaxExpansion sets how many bytes of Go memory a message of another schema may take for each of its bytes,
// beside 64 KiB, 48 by default, as format.WithMaxExpansion.
func WithMaxExpansion(factor int) Option { return func(o *options) { o.most = factor } }

func optionsOf(opts []Option) (o options, codec []format.Option) {
	for _, f := range opts {
		if f != nil {
			f(&o)
		}
	}
	if o.types != nil {
		codec = append(codec, format.WithTypes(o.types))
	}
	if o.refs {
		codec = append(codec, format.WithRefs())
	}
	if o.shared {
		codec = append(codec, format.WithShared())
	}
	if o.most > 0 {
		codec = append(codec, format.WithMaxExpansion(o.most))
	}
	if o.strictNil {
		codec = append(codec, format.WithStrictNil())
	}
	return o, codec
}

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Option) *Encoder {
	o, codec := optionsOf(opts)
	return &Encoder{w: w, opts: codec, types: o.types, silent: o.silent,
		registry: o.registry, codecs: map[sendKey]*sending{}, sent: map[uint64]bool{}}
}

// AppendTo returns an Encoder that writes into b, behind the messages that b has: b is a mapped file of
// buffer.Append or buffer.Create, or other memory. Values are encoded where they are to lie. A type that is
// described in b already, by whichever program, is not described again.
//
// b is made to end behind its last whole message: what stands there of one that a writer was killed over, or
// that ends outside b, is cleared, as is all that is behind a word of zero (SPEC §1.4). A file that was damaged
// otherwise can look so in its middle, and loses what follows. The file holds each message, and each description,
// whole or not at all whenever the writer is killed; against a loss of power b.Sync helps. While the Encoder is in
// use nothing else is to be written into b but whole messages, and b not to be reset or truncated. Memory that is
// no file is not cleared behind Len after an error: read b.Bytes().
//
// The error is of ErrCorrupt, with the offset, if something else than a message stands in b: b is then as it
// was. Others are those of b: buffer.ErrReadOnly, buffer.ErrClosed. b remains the caller's, to sync and to close.
func AppendTo(b *buffer.Buffer, opts ...Option) (*Encoder, error) {
	if b == nil {
		return nil, fault("append", format.ErrType, "no buffer")
	}
	e := NewEncoder(nil, opts...)
	e.file, e.has = b, NewRegistry(Limits{Descriptions: math.MaxInt})
	end := 0
	for msg, err := range format.Messages(b.Bytes()) {
		if errors.Is(err, format.ErrTruncated) {
			break
		}
		if err != nil {
			return nil, err
		}
		e.has.admit(msg) // one that it refuses says nothing about what is to be written
		end += len(msg)
	}
	if err := e.giveUp(end); err != nil {
		return nil, err
	}
	return e, nil
}

// Encode writes v, a value or a pointer to one: the type of the message is T for a T and a *T. If T is a struct with a
// [format.Unknown], and that is not empty, v is written under the schema that it was read of, whose description goes
// before it; what would be lost so is ErrSchema, as for [Reader.Append]. Values of types in interfaces that it only
// passes on need [WithRegistry]. After an
// error of v itself the stream or the file is as it was, but for descriptions that a file may have got; that a
// file is full is one too (buffer.ErrFull), and so is a type whose description breaks a limit of
// format.SchemaLimits (ErrLimit). An error of the writer stays.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	if e.busy {
		return fault("encode", format.ErrType, "the encoder is at work: a method of the value that it writes has called it")
	}
	e.busy = true
	defer func() { e.busy = false }()
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return fault("encode", format.ErrType, "nil value")
	}
	if r.Kind() != reflect.Pointer {
		p := reflect.New(r.Type())
		p.Elem().Set(r)
		v = p.Interface()
	}
	s, err := e.sending(v)
	if err != nil {
		return err
	}
	if e.file != nil {
		return e.place(s, v)
	}
	return e.send(s, v)
}

// send writes the message of v, and the descriptions that must go before it, at once.
func (e *Encoder) send(s *sending, v any) error {
	msg, boxes, err := s.codec.AppendBoxes(e.out[:0], e.boxes[:0], v)
	if err != nil {
		return err
	}
	e.out, e.boxes = msg, boxes
	before, err := e.describe(s)
	if err != nil {
		return err
	}
	if len(before) > 0 {
		msg = append(before, msg...)
	}
	n, err := e.w.Write(msg)
	if err == nil && n < len(msg) {
		err = io.ErrShortWrite
	}
	if err != nil {
		e.err = fmt.Errorf("compat: %w", err)
		return e.err
	}
	e.described(s)
	return nil
}

// place writes the message of v into the file, where it stays without its first word, and is none, until
// the descriptions are known that must go before it. If there are, it makes room for them, once a type.
func (e *Encoder) place(s *sending, v any) error {
	for {
		at := e.file.Len()
		first, boxes, err := s.codec.EncodeBoxes(e.file, e.boxes[:0], v)
		if err != nil {
			if left := e.giveUp(at); left != nil {
				err = errors.Join(err, left)
			}
			return err
		}
		e.boxes = boxes
		before, err := e.describe(s)
		if err == nil && len(before) == 0 {
			binary.LittleEndian.PutUint64(e.file.Bytes()[at:], first)
			return nil
		}
		size := e.file.Len() - at + len(before)
		if free := e.file.Cap() - at; err == nil && size > free {
			err = fault("encode", buffer.ErrFull, "%d bytes wanted with the description, %d free, capacity %d", size, free, e.file.Cap())
		}
		if left := e.file.Truncate(at); left != nil {
			err = errors.Join(err, left)
		}
		if err != nil {
			return err
		}
		for msg, err := range format.Messages(before) {
			if err != nil {
				return err
			}
			p, err := e.file.Extend(len(msg))
			if err != nil {
				return &format.Error{Op: "encode", Offset: -1, Err: err}
			}
			clear(p[:8])
			copy(p[8:], msg[8:])
			binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(msg)) // SPEC §1.4
		}
		e.described(s)
	}
}

// giveUp makes the file end at byte n and zero behind that.
func (e *Encoder) giveUp(n int) error { return errors.Join(e.file.Truncate(n), e.file.Trim()) }

// sending returns what writes v, a pointer.
func (e *Encoder) sending(v any) (*sending, error) {
	t := reflect.TypeOf(v).Elem()
	s, err := e.known(sendKey{typ: t}, func() (*format.AnyCodec, *format.Schema, error) {
		codec, err := format.AnyFor(t, e.opts...)
		if err != nil {
			return nil, nil, err
		}
		schema, err := format.SchemaOf(t)
		return codec, schema, err
	})
	if err != nil {
		return nil, err
	}
	u := s.codec.Unknown(v)
	if u.Empty() {
		return s, nil
	}
	return e.known(sendKey{t, true, u.Fingerprint()}, func() (*format.AnyCodec, *format.Schema, error) { return e.passing(t, u) })
}

// known returns what is remembered of a key; if nothing is, it is made.
func (e *Encoder) known(key sendKey, make func() (*format.AnyCodec, *format.Schema, error)) (*sending, error) {
	if s := e.codecs[key]; s != nil {
		return s, nil
	}
	codec, schema, err := make()
	if err != nil {
		return nil, err
	}
	s := &sending{codec: codec, schema: schema}
	if e.has != nil {
		there, ok := e.has.Schema(schema.Fingerprint())
		if s.sent = ok; ok && !there.Equal(schema) {
			return nil, fault("encode", format.ErrSchema, "the fingerprint %016x of %s is that of another description in the file", schema.Fingerprint(), key.typ)
		}
	}
	if key.other {
		if e.others++; e.others > mostVersions {
			e.forget()
		}
	}
	e.codecs[key] = s
	return s, nil
}

// passing returns the codec that writes values of t under the schema that u is for, and the schema.
func (e *Encoder) passing(t reflect.Type, u format.Unknown) (*format.AnyCodec, *format.Schema, error) {
	schema, err := format.ParseSchema(u.Description(), format.SchemaLimits{})
	if err != nil {
		return nil, nil, err
	}
	opts := e.opts
	if e.registry != nil {
		opts = append(slices.Clip(opts), format.WithBoxes(e.registry))
	}
	codec, err := format.EvolvedAny(t, schema.Description(), format.SchemaLimits{}, opts...)
	return codec, schema, err
}

// forget gives up one of the codecs of schemas that are not their type's. If it is needed again its description is
// sent again, which changes nothing.
func (e *Encoder) forget() {
	for key := range e.codecs {
		if key.other {
			delete(e.codecs, key)
			e.others--
			return
		}
	}
}

// describe returns the description messages that must go before a message of s that uses e.boxes, or
// nothing.
func (e *Encoder) describe(s *sending) (out []byte, err error) {
	if e.silent {
		return nil, nil
	}
	if !s.sent {
		out = format.AppendDescription(out, s.schema)
	}
	for _, id := range e.boxes {
		if e.sent[id] {
			continue
		}
		schema, ok := e.types.Schema(id)
		if !ok && e.registry != nil {
			schema, ok = e.registry.Box(id)
		}
		if !ok {
			return nil, fault("encode", format.ErrSchema, "no description of values in interfaces with box id %016x is known: WithRegistry gives those that a Decoder has read", id)
		}
		if e.has != nil {
			there, ok := e.has.Box(id)
			if ok && !there.Equal(schema) {
				return nil, fault("encode", format.ErrSchema, "the box id %016x of %q is that of another description in the file", id, schema.Name())
			}
			if ok {
				continue
			}
		}
		out = format.AppendDescription(out, schema)
	}
	if len(out) == 0 {
		return nil, nil
	}
	for msg, err := range format.Messages(out) { // a reader refuses what breaks a limit, so the writer meets it
		if err == nil {
			_, err = format.ReadDescription(msg, format.SchemaLimits{})
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// described notes what was described before a message of s that uses e.boxes.
func (e *Encoder) described(s *sending) {
	s.sent = true
	for _, id := range e.boxes {
		e.sent[id] = true
	}
}

func fault(op string, kind error, text string, args ...any) error {
	return &format.Error{Op: op, Offset: -1, Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(text, args...))}
}

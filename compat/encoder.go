package compat

import (
	"fmt"
	"io"
	"reflect"

	"github.com/ashlar-go/ashlar/format"
)

// An Encoder writes values to a stream. Before the first message of a type it writes the type's
// description, and so before the first message with a value of a type in an interface; nothing else is
// added to the messages, which are those of package format. It is used by one goroutine at a time.
type Encoder struct {
	w      io.Writer
	opts   []format.Option
	types  *format.Types
	silent bool

	codecs map[reflect.Type]*sending
	sent   map[uint64]bool // box ids that were described
	out    []byte
	boxes  []uint64
	err    error // of the writer; what follows would be lost
}

// A sending is a codec and whether its type was described.
type sending struct {
	codec  *format.AnyCodec
	schema *format.Schema
	sent   bool
}

// An Option changes an Encoder or a Decoder.
type Option func(*options)

type options struct {
	silent   bool
	registry *Registry
	types    *format.Types
	refs     bool
	limit    int64
}

// WithoutDescriptions makes an Encoder send no descriptions: its readers have the same types or are given
// the descriptions otherwise ([Registry.Add]).
func WithoutDescriptions() Option { return func(o *options) { o.silent = true } }

// WithTypes is for values in interfaces, in place of what format.Register knows.
func WithTypes(types *format.Types) Option { return func(o *options) { o.types = types } }

// WithRefs keeps shared and cyclic references, as format.WithRefs does.
func WithRefs() Option { return func(o *options) { o.refs = true } }

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
	return o, codec
}

// NewEncoder returns an Encoder that writes to w.
func NewEncoder(w io.Writer, opts ...Option) *Encoder {
	o, codec := optionsOf(opts)
	return &Encoder{w: w, opts: codec, types: o.types, silent: o.silent, codecs: map[reflect.Type]*sending{}, sent: map[uint64]bool{}}
}

// Encode writes v, a value or a pointer to one: the type of the message is T for a T and a *T. After an
// error of v itself the stream is as it was. An error of the writer stays.
func (e *Encoder) Encode(v any) error {
	if e.err != nil {
		return e.err
	}
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return fault("encode", format.ErrType, "nil value")
	}
	if r.Kind() != reflect.Pointer {
		p := reflect.New(r.Type())
		p.Elem().Set(r)
		v, r = p.Interface(), p
	}
	s, err := e.sending(r.Type().Elem())
	if err != nil {
		return err
	}
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
	s.sent = true
	for _, id := range e.boxes {
		e.sent[id] = true
	}
	return nil
}

func (e *Encoder) sending(t reflect.Type) (*sending, error) {
	if s := e.codecs[t]; s != nil {
		return s, nil
	}
	codec, err := format.AnyFor(t, e.opts...)
	if err != nil {
		return nil, err
	}
	schema, err := format.SchemaOf(t)
	if err != nil {
		return nil, err
	}
	s := &sending{codec: codec, schema: schema}
	e.codecs[t] = s
	return s, nil
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
		if !ok {
			return nil, fault("encode", format.ErrType, "box id %016x is not registered any more", id)
		}
		out = format.AppendDescription(out, schema)
	}
	return out, nil
}

func fault(op string, kind error, text string, args ...any) error {
	return &format.Error{Op: op, Offset: -1, Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(text, args...))}
}

package compat

import (
	"io"
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/format"
)

// WithRegistry makes a Decoder look up descriptions in r, and put those that come into it. Decoders of
// several streams may share one.
func WithRegistry(r *Registry) Option { return func(o *options) { o.registry = r } }

// WithMaxMessage sets how many bytes the largest message of a stream may have, 16 GiB by default.
func WithMaxMessage(bytes int64) Option { return func(o *options) { o.limit = bytes } }

// A Decoder reads values from a stream that an [Encoder] writes, into types that may be others than the
// writer's: fields are matched by name, see format.EvolvedFor for what may change. It is used by one
// goroutine at a time.
type Decoder struct {
	registry *Registry
	opts     []format.Option
	next     func() ([]byte, error, bool)
	stop     func()
	codecs   map[reading]*format.AnyCodec
	err      error // of the stream, which ends with it
}

// A reading is a type into which messages of a fingerprint are read.
type reading struct {
	fingerprint uint64
	typ         reflect.Type
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Option) *Decoder {
	o, codec := optionsOf(opts)
	if o.registry == nil {
		o.registry = NewRegistry(Limits{})
	}
	d := &Decoder{registry: o.registry, opts: append(codec, format.WithBoxes(o.registry)), codecs: map[reading]*format.AnyCodec{}}
	d.next, d.stop = iter.Pull2(format.ReadMessages(r, o.limit))
	return d
}

// Registry returns the descriptions that the decoder knows.
func (d *Decoder) Registry() *Registry { return d.registry }

// Close gives up what the decoder holds. It does not close the reader. A stream that was read to its end
// needs no Close.
func (d *Decoder) Close() { d.stop() }

// Decode reads the next value into what v, a pointer, points to, as format's Decode does. At the end of the
// stream the error is io.EOF.
//
// A message that cannot be read into v (ErrSchema: its description is not known, or says what cannot become
// v's type; ErrLimit: a number that does not fit) is passed over, and the next Decode reads the next one.
// An error of the stream (ErrTruncated, ErrCorrupt where a message should begin, and the reader's) stays.
func (d *Decoder) Decode(v any) error { return d.decode(v, (*format.AnyCodec).Decode) }

// DecodeReuse is Decode into the memory that v holds, as format's DecodeReuse.
func (d *Decoder) DecodeReuse(v any) error { return d.decode(v, (*format.AnyCodec).DecodeReuse) }

func (d *Decoder) decode(v any, how func(*format.AnyCodec, []byte, any) error) error {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return fault("decode", format.ErrType, "target %T is not a pointer or is nil", v)
	}
	msg, err := d.message()
	if err != nil {
		return err
	}
	c, err := d.codec(msg, r.Type().Elem())
	if err != nil {
		return err
	}
	return how(c, msg, v)
}

// message returns the next message that is no description.
func (d *Decoder) message() ([]byte, error) {
	for d.err == nil {
		msg, err, ok := d.next()
		switch {
		case !ok:
			d.err = io.EOF
		case err != nil:
			d.err = err
		case format.IsDescription(msg):
			if err := d.registry.AddMessage(msg); err != nil {
				return nil, err
			}
		default:
			return msg, nil
		}
	}
	return nil, d.err
}

// codec returns the codec that reads msg into values of t.
func (d *Decoder) codec(msg []byte, t reflect.Type) (*format.AnyCodec, error) {
	fingerprint, err := format.Peek(msg)
	if err != nil {
		return nil, err
	}
	key := reading{fingerprint, t}
	if c := d.codecs[key]; c != nil {
		return c, nil
	}
	c, err := d.registry.codec(fingerprint, t, d.opts)
	if err == nil {
		d.codecs[key] = c
	}
	return c, err
}

// codec makes the codec that reads messages of a fingerprint into values of t.
func (r *Registry) codec(fingerprint uint64, t reflect.Type, opts []format.Option) (*format.AnyCodec, error) {
	own, err := format.AnyFor(t, opts...)
	if err != nil || own.Fingerprint() == fingerprint {
		return own, err
	}
	schema, ok := r.Schema(fingerprint)
	if !ok {
		return nil, fault("decode", format.ErrSchema, "no description of messages with fingerprint %016x is known (%s has %016x)", fingerprint, t, own.Fingerprint())
	}
	return format.EvolvedAny(t, schema.Description(), r.limits.SchemaLimits, opts...)
}

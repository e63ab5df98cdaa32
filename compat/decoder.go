package compat

import (
	"errors"
	"io"
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/format"
)

// WithRegistry makes a Decoder look up descriptions in r, and put those that come into it. Decoders of
// several streams may share one. An Encoder takes from r the descriptions of values in interfaces that it passes
// on without knowing their types ([format.Unknown]): r is the registry of the Decoder that has read them.
func WithRegistry(r *Registry) Option { return func(o *options) { o.registry = r } }

// WithMaxMessage sets how many bytes the largest message may have that a [Decoder] or a [Reader] reads, 16 GiB
// by default.
func WithMaxMessage(bytes int64) Option { return func(o *options) { o.limit = bytes } }

// A Decoder reads values from a stream that an [Encoder] writes, into types that may be others than the
// writer's: fields are matched by name, see format.EvolvedFor for what may change. It is used by one
// goroutine at a time.
type Decoder struct {
	registry *Registry
	opts     []format.Option
	next     func() ([]byte, error, bool)
	stop     func()
	types    map[reflect.Type]*versions[*format.AnyCodec] // that are read into
	err      error                                        // of the stream, which ends with it
	busy     bool                                         // Decode is at work
}

// NewDecoder returns a Decoder that reads from r.
func NewDecoder(r io.Reader, opts ...Option) *Decoder {
	o, codec := optionsOf(opts)
	if o.registry == nil {
		o.registry = NewRegistry(Limits{})
	}
	d := &Decoder{registry: o.registry, opts: append(codec, format.WithBoxes(o.registry)), types: map[reflect.Type]*versions[*format.AnyCodec]{}}
	d.next, d.stop = iter.Pull2(format.ReadMessages(r, o.limit))
	return d
}

// Registry returns the descriptions that the decoder knows.
func (d *Decoder) Registry() *Registry { return d.registry }

// Close gives up what the decoder holds. It does not close the reader. A stream that was read to its end
// needs no Close. Decode is [ErrClosed] then.
func (d *Decoder) Close() {
	d.stop()
	if d.err == nil {
		d.err = ErrClosed
	}
}

// ErrClosed says that a Decoder was used after its Close.
var ErrClosed = errors.New("compat: the decoder is closed")

// Decode reads the next value into what v, a pointer, points to, as format's Decode does. At the end of the
// stream the error is io.EOF.
//
// A message that cannot be read into v (its description is not known, or says what cannot become v's type; a
// number does not fit; it is corrupt in itself) is passed over, and so is a description that the registry refuses:
// the next Decode reads the next message. An error of the stream (it ends within a message, there is no message
// where one should begin, or one that is too large, or the reader fails) stays, and [Decoder.Err] tells it.
func (d *Decoder) Decode(v any) error { return d.decode(v, (*format.AnyCodec).Decode) }

// DecodeReuse is Decode into the memory that v holds, as format's DecodeReuse.
func (d *Decoder) DecodeReuse(v any) error { return d.decode(v, (*format.AnyCodec).DecodeReuse) }

// Err returns the error that has ended the stream, io.EOF at its end, or nil while Decode may read on.
func (d *Decoder) Err() error { return d.err }

func (d *Decoder) decode(v any, how func(*format.AnyCodec, []byte, any) error) error {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return fault("decode", format.ErrType, "target %T is not a pointer or is nil", v)
	}
	if d.busy {
		return fault("decode", format.ErrType, "the decoder is at work: a method of the value that it reads has called it")
	}
	d.busy = true
	defer func() { d.busy = false }()
	msg, err := d.message()
	if err != nil {
		return err
	}
	s, err := d.versions(r.Type().Elem())
	if err != nil {
		return err
	}
	c, ok := s.recent(msg)
	if !ok {
		if c, err = s.codec(msg); err != nil {
			return err
		}
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
		default:
			described, err := d.registry.admit(msg)
			if err != nil {
				return nil, err
			}
			if !described {
				return msg, nil
			}
		}
	}
	return nil, d.err
}

// versions returns what reads into values of t.
func (d *Decoder) versions(t reflect.Type) (*versions[*format.AnyCodec], error) {
	if s := d.types[t]; s != nil {
		return s, nil
	}
	own, err := format.AnyFor(t, d.opts...)
	if err != nil {
		return nil, err
	}
	s := new(versions[*format.AnyCodec])
	s.init(d.registry, t, own, own.Fingerprint(), func(description []byte) (*format.AnyCodec, error) {
		return format.EvolvedAny(t, description, d.registry.limits.SchemaLimits, d.opts...)
	})
	d.types[t] = s
	return s, nil
}

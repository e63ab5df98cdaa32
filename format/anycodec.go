package format

import (
	"reflect"

	"github.com/ashlar-go/ashlar/buffer"
)

// An AnyCodec is a [Codec] for a type that is known by reflection. Values are given as pointers of that
// type. It is what package compat is built on, a low-level need.
type AnyCodec struct{ core *core }

// AnyFor returns the codec for t, as [For] does.
func AnyFor(t reflect.Type, opts ...Option) (*AnyCodec, error) {
	c, err := coreOf(t, opts...)
	if err != nil {
		return nil, err
	}
	return &AnyCodec{c}, nil
}

// EvolvedAny returns the codec that reads messages of another schema into values of t, as [EvolvedFor]
// does.
func EvolvedAny(t reflect.Type, description []byte, limits SchemaLimits, opts ...Option) (*AnyCodec, error) {
	c, err := evolvedCore(t, description, limits, opts...)
	if err != nil {
		return nil, err
	}
	return &AnyCodec{c}, nil
}

// Fingerprint is [Codec.Fingerprint].
func (c *AnyCodec) Fingerprint() uint64 { return c.core.fingerprint }

// target returns what v points to, if that is a value of the codec's type.
func (c *AnyCodec) target(op string, v any) (ptr, error) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.Type().Elem() != c.core.typ || r.IsNil() {
		return none, &Error{Op: op, Offset: -1, Err: failf(ErrType, "%T is no *%s, or is nil", v, c.core.typ)}
	}
	return ptrOfValue(r), nil
}

// AppendBoxes is [Codec.AppendBoxes].
func (c *AnyCodec) AppendBoxes(dst []byte, boxes []uint64, v any) ([]byte, []uint64, error) {
	p, err := c.target("encode", v)
	if err != nil {
		return dst, boxes, err
	}
	return c.core.appendBoxes(dst, boxes, p, true)
}

// EncodeBoxes is [Codec.Encode] that also appends to boxes what [Codec.AppendBoxes] does, and that leaves the
// first word of the message zero. It returns the word, as [binary.LittleEndian] has it: with storing it the
// message is there for who looks at the memory meanwhile, or after the writer was killed (SPEC §1.4). b's
// length must be a multiple of 8.
func (c *AnyCodec) EncodeBoxes(b *buffer.Buffer, boxes []uint64, v any) (first uint64, ids []uint64, err error) {
	p, err := c.target("encode", v)
	if err != nil {
		return 0, boxes, err
	}
	if b == nil || b.Len()&7 != 0 {
		return 0, boxes, &Error{Op: "encode", Offset: -1, Err: failf(ErrType, "no buffer, or one whose length is no multiple of 8")}
	}
	return c.core.encodeBoxes(b, boxes, p)
}

// encodeBoxes writes the message into b, but for the first word, and the ids of its boxes behind boxes.
func (c *core) encodeBoxes(b *buffer.Buffer, boxes []uint64, src ptr) (first uint64, ids []uint64, err error) {
	var e encoder
	e.codec, e.src, e.buf, e.had = c, src, b, b.Len()
	e.boxes, e.notes, e.open = boxes[len(boxes):], true, true
	if free, err := b.Reserve(headerSize); err == nil {
		e.m = free // else grow finds out what is wrong
	}
	if !e.run() {
		return 0, boxes, c.encodeError("encode", &e)
	}
	if _, err := extend(b, e.had, int(e.end)); err != nil {
		return 0, boxes, &Error{Op: "encode", Offset: -1, Err: err}
	}
	return header(e.end) | e.flags<<24, append(boxes, e.boxes...), nil
}

// Decode is [Codec.Decode].
func (c *AnyCodec) Decode(msg []byte, v any) error { return c.decode(msg, v, fresh) }

// DecodeReuse is [Codec.DecodeReuse].
func (c *AnyCodec) DecodeReuse(msg []byte, v any) error { return c.decode(msg, v, reuse) }

// DecodeAlias is [Codec.DecodeAlias].
func (c *AnyCodec) DecodeAlias(msg []byte, v any) error { return c.decode(msg, v, alias) }

func (c *AnyCodec) decode(msg []byte, v any, how mode) error {
	p, err := c.target("decode", v)
	if err != nil {
		return err
	}
	return c.core.decode(msg, p, how)
}

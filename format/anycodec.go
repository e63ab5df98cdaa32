package format

import (
	"io"
	"net"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/buffer"
)

// An AnyCodec is a [Codec] for a type that is known by reflection. Values are given as pointers of that
// type. It is what package compat is built on, a low-level need.
type AnyCodec struct {
	core *core
	_    [0]func() // not comparable
}

// AnyFor returns the codec for t, as [For] does.
func AnyFor(t reflect.Type, opts ...Option) (*AnyCodec, error) {
	c, err := coreOf(t, opts...)
	if err != nil {
		return nil, err
	}
	return &AnyCodec{core: c}, nil
}

// EvolvedAny returns the codec that reads messages of another schema into values of t, as [EvolvedFor]
// does.
func EvolvedAny(t reflect.Type, description []byte, limits SchemaLimits, opts ...Option) (*AnyCodec, error) {
	c, err := evolvedCore(t, description, limits, opts...)
	if err != nil {
		return nil, err
	}
	return &AnyCodec{core: c}, nil
}

// target returns what v points to, if that is a value of the codec's type.
func (c *AnyCodec) target(op string, v any) (ptr, error) {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.Type().Elem() != c.core.typ || r.IsNil() {
		return none, &Error{Op: op, Offset: -1, Err: failf(ErrType, "%T is no *%s, or is nil", v, c.core.typ)}
	}
	return ptrOfValue(r), nil
}

// Fingerprint is [Codec.Fingerprint].
func (c *AnyCodec) Fingerprint() uint64 { return c.core.fingerprint }

// Description is [Codec.Description].
func (c *AnyCodec) Description() []byte { return slices.Clone(c.core.description) }

// Expansion is [Codec.Expansion].
func (c *AnyCodec) Expansion() int { return c.core.mostExpansion() }

// Size is [Codec.Size].
func (c *AnyCodec) Size(v any) (int, error) {
	p, err := c.target("size", v)
	if err != nil {
		return 0, err
	}
	return c.core.size(p)
}

// Append is [Codec.Append].
func (c *AnyCodec) Append(dst []byte, v any) ([]byte, error) {
	p, err := c.target("encode", v)
	if err != nil {
		return dst, err
	}
	return c.core.append(dst, p)
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

// Encode is [Codec.Encode].
func (c *AnyCodec) Encode(b *buffer.Buffer, v any) error {
	p, err := c.target("encode", v)
	if err != nil {
		return err
	}
	return c.core.encode(b, p)
}

// Gather is [Codec.Gather].
func (c *AnyCodec) Gather(dst net.Buffers, b *buffer.Buffer, v any) (net.Buffers, error) {
	p, err := c.target("gather", v)
	if err != nil {
		return dst, err
	}
	pieces, _, err := c.core.gather(dst, b, p)
	return pieces, err
}

// WriteTo is [Codec.WriteTo].
func (c *AnyCodec) WriteTo(w io.Writer, v any) (int64, error) {
	p, err := c.target("encode", v)
	if err != nil {
		return 0, err
	}
	return c.core.writeTo(w, p)
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

// Verify is [Codec.Verify].
func (c *AnyCodec) Verify(msg []byte) error { return c.core.verify(msg) }

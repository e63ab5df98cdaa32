package format

import "reflect"

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

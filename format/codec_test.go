package format_test

import (
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// codec is a *format.Codec[T] whose T has been forgotten: values are *T in an any.
type codec interface {
	Type() reflect.Type
	Size(p any) (int, error)
	Append(dst []byte, p any) ([]byte, error)
	Encode(b *buffer.Buffer, p any) error
	Decode(msg []byte, p any) error
	DecodeReuse(msg []byte, p any) error
	DecodeAlias(msg []byte, p any) error
	Verify(msg []byte) error
	Fingerprint() uint64
	Description() []byte
	Expansion() int
}

type typedCodec[T any] struct{ *format.Codec[T] }

func (typedCodec[T]) Type() reflect.Type             { return reflect.TypeFor[T]() }
func (c typedCodec[T]) Size(p any) (int, error)      { return c.Codec.Size(p.(*T)) }
func (c typedCodec[T]) Decode(m []byte, p any) error { return c.Codec.Decode(m, p.(*T)) }
func (c typedCodec[T]) DecodeReuse(m []byte, p any) error {
	return c.Codec.DecodeReuse(m, p.(*T))
}
func (c typedCodec[T]) DecodeAlias(m []byte, p any) error {
	return c.Codec.DecodeAlias(m, p.(*T))
}
func (c typedCodec[T]) Append(dst []byte, p any) ([]byte, error) {
	return c.Codec.Append(dst, p.(*T))
}
func (c typedCodec[T]) Encode(b *buffer.Buffer, p any) error {
	return c.Codec.Encode(b, p.(*T))
}

func forget[T any](opts ...format.Option) (codec, error) {
	c, err := format.For[T](opts...)
	if err != nil {
		return nil, err
	}
	return typedCodec[T]{c}, nil
}

// row is a type and values of it.
type row struct {
	name   string
	typ    reflect.Type
	make   func() (codec, error)
	values []any // *T
}

// of makes a row of a type known to the compiler.
func of[T any](name string, values ...T) row {
	r := row{name: name, typ: reflect.TypeFor[T](), make: func() (codec, error) { return forget[T]() }}
	for i := range values {
		r.values = append(r.values, &values[i])
	}
	return r
}

// codec makes the row's codec.
func (r row) codec(t *testing.T) codec {
	t.Helper()
	c, err := r.make()
	if err != nil {
		t.Fatalf("For[%v]: %v", r.typ, err)
	}
	return c
}

// all lists the row's own values, the zero value and some random ones.
func (r row) all(random int) []any {
	out := append([]any{reflect.New(r.typ).Interface()}, r.values...)
	for seed := range uint64(random) {
		f := seeded(seed, 60+int(seed)*40)
		f.nils = seed % 4 * 2
		out = append(out, f.random(r.typ).Interface())
	}
	return out
}

package format_test

import (
	"io"
	"net"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// codec is a *format.AnyCodec, or a *format.Codec[T] whose T has been forgotten: values are *T in an any.
// Most are the former, since there are hundreds of types and each instance of Codec takes the compiler's
// time; TestAnyCodec shows that they do the same.
type codec struct {
	codecMethods
	typ  reflect.Type
	refs bool // it keeps track of shared references
}

// codecMethods are those that *format.AnyCodec and typed have.
type codecMethods interface {
	Fingerprint() uint64
	Description() []byte
	Expansion() int
	Size(p any) (int, error)
	Append(dst []byte, p any) ([]byte, error)
	AppendBoxes(dst []byte, boxes []uint64, p any) ([]byte, []uint64, error)
	Encode(b *buffer.Buffer, p any) error
	Gather(dst net.Buffers, b *buffer.Buffer, p any) (net.Buffers, error)
	WriteTo(w io.Writer, p any) (int64, error)
	Decode(msg []byte, p any) error
	DecodeReuse(msg []byte, p any) error
	DecodeAlias(msg []byte, p any) error
	Verify(msg []byte) error
}

func (c *codec) Type() reflect.Type { return c.typ }

func forget[T any](opts ...format.Option) (*codec, error) {
	return codecOf(reflect.TypeFor[T](), opts...)
}

func codecOf(t reflect.Type, opts ...format.Option) (*codec, error) {
	c, err := format.AnyFor(t, opts...)
	if err != nil {
		return nil, err
	}
	return &codec{codecMethods: c, typ: t}, nil
}

func wrap[T any](c *format.Codec[T]) *codec {
	return &codec{codecMethods: typed[T]{c}, typ: reflect.TypeFor[T]()}
}

// typed has the methods of a codec of T with *T in an any, which is taken for nil if it is something else.
type typed[T any] struct{ *format.Codec[T] }

func pointer[T any](p any) *T {
	v, _ := p.(*T)
	return v
}

func (c typed[T]) Size(p any) (int, error) { return c.Codec.Size(pointer[T](p)) }
func (c typed[T]) Append(dst []byte, p any) ([]byte, error) {
	return c.Codec.Append(dst, pointer[T](p))
}
func (c typed[T]) AppendBoxes(dst []byte, boxes []uint64, p any) ([]byte, []uint64, error) {
	return c.Codec.AppendBoxes(dst, boxes, pointer[T](p))
}
func (c typed[T]) Encode(b *buffer.Buffer, p any) error { return c.Codec.Encode(b, pointer[T](p)) }
func (c typed[T]) Gather(dst net.Buffers, b *buffer.Buffer, p any) (net.Buffers, error) {
	return c.Codec.Gather(dst, b, pointer[T](p))
}
func (c typed[T]) WriteTo(w io.Writer, p any) (int64, error) {
	return c.Codec.WriteTo(w, pointer[T](p))
}
func (c typed[T]) Decode(msg []byte, p any) error { return c.Codec.Decode(msg, pointer[T](p)) }
func (c typed[T]) DecodeReuse(msg []byte, p any) error {
	return c.Codec.DecodeReuse(msg, pointer[T](p))
}
func (c typed[T]) DecodeAlias(msg []byte, p any) error {
	return c.Codec.DecodeAlias(msg, pointer[T](p))
}

// row is a type and values of it.
type row struct {
	name   string
	typ    reflect.Type
	make   func(opts ...format.Option) (*codec, error)
	values []any // *T
	refs   bool  // shared references are kept track of
}

// of makes a row of a type known to the compiler.
func of[T any](name string, values ...T) row { return rowOf(name, reflect.TypeFor[T](), values) }

// rowOf makes a row of t and a slice of its values.
//
//go:noinline
func rowOf(name string, t reflect.Type, values any) row {
	r := row{name: name, typ: t, make: func(opts ...format.Option) (*codec, error) { return codecOf(t, opts...) }}
	for i := range reflect.ValueOf(values).Len() {
		r.values = append(r.values, reflect.ValueOf(values).Index(i).Addr().Interface())
	}
	return r
}

// ofGraph makes a row of a type whose values are graphs.
func ofGraph[T any](name string, values ...*T) row {
	r := of[T](name).tracked()
	for _, v := range values {
		r.values = append(r.values, v)
	}
	return r
}

func (c *codec) options() modelOptions { return modelOptions{modelMaxDepth, c.refs} }
func (r row) options() modelOptions    { return modelOptions{modelMaxDepth, r.refs} }

// encode gives the model's message of *p.
func (r row) encode(p any) []byte {
	msg, err := modelEncodeWith(reflect.ValueOf(p).Elem(), r.options())
	if err != nil {
		panic(err)
	}
	return msg
}

// readers are the decodes that the row's messages are for: Unmarshal does not keep
// track of shared references.
func (r row) readers() []decode {
	if r.refs {
		return decodes[:3]
	}
	return decodes
}

// difference compares two values as what they are, trees or graphs.
func (r row) difference(a, b any) string    { return differenceIn(r.refs, a, b) }
func (c *codec) difference(a, b any) string { return differenceIn(c.refs, a, b) }

func differenceIn(graph bool, a, b any) string {
	if graph {
		return graphDifference(a, b)
	}
	return difference(a, b)
}

// codec makes the row's codec.
func (r row) codec(t *testing.T) *codec {
	t.Helper()
	c, err := r.make()
	if err != nil {
		t.Fatalf("For[%v]: %v", r.typ, err)
	}
	c.refs = r.refs
	return c
}

// tracked is the row with shared references kept track of.
func (r row) tracked() row {
	plain := r.make
	r.refs = true
	r.make = func(more ...format.Option) (*codec, error) { return plain(append(more, format.WithRefs())...) }
	return r
}

// bothWays is every row of the tables, with and without WithRefs.
func bothWays() []row {
	rows := table()
	for _, r := range rows[:len(rows):len(rows)] {
		r.name += ", tracked"
		rows = append(rows, r.tracked())
	}
	return append(rows, graphRows()...)
}

// all lists the row's own values, the zero value and some random ones.
func (r row) all(random int) []any {
	out := append([]any{reflect.New(r.typ).Interface()}, r.values...)
	for seed := range uint64(random) {
		f := seeded(seed, 60+int(seed)*40)
		f.nils = seed % 4 * 2
		if r.refs {
			f.made = map[reflect.Type][]reflect.Value{}
		}
		out = append(out, f.random(r.typ).Interface())
	}
	return out
}

package format_test

import (
	"net"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// codec is a *format.Codec[T] whose T has been forgotten: values are *T in an any.
// One function does everything, since there are hundreds of types and each
// instance of a generic function takes the compiler's time.
type codec struct {
	typ         reflect.Type
	do          func(op codecOp, bytes []byte, b *buffer.Buffer, p any, x *net.Buffers) ([]byte, int, error)
	fingerprint uint64
	expansion   int
	description func() []byte
	refs        bool // it keeps track of shared references
}

type codecOp uint8

const (
	opSize codecOp = iota
	opAppend
	opEncode
	opDecode
	opDecodeReuse
	opDecodeAlias
	opVerify
	opGather
)

func forget[T any](opts ...format.Option) (*codec, error) {
	c, err := format.For[T](opts...)
	if err != nil {
		return nil, err
	}
	return wrap(c), nil
}

func wrap[T any](c *format.Codec[T]) *codec {
	return &codec{
		typ: reflect.TypeFor[T](), fingerprint: c.Fingerprint(), expansion: c.Expansion(), description: c.Description,
		do: func(op codecOp, bytes []byte, b *buffer.Buffer, p any, x *net.Buffers) (out []byte, n int, err error) {
			v, _ := p.(*T)
			switch op {
			case opSize:
				n, err = c.Size(v)
			case opAppend:
				out, err = c.Append(bytes, v)
			case opEncode:
				err = c.Encode(b, v)
			case opDecode:
				err = c.Decode(bytes, v)
			case opDecodeReuse:
				err = c.DecodeReuse(bytes, v)
			case opDecodeAlias:
				err = c.DecodeAlias(bytes, v)
			case opVerify:
				err = c.Verify(bytes)
			case opGather:
				*x, err = c.Gather(*x, b, v)
			}
			return out, n, err
		},
	}
}

func (c *codec) Type() reflect.Type  { return c.typ }
func (c *codec) Fingerprint() uint64 { return c.fingerprint }
func (c *codec) Expansion() int      { return c.expansion }
func (c *codec) Description() []byte { return c.description() }

func (c *codec) Size(p any) (int, error) {
	_, n, err := c.do(opSize, nil, nil, p, nil)
	return n, err
}

func (c *codec) Append(dst []byte, p any) ([]byte, error) {
	out, _, err := c.do(opAppend, dst, nil, p, nil)
	return out, err
}

func (c *codec) Encode(b *buffer.Buffer, p any) error {
	_, _, err := c.do(opEncode, nil, b, p, nil)
	return err
}

func (c *codec) read(op codecOp, msg []byte, p any) error {
	_, _, err := c.do(op, msg, nil, p, nil)
	return err
}

func (c *codec) Gather(dst net.Buffers, b *buffer.Buffer, p any) (net.Buffers, error) {
	_, _, err := c.do(opGather, nil, b, p, &dst)
	return dst, err
}

func (c *codec) Decode(msg []byte, p any) error      { return c.read(opDecode, msg, p) }
func (c *codec) DecodeReuse(msg []byte, p any) error { return c.read(opDecodeReuse, msg, p) }
func (c *codec) DecodeAlias(msg []byte, p any) error { return c.read(opDecodeAlias, msg, p) }
func (c *codec) Verify(msg []byte) error             { return c.read(opVerify, msg, nil) }

// row is a type and values of it.
type row struct {
	name   string
	typ    reflect.Type
	make   func(opts ...format.Option) (*codec, error)
	values []any // *T
	refs   bool  // shared references are kept track of
}

// of makes a row of a type known to the compiler.
func of[T any](name string, values ...T) row {
	r := row{name: name, typ: reflect.TypeFor[T](), make: forget[T]}
	for i := range values {
		r.values = append(r.values, &values[i])
	}
	return r
}

// ofGraph makes a row of a type whose values are graphs.
func ofGraph[T any](name string, values ...*T) row {
	r := row{name: name, typ: reflect.TypeFor[T](), refs: true, make: func(opts ...format.Option) (*codec, error) {
		return forget[T](append(opts, format.WithRefs())...)
	}}
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

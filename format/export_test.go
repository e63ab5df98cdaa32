package format

import "reflect"

// A Reflected is a Codec whose type is known by reflection alone; values are pointers in an any.
type Reflected struct{ core *core }

// ForType is For.
func ForType(t reflect.Type, opts ...Option) (*Reflected, error) {
	c, err := coreOf(t, opts...)
	return &Reflected{c}, err
}

// EvolvedForType is EvolvedFor.
func EvolvedForType(t reflect.Type, description []byte, limits SchemaLimits, opts ...Option) (*Reflected, error) {
	c, err := evolvedCore(t, description, limits, opts...)
	return &Reflected{c}, err
}

func (r *Reflected) read(msg []byte, p any, how mode) error {
	v := reflect.ValueOf(p)
	if v.Type().Elem() != r.core.typ {
		panic(v.Type().String() + " is no pointer to " + r.core.typ.String())
	}
	return r.core.decode(msg, ptrOfValue(v), how)
}

func (r *Reflected) Decode(msg []byte, p any) error      { return r.read(msg, p, fresh) }
func (r *Reflected) DecodeReuse(msg []byte, p any) error { return r.read(msg, p, reuse) }
func (r *Reflected) DecodeAlias(msg []byte, p any) error { return r.read(msg, p, alias) }

func (r *Reflected) Verify(msg []byte) error {
	graph, err := r.core.check("verify", msg)
	if err != nil {
		return err
	}
	return r.core.verify(msg, graph)
}

package format

import "reflect"

// Marshal returns the message of v. A pointer is followed once: the message's type is T whether v is a
// T or a *T. Programs that write many values of one type use a [Codec].
func Marshal(v any) ([]byte, error) {
	r := reflect.ValueOf(v)
	if !r.IsValid() || r.Kind() == reflect.Pointer && r.IsNil() {
		return nil, &Error{Op: "encode", Offset: -1, Err: failf(ErrType, "nil value")}
	}
	if r.Kind() != reflect.Pointer {
		p := reflect.New(r.Type())
		p.Elem().Set(r)
		r = p
	}
	c, err := coreOf(r.Type().Elem())
	if err != nil {
		return nil, err
	}
	return c.append(nil, ptrOfValue(r))
}

// Unmarshal reads msg into what v, a pointer that is not nil, points to, as [Codec.Decode] does.
func Unmarshal(msg []byte, v any) error {
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Pointer || r.IsNil() {
		return &Error{Op: "decode", Offset: -1, Err: failf(ErrType, "target %T is not a pointer or is nil", v)}
	}
	c, err := coreOf(r.Type().Elem())
	if err != nil {
		return err
	}
	return c.decode(msg, ptrOfValue(r), fresh)
}

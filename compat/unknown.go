package compat

import (
	"reflect"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// unknownField is which field of the struct t, behind pointers if need be, keeps what it does not know
// (format.Unknown), or -1.
func unknownField(t reflect.Type) int {
	for n := 0; t.Kind() == reflect.Pointer && n < 100; n++ {
		t = t.Elem()
	}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			if f := t.Field(i); f.Type == reflect.TypeFor[format.Unknown]() && f.Tag.Get("ashlar") != "-" {
				return i
			}
		}
	}
	return -1
}

// unknownAt is what the i-th field of v keeps, a pointer to a struct or to pointers to one; empty if i is negative.
func unknownAt(v reflect.Value, i int) format.Unknown {
	for i >= 0 && v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if i < 0 || !v.IsValid() {
		return format.Unknown{}
	}
	return *v.Field(i).Addr().Interface().(*format.Unknown)
}

// Append appends the message of v to dst and returns the extended slice, as [format.Codec.Append] does. If v's root
// is a struct with a [format.Unknown] that is not empty, v is written under the schema that it was read of, with the
// fields that T does not have; fields that the writer of that schema does not have are left out. Else the schema is
// T's own.
//
// The errors are those of the codec. It is ErrSchema if something would be lost: a struct of the schema has fields
// that T has not and does not keep, or a part of v is from a message of another schema.
func (r *Reader[T]) Append(dst []byte, v *T) ([]byte, error) {
	c, err := r.writes(v)
	if err != nil {
		return dst, err
	}
	return c.Append(dst, v)
}

// Encode writes the message that [Reader.Append] does into b, at the next multiple of 8, as [format.Codec.Encode].
func (r *Reader[T]) Encode(b *buffer.Buffer, v *T) error {
	c, err := r.writes(v)
	if err != nil {
		return err
	}
	return c.Encode(b, v)
}

// writes returns the codec that v is written by.
func (r *Reader[T]) writes(v *T) (*format.Codec[T], error) {
	if r.unknown < 0 || v == nil {
		return r.versions.own, nil
	}
	u := unknownAt(reflect.ValueOf(v), r.unknown)
	if u.Empty() {
		return r.versions.own, nil
	}
	return r.versions.under(u)
}

// under returns the codec for messages of the schema that u is for.
func (s *versions[C]) under(u format.Unknown) (C, error) {
	fingerprint := u.Fingerprint()
	if v := s.last.Load(); v.fingerprint == fingerprint && fingerprint != s.fingerprint {
		return v.codec, nil
	}
	s.mu.RLock()
	v := s.known[fingerprint]
	s.mu.RUnlock()
	if v == nil {
		v = s.make(fingerprint, u.Description())
	}
	return v.codec, v.err
}

package compat

import (
	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

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
	if u := r.versions.own.Unknown(v); !u.Empty() {
		return r.versions.under(u)
	}
	return r.versions.own, nil
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

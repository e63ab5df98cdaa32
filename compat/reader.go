package compat

import (
	"encoding/binary"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/format"
)

// A Reader reads messages, of whatever version of T their writer had, where they lie: in a slice, in a mapped
// file, in memory that processes share. Messages of T's own schema are read as by T's codec. For those of
// another the registry must have the description; fields are matched as [format.EvolvedFor] says.
//
// It also writes on what it has read, see [Reader.Append].
//
// A Reader is safe for concurrent use. It keeps the codecs of up to 256 schemas.
type Reader[T any] struct {
	versions versions[*format.Codec[T]]
	_        [0]func() // not comparable
}

// For returns a Reader of T that looks up the descriptions of other schemas in r, where they may be added later
// as well. [WithTypes], [WithRefs], [WithShared], [WithMaxMessage], [WithStrictNil] and [WithMaxExpansion] are for it. The errors are those of
// [format.For].
func For[T any](r *Registry, opts ...Option) (*Reader[T], error) {
	if r == nil {
		return nil, fault("codec", format.ErrType, "no registry")
	}
	o, codec := optionsOf(opts)
	codec = append(codec, format.WithBoxes(r), format.WithMaxMessage(o.limit))
	own, err := format.For[T](codec...)
	if err != nil {
		return nil, err
	}
	evolve := func(description []byte) (*format.Codec[T], error) {
		return format.EvolvedFor[T](description, r.limits.SchemaLimits, codec...)
	}
	reader := &Reader[T]{}
	reader.versions.init(r, reflect.TypeFor[T](), own, own.Fingerprint(), evolve)
	return reader, nil
}

// Decode reads msg, which must be one whole message, into v, as [format.Codec.Decode] does: v owns what it
// refers to afterwards. Fields that the writer does not have are as [format.EvolvedFor] says: those of the
// root keep what v has.
//
// The errors are those of the codec; ErrSchema also says that no description of the message's fingerprint is
// known, or that what it describes cannot become T, and ErrLimit that a number does not fit.
func (r *Reader[T]) Decode(msg []byte, v *T) error {
	c, ok := r.versions.recent(msg)
	if !ok {
		var err error
		if c, err = r.versions.codec(msg); err != nil {
			return err
		}
	}
	return c.Decode(msg, v)
}

// DecodeReuse is [Reader.Decode] into the memory that v holds, as [format.Codec.DecodeReuse].
func (r *Reader[T]) DecodeReuse(msg []byte, v *T) error {
	c, ok := r.versions.recent(msg)
	if !ok {
		var err error
		if c, err = r.versions.codec(msg); err != nil {
			return err
		}
	}
	return c.DecodeReuse(msg, v)
}

// DecodeAlias is [Reader.Decode] without copying, as [format.Codec.DecodeAlias]: what has the same form in msg
// and in T points into msg, and is good, and must only be read, as long as msg's memory is there and unchanged.
// What must be converted is copied.
func (r *Reader[T]) DecodeAlias(msg []byte, v *T) error {
	c, ok := r.versions.recent(msg)
	if !ok {
		var err error
		if c, err = r.versions.codec(msg); err != nil {
			return err
		}
	}
	return c.DecodeAlias(msg, v)
}

// versions are the codecs, of type C, that read messages of all schemas into one type.
type versions[C any] struct {
	own         C      // for the type's own schema
	fingerprint uint64 // of that

	registry *Registry
	typ      reflect.Type
	evolve   func(description []byte) (C, error)
	last     atomic.Pointer[version[C]] // the other one that was used last, or own
	mu       sync.RWMutex
	known    map[uint64]*version[C] // by fingerprint: those whose description is known
}

// mostVersions is how many are kept for a type: more than a type has in its life, unless somebody makes them up.
const mostVersions = 256

// A version is what reads messages of a schema, or why nothing does.
type version[C any] struct {
	fingerprint uint64
	codec       C
	err         error
}

func (s *versions[C]) init(r *Registry, t reflect.Type, own C, fingerprint uint64, evolve func([]byte) (C, error)) {
	s.own, s.fingerprint = own, fingerprint
	s.registry, s.typ, s.evolve = r, t, evolve
	s.known = map[uint64]*version[C]{}
	s.last.Store(&version[C]{fingerprint: fingerprint, codec: own})
}

// recent returns the codec that reads msg if that is the type's own, or the other one that was used last.
// It must inline.
func (s *versions[C]) recent(msg []byte) (c C, ok bool) {
	if len(msg) < 16 {
		return c, false
	}
	f := binary.LittleEndian.Uint64(msg[8:])
	if f == s.fingerprint {
		return s.own, true
	}
	v := s.last.Load()
	return v.codec, v.fingerprint == f
}

// codec returns the codec that reads msg.
func (s *versions[C]) codec(msg []byte) (C, error) {
	fingerprint, err := format.Peek(msg)
	if err != nil || fingerprint == s.fingerprint {
		return s.own, err
	}
	s.mu.RLock()
	v := s.known[fingerprint]
	s.mu.RUnlock()
	if v == nil {
		if v, err = s.learn(fingerprint, msg); err != nil {
			return s.own, err
		}
	}
	if v.err == nil {
		s.last.Store(v)
	}
	return v.codec, v.err
}

// learn makes the codec for messages with a fingerprint. What is not known today may be so tomorrow, and
// is not kept; a description that is known never changes, and what it comes to neither.
func (s *versions[C]) learn(fingerprint uint64, msg []byte) (*version[C], error) {
	if format.IsDescription(msg) {
		return nil, fault("decode", format.ErrSchema, "the message is a description, which is for the registry")
	}
	schema, ok := s.registry.Schema(fingerprint)
	if !ok {
		return nil, fault("decode", format.ErrSchema, "no description of messages with fingerprint %016x is known (%s has %016x)", fingerprint, s.typ, s.fingerprint)
	}
	return s.make(fingerprint, schema.Description()), nil
}

// make makes the codec for a schema, or the error why there is none, and keeps it.
func (s *versions[C]) make(fingerprint uint64, description []byte) *version[C] {
	v := &version[C]{fingerprint: fingerprint}
	v.codec, v.err = s.evolve(description) // others read meanwhile, or make the same
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= mostVersions {
		for f := range s.known { // any of them; it is made again when it is needed
			delete(s.known, f)
			break
		}
	}
	s.known[fingerprint] = v
	return v
}

package format

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"reflect"
	"sync"
)

// A Schema is the structure of a type, which Go need not know: a description that has been checked (SPEC §6).
// It does not change, and keeps hardly more memory than the description has bytes.
type Schema struct {
	name        string
	description string
	fingerprint uint64
}

func newSchema(description []byte) *Schema {
	return &Schema{description: string(description), fingerprint: fingerprint(description)}
}

// ParseSchema reads a description that may come from anybody. The error is an [*Error] of ErrLimit,
// ErrCorrupt or ErrTruncated whose offset is that of the node or number in the description. SPEC §6.4.
func ParseSchema(description []byte, limits SchemaLimits) (*Schema, error) {
	p := parser{limits: limits}
	if err := p.read(description); err != nil {
		return nil, err
	}
	return newSchema([]byte(p.text)), nil
}

// SchemaOf returns the schema of a Go type. The errors are those of [For].
func SchemaOf(t reflect.Type) (*Schema, error) {
	c, err := coreOf(t)
	if err != nil {
		return nil, err
	}
	return &Schema{description: string(c.description), fingerprint: c.fingerprint}, nil
}

// Description returns a copy of the description (SPEC §6.1).
func (s *Schema) Description() []byte { return []byte(s.description) }

// Fingerprint returns the first 8 bytes of the description's SHA-256 (SPEC §6.3).
func (s *Schema) Fingerprint() uint64 { return s.fingerprint }

// Named returns s as the schema of a type that is registered under a name, for values in interfaces. The
// empty name is that of a schema that is not.
func (s *Schema) Named(name string) *Schema {
	named := *s
	named.name = name
	return &named
}

// Name returns the name under which the type is registered, if s is the schema of a registered type.
func (s *Schema) Name() string { return s.name }

// BoxID returns the box id of the type that is registered under s's name (SPEC §3.8).
func (s *Schema) BoxID() uint64 {
	sum := sha256.Sum256([]byte(s.name + "\x00" + s.description))
	return binary.LittleEndian.Uint64(sum[:])
}

// Equal reports whether s and other have one description and one name.
func (s *Schema) Equal(other *Schema) bool {
	return s.description == other.description && s.name == other.name
}

// Nodes returns the nodes of the description, of which the first is the root. They are made anew at each
// call. It is low-level: most programs want [Schema.String].
func (s *Schema) Nodes() []SchemaNode {
	p := parser{text: s.description, limits: SchemaLimits{Bytes: math.MaxInt, Fields: math.MaxInt}}
	p.parse()
	return p.nodes
}

// A namedDescription is the root of a description message of a registered type (SPEC §6.5).
type namedDescription struct {
	Name        string
	Description []byte
}

// descriptionRoom is how many bytes a description message has at most beside the name and the description.
const descriptionRoom = 128

var (
	plainDescriptions = sync.OnceValue(func() *Codec[[]byte] { return MustFor[[]byte]() })
	namedDescriptions = sync.OnceValue(func() *Codec[namedDescription] { return MustFor[namedDescription]() })
)

// AppendDescription appends the description message of s to dst and returns the extended slice (SPEC §6.5).
// The message begins at len(dst) exactly.
func AppendDescription(dst []byte, s *Schema) []byte {
	at, d := len(dst), s.Description()
	var err error
	if s.name == "" {
		dst, err = plainDescriptions().Append(dst, &d)
	} else {
		dst, err = namedDescriptions().Append(dst, &namedDescription{s.name, d})
	}
	if err != nil {
		panic(err) // what is in memory is written: there is nothing else that can go wrong
	}
	dst[at+3] |= flagDescription
	return dst
}

// IsDescription reports whether msg begins with the header of a description message. Only the header is
// looked at.
func IsDescription(msg []byte) bool {
	_, flags, err := parseHeader(firstWord(msg), len(msg))
	return err == nil && flags&flagDescription != 0
}

// ReadDescription reads a description message, which may come from anybody (SPEC §6.5). The schema has a name
// if the message is one of a registered type. limits.Bytes bounds the name and the description together.
//
// The error is an [*Error]: ErrSchema if msg is another message, else what [ParseSchema] and a decode give.
func ReadDescription(msg []byte, limits SchemaLimits) (*Schema, error) {
	refuse := func(err error) (*Schema, error) { return nil, &Error{Op: "description", Offset: 0, Err: err} }
	_, flags, err := parseHeader(firstWord(msg), len(msg))
	most := uint64(limits.withDefaults().Bytes) + descriptionRoom
	switch {
	case err != nil:
		return refuse(err)
	case flags&flagDescription == 0:
		return refuse(failf(ErrSchema, "the message is no description"))
	case flags != flagDescription:
		return refuse(failf(ErrCorrupt, "flags %#02x, a description has %#02x", flags, flagDescription))
	case uint64(len(msg)) > most:
		return refuse(failf(ErrLimit, "a description message of %d bytes, at most Bytes + %d: %d", len(msg), descriptionRoom, most))
	}
	own := newBytes(up8(uint64(len(msg))))[:len(msg)]
	copy(own, msg) // it may be in memory that others write to
	own[3] &^= flagDescription
	var d namedDescription
	if fingerprint, _ := Peek(own); fingerprint == plainDescriptions().Fingerprint() {
		err = plainDescriptions().DecodeAlias(own, &d.Description)
	} else if err = namedDescriptions().DecodeAlias(own, &d); err == nil && d.Name == "" {
		return refuse(failf(ErrCorrupt, "the description of a registered type without a name"))
	}
	if err != nil {
		return nil, err
	}
	s, err := ParseSchema(d.Description, limits)
	if err != nil {
		return nil, err
	}
	s.name = string([]byte(d.Name)) // not in own, which may be larger
	return s, nil
}

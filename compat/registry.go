package compat

import (
	"fmt"
	"iter"
	"sync"

	"github.com/ashlar-go/ashlar/format"
)

// Limits bound what a [Registry] takes. A value of 0 or less is the default in brackets.
type Limits struct {
	format.SchemaLimits
	Descriptions int // that are kept [2,000]
}

const defaultDescriptions = 2000

// A Registry keeps the descriptions that one side knows. It is safe for concurrent use. It takes memory for
// the descriptions' bytes, hardly more.
type Registry struct {
	limits Limits

	mu    sync.RWMutex
	roots map[uint64]*format.Schema // by fingerprint
	boxes map[uint64]*format.Schema // by box id
}

// NewRegistry returns an empty registry.
func NewRegistry(limits Limits) *Registry {
	if limits.Descriptions <= 0 {
		limits.Descriptions = defaultDescriptions
	}
	return &Registry{limits: limits, roots: map[uint64]*format.Schema{}, boxes: map[uint64]*format.Schema{}}
}

// Add adds the description of a type of messages. One that is there already changes nothing.
//
// The error is a [*format.Error], and nothing is kept: of ErrLimit if the description, or the number of them,
// breaks a limit, of ErrSchema if another description has the same fingerprint, of ErrCorrupt or ErrTruncated
// if it is none.
func (r *Registry) Add(description []byte) error {
	s, err := format.ParseSchema(description, r.limits.SchemaLimits)
	if err != nil {
		return err
	}
	return r.put(s)
}

// AddMessage adds what a description message describes: a type of messages, or one that is registered for
// values in interfaces (SPEC §6.5). The errors are those of Add and of [format.ReadDescription].
func (r *Registry) AddMessage(msg []byte) error {
	s, err := format.ReadDescription(msg, r.limits.SchemaLimits)
	if err != nil {
		return err
	}
	return r.put(s)
}

// admit adds what msg describes, if it is a description message, and reports whether it is one.
func (r *Registry) admit(msg []byte) (described bool, err error) {
	if !format.IsDescription(msg) {
		return false, nil
	}
	return true, r.AddMessage(msg)
}

// Messages goes through the messages that stand one behind another in b, a slice or a mapped file, as
// [format.Messages] does. It adds the descriptions among them and yields the others, each a part of b, for a
// [Reader] to read.
//
// What ends the run is yielded as an error, and it is the last. A description that the registry refuses is
// yielded as an error too, of which the offset is that of the message in b, and the run goes on.
func (r *Registry) Messages(b []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		at := int64(0)
		for msg, err := range format.Messages(b) {
			here, described := at, false
			at += int64(len(msg))
			if err == nil {
				if described, err = r.admit(msg); err != nil {
					msg, err = nil, &format.Error{Op: "description", Offset: here, Err: err}
				}
			}
			if (err != nil || !described) && !yield(msg, err) {
				return
			}
		}
	}
}

// Schema returns the schema of messages with a fingerprint, and whether it is known.
func (r *Registry) Schema(fingerprint uint64) (*format.Schema, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s, ok := r.roots[fingerprint]
	return s, ok
}

// Box returns the schema, with its name, of values in boxes with an id (SPEC §3.8), and whether it is known.
func (r *Registry) Box(id uint64) (*format.Schema, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	s, ok := r.boxes[id]
	return s, ok
}

func (r *Registry) put(s *format.Schema) error {
	refuse := func(kind error, text string, args ...any) error {
		return &format.Error{Op: "registry", Offset: -1, Err: fmt.Errorf("%w: "+text, append([]any{kind}, args...)...)}
	}
	known, id, what := r.roots, s.Fingerprint(), "fingerprint"
	if s.Name() != "" {
		known, id, what = r.boxes, s.BoxID(), "box id"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	old, ok := known[id]
	switch have := len(r.roots) + len(r.boxes); {
	case ok && old.Equal(s):
		return nil
	case ok:
		return refuse(format.ErrSchema, "the %s %016x is that of another description that is known", what, id)
	case have >= r.limits.Descriptions:
		return refuse(format.ErrLimit, "%d descriptions are known, at most Descriptions %d", have, r.limits.Descriptions)
	}
	known[id] = s
	return nil
}

// Describe returns the description of T. The errors are those of [format.For].
func Describe[T any]() ([]byte, error) {
	c, err := format.For[T]()
	if err != nil {
		return nil, err
	}
	return c.Description(), nil
}

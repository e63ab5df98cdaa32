package shm

import (
	"slices"

	"github.com/ashlar-go/ashlar/format"
)

// Limits of the descriptions that go through a channel (SPEC.md §4.3). The writer keeps to them as well, so
// that it meets them first.
const (
	mostDescription = 64 << 10 // bytes, as by default in format.SchemaLimits
	mostBoxes       = 1000     // types of values in interfaces
)

// boxes are the types that a writer puts into interfaces, and what the reader was told of them.
type boxes struct {
	types *format.Types   // nil: those that format.Register knows
	told  map[uint64]bool // box ids that were described, or need not be
	ids   []uint64        // of the message that was encoded last
}

func newBoxes(types *format.Types) *boxes { return &boxes{types: types, told: map[uint64]bool{}} }

// fromTheStart are the types that every reader knows (format's SPEC §3.8).
var fromTheStart = format.NewTypes()

// next returns the next of a message's box ids that the reader is to be told of, and the description
// message that does so, which fits a slot; nil if it knows all. It was told of so many before.
func (b *boxes) next(ids []uint64, slotSize int, before uint64) (id uint64, description []byte, err error) {
	for _, id := range ids {
		if b.told[id] {
			continue
		}
		if _, ok := fromTheStart.Schema(id); ok {
			b.told[id] = true
			continue
		}
		schema, ok := b.types.Schema(id)
		if !ok { // types are added and stay
			return 0, nil, fault("send", format.ErrType, "box id %016x is not registered any more", id)
		}
		msg := format.AppendDescription(nil, schema)
		if _, err := format.ReadDescription(msg, format.SchemaLimits{}); err != nil {
			return 0, nil, err
		}
		switch {
		case len(msg) > slotSize:
			return 0, nil, tooLarge("description of "+schema.Name(), len(msg), slotSize)
		case before == mostBoxes:
			return 0, nil, fault("send", format.ErrLimit, "a description of %s after %d others, at most %d", schema.Name(), before, mostBoxes)
		}
		return id, msg, nil
	}
	return 0, nil, nil
}

// holdsInterfaces reports whether values of a schema hold any.
func holdsInterfaces(s *format.Schema) bool {
	return slices.ContainsFunc(s.Nodes(), func(n format.SchemaNode) bool { return n.Kind == format.KindInterface })
}

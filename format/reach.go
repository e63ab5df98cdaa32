package format

import "reflect"

// A reach is what a read may still reach of a message.
type reach struct {
	m      []byte // the message, its header checked
	budget uint64 // bytes of objects, SPEC §3.4
	depth  int    // refs on one path that may still be followed
	codec  *core
	refs   *reached   // in a message with the graph flag
	types  *typeTable // for boxes
	keys   keys       // once there are any to be looked at
}

// start sets what may be reached of the message m from a block of p, which is there.
func (d *reach) start(c *core, m []byte, p *plan) {
	d.m, d.depth, d.codec = m, c.maxDepth, c
	d.budget = uint64(len(m)) - headerSize - p.wsize
	d.budget -= min(d.budget, -p.wsize&7) // a part may stand at the end of the message
	if c.boxes {
		d.types = c.types.load()
	}
}

// startRefs is for a message with the graph flag, read from the block of p at an offset on; root is the target,
// where there is one. A part that is not the root is not among what was reached.
func (d *reach) startRefs(c *core, p *plan, at uint64, root ptr) {
	d.refs = reachedPool.Get().(*reached)
	if at == headerSize && p == c.plan && p.wsize > 0 {
		d.refs.meet(seen{to: headerSize, id: c.plan.id, count: 1, p: root})
	}
}

// object checks the ref r, which stands at w, to count blocks of size bytes, and takes the object's
// bytes from the budget. It returns the object's offset. It must inline.
func (d *reach) object(w, r, size uint64) (to uint64, ok bool) {
	to = w + uint64(int64(int32(r))<<3)
	n := r >> 32 * size
	room, left := uint64(len(d.m))-headerSize, d.budget-up8(n)
	ok = to-headerSize < room && n-1 < room+headerSize-to && left <= d.budget
	d.budget = left
	return to, ok
}

// badRef says what is wrong with a ref that object has refused.
func badRef(m []byte, w, r, size uint64) error {
	to, n := int64(w)+int64(int32(r))<<3, r>>32
	switch {
	case n == 0:
		return failf(ErrCorrupt, "ref %#x has count 0", r)
	case to < headerSize || to >= int64(len(m)):
		return failf(ErrCorrupt, "ref to byte %d, want %d to %d", to, headerSize, len(m)-1)
	case n*size > uint64(len(m))-uint64(to):
		return failf(ErrCorrupt, "%d blocks of %d bytes at byte %d end outside the message of %d bytes", n, size, to, len(m))
	}
	return errOverlap
}

var (
	errOverlap = failf(ErrCorrupt, "objects overlap: those reached so far have more bytes than the message")
	errAnew    = failf(ErrLimit, "shared objects that are read anew each time have more than MaxExpansion bytes for each byte of the message")
)

func badEmpty(k kind) error {
	return failf(ErrCorrupt, "ref 1 (empty and not nil) in a %s", map[kind]string{kindString: "string", kindPointer: "pointer", kindInterface: "interface"}[k])
}

func badZeroSize(r uint64) error {
	return failf(ErrCorrupt, "ref %#x to a value of no bytes: want distance 1, and count 1 for a pointer", r)
}

func badCount(r uint64) error {
	return failf(ErrCorrupt, "ref %#x in a pointer has count %d, want 1", r, r>>32)
}

func tooDeep(most int) error {
	return failf(ErrLimit, "%d refs on one path, at most MaxDepth %d", most+1, most)
}

func badBoolAt(m []byte, at uint64) error {
	return failf(ErrCorrupt, "a bool is %d, want 0 or 1", m[at])
}

// narrowInt reports whether v fits the int or uint type t.
func narrowInt(v uint64, t reflect.Type) bool {
	if t.Kind() == reflect.Int {
		return !t.OverflowInt(int64(v))
	}
	return !t.OverflowUint(v)
}

func wideInt(v uint64, t reflect.Type) error {
	if t.Kind() == reflect.Int {
		return failf(ErrLimit, "%d does not fit an int of %d bits", int64(v), t.Bits())
	}
	return failf(ErrLimit, "%d does not fit a uint of %d bits", v, t.Bits())
}

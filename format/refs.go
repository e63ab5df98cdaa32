package format

import (
	"reflect"
	"sync"
)

// A refTable remembers the objects of a walk that may be met again (SPEC §3.4): in Go memory by their
// address and type, in a message by their offset.
type refTable struct {
	slots []refSlot
	turn  uint32 // slots of other turns are free
	used  int
	seen  []seen // of a read: what the numbers in slots mean
}

type refSlot struct {
	key, id uintptr
	at      uint64
	turn    uint32
}

// seen is an object that a read has reached.
type seen struct {
	id    uintptr // of its Go type
	count uint64
	p     ptr           // the pointee
	v     reflect.Value // the map
}

var refTables = sync.Pool{New: func() any { return &refTable{slots: make([]refSlot, 64), turn: 1} }}

func takeRefs() *refTable { return refTables.Get().(*refTable) }

// mostSlots is how many are kept for the next walk.
const mostSlots = 1 << 16

func (t *refTable) give() {
	clear(t.seen)
	t.seen, t.used = t.seen[:0], 0
	if t.turn++; t.turn == 0 {
		clear(t.slots)
		t.turn = 1
	}
	if len(t.slots) <= mostSlots {
		refTables.Put(t)
	}
}

// slot returns the slot of a key, or the free one where it goes.
func (t *refTable) slot(key, id uintptr) *refSlot {
	mask := uint64(len(t.slots) - 1)
	h := (uint64(key)>>3 + uint64(id)) * 0x9E3779B97F4A7C15
	for i := h >> 32; ; i++ {
		s := &t.slots[i&mask]
		if s.turn != t.turn || s.key == key && s.id == id {
			return s
		}
	}
}

// visit returns what is remembered of a key; if nothing is, it remembers at.
func (t *refTable) visit(key, id uintptr, at uint64) (was uint64, known bool) {
	s := t.slot(key, id)
	if s.turn == t.turn {
		return s.at, true
	}
	*s = refSlot{key, id, at, t.turn}
	if t.used++; 2*t.used > len(t.slots) {
		t.grow()
	}
	return at, false
}

func (t *refTable) grow() {
	old := t.slots
	t.slots = make([]refSlot, 4*len(old))
	for i := range old {
		if s := &old[i]; s.turn == t.turn {
			*t.slot(s.key, s.id) = *s
		}
	}
}

// meet remembers the object at an offset, which is not known.
func (t *refTable) meet(at uint64, s seen) {
	t.visit(uintptr(at), 0, uint64(len(t.seen)))
	t.seen = append(t.seen, s)
}

// known returns the object that the ref r at w means, if it was reached before.
func (d *reach) known(w, r uint64, id uintptr) (*seen, error) {
	t, to := d.refs, w+uint64(int64(int32(r))<<3)
	if to >= uint64(len(d.m)) {
		return nil, nil // and may not fit a uintptr
	}
	slot := t.slot(uintptr(to), 0)
	if slot.turn != t.turn {
		return nil, nil
	}
	s := &t.seen[slot.at]
	if s.id != id || s.count != r>>32 {
		return nil, failf(ErrCorrupt, "ref %#x to an object that was reached as another type or count", r)
	}
	return s, nil
}

// shared stores a ref at w to the object of n elements at an address, if it was written before.
func (e *encoder) shared(w uint64, address, id uintptr, n uint64) bool {
	slot := e.refs.slot(address, id)
	if slot.turn != e.refs.turn {
		return false
	}
	e.flags |= flagGraph
	store64(e.m, w, uint64(uint32(int64(slot.at-w-e.delta)>>3))|n<<32)
	return true
}

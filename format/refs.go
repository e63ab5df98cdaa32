package format

import (
	"math/rand/v2"
	"reflect"
	"sync"
)

// A refTable remembers the objects of Go memory that a walk may meet again (SPEC §3.4), by their address
// and type.
type refTable struct {
	slots []refSlot
	turn  uint32 // slots of other turns are free
	used  int
}

type refSlot struct {
	key, id uintptr
	at      uint64
	turn    uint32
}

// hashFactor is odd, and not known to who chooses what is hashed.
var hashFactor = rand.Uint64() | 1

var refTables = sync.Pool{New: func() any { return &refTable{slots: make([]refSlot, 64), turn: 1} }}

func takeRefs() *refTable { return refTables.Get().(*refTable) }

// mostSlots is how many are kept for the next walk.
const mostSlots = 1 << 16

func (t *refTable) give() {
	t.used = 0
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
	h := (uint64(key)>>3 + uint64(id)) * hashFactor
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

// reached remembers the objects that a read of a message has reached, by their offsets.
type reached struct {
	table []uint32              // 1 + the number of an object, or 0: a hash table
	list  []*[reachedPiece]seen // the objects, which are not moved when there are more
	n     int
	types bool // an object is one for each Go type that it is read into
}

// seen is an object that was reached.
type seen struct {
	to    uint64  // its offset
	id    uintptr // of its Go type
	count uint64
	p     ptr           // the pointee
	v     reflect.Value // the map
}

// reachedBytes is how much memory a ref to an object and the object, two words at least, may take here for
// each byte of them.
const reachedBytes = 5 + 3*withoutUnsafe

const (
	firstReached = 64
	reachedPiece = 128
)

var reachedPool = sync.Pool{New: func() any { return &reached{table: make([]uint32, firstReached)} }}

func (t *reached) give() {
	clear(t.table)
	for i := 0; i < t.n; i += reachedPiece {
		clear(t.list[i/reachedPiece][:min(t.n-i, reachedPiece)])
	}
	t.table, t.n, t.types = t.table[:firstReached], 0, false
	reachedPool.Put(t)
}

func (t *reached) at(i uint32) *seen { return &t.list[i/reachedPiece][i%reachedPiece] }

// place returns where in the table the object at to, of the Go type id, is or goes.
func (t *reached) place(to uint64, id uintptr) *uint32 {
	mask := uint64(len(t.table) - 1)
	for i := to >> 3 * hashFactor >> 32; ; i++ {
		at := &t.table[i&mask]
		if *at == 0 {
			return at
		}
		if s := t.at(*at - 1); s.to == to && (s.id == id || !t.types) {
			return at
		}
	}
}

// meet remembers an object that is not known.
func (t *reached) meet(s seen) {
	if t.n == len(t.list)*reachedPiece {
		t.list = append(t.list, new([reachedPiece]seen))
	}
	*t.at(uint32(t.n)) = s
	t.n++
	if 4*t.n <= 3*len(t.table) {
		*t.place(s.to, s.id) = uint32(t.n)
		return
	}
	if size := 2 * len(t.table); cap(t.table) >= size {
		clear(t.table)
		t.table = t.table[:size]
	} else {
		t.table = make([]uint32, size)
	}
	for i := range uint32(t.n) {
		*t.place(t.at(i).to, t.at(i).id) = i + 1
	}
}

// known returns the object that the ref r at w means, if it was reached before.
func (d *reach) known(w, r uint64, id uintptr) (*seen, error) {
	t := d.refs
	at := *t.place(w+uint64(int64(int32(r))<<3), id)
	if at == 0 {
		return nil, nil
	}
	s := t.at(at - 1)
	if s.id != id || s.count != r>>32 {
		return nil, failf(ErrCorrupt, "ref %#x to an object that was reached as another type or count", r)
	}
	return s, nil
}

// shared stores a ref at w to the object of n elements and size bytes at an address, if it was written
// before. If not, it remembers that it is the next one.
func (e *encoder) shared(w uint64, address, id uintptr, n, size uint64) bool {
	at := e.end + e.skip
	if size >= largeObject {
		at = upLarge(at)
	}
	at, known := e.refs.visit(address, id, at)
	if known {
		e.flags |= flagGraph
		store64(e.m, w, distance(w+e.delta, at, n))
	}
	return known
}

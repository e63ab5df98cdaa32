package shm

import (
	"fmt"
	"math"
	"sync/atomic"
	"unsafe"
)

// The layout of the two pieces of memory (SPEC.md §1). A word that the peer writes is loaded once, checked
// against the geometry that was agreed on at first, and not read again (§4.2).
const (
	tailAt       = 64
	closedAt     = 128
	readerBellAt = 192 // the doorbell and, behind it, whether its owner sleeps
	writerBellAt = 256
	ringAt       = 4096

	page         = 4096
	wordSize     = 8
	headerWords  = 2  // the least that a message has
	wordsShift   = 32 // in an entry of the submission ring
	smallestSlot = 64
	maxSlotSize  = 1 << 34
	maxSlots     = 1 << 16
	maxPayload   = 1 << 40
	defaultSlots = 16
	defaultSlot  = 1 << 20
)

// A geometry is what both sides must agree on.
type geometry struct {
	slots    uint64 // a power of two
	slotSize uint64 // bytes that a message may have, a multiple of 8
}

// geometryOf turns Options into a geometry.
func geometryOf(o Options) (geometry, error) {
	g := geometry{uint64(o.Slots), uint64(o.SlotSize)}
	if o.Slots == 0 {
		g.slots = defaultSlots
	}
	if o.SlotSize == 0 {
		g.slotSize = defaultSlot
	}
	if o.Slots < 0 || o.SlotSize < 0 {
		return g, fmt.Errorf("%w: %d slots of %d bytes, want positive numbers", ErrGeometry, o.Slots, o.SlotSize)
	}
	for n := uint64(1); ; n *= 2 {
		if n >= g.slots {
			g.slots = n
			break
		}
	}
	g.slotSize = (max(g.slotSize, smallestSlot) + wordSize - 1) &^ (wordSize - 1)
	return g, g.check()
}

// check reports whether the geometry is one that this version can have.
func (g geometry) check() error {
	switch {
	case g.slots == 0 || g.slots > maxSlots || g.slots&(g.slots-1) != 0:
		return fmt.Errorf("%w: %d slots, want a power of two up to %d", ErrGeometry, g.slots, maxSlots)
	case g.slotSize < smallestSlot || g.slotSize > maxSlotSize || g.slotSize%wordSize != 0:
		return fmt.Errorf("%w: slots of %d bytes, want a multiple of %d from %d to %d", ErrGeometry, g.slotSize, wordSize, smallestSlot, uint64(maxSlotSize))
	case g.payload() > min(maxPayload, math.MaxInt):
		return fmt.Errorf("%w: %d slots of %d bytes are more than this platform can map", ErrGeometry, g.slots, g.slotSize)
	}
	return nil
}

// stride is the distance in bytes from one slot to the next.
func (g geometry) stride() uint64 {
	if g.slotSize >= page {
		return roundUp(g.slotSize, page)
	}
	return roundUp(g.slotSize, 64)
}

func (g geometry) firstSlot() uint64 { return ringAt + roundUp(g.slots*wordSize, page) }

// payload and record are the sizes in bytes of the two pieces.
func (g geometry) payload() uint64 { return roundUp(g.firstSlot()+g.slots*g.stride(), page) }
func (g geometry) record() uint64  { return ringAt + roundUp(g.slots*wordSize, page) }

func roundUp(n, to uint64) uint64 { return (n + to - 1) / to * to }

// A segment is the two pieces, mapped.
type segment struct {
	geometry
	payload []byte
	record  []byte
}

func (s *segment) slot(i uint64) []byte {
	at := s.firstSlot() + i*s.stride()
	return s.payload[at : at+s.slotSize : at+s.slotSize]
}

// A side is the words that one side writes, and its doorbell, which both write.
type side struct {
	tail    *atomic.Uint64
	entries []atomic.Uint64
	closed  *atomic.Uint32
	bell    doorbell
}

func (s *segment) writerSide() side { return s.side(s.payload, writerBellAt) }
func (s *segment) readerSide() side { return s.side(s.record, readerBellAt) }

func (s *segment) side(piece []byte, bellAt uint64) side {
	return side{
		tail:    word64(piece, tailAt),
		entries: ring(piece, s.slots),
		closed:  word32(piece, closedAt),
		bell:    doorbell{word32(s.record, bellAt), word32(s.record, bellAt+4)},
	}
}

// The words of the two pieces. This and the futex calls are what the package uses unsafe for.

func word64(m []byte, at uint64) *atomic.Uint64 {
	return (*atomic.Uint64)(unsafe.Pointer(&m[at : at+8][0]))
}

func word32(m []byte, at uint64) *atomic.Uint32 {
	return (*atomic.Uint32)(unsafe.Pointer(&m[at : at+4][0]))
}

// ring is the ring of a piece.
func ring(m []byte, slots uint64) []atomic.Uint64 {
	return unsafe.Slice(word64(m[:ringAt+slots*wordSize], ringAt), slots)
}

// bytesAt is a mapping of a size.
func bytesAt(p unsafe.Pointer, size uint64) []byte { return unsafe.Slice((*byte)(p), int(size)) }

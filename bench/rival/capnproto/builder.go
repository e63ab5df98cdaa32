package capnproto

import (
	"encoding/binary"

	capnp "capnproto.org/go/capnp/v3"
)

// A Builder writes messages as the documentation shows. Its message is reused;
// arenas and their memory come from the library's pools. What its methods
// return is fresh.
type Builder struct {
	msg capnp.Message
}

// reset begins a message.
func (b *Builder) reset() (*capnp.Segment, error) {
	return b.msg.Reset(capnp.SingleSegment(nil))
}

// root opens a message.
func root[T any](msg []byte, read func(*capnp.Message) (T, error)) (T, error) {
	m, err := capnp.Unmarshal(msg)
	if err != nil {
		var none T
		return none, err
	}
	return read(m)
}

// header is how many bytes the framing of a message of one segment takes.
const header = 8

// A BuilderOver writes messages into memory that it was given, without
// allocating. What its methods return is good until the next call.
type BuilderOver struct {
	mem   []byte
	msg   capnp.Message
	arena capnp.SingleSegmentArena
	empty capnp.SingleSegmentArena // arena as it is before anything was written
}

// NewBuilderOver returns a builder over mem, which must be aligned to 8 bytes.
// Messages that do not fit are errors.
func NewBuilderOver(mem []byte) *BuilderOver {
	arena := capnp.SingleSegment(mem[header:header]).(*capnp.SingleSegmentArena)
	return &BuilderOver{mem: mem, empty: *arena}
}

// reset begins a message. Putting back a copy of the empty arena, and taking the
// used one from the message so that it is not released, saves the allocation
// that SingleSegment makes.
func (b *BuilderOver) reset() (*capnp.Segment, error) {
	b.arena = b.empty
	b.msg.Arena = nil
	return b.msg.Reset(&b.arena)
}

// finish frames the segment where it lies.
func (b *BuilderOver) finish(seg *capnp.Segment) []byte {
	n := len(seg.Data())
	binary.LittleEndian.PutUint32(b.mem[0:], 0) // segments, less one
	binary.LittleEndian.PutUint32(b.mem[4:], uint32(n/8))
	return b.mem[:header+n]
}

// last returns the memory of the list or struct of n bytes that was allocated
// last: the end of the segment, but for padding to a word.
func last(seg *capnp.Segment, n int) []byte {
	d := seg.Data()
	return d[len(d)-(n+7)&^7:][:n]
}

package flatbuffers

import (
	"encoding/binary"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/internal/packed"
	"github.com/ashlar-go/ashlar/bench/internal/raw"
)

// Slack is how many bytes a Builder needs beyond the message: it wants room for
// alignment before it writes.
const Slack = 64

// A Builder is a FlatBuffers builder that is reused from message to message.
// What its methods return is good until the next call.
type Builder struct {
	fb.Builder
	// Scratch of the expert functions. The library has no way to reserve room for
	// a vector, so what is packed is packed here and copied.
	offsets      []fb.UOffsetT
	nothing      []byte
	struct2      packed.Struct2
	packedSample packed.Sample
}

// NewBuilder returns a Builder with memory of its own, which grows.
func NewBuilder() *Builder {
	return &Builder{Builder: *fb.NewBuilder(1024)}
}

// NewBuilderOver returns a Builder that writes its messages into mem, at its
// end, as long as they fit with Slack bytes to spare. Messages that do not fit
// are built on the Go heap. The end of mem must be aligned to 8 bytes.
func NewBuilderOver(mem []byte) *Builder {
	b := new(Builder)
	b.Bytes = mem
	return b
}

// vector writes a vector of scalars with one copy.
func vector[T raw.Scalar](b *Builder, s []T) fb.UOffsetT {
	var zero [1]T
	return b.bulk(len(raw.Bytes(zero[:])), raw.Bytes(s), len(s))
}

// bulk writes a vector of n elements from their bytes. CreateByteVector is the
// one public function that copies; it knows neither the alignment, hence Prep,
// nor the number of elements, hence the length is patched.
func (b *Builder) bulk(align int, p []byte, n int) fb.UOffsetT {
	b.Prep(align, len(p))
	off := b.CreateByteVector(p)
	binary.LittleEndian.PutUint32(b.Bytes[len(b.Bytes)-int(off):], uint32(n))
	return off
}

// vectorOf writes a vector of offsets.
func (b *Builder) vectorOf(offsets []fb.UOffsetT) fb.UOffsetT {
	b.StartVector(fb.SizeUOffsetT, len(offsets), fb.SizeUOffsetT)
	for i := len(offsets) - 1; i >= 0; i-- {
		b.PrependUOffsetT(offsets[i])
	}
	return b.EndVector(len(offsets))
}

// rootTable returns the message's root.
func rootTable(msg []byte) fb.Table {
	return fb.Table{Bytes: msg, Pos: fb.GetUOffsetT(msg)}
}

// slot returns the vtable offset of a table's field by its number.
func slot(field int) fb.VOffsetT {
	return fb.VOffsetT(4 + 2*field)
}

// elements returns where the vector in a field begins and how many elements it
// has.
func elements(t *fb.Table, field int) ([]byte, int) {
	o := fb.UOffsetT(t.Offset(slot(field)))
	if o == 0 {
		return nil, 0
	}
	return t.Bytes[t.Vector(o):], t.VectorLen(o)
}

// view returns the vector in a field as a Go slice.
func view[T raw.Scalar](t *fb.Table, field int) []T {
	b, n := elements(t, field)
	return raw.Slice[T](b, n)
}

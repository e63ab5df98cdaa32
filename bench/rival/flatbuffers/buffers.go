package flatbuffers

import (
	"bytes"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteBuffers writes a table for each buffer, by CreateByteVector.
func (b *Builder) WriteBuffers(v *workload.Buffers) []byte {
	return b.writeBuffers(*v, make([]fb.UOffsetT, 0, len(*v)))
}

// WriteBuffersExpert does the same without allocating: CreateByteVector copies
// in bulk as it is.
func (b *Builder) WriteBuffersExpert(v *workload.Buffers) []byte {
	return b.writeBuffers(*v, b.offsets[:0])
}

func (b *Builder) writeBuffers(v workload.Buffers, offsets []fb.UOffsetT) []byte {
	b.Reset()
	for _, p := range v {
		data := b.CreateByteVector(p)
		fbs.BlobStart(&b.Builder)
		fbs.BlobAddData(&b.Builder, data)
		offsets = append(offsets, fbs.BlobEnd(&b.Builder))
	}
	b.offsets = offsets
	buffers := b.vectorOf(offsets)
	fbs.BuffersStart(&b.Builder)
	fbs.BuffersAddBuffers(&b.Builder, buffers)
	b.Finish(fbs.BuffersEnd(&b.Builder))
	return b.FinishedBytes()
}

// ReadBuffers copies what the generated accessor of each blob returns.
func ReadBuffers(msg []byte, v *workload.Buffers) {
	x := fbs.GetRootAsBuffers(msg, 0)
	*v = make(workload.Buffers, x.BuffersLength())
	var blob fbs.Blob
	for i := range *v {
		x.Buffers(&blob, i)
		(*v)[i] = bytes.Clone(blob.DataBytes())
	}
}

// ReadBuffersExpert copies the message and views the copy.
func ReadBuffersExpert(msg []byte, v *workload.Buffers) {
	*v = nil
	ViewBuffers(bytes.Clone(msg), v)
}

// ViewBuffers makes v's buffers point into the message; v itself is reused.
func ViewBuffers(msg []byte, v *workload.Buffers) {
	x := fbs.GetRootAsBuffers(msg, 0)
	n := x.BuffersLength()
	if cap(*v) < n {
		*v = make(workload.Buffers, n)
	}
	*v = (*v)[:n]
	var blob fbs.Blob
	for i := range *v {
		x.Buffers(&blob, i)
		(*v)[i] = blob.DataBytes()
	}
}

// SumBuffers sums each byte by the generated accessor.
func SumBuffers(msg []byte) uint64 {
	x := fbs.GetRootAsBuffers(msg, 0)
	var s uint64
	var blob fbs.Blob
	for i, n := 0, x.BuffersLength(); i < n; i++ {
		x.Buffers(&blob, i)
		for j, m := 0, blob.DataLength(); j < m; j++ {
			s += uint64(blob.Data(j))
		}
	}
	return s
}

// SumBuffersExpert sums what DataBytes returns.
func SumBuffersExpert(msg []byte) uint64 {
	x := fbs.GetRootAsBuffers(msg, 0)
	var s uint64
	var blob fbs.Blob
	for i, n := 0, x.BuffersLength(); i < n; i++ {
		x.Buffers(&blob, i)
		s += workload.SumBytes(blob.DataBytes())
	}
	return s
}

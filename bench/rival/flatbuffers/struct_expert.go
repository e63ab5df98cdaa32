package flatbuffers

import (
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteStructExpert writes the struct with one copy, as a vector of one
// StructFixed, which FlatBuffers lays out as Go does.
func (b *Builder) WriteStructExpert(v *workload.Struct) []byte {
	b.Reset()
	values := b.bulk(8, raw.StructBytes(v), 1)
	fbs.StructExpertStart(&b.Builder)
	fbs.StructExpertAddValues(&b.Builder, values)
	b.Finish(fbs.StructExpertEnd(&b.Builder))
	return b.FinishedBytes()
}

// ReadStructExpert copies the struct at once.
func ReadStructExpert(msg []byte, v *workload.Struct) {
	*v = *ViewStruct(msg)
}

// ViewStruct returns the struct where it lies in the message.
func ViewStruct(msg []byte) *workload.Struct {
	t := rootTable(msg)
	return raw.At[workload.Struct](elements(&t, 0))
}

// SumStructExpert sums a view.
func SumStructExpert(msg []byte) uint64 {
	return ViewStruct(msg).Sum()
}

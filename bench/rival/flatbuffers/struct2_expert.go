package flatbuffers

import (
	"bytes"

	"github.com/ashlar-go/ashlar/bench/internal/packed"
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteStruct2Expert packs the fields and writes them with one copy, as
// WriteStructExpert does.
func (b *Builder) WriteStruct2Expert(v *workload.Struct2) []byte {
	b.Reset()
	b.struct2.Pack(v)
	values := b.bulk(8, raw.StructBytes(&b.struct2), 1)
	fbs.Struct2ExpertStart(&b.Builder)
	fbs.Struct2ExpertAddValues(&b.Builder, values)
	b.Finish(fbs.Struct2ExpertEnd(&b.Builder))
	return b.FinishedBytes()
}

// ReadStruct2Expert copies the message once and points into the copy.
func ReadStruct2Expert(msg []byte, v *workload.Struct2) {
	ViewStruct2(bytes.Clone(msg), v)
}

// ViewStruct2 makes v's fields point into the message.
func ViewStruct2(msg []byte, v *workload.Struct2) {
	packedStruct2(msg).View(v)
}

func packedStruct2(msg []byte) *packed.Struct2 {
	t := rootTable(msg)
	return raw.At[packed.Struct2](elements(&t, 0))
}

// SumStruct2Expert sums the packed fields where they lie.
func SumStruct2Expert(msg []byte) uint64 {
	return packedStruct2(msg).Sum()
}

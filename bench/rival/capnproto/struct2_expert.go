package capnproto

import (
	"bytes"

	"github.com/ashlar-go/ashlar/bench/internal/packed"
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteStruct2Expert packs the fields into a Struct2Expert where it lies in the
// message.
func (b *BuilderOver) WriteStruct2Expert(v *workload.Struct2) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if _, err := cps.NewRootStruct2Expert(seg); err != nil {
		return nil, err
	}
	raw.At[packed.Struct2](last(seg, packed.Struct2Size), 1).Pack(v)
	return b.finish(seg), nil
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
	data, _ := segment(msg[header:]).object(0)
	return raw.At[packed.Struct2](data, 1)
}

// SumStruct2Expert sums the packed fields where they lie.
func SumStruct2Expert(msg []byte) uint64 {
	return packedStruct2(msg).Sum()
}

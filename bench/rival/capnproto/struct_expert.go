package capnproto

import (
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteStructExpert writes the struct with one copy, as a StructExpert, which is
// padded so as to be laid out as Go does.
func (b *BuilderOver) WriteStructExpert(v *workload.Struct) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if _, err := cps.NewRootStructExpert(seg); err != nil {
		return nil, err
	}
	p := raw.StructBytes(v)
	copy(last(seg, len(p)), p)
	return b.finish(seg), nil
}

// ReadStructExpert copies the struct at once.
func ReadStructExpert(msg []byte, v *workload.Struct) {
	*v = *ViewStruct(msg)
}

// ViewStruct returns the struct where it lies in the message.
func ViewStruct(msg []byte) *workload.Struct {
	data, _ := segment(msg[header:]).object(0)
	return raw.At[workload.Struct](data, 1)
}

// SumStructExpert sums a view.
func SumStructExpert(msg []byte) uint64 {
	return ViewStruct(msg).Sum()
}

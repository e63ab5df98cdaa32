package flatbuffers

import (
	"math"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// What reads one field by the generated accessors: as the documentation shows, and with tables that stay on the
// stack.

func F49(msg []byte) uint64 { return uint64(fbs.GetRootAsStruct(msg, 0).F49()) }
func F52(msg []byte) uint64 { return math.Float64bits(fbs.GetRootAsStruct(msg, 0).F52()) }

func F49Expert(msg []byte) uint64 {
	var x fbs.Struct
	x.Init(msg, fb.GetUOffsetT(msg))
	return uint64(x.F49())
}

func F52Expert(msg []byte) uint64 {
	var x fbs.Struct
	x.Init(msg, fb.GetUOffsetT(msg))
	return math.Float64bits(x.F52())
}

func MediaURI(msg []byte) uint64 {
	return workload.TextSum(fbs.GetRootAsMediaContent(msg, 0).Media(nil).Uri())
}

func MediaDuration(msg []byte) uint64 {
	return uint64(fbs.GetRootAsMediaContent(msg, 0).Media(nil).Duration())
}

func ImageWidth(msg []byte, i int) uint64 {
	var x fbs.Image
	fbs.GetRootAsMediaContent(msg, 0).Images(&x, i)
	return uint64(x.Width())
}

func MediaURIExpert(msg []byte) uint64 {
	var c fbs.MediaContent
	var x fbs.Media
	c.Init(msg, fb.GetUOffsetT(msg))
	return workload.TextSum(c.Media(&x).Uri())
}

func MediaDurationExpert(msg []byte) uint64 {
	var c fbs.MediaContent
	var x fbs.Media
	c.Init(msg, fb.GetUOffsetT(msg))
	return uint64(c.Media(&x).Duration())
}

func ImageWidthExpert(msg []byte, i int) uint64 {
	var c fbs.MediaContent
	var x fbs.Image
	c.Init(msg, fb.GetUOffsetT(msg))
	c.Images(&x, i)
	return uint64(x.Width())
}

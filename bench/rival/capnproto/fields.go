package capnproto

import (
	"math"

	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// What reads one field by the generated accessors, as the documentation shows. Texts are read as bytes, which is
// faster than as strings.

func F49(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootStruct)
	if err != nil {
		return 0, err
	}
	return uint64(x.F49()), nil
}

func F52(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootStruct)
	if err != nil {
		return 0, err
	}
	return math.Float64bits(x.F52()), nil
}

func MediaURI(msg []byte) (uint64, error) {
	m, err := media(msg)
	if err != nil {
		return 0, err
	}
	uri, err := m.UriBytes()
	if err != nil {
		return 0, err
	}
	return workload.TextSum(uri), nil
}

func MediaDuration(msg []byte) (uint64, error) {
	m, err := media(msg)
	if err != nil {
		return 0, err
	}
	return uint64(m.Duration()), nil
}

func media(msg []byte) (cps.Media, error) {
	x, err := root(msg, cps.ReadRootMediaContent)
	if err != nil {
		return cps.Media{}, err
	}
	return x.Media()
}

func ImageWidth(msg []byte, i int) (uint64, error) {
	x, err := root(msg, cps.ReadRootMediaContent)
	if err != nil {
		return 0, err
	}
	images, err := x.Images()
	if err != nil {
		return 0, err
	}
	return uint64(images.At(i).Width()), nil
}

// Where the fields are in the data section.
const (
	structF49 = 288
	structF52 = 304
)

// What reads one field by hand, without the library: what an expert gets who knows that the message is good.

func F49Expert(msg []byte) uint64 {
	data, _ := segment(msg[header:]).object(0)
	return uint64(int32At(data, structF49))
}

func F52Expert(msg []byte) uint64 {
	data, _ := segment(msg[header:]).object(0)
	return uint64(int64At(data, structF52))
}

func MediaURIExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	_, at := s.object(0)
	_, p := s.object(at + mediaContentMedia)
	return workload.TextSum(s.text(p + mediaURI))
}

func MediaDurationExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	_, at := s.object(0)
	d, _ := s.object(at + mediaContentMedia)
	return uint64(int64At(d, mediaDuration))
}

func ImageWidthExpert(msg []byte, i int) uint64 {
	s := segment(msg[header:])
	_, at := s.object(0)
	from, _, _, size := s.structs(at + mediaContentImages)
	return uint64(int32At(s[from+i*size:][:size], imageWidth))
}

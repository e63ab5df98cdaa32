package exchange

import (
	"fmt"

	cpr "github.com/ashlar-go/ashlar/bench/rival/capnproto"
	fbr "github.com/ashlar-go/ashlar/bench/rival/flatbuffers"
	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
)

// A form is how a library has the arrays in a stream of bytes.
type form struct {
	write func(*workload.ArraysData) ([]byte, error) // good until the next call
	sum   func(msg []byte) (uint64, error)           // of every element
}

// newForm returns the form of a way of a library. What it reuses is its own.
func newForm(name Name) (*form, error) {
	switch [2]string{name.Lib, name.Way} {
	case [2]string{suite.Ashlar, suite.Alias}:
		return ashlarForm(), nil
	case [2]string{suite.FlatBuffers, suite.Documented}:
		return flatbuffersForm((*fbr.Builder).WriteArrays, fbr.SumArrays), nil
	case [2]string{suite.FlatBuffers, suite.Expert}:
		return flatbuffersForm((*fbr.Builder).WriteArraysExpert, fbr.SumArraysExpert), nil
	case [2]string{suite.CapnProto, suite.Documented}:
		b := new(cpr.Builder)
		return &form{write: b.WriteArrays, sum: cpr.SumArrays}, nil
	case [2]string{suite.CapnProto, suite.Expert}:
		b := cpr.NewBuilderOver(make([]byte, name.Payload()+1024))
		return &form{
			write: b.WriteArraysExpert,
			sum:   func(msg []byte) (uint64, error) { return cpr.SumArraysExpert(msg), nil },
		}, nil
	}
	return nil, fmt.Errorf("no messages of library %q, way %q", name.Lib, name.Way)
}

func ashlarForm() *form {
	c := format.MustFor[workload.ArraysData]()
	var msg []byte
	var v workload.ArraysData
	return &form{
		write: func(v *workload.ArraysData) (_ []byte, err error) {
			msg, err = c.Append(msg[:0], v)
			return msg, err
		},
		sum: func(msg []byte) (uint64, error) {
			if err := c.DecodeAlias(msg, &v); err != nil {
				return 0, err
			}
			return v.Sum(), nil
		},
	}
}

func flatbuffersForm(write func(*fbr.Builder, *workload.ArraysData) []byte, sum func([]byte) uint64) *form {
	b := fbr.NewBuilder()
	return &form{
		write: func(v *workload.ArraysData) ([]byte, error) { return write(b, v), nil },
		sum:   func(msg []byte) (uint64, error) { return sum(msg), nil },
	}
}

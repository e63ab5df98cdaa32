// Package protobuf measures google.golang.org/protobuf.
//
// Its messages are of generated types. The workloads' values are moved into one that is used again, and out of one that is
// fresh, for its strings and slices are the value's then: that is part of what is measured, as it is for who has values of
// his own.
package protobuf

import (
	"google.golang.org/protobuf/proto"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/wide/protobuf/pb"
	"github.com/ashlar-go/ashlar/bench/workload"
)

//go:generate go run ../internal/schemas proto
//go:generate sh -c "protoc --plugin=protoc-gen-go=$DOLLAR(go tool -n protoc-gen-go) --go_out=pb --go_opt=paths=source_relative schema.proto"

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, known(fillArraysData, takeArraysData))
	f.Buffers = append(f.Buffers, known(fillBuffers, takeBuffers))
	f.Struct = append(f.Struct, known(fillStruct, takeStruct))
	f.Struct2 = append(f.Struct2, known(fillStruct2, takeStruct2))
	f.MediaContent = append(f.MediaContent, known(fillMediaContent, takeMediaContent))
	f.Sample = append(f.Sample, known(fillSample, takeSample))
	f.Car = append(f.Car, known(fillCar, takeCar))
	f.Complex = append(f.Complex, known(fillComplex, takeComplex))
	f.TV = append(f.TV, known(fillProgramme, takeProgramme))
	f.TVCatalogue = append(f.TVCatalogue, known(fillCatalogue, takeCatalogue))
}

// Blank says why a workload is left out.
var Blank = map[string]string{}

// known writes by way of one message.
func known[T, M any, P interface {
	*M
	proto.Message
}](fill func(*M, *T), take func(*T, *M)) suite.Codec[T] {
	var to []byte
	m := new(M)
	return suite.Codec[T]{
		Lib: "protobuf", Way: suite.Known,
		Encode: func(v *T) (msg []byte, err error) {
			fill(m, v)
			to, err = proto.MarshalOptions{}.MarshalAppend(to[:0], P(m))
			return to, err
		},
		Decode: func(msg []byte, v *T) error {
			m := new(M)
			err := proto.Unmarshal(msg, P(m))
			if err == nil {
				take(v, m)
			}
			return err
		},
	}
}

func fillBuffers(m *pb.BufferStruct, v *workload.Buffers) { m.Buffers = *v }

func takeBuffers(v *workload.Buffers, m *pb.BufferStruct) { *v = m.Buffers }

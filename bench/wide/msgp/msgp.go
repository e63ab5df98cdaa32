// Package msgp measures github.com/tinylib/msgp: structs as arrays, for who knows the types, and as maps by the names of
// fields. The code is generated for types that lie in memory as the workloads' do, with bytes as such.
package msgp

import (
	"github.com/tinylib/msgp/msgp"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/wide/internal/moved"
	"github.com/ashlar-go/ashlar/bench/wide/msgp/maps"
	"github.com/ashlar-go/ashlar/bench/wide/msgp/tuples"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, codec[workload.ArraysData, tuples.ArraysData](suite.Known), codec[workload.ArraysData, maps.ArraysData](suite.Described))
	f.Buffers = append(f.Buffers, codec[workload.Buffers, tuples.BufferStruct](suite.Known), codec[workload.Buffers, maps.BufferStruct](suite.Described))
	f.Struct = append(f.Struct, codec[workload.Struct, tuples.Struct](suite.Known), codec[workload.Struct, maps.Struct](suite.Described))
	f.Struct2 = append(f.Struct2, codec[workload.Struct2, tuples.Struct2](suite.Known), codec[workload.Struct2, maps.Struct2](suite.Described))
	f.MediaContent = append(f.MediaContent, codec[workload.MediaContent, tuples.MediaContent](suite.Known),
		codec[workload.MediaContent, maps.MediaContent](suite.Described))
	f.Sample = append(f.Sample, codec[workload.Sample, tuples.Sample](suite.Known), codec[workload.Sample, maps.Sample](suite.Described))
	f.Car = append(f.Car, codec[workload.Car, tuples.Car](suite.Known), codec[workload.Car, maps.Car](suite.Described))
	f.Complex = append(f.Complex, codec[workload.Complex, tuples.Complex](suite.Known), codec[workload.Complex, maps.Complex](suite.Described))
	f.TV = append(f.TV, codec[workload.Programme, tuples.Programme](suite.Known), codec[workload.Programme, maps.Programme](suite.Described))
	f.TVCatalogue = append(f.TVCatalogue, codec[workload.Catalogue, tuples.Catalogue](suite.Known),
		codec[workload.Catalogue, maps.Catalogue](suite.Described))
}

// Blank says why a workload is left out.
var Blank = map[string]string{}

func codec[T, M any, P interface {
	*M
	msgp.Marshaler
	msgp.Unmarshaler
}](way string) suite.Codec[T] {
	as := moved.As[M, T]()
	var to []byte
	return suite.Codec[T]{
		Lib: "msgp", Way: way,
		Encode: func(v *T) (msg []byte, err error) {
			to, err = P(as(v)).MarshalMsg(to[:0])
			return to, err
		},
		Decode: func(msg []byte, v *T) error {
			_, err := P(as(v)).UnmarshalMsg(msg)
			return err
		},
	}
}

// Package cbor measures github.com/fxamacker/cbor: structs as arrays, for who knows the types, and as maps by the names of
// fields. For arrays, which want a tag in the type, there are types that lie in memory as the workloads' do, with bytes as
// such.
package cbor

import (
	"bytes"

	"github.com/fxamacker/cbor/v2"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/wide/cbor/arrays"
	"github.com/ashlar-go/ashlar/bench/wide/internal/moved"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, known[workload.ArraysData, arrays.ArraysData](), described[workload.ArraysData]())
	f.Buffers = append(f.Buffers, known[workload.Buffers, arrays.BufferStruct](), described[workload.Buffers]())
	f.Struct = append(f.Struct, known[workload.Struct, arrays.Struct](), described[workload.Struct]())
	f.Struct2 = append(f.Struct2, known[workload.Struct2, arrays.Struct2](), described[workload.Struct2]())
	f.MediaContent = append(f.MediaContent, known[workload.MediaContent, arrays.MediaContent](), described[workload.MediaContent]())
	f.Sample = append(f.Sample, known[workload.Sample, arrays.Sample](), described[workload.Sample]())
	f.Car = append(f.Car, known[workload.Car, arrays.Car](), described[workload.Car]())
	f.Complex = append(f.Complex, known[workload.Complex, arrays.Complex](), described[workload.Complex]())
	f.TV = append(f.TV, known[workload.Programme, arrays.Programme](), described[workload.Programme]())
	f.TVCatalogue = append(f.TVCatalogue, known[workload.Catalogue, arrays.Catalogue](), described[workload.Catalogue]())
}

// Blank says why a workload is left out.
var Blank = map[string]string{}

var encoding = func() cbor.UserBufferEncMode {
	m, err := cbor.EncOptions{Time: cbor.TimeUnix}.UserBufferEncMode()
	if err != nil {
		panic(err)
	}
	return m
}()

// known writes what lies where v does as an M.
func known[T, M any]() suite.Codec[T] {
	as, c := moved.As[M, T](), described[M]()
	return suite.Codec[T]{
		Lib: c.Lib, Way: suite.Known,
		Encode: func(v *T) ([]byte, error) { return c.Encode(as(v)) },
		Decode: func(msg []byte, v *T) error { return c.Decode(msg, as(v)) },
	}
}

func described[T any]() suite.Codec[T] {
	var to bytes.Buffer
	return suite.Codec[T]{
		Lib: "cbor", Way: suite.Described,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			err := encoding.MarshalToBuffer(v, &to)
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error { return cbor.Unmarshal(msg, v) },
	}
}

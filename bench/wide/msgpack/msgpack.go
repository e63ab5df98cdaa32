// Package msgpack measures github.com/vmihailenco/msgpack: structs as arrays, where both sides know them, and as maps.
package msgpack

import (
	"bytes"

	"github.com/vmihailenco/msgpack/v5"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, known[workload.ArraysData](), described[workload.ArraysData]())
	f.Buffers = append(f.Buffers, known[workload.Buffers](), described[workload.Buffers]())
	f.Struct = append(f.Struct, known[workload.Struct](), described[workload.Struct]())
	f.Struct2 = append(f.Struct2, known[workload.Struct2](), described[workload.Struct2]())
	f.MediaContent = append(f.MediaContent, known[workload.MediaContent](), described[workload.MediaContent]())
	f.Sample = append(f.Sample, known[workload.Sample](), described[workload.Sample]())
	f.Car = append(f.Car, known[workload.Car](), described[workload.Car]())
	f.Complex = append(f.Complex, known[workload.Complex](), described[workload.Complex]())
	f.TV = append(f.TV, known[workload.Programme](), described[workload.Programme]())
	f.TVCatalogue = append(f.TVCatalogue, known[workload.Catalogue](), described[workload.Catalogue]())
}

// Blank says why a workload is left out.
var Blank = map[string]string{}

func known[T any]() suite.Codec[T]     { return codec[T](suite.Known, true) }
func described[T any]() suite.Codec[T] { return codec[T](suite.Described, false) }

func codec[T any](way string, arrays bool) suite.Codec[T] {
	var to bytes.Buffer
	e, from := msgpack.NewEncoder(&to), bytes.NewReader(nil)
	d := msgpack.NewDecoder(from)
	return suite.Codec[T]{
		Lib: "msgpack", Way: way,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			e.Reset(&to)
			e.UseArrayEncodedStructs(arrays)
			err := e.Encode(v)
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error {
			from.Reset(msg)
			d.Reset(from)
			return d.Decode(v)
		},
	}
}

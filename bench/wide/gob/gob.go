// Package gob measures encoding/gob: one stream, whose types were sent before, and a stream for each message.
package gob

import (
	"bytes"
	"encoding/gob"

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
	f.Car = append(f.Car, known[workload.Car](), described[workload.Car]())
	f.Complex = append(f.Complex, known[workload.Complex](), described[workload.Complex]())
	f.TV = append(f.TV, known[workload.Programme](), described[workload.Programme]())
	f.TVCatalogue = append(f.TVCatalogue, known[workload.Catalogue](), described[workload.Catalogue]())
}

// Blank says why a workload is left out.
var Blank = map[string]string{
	suite.Sample: "a pointer to a zero value comes back as nil",
}

// known keeps both ends of a stream open: the first message, with the types, is not measured.
func known[T any]() suite.Codec[T] {
	var to bytes.Buffer
	e := gob.NewEncoder(&to)
	from := bytes.NewReader(nil)
	d := gob.NewDecoder(from)
	if err := e.Encode(new(T)); err != nil {
		panic(err) // a type that it does not have
	}
	from.Reset(bytes.Clone(to.Bytes()))
	if err := d.Decode(new(T)); err != nil {
		panic(err)
	}
	return suite.Codec[T]{
		Lib: "gob", Way: suite.Known,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			err := e.Encode(v)
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error {
			from.Reset(msg)
			return d.Decode(v)
		},
	}
}

func described[T any]() suite.Codec[T] {
	var to bytes.Buffer
	return suite.Codec[T]{
		Lib: "gob", Way: suite.Described,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			err := gob.NewEncoder(&to).Encode(v)
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error { return gob.NewDecoder(bytes.NewReader(msg)).Decode(v) },
	}
}

// Package bson measures go.mongodb.org/mongo-driver/v2/bson.
package bson

import (
	"bytes"

	"go.mongodb.org/mongo-driver/v2/bson"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, described[workload.ArraysData]())
	f.Struct = append(f.Struct, described[workload.Struct]())
	f.Struct2 = append(f.Struct2, described[workload.Struct2]())
	f.MediaContent = append(f.MediaContent, described[workload.MediaContent]())
	f.Sample = append(f.Sample, described[workload.Sample]())
	f.Car = append(f.Car, described[workload.Car]())
	f.Complex = append(f.Complex, described[workload.Complex]())
	f.TV = append(f.TV, described[workload.Programme]())
	f.TVCatalogue = append(f.TVCatalogue, described[workload.Catalogue]())
}

// Blank says why a workload is left out.
var Blank = map[string]string{
	suite.Buffer: "a root is a document, not an array",
}

func described[T any]() suite.Codec[T] {
	var to bytes.Buffer
	return suite.Codec[T]{
		Lib: "bson", Way: suite.Described,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			err := bson.NewEncoder(bson.NewDocumentWriter(&to)).Encode(v)
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error { return bson.Unmarshal(msg, v) },
	}
}

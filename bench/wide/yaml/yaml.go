// Package yaml measures go.yaml.in/yaml.
package yaml

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, described[workload.ArraysData]())
	f.Buffers = append(f.Buffers, described[workload.Buffers]())
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
var Blank = map[string]string{}

func described[T any]() suite.Codec[T] {
	var to bytes.Buffer
	return suite.Codec[T]{
		Lib: "yaml", Way: suite.Described,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			e := yaml.NewEncoder(&to)
			if err := e.Encode(v); err != nil {
				return nil, err
			}
			err := e.Close()
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error { return yaml.Unmarshal(msg, v) },
	}
}

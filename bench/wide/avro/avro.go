// Package avro measures github.com/hamba/avro: values alone, by a schema that both sides have, and container files.
package avro

import (
	"bytes"

	"github.com/hamba/avro/v2"
	"github.com/hamba/avro/v2/ocf"

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

// known writes with one writer and reads with one reader.
func known[T any]() suite.Codec[T] {
	schema := avro.MustParse(schemaOf[T]())
	w, r := avro.NewWriter(nil, 512), avro.NewReader(nil, 0)
	return suite.Codec[T]{
		Lib: "avro", Way: suite.Known,
		Encode: func(v *T) ([]byte, error) {
			w.Reset(nil)
			w.WriteVal(schema, writable(v))
			return w.Buffer(), w.Error
		},
		Decode: func(msg []byte, v *T) error {
			r.Reset(msg)
			r.Error = nil
			r.ReadVal(schema, v)
			return r.Error
		},
	}
}

// described makes each message a container file.
func described[T any]() suite.Codec[T] {
	schema := schemaOf[T]()
	var to bytes.Buffer
	return suite.Codec[T]{
		Lib: "avro", Way: suite.Described,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			e, err := ocf.NewEncoder(schema, &to)
			if err != nil {
				return nil, err
			}
			if err := e.Encode(writable(v)); err != nil {
				return nil, err
			}
			err = e.Close()
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error {
			d, err := ocf.NewDecoder(bytes.NewReader(msg))
			if err != nil {
				return err
			}
			if d.HasNext() {
				err = d.Decode(v)
			}
			if err == nil {
				err = d.Error()
			}
			return err
		},
	}
}

// writable is v as the library writes it: a root that is a slice by itself, all else by a pointer.
func writable(v any) any {
	if b, ok := v.(*workload.Buffers); ok {
		return *b
	}
	return v
}

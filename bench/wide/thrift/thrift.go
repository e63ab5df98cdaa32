// Package thrift measures github.com/apache/thrift, in both of its formats.
//
// Its messages are of generated types. The workloads' values are moved into one that is used again, and out of one that is
// fresh, for its strings and slices are the value's then: that is part of what is measured, as it is for who has values of
// his own.
package thrift

import (
	"bytes"
	"context"

	"github.com/apache/thrift/lib/go/thrift"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/wide/thrift/schema"
	"github.com/ashlar-go/ashlar/bench/workload"
)

//go:generate go run ../internal/schemas thrift
//go:generate thrift -r --gen go:package_prefix=github.com/ashlar-go/ashlar/bench/wide/thrift/ --out . schema.thrift
//go:generate gofmt -w schema

// AddBinary adds the library to the workloads, with its binary format.
func AddBinary(f *suite.Foreign) {
	add(f, "thrift-binary", func(t thrift.TTransport) thrift.TProtocol { return thrift.NewTBinaryProtocolConf(t, nil) })
}

// AddCompact does so with its compact format.
func AddCompact(f *suite.Foreign) {
	add(f, "thrift-compact", func(t thrift.TTransport) thrift.TProtocol { return thrift.NewTCompactProtocolConf(t, nil) })
}

// Blank says why a workload is left out.
var Blank = map[string]string{}

type protocol func(thrift.TTransport) thrift.TProtocol

func add(f *suite.Foreign, lib string, p protocol) {
	f.Arrays = append(f.Arrays, known(lib, p, fillArraysData, takeArraysData))
	f.Buffers = append(f.Buffers, known(lib, p, fillBuffers, takeBuffers))
	f.Struct = append(f.Struct, known(lib, p, fillStruct, takeStruct))
	f.Struct2 = append(f.Struct2, known(lib, p, fillStruct2, takeStruct2))
	f.MediaContent = append(f.MediaContent, known(lib, p, fillMediaContent, takeMediaContent))
	f.Sample = append(f.Sample, known(lib, p, fillSample, takeSample))
	f.Car = append(f.Car, known(lib, p, fillCar, takeCar))
	f.Complex = append(f.Complex, known(lib, p, fillComplex, takeComplex))
	f.TV = append(f.TV, known(lib, p, fillProgramme, takeProgramme))
	f.TVCatalogue = append(f.TVCatalogue, known(lib, p, fillCatalogue, takeCatalogue))
}

// known writes by way of one message to a buffer that is used again.
func known[T, M any, P interface {
	*M
	thrift.TStruct
}](lib string, over protocol, fill func(*M, *T), take func(*T, *M)) suite.Codec[T] {
	ctx := context.Background()
	to, from := thrift.NewTMemoryBuffer(), thrift.NewTMemoryBuffer()
	out, in := over(to), over(from)
	m := new(M)
	return suite.Codec[T]{
		Lib: lib, Way: suite.Known,
		Encode: func(v *T) ([]byte, error) {
			fill(m, v)
			to.Reset()
			if err := P(m).Write(ctx, out); err != nil {
				return nil, err
			}
			err := out.Flush(ctx)
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error {
			from.Buffer = bytes.NewBuffer(msg)
			m := new(M)
			err := P(m).Read(ctx, in)
			if err == nil {
				take(v, m)
			}
			return err
		},
	}
}

func fillBuffers(m *schema.BufferStruct, v *workload.Buffers) { m.Buffers = *v }

func takeBuffers(v *workload.Buffers, m *schema.BufferStruct) { *v = m.Buffers }

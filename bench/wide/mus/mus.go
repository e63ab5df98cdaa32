// Package mus measures github.com/mus-format/mus-go with the fastest of its serializers, those of its package unsafe:
// numbers of a fixed length. Copies have strings and bytes of its package ord; with way=alias they lie in the message.
package mus

import (
	"github.com/mus-format/mus-go"
	"github.com/mus-format/mus-go/ord"
	"github.com/mus-format/mus-go/unsafe"
	"github.com/mus-format/mus-go/varint"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/wide/internal/moved"
	"github.com/ashlar-go/ashlar/bench/workload"
)

//go:generate go run ../internal/schemas mus

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, codec(copies, sizeArraysData, writeArraysData, readArraysData))
	f.Buffers = both(sizeBuffers, writeBuffers, readBuffers, f.Buffers)
	f.Struct = append(f.Struct, codec(copies, sizeStruct, writeStruct, readStruct))
	f.Struct2 = append(f.Struct2, codec(copies, sizeStruct2, writeStruct2, readStruct2))
	f.MediaContent = both(sizeMediaContent, writeMediaContent, readMediaContent, f.MediaContent)
	f.Sample = append(f.Sample, codec(copies, sizeSample, writeSample, readSample))
	f.Car = both(sizeCar, writeCar, readCar, f.Car)
	f.Complex = append(f.Complex, codec(copies, sizeComplex, writeComplex, readComplex))
	f.TV = both(sizeProgramme, writeProgramme, readProgramme, f.TV)
	f.TVCatalogue = both(sizeCatalogue, writeCatalogue, readCatalogue, f.TVCatalogue)
}

// Blank says why a workload is left out.
var Blank = map[string]string{}

// A reader is how strings and bytes are read.
type reader bool

const (
	copies  reader = false
	aliases reader = true
)

func (r reader) string(b []byte) (string, int, error) {
	if r == aliases {
		return unsafe.String.Unmarshal(b)
	}
	return ord.String.Unmarshal(b)
}

func (r reader) bytes(b []byte) ([]byte, int, error) {
	if r == aliases {
		return unsafe.ByteSlice.Unmarshal(b)
	}
	return ord.ByteSlice.Unmarshal(b)
}

func codec[T any](r reader, size func(*T) int, write func(*T, []byte) int, read func(*T, []byte, reader) (int, error)) suite.Codec[T] {
	way := suite.Known
	if r == aliases {
		way = suite.Alias
	}
	var to []byte
	return suite.Codec[T]{
		Lib: "mus", Way: way,
		Encode: func(v *T) ([]byte, error) {
			n := size(v)
			if n > cap(to) {
				to = make([]byte, n)
			}
			to = to[:n]
			write(v, to)
			return to, nil
		},
		Decode: func(msg []byte, v *T) error {
			_, err := read(v, msg, r)
			return err
		},
	}
}

func both[T any](size func(*T) int, write func(*T, []byte) int, read func(*T, []byte, reader) (int, error), to []suite.Codec[T]) []suite.Codec[T] {
	return append(to, codec(copies, size, write, read), codec(aliases, size, write, read))
}

var (
	count = varint.PositiveInt

	listBool    = ord.NewSliceSer[bool](unsafe.Bool)
	listInt16   = ord.NewSliceSer[int16](unsafe.Int16)
	listInt32   = ord.NewSliceSer[int32](unsafe.Int32)
	listInt64   = ord.NewSliceSer[int64](unsafe.Int64)
	listUint16  = ord.NewSliceSer[uint16](unsafe.Uint16)
	listFloat32 = ord.NewSliceSer[float32](unsafe.Float32)
	listFloat64 = ord.NewSliceSer[float64](unsafe.Float64)

	pointerBool    = ord.NewPtrSer[bool](unsafe.Bool)
	pointerInt16   = ord.NewPtrSer[int16](unsafe.Int16)
	pointerInt32   = ord.NewPtrSer[int32](unsafe.Int32)
	pointerInt64   = ord.NewPtrSer[int64](unsafe.Int64)
	pointerUint16  = ord.NewPtrSer[uint16](unsafe.Uint16)
	pointerFloat32 = ord.NewPtrSer[float32](unsafe.Float32)
	pointerFloat64 = ord.NewPtrSer[float64](unsafe.Float64)

	octets = moved.As[[]byte, []int8]()
	whole  = moved.As[workload.BufferStruct, workload.Buffers]()
)

// several reads how many elements there are. None is shorter than a byte.
func several[T any](b []byte) (list []T, n int, err error) {
	k, n, err := count.Unmarshal(b)
	if err == nil && k > len(b) {
		err = mus.ErrTooSmallByteSlice
	}
	if err != nil {
		return nil, n, err
	}
	return make([]T, k), n, nil
}

func sizeBuffers(v *workload.Buffers) int { return sizeBufferStruct(whole(v)) }

func writeBuffers(v *workload.Buffers, b []byte) int { return writeBufferStruct(whole(v), b) }

func readBuffers(v *workload.Buffers, b []byte, texts reader) (int, error) {
	return readBufferStruct(whole(v), b, texts)
}

// Package arrow measures github.com/apache/arrow-go: a record batch in the IPC format, whose first message is the schema.
// Its stream is for copies; with way=alias the file format is read where it lies, but not for PRIMITIVE_ARRAY, since its
// booleans are bits.
package arrow

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Add adds the library to the workloads.
func Add(f *suite.Foreign) {
	f.Arrays = append(f.Arrays, stream(arraysSchema, arraysColumns(), takeArrays))
	f.Buffers = append(f.Buffers, stream(buffersSchema, buffersColumns(), viewBuffers), file(buffersSchema, buffersColumns(), viewBuffers))
}

const columns = "its values are columns of one length, not objects"

// Blank says why a workload is left out.
var Blank = map[string]string{
	suite.Struct: columns, suite.Struct2: columns, suite.MediaContent: columns, suite.Sample: columns, suite.Car: columns,
	suite.CarLarge: columns, suite.Complex: columns, suite.TV: columns, suite.TVCatalogue: columns,
}

var (
	arraysSchema = arrow.NewSchema([]arrow.Field{
		{Name: "Booleans", Type: arrow.FixedWidthTypes.Boolean},
		{Name: "Bytes", Type: arrow.PrimitiveTypes.Int8},
		{Name: "Ints", Type: arrow.PrimitiveTypes.Int32},
		{Name: "Longs", Type: arrow.PrimitiveTypes.Int64},
		{Name: "Doubles", Type: arrow.PrimitiveTypes.Float64},
	}, nil)
	buffersSchema = arrow.NewSchema([]arrow.Field{{Name: "Buffers", Type: arrow.BinaryTypes.Binary}}, nil)
)

// arraysColumns makes columns over the value's slices, but for the booleans.
func arraysColumns() func(v *workload.ArraysData) []arrow.Array {
	booleans := array.NewBooleanBuilder(memory.DefaultAllocator)
	return func(v *workload.ArraysData) []arrow.Array {
		booleans.AppendValues(v.Booleans, nil)
		over := func(t arrow.DataType, n int, p []byte) arrow.ArrayData {
			return array.NewData(t, n, []*memory.Buffer{nil, memory.NewBufferBytes(p)}, nil, 0, 0)
		}
		return []arrow.Array{
			booleans.NewBooleanArray(),
			array.NewInt8Data(over(arrow.PrimitiveTypes.Int8, len(v.Bytes), arrow.Int8Traits.CastToBytes(v.Bytes))),
			array.NewInt32Data(over(arrow.PrimitiveTypes.Int32, len(v.Ints), arrow.Int32Traits.CastToBytes(v.Ints))),
			array.NewInt64Data(over(arrow.PrimitiveTypes.Int64, len(v.Longs), arrow.Int64Traits.CastToBytes(v.Longs))),
			array.NewFloat64Data(over(arrow.PrimitiveTypes.Float64, len(v.Doubles), arrow.Float64Traits.CastToBytes(v.Doubles))),
		}
	}
}

func buffersColumns() func(v *workload.Buffers) []arrow.Array {
	b := array.NewBinaryBuilder(memory.DefaultAllocator, arrow.BinaryTypes.Binary)
	return func(v *workload.Buffers) []arrow.Array {
		b.AppendValues(*v, nil)
		return []arrow.Array{b.NewBinaryArray()}
	}
}

// takeArrays leaves the value with slices over the memory that the reader has copied the message into.
func takeArrays(v *workload.ArraysData, r arrow.RecordBatch) {
	booleans := r.Column(0).(*array.Boolean)
	v.Booleans = make([]bool, booleans.Len())
	for i := range v.Booleans {
		v.Booleans[i] = booleans.Value(i)
	}
	v.Bytes = r.Column(1).(*array.Int8).Values()
	v.Ints = r.Column(2).(*array.Int32).Values()
	v.Longs = r.Column(3).(*array.Int64).Values()
	v.Doubles = r.Column(4).(*array.Float64).Values()
}

// viewBuffers leaves slices over the memory of the column.
func viewBuffers(v *workload.Buffers, r arrow.RecordBatch) {
	c := r.Column(0).(*array.Binary)
	*v = make(workload.Buffers, c.Len())
	for i := range *v {
		(*v)[i] = slices.Clip(c.Value(i))
	}
}

// stream writes a stream of one record batch.
func stream[T any](schema *arrow.Schema, columns func(*T) []arrow.Array, take func(*T, arrow.RecordBatch)) suite.Codec[T] {
	var to bytes.Buffer
	return suite.Codec[T]{
		Lib: "arrow", Way: suite.Described,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			w := ipc.NewWriter(&to, ipc.WithSchema(schema))
			err := errors.Join(write(w, schema, columns(v)), w.Close())
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error {
			r, err := ipc.NewReader(bytes.NewReader(msg))
			if err != nil {
				return err
			}
			if !r.Next() {
				return fmt.Errorf("no record batch: %w", r.Err())
			}
			take(v, r.RecordBatch())
			return nil
		},
	}
}

// file writes a file of one record batch.
func file[T any](schema *arrow.Schema, columns func(*T) []arrow.Array, view func(*T, arrow.RecordBatch)) suite.Codec[T] {
	var to bytes.Buffer
	return suite.Codec[T]{
		Lib: "arrow", Way: suite.Alias,
		Encode: func(v *T) ([]byte, error) {
			to.Reset()
			w, err := ipc.NewFileWriter(&to, ipc.WithSchema(schema))
			if err == nil {
				err = errors.Join(write(w, schema, columns(v)), w.Close())
			}
			return to.Bytes(), err
		},
		Decode: func(msg []byte, v *T) error {
			r, err := ipc.NewMappedFileReader(msg)
			if err != nil {
				return err
			}
			batch, err := r.RecordBatch(0)
			if err != nil {
				return err
			}
			view(v, batch)
			return nil
		},
	}
}

type writer interface{ Write(arrow.RecordBatch) error }

func write(w writer, schema *arrow.Schema, columns []arrow.Array) error {
	batch := array.NewRecordBatch(schema, columns, int64(columns[0].Len()))
	defer batch.Release()
	return w.Write(batch)
}

package suite

import (
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/workload"
)

var arrays = &subject[workload.ArraysData]{
	bench: Arrays,
	data:  PrimitiveArray,
	sizes: Sizes,
	make:  workload.NewArrays,
	alter: func(v *workload.ArraysData) { v.Booleans[len(v.Booleans)-1] = !v.Booleans[len(v.Booleans)-1] },
	equal: (*workload.ArraysData).Equal,
	sum:   (*workload.ArraysData).Sum,
	parts: func(v *workload.ArraysData, visit func([]byte, bool)) {
		visit(raw.Bytes(v.Booleans), true)
		visit(raw.Bytes(v.Bytes), false)
		visit(raw.Bytes(v.Ints), false)
		visit(raw.Bytes(v.Longs), false)
		visit(raw.Bytes(v.Doubles), false)
	},
	libs: []library[workload.ArraysData]{
		viewing(evolving(gathering(ashlarLibrary(true, (*workload.ArraysData).Sum))), viewArrays()),
		flatbuffersArrays(),
		capnprotoArrays(),
		memmoveArrays(),
		summedSlices(),
	},
}

var buffers = &subject[workload.Buffers]{
	bench: Arrays,
	data:  Buffer,
	sizes: Sizes,
	make:  workload.NewBuffers,
	alter: alterBuffers,
	equal: workload.EqualBuffers,
	sum:   workload.SumBuffers,
	parts: buffersParts,
	libs:  buffersLibraries(func(v *workload.Buffers) *workload.Buffers { return v }),
}

var bufferStruct = &subject[workload.BufferStruct]{
	bench: Arrays,
	data:  BufferStruct,
	sizes: Sizes,
	make:  workload.NewBufferStruct,
	alter: func(v *workload.BufferStruct) { alterBuffers(&v.Buffers) },
	equal: func(a, b *workload.BufferStruct) bool { return workload.EqualBuffers(&a.Buffers, &b.Buffers) },
	sum:   func(v *workload.BufferStruct) uint64 { return workload.SumBuffers(&v.Buffers) },
	parts: func(v *workload.BufferStruct, visit func([]byte, bool)) { buffersParts(&v.Buffers, visit) },
	libs:  buffersLibraries(func(v *workload.BufferStruct) *workload.Buffers { return &v.Buffers }),
}

func alterBuffers(v *workload.Buffers) { (*v)[len(*v)-1][0]++ }

func buffersParts(v *workload.Buffers, visit func([]byte, bool)) {
	for _, p := range *v {
		visit(p, false)
	}
}

// buffersLibraries is for both of the workloads made of buffers; of gives the
// list that one of them holds.
func buffersLibraries[T any](of func(*T) *workload.Buffers) []library[T] {
	return []library[T]{
		gathering(ashlarLibrary(true, func(v *T) uint64 { return workload.SumBuffers(of(v)) })),
		flatbuffersBuffers(of),
		capnprotoBuffers(of),
		memmoveBuffers(of),
	}
}

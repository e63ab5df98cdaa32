package suite

import (
	fbr "github.com/ashlar-go/ashlar/bench/rival/flatbuffers"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// flatbuffersDocumented builds in the builder's own memory; off the heap the
// finished message is copied to where it is to lie.
func flatbuffersDocumented[T any](write func(*fbr.Builder, *T) []byte) prepare[T] {
	return func(r *run[T]) func() {
		b := fbr.NewBuilder()
		if r.mem.local {
			return func() { r.out = write(b, r.src) }
		}
		return func() { r.out = r.mem.put(write(b, r.src)) }
	}
}

// flatbuffersExpert builds where the message is to lie.
func flatbuffersExpert[T any](write func(*fbr.Builder, *T) []byte) prepare[T] {
	return func(r *run[T]) func() {
		b := fbr.NewBuilderOver(r.mem.all)
		return func() { r.out = write(b, r.src) }
	}
}

// flatbuffersForm is the form of what write writes and read reads.
func flatbuffersForm[T any](write func(*fbr.Builder, *T) []byte, read func([]byte, *T)) *form[T] {
	return &form[T]{
		write: func(v *T) ([]byte, error) { return write(fbr.NewBuilder(), v), nil },
		read:  func(msg []byte, v *T) error { read(msg, v); return nil },
	}
}

func flatbuffersArrays() library[workload.ArraysData] {
	type R = run[workload.ArraysData]
	f := flatbuffersForm((*fbr.Builder).WriteArrays, fbr.ReadArrays)
	return library[workload.ArraysData]{FlatBuffers, []way[workload.ArraysData]{
		{Serialize, Documented, f, false, flatbuffersDocumented((*fbr.Builder).WriteArrays)},
		{Serialize, Expert, f, false, flatbuffersExpert((*fbr.Builder).WriteArraysExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { fbr.ReadArrays(r.msg, r.dst) } }},
		{Deserialize, Expert, f, false, func(r *R) func() { return func() { fbr.ReadArraysExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, f, true, func(r *R) func() { return func() { fbr.ViewArrays(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = fbr.SumArrays(r.msg) } }},
		{Traverse, Expert, f, false, func(r *R) func() { return func() { r.sum = fbr.SumArraysExpert(r.msg) } }},
	}}
}

func flatbuffersBuffers[T any](of func(*T) *workload.Buffers) library[T] {
	type R = run[T]
	write := func(b *fbr.Builder, v *T) []byte { return b.WriteBuffers(of(v)) }
	expert := func(b *fbr.Builder, v *T) []byte { return b.WriteBuffersExpert(of(v)) }
	f := flatbuffersForm(write, func(msg []byte, v *T) { fbr.ReadBuffers(msg, of(v)) })
	return library[T]{FlatBuffers, []way[T]{
		{Serialize, Documented, f, false, flatbuffersDocumented(write)},
		{Serialize, Expert, f, false, flatbuffersExpert(expert)},
		{Deserialize, Documented, f, false, func(r *R) func() {
			dst := of(r.dst)
			return func() { fbr.ReadBuffers(r.msg, dst) }
		}},
		{Deserialize, Expert, f, false, func(r *R) func() {
			dst := of(r.dst)
			return func() { fbr.ReadBuffersExpert(r.msg, dst) }
		}},
		{Deserialize, Alias, f, true, func(r *R) func() {
			dst := of(r.dst)
			return func() { fbr.ViewBuffers(r.msg, dst) }
		}},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = fbr.SumBuffers(r.msg) } }},
		{Traverse, Expert, f, false, func(r *R) func() { return func() { r.sum = fbr.SumBuffersExpert(r.msg) } }},
	}}
}

func flatbuffersStruct() library[workload.Struct] {
	type R = run[workload.Struct]
	f := flatbuffersForm((*fbr.Builder).WriteStruct, fbr.ReadStruct)
	x := flatbuffersForm((*fbr.Builder).WriteStructExpert, fbr.ReadStructExpert)
	return library[workload.Struct]{FlatBuffers, []way[workload.Struct]{
		{Serialize, Documented, f, false, flatbuffersDocumented((*fbr.Builder).WriteStruct)},
		{Serialize, Expert, x, false, flatbuffersExpert((*fbr.Builder).WriteStructExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { fbr.ReadStruct(r.msg, r.dst) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { fbr.ReadStructExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { r.dst = fbr.ViewStruct(r.msg) } }},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = fbr.SumStruct(r.msg) } }},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = fbr.SumStructExpert(r.msg) } }},
	}}
}

func flatbuffersMedia() library[workload.MediaContent] {
	return flatbuffersObject((*fbr.Builder).WriteMedia, (*fbr.Builder).WriteMediaExpert, fbr.ReadMedia, fbr.ReadMediaExpert, fbr.ViewMedia,
		fbr.SumMedia, fbr.SumMediaExpert)
}

func flatbuffersStruct2() library[workload.Struct2] {
	return flatbuffersObject((*fbr.Builder).WriteStruct2, (*fbr.Builder).WriteStruct2Expert, fbr.ReadStruct2, fbr.ReadStruct2Expert, fbr.ViewStruct2,
		fbr.SumStruct2, fbr.SumStruct2Expert)
}

func flatbuffersSample() library[workload.Sample] {
	return flatbuffersObject((*fbr.Builder).WriteSample, (*fbr.Builder).WriteSampleExpert, fbr.ReadSample, fbr.ReadSampleExpert, fbr.ViewSample,
		fbr.SumSample, fbr.SumSampleExpert)
}

// flatbuffersObject is the library of an object whose expert has a schema of his own.
func flatbuffersObject[T any](write, writeExpert func(*fbr.Builder, *T) []byte, read, readExpert, view func([]byte, *T), sum, sumExpert func([]byte) uint64) library[T] {
	type R = run[T]
	f, x := flatbuffersForm(write, read), flatbuffersForm(writeExpert, readExpert)
	return library[T]{FlatBuffers, []way[T]{
		{Serialize, Documented, f, false, flatbuffersDocumented(write)},
		{Serialize, Expert, x, false, flatbuffersExpert(writeExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { read(r.msg, r.dst) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { readExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { view(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = sum(r.msg) } }},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = sumExpert(r.msg) } }},
	}}
}

func flatbuffersCar() library[workload.Car] {
	return flatbuffersObject((*fbr.Builder).WriteCar, (*fbr.Builder).WriteCarExpert, fbr.ReadCar, fbr.ReadCarExpert, fbr.ViewCar, fbr.SumCar, fbr.SumCarExpert)
}

func flatbuffersComplex() library[workload.Complex] {
	return flatbuffersObject((*fbr.Builder).WriteComplex, (*fbr.Builder).WriteComplexExpert, fbr.ReadComplex, fbr.ReadComplexExpert, fbr.ViewComplex,
		fbr.SumComplex, fbr.SumComplexExpert)
}

func flatbuffersProgramme() library[workload.Programme] {
	return flatbuffersObject((*fbr.Builder).WriteProgramme, (*fbr.Builder).WriteProgrammeExpert, fbr.ReadProgramme, fbr.ReadProgrammeExpert, fbr.ViewProgramme,
		fbr.SumProgramme, fbr.SumProgrammeExpert)
}

func flatbuffersCatalogue() library[workload.Catalogue] {
	return flatbuffersObject((*fbr.Builder).WriteCatalogue, (*fbr.Builder).WriteCatalogueExpert, fbr.ReadCatalogue, fbr.ReadCatalogueExpert, fbr.ViewCatalogue,
		fbr.SumCatalogue, fbr.SumCatalogueExpert)
}

package suite

import (
	cpr "github.com/ashlar-go/ashlar/bench/rival/capnproto"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// capnprotoDocumented builds in the library's pooled memory and marshals to the
// heap; off the heap the finished message is copied to where it is to lie.
func capnprotoDocumented[T any](write func(*cpr.Builder, *T) ([]byte, error)) prepare[T] {
	return func(r *run[T]) func() {
		b := new(cpr.Builder)
		if r.mem.local {
			return func() {
				msg, err := write(b, r.src)
				must(err)
				r.out = msg
			}
		}
		return func() {
			msg, err := write(b, r.src)
			must(err)
			r.out = r.mem.put(msg)
		}
	}
}

// capnprotoExpert builds where the message is to lie.
func capnprotoExpert[T any](write func(*cpr.BuilderOver, *T) ([]byte, error)) prepare[T] {
	return func(r *run[T]) func() {
		b := cpr.NewBuilderOver(r.mem.all)
		return func() {
			msg, err := write(b, r.src)
			must(err)
			r.out = msg
		}
	}
}

// capnprotoForm is the form of what write writes and read reads.
func capnprotoForm[T any](write func(*cpr.Builder, *T) ([]byte, error), read func([]byte, *T) error) *form[T] {
	return &form[T]{
		write: func(v *T) ([]byte, error) { return write(new(cpr.Builder), v) },
		read:  read,
	}
}

func capnprotoArrays() library[workload.ArraysData] {
	type R = run[workload.ArraysData]
	f := capnprotoForm((*cpr.Builder).WriteArrays, cpr.ReadArrays)
	return library[workload.ArraysData]{CapnProto, []way[workload.ArraysData]{
		{Serialize, Documented, f, false, capnprotoDocumented((*cpr.Builder).WriteArrays)},
		{Serialize, Expert, f, false, capnprotoExpert((*cpr.BuilderOver).WriteArraysExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { must(cpr.ReadArrays(r.msg, r.dst)) } }},
		{Deserialize, Expert, f, false, func(r *R) func() { return func() { cpr.ReadArraysExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, f, true, func(r *R) func() {
			var booleans cpr.Bits
			r.settle = func() {
				r.dst.Booleans = make([]bool, booleans.Len)
				booleans.Unpack(r.dst.Booleans)
			}
			return func() {
				r.dst.Booleans = nil
				booleans = cpr.ViewArrays(r.msg, r.dst)
			}
		}},
		{Traverse, Documented, f, false, func(r *R) func() {
			return func() {
				sum, err := cpr.SumArrays(r.msg)
				must(err)
				r.sum = sum
			}
		}},
		{Traverse, Expert, f, false, func(r *R) func() { return func() { r.sum = cpr.SumArraysExpert(r.msg) } }},
	}}
}

func capnprotoBuffers[T any](of func(*T) *workload.Buffers) library[T] {
	type R = run[T]
	write := func(b *cpr.Builder, v *T) ([]byte, error) { return b.WriteBuffers(of(v)) }
	expert := func(b *cpr.BuilderOver, v *T) ([]byte, error) { return b.WriteBuffersExpert(of(v)) }
	f := capnprotoForm(write, func(msg []byte, v *T) error { return cpr.ReadBuffers(msg, of(v)) })
	return library[T]{CapnProto, []way[T]{
		{Serialize, Documented, f, false, capnprotoDocumented(write)},
		{Serialize, Expert, f, false, capnprotoExpert(expert)},
		{Deserialize, Documented, f, false, func(r *R) func() {
			dst := of(r.dst)
			return func() { must(cpr.ReadBuffers(r.msg, dst)) }
		}},
		{Deserialize, Expert, f, false, func(r *R) func() {
			dst := of(r.dst)
			return func() { cpr.ReadBuffersExpert(r.msg, dst) }
		}},
		{Deserialize, Alias, f, true, func(r *R) func() {
			dst := of(r.dst)
			return func() { cpr.ViewBuffers(r.msg, dst) }
		}},
		{Traverse, Documented, f, false, func(r *R) func() {
			return func() {
				sum, err := cpr.SumBuffers(r.msg)
				must(err)
				r.sum = sum
			}
		}},
		{Traverse, Expert, f, false, func(r *R) func() { return func() { r.sum = cpr.SumBuffersExpert(r.msg) } }},
	}}
}

func capnprotoStruct() library[workload.Struct] {
	type R = run[workload.Struct]
	f := capnprotoForm((*cpr.Builder).WriteStruct, cpr.ReadStruct)
	x := &form[workload.Struct]{
		write: func(v *workload.Struct) ([]byte, error) {
			return cpr.NewBuilderOver(make([]byte, 1024)).WriteStructExpert(v)
		},
		read: func(msg []byte, v *workload.Struct) error { cpr.ReadStructExpert(msg, v); return nil },
	}
	return library[workload.Struct]{CapnProto, []way[workload.Struct]{
		{Serialize, Documented, f, false, capnprotoDocumented((*cpr.Builder).WriteStruct)},
		{Serialize, Expert, x, false, capnprotoExpert((*cpr.BuilderOver).WriteStructExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { must(cpr.ReadStruct(r.msg, r.dst)) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { cpr.ReadStructExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { r.dst = cpr.ViewStruct(r.msg) } }},
		{Traverse, Documented, f, false, func(r *R) func() {
			return func() {
				sum, err := cpr.SumStruct(r.msg)
				must(err)
				r.sum = sum
			}
		}},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = cpr.SumStructExpert(r.msg) } }},
	}}
}

func capnprotoMedia() library[workload.MediaContent] {
	return capnprotoObject((*cpr.Builder).WriteMedia, (*cpr.BuilderOver).WriteMediaExpert, cpr.ReadMedia, cpr.ReadMediaExpert, cpr.ViewMedia, cpr.SumMedia,
		cpr.SumMediaExpert)
}

func capnprotoStruct2() library[workload.Struct2] {
	type R = run[workload.Struct2]
	f := capnprotoForm((*cpr.Builder).WriteStruct2, cpr.ReadStruct2)
	x := &form[workload.Struct2]{
		write: func(v *workload.Struct2) ([]byte, error) {
			return cpr.NewBuilderOver(make([]byte, 1024)).WriteStruct2Expert(v)
		},
		read: func(msg []byte, v *workload.Struct2) error { cpr.ReadStruct2Expert(msg, v); return nil },
	}
	return library[workload.Struct2]{CapnProto, []way[workload.Struct2]{
		{Serialize, Documented, f, false, capnprotoDocumented((*cpr.Builder).WriteStruct2)},
		{Serialize, Expert, x, false, capnprotoExpert((*cpr.BuilderOver).WriteStruct2Expert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { must(cpr.ReadStruct2(r.msg, r.dst)) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { cpr.ReadStruct2Expert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { cpr.ViewStruct2(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() {
			return func() {
				sum, err := cpr.SumStruct2(r.msg)
				must(err)
				r.sum = sum
			}
		}},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = cpr.SumStruct2Expert(r.msg) } }},
	}}
}

func capnprotoSample() library[workload.Sample] {
	type R = run[workload.Sample]
	f := capnprotoForm((*cpr.Builder).WriteSample, cpr.ReadSample)
	x := &form[workload.Sample]{
		write: func(v *workload.Sample) ([]byte, error) {
			return cpr.NewBuilderOver(make([]byte, 1024)).WriteSampleExpert(v)
		},
		read: func(msg []byte, v *workload.Sample) error { cpr.ReadSampleExpert(msg, v); return nil },
	}
	return library[workload.Sample]{CapnProto, []way[workload.Sample]{
		{Serialize, Documented, f, false, capnprotoDocumented((*cpr.Builder).WriteSample)},
		{Serialize, Expert, x, false, capnprotoExpert((*cpr.BuilderOver).WriteSampleExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { must(cpr.ReadSample(r.msg, r.dst)) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { cpr.ReadSampleExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { cpr.ViewSample(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() {
			return func() {
				sum, err := cpr.SumSample(r.msg)
				must(err)
				r.sum = sum
			}
		}},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = cpr.SumSampleExpert(r.msg) } }},
	}}
}

// capnprotoObject is the library of an object. Its expert writes the same message, and reads it by hand.
func capnprotoObject[T any](write func(*cpr.Builder, *T) ([]byte, error), writeExpert func(*cpr.BuilderOver, *T) ([]byte, error), read func([]byte, *T) error,
	readExpert, view func([]byte, *T), sum func([]byte) (uint64, error), sumExpert func([]byte) uint64) library[T] {
	type R = run[T]
	f := capnprotoForm(write, read)
	return library[T]{CapnProto, []way[T]{
		{Serialize, Documented, f, false, capnprotoDocumented(write)},
		{Serialize, Expert, f, false, capnprotoExpert(writeExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { must(read(r.msg, r.dst)) } }},
		{Deserialize, Expert, f, false, func(r *R) func() { return func() { readExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, f, true, func(r *R) func() { return func() { view(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = must1(sum(r.msg)) } }},
		{Traverse, Expert, f, false, func(r *R) func() { return func() { r.sum = sumExpert(r.msg) } }},
	}}
}

func capnprotoCar() library[workload.Car] {
	return capnprotoObject((*cpr.Builder).WriteCar, (*cpr.BuilderOver).WriteCarExpert, cpr.ReadCar, cpr.ReadCarExpert, cpr.ViewCar, cpr.SumCar, cpr.SumCarExpert)
}

func capnprotoComplex() library[workload.Complex] {
	return capnprotoObject((*cpr.Builder).WriteComplex, (*cpr.BuilderOver).WriteComplexExpert, cpr.ReadComplex, cpr.ReadComplexExpert, cpr.ViewComplex,
		cpr.SumComplex, cpr.SumComplexExpert)
}

func capnprotoProgramme() library[workload.Programme] {
	return capnprotoObject((*cpr.Builder).WriteProgramme, (*cpr.BuilderOver).WriteProgrammeExpert, cpr.ReadProgramme, cpr.ReadProgrammeExpert, cpr.ViewProgramme,
		cpr.SumProgramme, cpr.SumProgrammeExpert)
}

func capnprotoCatalogue() library[workload.Catalogue] {
	return capnprotoObject((*cpr.Builder).WriteCatalogue, (*cpr.BuilderOver).WriteCatalogueExpert, cpr.ReadCatalogue, cpr.ReadCatalogueExpert, cpr.ViewCatalogue,
		cpr.SumCatalogue, cpr.SumCatalogueExpert)
}

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
	type R = run[workload.MediaContent]
	f := flatbuffersForm((*fbr.Builder).WriteMedia, fbr.ReadMedia)
	x := flatbuffersForm((*fbr.Builder).WriteMediaExpert, fbr.ReadMediaExpert)
	return library[workload.MediaContent]{FlatBuffers, []way[workload.MediaContent]{
		{Serialize, Documented, f, false, flatbuffersDocumented((*fbr.Builder).WriteMedia)},
		{Serialize, Expert, x, false, flatbuffersExpert((*fbr.Builder).WriteMediaExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { fbr.ReadMedia(r.msg, r.dst) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { fbr.ReadMediaExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { fbr.ViewMedia(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = fbr.SumMedia(r.msg) } }},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = fbr.SumMediaExpert(r.msg) } }},
	}}
}

func flatbuffersStruct2() library[workload.Struct2] {
	type R = run[workload.Struct2]
	f := flatbuffersForm((*fbr.Builder).WriteStruct2, fbr.ReadStruct2)
	x := flatbuffersForm((*fbr.Builder).WriteStruct2Expert, fbr.ReadStruct2Expert)
	return library[workload.Struct2]{FlatBuffers, []way[workload.Struct2]{
		{Serialize, Documented, f, false, flatbuffersDocumented((*fbr.Builder).WriteStruct2)},
		{Serialize, Expert, x, false, flatbuffersExpert((*fbr.Builder).WriteStruct2Expert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { fbr.ReadStruct2(r.msg, r.dst) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { fbr.ReadStruct2Expert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { fbr.ViewStruct2(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = fbr.SumStruct2(r.msg) } }},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = fbr.SumStruct2Expert(r.msg) } }},
	}}
}

func flatbuffersSample() library[workload.Sample] {
	type R = run[workload.Sample]
	f := flatbuffersForm((*fbr.Builder).WriteSample, fbr.ReadSample)
	x := flatbuffersForm((*fbr.Builder).WriteSampleExpert, fbr.ReadSampleExpert)
	return library[workload.Sample]{FlatBuffers, []way[workload.Sample]{
		{Serialize, Documented, f, false, flatbuffersDocumented((*fbr.Builder).WriteSample)},
		{Serialize, Expert, x, false, flatbuffersExpert((*fbr.Builder).WriteSampleExpert)},
		{Deserialize, Documented, f, false, func(r *R) func() { return func() { fbr.ReadSample(r.msg, r.dst) } }},
		{Deserialize, Expert, x, false, func(r *R) func() { return func() { fbr.ReadSampleExpert(r.msg, r.dst) } }},
		{Deserialize, Alias, x, true, func(r *R) func() { return func() { fbr.ViewSample(r.msg, r.dst) } }},
		{Traverse, Documented, f, false, func(r *R) func() { return func() { r.sum = fbr.SumSample(r.msg) } }},
		{Traverse, Expert, x, false, func(r *R) func() { return func() { r.sum = fbr.SumSampleExpert(r.msg) } }},
	}}
}

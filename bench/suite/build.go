package suite

import (
	cpr "github.com/ashlar-go/ashlar/bench/rival/capnproto"
	fbr "github.com/ashlar-go/ashlar/bench/rival/flatbuffers"
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
)

// op=build generates a value straight into a message where that is to lie. What it is held against generates the
// same into Go slices that are there.
var built = &subject[workload.ArraysData]{
	bench: Arrays,
	data:  PrimitiveArray,
	sizes: Sizes,
	make:  workload.NewGenerated,
	alter: arrays.alter,
	equal: (*workload.ArraysData).Equal,
	libs: []library[workload.ArraysData]{
		{Ashlar, []way[workload.ArraysData]{{Build, InPlace, ashlarForm[workload.ArraysData](), false, buildAshlar}}},
		{FlatBuffers, []way[workload.ArraysData]{
			{Build, Documented, documentedForm(flatbuffersArrays()), false, func(r *run[workload.ArraysData]) func() {
				return flatbuffersDocumented(func(b *fbr.Builder, v *workload.ArraysData) []byte { return b.BuildArrays(len(v.Ints)) })(r)
			}},
			{Build, Expert, documentedForm(flatbuffersArrays()), false, func(r *run[workload.ArraysData]) func() {
				return flatbuffersExpert(func(b *fbr.Builder, v *workload.ArraysData) []byte { return b.BuildArraysExpert(len(v.Ints)) })(r)
			}},
		}},
		{CapnProto, []way[workload.ArraysData]{
			{Build, Documented, documentedForm(capnprotoArrays()), false, func(r *run[workload.ArraysData]) func() {
				return capnprotoDocumented(func(b *cpr.Builder, v *workload.ArraysData) ([]byte, error) { return b.BuildArrays(len(v.Ints)) })(r)
			}},
			{Build, Expert, documentedForm(capnprotoArrays()), false, func(r *run[workload.ArraysData]) func() {
				return capnprotoExpert(func(b *cpr.BuilderOver, v *workload.ArraysData) ([]byte, error) {
					return b.BuildArraysExpert(len(v.Ints))
				})(r)
			}},
		}},
		{Slices, []way[workload.ArraysData]{{Build, Direct, ashlarForm[workload.ArraysData](), false, buildSlices}}},
	},
}

func buildAshlar(r *run[workload.ArraysData]) func() {
	c, h, n := format.MustFor[workload.ArraysData](), newArraysHandles(), len(r.src.Ints)
	buf := r.mem.buf
	return func() {
		buf.Reset()
		b, err := c.Build(buf)
		must(err)
		b.Dirty() // all of it is filled in
		d := b.Root()
		a := workload.ArraysData{Booleans: must1(h.booleans.Make(d, n)), Bytes: must1(h.octets.Make(d, n)), Ints: must1(h.ints.Make(d, n)),
			Longs: must1(h.longs.Make(d, n)), Doubles: must1(h.doubles.Make(d, n))}
		a.Generate()
		r.out, err = b.Finish()
		must(err)
	}
}

// buildSlices fills slices, which are made a message to be checked.
func buildSlices(r *run[workload.ArraysData]) func() {
	c := format.MustFor[workload.ArraysData]()
	r.settle = func() {
		r.out = r.mem.put(must1(c.Append(nil, r.src)))
		*r.src = workload.MakeArrays(len(r.src.Ints))
	}
	return func() { r.src.Generate() }
}

// summedSlices adds the elements of the Go slices themselves, beside what others reach through a message.
func summedSlices() library[workload.ArraysData] {
	return library[workload.ArraysData]{Slices, []way[workload.ArraysData]{
		{Traverse, Direct, ashlarForm[workload.ArraysData](), false, func(r *run[workload.ArraysData]) func() {
			return func() { r.sum = r.src.Sum() }
		}},
	}}
}

package suite

import (
	"reflect"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/workload"
)

var structs = &subject[workload.Struct]{
	bench: Objects,
	data:  Struct,
	make:  func(int) *workload.Struct { return workload.NewStruct() },
	alter: func(v *workload.Struct) { v.F97++ },
	equal: func(a, b *workload.Struct) bool { return *a == *b },
	sum:   (*workload.Struct).Sum,
	parts: func(v *workload.Struct, visit func([]byte, bool)) { visit(raw.StructBytes(v), false) },
	libs: []library[workload.Struct]{
		// A struct that is decoded into is the caller's: there is nothing to share.
		ashlarLibrary[workload.Struct](false, (*workload.Struct).Sum),
		flatbuffersStruct(),
		capnprotoStruct(),
		memmoveStruct(),
	},
}

var media = &subject[workload.MediaContent]{
	bench: Objects,
	data:  MediaContent,
	make:  func(int) *workload.MediaContent { return workload.NewMediaContent() },
	alter: func(v *workload.MediaContent) { v.Images[2].Height++ },
	equal: func(a, b *workload.MediaContent) bool { return cmp.Equal(a, b) },
	sum:   (*workload.MediaContent).Sum,
	parts: mediaParts,
	libs: []library[workload.MediaContent]{
		viewing(ashlarLibrary[workload.MediaContent](true, (*workload.MediaContent).Sum), viewMedia(),
			traversal(Expert, mediaExpertForm(), viewMediaExpert())),
		flatbuffersMedia(),
		capnprotoMedia(),
		memmoveMessage((*workload.MediaContent).Sum),
		created(workload.NewMediaContent),
	},
}

var structs2 = newStructs2(Struct2, workload.NewStruct2)

// structs2Nil differs by what is absent.
var structs2Nil = newStructs2(Struct2Nil, workload.NewStruct2Nil)

func newStructs2(data string, newValue func() *workload.Struct2) *subject[workload.Struct2] {
	return &subject[workload.Struct2]{
		bench: Objects,
		data:  data,
		make:  func(int) *workload.Struct2 { return newValue() },
		alter: func(v *workload.Struct2) { *v.F97++ },
		equal: func(a, b *workload.Struct2) bool { return cmp.Equal(a, b) },
		sum:   (*workload.Struct2).Sum,
		parts: struct2Parts,
		libs: []library[workload.Struct2]{
			ashlarLibrary(true, (*workload.Struct2).Sum),
			flatbuffersStruct2(),
			capnprotoStruct2(),
			memmoveStruct2(),
		},
	}
}

var sample = &subject[workload.Sample]{
	bench: Objects,
	data:  Sample,
	make:  func(int) *workload.Sample { return workload.NewSample() },
	alter: alterSample,
	equal: equalSamples,
	sum:   (*workload.Sample).Sum,
	parts: sampleParts,
	libs: []library[workload.Sample]{
		ashlarLibrary(true, (*workload.Sample).Sum),
		flatbuffersSample(),
		capnprotoSample(),
		memmoveSample(),
	},
}

// created makes the value itself, which is what serializing starts from.
func created[T any](newValue func() *T) library[T] {
	return library[T]{Go, []way[T]{
		{Create, New, ashlarForm[T](), false, func(r *run[T]) func() { return func() { r.dst = newValue() } }},
	}}
}

// objects is the subject of a workload that has one size; libs are beside Ashlar.
func objects[T any](data string, newValue func() *T, alter func(*T), sum func(*T) uint64, parts func(*T, func([]byte, bool)), libs ...library[T]) *subject[T] {
	return &subject[T]{
		bench: Objects,
		data:  data,
		make:  func(int) *T { return newValue() },
		alter: alter,
		equal: equalObjects[T],
		sum:   sum,
		parts: parts,
		libs:  append([]library[T]{ashlarLibrary(true, sum)}, append(libs, memmoveMessage(sum))...),
	}
}

var (
	car        = newCars(Car, workload.NewCar)
	carLarge   = newCars(CarLarge, workload.NewCarLarge)
	complexes  = objects(Complex, workload.NewComplex, func(v *workload.Complex) { v.Attr3++ }, (*workload.Complex).Sum, complexParts, flatbuffersComplex(), capnprotoComplex())
	programme  = objects(TV, workload.NewProgramme, alterProgramme, (*workload.Programme).Sum, programmeParts, flatbuffersProgramme(), capnprotoProgramme())
	programmes = catalogues(objects(TVCatalogue, workload.NewCatalogue, func(v *workload.Catalogue) { alterProgramme(v.Programmes[workload.CatalogueSize-1]) },
		(*workload.Catalogue).Sum, catalogueParts, flatbuffersCatalogue(), capnprotoCatalogue()))
)

// equalObjects takes nil for empty. Its first half is faster, and mostly enough.
func equalObjects[T any](a, b *T) bool {
	return reflect.DeepEqual(a, b) || cmp.Equal(a, b, cmpopts.EquateEmpty())
}

// catalogues compares one programme after another: all at once takes seconds where one differs.
func catalogues(s *subject[workload.Catalogue]) *subject[workload.Catalogue] {
	s.equal = func(a, b *workload.Catalogue) bool {
		return slices.EqualFunc(a.Programmes, b.Programmes, equalObjects)
	}
	return s
}

func newCars(data string, newValue func() *workload.Car) *subject[workload.Car] {
	return objects(data, newValue, func(v *workload.Car) { v.Timestamp++ }, (*workload.Car).Sum, carParts, flatbuffersCar(), capnprotoCar())
}

func alterProgramme(p *workload.Programme) { p.Reviews[0].Stars++ }

func carParts(v *workload.Car, visit func([]byte, bool)) {
	for _, s := range []*string{&v.Name, &v.Description, &v.Article} {
		visit(raw.StringBytes(*s), false)
	}
}

func complexParts(v *workload.Complex, visit func([]byte, bool)) {
	visit(raw.StringBytes(v.Attr9), false)
	visit(raw.Bytes(v.Attr10), false)
	for _, s := range v.Attr11 {
		visit(raw.StringBytes(s), false)
	}
}

func catalogueParts(v *workload.Catalogue, visit func([]byte, bool)) {
	for _, p := range v.Programmes {
		programmeParts(p, visit)
	}
}

func programmeParts(p *workload.Programme, visit func([]byte, bool)) {
	all := []string{p.Title, p.Synopsis, p.Channel.Name}
	for _, c := range p.Credits {
		all = append(all, c.Name, c.Role)
	}
	for _, r := range p.Reviews {
		all = append(all, r.Author, r.Text)
	}
	for _, s := range append(all, p.Genres...) {
		visit(raw.StringBytes(s), false)
	}
}

func alterSample(v *workload.Sample) { v.ShortArray[8]++ }

// equalSamples wants both or neither to point at themselves.
func equalSamples(a, b *workload.Sample) bool {
	return cmp.Equal(a, b) && (a.Sample == a) == (b.Sample == b)
}

// mediaParts visits the strings.
func mediaParts(v *workload.MediaContent, visit func([]byte, bool)) {
	one := func(s *string) {
		if s != nil {
			visit(raw.StringBytes(*s), false)
		}
	}
	if m := v.Media; m != nil {
		one(&m.URI)
		one(m.Title)
		one(&m.Format)
		one(m.Copyright)
		for i := range m.Persons {
			one(&m.Persons[i])
		}
	}
	for _, im := range v.Images {
		one(&im.URI)
		one(im.Title)
	}
}

// struct2Parts visits the values.
func struct2Parts(v *workload.Struct2, visit func([]byte, bool)) {
	p := reflect.ValueOf(v).Elem()
	for i := range p.NumField() {
		switch f := p.Field(i).Interface().(type) {
		case *int32:
			part(f, visit)
		case *int64:
			part(f, visit)
		case *float32:
			part(f, visit)
		case *float64:
			part(f, visit)
		}
	}
}

// sampleParts visits what is boxed, the arrays and the string.
func sampleParts(v *workload.Sample, visit func([]byte, bool)) {
	part(v.IntValueBoxed, visit)
	part(v.LongValueBoxed, visit)
	part(v.FloatValueBoxed, visit)
	part(v.DoubleValueBoxed, visit)
	part(v.ShortValueBoxed, visit)
	part(v.CharValueBoxed, visit)
	if v.BooleanValueBoxed != nil {
		visit(raw.StructBytes(v.BooleanValueBoxed), true)
	}
	visit(raw.Bytes(v.IntArray), false)
	visit(raw.Bytes(v.LongArray), false)
	visit(raw.Bytes(v.FloatArray), false)
	visit(raw.Bytes(v.DoubleArray), false)
	visit(raw.Bytes(v.ShortArray), false)
	visit(raw.Bytes(v.CharArray), false)
	visit(raw.Bytes(v.BooleanArray), true)
	visit(raw.StringBytes(v.String), false)
}

// part visits a number behind a pointer.
func part[T raw.Scalar](p *T, visit func([]byte, bool)) {
	if p != nil {
		visit(raw.StructBytes(p), false)
	}
}

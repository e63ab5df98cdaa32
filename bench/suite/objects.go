package suite

import (
	"github.com/google/go-cmp/cmp"

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
		ashlarLibrary[workload.MediaContent](true, (*workload.MediaContent).Sum),
		flatbuffersMedia(),
		capnprotoMedia(),
		memmoveMedia(),
	},
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

package suite

import (
	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
)

// The rivals have no part in what follows. FlatBuffers and Cap'n Proto have no
// references that are shared: a reader sees a tree, and what was one object comes
// back as several. A Sample that points at itself they cannot write at all.

var mediaWithRefs = &subject[workload.MediaContent]{
	bench: Objects,
	data:  MediaContent,
	refs:  true,
	make:  func(int) *workload.MediaContent { return workload.NewMediaContentRefs() },
	alter: func(v *workload.MediaContent) { v.Images[2].Height++ },
	equal: func(a, b *workload.MediaContent) bool { return cmp.Equal(a, b) && oneFilm(a) == oneFilm(b) },
	sum:   (*workload.MediaContent).Sum,
	parts: mediaParts,
	libs: []library[workload.MediaContent]{
		ashlarLibrary(true, (*workload.MediaContent).Sum, format.WithRefs()),
		memmoveMessage((*workload.MediaContent).Sum, format.WithRefs()),
	},
}

// oneFilm reports whether all images point at the same film.
func oneFilm(v *workload.MediaContent) bool {
	for _, im := range v.Images {
		if im.Media != v.Media {
			return false
		}
	}
	return true
}

var sampleWithRefs = &subject[workload.Sample]{
	bench: Objects,
	data:  Sample,
	refs:  true,
	make:  func(int) *workload.Sample { return workload.NewSampleRefs() },
	alter: alterSample,
	equal: equalSamples,
	sum:   (*workload.Sample).Sum,
	parts: sampleParts,
	libs: []library[workload.Sample]{
		ashlarLibrary(true, (*workload.Sample).Sum, format.WithRefs()),
		memmoveSample(format.WithRefs()),
	},
}

func mediaRefs(op, kind string) []Case  { return mediaWithRefs.cases(op, kind) }
func sampleRefs(op, kind string) []Case { return sampleWithRefs.cases(op, kind) }

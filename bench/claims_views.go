package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// viewChapters are the claims about reading without decoding and building in place.
var viewChapters = []chapter{
	{"one field", fieldClaims()},
	{"one field of a message of another version / of the same", evolvedFieldClaims()},
	{"traverse through a view", []claim{
		atMost(1.1, "PRIMITIVE_ARRAY n=5000 / Go slices",
			arrayCase(suite.Traverse, 5000, suite.View, suite.Ashlar), arrayCase(suite.Traverse, 5000, suite.Direct, suite.Slices)),
		atMost(1, "every field of MEDIA_CONTENT / FlatBuffers",
			objectCase(suite.Traverse, suite.MediaContent, suite.View, suite.Ashlar), objectCase(suite.Traverse, suite.MediaContent, suite.Documented, suite.FlatBuffers)),
		atMost(1, "the same, each with an expert's own schema",
			objectCase(suite.Traverse, suite.MediaContent, suite.Expert, suite.Ashlar), objectCase(suite.Traverse, suite.MediaContent, suite.Expert, suite.FlatBuffers)),
	}},
	{"build PRIMITIVE_ARRAY in place, n=5000", []claim{
		atMost(1.05, "Ashlar / generating into Go slices",
			arrayCase(suite.Build, 5000, suite.InPlace, suite.Ashlar), arrayCase(suite.Build, 5000, suite.Direct, suite.Slices)),
		atMost(1, "Ashlar / FlatBuffers by an expert",
			arrayCase(suite.Build, 5000, suite.InPlace, suite.Ashlar), arrayCase(suite.Build, 5000, suite.Expert, suite.FlatBuffers)),
		atMost(1, "Ashlar / Cap'n Proto by an expert",
			arrayCase(suite.Build, 5000, suite.InPlace, suite.Ashlar), arrayCase(suite.Build, 5000, suite.Expert, suite.CapnProto)),
	}},
}

// readFields are those that claims are about.
var readFields = []struct{ data, field string }{
	{suite.Struct, "F49"}, {suite.Struct, "F52"},
	{suite.MediaContent, "Media.URI"}, {suite.MediaContent, "Media.Duration"}, {suite.MediaContent, "Images[2].Width"},
}

func fieldCase(data, field, way, lib string) suite.Name {
	name := objectCase(suite.Field, data, way, lib)
	name.Type = field
	return name
}

// atMostBetter claims a bound on the ratio to what is the faster, round by round, of FlatBuffers' documented and
// expert use.
func atMostBetter(bound float64, text string, name suite.Name) claim {
	return claim{text: text, bound: bound, ratios: func(r *report, buffer string) []float64 {
		name.Buffer = buffer
		got := r.Times(name)
		documented, expert := r.Times(name.With(suite.Documented, suite.FlatBuffers)), r.Times(name.With(suite.Expert, suite.FlatBuffers))
		n := min(len(got), len(documented), len(expert))
		better := make([]float64, n)
		for i := range better {
			better[i] = min(documented[i], expert[i])
		}
		return measure.Ratios(got[:n], better)
	}}
}

func fieldClaims() []claim {
	var claims []claim
	for _, f := range readFields {
		view := fieldCase(f.data, f.field, suite.View, suite.Ashlar)
		claims = append(claims, atMostBetter(1, fmt.Sprintf("%s %s / FlatBuffers", f.data, f.field), view))
	}
	for _, f := range readFields {
		view := fieldCase(f.data, f.field, suite.View, suite.Ashlar)
		claims = append(claims, atMost(0.2, fmt.Sprintf("%s %s / Cap'n Proto", f.data, f.field), view, view.With(suite.Documented, suite.CapnProto)))
	}
	return append(claims, atMost(1.15, "the last of 100,000 images / the first",
		fieldCase(suite.Media100K, suite.LastImage, suite.View, suite.Ashlar), fieldCase(suite.Media100K, suite.FirstImage, suite.View, suite.Ashlar)))
}

func evolvedFieldClaims() []claim {
	var claims []claim
	for _, f := range readFields {
		for _, mode := range append([]string{suite.Evolved}, suite.Edits...) {
			if f.data == suite.MediaContent && f.field != "Media.URI" && (mode == suite.Evolved || mode == suite.Added) {
				continue // that writer lacks it
			}
			same := fieldCase(f.data, f.field, suite.View, suite.Ashlar)
			other := same
			other.Mode = mode
			claims = append(claims, atMost(1.3, fmt.Sprintf("%s: %s %s", mode, f.data, f.field), other, same))
		}
	}
	return claims
}

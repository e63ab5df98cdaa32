package main

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// A claim is a bound on a ratio of this very run, which any machine should keep.
type claim struct {
	text    string
	bound   float64
	atLeast bool                                     // else at most
	ratios  func(r *report, buffer string) []float64 // round by round
}

// sign and limit are the claim's bound in words.
func (c *claim) sign() string {
	if c.atLeast {
		return "≥"
	}
	return "≤"
}

func (c *claim) limit() string { return fmt.Sprintf("%gx", c.bound) }

// find holds a claim against a run, in one kind of memory. It fails when the run
// has not measured what the claim is about.
func (c *claim) find(r *report, buffer string) (finding, bool) {
	return findingOf(c, c.ratios(r, buffer))
}

// A finding is a claim held against a run.
type finding struct {
	*claim
	measured float64 // the median
	best     float64 // of all rounds
}

func findingOf(c *claim, ratios []float64) (finding, bool) {
	if len(ratios) == 0 {
		return finding{}, false
	}
	best := slices.Min(ratios)
	if c.atLeast {
		best = slices.Max(ratios)
	}
	return finding{c, measure.FigureOf(ratios).Median, best}, true
}

func (f finding) ok() bool {
	if f.atLeast {
		return f.measured >= f.bound
	}
	return f.measured <= f.bound
}

// broken says that even the best round misses the bound by more than a factor of
// two, which no noise explains.
func (f finding) broken() bool {
	if f.atLeast {
		return f.best < f.bound/2
	}
	return f.best > f.bound*2
}

// arrayCase and objectCase name cases short of their buffer.
func arrayCase(op string, n int, way, lib string) suite.Name {
	return suite.Name{Bench: suite.Arrays, Op: op, Data: suite.PrimitiveArray, N: n, Way: way, Lib: lib}
}

func objectCase(op, data, way, lib string) suite.Name {
	return suite.Name{Bench: suite.Objects, Op: op, Data: data, Refs: suite.RefsOff, Mode: suite.Consistent, Way: way, Lib: lib}
}

// atMost and atLeast claim a bound on the ratio of two cases of one group.
func atMost(bound float64, text string, name, base suite.Name) claim {
	return claim{text: text, bound: bound, ratios: func(r *report, buffer string) []float64 {
		name.Buffer, base.Buffer = buffer, buffer
		return r.Ratios(name, base)
	}}
}

func atLeast(bound float64, text string, name, base suite.Name) claim {
	c := atMost(bound, text, name, base)
	c.atLeast = true
	return c
}

// checkedBools is how many times a memmove of the booleans their check may take.
const checkedBools = 6

// alias claims that an aliasing decode of data, in one way, takes no longer for 5,000 elements than bound times what
// it takes for 200, and beside that checkedBools memmoves of the large one's booleans, where it has any.
func alias(data, way string, bound float64) claim {
	const small, large = 200, 5000
	c := claim{text: fmt.Sprintf("alias n=%d / n=%d", large, small), bound: bound}
	if data == suite.PrimitiveArray {
		c.text = fmt.Sprintf("alias n=%d / (%gx n=%d + %dx copying bools)", large, bound, small, checkedBools)
		c.bound = 1
	}
	c.ratios = func(r *report, buffer string) []float64 {
		get := func(n int, way, lib string) []float64 {
			name := arrayCase(suite.Deserialize, n, way, lib)
			name.Data, name.Buffer = data, buffer
			return r.Times(name)
		}
		l, s := get(large, way, suite.Ashlar), get(small, way, suite.Ashlar)
		n := min(len(l), len(s))
		allowed := slices.Clone(s[:n])
		if data == suite.PrimitiveArray {
			bools := get(large, suite.Bools, suite.Memmove)
			n = min(n, len(bools))
			for i := range n {
				allowed[i] = bound*s[i] + checkedBools*bools[i]
			}
		}
		return measure.Ratios(l, allowed[:n])
	}
	return c
}

// A chapter is claims about one operation on one workload.
type chapter struct {
	title  string
	claims []claim
}

var chapters = append([]chapter{
	{"serialize PRIMITIVE_ARRAY", serializeArraysClaims()},
	{"deserialize PRIMITIVE_ARRAY", []claim{
		alias(suite.PrimitiveArray, suite.Alias, 1.2),
		atMost(1.3, "reuse / memmove, n=5000",
			arrayCase(suite.Deserialize, 5000, suite.Reuse, suite.Ashlar),
			arrayCase(suite.Deserialize, 5000, suite.Copy, suite.Memmove)),
		atMost(1.15, "copy / make and copy, n=5000",
			arrayCase(suite.Deserialize, 5000, suite.Copy, suite.Ashlar),
			arrayCase(suite.Deserialize, 5000, suite.MakeCopy, suite.Memmove)),
	}},
	{"deserialize BUFFER", []claim{alias(suite.Buffer, suite.Alias, 1.2)}},
	{"STRUCT", []claim{
		atMost(4, "serialize / memmove of its 800 bytes",
			objectCase(suite.Serialize, suite.Struct, suite.Contiguous, suite.Ashlar),
			objectCase(suite.Serialize, suite.Struct, suite.Copy, suite.Memmove)),
		atMost(2.5, "deserialize, copy / memmove of its 800 bytes",
			objectCase(suite.Deserialize, suite.Struct, suite.Copy, suite.Ashlar),
			objectCase(suite.Deserialize, suite.Struct, suite.Copy, suite.Memmove)),
	}},
	{"MEDIA_CONTENT", []claim{
		atMost(0.3, "serialize / FlatBuffers as documented",
			objectCase(suite.Serialize, suite.MediaContent, suite.Contiguous, suite.Ashlar),
			objectCase(suite.Serialize, suite.MediaContent, suite.Documented, suite.FlatBuffers)),
	}},
	{"STRUCT2", []claim{
		atMost(25, "serialize / memmove of 800 bytes",
			objectCase(suite.Serialize, suite.Struct2, suite.Contiguous, suite.Ashlar),
			objectCase(suite.Serialize, suite.Struct2, suite.Copy, suite.Memmove)),
		atMost(40, "alias / memmove of 800 bytes",
			objectCase(suite.Deserialize, suite.Struct2, suite.Alias, suite.Ashlar),
			objectCase(suite.Deserialize, suite.Struct2, suite.Copy, suite.Memmove)),
	}},
	{"SAMPLE", []claim{
		atMost(12, "serialize / memmove of 800 bytes",
			objectCase(suite.Serialize, suite.Sample, suite.Contiguous, suite.Ashlar),
			objectCase(suite.Serialize, suite.Sample, suite.Copy800, suite.Memmove)),
		atMost(20, "deserialize, reuse / memmove of 800 bytes",
			objectCase(suite.Deserialize, suite.Sample, suite.Reuse, suite.Ashlar),
			objectCase(suite.Deserialize, suite.Sample, suite.Copy800, suite.Memmove)),
	}},
}, slices.Concat(valueChapters, compatChapters, viewChapters)...)

func serializeArraysClaims() []claim {
	ashlar := func(n int) suite.Name { return arrayCase(suite.Serialize, n, suite.Contiguous, suite.Ashlar) }
	other := func(n int, way, lib string) suite.Name { return arrayCase(suite.Serialize, n, way, lib) }
	var claims []claim
	for i, n := range suite.Sizes {
		claims = append(claims, atMost([]float64{2.5, 1.5, 1.15}[i], fmt.Sprintf("Ashlar / memmove, n=%d", n),
			ashlar(n), other(n, suite.Copy, suite.Memmove)))
	}
	for _, n := range suite.Sizes {
		claims = append(claims, atMost(1.05, fmt.Sprintf("Ashlar / FlatBuffers by an expert, n=%d", n),
			ashlar(n), other(n, suite.Expert, suite.FlatBuffers)))
	}
	for _, n := range suite.Sizes {
		claims = append(claims, atMost(0.67, fmt.Sprintf("Ashlar / Cap'n Proto by an expert, n=%d", n),
			ashlar(n), other(n, suite.Expert, suite.CapnProto)))
	}
	for _, n := range suite.Sizes[1:] {
		claims = append(claims, atLeast(40, fmt.Sprintf("FlatBuffers as documented / Ashlar, n=%d", n),
			other(n, suite.Documented, suite.FlatBuffers), ashlar(n)))
	}
	for _, n := range suite.Sizes[1:] {
		claims = append(claims, atLeast(100, fmt.Sprintf("Cap'n Proto as documented / Ashlar, n=%d", n),
			other(n, suite.Documented, suite.CapnProto), ashlar(n)))
	}
	return claims
}

package measure

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// A Figure is a median, how sure it is and how far the values lie around it.
type Figure struct {
	Median float64
	Lo, Hi float64 // the interval in which the median is with a confidence of 95%; of few values the range of all
	Spread float64 // half the distance of the quartiles, as a part of the median
}

// Margin is half of the confidence interval, as a part of the median.
func (f Figure) Margin() float64 { return (f.Hi - f.Lo) / 2 / f.Median }

// FigureOf needs at least one value.
func FigureOf(values []float64) Figure {
	sample := benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
	v := sample.Values // sorted
	f := Figure{Median: Quantile(v, 0.5), Lo: v[0], Hi: v[len(v)-1]}
	f.Spread = (Quantile(v, 0.75) - Quantile(v, 0.25)) / 2 / f.Median
	if s := benchmath.AssumeNothing.Summary(sample, 0.95); !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) {
		f.Lo, f.Hi = s.Lo, s.Hi
	}
	return f
}

// Quantile interpolates between the two nearest of the sorted values.
func Quantile(v []float64, q float64) float64 {
	at := q * float64(len(v)-1)
	i := int(at)
	if i+1 == len(v) {
		return v[i]
	}
	return v[i] + (at-math.Trunc(at))*(v[i+1]-v[i])
}

// Ratios are the quotients of two cases, round by round.
func Ratios(times, base []float64) []float64 {
	r := make([]float64, min(len(times), len(base)))
	for i := range r {
		r[i] = times[i] / base[i]
	}
	return r
}

// A Set is all that a run has measured, to be looked up by name.
type Set struct {
	Results []Result
	byName  map[suite.Name]*Result
}

// NewSet makes the set of some results.
func NewSet(results []Result) *Set {
	s := &Set{results, make(map[suite.Name]*Result, len(results))}
	for i := range results {
		s.byName[results[i].Name] = &results[i]
	}
	return s
}

// Find returns the result of a case, nil when it was not measured.
func (s *Set) Find(name suite.Name) *Result { return s.byName[name] }

// Times returns the samples of a case, nil when it was not measured.
func (s *Set) Times(name suite.Name) []float64 {
	if res := s.byName[name]; res != nil {
		return res.Times
	}
	return nil
}

// Ratios are those of a case to another of its group, round by round. There are none where one was not measured.
func (s *Set) Ratios(name, base suite.Name) []float64 { return Ratios(s.Times(name), s.Times(base)) }

// Ratio is the figure of those ratios.
func (s *Set) Ratio(name, base suite.Name) (Figure, bool) {
	q := s.Ratios(name, base)
	if len(q) == 0 {
		return Figure{}, false
	}
	return FigureOf(q), true
}

// Spread returns the median of the spreads of all cases.
func (s *Set) Spread() float64 {
	if len(s.Results) == 0 {
		return 0
	}
	var all []float64
	for _, res := range s.Results {
		all = append(all, FigureOf(res.Times).Spread)
	}
	return FigureOf(all).Median
}

// BaseOf is the case that a case's ratio compares it with.
func BaseOf(n suite.Name) suite.Name {
	if n.Bench == suite.Maps {
		return n.With(suite.Contiguous, suite.ReflectSort)
	}
	if n.Bench == suite.Objects {
		n.Mode = suite.Consistent
	}
	switch n.Op {
	case suite.Build:
		return n.With(suite.Direct, suite.Slices)
	case suite.RoundTrip:
		return n.With(suite.Copy, suite.Ashlar)
	case suite.Field:
		return n.With(suite.Documented, suite.FlatBuffers)
	}
	return n.With(suite.Copy, suite.Memmove)
}

// Own is the case of Ashlar's that another one is held against: alias against alias, copies against copies, versions
// against the same version. It is false for what does less than Ashlar's do, and where there is none.
func (s *Set) Own(n suite.Name) (suite.Name, bool) {
	var ways []string // the first that was measured
	switch {
	case n.Way == suite.Gather || n.Way == suite.Bools || n.Way == suite.Copy800:
	case n.Op == suite.Serialize:
		ways = []string{suite.Contiguous}
	case n.Op == suite.Deserialize && (n.Way == suite.Alias || n.Way == suite.EvolvedAlias):
		ways = []string{suite.Alias}
	case n.Op == suite.Deserialize && (n.Way == suite.Reuse || n.Lib == suite.Memmove && n.Way == suite.Copy):
		ways = []string{suite.Reuse}
	case n.Op == suite.RoundTrip && n.Way == suite.Alias:
		ways = []string{suite.Alias, suite.Copy}
	case n.Op == suite.Deserialize, n.Op == suite.RoundTrip:
		ways = []string{suite.Copy}
	case n.Op == suite.Traverse && n.Way == suite.Expert:
		ways = []string{suite.Expert, suite.View, suite.Alias}
	case n.Op == suite.Traverse:
		ways = []string{suite.View, suite.Alias}
	case n.Op == suite.Field:
		ways = []string{suite.View}
	case n.Op == suite.Build:
		ways = []string{suite.InPlace}
	}
	if n.Bench == suite.Objects {
		n.Mode = suite.Consistent
	}
	for _, way := range ways {
		if o := n.With(way, suite.Ashlar); s.Find(o) != nil {
			return o, true
		}
	}
	return suite.Name{}, false
}

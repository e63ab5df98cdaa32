package main

import (
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// A figure is a median and how far the values lie around it.
type figure struct {
	median float64
	spread float64 // half the distance of the quartiles, as a part of the median
}

// figureOf needs at least one value.
func figureOf(values []float64) figure {
	v := slices.Sorted(slices.Values(values))
	m := quantile(v, 0.5)
	return figure{median: m, spread: (quantile(v, 0.75) - quantile(v, 0.25)) / 2 / m}
}

// quantile interpolates between the two nearest of the sorted values.
func quantile(v []float64, q float64) float64 {
	at := q * float64(len(v)-1)
	i := int(at)
	if i+1 == len(v) {
		return v[i]
	}
	return v[i] + (at-math.Trunc(at))*(v[i+1]-v[i])
}

// ratios are the quotients of two cases, round by round.
func ratios(times, base []float64) []float64 {
	r := make([]float64, min(len(times), len(base)))
	for i := range r {
		r[i] = times[i] / base[i]
	}
	return r
}

// A report is all that a run has measured, to be looked up by name.
type report struct {
	results []result
	byName  map[suite.Name]*result
}

func newReport(results []result) *report {
	r := &report{results, make(map[suite.Name]*result, len(results))}
	for i := range results {
		r.byName[results[i].Name] = &results[i]
	}
	return r
}

// times returns the samples of a case, nil when it was not measured.
func (r *report) times(name suite.Name) []float64 {
	if res := r.byName[name]; res != nil {
		return res.Times
	}
	return nil
}

// ratio compares a case with another of its group.
func (r *report) ratio(name, base suite.Name) (figure, bool) {
	q := ratios(r.times(name), r.times(base))
	if len(q) == 0 {
		return figure{}, false
	}
	return figureOf(q), true
}

// spread returns the median of the spreads of all cases.
func (r *report) spread() float64 {
	if len(r.results) == 0 {
		return 0
	}
	var s []float64
	for _, res := range r.results {
		s = append(s, figureOf(res.Times).spread)
	}
	return figureOf(s).median
}

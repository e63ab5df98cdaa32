package main

import (
	"context"
	"slices"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/internal/heap"
	"github.com/ashlar-go/ashlar/bench/measure"
)

// An exchangeReport is what was measured between two processes, to be looked up
// by name.
type exchangeReport struct {
	results []exchange.Result
	byName  map[exchange.Name]*exchange.Result
	missing error // why this system has no shared memory, nil when it has
}

func newExchangeReport(results []exchange.Result) *exchangeReport {
	r := &exchangeReport{results: results, byName: make(map[exchange.Name]*exchange.Result, len(results))}
	for i := range results {
		r.byName[results[i].Name] = &results[i]
	}
	return r
}

// measureExchange starts the second process, measures the cases and ends it.
func measureExchange(ctx context.Context, names []exchange.Name, p exchange.Plan, tick func(done float64, group exchange.Name)) (*exchangeReport, error) {
	if len(names) == 0 || ctx.Err() != nil {
		return newExchangeReport(nil), nil
	}
	defer heap.Ballast()()
	s, err := exchange.Start()
	if err != nil {
		return nil, err
	}
	results, err := exchange.Measure(ctx, s, names, p, tick)
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	r := newExchangeReport(results)
	r.missing = s.Missing(exchange.Shm)
	return r, nil
}

// times returns the ns for one message of each round, nil when the case was not
// measured.
func (r *exchangeReport) times(name exchange.Name) []float64 {
	res := r.byName[name]
	if res == nil {
		return nil
	}
	var times []float64
	for _, round := range res.Rounds {
		times = append(times, measure.PerMessage(round))
	}
	return times
}

// samples returns the ns of every message, in order of size.
func (r *exchangeReport) samples(name exchange.Name) []float64 {
	var all []float64
	if res := r.byName[name]; res != nil {
		for _, round := range res.Rounds {
			all = append(all, round.Samples...)
		}
	}
	slices.Sort(all)
	return all
}

// ratios are those of a case to another of its group, round by round.
func (r *exchangeReport) ratios(name, base exchange.Name) []float64 {
	return measure.Ratios(r.times(name), r.times(base))
}

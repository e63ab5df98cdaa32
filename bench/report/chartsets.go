package report

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// workloads say what the data are, in the order of the page.
var workloads = []struct{ data, text string }{
	{suite.PrimitiveArray, "slices of bool, int8, int32, int64 and float64, n elements each"},
	{suite.Buffer, "five byte slices of n bytes"},
	{suite.BufferStruct, "five byte slices of n bytes, in a struct"},
	{suite.Struct, "100 numbers, 800 bytes in Go"},
	{suite.Struct2, "100 pointers to numbers, all set"},
	{suite.Struct2Nil, "100 pointers to numbers, every third nil"},
	{suite.MediaContent, "a film and three stills: 9 strings, 15 numbers, a bool"},
	{suite.Media100K, "the same film with 100,000 stills"},
	{suite.Sample, "7 scalars, 7 behind pointers, 7 short arrays, a string"},
	{suite.Map, "n entries, in order of their keys"},
	{suite.Car, "a car"},
	{suite.CarLarge, "a car with long lists"},
	{suite.Complex, "a class of mixed fields"},
	{suite.TV, "a television programme"},
	{suite.TVCatalogue, "2,000 television programmes"},
}

// workloadText says what the data are, "" where it is not known.
func workloadText(data string) string {
	for _, w := range workloads {
		if w.data == data {
			return w.text
		}
	}
	return ""
}

// usual says that a case lies on the Go heap, tracks no references and meets no other versions, and that it does all of
// its operation.
func usual(n suite.Name) bool {
	return n.Buffer == suite.Heap && (n.Bench != suite.Objects || n.Refs == suite.RefsOff && n.Mode == suite.Consistent) &&
		n.Way != suite.Bools && n.Way != suite.Copy800
}

// rivalCharts are those of Ashlar beside FlatBuffers, Cap'n Proto and what needs no library.
func rivalCharts(runs []*run) []chartSet {
	with := most(runs, rival)
	if len(with) == 0 {
		return nil
	}
	r := with[0]
	var sets []chartSet
	add := func(set chartSet) {
		if len(set.Charts) != 0 {
			sets = append(sets, set)
		}
	}
	for _, op := range []string{suite.Serialize, suite.Deserialize, suite.Traverse, suite.Build} {
		for _, data := range []string{suite.PrimitiveArray, suite.Buffer} {
			add(r.bySize(op, data))
		}
	}
	add(r.fields(suite.Struct))
	add(r.fields(suite.MediaContent))
	add(r.fields(suite.Media100K))
	for _, w := range workloads {
		if r.has(func(n suite.Name) bool {
			return n.Bench == suite.Objects && n.Data == w.data && n.Op != suite.Field && rival(n)
		}) {
			add(r.byOperation(w.data, 0, suite.Serialize, suite.Deserialize, suite.Traverse))
		}
	}
	return sets
}

// bySize has a chart for each number of elements.
func (r *run) bySize(op, data string) chartSet {
	var titles []string
	var bars [][]bar
	for _, n := range suite.Sizes {
		titles = append(titles, "n = "+number(float64(n)))
		bars = append(bars, newBars(r, func(name suite.Name) bool {
			return usual(name) && name.Op == op && name.Data == data && name.N == n
		}))
	}
	return newSet(op+" "+data, data, r, titles, bars)
}

// fields has a chart for each field of an object.
func (r *run) fields(data string) chartSet {
	var titles []string
	for _, res := range r.Results {
		if res.Op == suite.Field && res.Data == data && !slices.Contains(titles, res.Type) {
			titles = append(titles, res.Type)
		}
	}
	var bars [][]bar
	for _, path := range titles {
		bars = append(bars, newBars(r, func(n suite.Name) bool {
			return usual(n) && n.Op == suite.Field && n.Data == data && n.Type == path
		}))
	}
	return newSet(suite.Field+" "+data, data, r, titles, bars)
}

// byOperation has a chart for each operation on a workload, of n elements where it has such.
func (r *run) byOperation(data string, n int, ops ...string) chartSet {
	var bars [][]bar
	for _, op := range ops {
		bars = append(bars, newBars(r, func(name suite.Name) bool {
			return usual(name) && name.Op == op && name.Data == data && name.N == n
		}))
	}
	title := data
	if n != 0 {
		title = fmt.Sprintf("%s, n = %s", data, number(float64(n)))
	}
	return newSet(title, data, r, ops, bars)
}

// wideCharts are those of Ashlar beside libraries that are none of the two rivals, by workload.
func wideCharts(runs []*run) []chartSet {
	with := most(runs, foreign)
	if len(with) == 0 {
		return nil
	}
	r := with[0]
	var sets []chartSet
	add := func(data string, n int) {
		set := r.byOperation(data, n, suite.Serialize, suite.Deserialize, suite.RoundTrip)
		if len(set.Charts) != 0 {
			set.Open = data == suite.MediaContent
			sets = append(sets, set)
		}
	}
	for _, w := range workloads {
		if !r.has(func(n suite.Name) bool { return n.Data == w.data && foreign(n) }) {
			continue
		}
		add(w.data, 0)
		for _, n := range suite.Sizes {
			add(w.data, n)
		}
	}
	return sets
}

// has says that the run has a case of those that keep picks.
func (r *run) has(keep func(suite.Name) bool) bool {
	return slices.ContainsFunc(r.Results, func(res measure.Result) bool { return keep(res.Name) })
}

// rival says that a case is of one of the two rivals.
func rival(n suite.Name) bool { return n.Lib == suite.FlatBuffers || n.Lib == suite.CapnProto }

// foreign says that a case is of a library from elsewhere that is none of the two rivals.
func foreign(n suite.Name) bool { return class(n.Lib) == "other" && !rival(n) }

package report

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// runTables are all cases of a run.
type runTables struct {
	Run    *run
	Tables []caseTable
}

// A caseTable has the cases of one operation on one workload.
type caseTable struct {
	Title, Text string
	Axes        []string // the heads of what tells one case from another
	Heads       []string // the heads of the figures
	Rows        []caseRow
}

// A caseRow is a case.
type caseRow struct {
	Class string
	Axes  []string // by the table's
	Cells []cell   // by the table's Heads
}

// tables lays out every case of the run, in the order of the operations.
func (r *run) tables() runTables {
	all := runTables{Run: r}
	for _, op := range []string{suite.Serialize, suite.Deserialize, suite.RoundTrip, suite.Traverse, suite.Field, suite.Build, suite.Create} {
		for _, w := range workloads {
			if t := r.table(op, w.data, w.text); len(t.Rows) != 0 {
				all.Tables = append(all.Tables, t)
			}
		}
	}
	if t := r.exchangeTable(); len(t.Rows) != 0 {
		all.Tables = append(all.Tables, t)
	}
	return all
}

// An axis is a level of the names.
type axis struct {
	head  string
	value func(suite.Name) string
}

// axes are the levels of the cases of one operation on one workload, those of the library aside.
func axes(n suite.Name) []axis {
	size := axis{"n", func(n suite.Name) string { return number(float64(n.N)) }}
	buffer := axis{"buffer", func(n suite.Name) string { return n.Buffer }}
	kind := func(head string) axis { return axis{head, func(n suite.Name) string { return n.Type }} }
	refs := axis{"refs", func(n suite.Name) string { return n.Refs }}
	mode := axis{"mode", func(n suite.Name) string { return n.Mode }}
	switch {
	case n.Bench == suite.Arrays:
		return []axis{size, buffer}
	case n.Bench == suite.Maps:
		return []axis{kind("type"), size, buffer}
	case n.Op == suite.Field:
		return []axis{kind("field"), buffer, refs, mode}
	}
	return []axis{buffer, refs, mode}
}

// figureHeads are the heads of a case's figures. The third one is what baseHead says.
var figureHeads = []string{"median", "margin", "", "÷ Ashlar", "allocs", "bytes allocated", "message", "+dfl"}

// baseHead names the ratio to what the cases are held against.
func baseHead(n suite.Name) string {
	base := measure.BaseOf(n)
	if base.Lib == suite.Memmove {
		return "÷ memmove"
	}
	return "÷ " + label(base.Lib, base.Way)
}

// table lays out the cases of one operation on one workload, those of one size side by side.
func (r *run) table(op, data, text string) caseTable {
	var results []measure.Result
	for _, res := range r.Results {
		if res.Op == op && res.Data == data {
			results = append(results, res)
		}
	}
	t := caseTable{Title: op + " " + data, Text: text}
	if len(results) == 0 {
		return t
	}
	slices.SortStableFunc(results, func(a, b measure.Result) int {
		return cmp.Or(cmp.Compare(a.N, b.N), cmp.Compare(a.Type, b.Type))
	})
	levels := slices.Concat(
		[]axis{{"library", func(n suite.Name) string { return libraryName(n.Lib) }}},
		axes(results[0].Name),
		[]axis{{"way", func(n suite.Name) string { return n.Way }}})
	for _, a := range levels {
		t.Axes = append(t.Axes, a.head)
	}
	t.Heads = slices.Clone(figureHeads)
	t.Heads[2] = baseHead(results[0].Name)
	for _, res := range results {
		row := caseRow{Class: class(res.Lib), Cells: r.figures(res)}
		for _, a := range levels {
			row.Axes = append(row.Axes, a.value(res.Name))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figures are a case's, by figureHeads.
func (r *run) figures(res measure.Result) []cell {
	f := measure.FigureOf(res.Times)
	base, against := blank, blank
	if b := measure.BaseOf(res.Name); b != res.Name {
		base = ratioCell(r.Ratio(res.Name, b))
	}
	if o, ok := r.Own(res.Name); ok && o != res.Name {
		against = ratioCell(r.Ratio(res.Name, o))
	}
	cells := []cell{
		timeCell(f), {Text: measure.SpreadText(f.Margin()), Noisy: noisy(f)}, base, against,
		countCell(res.Allocs), countCell(res.AllocBytes), blank, blank,
	}
	if res.Message != 0 {
		cells[6] = countCell(res.Message)
	}
	if res.Deflated != 0 {
		cells[7] = countCell(res.Deflated)
	}
	return cells
}

// exchangeTable lays out the cases between two processes.
func (r *run) exchangeTable() caseTable {
	t := caseTable{
		Title: "exchange between two processes", Text: "one writes, the other reads; ratios to Ashlar over shared memory",
		Axes:  []string{"library", "operation", "data", "n", "sent", "link", "way"},
		Heads: []string{"median", "margin", "÷ Ashlar, shm"},
	}
	times := make(map[exchange.Name][]float64)
	for _, res := range r.exchanged {
		for _, round := range res.Rounds {
			times[res.Name] = append(times[res.Name], measure.PerMessage(round))
		}
	}
	for _, res := range r.exchanged {
		n, f, against := res.Name, measure.FigureOf(times[res.Name]), blank
		base := n.Over(exchange.Shm, suite.Alias, suite.Ashlar)
		if q := measure.Ratios(times[n], times[base]); len(q) != 0 && n != base {
			against = ratioCell(measure.FigureOf(q), true)
		}
		sent := "at once"
		if n.Pace != 0 {
			sent = "every " + n.Pace.String()
		}
		t.Rows = append(t.Rows, caseRow{class(n.Lib), []string{libraryName(n.Lib), n.Op, n.Data, number(float64(n.N)), sent, n.Link, n.Way},
			[]cell{timeCell(f), {Text: measure.SpreadText(f.Margin()), Noisy: noisy(f)}, against}})
	}
	return t
}

package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// A comparison is what somebody has published, in the columns of the source, beside what was measured here of the same
// data.
type comparison struct {
	ID, Title string
	Source    []string
	Notes     []string
	Tables    []comparisonTable
	Missing   string // what to run where nothing was measured, if so
}

// A comparisonTable has measured columns and published ones.
type comparisonTable struct {
	Title     string
	Open      bool     // shown from the start
	Stubs     []string // heads of the rows' own columns
	Measured  []string // heads
	Published []string // heads
	Rows      []comparisonRow
	Reasons   []string // why there are dashes
}

// A comparisonRow is a row of both sides.
type comparisonRow struct {
	Class               string
	Stubs               []string
	As                  string // what the source calls the library of the published cells, where that is another name
	Measured, Published []cell
}

// runWide and runBench are the commands that measure what a comparison lacks.
const (
	runWide  = "cd bench/wide && go run . --profile full"
	runBench = "go run ./bench --profile full"
)

// comparisons holds the runs against the published tables.
func comparisons(runs []*run) ([]comparison, error) {
	var all []comparison
	for _, compare := range []func([]*run) (comparison, error){jvmSerializers, cars, foryObjects, foryZeroCopy, complexClass, television} {
		c, err := compare(runs)
		if err != nil {
			return nil, err
		}
		c.Tables[0].Open = true
		all = append(all, c)
	}
	return all, nil
}

// A contender is what a library does with a workload in one way, in both directions.
type contender struct {
	run                    *run
	lib, way               string
	serialize, deserialize *measure.Result // nil where not measured
	both                   *measure.Result
}

// contenders are those of a workload on the Go heap, the fastest there and back first. Each is taken from the first run
// that has it, of which the one with most libraries comes first.
func contenders(runs []*run, data string) []*contender {
	var all []*contender
	for _, r := range most(runs, func(n suite.Name) bool { return n.Data == data && contends(n) }) {
		for _, res := range r.Results {
			n := res.Name
			if n.Data != data || !contends(n) {
				continue
			}
			way := n.Way
			if way == suite.Contiguous {
				way = suite.Copy // what is written for all readers
			}
			i := slices.IndexFunc(all, func(c *contender) bool { return c.lib == n.Lib && c.way == way })
			if i >= 0 && all[i].run != r {
				continue
			}
			if i < 0 {
				i = len(all)
				all = append(all, &contender{run: r, lib: n.Lib, way: way})
			}
			all[i].add(r.Find(n))
		}
	}
	for _, c := range all {
		c.complete()
	}
	slices.SortStableFunc(all, func(a, b *contender) int { return cmp.Compare(a.time(), b.time()) })
	return all
}

// contends says that a case is one direction of a library's on the Go heap, or both.
func contends(n suite.Name) bool {
	return usual(n) && class(n.Lib) != "base" && (n.Op == suite.Serialize || n.Op == suite.Deserialize || n.Op == suite.RoundTrip)
}

// add takes a result of the contender.
func (c *contender) add(res *measure.Result) {
	switch res.Op {
	case suite.Serialize:
		c.serialize = res
	case suite.Deserialize:
		c.deserialize = res
	case suite.RoundTrip:
		c.both = res
	}
}

// complete takes Ashlar's message for those of its ways that differ in reading alone.
func (c *contender) complete() {
	if c.lib == suite.Ashlar && c.serialize == nil && c.deserialize != nil {
		n := c.deserialize.With(suite.Contiguous, suite.Ashlar)
		n.Op = suite.Serialize
		c.serialize = c.run.Find(n)
	}
}

// median is that of a result, 0 where there is none.
func median(res *measure.Result) float64 {
	if res == nil {
		return 0
	}
	return measure.FigureOf(res.Times).Median
}

// time is what both directions take: the sum where that is known, for every library, or else one of them.
func (c *contender) time() float64 {
	if c.serialize != nil && c.deserialize != nil {
		return median(c.serialize) + median(c.deserialize)
	}
	if c.both != nil {
		return median(c.both)
	}
	return 1e18 + median(c.serialize) + median(c.deserialize) // behind those that are known in both directions
}

// of shows a result by show, and a dash where there is none.
func of(res *measure.Result, show func(measure.Figure) cell) cell {
	if res == nil {
		return blank
	}
	return show(measure.FigureOf(res.Times))
}

// sum shows what both directions take, one after the other.
func (c *contender) sum() cell {
	if c.serialize == nil || c.deserialize == nil {
		return blank
	}
	s, d := measure.FigureOf(c.serialize.Times), measure.FigureOf(c.deserialize.Times)
	return cell{Text: number(s.Median + d.Median), Noisy: noisy(s) || noisy(d)}
}

// message is a result that says how long the message is.
func (c *contender) message() measure.Result {
	for _, res := range []*measure.Result{c.serialize, c.both, c.deserialize} {
		if res != nil {
			return *res
		}
	}
	return measure.Result{}
}

// size and deflated show how long the message is, and after DEFLATE.
func (c *contender) size() cell { return sizeCell(c.message().Message) }

func (c *contender) deflated() cell { return sizeCell(c.message().Deflated) }

func sizeCell(n int) cell {
	if n == 0 {
		return blank
	}
	return countCell(n)
}

// againstAshlar shows how many times as long there and back takes as with Ashlar, within one run.
func (c *contender) againstAshlar() cell {
	if c.both == nil {
		return blank
	}
	o, ok := c.run.Own(c.both.Name)
	if !ok || o == c.both.Name {
		return blank
	}
	return ratioCell(c.run.Ratio(c.both.Name, o))
}

// A sheet says how contenders and a published table are laid side by side.
type sheet struct {
	title     string
	published *published
	label     string   // the published column that has libraries
	columns   []string // the published ones that are shown
	heads     []string // what the page calls them
	measured  []string // heads
	cells     func(*contender) []cell
	same      map[string]string // by a contender's label, what the source calls that library
}

// lay lays out contenders: theirs first, each beside what is published of the same library, then what is published
// alone.
func (s sheet) lay(all []*contender) (comparisonTable, error) {
	t := comparisonTable{Title: s.title, Stubs: []string{"library"}, Measured: s.measured, Published: s.heads}
	rows := make(map[string][]string)
	for _, row := range s.published.rows {
		rows[s.published.text(row, s.label)] = row
	}
	beside := make(map[string]string) // by published library
	for _, c := range all {
		r := comparisonRow{Class: class(c.lib), Stubs: []string{label(c.lib, c.way) + "\u00a0·\u00a0" + c.run.Letter}, Measured: s.cells(c)}
		if name := s.same[c.lib+" "+c.way]; rows[name] != nil {
			cells, err := s.published.cells(rows[name], s.columns)
			if err != nil {
				return t, err
			}
			r.As, r.Published = name, cells
			if beside[name] == "" {
				beside[name] = label(c.lib, c.way)
			}
		} else {
			r.Published = []cell{{Text: dash, Span: len(s.columns)}}
		}
		t.Rows = append(t.Rows, r)
	}
	for _, row := range s.published.rows {
		name := s.published.text(row, s.label)
		if beside[name] != "" {
			continue
		}
		cells, err := s.published.cells(row, s.columns)
		if err != nil {
			return t, err
		}
		why := dash
		if near := s.near(name, all); near != "" {
			why = "see " + near
		}
		t.Rows = append(t.Rows, comparisonRow{"alone", []string{name}, "", []cell{{Text: why, Span: len(s.measured)}}, cells})
	}
	return t, nil
}

// near is a contender of the same format as a published library that has no row of its own beside it.
func (s sheet) near(name string, all []*contender) string {
	format := strings.ToLower(name)
	for _, cut := range []string{"/", "-", " "} {
		format, _, _ = strings.Cut(format, cut)
	}
	for _, c := range all {
		if c.lib == format {
			return label(c.lib, c.way)
		}
	}
	return ""
}

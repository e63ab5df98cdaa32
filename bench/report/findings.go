package report

import (
	"slices"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// findings are the ratios that sum the page up.
type findings struct {
	Run   *run // nil where no file has them
	Cards []card
	Rows  []findingRow
}

// Slower is in how many rows a rival's best way is faster than Ashlar, by the whole of its interval.
func (f findings) Slower() int {
	n := 0
	for _, r := range f.Rows {
		if r.slower {
			n++
		}
	}
	return n
}

// Lead is the first row that has all of its ratios, nil where none has.
func (f findings) Lead() *findingRow {
	for i, r := range f.Rows {
		if !slices.Contains(r.Cells[:], blank) {
			return &f.Rows[i]
		}
	}
	return nil
}

// A findingRow has the ratios of one operation: how many times as long the rivals take as Ashlar does, by the way that
// their documents show and by the best of theirs, and Ashlar as a memmove.
type findingRow struct {
	Title string
	Cells [5]cell // by the columns of findingColumns

	slower bool // a rival's best is surely faster than Ashlar
}

var findingColumns = [5]string{"FlatBuffers, documented", "FlatBuffers, best", "Cap’n Proto, documented", "Cap’n Proto, best", "Ashlar, of a memmove"}

// Columns are the heads of the rows' cells.
func (findings) Columns() [5]string { return findingColumns }

// A card shows the ratios of one row in large type.
type card struct {
	Title string
	Big   cell
	Of    string // what the big one is a ratio to
	Lines []cardLine
}

// A cardLine is a ratio of a card.
type cardLine struct {
	Text string
	Cell cell
}

// A question is what a findingRow answers.
type question struct {
	title string
	card  bool
	name  suite.Name // Ashlar's case
	// best are the ways of the rivals that do the same, of which the fastest counts; with the first one for what
	// their documents show, if that is among them.
	best []string
}

func questions() []question {
	array := func(title string, op string, n int, way string, best ...string) question {
		return question{title, false, suite.Name{Bench: suite.Arrays, Op: op, Data: suite.PrimitiveArray, N: n, Buffer: suite.Heap, Way: way, Lib: suite.Ashlar}, best}
	}
	object := func(title, op, data, path, way string, best ...string) question {
		return question{title, false, suite.Name{Bench: suite.Objects, Op: op, Data: data, Type: path, Buffer: suite.Heap, Refs: suite.RefsOff,
			Mode: suite.Consistent, Way: way, Lib: suite.Ashlar}, best}
	}
	both := []string{suite.Documented, suite.Expert}
	all := []question{
		array("Five arrays of 5,000 elements, serialized", suite.Serialize, 5000, suite.Contiguous, both...),
		object("MediaContent, serialized", suite.Serialize, suite.MediaContent, "", suite.Contiguous, both...),
		array("Five arrays of 5,000 elements, read in place", suite.Deserialize, 5000, suite.Alias, suite.Alias),
		object("One string of MediaContent, read in place", suite.Field, suite.MediaContent, "Media.URI", suite.View, both...),
	}
	for i := range all {
		all[i].card = true
	}
	return append(all,
		array("Five arrays of 200 elements, serialized", suite.Serialize, 200, suite.Contiguous, both...),
		array("Five arrays of 5,000, read by copying", suite.Deserialize, 5000, suite.Copy, both...),
		array("Five arrays of 5,000, built in place", suite.Build, 5000, suite.InPlace, both...),
		array("Five arrays of 5,000, every element summed", suite.Traverse, 5000, suite.View, both...),
		object("Struct of 100 numbers, serialized", suite.Serialize, suite.Struct, "", suite.Contiguous, both...),
		object("Struct of 100 numbers, read by copying", suite.Deserialize, suite.Struct, "", suite.Copy, both...),
		object("One number of the struct, read in place", suite.Field, suite.Struct, "F49", suite.View, both...),
		object("MediaContent, read by copying", suite.Deserialize, suite.MediaContent, "", suite.Copy, both...),
		object("MediaContent, there and back", suite.RoundTrip, suite.MediaContent, "", suite.Copy, both...),
		object("A car with many parts, there and back", suite.RoundTrip, suite.CarLarge, "", suite.Copy, both...),
		object("A television programme, there and back", suite.RoundTrip, suite.TV, "", suite.Copy, both...),
	)
}

// newFindings answers the questions from the run that has most of the rivals.
func newFindings(runs []*run) findings {
	with := most(runs, rival)
	if len(with) == 0 {
		return findings{}
	}
	f := findings{Run: with[0]}
	for _, q := range questions() {
		if f.Run.Find(q.name) == nil {
			continue
		}
		row := q.row(f.Run.Set)
		if row.empty() {
			continue
		}
		f.Rows = append(f.Rows, row)
		if q.card {
			f.Cards = append(f.Cards, row.card())
		}
	}
	return f
}

func (q question) row(s *measure.Set) findingRow {
	row := findingRow{Title: q.title}
	for i, lib := range []string{suite.FlatBuffers, suite.CapnProto} {
		row.Cells[2*i], row.Cells[2*i+1] = blank, blank
		if q.best[0] == suite.Documented {
			row.Cells[2*i] = intervalCell(s.Ratio(q.name.With(suite.Documented, lib), q.name))
		}
		best, ok := q.bestOf(s, lib)
		row.Cells[2*i+1] = intervalCell(best, ok)
		row.slower = row.slower || ok && best.Hi < 1
	}
	row.Cells[4] = blank
	if base := measure.BaseOf(q.name); base.Lib == suite.Memmove {
		row.Cells[4] = intervalCell(s.Ratio(q.name, base))
	}
	return row
}

// empty says that nothing was measured beside Ashlar.
func (r findingRow) empty() bool {
	return !slices.ContainsFunc(r.Cells[:], func(c cell) bool { return c != blank })
}

// bestOf is the least ratio of a rival's ways to Ashlar's.
func (q question) bestOf(s *measure.Set, lib string) (best measure.Figure, ok bool) {
	for _, way := range q.best {
		f, measured := s.Ratio(q.name.With(way, lib), q.name)
		if measured && (!ok || f.Median < best.Median) {
			best, ok = f, true
		}
	}
	return best, ok
}

// card shows the last ratio of a row in large type, or the first one where there is no memmove of the kind.
func (r findingRow) card() card {
	c := card{Title: r.Title, Big: r.Cells[4], Of: "as long as a memmove of the same bytes"}
	columns, rest := findingColumns[:4], r.Cells[:4]
	if c.Big == blank {
		c.Big, c.Of, columns, rest = r.Cells[0], "as long as Ashlar: FlatBuffers, documented", findingColumns[1:4], r.Cells[1:4]
	}
	for i, v := range rest {
		if v != blank {
			c.Lines = append(c.Lines, cardLine{columns[i], v})
		}
	}
	return c
}

package report

import (
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// foryRivals are the measured columns that both of Fory's tables have beside Ashlar's.
var foryRivals = [][2]string{
	{suite.FlatBuffers, suite.Documented}, {suite.FlatBuffers, suite.Expert},
	{suite.CapnProto, suite.Documented}, {suite.CapnProto, suite.Expert},
}

// foryBuffers are the kinds of memory by Fory's names for them.
var foryBuffers = map[string]string{"array": suite.Heap, "directBuffer": suite.OffHeap}

// A foryColumn is a measured column: a way of a library.
type foryColumn struct{ head, way, lib string }

// foryColumns are Ashlar's ways, then the rivals'.
func foryColumns(own ...string) []foryColumn {
	var all []foryColumn
	for _, way := range own {
		all = append(all, foryColumn{label(suite.Ashlar, way), way, suite.Ashlar})
	}
	for _, r := range foryRivals {
		all = append(all, foryColumn{label(r[0], r[1]), r[1], r[0]})
	}
	return all
}

// A forySheet says how the rows of one operation are laid out.
type forySheet struct {
	title        string
	published    *published
	stubs, shown []string // published columns: those that name a row, and the figures
	columns      []foryColumn
	run          *run                          // nil where nothing was measured
	name         func(row []string) suite.Name // of a row's cases, short of way and library
}

// lay lays the rows out as they are published.
func (s forySheet) lay() (comparisonTable, error) {
	t := comparisonTable{Title: s.title, Stubs: s.stubs, Published: s.shown}
	for _, c := range s.columns {
		t.Measured = append(t.Measured, c.head)
	}
	for _, row := range s.published.rows {
		cells, err := s.published.cells(row, s.shown)
		if err != nil {
			return t, err
		}
		r := comparisonRow{Class: "other", Published: cells}
		for _, column := range s.stubs {
			r.Stubs = append(r.Stubs, s.published.text(row, column))
		}
		for _, c := range s.columns {
			figure := of(s.find(row, c), rateCell)
			figure.Own = c.lib == suite.Ashlar
			r.Measured = append(r.Measured, figure)
		}
		t.Rows = append(t.Rows, r)
	}
	return t, nil
}

// find returns the result that stands in a column of a row, nil where there is none. The rivals have one mode, for their
// accessors read every version.
func (s forySheet) find(row []string, c foryColumn) *measure.Result {
	if s.run == nil {
		return nil
	}
	n := s.name(row).With(c.way, c.lib)
	if c.lib != suite.Ashlar && n.Bench == suite.Objects {
		n.Mode = suite.Consistent
	}
	return s.run.Find(n)
}

// first is the run that has most cases of those that keep picks, nil where none has any.
func first(runs []*run, keep func(suite.Name) bool) *run {
	if with := most(runs, keep); len(with) != 0 {
		return with[0]
	}
	return nil
}

// foryObjects are the axes of Fory's table of objects.
func foryObjects(runs []*run) (comparison, error) {
	p, err := readPublished("fory-java-objects.tsv")
	if err != nil {
		return comparison{}, err
	}
	c := comparison{ID: "fory-objects", Title: "Fory’s objects: STRUCT, STRUCT2, MEDIA_CONTENT, SAMPLE", Source: p.Source, Notes: []string{
		"Operations a second. Of the tables of one version, Ashlar takes the place of fory; of the compatible ones, Ashlar that may meet other " +
			"versions takes those of fory and fory_metashared. Ashlar alias reads in place; every other measured way, and every published one, makes a fresh value.",
		"directBuffer is memory outside of the heap: buffer=offheap here.",
	}}
	r := first(runs, func(n suite.Name) bool {
		return n.Bench == suite.Objects && (n.Data == suite.Struct || n.Data == suite.Struct2 || n.Data == suite.MediaContent || n.Data == suite.Sample)
	})
	if r == nil {
		c.Missing = runBench
	}
	for _, op := range []string{"serialize", "serialize_compatible", "deserialize", "deserialize_compatible"} {
		level, changed := strings.CutSuffix(op, "_compatible")
		mode := suite.Consistent
		if changed {
			mode = suite.Compatible
		}
		shown := []string{"fory", "kryo", "fst", "hessian", "jdk", "protostuff"}
		if changed {
			shown = []string{"fory", "fory_metashared", "kryo", "hessian"}
		}
		own := []string{suite.Contiguous}
		if level == suite.Deserialize {
			own = []string{suite.Copy, suite.Alias}
		}
		columns := foryColumns(own...)
		if changed {
			for i := range own {
				columns[i].head += ", compatible"
			}
		}
		sheet := forySheet{
			title: level + ", " + mode, published: p.where("op", op), stubs: []string{"type", "buffer", "references"}, shown: shown, columns: columns, run: r,
			name: func(row []string) suite.Name {
				n := suite.Name{Bench: suite.Objects, Op: level, Data: p.text(row, "type"), Buffer: foryBuffers[p.text(row, "buffer")], Refs: suite.RefsOff, Mode: mode}
				if p.text(row, "references") == "True" {
					n.Refs = suite.RefsOn
				}
				return n
			},
		}
		t, err := sheet.lay()
		if err != nil {
			return c, err
		}
		if changed {
			t.Reasons = append(t.Reasons, "FlatBuffers and Cap’n Proto have the figures that they have above: their accessors read every version. STRUCT2 is measured with one version alone.")
		}
		t.Reasons = append(t.Reasons, "With references, dashes stand where the type has none to track (STRUCT, STRUCT2), for libraries whose messages are trees "+
			"(FlatBuffers, Cap’n Proto), and for compatible readers, which are measured without.")
		c.Tables = append(c.Tables, t)
	}
	return c, nil
}

// foryZeroCopy are the axes of Fory's zero-copy table.
func foryZeroCopy(runs []*run) (comparison, error) {
	p, err := readPublished("fory-java-zerocopy.tsv")
	if err != nil {
		return comparison{}, err
	}
	c := comparison{ID: "fory-zero-copy", Title: "Fory’s zero-copy suite: PRIMITIVE_ARRAY and BUFFER", Source: p.Source, Notes: []string{
		"Operations a second. Fory’s serialize passes the payload out of band, that is, it does not copy it: what does the same here is Ashlar gather, a list of " +
			"parts that refers to large arrays. Ashlar contiguous and the rivals make one message with the payload in it, which is more work; " +
			"neither is to be held against the other.",
		"The published machine and settings are those of Fory’s objects.",
		"directBuffer is memory outside of the heap: buffer=offheap here.",
	}}
	r := first(runs, func(n suite.Name) bool {
		return (n.Data == suite.PrimitiveArray || n.Data == suite.Buffer) && (n.Op == suite.Serialize || n.Op == suite.Deserialize)
	})
	if r == nil {
		c.Missing = runBench
	}
	for _, op := range []string{suite.Serialize, suite.Deserialize} {
		columns := foryColumns(suite.Gather, suite.Contiguous)
		if op == suite.Deserialize {
			columns = foryColumns(suite.Alias, suite.Copy)
		}
		sheet := forySheet{
			title: op, published: p.where("op", op), stubs: []string{"data", "n", "buffer"}, shown: []string{"fory", "kryo", "fst"}, columns: columns, run: r,
			name: func(row []string) suite.Name {
				n, _ := strconv.Atoi(p.text(row, "n")) // 0, which no case has, where it is no number
				return suite.Name{Bench: suite.Arrays, Op: op, Data: p.text(row, "data"), N: n, Buffer: foryBuffers[p.text(row, "buffer")]}
			},
		}
		t, err := sheet.lay()
		if err != nil {
			return c, err
		}
		t.Reasons = []string{"A dash among the measured figures: these files have no such case; " + runBench + " measures all."}
		c.Tables = append(c.Tables, t)
	}
	return c, nil
}

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
type foryColumn struct {
	head     string
	way, lib string
}

// way is the column of one way of a library.
func way(lib, way string) foryColumn {
	return foryColumn{label(lib, way), way, lib}
}

// foryColumns are Ashlar's ways, then the rivals'.
func foryColumns(own ...string) []foryColumn {
	var all []foryColumn
	for _, w := range own {
		all = append(all, way(suite.Ashlar, w))
	}
	for _, r := range foryRivals {
		all = append(all, way(r[0], r[1]))
	}
	return all
}

// foryTable lays the rows of one operation out.
func foryTable(title string, p *published, stubs, heads []string, columns []foryColumn, r *run, nameOf func(row []string) suite.Name) (comparisonTable, error) {
	t := comparisonTable{Title: title, Stubs: stubs, Published: heads}
	for _, c := range columns {
		t.Measured = append(t.Measured, c.head)
	}
	for _, row := range p.rows {
		cells, err := p.cells(row, heads)
		if err != nil {
			return t, err
		}
		out := comparisonRow{Class: "other", Published: cells}
		for _, s := range stubs {
			out.Stubs = append(out.Stubs, p.text(row, s))
		}
		for _, c := range columns {
			var res *measure.Result
			if r != nil {
				res = r.Find(nameOf(row).With(c.way, c.lib))
			}
			figure := of(res, rateCell)
			figure.Own = c.lib == suite.Ashlar
			out.Measured = append(out.Measured, figure)
		}
		t.Rows = append(t.Rows, out)
	}
	return t, nil
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
		heads := []string{"fory", "kryo", "fst", "hessian", "jdk", "protostuff"}
		if changed {
			heads = []string{"fory", "fory_metashared", "kryo", "hessian"}
		}
		own := []string{suite.Contiguous}
		if level == suite.Deserialize {
			own = []string{suite.Copy, suite.Alias}
		}
		columns := foryColumns(own...)
		if changed {
			columns = columns[:len(own)] // the rivals have no mode of the kind
			for i, w := range own {
				columns[i].head = label(suite.Ashlar, w) + ", compatible"
			}
		}
		t, err := foryTable(level+", "+mode, p.where("op", op), []string{"type", "buffer", "references"}, heads, columns, r, func(row []string) suite.Name {
			n := suite.Name{Bench: suite.Objects, Op: level, Data: p.text(row, "type"), Buffer: foryBuffers[p.text(row, "buffer")], Refs: suite.RefsOff, Mode: mode}
			if p.text(row, "references") == "True" {
				n.Refs = suite.RefsOn
			}
			return n
		})
		if err != nil {
			return c, err
		}
		if changed {
			t.Reasons = append(t.Reasons, "FlatBuffers and Cap’n Proto have no columns here: their accessors read every version, so that they stand beside the consistent ones. STRUCT2 is measured with one version alone.")
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
		t, err := foryTable(op, p.where("op", op), []string{"data", "n", "buffer"}, []string{"fory", "kryo", "fst"}, columns, r, func(row []string) suite.Name {
			n, _ := strconv.Atoi(p.text(row, "n")) // 0, which no case has, where it is no number
			return suite.Name{Bench: suite.Arrays, Op: op, Data: p.text(row, "data"), N: n, Buffer: foryBuffers[p.text(row, "buffer")]}
		})
		if err != nil {
			return c, err
		}
		t.Reasons = []string{"A dash among the measured figures: these files have no such case; " + runBench + " measures all."}
		c.Tables = append(c.Tables, t)
	}
	return c, nil
}

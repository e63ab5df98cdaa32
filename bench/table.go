package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// Widths of a table, in columns of a terminal, of which there are 100.
const (
	labelWidth = 25
	cellWidth  = timeWidth + 7 + 6
	timeWidth  = 8
	tailWidth  = 9
)

// A style marks text for a terminal; the zero style leaves it plain.
type style struct{ colour bool }

func (s style) wrap(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string { return s.wrap("1", text) }
func (s style) dim(text string) string  { return s.wrap("2", text) }
func (s style) good(text string) string { return s.wrap("32", text) }
func (s style) bad(text string) string  { return s.wrap("31", text) }

// A table shows the cases of one operation on one workload.
type table struct {
	title, note string
	columns     []string
	tails       []string // columns that hold one figure each
	blocks      []block
}

// A block is the rows below one heading, if it has any.
type block struct {
	heading string
	rows    []row
}

type row struct {
	lib, way string
	cells    []cell // by column
	tails    []string
}

// A cell is the time of a case, and its ratio to the memmove beside it, or to what
// else is the measure of its table.
type cell struct {
	time, ratio measure.Figure
	measured    bool
	compared    bool
}

// A kind of memory, as a reader calls it.
type kind struct{ level, name string }

// kinds are those that arrays lie in, claimed those that claims are about and
// that objects lie in.
var (
	kinds = []kind{
		{suite.Heap, "heap"}, {suite.OffHeap, "off-heap"}, {suite.Mmap, "mapped file"}, {suite.Shm, "shared memory"},
	}
	claimed = kinds[:2]
)

// notes say what the data are.
var notes = map[string]string{
	suite.PrimitiveArray: "slices of bool, int8, int32, int64 and float64, n elements each",
	suite.Buffer:         "five byte slices of n bytes",
	suite.BufferStruct:   "five byte slices of n bytes, in a struct",
	suite.Struct:         "100 numbers, 800 bytes in Go",
	suite.Struct2:        "100 pointers to numbers, all set",
	suite.Struct2Nil:     "the same, every third nil",
	suite.MediaContent:   "a film and three stills: 9 strings, 15 numbers, a bool",
	suite.Sample:         "7 scalars, 7 behind pointers, 7 short arrays, a string",
	suite.Car:            "a car: 11 fields in five structs, 3 strings",
	suite.CarLarge:       "the same with a long description",
	suite.Complex:        "6 numbers, a bool, a string, three floats, three strings, two nil ones",
	suite.TV:             "a television programme: its showings, credits and reviews",
	suite.TVCatalogue:    "2,000 programmes",
	suite.Media100K:      "the same film with 100,000 stills",
	suite.Map:            "n entries; ratios to reflect-sort: collect by reflect, sort, append",
}

// refsNotes are for those with references.
var refsNotes = map[string]string{
	suite.MediaContent: "the stills point at the film",
	suite.Sample:       "it points at itself",
}

// A report is all that was measured within this process.
type report struct{ *measure.Set }

func newReport(results []measure.Result) *report { return &report{measure.NewSet(results)} }

// tables lays a report out in the order of the operations.
func tables(r *report) []table {
	var all []table
	for _, op := range []string{suite.Serialize, suite.Deserialize, suite.RoundTrip, suite.Traverse, suite.Field, suite.Build, suite.Create} {
		add := func(t table) {
			if len(t.blocks) != 0 {
				all = append(all, t)
			}
		}
		for _, data := range []string{suite.PrimitiveArray, suite.Buffer, suite.BufferStruct} {
			add(r.arrays(op, data))
		}
		add(r.maps(op))
		if op == suite.Field {
			for _, data := range []string{suite.Struct, suite.MediaContent, suite.Media100K} {
				add(r.fields(data))
			}
			continue
		}
		for _, data := range []string{suite.Struct, suite.Struct2, suite.Struct2Nil, suite.MediaContent, suite.Sample,
			suite.Car, suite.CarLarge, suite.Complex, suite.TV, suite.TVCatalogue} {
			for _, refs := range []string{suite.RefsOff, suite.RefsOn} {
				add(r.objects(op, data, refs))
			}
		}
	}
	return all
}

// arrays lays out the cases of one operation on arrays: a column for each size
// and a block for each kind of memory.
func (r *report) arrays(op, data string) table {
	t := table{title: op + " " + data, note: notes[data], tails: []string{"allocs"}}
	column := make(map[int]int)
	for i, n := range suite.Sizes {
		t.columns = append(t.columns, fmt.Sprintf("n=%d", n))
		column[n] = i
	}
	for _, k := range kinds {
		rows := r.rows(len(suite.Sizes), func(n suite.Name) (int, bool) {
			return column[n.N], n.Op == op && n.Data == data && n.Buffer == k.level
		})
		if len(rows) != 0 {
			t.blocks = append(t.blocks, block{k.name, rows})
		}
	}
	return t
}

// maps lays out the cases of one operation on maps: a column for each size and a
// block for each type and kind of memory.
func (r *report) maps(op string) table {
	t := table{title: op + " " + suite.Map, note: notes[suite.Map], tails: []string{"allocs"}}
	column := make(map[int]int)
	for i, n := range suite.MapSizes {
		t.columns = append(t.columns, fmt.Sprintf("n=%d", n))
		column[n] = i
	}
	for _, kind := range []string{suite.StringInt64, suite.Int64Float64, suite.StringString} {
		for _, k := range claimed {
			rows := r.rows(len(suite.MapSizes), func(n suite.Name) (int, bool) {
				return column[n.N], n.Op == op && n.Bench == suite.Maps && n.Type == kind && n.Buffer == k.level
			})
			if len(rows) != 0 {
				t.blocks = append(t.blocks, block{kind + ", " + k.name, rows})
			}
		}
	}
	return t
}

// objects lays out the cases of one operation on an object: a column for each
// kind of memory.
func (r *report) objects(op, data, refs string) table {
	t := table{title: op + " " + data, note: notes[data], tails: []string{"allocs", "message"}}
	if refs == suite.RefsOn {
		t.title, t.note = t.title+" refs=on", refsNotes[data]
	}
	column := make(map[string]int)
	for i, k := range claimed {
		t.columns = append(t.columns, k.name)
		column[k.level] = i
	}
	for _, mode := range append([]string{suite.Consistent, suite.Compatible, suite.Evolved}, suite.Edits...) {
		rows := r.rows(len(claimed), func(n suite.Name) (int, bool) {
			return column[n.Buffer], n.Op == op && n.Data == data && n.Refs == refs && n.Mode == mode
		})
		heading := ""
		if mode != suite.Consistent {
			heading = "mode=" + mode
		}
		if len(rows) != 0 {
			t.blocks = append(t.blocks, block{heading, rows})
		}
	}
	return t
}

// fields lays out the cases of reading one field: a column for each kind of memory, and a block for each field.
func (r *report) fields(data string) table {
	t := table{title: suite.Field + " " + data, note: notes[data], tails: []string{"allocs", "message"}}
	column := make(map[string]int)
	for i, k := range claimed {
		t.columns = append(t.columns, k.name)
		column[k.level] = i
	}
	var names []string
	for _, res := range r.Results {
		if res.Op == suite.Field && res.Data == data && !slices.Contains(names, res.Type) {
			names = append(names, res.Type)
		}
	}
	for _, name := range names {
		for _, mode := range append([]string{suite.Consistent, suite.Evolved}, suite.Edits...) {
			rows := r.rows(len(claimed), func(n suite.Name) (int, bool) {
				return column[n.Buffer], n.Op == suite.Field && n.Data == data && n.Type == name && n.Mode == mode
			})
			heading := name
			if mode != suite.Consistent {
				heading += " mode=" + mode
			}
			if len(rows) != 0 {
				t.blocks = append(t.blocks, block{heading, rows})
			}
		}
	}
	return t
}

// rows makes a row for each way of each library. column says where in its row a
// case stands, or that it is of another block.
func (r *report) rows(columns int, column func(suite.Name) (int, bool)) []row {
	var rows []row
	index := make(map[[2]string]int)
	for _, res := range r.Results {
		at, ok := column(res.Name)
		if !ok {
			continue
		}
		key := [2]string{res.Lib, res.Way}
		i, ok := index[key]
		if !ok {
			i = len(rows)
			index[key] = i
			rows = append(rows, row{lib: res.Lib, way: res.Way, cells: make([]cell, columns)})
		}
		c := &rows[i].cells[at]
		c.measured = true
		c.time = measure.FigureOf(res.Times)
		if base := measure.BaseOf(res.Name); base == res.Name {
			c.ratio, c.compared = measure.Figure{Median: 1, Lo: c.time.Lo / c.time.Median, Hi: c.time.Hi / c.time.Median, Spread: c.time.Spread}, true
		} else {
			c.ratio, c.compared = r.Ratio(res.Name, base)
		}
		rows[i].tails = []string{fmt.Sprint(res.Allocs)} // of the largest n
		if res.Bench == suite.Objects {
			rows[i].tails = append(rows[i].tails, size(res.Message))
		}
	}
	return rows
}

// write writes the table.
func (t table) write(w io.Writer, s style) {
	fmt.Fprintf(w, "%s  %s\n", s.bold(t.title), s.dim(t.note))
	for i, b := range t.blocks {
		line := pad("  "+b.heading, labelWidth)
		if i == 0 { // the columns are named once
			for _, c := range t.columns {
				line += pad(padLeft(c, timeWidth), cellWidth)
			}
			for _, tail := range t.tails {
				line += padLeft(tail, tailWidth)
			}
		}
		fmt.Fprintln(w, s.dim(strings.TrimRight(line, " ")))
		for _, r := range b.rows {
			line := pad("  "+r.lib+" "+r.way, labelWidth)
			if r.lib == suite.Ashlar {
				line = s.bold(line)
			}
			for _, c := range r.cells {
				line += c.text(s)
			}
			for _, tail := range r.tails {
				line += padLeft(tail, tailWidth)
			}
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// text is cellWidth wide: time, ratio, margin.
func (c cell) text(s style) string {
	if !c.measured {
		return strings.Repeat(" ", cellWidth)
	}
	ratio, margin := "", c.time.Margin()
	if c.compared {
		ratio, margin = measure.RatioText(c.ratio.Median), c.ratio.Margin()
	}
	return padLeft(measure.TimeText(c.time.Median), timeWidth) + padLeft(ratio, 7) + s.dim(padLeft(measure.SpreadText(margin), 6))
}

func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}

func padLeft(s string, n int) string {
	return strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s))) + s
}

// size is 8 columns wide at most.
func size(n int) string {
	if n < 1e6 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.2f MB", float64(n)/1e6)
}

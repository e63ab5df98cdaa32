package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// Widths of a table of the exchange, in columns of a terminal.
const (
	linkWidth       = 25
	linkFigureWidth = 9
	linkRatioWidth  = 7
	linkCellWidth   = 2*linkFigureWidth + linkRatioWidth
	exchangeLegend  = `Messages to a second process: this program, started once more. It sums every element of every
message, and every sum is checked. Each cell: two figures as its column says, and how many times as
long as with Ashlar over shared memory (first row) a message takes, the median of the rounds.
`
)

// An exchangeTable shows cases of the exchange, a column for each group.
type exchangeTable struct {
	title, note string
	figures     [2]string // what a cell's two figures are
	groups      []exchange.Name
	columns     []string
}

func (t *exchangeTable) add(column string, group exchange.Name) {
	t.columns = append(t.columns, column)
	t.groups = append(t.groups, group)
}

// exchangeTables are in the order in which they are shown.
func exchangeTables() []exchangeTable {
	latency := [2]string{"median", "99 %"}
	word := exchange.Name{Op: exchange.RoundTrip, Data: exchange.Bytes, N: exchange.Word}
	paced := word
	paced.Pace = exchange.Pace
	words := exchangeTable{title: "roundtrip BYTES", figures: latency,
		note: "64 bytes there, 64 back: at once, or one a millisecond, asleep in between"}
	words.add("one after another", word)
	words.add("one a millisecond", paced)
	stream := exchangeTable{title: "stream PRIMITIVE_ARRAY", figures: [2]string{"msg/s", "B/s"},
		note: "serialize, hand over, sum every element; all but shm over a unix socket"}
	roundTrip := exchangeTable{title: "roundtrip PRIMITIVE_ARRAY", figures: latency,
		note: "the same, and each sum comes back before the next message goes"}
	handOver := exchangeTable{title: "handover BYTES", figures: latency,
		note: "from a finished message until the other process has read its first byte"}
	for _, n := range suite.Sizes {
		column := fmt.Sprintf("n=%d", n)
		stream.add(column, exchange.Name{Op: exchange.Stream, Data: suite.PrimitiveArray, N: n})
		roundTrip.add(column, exchange.Name{Op: exchange.RoundTrip, Data: suite.PrimitiveArray, N: n})
	}
	for _, n := range exchange.HandOvers {
		handOver.add(sizeText(n), exchange.Name{Op: exchange.HandOver, Data: exchange.Bytes, N: n})
	}
	return []exchangeTable{words, stream, roundTrip, handOver}
}

// handOverRemark stands below the table of handovers.
const handOverRemark = `  shm: the message was made in its slot, beforehand. The others start from the writer's own memory:
  the ring copies into a slot and out of it, and waits as shm does; the socket has read all of it.
`

// write writes the tables that something was measured for.
func (r *exchangeReport) write(w io.Writer, s style) {
	if len(r.results) == 0 && r.missing == nil {
		return
	}
	fmt.Fprintf(w, "\n%s\n%s", s.bold("Exchange between two processes"), exchangeLegend)
	if r.missing != nil {
		fmt.Fprintf(w, "No rows for shared memory: %v.\n", r.missing)
	}
	for _, t := range exchangeTables() {
		r.writeTable(w, s, t)
	}
}

func (r *exchangeReport) writeTable(w io.Writer, s style, t exchangeTable) {
	var rows []exchange.Name // short of their group
	for _, res := range r.results {
		row := exchange.Name{}.Over(res.Link, res.Way, res.Lib)
		if slices.Contains(t.groups, res.Group()) && !slices.Contains(rows, row) {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s  %s\n", s.bold(t.title), s.dim(t.note))
	heads, figures := pad("", linkWidth), pad("", linkWidth)
	for _, c := range t.columns {
		heads += pad("  "+c, linkCellWidth)
		figures += padLeft(t.figures[0], linkFigureWidth) + padLeft(t.figures[1], linkFigureWidth) + pad("", linkRatioWidth)
	}
	fmt.Fprintf(w, "%s\n%s\n", s.dim(strings.TrimRight(heads, " ")), s.dim(strings.TrimRight(figures, " ")))
	for _, row := range rows {
		line := pad("  "+rowText(row), linkWidth)
		if row.Lib == suite.Ashlar && row.Link == exchange.Shm {
			line = s.bold(line)
		}
		for _, g := range t.groups {
			line += r.cell(g.Over(row.Link, row.Way, row.Lib))
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	if t.groups[0].Op == exchange.HandOver {
		fmt.Fprint(w, s.dim(handOverRemark))
	}
}

// rowText names a link, and a library where there are several.
func rowText(row exchange.Name) string {
	switch {
	case row.Link == exchange.CopyRing:
		return "ring that copies"
	case row.Lib == exchange.Raw && row.Link == exchange.Unix:
		return "unix socket"
	case row.Lib == exchange.Raw && row.Link == exchange.TCP:
		return "TCP, loopback"
	case row.Lib == exchange.Raw:
		return row.Link
	case row.Lib == suite.Ashlar:
		return row.Link + " " + row.Lib
	}
	return row.Lib + " " + row.Way
}

// cell is linkCellWidth wide: two figures and a ratio.
func (r *exchangeReport) cell(name exchange.Name) string {
	times := r.times(name)
	if len(times) == 0 {
		return pad("", linkCellWidth)
	}
	var a, b, ratio string
	if name.Op == exchange.Stream {
		rate := 1e9 / measure.FigureOf(times).Median
		a, b = rateText(rate, ""), rateText(rate*float64(name.Payload()), "B")
	} else {
		all := r.samples(name)
		a, b = measure.TimeText(measure.Quantile(all, 0.5)), measure.TimeText(measure.Quantile(all, 0.99))
	}
	if q := r.ratios(name, name.Over(exchange.Shm, suite.Alias, suite.Ashlar)); len(q) != 0 {
		ratio = measure.RatioText(measure.FigureOf(q).Median)
	}
	return padLeft(a, linkFigureWidth) + padLeft(b, linkFigureWidth) + padLeft(ratio, linkRatioWidth)
}

// rateText shows how many a second with three digits.
func rateText(perSecond float64, unit string) string {
	switch {
	case perSecond < 999.5:
		return measure.Digits(perSecond) + " " + unit
	case perSecond < 999.5e3:
		return measure.Digits(perSecond/1e3) + " k" + unit
	case perSecond < 999.5e6:
		return measure.Digits(perSecond/1e6) + " M" + unit
	default:
		return measure.Digits(perSecond/1e9) + " G" + unit
	}
}

func sizeText(bytes int) string {
	if bytes >= 1<<20 {
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%d KiB", bytes>>10)
}

package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// A chartSet is charts that stand side by side, with one scale for all of them.
type chartSet struct {
	Title  string
	Text   string // what the data are
	Run    *run
	Open   bool // shown from the start
	Charts []chart
}

// A chart has a horizontal bar for each library and way, the fastest first. Lengths are in units of the SVG, of which
// as many make the width of a phone.
type chart struct {
	Title  string
	Height float64
	Log    bool
	Bars   []bar
	Ticks  []tick
}

// A bar is a median with its interval.
type bar struct {
	Label, Text, Class string
	Noisy              bool
	Y                  float64 // its upper edge
	Width, Lo, Hi      float64 // from plotLeft on

	time measure.Figure
}

// A tick is a line of the grid.
type tick struct {
	X    float64
	Text string
}

// Lengths of a chart.
const (
	chartWidth = 360.0
	plotLeft   = 146.0
	plotWidth  = 146.0 // leaves room for the figure beyond the longest bar
	rowHeight  = 20.0
	barHeight  = 12.0
	axisHeight = 34.0
)

// Geometry that the template needs.
func (chart) ViewWidth() float64  { return chartWidth }
func (chart) PlotLeft() float64   { return plotLeft }
func (chart) PlotMiddle() float64 { return plotLeft + plotWidth/2 }
func (chart) BarHeight() float64  { return barHeight }

// PlotBottom is where the bars end and the axis begins.
func (c chart) PlotBottom() float64 { return c.Height - axisHeight }

// Axis says what the lengths of the bars mean.
func (c chart) Axis() string {
	if c.Log {
		return "time of one operation, logarithmic"
	}
	return "time of one operation"
}

// The places of a bar's parts.
func (b bar) LabelX() float64      { return plotLeft - 8 }
func (b bar) TextY() float64       { return b.Y + barHeight - 2 }
func (b bar) MiddleY() float64     { return b.Y + barHeight/2 }
func (b bar) ValueX() float64      { return plotLeft + max(b.Width, b.Hi) + 5 }
func (b bar) IntervalX() float64   { return plotLeft + b.Lo }
func (b bar) IntervalEnd() float64 { return plotLeft + b.Hi }

// newBars makes a bar for each case of the run that keep picks.
func newBars(r *run, keep func(suite.Name) bool) []bar {
	var bars []bar
	for _, res := range r.Results {
		if !keep(res.Name) {
			continue
		}
		f := measure.FigureOf(res.Times)
		bars = append(bars, bar{Label: label(res.Lib, res.Way), Text: measure.TimeText(f.Median), Class: class(res.Lib), Noisy: noisy(f), time: f})
	}
	slices.SortStableFunc(bars, func(a, b bar) int { return cmp.Compare(a.time.Median, b.time.Median) })
	return bars
}

// newSet makes charts of bars, by title, that share a scale. Charts without bars are left out.
func newSet(title, data string, r *run, titles []string, bars [][]bar) chartSet {
	set := chartSet{Title: title, Text: workloadText(data), Run: r, Open: data == suite.PrimitiveArray || data == suite.MediaContent}
	least, most := math.Inf(1), 0.0
	for _, b := range slices.Concat(bars...) {
		least, most = min(least, b.time.Median), max(most, b.time.Median)
	}
	if most == 0 {
		return set
	}
	s := newScale(least, most)
	for i, t := range titles {
		if len(bars[i]) == 0 {
			continue
		}
		c := chart{Title: t, Height: float64(len(bars[i]))*rowHeight + axisHeight, Log: s.log, Ticks: s.ticks(), Bars: bars[i]}
		for j := range c.Bars {
			b := &c.Bars[j]
			b.Y = float64(j)*rowHeight + (rowHeight-barHeight)/2
			b.Width, b.Lo, b.Hi = max(2, s.at(b.time.Median)), s.at(b.time.Lo), s.at(b.time.Hi)
		}
		set.Charts = append(set.Charts, c)
	}
	return set
}

// A scale turns nanoseconds into lengths. It is logarithmic where the longest bar would else leave nothing of the
// shortest.
type scale struct {
	log         bool
	first, last float64 // ns at both ends
}

func newScale(least, most float64) scale {
	if most < 8*least {
		return scale{false, 0, most}
	}
	return scale{true, math.Pow(10, math.Floor(math.Log10(0.8*least))), most}
}

// at is the length for a time, in hundredths and no longer than the plot.
func (s scale) at(ns float64) float64 {
	part := (ns - s.first) / (s.last - s.first)
	if s.log {
		part = math.Log(ns/s.first) / math.Log(s.last/s.first)
	}
	return math.Round(100*plotWidth*min(1, max(0, part))) / 100
}

// ticks are the powers of ten of a logarithmic scale, and round numbers of another, as many as have room for their text.
func (s scale) ticks() []tick {
	var ticks []tick
	if s.log {
		decades := math.Log10(s.last / s.first)
		step := math.Pow(10, max(1, math.Ceil(44/(plotWidth/decades))))
		for v := s.first; v <= s.last*1.001; v *= step {
			ticks = append(ticks, tick{plotLeft + s.at(v), tickText(v)})
		}
		return ticks
	}
	power := math.Pow(10, math.Floor(math.Log10(s.last/3)))
	step := power
	for _, times := range []float64{2, 5, 10} {
		if s.last/step > 3 {
			step = times * power
		}
	}
	for i := 0.0; i*step <= s.last; i++ {
		ticks = append(ticks, tick{plotLeft + s.at(i*step), tickText(i * step)})
	}
	return ticks
}

// tickText writes a round number of nanoseconds without places that are zero.
func tickText(ns float64) string {
	switch {
	case ns == 0:
		return "0"
	case ns < 999.5:
		return fmt.Sprintf("%.3g ns", ns)
	case ns < 999.5e3:
		return fmt.Sprintf("%.3g µs", ns/1e3)
	case ns < 999.5e6:
		return fmt.Sprintf("%.3g ms", ns/1e6)
	}
	return fmt.Sprintf("%.3g s", ns/1e9)
}

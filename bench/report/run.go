package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// A run is a source, to be looked up by the names of its cases.
type run struct {
	Letter string // by which the page calls it
	Path   string
	*measure.Set
	machine   measure.Machine
	exchanged []exchange.Result
}

func newRun(i int, s Source) *run {
	return &run{string(rune('A' + i)), s.Path, measure.NewSet(s.Results), s.Machine, s.Exchanged}
}

// Cases is how many cases were measured.
func (r *run) Cases() int { return len(r.Results) + len(r.exchanged) }

// Rounds says in how many rounds each case was measured.
func (r *run) Rounds() string {
	var counts []int
	for _, res := range r.Results {
		counts = append(counts, len(res.Times))
	}
	for _, res := range r.exchanged {
		counts = append(counts, len(res.Rounds))
	}
	least, most := slices.Min(counts), slices.Max(counts)
	if least == most {
		return fmt.Sprint(least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}

// Noise says why the figures of the run are not to be trusted, if so.
func (r *run) Noise() string { return measure.Noise(r.machine, r.Spread()) }

// A fact is something that a run says of its machine.
type fact struct{ Name, Text string }

// Facts are what the run says of its machine and itself.
func (r *run) Facts() []fact {
	m := r.machine
	facts := []fact{
		{"Processor", orUnknown(m.Processor)},
		{"Used at once", fmt.Sprintf("%d processors", m.Procs)},
		{"Kernel", orUnknown(m.Kernel)},
		{"Go", orUnknown(m.GoVersion)},
		{"Commit", orUnknown(m.Commit)},
		{"Date", "unknown"},
		{"Load before", orUnknown(m.LoadText())},
		{"Cases", fmt.Sprintf("%d in %s rounds", r.Cases(), r.Rounds())},
		{"Median spread", "unknown"},
	}
	if !m.Date.IsZero() {
		facts[5].Text = m.Date.UTC().Format("2006-01-02 15:04 UTC")
	}
	if len(r.Results) != 0 {
		facts[8].Text = measure.SpreadText(r.Spread())
	}
	return facts
}

func orUnknown(s string) string {
	if s == "" {
		return "unknown"
	}
	return s
}

// libraryNames are those that are written in another way than the level lib.
var libraryNames = map[string]string{
	suite.Ashlar: "Ashlar", suite.FlatBuffers: "FlatBuffers", suite.CapnProto: "Cap’n Proto", suite.Slices: "Go slices",
	suite.Go: "Go",
}

// libraryName is a library as readers know it.
func libraryName(lib string) string {
	if name := libraryNames[lib]; name != "" {
		return name
	}
	return lib
}

// label names a library and a way.
func label(lib, way string) string { return strings.TrimSpace(libraryName(lib) + " " + way) }

// class is how a library's bars and rows are marked: Ashlar's, what needs no library, and the others.
func class(lib string) string {
	switch lib {
	case suite.Ashlar:
		return "own"
	case suite.Memmove, suite.Slices, suite.ReflectSort, suite.Go, exchange.Raw:
		return "base"
	}
	return "other"
}

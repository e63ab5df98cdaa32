package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"golang.org/x/perf/benchmath"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// comparing holds two files of results against each other.
type comparing struct {
	Old string `arg:"" type:"existingfile" help:"Results of bench, or of go test -bench, before a change."`
	New string `arg:"" type:"existingfile" help:"The same after it."`
	All bool   `help:"List the rivals' changes too."`
}

// A change is a ratio that is another one than before.
type change struct {
	name     suite.Name
	old, new measure.Figure
	p        float64 // how likely it is that both come from one distribution
}

// leastChange is the part of a ratio by which two runs of one program may differ: the processor's clock, where memory
// comes to lie, and other programs are not the same in both.
const leastChange = 0.05

// by is how many times as large the ratio is.
func (c change) by() float64 { return c.new.Median / c.old.Median }

// certain says that the ratio has changed by more than noise: by more than leastChange and than what the rounds differ
// by, and in a way that the Mann-Whitney test calls significant.
func (c change) certain() bool {
	by := math.Abs(math.Log(c.by()))
	return by > math.Log(1+leastChange) && by > c.old.Spread+c.new.Spread && c.p < benchmath.DefaultThresholds.CompareAlpha
}

// Run compares the ratios of both files, so that runs of a faster and a slower hour can be compared.
func (f *comparing) Run(c *console) error {
	before, err := readResults(f.Old)
	if err != nil {
		return err
	}
	after, err := readResults(f.New)
	if err != nil {
		return err
	}
	changes, both := compared(measure.NewSet(before.Results), measure.NewSet(after.Results), f.All)
	if both == 0 {
		return errors.New("the files have no case in common that has a ratio")
	}
	writeComparison(c.stdout, c.style(), before, after, changes, both)
	return nil
}

// readResults reads a file of results.
func readResults(path string) (*measure.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return measure.Read(f, path)
}

// compared returns the certain changes, the worst first, and how many ratios both have: Ashlar's, or those of all.
func compared(before, after *measure.Set, all bool) (changes []change, both int) {
	for _, res := range after.Results {
		base := measure.BaseOf(res.Name)
		old, now := before.Ratios(res.Name, base), after.Ratios(res.Name, base)
		if !all && res.Lib != suite.Ashlar || base == res.Name || len(old) == 0 || len(now) == 0 {
			continue
		}
		both++
		sample := func(values []float64) *benchmath.Sample {
			return benchmath.NewSample(slices.Clone(values), &benchmath.DefaultThresholds)
		}
		c := change{res.Name, measure.FigureOf(old), measure.FigureOf(now), benchmath.AssumeNothing.Compare(sample(old), sample(now)).P}
		if c.certain() {
			changes = append(changes, c)
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(b.by(), a.by()) })
	return changes, both
}

func writeComparison(w io.Writer, s style, before, after *measure.File, changes []change, both int) {
	for _, f := range []struct {
		when string
		*measure.File
	}{{"old", before}, {"new", after}} {
		m := f.Machine
		fmt.Fprintf(w, "%s  %s, %s, commit %s, %s\n", f.when, orElse(m.Processor, "unknown processor"), orElse(m.GoVersion, "unknown Go"),
			orElse(m.Commit, "unknown"), m.Date.Format("2006-01-02 15:04"))
	}
	if a, b := before.Machine, after.Machine; a.Processor != b.Processor || a.Procs != b.Procs {
		fmt.Fprintln(w, s.bad("These are two machines: ratios differ between such, too."))
	}
	slower := 0
	for _, c := range changes {
		if c.by() > 1 {
			slower++
		}
	}
	fmt.Fprintf(w, "\n%d ratios to a memmove (or to what else is the measure of its table): %d worse, %d better, beyond noise\n",
		both, slower, len(changes)-slower)
	for i, c := range changes {
		if i == 0 {
			fmt.Fprintln(w, s.bold(pad("", 60)+padLeft("old", 10)+padLeft("new", 10)+padLeft("change", 10)))
		}
		change := fmt.Sprintf("%+.0f%%", 100*(c.by()-1))
		mark := s.good
		if c.by() > 1 {
			mark = s.bad
		}
		fmt.Fprintf(w, "%s\n    %s%s%s%s\n", c.name.Sub(), pad("", 56), padLeft(measure.RatioText(c.old.Median), 10), padLeft(measure.RatioText(c.new.Median), 10),
			mark(padLeft(change, 10)))
	}
}

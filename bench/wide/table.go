package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// A row is what one library does with a workload in one way.
type row struct {
	lib, way          string
	cells             [3]cell // serialize, deserialize, both
	message, deflated int     // bytes
}

// A cell is a median, and how many times as long as Ashlar's that is, round by round; zero where nothing was measured.
type cell struct{ ns, ratio float64 }

var operations = [3]string{suite.Serialize, suite.Deserialize, suite.RoundTrip}

// A workload is one table.
type workload struct {
	data string
	n    int
}

func (l workload) String() string {
	if l.n == 0 {
		return l.data
	}
	return fmt.Sprintf("%s n=%d", l.data, l.n)
}

// rows makes the rows of a workload, the fastest in both directions first.
func rows(s *measure.Set, w workload) []row {
	var all []row
	for _, res := range s.Results {
		op := slices.Index(operations[:], res.Op)
		if op < 0 || res.Data != w.data || res.N != w.n || res.Lib == suite.Memmove {
			continue
		}
		name := res.Name
		if name.Lib == suite.Ashlar && name.Way == suite.Contiguous {
			name.Way = suite.Copy // what is written for all readers
		}
		i := slices.IndexFunc(all, func(r row) bool { return r.lib == name.Lib && r.way == name.Way })
		if i < 0 {
			i = len(all)
			all = append(all, row{lib: name.Lib, way: name.Way})
		}
		r := &all[i]
		r.message, r.deflated = res.Message, res.Deflated
		r.cells[op].ns = measure.FigureOf(res.Times).Median
		if own, ok := s.Own(res.Name); ok {
			ratio, _ := s.Ratio(res.Name, own)
			r.cells[op].ratio = ratio.Median
		}
	}
	slices.SortStableFunc(all, func(a, b row) int { return cmp.Compare(a.sum(), b.sum()) })
	return all
}

// sum orders rows: what both directions take, where both are known.
func (r row) sum() float64 {
	if r.cells[2].ns != 0 {
		return r.cells[2].ns
	}
	return r.cells[0].ns + r.cells[1].ns
}

// write prints a table for each workload.
func write(w io.Writer, m measure.Machine, s *measure.Set) {
	fmt.Fprintf(w, "%s, %d processors, %s, %s, commit %s\n", m.Processor, m.Procs, m.Kernel, m.GoVersion, m.Commit)
	fmt.Fprintf(w, "%s, load average %s before the run\n\n", m.Date.Format("2006-01-02 15:04"), m.LoadText())
	fmt.Fprintln(w, "Medians, and how many times as long that is as with Ashlar (copy against copy,\nalias against alias; none for what does less than the others).")
	fmt.Fprintln(w, "known: both sides know the types; described: each message says what is in it. +dfl: after DEFLATE.")
	var loads []workload
	for _, res := range s.Results {
		if l := (workload{res.Data, res.N}); !slices.Contains(loads, l) {
			loads = append(loads, l)
		}
	}
	for _, l := range loads {
		fmt.Fprintf(w, "\n%-22s%18s%18s%18s%12s%12s\n", l, "serialize", "deserialize", "both", "bytes", "+dfl")
		for _, r := range rows(s, l) {
			line := fmt.Sprintf("  %-20s", r.lib+" "+r.way)
			for _, c := range r.cells {
				line += fmt.Sprintf("%18s", c)
			}
			fmt.Fprintf(w, "%s%12d%12d\n", line, r.message, r.deflated)
		}
		for _, lib := range libraries {
			if why := lib.blank[l.data]; why != "" {
				fmt.Fprintf(w, "  %-20s%s\n", lib.name, why)
			}
		}
	}
	writeWorst(w, s, loads)
}

// writeWorst says where somebody is faster than Ashlar, and where messages are smaller.
func writeWorst(w io.Writer, s *measure.Set, loads []workload) {
	faster, smaller := make(map[string]bool), make(map[string]int)
	for _, l := range loads {
		all := rows(s, l)
		own := 0
		for _, r := range all {
			if r.lib == suite.Ashlar {
				own = r.message
			}
		}
		for _, r := range all {
			for i, c := range r.cells {
				if r.lib != suite.Ashlar && c.ratio != 0 && c.ratio < 1 {
					faster[fmt.Sprintf("%s %s, %s %s: %s", r.lib, r.way, operations[i], l, measure.RatioText(c.ratio))] = true
				}
			}
			if r.message < own {
				smaller[r.lib+" "+r.way]++
			}
		}
	}
	fmt.Fprintln(w, "\nFaster than Ashlar")
	for _, line := range slices.Sorted(maps.Keys(faster)) {
		fmt.Fprintln(w, "  "+line)
	}
	if len(faster) == 0 {
		fmt.Fprintln(w, "  none")
	}
	var names []string
	for _, name := range slices.Sorted(maps.Keys(smaller)) {
		names = append(names, fmt.Sprintf("%s (%d of %d workloads)", name, smaller[name], len(loads)))
	}
	fmt.Fprintf(w, "\nSmaller messages than Ashlar's\n  %s\n", strings.Join(names, "\n  "))
}

// String is 18 columns wide at most.
func (c cell) String() string {
	if c.ns == 0 {
		return ""
	}
	text := measure.TimeText(c.ns)
	if c.ratio != 0 {
		text += fmt.Sprintf(" %7s", measure.RatioText(c.ratio))
	}
	return text
}

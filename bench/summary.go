package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/bench/measure"
)

const legend = `Each cell: the median time of one operation; how many times as long that is as a memmove of the
same bytes (row "memmove copy", round by round), for fields as FlatBuffers as documented, for built
messages as generating into Go slices, for round trips as Ashlar's; ± half of that ratio's 95%
confidence interval.
documented: as the library's documentation shows it. expert: by bulk copies and hand-made views.
alias: the result points into the message. allocs: allocations of one operation, at the largest n.
gather: the message is a list of parts; large arrays are referred to, while all others copy them.
`

// A run is a report and how it came to be.
type run struct {
	*report
	exchange    *exchangeReport
	machine     measure.Machine
	profile     string
	took        time.Duration
	interrupted bool
}

// write prints all that a person wants to see.
func (r *run) write(w io.Writer, s style) {
	r.writeHead(w, s)
	r.exchange.write(w, s)
	if len(r.Results) != 0 {
		fmt.Fprintf(w, "\n%s\n%s", s.bold("Within one process"), legend)
	}
	for _, t := range tables(r.report) {
		fmt.Fprintln(w)
		t.write(w, s)
	}
	r.writeClaims(w, s)
	if warning := r.noise(); warning != "" {
		fmt.Fprintf(w, "\n%s\n", s.bad(warning))
	}
}

func (r *run) writeHead(w io.Writer, s style) {
	counts := r.rounds()
	least, most := slices.Min(counts), slices.Max(counts)
	rounds := fmt.Sprint(least)
	if most != least {
		rounds = fmt.Sprintf("%d to %d", least, most)
	}
	fmt.Fprintf(w, "%s  %d cases in %s rounds, %.0f s", s.bold("Ashlar bench, profile "+r.profile), len(counts), rounds, r.took.Seconds())
	if r.interrupted {
		fmt.Fprint(w, ", interrupted")
	}
	m := r.machine
	facts := []string{fmt.Sprintf("%d processors", m.Procs)}
	for _, fact := range []string{m.Kernel, m.GoVersion} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if m.Commit != "" {
		facts = append(facts, "commit "+m.Commit)
	}
	fmt.Fprintf(w, "\n%s\n%s\n", orElse(m.Processor, "unknown processor"), strings.Join(facts, ", "))
	fmt.Fprint(w, m.Date.Format("2006-01-02 15:04"))
	if load := m.LoadText(); load != "" {
		fmt.Fprintf(w, ", load average %s before the run", load)
	}
	fmt.Fprintln(w)
}

// rounds returns how many rounds each case was measured in.
func (r *run) rounds() []int {
	var counts []int
	for _, res := range r.exchange.results {
		counts = append(counts, len(res.Rounds))
	}
	for _, res := range r.Results {
		counts = append(counts, len(res.Times))
	}
	return counts
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// writeClaims prints each bound with what was measured of it.
func (r *run) writeClaims(w io.Writer, s style) {
	const claimWidth = 54
	title := pad("What Ashlar claims: ratios of this run", claimWidth) // printed once there is something below it
	head := "  " + exchangeChapter + "\n"
	for i := range exchangeClaims {
		if f, ok := exchangeClaims[i].find(r.exchange); ok {
			if head != "" {
				fmt.Fprint(w, "\n", s.bold(title+"bound    measured"), "\n", head)
				title, head = pad("", claimWidth), ""
			}
			fmt.Fprintln(w, strings.TrimRight(pad("    "+f.text, claimWidth)+pad(f.sign()+" "+f.limit(), 7)+padLeft(measure.RatioText(f.measured), 9)+" "+verdict(f, s), " "))
		}
	}
	title = "\n" + s.bold(title+"bound        heap      off-heap") + "\n"
	for _, ch := range chapters {
		head = "  " + ch.title + "\n"
		for i := range ch.claims {
			c := &ch.claims[i]
			var line string
			for _, k := range claimed {
				if f, ok := c.find(r.report, k.level); ok {
					line += padLeft(measure.RatioText(f.measured), 9) + " " + verdict(f, s)
				} else {
					line += strings.Repeat(" ", 14)
				}
			}
			if line = strings.TrimRight(line, " "); line == "" {
				continue
			}
			fmt.Fprint(w, title, head, pad("    "+c.text, claimWidth), pad(c.sign()+" "+c.limit(), 7), line, "\n")
			title, head = "", ""
		}
	}
}

func verdict(f finding, s style) string {
	if f.ok() {
		return s.good(pad("ok", 4))
	}
	return s.bad("miss")
}

// noise says why the figures are not to be trusted, if so.
func (r *run) noise() string { return measure.Noise(r.machine, r.Spread()) }

// broken are the findings that fail a run with --check.
func (r *run) broken() []string {
	var all []string
	for i := range exchangeClaims {
		if f, ok := exchangeClaims[i].find(r.exchange); ok && f.broken() {
			all = append(all, fmt.Sprintf("%s, %s: %s, want %s %s", exchangeChapter, f.text, measure.RatioText(f.measured), f.sign(), f.limit()))
		}
	}
	for _, ch := range chapters {
		for i := range ch.claims {
			c := &ch.claims[i]
			for _, k := range claimed {
				if f, ok := c.find(r.report, k.level); ok && f.broken() {
					all = append(all, fmt.Sprintf("%s, %s, %s: %s, want %s %s",
						ch.title, c.text, k.name, measure.RatioText(f.measured), c.sign(), c.limit()))
				}
			}
		}
	}
	return all
}

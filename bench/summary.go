package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// noisySpread is the median spread beyond which a run is called noisy.
const noisySpread = 0.05

// A run is a report and how it came to be.
type run struct {
	*report
	machine     machine
	profile     string
	took        time.Duration
	interrupted bool
}

// write prints all that a person wants to see.
func (r *run) write(w io.Writer, s style) {
	r.writeHead(w, s)
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
	least, most := r.rounds()
	rounds := fmt.Sprint(least)
	if most != least {
		rounds = fmt.Sprintf("%d to %d", least, most)
	}
	fmt.Fprintf(w, "%s  %d cases in %s rounds, %.0f s", s.bold("Ashlar bench, profile "+r.profile), len(r.results), rounds, r.took.Seconds())
	if r.interrupted {
		fmt.Fprint(w, ", interrupted")
	}
	m := r.machine
	facts := []string{fmt.Sprintf("%d processors", m.procs)}
	for _, fact := range []string{m.kernel, m.goVersion} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if m.commit != "" {
		facts = append(facts, "commit "+m.commit)
	}
	fmt.Fprintf(w, "\n%s\n%s\n", orElse(m.processor, "unknown processor"), strings.Join(facts, ", "))
	fmt.Fprint(w, m.date.Format("2006-01-02 15:04"))
	if load := m.loadText(); load != "" {
		fmt.Fprintf(w, ", load average %s before the run", load)
	}
	fmt.Fprint(w, `

Each cell: the median time of one operation; how many times as long that is as a memmove of the
same bytes (row "memmove copy", round by round); ± half the distance of that ratio's quartiles.
documented: as the library's documentation shows it. expert: by bulk copies and hand-made views.
alias: the result points into the message. allocs: allocations of one operation, at the largest n.
`)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// writeClaims prints each bound with what was measured of it.
func (r *run) writeClaims(w io.Writer, s style) {
	var head string // printed once there is something below it
	title := "\n" + s.bold(pad("What Ashlar claims: ratios of this run", 54)+"bound        heap      off-heap") + "\n"
	for _, ch := range chapters {
		head = "  " + ch.title + "\n"
		for i := range ch.claims {
			c := &ch.claims[i]
			var line string
			for _, k := range kinds {
				if f, ok := c.find(r.report, k.level); ok {
					line += padLeft(ratioText(f.measured), 9) + " " + verdict(f, s)
				} else {
					line += strings.Repeat(" ", 14)
				}
			}
			if line = strings.TrimRight(line, " "); line == "" {
				continue
			}
			fmt.Fprint(w, title, head, pad("    "+c.text, 54), pad(c.sign()+" "+c.limit(), 7), line, "\n")
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
func (r *run) noise() string {
	var why []string
	if r.machine.busy() {
		why = append(why, fmt.Sprintf("its load average was %.2f before the run", r.machine.load[0]))
	}
	if s := r.spread(); s > noisySpread {
		why = append(why, fmt.Sprintf("half of the cases spread by %s or more", spreadText(s)))
	}
	if len(why) == 0 {
		return ""
	}
	return "This machine is noisy: " + strings.Join(why, ", and ") + ".\nRepeat the run on a quiet one before you quote it."
}

// broken are the findings that fail a run with --check.
func (r *run) broken() []string {
	var all []string
	for _, ch := range chapters {
		for i := range ch.claims {
			c := &ch.claims[i]
			for _, k := range kinds {
				if f, ok := c.find(r.report, k.level); ok && f.broken() {
					all = append(all, fmt.Sprintf("%s, %s, %s: %s, want %s %s",
						ch.title, c.text, k.name, ratioText(f.measured), c.sign(), c.limit()))
				}
			}
		}
	}
	return all
}

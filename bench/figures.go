package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// figuring writes the part of the README that has figures in it.
type figuring struct {
	Results string `arg:"" type:"existingfile" help:"Results of a run of bench on a quiet machine."`
	Root    string `default:"." type:"existingdir" placeholder:"FOLDER" help:"The checkout whose README.md is written (${default})."`
}

// figuresFile has the lines of a file of results that the README's figures come from.
const figuresFile = "bench/figures.txt"

// The figures stand between these lines of the README.
const (
	figuresBegin = "<!-- figures: written by go run ./bench figures -->\n"
	figuresEnd   = "<!-- end of the figures -->\n"
)

// Run keeps the lines that are needed, beside the README that is made from them.
func (f *figuring) Run(c *console) error {
	text, err := os.ReadFile(f.Results)
	if err != nil {
		return err
	}
	results, err := measure.Read(bytes.NewReader(text), f.Results)
	if err != nil {
		return err
	}
	figures := newFigures(results)
	section := figures.section()
	if len(figures.missing) != 0 {
		return fmt.Errorf("%s does not have what the README shows, such as %s", f.Results, figures.missing[0])
	}
	path := filepath.Join(f.Root, "README.md")
	readme, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	changed, err := withFigures(string(readme), section)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if err := os.WriteFile(filepath.Join(f.Root, figuresFile), figures.needed(string(text)), 0o644); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(changed), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(c.stdout, "The figures of %s are those of %s; the lines that they come from are in %s.\n", path, f.Results, figuresFile)
	return nil
}

// withFigures puts a section in place of the one that a README has.
func withFigures(readme, section string) (string, error) {
	before, rest, ok := strings.Cut(readme, figuresBegin)
	_, after, and := strings.Cut(rest, figuresEnd)
	if !ok || !and {
		return "", errors.New("the two lines between which the figures stand are not there")
	}
	return before + figuresBegin + section + figuresEnd + after, nil
}

// figures looks results up for the README, and remembers which.
type figures struct {
	machine  measure.Machine
	set      *measure.Set
	exchange *exchangeReport
	used     map[string]bool // names
	missing  []string
}

func newFigures(f *measure.File) *figures {
	return &figures{f.Machine, measure.NewSet(f.Results), newExchangeReport(f.Exchanged), make(map[string]bool), nil}
}

// ratio is how many times as long name takes as base.
func (f *figures) ratio(name, base fmt.Stringer, ratios []float64) string {
	f.used[name.String()], f.used[base.String()] = true, true
	if len(ratios) == 0 {
		f.missing = append(f.missing, name.String()+" beside "+base.String())
		return ""
	}
	return strings.TrimSuffix(measure.RatioText(measure.FigureOf(ratios).Median), "x")
}

func (f *figures) of(name, base suite.Name) string {
	return f.ratio(name, base, f.set.Ratios(name, base))
}

func (f *figures) over(name, base exchange.Name) string {
	return f.ratio(name, base, f.exchange.ratios(name, base))
}

// needed are the lines of a file of results that were looked up, and what it says of the run.
func (f *figures) needed(text string) []byte {
	var b bytes.Buffer
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, "\t")
		if i := strings.LastIndexByte(name, '-'); i >= 0 && !f.used[name] {
			name = name[:i]
		}
		if !strings.HasPrefix(line, "Benchmark") || f.used[name] {
			b.WriteString(line)
		}
	}
	return b.Bytes()
}

// section is the README's, in Markdown.
func (f *figures) section() string {
	var b strings.Builder
	m := f.machine
	fmt.Fprintf(&b, `
Medians of one run of `+"`go run ./bench`"+` on %s, on a shared machine:
%d cores of an %s, %s, %s.
Each cell says how many times as long the other one takes as Ashlar: what a rival's documents show / what an expert
would write. Times vary from machine to machine and hour to hour; ratios less. `+"`go run ./bench`"+` lists these and
the bounds that they are held to.

| heap memory | FlatBuffers documented / expert | Cap'n Proto documented / expert | Ashlar ÷ memmove of the same bytes |
|---|---|---|---|
`, m.Date.Format("2006-01-02"), m.Procs, orElse(m.Processor, "unknown processor"), orElse(m.Kernel, "unknown kernel"), orElse(m.GoVersion, "unknown Go"))
	for _, r := range rivalRows() {
		fmt.Fprintf(&b, "| %s |", r.title)
		for _, lib := range []string{suite.FlatBuffers, suite.CapnProto} {
			documented, expert := r.name.With(suite.Documented, lib), r.name.With(suite.Expert, lib)
			switch {
			case r.alone:
				b.WriteString(" |")
			case r.expert != (suite.Name{}) && lib == suite.CapnProto: // it has one schema only
				fmt.Fprintf(&b, " %s / |", f.of(documented, r.name))
			case r.expert != (suite.Name{}):
				fmt.Fprintf(&b, " %s / %s |", f.of(documented, r.name), f.of(expert, r.expert))
			default:
				fmt.Fprintf(&b, " %s / %s |", f.of(documented, r.name), f.of(expert, r.name))
			}
		}
		if r.base != (suite.Name{}) {
			fmt.Fprintf(&b, " %s |\n", f.of(r.name, r.base))
		} else {
			b.WriteString(" |\n")
		}
	}
	b.WriteString(`
Reading by copying includes making the slices, which is most of it; the experts copy a message once and point into
the copy, which makes one slice in place of five. Experts write FlatBuffers' fixed fields as structs of a schema of
their own, and so does Ashlar in the row of every field. A built message is held against generating the same into
Go slices.

Between two processes (one writes, the other sums every element of every message):

| | Ashlar over shared memory | over a unix socket |
|---|---|---|
`)
	for _, r := range exchangeRows() {
		fmt.Fprintf(&b, "| %s | 1 |", r.title)
		for i, other := range r.others {
			b.WriteString([]string{" ", " / "}[min(i, 1)] + f.over(other, r.shm))
		}
		b.WriteString(" |\n")
	}
	b.WriteString(`
Messages of another version of the type, times what those of the same version take:

| | a field added | removed | two swapped |
|---|---|---|---|
`)
	for _, r := range versionRows() {
		fmt.Fprintf(&b, "| %s |", r.title)
		for _, mode := range suite.Edits {
			name := r.name
			name.Mode = mode
			if r.name.Type != "" && r.name.Type != "F49" && mode == suite.Added {
				b.WriteString(" |") // that writer lacks the field
				continue
			}
			fmt.Fprintf(&b, " %s |", f.of(name, r.name))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	return b.String()
}

// A rivalRow is a row of the first table.
type rivalRow struct {
	title  string
	name   suite.Name // Ashlar's
	base   suite.Name // what it is held against in the last column, if anything
	expert suite.Name // Ashlar's with a schema of its own, if that is what an expert's is held against
	alone  bool       // the rivals have nothing of the kind
}

func rivalRows() []rivalRow {
	heap := func(n suite.Name) suite.Name {
		n.Buffer = suite.Heap
		return n
	}
	row := func(title string, n suite.Name) rivalRow {
		n = heap(n)
		return rivalRow{title: title, name: n, base: n.With(suite.Copy, suite.Memmove)}
	}
	alone := func(title string, n suite.Name) rivalRow {
		r := row(title, n)
		r.alone = true
		return r
	}
	field := func(title, data, path string) rivalRow {
		return rivalRow{title: title, name: heap(fieldCase(data, path, suite.View, suite.Ashlar))}
	}
	build := row("five arrays of 5,000, generated in place", arrayCase(suite.Build, 5000, suite.InPlace, suite.Ashlar))
	build.base = build.name.With(suite.Direct, suite.Slices)
	every := rivalRow{title: "MediaContent, every field through a view", name: heap(objectCase(suite.Traverse, suite.MediaContent, suite.View, suite.Ashlar))}
	every.expert = every.name.With(suite.Expert, suite.Ashlar)
	var rows []rivalRow
	for i, n := range suite.Sizes {
		rows = append(rows, row([]string{"five arrays of 200, serialize", "of 1,000", "of 5,000"}[i], arrayCase(suite.Serialize, n, suite.Contiguous, suite.Ashlar)))
	}
	return append(rows,
		row("struct of 100 numbers, serialize", objectCase(suite.Serialize, suite.Struct, suite.Contiguous, suite.Ashlar)),
		row("MediaContent, serialize", objectCase(suite.Serialize, suite.MediaContent, suite.Contiguous, suite.Ashlar)),
		alone("five arrays of 5,000, read in place", arrayCase(suite.Deserialize, 5000, suite.Alias, suite.Ashlar)),
		row("five arrays of 5,000, read by copying", arrayCase(suite.Deserialize, 5000, suite.Copy, suite.Ashlar)),
		alone("the same, into slices at hand", arrayCase(suite.Deserialize, 5000, suite.Reuse, suite.Ashlar)),
		field("one number of the struct, read in place", suite.Struct, "F49"),
		field("one string of MediaContent", suite.MediaContent, "Media.URI"),
		field("one number of its third image", suite.MediaContent, "Images[2].Width"),
		every, build)
}

// An exchangeRow is a row of the second table.
type exchangeRow struct {
	title  string
	shm    exchange.Name
	others []exchange.Name
}

func exchangeRows() []exchangeRow {
	row := func(title string, n exchange.Name, ways ...[2]string) exchangeRow {
		shm := n.Over(exchange.Shm, suite.Alias, suite.Ashlar)
		r := exchangeRow{title, shm, nil}
		for _, w := range ways {
			r.others = append(r.others, shm.Over(exchange.Unix, w[0], w[1]))
		}
		return r
	}
	raw := [2]string{suite.Copy, exchange.Raw}
	word := exchange.Name{Op: exchange.RoundTrip, Data: exchange.Bytes, N: exchange.Word}
	paced := word
	paced.Pace = exchange.Pace
	return []exchangeRow{
		row("64 bytes there and back", word, raw),
		row("the same, one a millisecond", paced, raw),
		row("five arrays of 5,000, FlatBuffers documented / expert", exchange.Name{Op: exchange.Stream, Data: suite.PrimitiveArray, N: 5000},
			[2]string{suite.Documented, suite.FlatBuffers}, [2]string{suite.Expert, suite.FlatBuffers}),
		row("first byte of 64 KiB", exchange.Name{Op: exchange.HandOver, Data: exchange.Bytes, N: exchange.HandOvers[0]}, raw),
	}
}

// versionRows are the rows of the third table, with the case of the same version.
func versionRows() []rivalRow {
	heap := func(title string, n suite.Name) rivalRow {
		n.Buffer = suite.Heap
		return rivalRow{title: title, name: n}
	}
	return []rivalRow{
		heap("struct of 100 numbers, decoded", objectCase(suite.Deserialize, suite.Struct, suite.Copy, suite.Ashlar)),
		heap("MediaContent, each struct in it changed", objectCase(suite.Deserialize, suite.MediaContent, suite.Copy, suite.Ashlar)),
		heap("one number of the struct, read in place", fieldCase(suite.Struct, "F49", suite.View, suite.Ashlar)),
		heap("one number of MediaContent's third image", fieldCase(suite.MediaContent, "Images[2].Width", suite.View, suite.Ashlar)),
	}
}

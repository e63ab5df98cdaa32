package report

import (
	"cmp"
	_ "embed"
	"html/template"
	"io"
	"slices"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// A Source is what a file of results says, and where it was read from.
type Source struct {
	Path string
	*measure.File
}

//go:embed page.tmpl
var pageText string

//go:embed style.css
var styleText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is what the template shows.
type page struct {
	Style       template.CSS
	Runs        []*run
	Noisy       bool // some run is
	Libraries   int  // other than Ashlar
	Cases       int
	Findings    findings
	Rivals      []chartSet
	Wide        []chartSet
	Comparisons []comparison
	Tables      []runTables
}

// Write writes the page of at least one source.
func Write(w io.Writer, sources []Source) error {
	p, err := newPage(sources)
	if err != nil {
		return err
	}
	return pageTemplate.Execute(w, p)
}

func newPage(sources []Source) (*page, error) {
	p := &page{Style: template.CSS(styleText)}
	libraries := make(map[string]bool)
	for i, s := range sources {
		r := newRun(i, s)
		p.Runs = append(p.Runs, r)
		p.Noisy = p.Noisy || r.Noise() != ""
		p.Cases += r.Cases()
		for _, res := range r.Results {
			libraries[res.Lib] = true
		}
		p.Tables = append(p.Tables, r.tables())
	}
	for _, lib := range []string{suite.Ashlar, suite.Memmove, suite.Slices, suite.ReflectSort, suite.Go} {
		delete(libraries, lib)
	}
	p.Libraries = len(libraries)
	p.Findings = newFindings(p.Runs)
	p.Rivals = rivalCharts(p.Runs)
	p.Wide = wideCharts(p.Runs)
	var err error
	p.Comparisons, err = comparisons(p.Runs)
	return p, err
}

// most orders the runs by how many cases they have of those that keep picks, the most first. Runs without any are left
// out.
func most(runs []*run, keep func(suite.Name) bool) []*run {
	count := make(map[*run]int)
	var with []*run
	for _, r := range runs {
		for _, res := range r.Results {
			if keep(res.Name) {
				count[r]++
			}
		}
		if count[r] != 0 {
			with = append(with, r)
		}
	}
	slices.SortStableFunc(with, func(a, b *run) int { return cmp.Compare(count[b], count[a]) })
	return with
}

package report

import (
	"embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed published/*.tsv
var publishedFiles embed.FS

// A published table has figures of other machines.
type published struct {
	Source []string // what its comments say of where it is from
	heads  []string
	rows   [][]string
}

// readPublished reads a table of the folder published: comments, a line of heads, and rows, parted by tabs.
func readPublished(name string) (*published, error) {
	path := "published/" + name
	text, err := publishedFiles.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p := &published{}
	for line := range strings.Lines(string(text)) {
		if comment, ok := strings.CutPrefix(line, "#"); ok {
			p.Source = append(p.Source, strings.TrimSpace(comment))
		}
	}
	r := csv.NewReader(strings.NewReader(string(text)))
	r.Comma, r.Comment = '\t', '#'
	lines, err := r.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(lines) < 2 {
		return nil, fmt.Errorf("%s has no rows", path)
	}
	p.heads, p.rows = lines[0], lines[1:]
	return p, nil
}

// where returns the rows in which a column has a value.
func (p *published) where(column, value string) *published {
	i := slices.Index(p.heads, column)
	q := *p
	q.rows = nil
	for _, row := range p.rows {
		if row[i] == value {
			q.rows = append(q.rows, row)
		}
	}
	return &q
}

// text is what a row has in a column.
func (p *published) text(row []string, column string) string {
	return row[slices.Index(p.heads, column)]
}

// cells are a row's figures in some columns.
func (p *published) cells(row []string, columns []string) ([]cell, error) {
	var cells []cell
	for _, c := range columns {
		text := p.text(row, c)
		if text == "" {
			cells = append(cells, blank)
			continue
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("published %s: %w", c, err)
		}
		cells = append(cells, cell{Text: number(v)})
	}
	return cells, nil
}

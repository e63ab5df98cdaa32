package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// TestTable: lines fit a terminal, columns stand below each other, and what does less is held against nothing.
func TestTable(t *testing.T) {
	var results []measure.Result
	for i, c := range cases() {
		results = append(results, measure.Result{Name: c.Name, Message: 123_456_789, Deflated: 123_456_789,
			Times: []float64{987.6 * float64(i+1), 987.6 * float64(i+1), 987.6 * float64(i+1)}})
	}
	s := measure.NewSet(results)
	var b strings.Builder
	write(&b, measure.Machine{}, s)
	end := 0 // of the column of deserialize
	for line := range strings.SplitSeq(b.String(), "\n") {
		if n := utf8.RuneCountInString(line); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
		switch {
		case strings.Contains(line, "deserialize  "):
			end = utf8.RuneCountInString(line[:strings.Index(line, "deserialize")+len("deserialize")])
		case strings.HasPrefix(line, "  thrift-compact known"):
			if r := []rune(line); len(r) <= end || r[end-1] != 'x' || r[end] != ' ' {
				t.Errorf("deserialize does not end at column %d: %s", end, line)
			}
		case strings.HasPrefix(line, "  ashlar gather") && strings.Contains(line, "x "):
			t.Errorf("held against what copies: %s", line)
		}
	}
	for _, r := range rows(s, workload{suite.Car, 0}) {
		if r.lib == suite.Ashlar && r.way == suite.Copy && (r.cells[0].ratio != 1 || r.cells[1].ratio != 1) {
			t.Errorf("Ashlar's own: %v", r.cells)
		}
	}
}

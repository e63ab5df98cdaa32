package main

import (
	"testing"

	"github.com/ashlar-go/ashlar/bench/suite"
)

func BenchmarkArrays(b *testing.B)  { benchmark(b, suite.Arrays) }
func BenchmarkObjects(b *testing.B) { benchmark(b, suite.Objects) }

// benchmark runs the command's cases as go test does.
func benchmark(b *testing.B, bench string) {
	defer ballast()()
	for _, c := range suite.All() {
		if c.Bench != bench {
			continue
		}
		b.Run(c.Sub(), func(b *testing.B) {
			p, err := c.Prepare()
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close()
			if err := p.Check(); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for op := p.Op; b.Loop(); {
				op()
			}
			b.ReportMetric(float64(p.Bytes), "B/message")
		})
	}
}

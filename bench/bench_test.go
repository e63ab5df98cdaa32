package main

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/internal/heap"
	"github.com/ashlar-go/ashlar/bench/suite"
)

func BenchmarkArrays(b *testing.B)  { benchmark(b, suite.Arrays) }
func BenchmarkObjects(b *testing.B) { benchmark(b, suite.Objects) }
func BenchmarkMaps(b *testing.B)    { benchmark(b, suite.Maps) }

// benchmark runs the command's cases as go test does.
func benchmark(b *testing.B, bench string) {
	defer heap.Ballast()()
	for _, c := range suite.All() {
		if c.Bench != bench {
			continue
		}
		b.Run(c.Sub(), func(b *testing.B) {
			p, err := c.Prepare()
			if errors.Is(err, errors.ErrUnsupported) {
				b.Skip(err)
			}
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

// BenchmarkExchange runs its cases with b.N messages each.
func BenchmarkExchange(b *testing.B) {
	defer heap.Ballast()()
	s, err := exchange.Start()
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for _, name := range exchange.All() {
		b.Run(name.Sub(), func(b *testing.B) {
			if err := s.Missing(name.Link); err != nil {
				b.Skip(err)
			}
			r, err := s.Run(name, b.N)
			if err != nil {
				b.Fatal(err)
			}
			for _, m := range metricsOf(name, r) {
				b.ReportMetric(m.value, m.unit)
			}
		})
	}
}

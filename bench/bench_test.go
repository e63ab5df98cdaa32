package main

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/internal/heap"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
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

// BenchmarkReaders reads a field with two goroutines at once, which have one message or one each: reads share no
// write, so that it makes no difference.
func BenchmarkReaders(b *testing.B) {
	codec := format.MustFor[workload.MediaContent]()
	uri, width := format.MustField[string](codec, "Media.URI"), format.MustField[int32](codec, "Images[].Width")
	msg, err := codec.Append(nil, workload.NewMediaContent())
	if err != nil {
		b.Fatal(err)
	}
	for _, messages := range []int{1, 2} {
		b.Run(fmt.Sprintf("op=field/data=MEDIA_CONTENT/readers=2/messages=%d/lib=ashlar", messages), func(b *testing.B) {
			of := [2][]byte{msg, msg}
			if messages == 2 {
				of[1] = slices.Clone(msg)
			}
			var all sync.WaitGroup
			b.ResetTimer()
			for _, msg := range of {
				all.Go(func() {
					sum := 0
					for range b.N {
						v, err := codec.View(msg)
						s, e := uri.Get(v)
						w, f := width.Get(v, 2)
						if sum += len(s) + int(w); err != nil || e != nil || f != nil || sum == 0 {
							b.Error(err, e, f)
							return
						}
					}
				})
			}
			all.Wait()
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
			for _, m := range measure.MetricsOf(name, r) {
				b.ReportMetric(m.Value, m.Unit)
			}
		})
	}
}

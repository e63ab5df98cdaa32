// Package measure measures cases in interleaved rounds, and writes and reads files of results.
package measure

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/heap"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// LeastRounds are made whatever the budget, for a median needs them.
const LeastRounds = 3

// A Plan says how long to measure.
type Plan struct {
	Slice  time.Duration // that one case runs in one round
	Rounds int           // at most
	Budget time.Duration // for all of them together; few rounds are made when it is short

	Deflate bool // the messages, to say how long they are then
}

// A Result is what was measured of one case.
type Result struct {
	suite.Name
	Message    int       // bytes
	Deflated   int       // the same after DEFLATE at its best, 0 where nobody asked
	Iterations int       // in each round
	Times      []float64 // ns per operation, by round
	Allocs     int       // per operation
	AllocBytes int       // per operation
}

// Run measures the cases, group by group. It tells tick how far it is, from
// 0 to 1, and with which group. When ctx is cancelled it returns the rounds that
// are complete.
func Run(ctx context.Context, cases []suite.Case, p Plan, tick func(done float64, group suite.Name)) ([]Result, error) {
	defer heap.Ballast()()
	var results []Result
	end := time.Now().Add(p.Budget)
	for done := 0; done < len(cases) && ctx.Err() == nil; {
		g := group{Plan: p, name: cases[done].Group()}
		n := 1
		for done+n < len(cases) && cases[done+n].Group() == g.name {
			n++
		}
		g.start = time.Now()
		g.share = time.Until(end) * time.Duration(n) / time.Duration(len(cases)-done)
		g.tick = func(part float64) {
			tick((float64(done)+part*float64(n))/float64(len(cases)), g.name)
		}
		if err := g.measure(ctx, cases[done:done+n]); err != nil {
			return nil, err
		}
		if len(g.subjects) != 0 && len(g.subjects[0].Times) != 0 {
			for _, s := range g.subjects {
				results = append(results, s.Result)
			}
		}
		done += n
	}
	return results, nil
}

// A group is cases that are measured together.
type group struct {
	Plan
	name     suite.Name
	start    time.Time
	share    time.Duration // of the budget
	tick     func(part float64)
	subjects []*subject
}

// A subject is a case under measurement.
type subject struct {
	*suite.Prepared
	Result
}

func (g *group) measure(ctx context.Context, cases []suite.Case) error {
	g.tick(0)
	defer func() {
		for _, s := range g.subjects {
			s.Close()
		}
	}()
	for _, c := range cases {
		if ctx.Err() != nil {
			return nil
		}
		p, err := c.Prepare()
		if errors.Is(err, errors.ErrUnsupported) {
			continue // this system has no such memory
		}
		if err != nil {
			return err
		}
		s := &subject{p, Result{Name: c.Name, Message: p.Bytes}}
		if g.Deflate {
			s.Deflated = deflated(p.Message)
		}
		g.subjects = append(g.subjects, s)
		if err := p.Check(); err != nil {
			return err
		}
		s.Iterations = calibrate(p.Op, g.Slice)
		s.Allocs, s.AllocBytes = allocations(p.Op, min(s.Iterations, 100))
	}

	runtime.GC()
	r := rand.New(rand.NewPCG(uint64(len(cases)), 1))
	for round := range g.Rounds {
		used := float64(time.Since(g.start)) / float64(g.share)
		if round >= LeastRounds && used >= 1 {
			break
		}
		g.tick(min(1, max(used, float64(round)/float64(g.Rounds))))
		if !g.round(ctx, shuffled(g.subjects, r)) {
			break
		}
	}
	g.tick(1)
	return nil
}

// deflated is how many bytes DEFLATE makes of a message.
func deflated(msg []byte) int {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err) // the level is one that there is
	}
	w.Write(msg) // the errors are those of a Buffer: none
	w.Close()
	return b.Len()
}

// round runs every subject once. It records nothing when ctx is cancelled before
// the last.
func (g *group) round(ctx context.Context, order []*subject) bool {
	times := make([]float64, len(order))
	for i, s := range order {
		if ctx.Err() != nil {
			return false
		}
		timed(s.Op, s.Iterations/8+1) // brings the caches back to this subject's memory
		times[i] = float64(timed(s.Op, s.Iterations).Nanoseconds()) / float64(s.Iterations)
		if s.Allocs > 0 {
			runtime.GC() // the garbage is this subject's, not the next one's
		}
	}
	for i, s := range order {
		s.Times = append(s.Times, times[i])
	}
	return true
}

// shuffled returns the subjects in random order, but those of one size side by
// side, since it is mostly they that are compared.
func shuffled(subjects []*subject, r *rand.Rand) []*subject {
	order := slices.Clone(subjects)
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	rank := make(map[int]int)
	for _, s := range order {
		if _, ok := rank[s.N]; !ok {
			rank[s.N] = len(rank)
		}
	}
	slices.SortStableFunc(order, func(a, b *subject) int { return rank[a.N] - rank[b.N] })
	return order
}

// timed runs op n times. It is one loop for all, with one indirect call each.
//
//go:noinline
func timed(op func(), n int) time.Duration {
	start := time.Now()
	for range n {
		op()
	}
	return time.Since(start)
}

// calibrate returns how many iterations take about as long as wanted.
func calibrate(op func(), want time.Duration) int {
	for n := 1; ; {
		d := timed(op, n)
		if d >= want/4 {
			return max(1, int(float64(n)*float64(want)/float64(d)))
		}
		n *= int(min(100, max(2, want/4/max(d, 1))))
	}
}

// allocations counts what one operation allocates.
func allocations(op func(), n int) (allocs, bytes int) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	timed(op, n)
	runtime.ReadMemStats(&after)
	return int(after.Mallocs-before.Mallocs) / n, int(after.TotalAlloc-before.TotalAlloc) / n
}

package exchange

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"
)

// A Plan says how long to measure.
type Plan struct {
	Slice  time.Duration // that one case runs in one round
	Rounds int           // at most
	Budget time.Duration // for all cases together; few rounds are made when it is short
}

const (
	leastRounds = 3 // whatever the budget, for a median needs them
	leastPaced  = 5 // messages in a round

	// pacedWeight is how many times as much of the budget a paced case gets:
	// most of its time it waits.
	pacedWeight = 3
)

// A Result is what was measured of one case.
type Result struct {
	Name
	Rounds []Round
}

// Measure measures the cases, group by group, and leaves out those whose link is
// missing. It tells tick how far it is, from 0 to 1, and with which group. When
// ctx is cancelled it returns the rounds that are complete.
func Measure(ctx context.Context, s *Session, names []Name, p Plan, tick func(done float64, group Name)) ([]Result, error) {
	names = slices.DeleteFunc(slices.Clone(names), func(n Name) bool { return s.Missing(n.Link) != nil })
	left := 0
	for _, n := range names {
		left += weight(n)
	}
	all := float64(left)
	end := time.Now().Add(p.Budget)
	var results []Result
	for len(names) > 0 && ctx.Err() == nil {
		n := 1
		for n < len(names) && names[n].Group() == names[0].Group() {
			n++
		}
		g := group{Session: s, Plan: p, start: time.Now()}
		weight := n * weight(names[0])
		g.share = time.Until(end) * time.Duration(weight) / time.Duration(left)
		g.tick = func(part float64) { tick(1-(float64(left)-part*float64(weight))/all, names[0].Group()) }
		if err := g.measure(ctx, names[:n]); err != nil {
			return nil, err
		}
		if len(g.results) == n && len(g.results[0].Rounds) != 0 {
			results = append(results, g.results...)
		}
		names, left = names[n:], left-weight
	}
	return results, nil
}

func weight(n Name) int {
	if n.Pace != 0 {
		return pacedWeight
	}
	return 1
}

// A group is cases that are measured together.
type group struct {
	*Session
	Plan
	start   time.Time
	share   time.Duration // of the budget
	tick    func(part float64)
	results []Result
}

func (g *group) measure(ctx context.Context, names []Name) error {
	g.tick(0)
	var counts []int
	for _, name := range names {
		if ctx.Err() != nil {
			return nil
		}
		n, err := g.calibrate(name)
		if err != nil {
			return err
		}
		counts = append(counts, n)
		g.results = append(g.results, Result{Name: name})
	}
	r := rand.New(rand.NewPCG(uint64(len(names)), 2))
	for round := range g.Rounds {
		used := float64(time.Since(g.start)) / float64(g.share)
		if round >= leastRounds && used >= 1 {
			break
		}
		g.tick(min(1, max(used, float64(round)/float64(g.Rounds))))
		if ok, err := g.round(ctx, counts, r.Perm(len(names))); err != nil || !ok {
			return err
		}
	}
	g.tick(1)
	return nil
}

// round runs every case once, in the order given. It records nothing when ctx is
// cancelled before the last.
func (g *group) round(ctx context.Context, counts, order []int) (bool, error) {
	rounds := make([]Round, len(order))
	for _, i := range order {
		if ctx.Err() != nil {
			return false, nil
		}
		name := g.results[i].Name
		runtime.GC() // the garbage of another case is not this one's
		if name.Pace == 0 {
			// Brings the caches back to this case's memory.
			if _, err := g.Run(name, counts[i]/8+1); err != nil {
				return false, err
			}
		}
		var err error
		if rounds[i], err = g.Run(name, counts[i]); err != nil {
			return false, err
		}
	}
	for i, r := range rounds {
		g.results[i].Rounds = append(g.results[i].Rounds, r)
	}
	return true, nil
}

// calibrate returns how many messages take about as long as the slice.
func (g *group) calibrate(name Name) (int, error) {
	if name.Pace != 0 {
		return max(leastPaced, int(g.Slice/name.Pace)), nil
	}
	for n := 1; ; {
		r, err := g.Run(name, n)
		if err != nil {
			return 0, err
		}
		if r.Elapsed >= g.Slice/4 {
			return max(1, int(float64(n)*float64(g.Slice)/float64(r.Elapsed))), nil
		}
		n *= int(min(100, max(2, g.Slice/4/max(r.Elapsed, 1))))
	}
}

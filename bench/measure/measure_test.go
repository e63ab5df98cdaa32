package measure

import (
	"context"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// matching returns the cases whose name the expression matches.
func matching(expression string) []suite.Case {
	re := regexp.MustCompile(expression)
	return slices.DeleteFunc(suite.All(), func(c suite.Case) bool { return !re.MatchString(c.String()) })
}

func TestAnInterruptKeepsCompleteRounds(t *testing.T) {
	cases := matching("data=STRUCT/")
	ctx, cancel := context.WithCancel(t.Context())
	last := cases[0].Group()
	results, err := Run(ctx, cases, Plan{Slice: 10 * time.Microsecond, Rounds: 50, Budget: time.Hour}, func(done float64, group suite.Name) {
		if group != last && done > 0.3 {
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) == 0 || len(results) == len(cases) {
		t.Fatalf("%d of %d cases have results, want some", len(results), len(cases))
	}
	for _, r := range results {
		if same := results[slices.IndexFunc(results, func(o Result) bool { return o.Group() == r.Group() })]; len(r.Times) != len(same.Times) {
			t.Errorf("%v has %d rounds, others of its group %d", r.Name, len(r.Times), len(same.Times))
		}
	}
}

func TestTheBudgetBoundsTheRounds(t *testing.T) {
	cases := matching("op=serialize/data=STRUCT/buffer=array")
	results, err := Run(t.Context(), cases, Plan{Slice: time.Millisecond, Rounds: 1000, Budget: 100 * time.Millisecond}, func(float64, suite.Name) {})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(results[0].Times); n < LeastRounds || n > 100 {
		t.Errorf("%d rounds in a tenth of a second, of 6 cases of a millisecond each", n)
	}
}

func TestShuffledKeepsSizesTogether(t *testing.T) {
	var subjects []*subject
	for _, n := range suite.Sizes {
		for range 10 {
			subjects = append(subjects, &subject{Result: Result{Name: suite.Name{N: n}, Message: len(subjects)}})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	first := make(map[int]bool)
	for range 50 {
		order := shuffled(subjects, r)
		first[order[0].N] = true
		var changes, moved int
		for i, s := range order {
			if i > 0 && s.N != order[i-1].N {
				changes++
			}
			if s != subjects[i] {
				moved++
			}
		}
		if changes != len(suite.Sizes)-1 || moved == 0 {
			t.Fatalf("%d changes of size, %d moved", changes, moved)
		}
	}
	if len(first) != len(suite.Sizes) {
		t.Errorf("only the sizes %v come first", first)
	}
}

func TestCalibrateFillsTheSlice(t *testing.T) {
	spin := func() {
		for start := time.Now(); time.Since(start) < 50*time.Microsecond; {
		}
	}
	if n := calibrate(spin, 5*time.Millisecond); n < 10 || n > 100 {
		t.Errorf("%d times 50 µs in 5 ms", n)
	}
	if n := calibrate(spin, time.Microsecond); n != 1 {
		t.Errorf("%d times an operation longer than the slice, want 1", n)
	}
}

func TestAllocationsAreCounted(t *testing.T) {
	var sink []byte
	allocs, size := allocations(func() { sink = make([]byte, 4096) }, 50)
	if allocs != 1 || size != 4096 {
		t.Errorf("%d allocations of %d bytes, want 1 of 4096 (%d)", allocs, size, len(sink))
	}
}

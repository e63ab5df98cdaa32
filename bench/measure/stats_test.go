package measure

import (
	"math"
	"testing"

	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestFigureOf(t *testing.T) {
	f := FigureOf([]float64{4, 1, 3, 2, 100})
	if f.Median != 3 || math.Abs(f.Spread-(4.0-2)/2/3) > 1e-9 {
		t.Errorf("got %+v, want median 3 and the quartiles 2 and 4 apart", f)
	}
	if f := FigureOf([]float64{5}); f != (Figure{Median: 5, Lo: 5, Hi: 5}) {
		t.Errorf("of one value: got %+v", f)
	}
	var many []float64
	for i := range 101 {
		many = append(many, float64(i%10+95)) // 95 to 104
	}
	if f := FigureOf(many); f.Median != 99 || f.Lo < 97 || f.Hi > 101 || f.Lo > 99 || f.Hi < 99 {
		t.Errorf("of many values: got %+v, want 99 and little around it", f)
	}
	if f := FigureOf([]float64{1, 2}); f.Median != 1.5 {
		t.Errorf("of two values: got %+v, want the middle", f)
	}
}

// A ratio is taken round by round: both sides slow, and the ratio stays.
func TestRatiosOutliveANoisySpell(t *testing.T) {
	name := suite.Name{Bench: suite.Arrays, Op: suite.Serialize, Data: suite.PrimitiveArray, N: 200, Buffer: suite.Heap, Way: suite.Contiguous, Lib: suite.Ashlar}
	base := name.With(suite.Copy, suite.Memmove)
	r := NewSet([]Result{
		{Name: name, Times: []float64{20, 60, 22}},
		{Name: base, Times: []float64{10, 30, 11}},
	})
	if f, ok := r.Ratio(name, base); !ok || f != (Figure{Median: 2, Lo: 2, Hi: 2}) {
		t.Errorf("got %+v, %v; want a ratio of 2 without spread", f, ok)
	}
	if _, ok := r.Ratio(name, name.With(suite.Expert, suite.FlatBuffers)); ok {
		t.Error("a ratio to a case that was not measured")
	}
}

package report

import (
	"fmt"
	"strings"

	"github.com/ashlar-go/ashlar/bench/measure"
)

// NoisyMargin is half of a confidence interval, as a part of its median, beyond which a figure is marked as noisy.
const NoisyMargin = 0.10

// dash stands where nothing was measured or published.
const dash = "—"

// A cell is a figure as a table shows it.
type cell struct {
	Text  string
	Small string // the interval, if any
	Noisy bool
	Own   bool // in a column of Ashlar's
	Span  int  // columns that it is wide, 0 being one
}

var blank = cell{Text: dash}

// noisy says that a figure is surer in its digits than in what was measured.
func noisy(f measure.Figure) bool { return f.Margin() > NoisyMargin }

// timeCell shows a median time.
func timeCell(f measure.Figure) cell {
	return cell{Text: measure.TimeText(f.Median), Noisy: noisy(f)}
}

// ratioCell shows how many times as long one case takes as another, with its margin.
func ratioCell(f measure.Figure, ok bool) cell {
	if !ok {
		return blank
	}
	return cell{Text: ratio(f.Median), Small: measure.SpreadText(f.Margin()), Noisy: noisy(f)}
}

// intervalCell shows the same with its interval.
func intervalCell(f measure.Figure, ok bool) cell {
	if !ok {
		return blank
	}
	return cell{Text: ratio(f.Median), Small: interval(f), Noisy: noisy(f)}
}

// rateCell shows how many a second a median time makes.
func rateCell(f measure.Figure) cell {
	return cell{Text: number(1e9 / f.Median), Noisy: noisy(f)}
}

// nsCell shows a median in nanoseconds, to stand in a column of such.
func nsCell(f measure.Figure) cell {
	return cell{Text: number(f.Median), Noisy: noisy(f)}
}

// countCell shows a number of bytes or the like.
func countCell(n int) cell { return cell{Text: number(float64(n))} }

// ratio writes a ratio down.
func ratio(r float64) string { return strings.TrimSuffix(measure.RatioText(r), "x") + "×" }

// interval writes down in which interval a ratio's median is.
func interval(f measure.Figure) string {
	low, high := ratio(f.Lo), ratio(f.Hi)
	return strings.TrimSuffix(low, "×") + "–" + strings.TrimSuffix(high, "×")
}

// number writes a whole number with its thousands apart, and a small one that is not whole with a place.
func number(v float64) string {
	if v < 100 && v != float64(int(v)) {
		return fmt.Sprintf("%.1f", v)
	}
	s := fmt.Sprintf("%.0f", v)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

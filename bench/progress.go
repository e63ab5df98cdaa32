package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// steps is how finely the bar moves.
const steps = 1000

// newProgress returns a function that shows how far the run is, and one that
// wipes the bar away.
func newProgress(w io.Writer) (tick func(done float64, what string), finish func()) {
	bar := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionUseANSICodes(true),
	)
	tick = func(done float64, what string) {
		bar.Describe(pad(what, 36))
		bar.Set(min(steps-1, int(done*steps))) // an error of the terminal's is no concern here
	}
	return tick, func() { bar.Finish() }
}

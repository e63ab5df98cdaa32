package format_test

import (
	"os"
	"testing"
)

// emulated is set where the tests run on an emulated processor: they are slow
// there, and cannot start themselves again.
var emulated = os.Getenv("ASHLAR_EMULATED") != ""

// thin reports whether exhaustive tests are to try a part only.
func thin() bool { return testing.Short() || slow() }

// slow reports whether all that runs takes ten times as long.
func slow() bool { return raceEnabled || emulated }

// thinned is n, or less where exhaustive tests are to try a part only.
func thinned(n int) int {
	switch {
	case slow():
		return (n + 15) / 16
	case thin():
		return (n + 3) / 4
	}
	return n
}

// strided is the step n of exhaustive tests, or more where they are to try a part only.
func strided(n, part int) int {
	switch {
	case slow():
		return 4 * part
	case thin():
		return part
	}
	return n
}

// skipWhenSlow leaves out a test that takes long and cannot have another outcome there: it is about how much
// or how deep, not about goroutines or the order of bytes.
func skipWhenSlow(t *testing.T) {
	t.Helper()
	if slow() {
		t.Skip("takes too long under the race detector and on an emulated processor")
	}
}

// long reports whether tests of very many cases are to try all of them: ASHLAR_LONG=1 is set.
var long = os.Getenv("ASHLAR_LONG") == "1"

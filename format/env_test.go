package format_test

import (
	"os"
	"testing"
	"unsafe"
)

// emulated is set where the tests run on an emulated processor: they are slow
// there, and cannot start themselves again.
var emulated = os.Getenv("ASHLAR_EMULATED") != ""

// thin reports whether exhaustive tests are to try a part only.
func thin() bool { return testing.Short() || raceEnabled || emulated }

// thinned is n, or less where exhaustive tests are to try a part only.
func thinned(n int) int {
	if thin() {
		return (n + 3) / 4
	}
	return n
}

var littleEndian = func() bool {
	x := uint16(1)
	return *(*byte)(unsafe.Pointer(&x)) == 1
}()

// aliases reports whether an aliasing decode can point into messages in this build.
func aliases() bool { return littleEndian && !pureGo }

// long reports whether tests of very many cases are to try all of them: ASHLAR_LONG=1 is set.
var long = os.Getenv("ASHLAR_LONG") == "1"

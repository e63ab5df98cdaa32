package format_test

import (
	"os/exec"
	"regexp"
	"testing"
)

// TestHotPathInlines: the one check that each object of a message goes through, of a decode or of a view, and what a
// message's header goes through cost next to nothing because they are inlined. The compiler is asked.
func TestHotPathInlines(t *testing.T) {
	if testing.Short() || emulated {
		t.Skip("runs the compiler")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command here")
	}
	out, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Skipf("the package cannot be built here: %v\n%.500s", err, out)
	}
	for _, f := range []string{`\(\*reach\)\.object`, `region\.object`, `region\.text`, `\(\*Codec\[[^\n]*\]\)\.Build`, `\(\*core\)\.fits`, `load64`} {
		if !regexp.MustCompile(`can inline ` + f + `\b`).Match(out) {
			t.Errorf("the compiler does not inline %s", f)
		}
	}
}

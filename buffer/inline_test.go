package buffer

import (
	"os/exec"
	"strings"
	"testing"
)

// TestHotPathInlines asks the compiler. Extend is one call over Reserve, just
// beyond what is inlined.
func TestHotPathInlines(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	out, err := exec.Command(tool, "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Skipf("go build: %v\n%s", err, out)
	}
	for _, f := range []string{
		"(*Buffer).Reserve", "(*Buffer).Reset", "(*Buffer).Bytes", "(*Buffer).Len", "(*Buffer).Cap",
		"Live", "Ranges.Empty", "Ranges.Contains",
	} {
		if !strings.Contains(string(out), "can inline "+f+"\n") {
			t.Errorf("%s is not inlined", f)
		}
	}
	if !strings.Contains(string(out), "inlining call to (*Buffer).Reserve\n") {
		t.Error("Extend calls Reserve")
	}
}

package format_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The README's program is compiled and run, and prints what the README says.
func TestReadmeProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command here to compile the program with")
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	program := fenced(t, string(readme), "go")
	want := fenced(t, string(readme), "text")
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(goTool, "run", file)
	cmd.Dir = ".."
	got, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	if string(got) != want {
		t.Errorf("the README's program prints\n%swant\n%s", got, want)
	}
}

// fenced returns the first block of a language in a Markdown text.
func fenced(t *testing.T, text, language string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, "\n```"+language+"\n")
	block, _, ok2 := strings.Cut(rest, "\n```\n")
	if !ok || !ok2 {
		t.Fatalf("the README has no block of %s", language)
	}
	return block + "\n"
}

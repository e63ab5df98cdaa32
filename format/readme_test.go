package format_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The README's programs are compiled and run, and print what the README says.
func TestReadmePrograms(t *testing.T) {
	if testing.Short() || emulated {
		t.Skip("compiles programs")
	}
	goTool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command here to compile the programs with")
	}
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	programs, outputs := fenced(string(text), "go"), fenced(string(text), "text")
	if len(programs) != 7 || len(outputs) != 7 {
		t.Fatalf("the README has %d programs and %d outputs, want 7 of each", len(programs), len(outputs))
	}
	for i, program := range programs {
		dir := t.TempDir()
		source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
		if err := os.WriteFile(source, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		build := exec.Command(goTool, "build", "-o", binary, source)
		build.Dir = ".."
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("program %d: %v\n%s", i, err, out)
		}
		run := exec.Command(binary)
		if strings.Contains(program, "shm.Create") {
			if n := strings.Count(program, "\n"); n > 40 {
				t.Errorf("producer and consumer have %d lines, want 40 at most", n)
			}
			if runtime.GOOS != "linux" {
				continue
			}
			produce := exec.Command(binary, "produce", filepath.Join(dir, "channel"))
			produce.Stderr = os.Stderr
			if err := produce.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := produce.Wait(); err != nil {
					t.Errorf("the producer: %v", err)
				}
			}()
			run = exec.Command(binary, "consume", filepath.Join(dir, "channel"))
		}
		got, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("program %d: %v\n%s", i, err, got)
		}
		if string(got) != outputs[i] {
			t.Errorf("program %d prints\n%swant\n%s", i, got, outputs[i])
		}
	}
}

// SPEC.md's example is a golden message.
func TestSpecExample(t *testing.T) {
	spec, err := os.ReadFile("SPEC.md")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := os.ReadFile("testdata/spec.golden")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(spec), "\n```\n"+string(golden)+"```\n") {
		t.Error("SPEC.md does not show testdata/spec.golden as it is")
	}
}

// fenced returns the blocks of a language in a Markdown text.
func fenced(text, language string) []string {
	var blocks []string
	for _, part := range strings.Split(text, "\n```"+language+"\n")[1:] {
		block, _, _ := strings.Cut(part, "\n```")
		blocks = append(blocks, block+"\n")
	}
	return blocks
}

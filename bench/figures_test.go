package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// The README says what its file of results says.
func TestTheREADMEHasItsFigures(t *testing.T) {
	f, err := readResults("figures.txt")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	figures := newFigures(f)
	want, err := withFigures(string(readme), figures.section())
	if err != nil {
		t.Fatal(err)
	}
	if len(figures.missing) != 0 {
		t.Errorf("bench/figures.txt does not have %q", figures.missing)
	}
	if diff := cmp.Diff(want, string(readme)); diff != "" {
		t.Errorf("README.md (-as its figures are +as it is), to be rewritten by go run ./bench figures FILE:\n%s", diff)
	}
}

func TestFiguresAreWritten(t *testing.T) {
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "bench"), 0o777); err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(root, "README.md")
	if err := os.WriteFile(readme, []byte("before\n"+figuresBegin+"old\n"+figuresEnd+"after\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(root, "quick.txt")
	var b bytes.Buffer
	if err := measure.Write(&b, inventedMachine, inventedExchange(exchange.All()), invented(func(suite.Name) bool { return true })); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(results, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := command(t.Context(), []string{"figures", results, "--root", root}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n", "after\n", "2026-05-06", "Imaginary(R)", "| five arrays of 200, serialize | 37.4 / 1.73 | 112 / 5.18 |", "| first byte of 64 KiB | 1 | 8.00 |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "old\n") {
		t.Error("the old figures are still there")
	}
	kept, err := readResults(filepath.Join(root, figuresFile))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(kept.Results); n == 0 || n > 100 || len(kept.Exchanged) == 0 {
		t.Errorf("%d results and %d exchanges are kept", n, len(kept.Exchanged))
	}
	f := newFigures(kept)
	if again, err := withFigures(string(text), f.section()); err != nil || again != string(text) || len(f.missing) != 0 {
		t.Errorf("what is kept gives other figures: %v, %q", err, f.missing)
	}

	if err := os.WriteFile(readme, []byte("no figures\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code := command(t.Context(), []string{"figures", results, "--root", root}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "README.md") {
		t.Errorf("without a place for them: exit code %d, %s", code, &stderr)
	}
}

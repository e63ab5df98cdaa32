package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestReportWritesAPage(t *testing.T) {
	results, err := filepath.Abs("figures.txt")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if _, err := measure.Save(".", "few.txt", inventedMachine, nil, invented(func(n suite.Name) bool { return n.Data == suite.Car })); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		path string
	}{
		{[]string{results, "few.txt"}, filepath.Join("bench-results", "report.html")},
		{[]string{"few.txt", "-o", filepath.Join("pages", "few.html")}, filepath.Join("pages", "few.html")},
	} {
		for range 2 { // the second one replaces the first
			var stdout, stderr bytes.Buffer
			if code := command(t.Context(), append([]string{"report"}, tt.args...), &stdout, &stderr); code != 0 {
				t.Fatalf("exit code %d: %s", code, &stderr)
			}
			if got := strings.TrimSpace(stdout.String()); got != tt.path {
				t.Errorf("it prints %q, want %s", got, tt.path)
			}
		}
		page, err := os.ReadFile(tt.path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(page, []byte("few.txt")) || !bytes.HasSuffix(page, []byte("</html>\n")) {
			t.Errorf("%s is no page of few.txt", tt.path)
		}
		if files, err := os.ReadDir(filepath.Dir(tt.path)); err != nil || len(files) != 1 {
			t.Errorf("beside the page are other files: %v, %v", files, err)
		}
	}
}

func TestReportOfWhatHasNoResults(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("none.txt", []byte("goos: linux\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"report"}, 2, "results"},
		{[]string{"report", "absent.txt"}, 2, "absent.txt"},
		{[]string{"report", "none.txt"}, 1, "none.txt has no results"},
	} {
		var stdout, stderr bytes.Buffer
		code := command(t.Context(), tt.args, &stdout, &stderr)
		if code != tt.code || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%q: exit code %d and %q, want %d and something on %q", tt.args, code, &stderr, tt.code, tt.want)
		}
	}
	if _, err := os.Stat("bench-results"); err == nil {
		t.Error("a page was begun")
	}
}

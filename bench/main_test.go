package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestMain(m *testing.M) {
	exchange.Serve()
	os.Exit(m.Run())
}

func TestTheSmokeProfileRuns(t *testing.T) {
	folder := t.TempDir()
	var stdout, stderr bytes.Buffer
	start := time.Now()
	if code := command(t.Context(), []string{"--profile=smoke", "--output", folder}, &stdout, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	t.Logf("it took %v", time.Since(start))
	for _, want := range []string{
		"profile smoke", "Exchange between two processes", "unix socket", "serialize PRIMITIVE_ARRAY", "traverse MEDIA_CONTENT", "off-heap", "What Ashlar claims",
	} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the output does not have %q", want)
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "smoke.txt"))
	if err != nil {
		t.Fatal(err)
	}
	smoke, _ := profileNamed("smoke")
	var names []fmt.Stringer
	for _, n := range exchange.All() {
		if runtime.GOOS == "linux" || n.Link == exchange.Unix || n.Link == exchange.TCP {
			names = append(names, n)
		}
	}
	for _, c := range smoke.choose(suite.All(), nil) {
		names = append(names, c)
	}
	for _, c := range names {
		if n := bytes.Count(text, []byte("\n"+c.String()+"-")) + bytes.Count(text, []byte("\n"+c.String()+" ")); n < leastRounds {
			t.Errorf("%v has %d samples", c, n)
		}
	}
}

func TestBadArguments(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"unknown profile", []string{"--profile=slow"}, 2, "smoke"},
		{"unknown flag", []string{"--fast"}, 2, "--fast"},
		{"bad regexp", []string{"--select=("}, 1, "--select"},
		{"nothing selected", []string{"--select=nothing"}, 1, "no case"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			code := command(t.Context(), tt.args, &stdout, &stderr)
			if code != tt.code || !strings.Contains(stderr.String(), tt.want) {
				t.Errorf("exit code %d and %q; want %d and something on %q", code, &stderr, tt.code, tt.want)
			}
		})
	}
}

func TestHelp(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := command(t.Context(), []string{"--help"}, &stdout, &stderr); code != 0 {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	for _, want := range []string{"--profile", "--select", "--output", "--check", "--list"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("the help does not have %s", want)
		}
	}
}

func TestSelection(t *testing.T) {
	list := func(args ...string) []string {
		var stdout, stderr bytes.Buffer
		if code := command(t.Context(), append(args, "--list"), &stdout, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
		return strings.Fields(stdout.String())
	}
	if got, want := len(list("--profile=full")), len(suite.All())+len(exchange.All()); got != want {
		t.Errorf("full has %d cases, want all %d", got, want)
	}
	rare := regexp.MustCompile(`data=(BUFFER_STRUCT|STRUCT2_NIL)|data=SAMPLE/.*/refs=on|mode=(added|removed|swapped|evolved)/way=(reuse|alias)|op=traverse/data=(STRUCT2|SAMPLE)|buffer=(mmap|shm)`)
	if i := slices.IndexFunc(list(), rare.MatchString); i >= 0 {
		t.Errorf("quick has %s", list()[i])
	}
	if got := list("--select=BUFFER_STRUCT"); len(got) == 0 {
		t.Error("a selection cannot reach what the profile leaves out")
	}
	got := list("-s", "op=serialize/data=STRUCT/buffer=array/.*/mode=consistent/.*/lib=(ashlar|memmove)$")
	want := []string{
		"BenchmarkObjects/op=serialize/data=STRUCT/buffer=array/refs=off/mode=consistent/way=contiguous/lib=ashlar",
		"BenchmarkObjects/op=serialize/data=STRUCT/buffer=array/refs=off/mode=consistent/way=copy/lib=memmove",
	}
	if !slices.Equal(got, want) {
		t.Errorf("selected %q, want %q", got, want)
	}
}

func TestOneSuiteAlone(t *testing.T) {
	for _, tt := range []struct{ selection, want, not string }{
		{"Exchange/op=roundtrip/data=BYTES/n=64/link=(unix|tcp)", "TCP, loopback", "Within one process"},
		{"Objects/op=serialize/data=STRUCT/buffer=array/.*/lib=(ashlar|memmove)", "Within one process", "Exchange"},
	} {
		var stdout, stderr bytes.Buffer
		if code := command(t.Context(), []string{"-p", "smoke", "-o", t.TempDir(), "-s", tt.selection}, &stdout, &stderr); code != 0 {
			t.Fatalf("exit code %d: %s", code, &stderr)
		}
		if out := stdout.String(); !strings.Contains(out, tt.want) || strings.Contains(out, tt.not) {
			t.Errorf("%s: want %q and no %q:\n%s", tt.selection, tt.want, tt.not, out)
		}
	}
}

func TestAnInterruptKeepsCompleteRounds(t *testing.T) {
	p := profile{name: "test", slice: 10 * time.Microsecond, rounds: 50, budget: time.Hour}
	cases := p.choose(suite.All(), regexp.MustCompile("data=STRUCT/"))
	ctx, cancel := context.WithCancel(t.Context())
	last := cases[0].Group()
	results, err := measure(ctx, cases, p, func(done float64, group suite.Name) {
		if group != last && done > 0.3 {
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) == 0 || len(results) == len(cases) {
		t.Fatalf("%d of %d cases have results, want some", len(results), len(cases))
	}
	for _, r := range results {
		if same := results[slices.IndexFunc(results, func(o result) bool { return o.Group() == r.Group() })]; len(r.Times) != len(same.Times) {
			t.Errorf("%v has %d rounds, others of its group %d", r.Name, len(r.Times), len(same.Times))
		}
	}

	cancel()
	var stdout, stderr bytes.Buffer
	if code := command(ctx, []string{"-p", "smoke", "-o", t.TempDir()}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("interrupted at once: exit code %d and %q", code, &stderr)
	}
}

func TestTheBudgetBoundsTheRounds(t *testing.T) {
	p := profile{name: "test", slice: time.Millisecond, rounds: 1000, budget: 100 * time.Millisecond}
	cases := p.choose(suite.All(), regexp.MustCompile("op=serialize/data=STRUCT/buffer=array"))
	results, err := measure(t.Context(), cases, p, func(float64, suite.Name) {})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(results[0].Times); n < leastRounds || n > 100 {
		t.Errorf("%d rounds in a tenth of a second, of 6 cases of a millisecond each", n)
	}
}

func TestShuffledKeepsSizesTogether(t *testing.T) {
	var subjects []*subject
	for _, n := range suite.Sizes {
		for range 10 {
			subjects = append(subjects, &subject{result: result{Name: suite.Name{N: n}, Message: len(subjects)}})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	first := make(map[int]bool)
	for range 50 {
		order := shuffled(subjects, r)
		first[order[0].N] = true
		var changes, moved int
		for i, s := range order {
			if i > 0 && s.N != order[i-1].N {
				changes++
			}
			if s != subjects[i] {
				moved++
			}
		}
		if changes != len(suite.Sizes)-1 || moved == 0 {
			t.Fatalf("%d changes of size, %d moved", changes, moved)
		}
	}
	if len(first) != len(suite.Sizes) {
		t.Errorf("only the sizes %v come first", first)
	}
}

func TestCalibrateFillsTheSlice(t *testing.T) {
	spin := func() {
		for start := time.Now(); time.Since(start) < 50*time.Microsecond; {
		}
	}
	if n := calibrate(spin, 5*time.Millisecond); n < 10 || n > 100 {
		t.Errorf("%d times 50 µs in 5 ms", n)
	}
	if n := calibrate(spin, time.Microsecond); n != 1 {
		t.Errorf("%d times an operation longer than the slice, want 1", n)
	}
}

func TestAllocationsAreCounted(t *testing.T) {
	var sink []byte
	allocs, size := allocations(func() { sink = make([]byte, 4096) }, 50)
	if allocs != 1 || size != 4096 {
		t.Errorf("%d allocations of %d bytes, want 1 of 4096 (%d)", allocs, size, len(sink))
	}
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
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
		if n := bytes.Count(text, []byte("\n"+c.String()+"-")) + bytes.Count(text, []byte("\n"+c.String()+" ")); n < measure.LeastRounds {
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
	for _, args := range [][]string{{"--help"}, {"run", "--help"}} {
		if code := command(t.Context(), args, &stdout, &stderr); code != 0 {
			t.Errorf("%v: exit code %d: %s", args, code, &stderr)
		}
	}
	for _, want := range []string{"--profile", "--select", "--output", "--check", "--list", "compare", "figures", "report"} {
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
	rare := regexp.MustCompile(`data=(BUFFER_STRUCT|STRUCT2_NIL)|data=SAMPLE/.*/refs=on|Objects/op=roundtrip|data=(CAR|COMPLEX|TV)|mode=(added|removed|swapped|evolved)/way=(reuse|alias)|op=traverse/data=(STRUCT2|SAMPLE)|buffer=(mmap|shm)`)
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

func TestAnInterruptBeforeTheFirstRound(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	if code := command(ctx, []string{"-p", "smoke", "-o", t.TempDir()}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("interrupted at once: exit code %d and %q", code, &stderr)
	}
}

package measure

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"

	"github.com/ashlar-go/ashlar/bench/exchange"
)

func TestResultsReadBack(t *testing.T) {
	results := invented("op=serialize")
	var b bytes.Buffer
	if err := Write(&b, inventedMachine, nil, results); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# commit: 0123456789ab\n", "# date: 2026-05-06T07:08:09Z\n", "# kernel: Linux 6.1.0\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the file does not say %q", want)
		}
	}

	got := make(map[string][]float64) // sec/op by name
	for r := benchfmt.NewReader(&b, "test"); r.Scan(); {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("not a result: %v", r.Result())
		}
		if cpu := res.GetConfig("cpu"); cpu != inventedMachine.Processor {
			t.Errorf("cpu is %q, want %q", cpu, inventedMachine.Processor)
		}
		if n := res.Iters; n != 1000 {
			t.Errorf("%s: %d iterations, want 1000", res.Name, n)
		}
		sec, ok := res.Value("sec/op")
		if !ok {
			t.Fatalf("%s has no time", res.Name)
		}
		if v, _ := res.Value("B/message"); v != 816 {
			t.Errorf("%s: a message of %v bytes, want 816", res.Name, v)
		}
		name := string(res.Name)
		got[name] = append(got[name], sec*1e9)
	}
	if len(got) != len(results) {
		t.Errorf("%d names, want %d", len(got), len(results))
	}
	for _, res := range results {
		name := strings.TrimPrefix(res.String(), "Benchmark") + "-2"
		if len(got[name]) != len(res.Times) {
			t.Fatalf("%s: %d samples, want %d", name, len(got[name]), len(res.Times))
		}
		for i, ns := range res.Times {
			if math.Abs(got[name][i]-ns) > 0.01 {
				t.Errorf("%s: sample %d is %v ns, want %v", name, i, got[name][i], ns)
			}
		}
	}
}

func TestResultsOfTheExchangeReadBack(t *testing.T) {
	results := inventedExchange()
	var b bytes.Buffer
	if err := Write(&b, inventedMachine, results, nil); err != nil {
		t.Fatal(err)
	}
	lines := make(map[string]int)
	for r := benchfmt.NewReader(&b, "test"); r.Scan(); {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			t.Fatalf("not a result: %v", r.Result())
		}
		name := string(res.Name)
		lines[name]++
		if _, ok := res.Value("sec/op"); !ok {
			t.Errorf("%s has no time", name)
		}
		stream, handover := strings.Contains(name, "op=stream"), strings.Contains(name, "op=handover")
		paced := strings.Contains(name, "pace=")
		if _, ok := res.Value("p99-sec"); ok == stream {
			t.Errorf("%s: a 99th percentile is %v", name, ok)
		}
		for _, unit := range []string{"msg/s", "B/s"} {
			if _, ok := res.Value(unit); ok == (paced || handover) {
				t.Errorf("%s: %s is %v", name, unit, ok)
			}
		}
	}
	for _, res := range results {
		name := strings.TrimPrefix(res.String(), "Benchmark") + "-2"
		if lines[name] != len(res.Rounds) {
			t.Errorf("%s: %d lines, want %d", name, lines[name], len(res.Rounds))
		}
	}
}

func TestSavingReplacesAFile(t *testing.T) {
	folder := t.TempDir() + "/new/folder"
	results := invented("data=STRUCT/")
	for range 2 {
		path, err := Save(folder, "quick.txt", inventedMachine, nil, results)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || !bytes.Contains(text, []byte("BenchmarkObjects/")) {
			t.Errorf("the file has no results: %v", err)
		}
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("%d files are left, want 1", len(files))
	}
	if err := os.WriteFile(folder+"/file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Save(folder+"/file", "quick.txt", inventedMachine, nil, results); err == nil {
		t.Error("a folder that is a file is no error")
	}
}

var inventedMachine = Machine{
	Processor: "Imaginary(R) Processor @ 1 THz", Procs: 2, Kernel: "Linux 6.1.0", GoVersion: "go1.26.0", Commit: "0123456789ab",
	Load: []float64{0.1, 0.2, 0.3}, Date: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC),
}

// invented makes up results for the cases whose name the expression matches.
func invented(expression string) []Result {
	var results []Result
	for i, c := range matching(expression) {
		t := 10 + float64(i)
		results = append(results, Result{Name: c.Name, Message: 816, Deflated: i % 3 * 100, Iterations: 1000, Allocs: i % 4, AllocBytes: i, Times: []float64{t, 1.02 * t, 0.97 * t}})
	}
	return results
}

func inventedExchange() []exchange.Result {
	var results []exchange.Result
	for _, n := range exchange.All() {
		r := exchange.Result{Name: n}
		for i := range 3 {
			round := exchange.Round{Count: 4, Elapsed: time.Duration(4000 + i)}
			if n.Op != exchange.Stream {
				round.Samples = []float64{900, 1000, 1100, 9000}
			}
			r.Rounds = append(r.Rounds, round)
		}
		results = append(results, r)
	}
	return results
}

func TestAFileIsRead(t *testing.T) {
	results, exchanged := invented("."), inventedExchange()
	var b bytes.Buffer
	if err := Write(&b, inventedMachine, exchanged, results); err != nil {
		t.Fatal(err)
	}
	f, err := Read(&b, "test")
	if err != nil {
		t.Fatal(err)
	}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) <= 0.01 })
	if diff := cmp.Diff(results, f.Results, near); diff != "" {
		t.Errorf("results (-written +read):\n%s", diff)
	}
	if diff := cmp.Diff(inventedMachine, f.Machine); diff != "" {
		t.Errorf("machine (-written +read):\n%s", diff)
	}
	if len(f.Exchanged) != len(exchanged) {
		t.Fatalf("%d exchanges, want %d", len(f.Exchanged), len(exchanged))
	}
	for i, r := range f.Exchanged {
		if r.Name != exchanged[i].Name || len(r.Rounds) != 3 || math.Abs(PerMessage(r.Rounds[1])-PerMessage(exchanged[i].Rounds[1])) > 0.01 {
			t.Errorf("%v became %v with %d rounds of %v", exchanged[i].Name, r.Name, len(r.Rounds), PerMessage(r.Rounds[1]))
		}
	}
}

func TestBadFiles(t *testing.T) {
	for name, text := range map[string]string{
		"empty":         "",
		"other":         "BenchmarkOther-2 10 5 ns/op\n",
		"no time":       "BenchmarkArrays/op=serialize/data=BUFFER/n=200/buffer=array/way=copy/lib=memmove-2 10 5 B/op\n",
		"not a number":  "BenchmarkArrays/op=serialize/data=BUFFER/n=200/buffer=array/way=copy/lib=memmove-2 ten 5 ns/op\n",
		"not a measure": "BenchmarkArrays/op=serialize/data=BUFFER/n=200/buffer=array/way=copy/lib=memmove-2 10 x ns/op\n",
	} {
		if f, err := Read(strings.NewReader(text), name); err == nil {
			t.Errorf("%s: got %d results", name, len(f.Results))
		}
	}
}

// With one processor no name ends in a number.
func TestAFileOfOneProcessor(t *testing.T) {
	m := inventedMachine
	m.Procs = 1
	var b bytes.Buffer
	if err := Write(&b, m, nil, []Result{{Name: matching("data=CAR/")[0].Name, Iterations: 10, Times: []float64{5}}}); err != nil {
		t.Fatal(err)
	}
	f, err := Read(&b, "one.txt")
	if err != nil {
		t.Fatal(err)
	}
	if f.Machine.Procs != 1 {
		t.Errorf("read %d processors", f.Machine.Procs)
	}
}

package main

import (
	"bytes"
	"math"
	"os"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestResultsReadBack(t *testing.T) {
	results := invented(func(n suite.Name) bool { return n.Op == suite.Serialize })
	var b bytes.Buffer
	if err := writeResults(&b, inventedMachine, nil, results); err != nil {
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
		if cpu := res.GetConfig("cpu"); cpu != inventedMachine.processor {
			t.Errorf("cpu is %q, want %q", cpu, inventedMachine.processor)
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
	results := inventedExchange(exchange.All())
	var b bytes.Buffer
	if err := writeResults(&b, inventedMachine, results, nil); err != nil {
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
	results := invented(func(n suite.Name) bool { return n.Data == suite.Struct })
	for range 2 {
		path, err := saveResults(folder, "quick.txt", inventedMachine, nil, results)
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
	if _, err := saveResults(folder+"/file", "quick.txt", inventedMachine, nil, results); err == nil {
		t.Error("a folder that is a file is no error")
	}
}

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

// saved writes results to a file, some of them slower by a factor.
func saved(t *testing.T, name string, factor float64, slower func(suite.Name) bool) string {
	t.Helper()
	results := invented(func(n suite.Name) bool { return n.Data == suite.PrimitiveArray && n.Op == suite.Serialize })
	for i := range results {
		res := &results[i]
		times := res.Times
		res.Times = nil
		for j := range 20 {
			x := times[j%3]
			if slower(res.Name) {
				x *= factor
			}
			res.Times = append(res.Times, x*(1+float64(j)/1e4))
		}
	}
	path := filepath.Join(t.TempDir(), name)
	var b bytes.Buffer
	if err := measure.Write(&b, inventedMachine, nil, results); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompareListsWhatIsWorse(t *testing.T) {
	one := arrayCase(suite.Serialize, 5000, suite.Contiguous, suite.Ashlar)
	one.Buffer = suite.Heap
	isOne := func(n suite.Name) bool { return n == one }
	all := func(suite.Name) bool { return true }
	base := saved(t, "old.txt", 1, all)
	for _, tt := range []struct {
		name   string
		factor float64
		slower func(suite.Name) bool
		want   []string
	}{
		{"one is slower", 1.3, isOne, []string{"1 worse, 0 better", one.Sub(), "+30%"}},
		{"one is faster", 0.5, isOne, []string{"0 worse, 1 better", one.Sub(), "-50%"}},
		{"by less than two runs of one program differ", 1.02, isOne, []string{"0 worse, 0 better"}},
		{"all are slower, the memmoves too", 2, all, []string{"0 worse, 0 better"}},
	} {
		var stdout, stderr bytes.Buffer
		code := command(t.Context(), []string{"compare", base, saved(t, "new.txt", tt.factor, tt.slower)}, &stdout, &stderr)
		if code != 0 {
			t.Fatalf("%s: exit code %d: %s", tt.name, code, &stderr)
		}
		for _, want := range tt.want {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%s: want %q in\n%s", tt.name, want, &stdout)
			}
		}
		if n := strings.Count(stdout.String(), "op="); n != len(tt.want)/2 {
			t.Errorf("%s: %d cases are listed\n%s", tt.name, n, &stdout)
		}
	}
}

func TestCompareRefusesWhatItCannotCompare(t *testing.T) {
	path := saved(t, "old.txt", 1, func(suite.Name) bool { return false })
	other := filepath.Join(t.TempDir(), "other.txt")
	if err := os.WriteFile(other, []byte("BenchmarkMaps/op=serialize/data=MAP/type=string-int64/n=10/buffer=array/way=contiguous/lib=ashlar 10 5 ns/op\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"compare", path}, 2, "<new>"},
		{[]string{"compare", path, path + ".missing"}, 2, "missing"},
		{[]string{"compare", path, other}, 1, "no case in common"},
		{[]string{"compare", path, "compare_test.go"}, 1, "no results"},
	} {
		var stdout, stderr bytes.Buffer
		if code := command(t.Context(), tt.args, &stdout, &stderr); code != tt.code || !strings.Contains(stderr.String(), tt.want) {
			t.Errorf("%v: exit code %d and %q; want %d and %q", tt.args, code, &stderr, tt.code, tt.want)
		}
	}
}

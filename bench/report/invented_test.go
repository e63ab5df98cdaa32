package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// sourceOf reads a file that has a line for each time, as a run writes it.
func sourceOf(t *testing.T, path string, lines ...string) Source {
	t.Helper()
	head := "# date: 2026-05-04T03:02:01Z\n# commit: 0123456789ab\n# go: go1.26.0\n# kernel: Linux 7.0\n# load: 0.10 0.20 0.30\n\ncpu: Invented 9000\n"
	f, err := measure.Read(strings.NewReader(head+strings.Join(lines, "")), path)
	if err != nil {
		t.Fatal(err)
	}
	return Source{path, f}
}

// lines are the rounds of a case.
func lines(name string, ns ...float64) string {
	var b strings.Builder
	for _, v := range ns {
		fmt.Fprintf(&b, "Benchmark%s-4\t1000\t%.2f ns/op\t64 B/op\t2 allocs/op\t1816 B/message\t912 B/deflated\n", name, v)
	}
	return b.String()
}

const (
	array  = "Arrays/op=%s/data=PRIMITIVE_ARRAY/n=5000/buffer=array/way=%s/lib=%s"
	object = "Objects/op=%s/data=%s/buffer=array/refs=off/mode=consistent/way=%s/lib=%s"
)

// wideLibraries are those of bench/wide, with their ways.
var wideLibraries = [][2]string{
	{"avro", suite.Known}, {"avro", suite.Described}, {"bson", suite.Described}, {"cbor", suite.Known}, {"cbor", suite.Described},
	{"gob", suite.Known}, {"json", suite.Described}, {"msgpack", suite.Known}, {"msgpack", suite.Described}, {"msgp", suite.Known},
	{"mus", suite.Known}, {"mus", suite.Alias}, {"protobuf", suite.Known}, {"thrift-binary", suite.Known}, {"thrift-compact", suite.Known},
	{"xml", suite.Described}, {"yaml", suite.Described},
}

// invented are files with every case that there is: of bench, and of bench/wide.
func invented(t *testing.T) []Source {
	t.Helper()
	m := measure.Machine{Processor: "Invented 9000", Procs: 4, Kernel: "Linux 7.0", GoVersion: "go1.26.0", Commit: "0123456789ab",
		Load: []float64{3.5, 2, 1}, Date: time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)}
	var own, wide []measure.Result
	seen := make(map[suite.Name]bool)
	for i, c := range suite.All() {
		ns := 3 * float64(1+i%97) * float64(1+i%13) * max(1, float64(c.N)/50)
		if c.Way == suite.Documented {
			ns *= 40
		}
		own = append(own, inventedResult(c.Name, ns))
		if c.Lib != suite.Ashlar && c.Lib != suite.Memmove || !usual(c.Name) {
			continue
		}
		wide = append(wide, inventedResult(c.Name, ns))
		if g := c.Group(); seen[g] || c.Op != suite.Serialize && c.Op != suite.Deserialize && c.Op != suite.RoundTrip || c.Bench == suite.Maps {
			continue
		}
		seen[c.Group()] = true
		for j, l := range wideLibraries {
			for _, n := range sizesOf(c.Name) {
				name := c.With(l[1], l[0])
				name.N = n
				wide = append(wide, inventedResult(name, 700*float64(1+j*j*j)*max(1, float64(n)/100)))
			}
		}
	}
	var exchanged []exchange.Result
	for i, n := range exchange.All() {
		ns := 1000 * float64(1+i%7)
		r := exchange.Round{Count: 10, Elapsed: time.Duration(10 * ns), Samples: []float64{ns}}
		exchanged = append(exchanged, exchange.Result{Name: n, Rounds: []exchange.Round{r, r, r}})
	}
	return []Source{written(t, "full.txt", m, exchanged, own), written(t, "wide.txt", m, nil, wide)}
}

func sizesOf(n suite.Name) []int {
	if n.Bench == suite.Arrays {
		return suite.Sizes
	}
	return []int{0}
}

func inventedResult(n suite.Name, ns float64) measure.Result {
	return measure.Result{Name: n, Message: 816, Deflated: 411, Iterations: 1000, Allocs: 1, AllocBytes: 64, Times: []float64{ns, 1.02 * ns, 0.96 * ns}}
}

// written is a file that was written and read again.
func written(t *testing.T, path string, m measure.Machine, exchanged []exchange.Result, results []measure.Result) Source {
	t.Helper()
	var b bytes.Buffer
	if err := measure.Write(&b, m, exchanged, results); err != nil {
		t.Fatal(err)
	}
	f, err := measure.Read(&b, path)
	if err != nil {
		t.Fatal(err)
	}
	return Source{path, f}
}

// html is the page of some sources.
func html(t *testing.T, sources ...Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, sources); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

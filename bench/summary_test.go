package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares text with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got), to be rewritten by -update:\n%s", path, diff)
	}
}

// invented makes up results for the cases that keep picks: so many ns for each
// way, more for larger messages, in three rounds.
func invented(keep func(suite.Name) bool) []measure.Result {
	ns := map[string]float64{
		suite.Contiguous: 33, suite.Copy: 31, suite.Reuse: 38, suite.Alias: 12, suite.Documented: 1234.5,
		suite.Expert: 57, suite.MakeCopy: 99, suite.Bools: 3.25, suite.Copy800: 20, suite.Gather: 2, suite.EvolvedAlias: 13,
		suite.View: 9, suite.InPlace: 50, suite.Direct: 49, suite.New: 99,
	}
	var results []measure.Result
	for _, c := range suite.All() {
		if !keep(c.Name) {
			continue
		}
		t := ns[c.Way]
		switch {
		case c.Lib == suite.CapnProto:
			t *= 3
		case c.Lib == suite.Memmove && c.Way == suite.Copy:
			t = 16
		}
		if c.Way != suite.Alias && c.Way != suite.EvolvedAlias && c.Way != suite.Gather {
			t *= max(1, float64(c.N)/100)
		}
		results = append(results, measure.Result{
			Name: c.Name, Message: 816, Iterations: 1000, Allocs: int(t) % 4, AllocBytes: int(t),
			Times: []float64{t, 1.02 * t, 0.97 * t},
		})
	}
	return results
}

// inventedExchange makes up results of the exchange: three rounds of a hundred
// messages, slower by link and way, and in each round some that are slower still.
func inventedExchange(names []exchange.Name) []exchange.Result {
	factor := map[string]float64{
		exchange.Shm: 1, exchange.CopyRing: 5.5, exchange.Unix: 8, exchange.Pipe: 4, exchange.TCP: 12.3,
		suite.Documented: 7, suite.Expert: 1.5,
	}
	var results []exchange.Result
	for _, n := range names {
		ns := 900 * factor[n.Link]
		if f := factor[n.Way]; f != 0 {
			ns *= f
		}
		ns *= max(1, float64(n.N)/1000)
		if n.Pace != 0 {
			ns *= 10
		}
		r := exchange.Result{Name: n}
		for i := range 3 {
			const count = 100
			round := exchange.Round{Count: count, Elapsed: time.Duration(ns * count * (1 + float64(i)/100))}
			for j := range count {
				if n.Op != exchange.Stream {
					round.Samples = append(round.Samples, ns*(1+float64(i)/100)*(1+float64(j/90)))
				}
			}
			r.Rounds = append(r.Rounds, round)
		}
		results = append(results, r)
	}
	return results
}

var inventedMachine = measure.Machine{
	Processor: "Imaginary(R) Processor @ 1 THz", Procs: 2, Kernel: "Linux 6.1.0", GoVersion: "go1.26.0", Commit: "0123456789ab",
	Load: []float64{0.1, 0.2, 0.3}, Date: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC),
}

func TestTheSummaryReadsAsBefore(t *testing.T) {
	results := invented(func(n suite.Name) bool {
		return n.Data == suite.PrimitiveArray && n.Op != suite.Traverse || n.Bench == suite.Objects && n.Op == suite.Serialize
	})
	r := run{
		report: newReport(results), exchange: newExchangeReport(inventedExchange(exchange.All())),
		machine: inventedMachine, profile: "quick", took: 51 * time.Second,
	}
	var b bytes.Buffer
	r.write(&b, style{})
	golden(t, "summary.golden", b.Bytes())
}

// What was not measured leaves gaps, and no claims.
func TestTheSummaryOfAFewCases(t *testing.T) {
	results := invented(func(n suite.Name) bool {
		return n.Op == suite.Serialize && n.Data == suite.PrimitiveArray && n.Buffer == suite.OffHeap && n.Lib != suite.Memmove && n.N != 1000
	})
	m := inventedMachine
	m.Load = []float64{1.9, 0.2, 0.3}
	r := run{
		report: newReport(results), exchange: newExchangeReport(nil),
		machine: m, profile: "smoke", took: time.Second, interrupted: true,
	}
	var b bytes.Buffer
	r.write(&b, style{})
	golden(t, "few.golden", b.Bytes())
}

func TestTheSummaryFitsATerminal(t *testing.T) {
	results := invented(func(suite.Name) bool { return true })
	for i := range results { // the widest that can be
		for j := range results[i].Times {
			results[i].Times[j] *= []float64{1, 500, 1e6}[(i+j)%3]
		}
	}
	var b bytes.Buffer
	exchanged := inventedExchange(exchange.All())
	for i := range exchanged {
		for j := range exchanged[i].Rounds {
			by := []float64{0.01, 99.9, 1e4}[(i+j)%3]
			r := &exchanged[i].Rounds[j]
			r.Elapsed = time.Duration(float64(r.Elapsed) * by)
			for k := range r.Samples {
				r.Samples[k] *= by
			}
		}
	}
	r := run{report: newReport(results), exchange: newExchangeReport(exchanged), machine: inventedMachine, profile: "full"}
	r.exchange.missing = fmt.Errorf("shm: channels need Linux, this is darwin: %w", errors.ErrUnsupported)
	r.write(&b, style{})
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 100 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func TestColourOnlyWhenAskedFor(t *testing.T) {
	r := run{report: newReport(invented(func(n suite.Name) bool { return n.Data == suite.Struct })), exchange: newExchangeReport(nil)}
	var plain, colour bytes.Buffer
	r.write(&plain, style{})
	r.write(&colour, style{colour: true})
	if strings.Contains(plain.String(), "\x1b") {
		t.Error("the plain summary has escapes")
	}
	if !strings.Contains(colour.String(), "\x1b[1m") {
		t.Error("the coloured summary has no escapes")
	}
}

func TestTimeAndRatioTexts(t *testing.T) {
	for _, tt := range []struct {
		ns   float64
		want string
	}{
		{7.321, "7.32 ns"}, {9.996, "10.0 ns"}, {99.96, "100 ns"}, {999.4, "999 ns"}, {999.6, "1.00 µs"},
		{12345, "12.3 µs"}, {999_600, "1.00 ms"}, {2.5e9, "2500 ms"},
	} {
		if got := measure.TimeText(tt.ns); got != tt.want {
			t.Errorf("%v ns: got %q, want %q", tt.ns, got, tt.want)
		}
	}
	for _, tt := range []struct {
		ratio float64
		want  string
	}{
		{0.0123, "0.012x"}, {0.0996, "0.10x"}, {1.036, "1.04x"}, {45.67, "45.7x"}, {1234, "1234x"},
	} {
		if got := measure.RatioText(tt.ratio); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.ratio, got, tt.want)
		}
	}
}

func TestClaimsBreakBeyondTwiceTheirBound(t *testing.T) {
	most, least := &claim{bound: 2}, &claim{bound: 40, atLeast: true}
	for _, tt := range []struct {
		claim      *claim
		measured   float64
		ok, broken bool
	}{
		{most, 2, true, false}, {most, 2.1, false, false}, {most, 4, false, false}, {most, 4.1, false, true},
		{least, 40, true, false}, {least, 39, false, false}, {least, 20, false, false}, {least, 19, false, true},
	} {
		f := finding{tt.claim, tt.measured, tt.measured}
		if f.ok() != tt.ok || f.broken() != tt.broken {
			t.Errorf("%v %v, measured %v: ok %v, broken %v", tt.claim.sign(), tt.claim.limit(), tt.measured, f.ok(), f.broken())
		}
	}
}

func TestTheBestRoundBreaksAClaim(t *testing.T) {
	for _, tt := range []struct {
		claim  *claim
		rounds []float64
		broken bool
	}{
		{&claim{bound: 2}, []float64{9, 9, 3, 9, 9}, false}, {&claim{bound: 2}, []float64{9, 9, 5, 9, 9}, true},
		{&claim{bound: 40, atLeast: true}, []float64{1, 1, 21, 1}, false}, {&claim{bound: 40, atLeast: true}, []float64{1, 1, 19, 1}, true},
	} {
		f, ok := findingOf(tt.claim, tt.rounds)
		if !ok || f.ok() || f.broken() != tt.broken {
			t.Errorf("%s %s, %v: ok %v, broken %v", tt.claim.sign(), tt.claim.limit(), tt.rounds, f.ok(), f.broken())
		}
	}
	if _, ok := findingOf(&claim{}, nil); ok {
		t.Error("a claim that nothing was measured of is held")
	}
}

// Every claim finds its cases, in both kinds of memory.
func TestEveryClaimIsMeasured(t *testing.T) {
	r := run{
		report:   newReport(invented(func(suite.Name) bool { return true })),
		exchange: newExchangeReport(inventedExchange(exchange.All())),
	}
	for _, ch := range chapters {
		for i := range ch.claims {
			for _, k := range claimed {
				if _, ok := ch.claims[i].find(r.report, k.level); !ok {
					t.Errorf("%s, %s, %s: not found", ch.title, ch.claims[i].text, k.name)
				}
			}
		}
	}
	for i := range r.Results {
		if r.Results[i].Lib == suite.Ashlar {
			for j := range r.Results[i].Times {
				r.Results[i].Times[j] *= 1000
			}
		}
	}
	claims := 0
	for _, ch := range chapters {
		switch ch.title {
		case "MEDIA_CONTENT with references", "serialize by gather",
			"deserialize by compat.Reader, the same schema", "deserialize another version",
			"one field of a message of another version / of the same":
			continue // they compare Ashlar with itself, and are still kept
		case "deserialize PRIMITIVE_ARRAY", "deserialize BUFFER", "deserialize another version, PRIMITIVE_ARRAY", "one field":
			claims-- // so does the one about alias, and that about the last image
		}
		claims += len(ch.claims)
	}
	if got := len(r.broken()); got != claims*len(claimed) {
		t.Errorf("an Ashlar a thousand times as slow breaks %d claims, want %d", got, claims*len(claimed))
	}
}

func TestEveryClaimOfTheExchangeIsMeasured(t *testing.T) {
	measured := newExchangeReport(inventedExchange(exchange.All()))
	for i := range exchangeClaims {
		if _, ok := exchangeClaims[i].find(measured); !ok {
			t.Errorf("%s: not found", exchangeClaims[i].text)
		}
	}
	results := inventedExchange(exchange.All())
	for i := range results {
		if results[i].Link != exchange.Shm {
			continue
		}
		for j := range results[i].Rounds {
			r := &results[i].Rounds[j]
			r.Elapsed *= 1000
			for k := range r.Samples {
				r.Samples[k] *= 1000
			}
		}
	}
	r := run{report: newReport(nil), exchange: newExchangeReport(results)}
	if got, want := len(r.broken()), len(exchangeClaims); got != want {
		t.Errorf("shared memory a thousand times as slow breaks %d claims, want %d", got, want)
	}
}

// A system without shared memory says so, and has the other rows without ratios.
func TestTheExchangeWithoutSharedMemory(t *testing.T) {
	names := slices.DeleteFunc(exchange.All(), func(n exchange.Name) bool {
		return n.Link == exchange.Shm || n.Link == exchange.CopyRing || n.N > exchange.Word
	})
	r := newExchangeReport(inventedExchange(names))
	r.missing = fmt.Errorf("shm: channels need Linux, this is darwin: %w", errors.ErrUnsupported)
	var b bytes.Buffer
	r.write(&b, style{})
	golden(t, "without-shm.golden", b.Bytes())
}

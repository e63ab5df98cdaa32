package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestFindingsAreRatiosRoundByRound(t *testing.T) {
	s := sourceOf(t, "full.txt",
		lines(fmt.Sprintf(array, "serialize", "contiguous", "ashlar"), 100, 200, 100), // one round was slow
		lines(fmt.Sprintf(array, "serialize", "copy", "memmove"), 50, 100, 50),
		lines(fmt.Sprintf(array, "serialize", "documented", "flatbuffers"), 4000, 8000, 4000),
		lines(fmt.Sprintf(array, "serialize", "expert", "flatbuffers"), 150, 300, 156),
		lines(fmt.Sprintf(array, "serialize", "documented", "capnproto"), 80, 160, 80), // better than the expert's
		lines(fmt.Sprintf(array, "serialize", "expert", "capnproto"), 500, 1000, 500),
		lines(fmt.Sprintf(object, "roundtrip", "CAR_LARGE", "copy", "ashlar"), 500, 1000, 500)) // beside nothing
	p, err := newPage([]Source{s})
	if err != nil {
		t.Fatal(err)
	}
	want := []findingRow{{"Five arrays of 5,000 elements, serialized", [5]cell{
		{Text: "40.0×", Small: "40.0–40.0"}, {Text: "1.50×", Small: "1.50–1.56"},
		{Text: "0.80×", Small: "0.80–0.80"}, {Text: "0.80×", Small: "0.80–0.80"}, {Text: "2.00×", Small: "2.00–2.00"},
	}, true}}
	if diff := cmp.Diff(want, p.Findings.Rows, cmp.AllowUnexported(findingRow{})); diff != "" {
		t.Errorf("findings (-want +got):\n%s", diff)
	}
	if c := p.Findings.Cards; len(c) != 1 || c[0].Big.Text != "2.00×" || len(c[0].Lines) != 4 {
		t.Errorf("cards: %+v", c)
	}
	if got := html(t, s); !strings.Contains(got, `<p class="lead">Five arrays of 5,000 elements, serialized: Ashlar takes <b><span class="figure">2.00× <small>(2.00–2.00)</small></span></b> as long as a memmove`) {
		t.Error("the page does not begin with the finding")
	}
	if n := p.Findings.Slower(); n != 1 {
		t.Errorf("Ashlar is slower in %d rows, want the one of Cap'n Proto's", n)
	}
	if p.Libraries != 2 || p.Cases != 7 {
		t.Errorf("%d libraries and %d cases", p.Libraries, p.Cases)
	}
}

func TestEveryCaseIsInATable(t *testing.T) {
	sources := invented(t)
	p, err := newPage(sources)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range sources {
		rows := 0
		for _, table := range p.Tables[i].Tables {
			rows += len(table.Rows)
			for _, r := range table.Rows {
				if len(r.Axes) != len(table.Axes) || len(r.Cells) != len(table.Heads) {
					t.Fatalf("%s: a row of %d and %d cells below %d and %d heads", table.Title, len(r.Axes), len(r.Cells), len(table.Axes), len(table.Heads))
				}
			}
		}
		if want := len(s.Results) + len(s.Exchanged); rows != want {
			t.Errorf("%s has %d cases, its tables %d rows", s.Path, want, rows)
		}
	}
}

func TestACaseHasItsFigures(t *testing.T) {
	const field = "Objects/op=field/data=STRUCT/buffer=offheap/refs=off/mode=%s/field=F49/way=%s/lib=%s"
	s := sourceOf(t, "full.txt",
		lines(fmt.Sprintf(array, "deserialize", "copy", "ashlar"), 200, 202, 204),
		lines(fmt.Sprintf(array, "deserialize", "reuse", "ashlar"), 100, 101, 102),
		lines(fmt.Sprintf(array, "deserialize", "copy", "memmove"), 50, 50.5, 51),
		lines(fmt.Sprintf(array, "deserialize", "expert", "capnproto"), 400, 404, 408),
		lines(fmt.Sprintf(field, "consistent", "view", "ashlar"), 10, 10, 10),
		lines(fmt.Sprintf(field, "evolved", "view", "ashlar"), 15, 15, 15),
		lines(fmt.Sprintf(field, "consistent", "documented", "flatbuffers"), 40, 40, 40))
	figures := func(median, margin, base, ashlar string) []cell {
		ratio := func(text string) cell {
			if text == dash {
				return blank
			}
			return cell{Text: text, Small: "±0%"}
		}
		return []cell{{Text: median}, {Text: margin}, ratio(base), ratio(ashlar), {Text: "2"}, {Text: "64"}, {Text: "1,816"}, {Text: "912"}}
	}
	want := []caseTable{{
		"deserialize PRIMITIVE_ARRAY", workloadText(suite.PrimitiveArray), []string{"library", "n", "buffer", "way"},
		[]string{"median", "margin", "÷ memmove", "÷ Ashlar", "allocs", "bytes allocated", "message", "+dfl"},
		[]caseRow{
			{"own", []string{"Ashlar", "5,000", "array", "copy"}, figures("202 ns", "±1%", "4.00×", dash)},
			{"own", []string{"Ashlar", "5,000", "array", "reuse"}, figures("101 ns", "±1%", "2.00×", dash)},
			{"base", []string{"memmove", "5,000", "array", "copy"}, figures("50.5 ns", "±1%", dash, "0.50×")},
			{"other", []string{"Cap’n Proto", "5,000", "array", "expert"}, figures("404 ns", "±1%", "8.00×", "2.00×")},
		},
	}, {
		"field STRUCT", workloadText(suite.Struct), []string{"library", "field", "buffer", "refs", "mode", "way"},
		[]string{"median", "margin", "÷ FlatBuffers documented", "÷ Ashlar", "allocs", "bytes allocated", "message", "+dfl"},
		[]caseRow{
			{"own", []string{"Ashlar", "F49", "offheap", "off", "consistent", "view"}, figures("10.0 ns", "±0%", "0.25×", dash)},
			{"own", []string{"Ashlar", "F49", "offheap", "off", "evolved", "view"}, figures("15.0 ns", "±0%", "0.38×", "1.50×")},
			{"other", []string{"FlatBuffers", "F49", "offheap", "off", "consistent", "documented"}, figures("40.0 ns", "±0%", dash, "4.00×")},
		},
	}}
	if diff := cmp.Diff(want, newRun(0, s).tables().Tables); diff != "" {
		t.Errorf("tables (-want +got):\n%s", diff)
	}
}

// A list of parts is less than what the others make, so nothing is held against Ashlar's message there.
func TestGatherIsHeldAgainstNoMessage(t *testing.T) {
	r := newRun(0, sourceOf(t, "full.txt",
		lines(fmt.Sprintf(array, "serialize", "contiguous", "ashlar"), 100),
		lines(fmt.Sprintf(array, "serialize", "gather", "ashlar"), 10)))
	rows := r.tables().Tables[0].Rows
	if got := rows[1].Cells[3]; rows[1].Axes[3] != "gather" || got != blank {
		t.Errorf("gather has the ratio %+v", got)
	}
}

func TestNoisyFiguresAreMarked(t *testing.T) {
	quiet, loud := []float64{100, 105, 95}, []float64{100, 130, 95}
	for _, tt := range []struct {
		ns   []float64
		want bool
	}{{quiet, false}, {loud, true}} {
		p, err := newPage([]Source{sourceOf(t, "full.txt",
			lines(fmt.Sprintf(array, "serialize", "contiguous", "ashlar"), tt.ns...),
			lines(fmt.Sprintf(array, "serialize", "documented", "flatbuffers"), 300, 300, 300))})
		if err != nil {
			t.Fatal(err)
		}
		row := p.Tables[0].Tables[0].Rows[0].Cells
		for name, got := range map[string]bool{
			"the finding":      p.Findings.Rows[0].Cells[0].Noisy,
			"the bar":          p.Rivals[0].Charts[0].Bars[0].Noisy,
			"the median":       row[0].Noisy,
			"the margin":       row[1].Noisy,
			"the rival's time": p.Tables[0].Tables[0].Rows[1].Cells[3].Noisy, // its ratio is as noisy
		} {
			if got != tt.want {
				t.Errorf("%v: %s is noisy: %v, want %v", tt.ns, name, got, tt.want)
			}
		}
		var b strings.Builder
		if err := pageTemplate.ExecuteTemplate(&b, "cell", row[0]); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), `class="noisy">≈ `); got != tt.want {
			t.Errorf("%v: the cell is %s", tt.ns, &b)
		}
	}
}

func TestANoisyMachineIsSaidToBe(t *testing.T) {
	quiet := sourceOf(t, "full.txt", lines(fmt.Sprintf(array, "serialize", "contiguous", "ashlar"), 100, 101, 99))
	if page := html(t, quiet); strings.Contains(page, "machine is noisy") {
		t.Error("a quiet machine is called noisy")
	}
	quiet.Machine.Load = []float64{4.5}
	if page := html(t, quiet); strings.Count(page, "This machine is noisy: its load average was 4.50") != 2 {
		t.Error("the load is not told in the head and beside the machine")
	}
}

func TestTheMachineIsTold(t *testing.T) {
	page := html(t, sourceOf(t, "some/full.txt", lines(fmt.Sprintf(array, "serialize", "contiguous", "ashlar"), 100, 101)))
	for _, want := range []string{"some/full.txt", "Invented 9000", "4 processors", "Linux 7.0", "go1.26.0", "0123456789ab", "2026-05-04 03:02 UTC", "0.10 0.20 0.30", "1 in 2 rounds"} {
		if !strings.Contains(page, ">"+want+"<") {
			t.Errorf("the page does not have %q", want)
		}
	}
}

func TestMissingDataDoNotBreakThePage(t *testing.T) {
	ownLine := lines(fmt.Sprintf(array, "serialize", "contiguous", "ashlar"), 100)
	const bench, wide = "<code>go run ./bench --profile full</code>", "<code>cd bench/wide &amp;&amp; go run . --profile full</code>"
	for _, tt := range []struct {
		name        string
		lines       string
		bench, wide int // hints at what to run
	}{
		{"Ashlar alone", ownLine, 3, 5}, // of findings, charts, Fory's objects; charts, jvm-serializers, cars, COMPLEX, TV
		{"two rivals", lines(fmt.Sprintf(object, "serialize", "STRUCT", "documented", "flatbuffers"), 7), 1, 5},
		{"the wide field", lines(fmt.Sprintf(object, "serialize", "CAR", "described", "json"), 7), 4, 4},
		{"between processes", lines("Exchange/op=roundtrip/data=BYTES/n=64/link=shm/way=alias/lib=ashlar", 7), 4, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			page := html(t, sourceOf(t, "few.txt", tt.lines))
			if got := strings.Count(page, bench); got != tt.bench {
				t.Errorf("%d hints at bench, want %d", got, tt.bench)
			}
			if got := strings.Count(page, wide); got != tt.wide {
				t.Errorf("%d hints at bench/wide, want %d", got, tt.wide)
			}
			if !strings.HasSuffix(page, "</html>\n") {
				t.Error("the page has no end")
			}
		})
	}
	if page := html(t, invented(t)...); strings.Contains(page, `class="missing"`) {
		t.Error("the page of every case says that something is missing")
	}
}

// The page asks for nothing: no script, no style or font or picture from elsewhere.
func TestThePageNeedsNothingElse(t *testing.T) {
	page := html(t, invented(t)...)
	for _, no := range []string{"<script", "src=", "http", "@import", "url(", "<iframe", "<object", "<embed", "onload="} {
		if strings.Contains(page, no) {
			t.Errorf("the page has %q", no)
		}
	}
	for _, link := range regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		id, ok := strings.CutPrefix(link[1], "#")
		if link[1] != "data:," && (!ok || !strings.Contains(page, `id="`+id+`"`)) {
			t.Errorf("the page leads to %q", link[1])
		}
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("the template has found a text unsafe")
	}
}

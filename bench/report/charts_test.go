package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestBarsHaveTheLengthsOfTheirTimes(t *testing.T) {
	r := newRun(0, sourceOf(t, "full.txt",
		lines(fmt.Sprintf(array, "serialize", "contiguous", "ashlar"), 100, 90, 110),
		lines(fmt.Sprintf(array, "serialize", "copy", "memmove"), 50),
		lines(fmt.Sprintf(array, "serialize", "expert", "flatbuffers"), 200),
		lines(fmt.Sprintf(array, "serialize", "bools", "memmove"), 1))) // no operation of the kind
	c := r.bySize(suite.Serialize, suite.PrimitiveArray).Charts
	if len(c) != 1 || c[0].Log {
		t.Fatalf("got %+v, want one chart that is linear", c)
	}
	type shown struct {
		Label, Text, Class string
		Width, Lo, Hi      float64
	}
	var got []shown
	for _, b := range c[0].Bars {
		got = append(got, shown{b.Label, b.Text, b.Class, b.Width, b.Lo, b.Hi})
	}
	want := []shown{
		{"memmove copy", "50.0 ns", "base", 36.5, 36.5, 36.5}, {"Ashlar contiguous", "100 ns", "own", 73, 65.7, 80.3},
		{"FlatBuffers expert", "200 ns", "other", 146, 146, 146},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
}

func TestScales(t *testing.T) {
	for _, tt := range []struct {
		least, most float64
		log         bool
		ticks       []string
	}{
		{100, 700, false, []string{"0", "500 ns"}},
		{700, 1500, false, []string{"0", "500 ns", "1 µs", "1.5 µs"}},
		{15, 2.9e5, true, []string{"10 ns", "1 µs", "100 µs"}},
		{0.5, 5, true, []string{"0.1 ns", "1 ns"}},
		{150, 4e7, true, []string{"100 ns", "10 µs", "1 ms"}},
		{1000, 60e9, true, []string{"100 ns", "100 µs", "100 ms"}},
	} {
		s := newScale(tt.least, tt.most)
		var texts []string
		for _, k := range s.ticks() {
			texts = append(texts, k.Text)
		}
		if s.log != tt.log || !cmp.Equal(texts, tt.ticks) {
			t.Errorf("from %v to %v: logarithmic %v, %q; want %v, %q", tt.least, tt.most, s.log, texts, tt.log, tt.ticks)
		}
		if s.at(tt.most) != plotWidth || s.at(2*tt.most) != plotWidth || s.at(tt.least) <= 0 || s.at(tt.least/1e6) < 0 {
			t.Errorf("from %v to %v: lengths %v to %v", tt.least, tt.most, s.at(tt.least), s.at(tt.most))
		}
	}
}

// Charts of a set can be compared by eye: one length means one time.
func TestChartsOfASetHaveOneScale(t *testing.T) {
	for _, set := range rivalCharts([]*run{newRun(0, invented(t)[0])}) {
		for _, c := range set.Charts {
			if c.Log != set.Charts[0].Log || !cmp.Equal(c.Ticks, set.Charts[0].Ticks) {
				t.Errorf("%s: the charts %s and %s differ in scale", set.Title, set.Charts[0].Title, c.Title)
			}
		}
	}
}

func TestThePageHasItsCharts(t *testing.T) {
	p, err := newPage(invented(t))
	if err != nil {
		t.Fatal(err)
	}
	titles := func(sets []chartSet) (all []string) {
		for _, s := range sets {
			for _, c := range s.Charts {
				all = append(all, s.Title+": "+c.Title)
			}
		}
		return all
	}
	rivals, wide := strings.Join(titles(p.Rivals), "\n"), strings.Join(titles(p.Wide), "\n")
	for _, want := range []string{"build PRIMITIVE_ARRAY: n = 200", "traverse BUFFER: n = 1,000", "deserialize PRIMITIVE_ARRAY: n = 5,000",
		"field STRUCT: F49", "field MEDIA_CONTENT: Media.URI", "MEDIA_CONTENT: traverse", "SAMPLE: deserialize"} {
		if !strings.Contains(rivals+"\n", want+"\n") {
			t.Errorf("no chart %q among those of the rivals:\n%s", want, rivals)
		}
	}
	for _, data := range []string{"PRIMITIVE_ARRAY, n = 200", "BUFFER, n = 5,000", "STRUCT", "STRUCT2", "MEDIA_CONTENT", "SAMPLE", "CAR", "CAR_LARGE", "COMPLEX", "TV", "TV_CATALOGUE"} {
		for _, op := range []string{"serialize", "deserialize", "roundtrip"} {
			if want := data + ": " + op; !strings.Contains("\n"+wide+"\n", "\n"+want+"\n") {
				t.Errorf("no chart %q of the wide field", want)
			}
		}
	}
	for _, s := range p.Wide {
		for _, c := range s.Charts {
			if own := strings.Contains(fmt.Sprint(c.Bars), "Ashlar"); !own {
				t.Errorf("%s, %s does not have Ashlar", s.Title, c.Title)
			}
		}
	}
}

// Charts are the same by day and by night: all that differs is in the style sheet's variables.
func TestChartsAreColouredByVariablesAlone(t *testing.T) {
	charts := regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(html(t, invented(t)...), -1)
	if len(charts) < 80 {
		t.Fatalf("the page has %d charts", len(charts))
	}
	for _, c := range charts {
		if found := regexp.MustCompile(`(fill|stroke|style|color)=|#[0-9a-fA-F]{3}`).FindString(c); found != "" {
			t.Fatalf("a chart has %q of its own:\n%s", found, c)
		}
	}
	defined := make(map[string]bool)
	for line := range strings.Lines(styleText) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case strings.HasPrefix(name, "--"):
			defined[name] = true
			if !regexp.MustCompile(`^light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\);$`).MatchString(value) {
				t.Errorf("%s is %s, want a light colour and a dark one", name, value)
			}
		case regexp.MustCompile(`#[0-9a-f]{3,6}\b[^{]*;`).MatchString(line):
			t.Errorf("a colour that is no variable: %s", line)
		}
	}
	for _, used := range regexp.MustCompile(`var\((--[a-z-]+)\)`).FindAllStringSubmatch(styleText, -1) {
		if !defined[used[1]] {
			t.Errorf("%s is not defined", used[1])
		}
	}
}

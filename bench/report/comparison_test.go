package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// comparisonOf finds a comparison of some sources.
func comparisonOf(t *testing.T, id string, sources ...Source) comparison {
	t.Helper()
	p, err := newPage(sources)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.Comparisons, func(c comparison) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("no comparison is called %s", id)
	}
	return p.Comparisons[i]
}

// shown is a row in one line.
func shown(r comparisonRow) string {
	var b strings.Builder
	fmt.Fprint(&b, strings.ReplaceAll(strings.Join(r.Stubs, " | "), "\u00a0", " "))
	if r.As != "" {
		fmt.Fprint(&b, " = ", r.As)
	}
	for _, c := range slices.Concat([]cell{{Text: "|"}}, r.Measured, []cell{{Text: "|"}}, r.Published) {
		if c.Noisy {
			b.WriteString(" ≈")
		}
		b.WriteString(" " + c.Text)
	}
	return b.String()
}

// rowOf is the row that begins in some way.
func rowOf(t *testing.T, table comparisonTable, stubs string) string {
	t.Helper()
	for _, r := range table.Rows {
		if s := shown(r); strings.HasPrefix(s, stubs) {
			return s
		}
	}
	t.Errorf("%s has no row of %q", table.Title, stubs)
	return ""
}

func sourceOfMedia(t *testing.T) []Source {
	t.Helper()
	return []Source{
		sourceOf(t, "full.txt",
			lines(fmt.Sprintf(object, "serialize", "MEDIA_CONTENT", "documented", "flatbuffers"), 400),
			lines(fmt.Sprintf(object, "deserialize", "MEDIA_CONTENT", "documented", "flatbuffers"), 500),
			lines(fmt.Sprintf(object, "serialize", "MEDIA_CONTENT", "contiguous", "ashlar"), 999999)), // the other file has more
		sourceOf(t, "wide.txt",
			lines(fmt.Sprintf(object, "serialize", "MEDIA_CONTENT", "contiguous", "ashlar"), 120, 120, 150),
			lines(fmt.Sprintf(object, "deserialize", "MEDIA_CONTENT", "copy", "ashlar"), 480),
			lines(fmt.Sprintf(object, "deserialize", "MEDIA_CONTENT", "alias", "ashlar"), 160),
			lines(fmt.Sprintf(object, "roundtrip", "MEDIA_CONTENT", "copy", "ashlar"), 600),
			lines(fmt.Sprintf(object, "serialize", "MEDIA_CONTENT", "known", "protobuf"), 1000),
			lines(fmt.Sprintf(object, "deserialize", "MEDIA_CONTENT", "known", "protobuf"), 2000),
			lines(fmt.Sprintf(object, "roundtrip", "MEDIA_CONTENT", "known", "protobuf"), 3300),
			lines(fmt.Sprintf(object, "serialize", "MEDIA_CONTENT", "described", "json"), 4000),
			lines(fmt.Sprintf(object, "create", "MEDIA_CONTENT", "new", "go"), 150)),
	}
}

func TestMeasuredRowsStandBesidePublishedOnes(t *testing.T) {
	table := comparisonOf(t, "jvm-serializers", sourceOfMedia(t)...).Tables[0]
	var got []string
	for _, r := range table.Rows[:5] {
		got = append(got, shown(r))
	}
	want := []string{
		"Ashlar alias · B | 150 ≈ 120 160 ≈ 280 1,816 912 — | —",
		"Ashlar copy · B | 150 ≈ 120 480 ≈ 600 1,816 912 — | —",
		"FlatBuffers documented · A | 150 400 500 900 1,816 912 — | —",
		"protobuf known · B = protobuf | 150 1,000 2,000 3,000 1,816 912 5.50× | 149 1,625 942 2,567 239 149",
		"json described · B = json/jackson/databind | 150 4,000 — — 1,816 912 — | 80 2,173 2,972 5,145 485 261",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	for _, want := range []string{
		"kryo-flat | — | 81 1,037 1,468 2,505 268 177",
		"json/gson/databind | see json described | 81 7,322 7,063 14,386 486 259",
		"protobuf/protostuff | see protobuf known | 113 695 927 1,622 239 149",
		"thrift | — | 139 2,216 1,253 3,469 349 197", // not in these files
	} {
		if got := rowOf(t, table, strings.SplitAfter(want, " |")[0]); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// What has a counterpart in Go stands beside it.
func TestCounterpartsAreFound(t *testing.T) {
	sources := invented(t)
	for id, want := range map[string]map[string]string{
		"jvm-serializers": {
			"protobuf known": "protobuf", "thrift-binary known": "thrift", "thrift-compact known": "thrift-compact", "msgpack known": "msgpack-manual",
			"cbor known": "cbor/jackson/manual", "cbor described": "cbor/jackson/databind", "avro known": "avro-specific", "json described": "json/jackson/databind",
			"xml described": "xml/jackson/databind", "yaml described": "yaml/jackson/databind", "bson described": "bson/jackson/databind", "gob known": dash,
		},
		"cars":       {"json described": "JSON", "xml described": dash},
		"complex":    {"protobuf known": "Protobuf", "thrift-binary known": "ThriftBinary", "thrift-compact known": "ThriftCompact", "json described": "Json", "avro known": "AvroBinary", "xml described": "Xml"},
		"television": {"json described": "Jackson JSON", "xml described": "XStream XML"},
	} {
		for _, table := range comparisonOf(t, id, sources...).Tables {
			for library, published := range want {
				stub := library + " · B"
				if published != dash {
					stub += " = " + published
				}
				rowOf(t, table, stub+" |")
			}
		}
	}
}

// Every figure that is published is on the page, once or more.
func TestEveryPublishedRowIsShown(t *testing.T) {
	rows := map[string]int{"jvm-serializers": 76, "cars": 8, "complex": 11, "television": 8, "fory-objects": 64, "fory-zero-copy": 24}
	for _, sources := range [][]Source{invented(t), sourceOfMedia(t)} {
		for id, want := range rows {
			got := make(map[string]bool)
			for _, table := range comparisonOf(t, id, sources...).Tables {
				for _, r := range table.Rows {
					figures := shown(comparisonRow{Published: r.Published})
					if len(r.Measured) != len(table.Measured) && r.Measured[0].Span != len(table.Measured) ||
						len(r.Published) != len(table.Published) && r.Published[0].Span != len(table.Published) {
						t.Errorf("%s, %s: the cells of %s are not those of the heads", id, table.Title, shown(r))
					}
					if strings.ContainsAny(figures, "0123456789") {
						got[figures] = true
					}
				}
			}
			if len(got) != want {
				t.Errorf("%s shows %d published rows, want %d", id, len(got), want)
			}
		}
	}
}

func TestRatesAndBytes(t *testing.T) {
	sources := []Source{sourceOf(t, "wide.txt",
		lines(fmt.Sprintf(object, "roundtrip", "COMPLEX", "copy", "ashlar"), 500),
		lines(fmt.Sprintf(object, "roundtrip", "COMPLEX", "known", "protobuf"), 1000),
		lines(fmt.Sprintf(object, "roundtrip", "TV", "described", "json"), 2000),
		strings.ReplaceAll(lines(fmt.Sprintf(object, "roundtrip", "TV_CATALOGUE", "described", "json"), 4000000), "1816", "1234567"),
		lines(fmt.Sprintf(object, "serialize", "CAR", "described", "json"), 300),
		lines(fmt.Sprintf(object, "roundtrip", "CAR", "described", "json"), 800))}
	for _, tt := range []struct {
		id    string
		table int
		want  string
	}{
		{"complex", 0, "Ashlar copy · A | 2,000,000 1,816 — | —"},
		{"complex", 0, "protobuf known · A = Protobuf | 1,000,000 1,816 2.00× | 1,254,977 29,778 93"},
		{"complex", 0, "Java | — | 29,039 203 766"},
		{"television", 0, "json described · A = Jackson JSON | 500,000 1,234,567 — | 5,000 3,656,654"},
		{"television", 0, "Java serialization | — | 1,570 —"},
		{"television", 1, "json described · A = Jackson JSON | 500,000 1,816 — | 4,474 2,657"},
		{"cars", 0, "json described · A = JSON | 300 — 800 1,816 — | 2,809 3,953 6,864 360"},
		{"cars", 1, "Kryo | — | 4,244 6,786 12,396 5,233"},
	} {
		table := comparisonOf(t, tt.id, sources...).Tables[tt.table]
		if got := rowOf(t, table, tt.want[:strings.Index(tt.want, " |")]); got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", tt.id, got, tt.want)
		}
	}
}

func TestForysAxes(t *testing.T) {
	const name = "Objects/op=%s/data=SAMPLE/buffer=%s/refs=%s/mode=%s/way=%s/lib=%s"
	const sized = "Arrays/op=serialize/data=BUFFER/n=1000/buffer=offheap/way=%s/lib=%s"
	sources := []Source{sourceOf(t, "full.txt",
		lines(fmt.Sprintf(name, "serialize", "array", "off", "consistent", "contiguous", "ashlar"), 100),
		lines(fmt.Sprintf(name, "serialize", "array", "off", "consistent", "expert", "capnproto"), 400),
		lines(fmt.Sprintf(name, "serialize", "offheap", "on", "consistent", "contiguous", "ashlar"), 200),
		lines(fmt.Sprintf(name, "deserialize", "offheap", "off", "compatible", "copy", "ashlar"), 250),
		lines(fmt.Sprintf(name, "deserialize", "offheap", "off", "compatible", "alias", "ashlar"), 50),
		lines(fmt.Sprintf(name, "deserialize", "offheap", "off", "consistent", "expert", "flatbuffers"), 320), // which reads every version
		lines(fmt.Sprintf(sized, "contiguous", "ashlar"), 80),
		lines(fmt.Sprintf(sized, "gather", "ashlar"), 40),
		lines(fmt.Sprintf(sized, "documented", "flatbuffers"), 1000, 2000, 1000))}
	for _, tt := range []struct {
		id, title, want string
	}{
		{"fory-objects", "serialize, consistent", "SAMPLE | array | False | 10,000,000 — — — 2,500,000 | 3,570,966 1,105,366 915,908 220,387 118,375 663,273"},
		{"fory-objects", "serialize, consistent", "SAMPLE | directBuffer | True | 5,000,000 — — — — | 1,826,457 932,888 723,614 211,950 108,263 —"},
		{"fory-objects", "deserialize, compatible", "SAMPLE | directBuffer | False | 4,000,000 20,000,000 — 3,125,000 — — | 2,308,112 2,289,262 201,994 124,044"},
		{"fory-zero-copy", "serialize", "BUFFER | 1000 | directBuffer | 25,000,000 12,500,000 ≈ 1,000,000 — — — | 5,376,192 1,377,273 1,644,789"},
		{"fory-zero-copy", "deserialize", "PRIMITIVE_ARRAY | 5000 | array | — — — — — — | 40,313 6,122 10,673"},
	} {
		c := comparisonOf(t, tt.id, sources...)
		i := slices.IndexFunc(c.Tables, func(table comparisonTable) bool { return table.Title == tt.title })
		if i < 0 {
			t.Fatalf("%s has no table %s", tt.id, tt.title)
		}
		if got := rowOf(t, c.Tables[i], tt.want[:strings.LastIndex(tt.want[:40], "|")]); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	zeroCopy := comparisonOf(t, "fory-zero-copy", sources...)
	if got := zeroCopy.Tables[0].Measured[:2]; !cmp.Equal(got, []string{"Ashlar gather", "Ashlar contiguous"}) || !strings.Contains(zeroCopy.Notes[0], "out of band") {
		t.Errorf("serialize has the columns %q, and %q does not say that payloads go out of band", got, zeroCopy.Notes[0])
	}
	if !zeroCopy.Tables[0].Rows[0].Measured[0].Own || zeroCopy.Tables[0].Rows[0].Measured[2].Own {
		t.Error("Ashlar's columns are not marked as such, or others are")
	}
}

func TestASourceIsTold(t *testing.T) {
	page := html(t, sourceOfMedia(t)...)
	for _, want := range []string{"Java on an AWS c3.xlarge", "JSON vs Smile vs Kryo shootout (Java)", "Intel Xeon Platinum 8163", "JDK 1.8.0_201", "Java, 2010-2011", "published, another machine"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

func TestUsualCasesDoAllOfTheirOperation(t *testing.T) {
	n := suite.Name{Bench: suite.Objects, Op: suite.Serialize, Data: suite.Struct, Buffer: suite.Heap, Refs: suite.RefsOff, Mode: suite.Consistent, Way: suite.Copy, Lib: suite.Memmove}
	for _, tt := range []struct {
		name   string
		change func(*suite.Name)
		want   bool
	}{
		{"on the heap", func(*suite.Name) {}, true},
		{"off the heap", func(n *suite.Name) { n.Buffer = suite.OffHeap }, false},
		{"with references", func(n *suite.Name) { n.Refs = suite.RefsOn }, false},
		{"of another version", func(n *suite.Name) { n.Mode = suite.Evolved }, false},
		{"of 800 bytes", func(n *suite.Name) { n.Way = suite.Copy800 }, false},
	} {
		c := n
		tt.change(&c)
		if got := usual(c); got != tt.want {
			t.Errorf("%s: usual is %v, want %v", tt.name, got, tt.want)
		}
	}
}

package suite

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/workload"
)

// The grammar that names keep for ever, written down a second time.
var grammar = regexp.MustCompile(`^(` +
	`BenchmarkArrays/op=(serialize|deserialize|traverse)/data=(PRIMITIVE_ARRAY|BUFFER|BUFFER_STRUCT)/n=(200|1000|5000)/buffer=(array|offheap|mmap|shm)` +
	`|` +
	`BenchmarkObjects/op=(serialize|deserialize|traverse)/data=(STRUCT|STRUCT2|STRUCT2_NIL|MEDIA_CONTENT|SAMPLE)/buffer=(array|offheap)/refs=off/mode=consistent` +
	`|` +
	`BenchmarkArrays/op=roundtrip/data=(PRIMITIVE_ARRAY|BUFFER|BUFFER_STRUCT)/n=(200|1000|5000)/buffer=(array|offheap)` +
	`|` +
	`BenchmarkObjects/op=roundtrip/data=(STRUCT|STRUCT2|STRUCT2_NIL|MEDIA_CONTENT|SAMPLE)/buffer=(array|offheap)/refs=off/mode=consistent` +
	`|` +
	`BenchmarkObjects/op=(serialize|deserialize|roundtrip|traverse)/data=(CAR|CAR_LARGE|COMPLEX|TV|TV_CATALOGUE)/buffer=(array|offheap)/refs=off/mode=consistent` +
	`|` +
	`BenchmarkObjects/op=create/data=MEDIA_CONTENT/buffer=array/refs=off/mode=consistent` +
	`|` +
	`BenchmarkObjects/op=(serialize|deserialize|traverse)/data=(MEDIA_CONTENT|SAMPLE)/buffer=(array|offheap)/refs=on/mode=consistent` +
	`|` +
	`BenchmarkObjects/op=(serialize|deserialize)/data=(STRUCT|MEDIA_CONTENT|SAMPLE)/buffer=(array|offheap)/refs=off/mode=(compatible|evolved|added|removed|swapped)` +
	`|` +
	`BenchmarkMaps/op=serialize/data=MAP/type=(string-int64|int64-float64|string-string)/n=(10|1000|100000)/buffer=(array|offheap)` +
	`|` +
	`BenchmarkArrays/op=build/data=PRIMITIVE_ARRAY/n=(200|1000|5000)/buffer=(array|offheap)` +
	`|` +
	`BenchmarkObjects/op=field/data=(STRUCT|MEDIA_CONTENT)/buffer=(array|offheap)/refs=off/mode=(consistent|evolved|added|removed|swapped)/field=[A-Za-z0-9.\[\]]+` +
	`|` +
	`BenchmarkObjects/op=field/data=MEDIA_100K/buffer=(array|offheap)/refs=off/mode=consistent/field=Images\[(0|99999)\].Width` +
	`)(` +
	`/way=(contiguous|gather|copy|reuse|alias|alias-evolved|view|expert|in-place)/lib=ashlar` +
	`|/way=direct/lib=slices` +
	`|/way=new/lib=go` +
	`|/way=(documented|expert|alias)/lib=(flatbuffers|capnproto)` +
	`|/way=(copy|makecopy|bools|copy800)/lib=memmove` +
	`|/way=contiguous/lib=reflect-sort` +
	`)$`)

func TestNamesFollowTheGrammar(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range All() {
		name := c.String()
		if !grammar.MatchString(name) {
			t.Errorf("%s does not follow the grammar", name)
		}
		if seen[name] {
			t.Errorf("%s stands twice", name)
		}
		seen[name] = true
	}
	for _, name := range []string{
		"BenchmarkArrays/op=serialize/data=PRIMITIVE_ARRAY/n=1000/buffer=array/way=contiguous/lib=ashlar",
		"BenchmarkArrays/op=deserialize/data=BUFFER/n=5000/buffer=offheap/way=alias/lib=flatbuffers",
		"BenchmarkArrays/op=deserialize/data=PRIMITIVE_ARRAY/n=5000/buffer=array/way=bools/lib=memmove",
		"BenchmarkObjects/op=serialize/data=STRUCT/buffer=array/refs=off/mode=consistent/way=contiguous/lib=ashlar",
		"BenchmarkObjects/op=deserialize/data=STRUCT2_NIL/buffer=array/refs=off/mode=consistent/way=expert/lib=flatbuffers",
		"BenchmarkObjects/op=serialize/data=SAMPLE/buffer=offheap/refs=off/mode=consistent/way=copy800/lib=memmove",
		"BenchmarkObjects/op=traverse/data=MEDIA_CONTENT/buffer=offheap/refs=off/mode=consistent/way=expert/lib=capnproto",
		"BenchmarkObjects/op=traverse/data=MEDIA_CONTENT/buffer=array/refs=off/mode=consistent/way=view/lib=ashlar",
		"BenchmarkObjects/op=field/data=MEDIA_CONTENT/buffer=array/refs=off/mode=consistent/field=Media.URI/way=view/lib=ashlar",
		"BenchmarkArrays/op=build/data=PRIMITIVE_ARRAY/n=5000/buffer=offheap/way=in-place/lib=ashlar",
	} {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// ways are those that each library has, by operation.
var ways = map[string]map[string][]string{
	Serialize: {
		Ashlar: {Contiguous}, FlatBuffers: {Documented, Expert}, CapnProto: {Documented, Expert}, Memmove: {Copy},
	},
	Deserialize: {
		Ashlar: {Copy, Reuse, Alias}, FlatBuffers: {Documented, Expert, Alias}, CapnProto: {Documented, Expert, Alias}, Memmove: {Copy},
	},
	Traverse: {
		Ashlar: {Alias}, FlatBuffers: {Documented, Expert}, CapnProto: {Documented, Expert}, Memmove: {Copy},
	},
	Field:     {Ashlar: {View}, FlatBuffers: {Documented, Expert}, CapnProto: {Documented, Expert}},
	RoundTrip: {Ashlar: {Copy, Alias}, FlatBuffers: {Documented, Expert}, CapnProto: {Documented, Expert}},
	Build:     {Ashlar: {InPlace}, FlatBuffers: {Documented, Expert}, CapnProto: {Documented, Expert}, Slices: {Direct}},
}

// waysBeside are those that a case must not stand without.
func waysBeside(n Name) map[string][]string {
	all := ways[n.Op]
	switch {
	case n.Bench == Maps:
		return map[string][]string{Ashlar: {Contiguous}, ReflectSort: {Contiguous}}
	case n.Mode != "" && n.Mode != Consistent: // the same of Ashlar alone
		return map[string][]string{Ashlar: {n.Way}}
	case n.Refs == RefsOn: // the rivals have no references
		return map[string][]string{Ashlar: all[Ashlar], Memmove: all[Memmove]}
	}
	return all
}

func TestEveryLibraryHasEveryCase(t *testing.T) {
	have := make(map[Name]bool)
	for _, c := range All() {
		have[c.Name] = true
	}
	for name := range have {
		for lib, names := range waysBeside(name) {
			for _, way := range names {
				if want := name.With(way, lib); !have[want] {
					t.Fatalf("%v stands alone: there is no %v", name, want)
				}
			}
		}
	}
}

func TestEveryCasePassesItsCheck(t *testing.T) {
	for _, c := range All() {
		p, err := c.Prepare()
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(); err != nil {
			t.Error(err)
		}
		if p.Bytes <= 0 {
			t.Errorf("%v: a message of %d bytes", c.Name, p.Bytes)
		}
		p.Close()
	}
}

// A check that cannot fail is none: what each operation works on is altered, and
// its check has to notice.
func TestEveryCheckNoticesAnotherValue(t *testing.T) {
	for _, c := range All() {
		if c.N > Sizes[0] || c.Data == Media100K { // which is MEDIA_CONTENT but for its length
			continue
		}
		if c.Lib == Memmove && c.Bench == Objects && c.Data != Struct && c.Op == Serialize {
			continue // it copies bytes that are made from the value beforehand
		}
		p, err := c.Prepare()
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		p.alter()
		if err := p.Check(); err == nil {
			t.Errorf("%v: the altered value passes", c.Name)
		}
		p.Close()
	}
}

// An operation that does nothing must not pass on what a former one left.
func TestEveryCheckNoticesALazyOperation(t *testing.T) {
	for _, c := range All() {
		switch {
		case c.N > Sizes[0], c.Data == Media100K, c.Data == TVCatalogue:
			continue
		case c.Op == Deserialize, (c.Lib == Memmove || c.Lib == Slices) && c.Op == Traverse:
			continue // a value read twice is the same value
		}
		p, err := c.Prepare()
		if errors.Is(err, errors.ErrUnsupported) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		op, calls := p.Op, 0
		p.Op = func() {
			if calls++; calls == 1 {
				op()
			}
		}
		if err := p.Check(); err == nil {
			t.Errorf("%v: an operation that does nothing passes", c.Name)
		}
		p.Close()
	}
}

func TestChecksSeeWhereResultsLie(t *testing.T) {
	s := structs
	lib := flatbuffersStruct()
	for _, w := range lib.ways {
		if w.op != Deserialize {
			continue
		}
		name := Name{Bench: Objects, Op: w.op, Data: Struct, Buffer: OffHeap, Way: w.name, Lib: lib.name}
		w.shares = !w.shares
		p, err := s.prepare(name, w)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), "lie in the message") {
			t.Errorf("%v: got %v, want an error on where the value lies", name, err)
		}
		p.Close()
	}
	for _, w := range lib.ways {
		if w.op != Serialize {
			continue
		}
		name := Name{Bench: Objects, Op: w.op, Data: Struct, Buffer: OffHeap, Way: w.name, Lib: lib.name}
		p, err := s.prepare(name, way[workload.Struct]{w.op, w.name, w.form, false, func(r *run[workload.Struct]) func() {
			return func() { r.out, _ = w.form.write(r.src) }
		}})
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), "off-heap") {
			t.Errorf("%v: got %v, want an error on where the message lies", name, err)
		}
		p.Close()
	}
}

func TestNamesAreParsed(t *testing.T) {
	for _, c := range All() {
		if n, err := ParseName(c.String()); err != nil || n != c.Name {
			t.Errorf("%v: got %v, %v", c.Name, n, err)
		}
	}
	for _, bad := range []string{"", "Arrays", "Objects/op=field", "Arrays/op=serialize/data=BUFFER/n=x/buffer=array/way=copy/lib=ashlar", "Objects/op=serialize/color=red"} {
		if n, err := ParseName(bad); err == nil {
			t.Errorf("%q became %v", bad, n)
		}
	}
}

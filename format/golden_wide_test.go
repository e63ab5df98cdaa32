package format_test

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"time"
)

// wideGoldens go on from goldens. Ints fit 32 bits.
func wideGoldens() []row {
	at := time.Date(2026, 11, 30, 12, 34, 56, 789, time.FixedZone("", 5*3600+45*60))
	someURL := must(url.Parse("https://example.com/a?b=c"))
	rows := []row{
		of("maps", Maps{
			Bools: map[bool]bool{true: false, false: true}, Int8s: map[int8]int8{-1: 1, 1: -1}, Int16s: map[int16]uint16{-2: 2, 2: 3},
			Int32s: map[int32]float32{math.MinInt32: 0.5, math.MaxInt32: -0.5}, Int64s: map[int64]complex64{math.MinInt64: 1i, 0: 2},
			Ints: map[int]int{-3: 3, 3: -3}, Uint8s: map[uint8]string{255: "a", 0: ""}, Uint16s: map[uint16][]byte{256: {1}, 1: nil, 2: {}},
			Uint32s: map[uint32]*string{1: nil, 2: new(""), 3: new("x")}, Uint64s: map[uint64]complex128{math.MaxUint64: 1, 1: -1i},
			Uints: map[uint]uint{4: 5}, Float32s: map[float32]*int{-1.5: nil, float32(math.Copysign(0, -1)): new(0), 1: new(-1)},
			Float64s: map[float64]*Point{math.Inf(-1): nil, math.Inf(1): {1, 2}, -5e-324: {}}, Complex: map[complex64][2]bool{1i: {true}, -1: {}},
			Wide: map[complex128]map[string]int8{1: {"b": 1, "a": 2}, 2: nil, 3: {}}, Strings: map[string]string{"": "empty", "b": "", "aa": "x", "\xff": "\xfe"},
			Texts: map[Text]Ages{"t": {"x": 1}}, Arrays: map[[2]int16][]map[string]bool{{1, -2}: {nil, {}, {"x": true}}, {-1, 5}: nil},
			Structs: map[PointKey]Scalars{{1, 2, [2]string{"a", "b"}}: {Int64: 1}, {1, 1, [2]string{"c", ""}}: {Last: true}},
			Anys:    map[any]any{nil: nil, 1: "one", "one": 1, int8(1): Point{1, 2}, 0.5: []any{nil, true}, UUID{1}: nil, [2]any{nil, "x"}: int16(7)},
			AnyKeys: map[AnyKey]Optionals{{Kind: "k", Any: uint8(1)}: {Int8: new(int8(2))}, {}: {}},
			Addrs:   map[netip.Addr]netip.Prefix{{}: {}, netip.MustParseAddr("192.0.2.1"): netip.MustParsePrefix("192.0.2.0/24"), netip.MustParseAddr("::1"): {}},
			UUIDs:   map[UUID]*bool{{2}: nil, {1}: new(true)}, Set: map[string]struct{}{"x": {}, "a": {}}, Nothing: map[struct{}]struct{}{{}: {}},
			One: map[[0]int8]string{{}: "one"}, Times: map[Grade]time.Time{1: at, -1: {}}, Ptr: new(map[string]int32{"p": 1}),
			Slice: []map[int8]bool{nil, {}, {1: true, -1: false}}, Array: [2]map[string]*Node{{"n": nil}, {"m": {Name: "m"}}},
		}),
		of("maps_nil_and_empty", [][2]map[string]map[int8]bool{{nil, {}}, {{"a": nil}, {"a": {}}}}),
		of("anys", []any{
			nil, true, 1, int8(-1), int16(2), int32(-3), int64(4), uint(5), uint8(6), uint16(7), uint32(8), uint64(9), float32(0.5), -0.25,
			complex64(1i), complex(2, 3), "text", "", at, time.Minute, []bool{true, false}, []int{1, -1}, []int8{2}, []int16{3}, []int32{4}, []int64{5},
			[]uint{6}, []byte("bytes"), []uint16{7}, []uint32{8}, []uint64{9}, []float32{1.5}, []float64{}, []complex64(nil), []complex128{1},
			[]string{"a", ""}, []time.Time{at, {}}, []time.Duration{time.Second}, []any{nil, []any{}}, map[string]any{"b": nil, "a": 1}, map[string]string{"k": "v"},
		}),
		of("boxes", Holder{
			Any: &Point{1, 2}, Stringer: Celsius{1500}, Error: &PFailure{Failure{1, "inner"}}, Shape: &Circle{2, new("c")},
			Anys:   []any{new(7), (*int)(nil), Nothing{}, [3]int8{1, 2, 3}, [2]any{nil, 1}, (*Point)(nil), new(new(8)), new(at), Optionals{Bool: new(true)}, Trie{"t": nil}},
			Shapes: [2]Shape{Square{1}, nil}, PAny: new(any("p")), Named: map[string]any{"z": nil, "a": Square{2}},
			ByAny: map[any]int32{nil: 1, "x": 2, Grade(1): 3}, Flag: true,
		}),
		of("box_large", []any{[100]int64{99: -1}, "behind"}),
		of("times", Times{
			A: true, Time: at, Ptr: new(time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC)), PPtr: new(new(at)), B: new(true),
			Many: []time.Time{{}, time.Date(1969, 12, 31, 23, 59, 59, 1, time.FixedZone("", -86_399))}, Ptrs: []*time.Time{nil, {}},
			Array: [2]time.Time{at, {}}, Opts: [2]*time.Time{nil, new(at)}, Map: map[string]time.Time{"x": at, "a": {}},
			PMap: map[int8]*time.Time{1: nil, -1: new(at)}, Any: at, For: -time.Second, PFor: new(time.Duration(1)),
		}),
		of("times_optional", Optional70{F1: new(at), F32: new(false), F63: new(at), F65: new(time.Time{}), T1: at, F70: new(at), S1: "s"}),
		of("customs", Customs{
			Addr: netip.MustParseAddr("192.0.2.1"), Prefix: netip.MustParsePrefix("10.0.0.0/8"), Big: *big.NewInt(-12345), PBig: new(big.Int),
			URL: *someURL, PURL: someURL, UUID: UUID{1, 15: 2}, PUUID: &UUID{3}, PPUUID: new(&UUID{4}), Celsius: Celsius{-1}, Words: Words{[]string{"a", "b"}},
			PWords: &Words{}, Appends: Appends{3}, Text: AppendsText{"x", "y"}, Slug: "slug", PSlug: new(Slug("")), Flags: Flags{"f": true, "g": true},
			Opaque: Opaque[int64]{-1}, Grade: 1, PGrade: new(Grade(2)), UUIDs: []UUID{{5}}, Temps: [2]Celsius{{6}, {7}}, ManyText: []Words{{}, {[]string{"w"}}},
			Pointers: []*Words{nil, {}}, ByUUID: map[UUID]Words{{9}: {}, {8}: {[]string{"v"}}}, ByAddr: map[netip.Addr]*Words{netip.MustParseAddr("::"): nil},
		}),
		of("customs_embedded", struct {
			S Stamped
			H Host
			P HostPointer
			O Overrider
			Q HalfOverrider
			F Fallen
		}{
			Stamped{at, "note", 1}, Host{80, netip.MustParseAddr("::1")}, HostPointer{nil, 1}, Overrider{Name: "over"},
			HalfOverrider{UUID{1}, "half"}, Fallen{Name: "text"},
		}),
		of("customs_empty", []Appends{{}, {1}}),
		of("trie", Trie{"b": nil, "a": {}, "c": {"d": {"e": nil}}}),
		of("node", Node{"n", map[string]*Node{"b": {Any: 1}, "a": nil}, Node{Name: "inner"}, []*Node{nil, {}}}),
		of("generics", struct {
			P Pair[string, time.Time]
			M map[Pair[int8, string]]*Cell[any]
			C Cell[fmt.Stringer]
			W Weather
		}{
			Pair[string, time.Time]{"p", at}, map[Pair[int8, string]]*Cell[any]{{1, "b"}: {Ptr: new(any(1))}, {1, "a"}: nil},
			Cell[fmt.Stringer]{List: []fmt.Stringer{Celsius{1}, nil}}, Weather{1: {1}},
		}),
	}
	for _, r := range graphRows() {
		if name := graphGoldens[r.name]; name != "" {
			r.name = name
			rows = append(rows, r)
		}
	}
	return rows
}

// graphGoldens are those of graphRows that have files, and their names.
var graphGoldens = map[string]string{
	"ring": "graph_ring", "diamond": "graph_diamond", "doubly linked": "graph_doubly_linked", "sample that points at itself": "graph_sample",
	"a map twice": "graph_map_twice", "a map in itself": "graph_map_in_itself", "node": "graph_node", "crossing": "graph_crossing",
	"what has no identity": "graph_no_identity", "pointers to what has none": "graph_pointers", "two named types of one address": "graph_named",
	"one pointer in and out of boxes": "graph_boxes", "any that points at itself": "graph_any", "tree": "graph_none",
}

// wideFuzzed goes on from fuzzed. Append only.
func wideFuzzed() []row {
	graphs := map[string]row{}
	for _, r := range graphRows() {
		graphs[r.name] = r
	}
	return []row{
		of("maps", Maps{Strings: map[string]string{"a": "b", "": "c"}, Anys: map[any]any{1: "x", nil: nil, [2]any{1, "y"}: 2.5}}),
		of("map of float", map[float32]*int{-1: nil, 1: new(2)}), of("map of text", map[UUID]int8{{1}: 2, {}: 3}), of("trie", Trie{"a": {"b": nil}, "c": {}}),
		of[any]("any", []any{1, "x", nil, map[string]any{"a": true}}), of("holder", Holder{Shape: Square{1}, ByAny: map[any]int32{1: 2, "x": 3}}),
		of("times", Times{Ptr: new(time.Unix(1, 2).UTC()), Ptrs: []*time.Time{nil, {}}}), of("node", Node{Kids: map[string]*Node{"x": {Any: 1}}}),
		of("customs", Customs{ManyText: []Words{{[]string{"a", "b"}}}, ByAddr: map[netip.Addr]*Words{oddAddrs[2]: {}}}), of("stamped", Stamped{Note: "x"}),
		graphs["node"], graphs["ring"], graphs["crossing"], graphs["a map in itself"], graphs["diamond"],
	}
}

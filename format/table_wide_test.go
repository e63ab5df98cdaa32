package format_test

import (
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"net/url"
	"time"
)

// wideRows go on from table: maps, interfaces, times and types that marshal
// themselves.
func wideRows() []row {
	var rows []row
	for _, more := range [][]row{
		mapKeyRows(), mapValueRows(), interfaceRows(), builtinRows(), timeRows(), customRows(), genericRows(), wideRecursiveRows(),
	} {
		rows = append(rows, more...)
	}
	return rows
}

func mapKeyRows() []row {
	negative := math.Copysign(0, -1)
	return []row{
		of("map of bool", map[bool]int8{true: 1, false: 2}, map[bool]int8{}, map[bool]int8{true: -1}),
		of("map of int8", map[int8]int64{-128: 1, -1: 2, 0: 3, 127: 4}),
		of("map of int16", map[int16]bool{-2: true, 2: false}),
		of("map of int32", map[int32]string{math.MinInt32: "a", math.MaxInt32: "b"}),
		of("map of int64", map[int64]int8{math.MinInt64: 1, math.MaxInt64: 2, 0: 3}),
		of("map of int", map[int]int{-1: 1, 1: -1}),
		of("map of uint8", map[uint8]uint8{0: 1, 128: 2, 255: 3}),
		of("map of uint16", map[uint16]float32{1 << 15: 1, 1<<15 - 1: 2, 256: 3, 1: 4}),
		of("map of uint32", map[uint32]struct{}{math.MaxUint32: {}, 0: {}}),
		of("map of uint64", map[uint64]uint64{math.MaxUint64: 1, 1 << 63: 2, 1: 3}),
		of("map of uint", map[uint]*uint{1: nil, 2: new(uint(3))}),
		of("map of float32", map[float32]int{-1: 1, 1: 2, float32(negative): 3, float32(math.Inf(-1)): 4, 1e-45: 5}),
		of("map of float64", map[float64]int{-1.5: 1, -2: 2, negative: 3, math.Inf(1): 4, math.Inf(-1): 5, 5e-324: 6, -5e-324: 7}),
		of("map of complex64", map[complex64]bool{1: true, 1i: false, -1i: true, complex(float32(negative), 2): true}),
		of("map of complex128", map[complex128]int8{complex(1, negative): 1, complex(1, -1): 2, complex(-1, 5): 3}),
		of("map of string", map[string]int32{"": 1, "a": 2, "b": 3, "aa": 4, "\xff": 5, "\x00": 6, "日本": 7}),
		of("map of named string", map[Text]string{"x": "y", "": ""}),
		of("map of array", map[[2]int16]int8{{1, 2}: 1, {1, -2}: 2, {-1, 9}: 3, {256, 0}: 4}),
		of("map of array of strings", map[[2]string]bool{{"a", "b"}: true, {"", "ab"}: false, {"ab", ""}: true, {"a", "a"}: true}),
		of("map of array of none", map[[0]string]string{{}: "x"}),
		of("map of struct", map[PointKey]int64{{1, 2, [2]string{"a", ""}}: 1, {1, -2, [2]string{}}: 2, {-1, 0, [2]string{"", "z"}}: 3, {1, float32(negative), [2]string{"x"}}: 4}),
		of("map of nothing", map[struct{}]struct{}{{}: {}}, map[struct{}]struct{}{}),
		of("map of nothing to something", map[struct{}]string{{}: "x"}),
		of("map of any", map[any]int8{
			nil: 1, 1: 2, int8(1): 3, "x": 4, "": 5, true: 6, 2.5: 7, negative: 8, UUID{1}: 9, netip.Addr{}: 10, [3]int8{1}: 11, [3]int8{0, 9}: 12,
			PointKey{X: 1}: 13, Grade(1): 14, Nothing{}: 15, Text("x"): 16, int64(-1): 17, int64(1): 18, [2]any{nil, 1}: 19, [2]any{1}: 20,
			time.Second: 21, complex(negative, negative): 22, AnyKey{Any: AnyKey{Any: "deep"}}: 23, -1: 24, Celsius{3}: 25,
		}),
		of("map of any of one", map[any]any{nil: nil}),
		of("map of stringer", map[fmt.Stringer]bool{nil: true, Celsius{1}: false, Celsius{-1}: true, netip.MustParseAddr("::1"): true, time.Minute: true}),
		of("map of struct of any", map[AnyKey]string{{}: "zero", {Any: 1}: "one", {Kind: "a"}: "a", {Addr: netip.MustParseAddr("10.0.0.1")}: "ten", {Any: [2]any{"x", AnyKey{Any: 2}}}: "deep"}),
		of("map of addresses", map[netip.Addr]int8{oddAddrs[0]: 0, oddAddrs[1]: 1, oddAddrs[2]: 2, oddAddrs[3]: 3, oddAddrs[5]: 5, oddAddrs[6]: 6}),
		of("map of prefixes", map[netip.Prefix]bool{netip.MustParsePrefix("10.0.0.0/8"): true, netip.MustParsePrefix("10.0.0.0/16"): false}),
		of("map of text", map[UUID]UUID{{1}: {2}, {15: 1}: {}, {}: {3}}),
		of("map of custom string", map[Slug]Slug{"": "a", "b": ""}),
		of("map of generic", map[Opaque[int64]]int8{{1}: 1, {-1}: 2}),
		of("map of custom scalar", map[Grade]Grade{-1: 1, 1: -1}),
		of("map of durations", map[time.Duration]time.Duration{-1: 1, time.Hour: 2}),
		of("map of large keys", map[[65]int64]int8{{1}: 1, {64: 1}: 2}),
		of("maps of everything", Maps{
			Bools: map[bool]bool{true: false}, Anys: map[any]any{1: "x", "x": 1, nil: []any{nil}}, Nothing: map[struct{}]struct{}{{}: {}},
			Set: map[string]struct{}{"a": {}, "b": {}}, Ptr: new(map[string]int32), Slice: []map[int8]bool{nil, {}, {1: true, -1: false}},
		}),
	}
}

func mapValueRows() []row {
	at := time.Unix(1, 2).In(time.FixedZone("", -3600))
	return []row{
		of("map to bool", map[string]bool{"a": true, "b": false}),
		of("map to optional", map[string]*int{"a": nil, "b": new(0), "c": new(-1)}),
		of("map to optional bool", map[int8]*bool{1: nil, 2: new(true), 3: new(false)}),
		of("map to optional optional", map[int8]**bool{1: nil, 2: new(new(true)), 3: new((*bool)(nil))}),
		of("map to string", map[string]string{"a": "", "b": "x"}),
		of("map to pointer to string", map[string]*string{"a": nil, "b": new(""), "c": new("x")}),
		of("map to slice", map[string][]int16{"a": nil, "b": {}, "c": {1, 2}}),
		of("map to bytes", map[uint8][]byte{1: []byte("x"), 2: nil}),
		of("map to map", map[string]map[string]int8{"a": nil, "b": {}, "c": {"x": 1, "y": 2}}),
		of("map to map to map", map[int8]map[int8]map[int8]bool{1: {2: {3: true}, 4: nil}, 2: {}}),
		of("map to pointer", map[string]*Point{"a": nil, "b": {1, 2}}),
		of("map to pointer to map", map[string]*map[string]bool{"a": nil, "b": new(map[string]bool), "c": new(map[string]bool{"x": true})}),
		of("map to struct", map[string]Point{"a": {1, 2}, "b": {}}),
		of("map to wide struct", map[string]Scalars{"a": {Bool: true, Last: true}}),
		of("map to optionals", map[string]Optionals{"a": {Bool: new(true)}, "b": {}}),
		of("map to array", map[int16][3]string{1: {"a"}, 2: {}}),
		of("map to array of none", map[int16][0]string{1: {}, 2: {}}),
		of("map to any", map[string]any{"a": nil, "b": 1, "c": "x", "d": []any{1, nil}, "e": map[string]any{"f": nil}}, map[string]any{}),
		of("map to error", map[string]error{"a": nil, "b": Failure{1, "x"}, "c": &PFailure{Failure{2, ""}}}),
		of("map to time", map[string]time.Time{"a": {}, "b": at}),
		of("map to optional time", map[string]*time.Time{"a": nil, "b": new(at), "c": {}}),
		of("map to nothing", map[int32]struct{}{3: {}, -3: {}, 0: {}}),
		of("map to custom", map[string]netip.Addr{"a": {}, "b": oddAddrs[2]}),
		of("map to custom on the pointer", map[string]Words{"a": {}, "b": {[]string{"x", "y"}}}),
		of("map to pointer to custom", map[string]*Words{"a": nil, "b": {}, "c": {[]string{"x"}}}),
		of("slice of maps", []map[string]int8{nil, {}, {"a": 1}}),
		of("array of maps", [2]map[string]int8{{}, {"b": 1, "a": 2}}),
		of("pointer to map", new(map[string]int8(nil)), new(map[string]int8{}), new(map[string]int8{"a": 1}), nil),
		of("struct of maps", struct {
			A bool
			M map[string]int8
			B *int8
			N map[int8]string
		}{true, map[string]int8{"x": 1}, new(int8(1)), map[int8]string{1: "y"}}),
		of("large map", numberedMap(1000)),
		of("map of large values", map[int8][64]int64{1: {1}, 2: {63: 2}}),
	}
}

func numberedMap(n int) map[int32]int32 {
	m := map[int32]int32{}
	for i := range n {
		m[int32(i*7919%n)-int32(n/2)] = int32(i)
	}
	return m
}

func interfaceRows() []row {
	var hundred [100]int64
	hundred[99] = 1
	return []row{
		of[any]("any", nil, 1, "x", Point{1, 2}, &Point{3, 4}, (*Point)(nil), new(7), (*int)(nil), new(new(7)), new(""), (*string)(nil),
			new(time.Time{}), Nothing{}, [3]int8{1, 2, 3}, hundred, []any{}, []any(nil), []any{nil, 1, []any{"x"}}, [2]any{1},
			map[string]any(nil), map[string]any{}, map[string]any{"a": map[string]any{"b": []any{nil, map[string]string{"c": "d"}}}},
			map[any]any{1: "x", nil: nil}, UUID{1}, Celsius{2}, &Words{}, (*Words)(nil), Grade(3), Text("t"), Bool(true),
			*big.NewInt(5), big.NewInt(-6), oddAddrs[1], Trie{"x": nil}, Node{Name: "n"}, &Node{Any: &Node{Any: 1}}, Holder{Flag: true},
			new(any(new(any(nil)))), []*Point{nil, {}}, Optionals{Bool: new(false)}, Pair[string, int]{"a", 1}, make([]struct{}, 3),
			Stamped{Note: "n"}, List{1, &List{2, nil}}),
		of[fmt.Stringer]("stringer", nil, Celsius{1}, &Words{[]string{"a"}}, time.Unix(5, 6).UTC(), time.Second, oddAddrs[3], big.NewInt(1), must(url.Parse("http://x/y"))),
		of[error]("error", nil, Failure{1, "x"}, &PFailure{}, &PFailure{&PFailure{Failure{}}}, (*PFailure)(nil)),
		of[Shape]("shape", nil, Square{2}, &Circle{1, new("c")}),
		of[Thing]("named any", 1, nil),
		of("anys", []any{}, []any{nil}, []any{1, "x", nil, 2.5, true, []byte("b"), []any{}, map[string]any{}}),
		of("shapes", []Shape{Square{1}, nil, &Circle{}}),
		of("array of any", [3]any{1, nil, "x"}),
		of("pointer to any", new(any(nil)), new(any(1)), nil),
		of("map of any to any", map[string]any{"a": new(1), "b": nil}),
		of("struct of any", struct {
			A bool
			B any
			C *bool
			D error
		}{true, new(7), new(false), Failure{}}),
		of("holder", Holder{
			Any: Holder{Any: 1}, Stringer: time.Time{}, Error: Failure{}, Shape: Square{}, Anys: []any{nil, nil}, PAny: new(any(1)),
			Named: map[string]any{"x": Shape(Square{1})}, ByAny: map[any]int32{1: 1, "1": 2},
		}),
	}
}

// builtinRows has a value in a box of each type that is registered from the start.
func builtinRows() []row {
	var anys []any
	for i, b := range builtinBoxes() {
		for _, nils := range []uint64{0, 8} {
			f := seeded(uint64(i), 20)
			f.nils = nils
			anys = append(anys, f.random(b.typ).Elem().Interface())
		}
	}
	return []row{of("a box of each built-in type", anys), of("array of such", [2][]any{anys[:8], anys[8:]})}
}

func timeRows() []row {
	zone := func(east int) time.Time { return time.Date(2026, 11, 30, 1, 2, 3, 4, time.FixedZone("x", east)) }
	values := []time.Time{
		{}, time.Unix(0, 0).UTC(), time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
		zone(3600), zone(-3600), zone(1), zone(-1), zone(86_399), zone(-86_399), zone(0), zone(5*3600 + 45*60 + 7),
		time.Date(-5, 1, 1, 0, 0, 0, 0, time.UTC), time.Unix(math.MaxInt64, 999_999_999).UTC(), time.Unix(math.MinInt64, 0).UTC(),
	}
	var pointers []*time.Time
	for i := range values {
		pointers = append(pointers, &values[i], nil)
	}
	return []row{
		of("time", values...),
		of("pointer to time", pointers...),
		of("pointer to pointer to time", new(new(zone(1))), new((*time.Time)(nil)), nil),
		of("times", values, []time.Time{}, nil),
		of("pointers to times", pointers),
		of("array of times", [3]time.Time{values[3], {}, zone(9)}),
		of("array of pointers to times", [2]*time.Time{nil, new(zone(-9))}),
		of("named times", Moments(values)),
		of("now", time.Now(), time.Now().Local()),
		of("times in each place", Times{
			A: true, Time: zone(60), Ptr: new(zone(-60)), PPtr: new(new(zone(0))), B: new(true), Many: values[:2], Ptrs: pointers[:3],
			Array: [2]time.Time{{}, zone(1)}, Opts: [2]*time.Time{nil, {}}, Map: map[string]time.Time{"a": zone(2)},
			PMap: map[int8]*time.Time{1: nil, 2: new(zone(3))}, Any: zone(4), For: time.Hour, PFor: new(time.Nanosecond),
		}),
		of("70 optionals, times among them", Optional70{
			F1: new(zone(1)), F16: new(zone(2)), F17: new(true), F33: new(int16(-1)), F62: new(1i), F63: new(zone(3)), F66: new(zone(4)),
			T1: zone(5), F67: new(uint8(6)), F70: new(zone(7)), S1: "s",
		}),
		of[[]Optional70]("slice of those"),
		of("optionals with a time between", struct {
			A *int8
			B *time.Time
			C *bool
			D time.Time
			E int8
		}{new(int8(1)), new(zone(1)), new(true), zone(2), 3}),
		of("embedded time", Stamped{zone(7), "note", 8}),
		of("embedded pointer to time", struct {
			*time.Time
			N int8
		}{new(zone(1)), 2}),
	}
}

func customRows() []row {
	someURL := must(url.Parse("https://user@example.com:8080/a/b?c=d#e"))
	words := Words{[]string{"a", "b"}}
	id := UUID{1, 2, 3, 15: 255}
	return []row{
		of("address", oddAddrs...),
		of("prefix", netip.MustParsePrefix("192.0.2.0/24"), netip.Prefix{}),
		of("big", *big.NewInt(0), *big.NewInt(-5), *new(big.Int).Lsh(big.NewInt(1), 5000)),
		of("pointer to big", big.NewInt(7), nil, new(big.Int)),
		of("URL", *someURL, url.URL{}),
		of("pointer to URL", someURL, nil, &url.URL{}),
		of("UUID", id, UUID{}),
		of("pointer to UUID", &id, nil),
		of("pointer to pointer to UUID", new(&id), new((*UUID)(nil))),
		of("methods on the value", Celsius{-273_150}, Celsius{}),
		of("methods on the pointer", words, Words{}),
		of("pointer to such", &words, nil, &Words{}),
		of("no bytes", Appends{}, Appends{1}, Appends{255}),
		of("AppendText", AppendsText{"a", "b"}, nil),
		of("custom string", Slug(""), Slug("x")),
		of("pointer to custom string", new(Slug("")), nil),
		of("custom map", Flags{}, Flags{"a": true, "b": true}),
		of("generic custom", Opaque[int64]{-1}, Opaque[int64]{}),
		of[Grade]("scalar with methods", 1),
		of("pointer to scalar with methods", new(Grade(1)), nil),
		of("slices of custom", []UUID{id, {}}, []UUID{}, nil),
		of("slice of methods on the pointer", []Words{words, {}}),
		of("slice of pointers", []*Words{nil, &words, {}}),
		of("array of custom", [2]Celsius{{1}, {2}}),
		of("embedded address", Host{Port: 1, Addr: oddAddrs[2]}),
		of("embedded pointer to address", HostPointer{&oddAddrs[2], 3}, HostPointer{}),
		of("methods over embedded ones", Overrider{Name: "over"}),
		of("one method over embedded ones", HalfOverrider{id, "half"}),
		of("text over embedded bytes", Fallen{Name: "text"}),
		of("custom in each place", Customs{
			Addr: oddAddrs[1], PBig: big.NewInt(1), PURL: someURL, PUUID: &id, PPUUID: new(&id), PWords: &words, PSlug: new(Slug("s")),
			Flags: Flags{"f": true}, Grade: 2, PGrade: new(Grade(3)), UUIDs: []UUID{id}, ManyText: []Words{words, {}}, Pointers: []*Words{nil, {}},
			ByUUID: map[UUID]Words{id: words, {}: {}}, ByAddr: map[netip.Addr]*Words{oddAddrs[1]: nil, oddAddrs[2]: {}},
		}),
		of[[]Customs]("slice of those"),
	}
}

func genericRows() []row {
	return []row{
		of("pair", Pair[string, int]{"a", 1}),
		of("pair of any", Pair[any, map[string]any]{1, map[string]any{"x": nil}}),
		of("map of pairs", map[Pair[int8, string]]Pair[string, []byte]{{1, "a"}: {"b", []byte("c")}, {1, ""}: {}}),
		of("cell of time", Cell[time.Time]{Map: map[string]time.Time{"a": {}}, Ptr: new(time.Time{}), Next: &Cell[time.Time]{List: make([]time.Time, 2)}}),
		of("cell of any", Cell[any]{Map: map[string]any{"a": 1}, Ptr: new(any(nil)), List: []any{nil, "x"}}),
		of("cell of custom", Cell[netip.Addr]{Map: map[string]netip.Addr{"a": oddAddrs[4]}, Ptr: &oddAddrs[5], List: oddAddrs}),
		of("named map", Ages{"a": 1, "b": -2}, Ages{}, nil),
		of("named map of named kinds", Weather{1: {2}, -3: {4}}),
	}
}

func wideRecursiveRows() []row {
	node := &Node{Name: "n", Kids: map[string]*Node{"a": nil, "b": {Any: 1}}, Any: Node{Name: "inner"}, List: []*Node{nil, {}}}
	return []row{
		of("map of itself", Trie{}, nil, Trie{"a": nil, "b": {}, "c": {"d": {"e": nil}}}),
		of("node", Node{}, *node, Node{Any: node, Kids: map[string]*Node{"x": node}}),
		of("forest", Forest{nil, {}, {"a": nil, "b": new(Forest(nil)), "c": new(Forest{{}})}}),
		of("chain", Chain{map[int8]map[bool][]*Chain{1: {true: {nil, {}}, false: nil}, 2: nil}}),
		of("anyone", Anyone{&Anyone{&Anyone{}}}, Anyone{1}),
		of("crossing as a tree", Crossing{ID: 1, Next: &Crossing{ID: 2}, Twice: new(&Crossing{ID: 3}), Named: map[string]*Crossing{"x": {ID: 4}}, Any: &Crossing{}}),
	}
}

// graphRows are values that share and come back to themselves.
func graphRows() []row {
	ring := &List{Value: 1}
	ring.Next = &List{Value: 2, Next: &List{Value: 3, Next: ring}}
	self := sample()
	self.Sample = &self
	shared := map[string]any{"x": 1}
	own := map[string]any{}
	own["self"] = own
	own["again"] = []any{own, own}
	leaf := &Point{1, 2}
	a, b := &Double{Value: 1}, &Double{Value: 2}
	a.Next, b.Prev = b, a
	loop := new(Loop)
	*loop = Loop(loop)
	node := &Node{Name: "root"}
	node.Kids = map[string]*Node{"me": node, "kid": {Name: "kid", Any: node}}
	node.Any, node.List = node.Kids, []*Node{node, node.Kids["kid"], node.Kids["kid"]}
	cross := &Crossing{ID: 1}
	cross.Next, cross.Twice, cross.Many, cross.Any = cross, new(cross), []*Crossing{cross, nil, cross}, cross
	cross.Named, cross.By = map[string]*Crossing{"a": cross, "b": cross}, map[int32]*Crossing{1: cross}
	boxed := new(any)
	*boxed = boxed
	text, number, none := new("text"), new(7), new(struct{}{})
	return []row{
		ofGraph("ring", ring),
		ofGraph("sample that points at itself", &self),
		ofGraph("diamond", &[2]*Point{leaf, leaf}),
		ofGraph("doubly linked", a),
		ofGraph("a map twice", &[]map[string]any{shared, shared, {"x": 1}}),
		ofGraph("a map in itself", &own),
		ofGraph("pointer to itself", loop),
		ofGraph("node", node),
		ofGraph("crossing", cross),
		ofGraph("any that points at itself", boxed),
		ofGraph("one pointer in and out of boxes", &[]any{leaf, leaf, []*Point{leaf}, *leaf}),
		ofGraph("two named types of one address", &struct {
			A *Point
			B PPoint
			C *twinPoint
			D *twinPoint
		}{leaf, leaf, (*twinPoint)(leaf), (*twinPoint)(leaf)}),
		ofGraph("what has no identity", &struct {
			S []*string
			N []*int
			Z []*struct{}
			E []map[string]int8
		}{[]*string{text, text}, []*int{number, number}, []*struct{}{none, none}, []map[string]int8{{}, {}}}),
		ofGraph("pointers to what has none", &struct {
			S []**string
			N []**int
			A []*[]int8
			U []*UUID
		}{[]**string{&text, &text}, []**int{&number, &number}, []*[]int8{{1}, {1}}, []*UUID{{1}, {1}}}),
		ofGraph("tree", &Tree{Name: "t", Left: &Tree{}}),
	}
}

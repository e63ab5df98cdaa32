package format_test

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// holdsWide reports whether a type reaches a map, an interface, a time or a type that
// marshals itself, whose ref may mean any value of it.
func holdsWide(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if isCustom(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Map, reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return holdsWide(t.Elem(), seen)
	case reflect.Struct:
		for i := 0; i < t.NumField() && !isTime(t); i++ {
			if holdsWide(t.Field(i).Type, seen) {
				return true
			}
		}
		return isTime(t)
	}
	return false
}

// leavesOutWide is leavesOut that also looks into maps.
func leavesOutWide(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || isTime(t) || isCustom(t) {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		return leavesOutWide(t.Key(), seen) || leavesOutWide(t.Elem(), seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return leavesOutWide(t.Elem(), seen)
	case reflect.Struct:
		if t.NumField() != len(layoutOf(t).fields) {
			return true
		}
		for i := range t.NumField() {
			if leavesOutWide(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

// TestExpansionIsSmall: the bound on what a message may cost is one that a server can live
// with.
func TestExpansionIsSmall(t *testing.T) {
	rows := append(append(table()[:len(table()):len(table())], graphRows()...), expansionRows()...)
	for _, r := range rows {
		c := r.codec(t)
		if leavesOutWide(r.typ, map[reflect.Type]bool{}) {
			continue
		}
		most := 12
		if holdsWide(r.typ, map[reflect.Type]bool{}) {
			most = 48
		}
		if !aliases() && r.refs {
			most += 3 // what was reached takes more memory without unsafe
		}
		if k := c.Expansion(); k < 1 || k > most {
			t.Errorf("K of %s, %v, is %d, want %d at most", r.name, r.typ, k, most)
		}
	}
}

// TestExpansionOfWideRows: what the values of the table and long slices of them allocate
// keeps within the bound.
func TestExpansionOfWideRows(t *testing.T) {
	for _, r := range append(wideRows(), graphRows()...) {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			var inputs [][]byte
			for _, v := range r.all(thinned(8)) {
				inputs = append(inputs, alignedCopy(r.encode(v)))
			}
			checkAllocation(t, c, inputs)
			for _, in := range inputs {
				checkAllocation(t, c, [][]byte{in, in, in, in})
			}
		})
	}
}

// costly are messages that are small for what they make in Go.
func costly(n int) []row {
	tiny := make([]map[string]int8, n)
	bools := make([]map[bool]bool, n)
	empty := make([]map[int32]string, n)
	nothing := make([]map[struct{}]struct{}, n)
	large := make([]map[int8][16]int64, n)
	larger := make([]map[[20]int64][3]string, n)
	zones := make([]time.Time, n)
	optional := make([]*time.Time, n)
	inMaps := map[int32]time.Time{}
	byPointer := make([]struct{ A *time.Time }, n)
	deep := make([]map[int8]map[int8]map[int8]int8, n)
	of1000 := make([]map[int16]int8, n/100+1)
	for i := range n {
		tiny[i], bools[i], empty[i] = map[string]int8{"": int8(i)}, map[bool]bool{true: false}, map[int32]string{}
		nothing[i], large[i], larger[i] = map[struct{}]struct{}{{}: {}}, map[int8][16]int64{1: {1}}, map[[20]int64][3]string{{1}: {"x"}}
		zones[i] = time.Unix(int64(i), 0).In(time.FixedZone("", i*7919%(2*86_399)-86_399))
		optional[i], byPointer[i].A, inMaps[int32(i)] = &zones[i], &zones[i], zones[i]
		deep[i] = map[int8]map[int8]map[int8]int8{1: {2: {3: 4}}}
	}
	for i := range of1000 {
		of1000[i] = map[int16]int8{}
		for j := range 100 + i {
			of1000[i][int16(j)] = 1
		}
	}
	rows := []row{
		of("tiny maps", tiny), of("maps of bools", bools), of("empty maps", empty), of("maps of nothing", nothing), of("maps of one large value", large),
		of("maps of one large key", larger), of("zones", zones), of("optional zones", optional), of("zones in structs", byPointer), of("zones in a map", inMaps),
		of("maps in maps", deep), of("maps of more", of1000),
	}
	// A box of each registered type, as small as can be.
	for _, b := range append(builtinBoxes(), testBoxes()...) {
		zero, small := make([]any, n/8), make([]any, n/8)
		for i := range zero {
			zero[i] = reflect.Zero(b.typ).Interface()
			p := reflect.New(b.typ)
			if !isCustom(b.typ) && !(b.typ.Kind() == reflect.Pointer && isCustom(b.typ.Elem())) {
				least(p.Elem(), 0)
			}
			small[i] = p.Elem().Interface()
		}
		rows = append(rows, of("boxes of zero "+b.name, zero), of("boxes of least "+b.name, small))
		if keyable(b.typ) {
			rows = append(rows, of("keys in boxes of "+b.name, []map[any]struct{}{{reflect.Zero(b.typ).Interface(): {}}}))
		}
	}
	return rows
}

// TestExpansionOfCostlyValues: tiny maps, ever other zones and boxes cost the most for
// their bytes; a decode that does not count them lets a message take all memory.
func TestExpansionOfCostlyValues(t *testing.T) {
	skipWhenSlow(t)
	for _, r := range costly(thinned(4000)) {
		t.Run(r.name, func(t *testing.T) {
			for _, opt := range []format.Option{format.WithMaxDepth(0), format.WithRefs(), format.WithShared()} {
				c := must(r.make(opt))
				msg := alignedCopy(r.encode(r.values[0]))
				checkAllocation(t, c, [][]byte{msg})
				if err := c.Verify(msg); err != nil {
					t.Error(err)
				}
			}
		})
	}
	if !aliases() {
		return
	}
	// Maps of few entries take what Go's maps take; it must not have grown since the
	// bound was set.
	msg := mustModelEncode(&[]map[string]int8{{"": 1}})
	c := must(forget[[]map[string]int8]())
	if got := allocated(func() { _ = c.Decode(msg, new([]map[string]int8)) }); got > 4096 {
		t.Errorf("one small map takes %d bytes", got)
	}
}

// TestExpansionOfClaims: maps and boxes that claim more than there is are refused before
// memory is made for it.
func TestExpansionOfClaims(t *testing.T) {
	skipWhenSlow(t)
	const n = 1 << 14
	r := rand.New(rand.NewPCG(1, 2))
	fills := map[string]func(i int) uint64{
		"one entry each at the next": func(int) uint64 { return ref(1, 1) }, "all entries each": func(i int) uint64 { return ref(1, uint32(n-i)/2) },
		"all at one": func(i int) uint64 { return ref(int32(n-i), 1) }, "empty": func(int) uint64 { return 1 },
		"at random": func(i int) uint64 { return ref(int32(r.IntN(n))-int32(i), uint32(1+r.IntN(4))) },
		"ascending": func(i int) uint64 { return uint64(i) }, "boxes": func(i int) uint64 { return []uint64{ref(1, 1), box64[[]any]("[]any")}[i%2] },
	}
	for _, row := range []row{
		of[map[int64]int64]("map"), of[[]map[int64]int64]("maps"), of[mapNode]("itself"), of[map[string]map[string]string]("strings"), of[Trie]("trie"),
		of[[]any]("anys"), of[map[any]any]("any"), of[[]map[struct{}]struct{}]("nothing"), of[[]map[int8][64]int64]("large"), of[[]map[struct{}][100]int64]("large values of nothing"),
		of[[]*map[int8]int8]("pointers"), of[[][]map[bool]bool]("slices"), of[[]Words]("customs"), of[[]*time.Time]("times"), of[Node]("node"), of[Crossing]("crossing"),
	} {
		for name, fill := range fills {
			words := make([]uint64, n)
			for i := range words {
				words[i] = fill(i)
			}
			for _, count := range []uint32{1, 1000, n / 2, n - 1} {
				words[0] = ref(1, count)
				msg := craft(row.typ, words...)
				for _, opt := range []format.Option{format.WithMaxDepth(0), format.WithRefs(), format.WithShared()} {
					checkAllocation(t, must(row.make(opt)), [][]byte{msg})
				}
				if t.Failed() {
					t.Fatalf("%s, %d of %s", row.name, count, name)
				}
			}
		}
	}
}

// The table of what was reached (refs.go) is not in Expansion: with the graph flag and WithRefs
// a decode allocates more than 64 KiB + K·len.
func TestExpansionCountsTheTableOfRefs(t *testing.T) {
	type small struct{ A int64 }
	for _, n := range []int{3_000, 33_000, 140_000} {
		words := []uint64{ref(1, uint32(n))}
		for range n {
			words = append(words, ref(int32(n), 1))
		}
		words = append(words, make([]uint64, n)...)
		r := of[[]*small]("small")
		msg := craft(r.typ, words...)
		msg[3] = 1
		c := must(r.make(format.WithRefs()))
		runtime.GC() // empties the pool of tables
		runtime.GC()
		target := new([]*small)
		got := allocated(func() {
			if err := c.Decode(msg, target); err != nil {
				t.Fatal(err)
			}
		})
		if most := uint64(64<<10 + c.Expansion()*len(msg)); got > most {
			t.Errorf("%d pointers: %d bytes for a message of %d, K is %d: %.1f", n, got, len(msg), c.Expansion(), float64(got)/float64(len(msg)))
		}
		runtime.GC()
		runtime.GC()
		if got := allocated(func() { _ = c.Verify(msg) }); got > 0 {
			t.Logf("%d pointers: the first Verify allocates %d bytes", n, got)
		}
	}
}

package format_test

import (
	"errors"
	"math/big"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

type embedsView struct {
	At *int
	format.View[Point]
}

// TestPathsThatAreRefused: the error says where on the path, and what was expected.
func TestPathsThatAreRefused(t *testing.T) {
	type left struct {
		N     int32
		Out   string `ashlar:"-"`
		inner int8
	}
	type T struct {
		Rich
		Left    left
		Lefts   []left
		Loop    Loop
		Iface   any
		ByAny   map[any]int32
		ByText  map[PointKey]int32
		ByOwn   map[netip.Addr]int32
		Anys    map[string]any
		Nothing []struct{}
		Renamed int8 `ashlar:"new"`
	}
	_ = left{}.inner
	c := format.MustFor[T]()
	shared := format.MustFor[T](format.WithShared())
	for _, bad := range []struct {
		name, path string
		want       string // of the text
		make       func() error
	}{
		// Paths.
		{"no such field", "Rich.Nmae", `has no field "Nmae"; it has Name, Title,`, fieldOf[string](c, "Rich.Nmae")},
		{"the Go name of a field that is renamed", "Renamed", `has no field "Renamed"`, fieldOf[int8](c, "Renamed")},
		{"a field that is left out", "Left.Out", `has no field "Out"; it has N`, fieldOf[string](c, "Left.Out")},
		{"a field that is not exported", "Left.inner", `has no field "inner"`, fieldOf[int8](c, "Left.inner")},
		{"a promoted field", "Name", `has no field "Name"`, fieldOf[string](c, "Name")},
		{"no name", ".", `has no field ""`, fieldOf[string](c, ".")},
		{"no first name", ".Rich", `has no field ""`, fieldOf[string](c, ".Rich")},
		{"no name between", "Rich..Name", `has no field ""`, fieldOf[string](c, "Rich..Name")},
		{"no last name", "Rich.", `has no field ""`, fieldOf[string](c, "Rich.")},
		{"an index", "Rich.Ints[0]", `at "[0]"`, fieldOf[int](c, "Rich.Ints[0]")},
		{"an open bracket", "Rich.Ints[", `at "["`, fieldOf[int](c, "Rich.Ints[")},
		{"no dot", "Rich.Kids[]Name", `at "Name"`, fieldOf[string](c, "Rich.Kids[]Name")},
		{"an element of no list", "Rich.Name[]", "[] is for slices and arrays, here is a string", fieldOf[byte](c, "Rich.Name[]")},
		{"an element of an element", "Rich.Ints[][]", "[] is for slices and arrays, here is a int", fieldOf[int](c, "Rich.Ints[][]")},
		{"an element of the root", "[]", "[] is for slices and arrays", fieldOf[int](c, "[]")},
		{"an element of a map", "Rich.ByName[]", "[] is for slices and arrays", fieldOf[string](c, "Rich.ByName[]")},
		{"a field of a list", "Rich.Kids.Name", `"Name" is to be a field, but here is a []`, fieldOf[string](c, "Rich.Kids.Name")},
		{"a field of a number", "Rich.tag.X", `"X" is to be a field, but here is a int32`, fieldOf[string](c, "Rich.tag.X")},
		{"a field of a time", "Rich.When.wall", `"wall" is to be a field, but here is a time.Time`, fieldOf[uint64](c, "Rich.When.wall")},
		{"a field of what marshals itself", "Rich.Addr.z", `"z" is to be a field`, fieldOf[uint64](c, "Rich.Addr.z")},
		{"a field of what an interface holds", "Iface.X", `"X" is to be a field`, fieldOf[int32](c, "Iface.X")},
		{"pointers without end", "Loop.X", "more than 100 pointers", fieldOf[int32](c, "Loop.X")},
		// Types.
		{"another type", "Rich.tag", "here is a int32, not a int64", fieldOf[int64](c, "Rich.tag")},
		{"a type of the same kind", "Rich.Named", "here is a format_test.Text, not a string", fieldOf[string](c, "Rich.Named")},
		{"a pointer too many", "Rich.Deep", "here is a int32, not a **int32", fieldOf[**int32](c, "Rich.Deep")},
		{"a pointer to a string", "Rich.Title", "*string is no view of memory, for it holds a string", fieldOf[*string](c, "Rich.Title")},
		{"a pointer to a time", "Rich.At", "no view of memory", fieldOf[*time.Time](c, "Rich.At")},
		{"strings", "Rich.Strings", "[]string is no view of memory, for it holds a string", fieldOf[[]string](c, "Rich.Strings")},
		{"slices of slices", "Rich.Rows", "[][]int32 is no view of memory", fieldOf[[][]int32](c, "Rich.Rows")},
		{"optionals", "Rich.Maybes", "[]*int32 is no view of memory", fieldOf[[]*int32](c, "Rich.Maybes")},
		{"slices of what marshals itself", "Rich.UUIDs", "no view of memory", fieldOf[[]UUID](c, "Rich.UUIDs")},
		{"slices of what has fields that are left out", "Lefts", "has the field Out, which is not in messages", fieldOf[[]left](c, "Lefts")},
		{"a pointer to such", "Left", "has the field Out, which is not in messages", fieldOf[*left](c, "Left")},
		{"a struct that is not plain", "Rich", "format_test.Rich is no plain value, for it holds a string", fieldOf[Rich](c, "Rich")},
		{"an array that is not plain", "Rich.Texts", "[2]string is no plain value", fieldOf[[2]string](c, "Rich.Texts")},
		{"a map", "Rich.ByName", "is not read at once", fieldOf[map[string]*Rich](c, "Rich.ByName")},
		{"an interface", "Iface", "is not read at once", fieldOf[any](c, "Iface")},
		{"a view of another type", "Rich.Kid", "not a format_test.Point for a View of it", fieldOf[format.View[Point]](c, "Rich.Kid")},
		{"a view of a pointer", "Rich.Kid", "for a View of it", fieldOf[format.View[*Rich]](c, "Rich.Kid")},
		{"what embeds a view", "Rich.Point", "not a format_test.embedsView", fieldOf[embedsView](c, "Rich.Point")},
		// In memory that changes.
		{"shared bools", "Rich.Bools", "holds bools", fieldOf[[]bool](shared, "Rich.Bools")},
		{"shared pairs", "Rich.Pairs", "holds bools", fieldOf[[]sharedPair](shared, "Rich.Pairs")},
		{"a shared pair", "Rich.PPair", "holds bools", fieldOf[*sharedPair](shared, "Rich.PPair")},
		{"a shared bool", "Rich.Opts.Bool", "holds bools", fieldOf[*bool](shared, "Rich.Opts.Bool")},
		// Maps.
		{"no map", "Rich.Name", "here is a string, not a map", mapOf[string, int32](c, "Rich.Name")},
		{"other keys", "Rich.ByName", "the keys are of type string, not int", mapOf[int, format.View[Rich]](c, "Rich.ByName")},
		{"named keys", "Rich.Maps.Texts", "not string", mapOf[string, string](c, "Rich.Maps.Texts")},
		{"other values", "Rich.ByName[key]", "not a int32", mapOf[string, int32](c, "Rich.ByName")},
		{"values that are not read at once", "Anys[key]", "is not read at once", mapOf[string, any](c, "Anys")},
		{"interfaces as keys", "ByAny", "are not read in place", mapOf[any, int32](c, "ByAny")},
		{"keys that hold strings", "ByText", "are not read in place, for it holds a string", mapOf[PointKey, int32](c, "ByText")},
	} {
		err := bad.make()
		wantErr(t, bad.name, err, format.ErrType)
		var e *format.Error
		if !errors.As(err, &e) {
			continue
		}
		path, _, _ := strings.Cut(bad.path, "[key]")
		if e.Op != "field" || !strings.HasPrefix(e.Path, path) || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: %v\nwant the path %s and %q", bad.name, err, bad.path, bad.want)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("MustField does not panic")
		}
	}()
	format.MustField[int](c, "X")
}

func fieldOf[V, T any](c *format.Codec[T], path string) func() error {
	return func() error { _, err := format.Field[V](c, path); return err }
}

func mapOf[K comparable, V, T any](c *format.Codec[T], path string) func() error {
	return func() error { _, err := format.Map[K, V](c, path); return err }
}

// TestIndices: one for each list of the path, within it.
func TestIndices(t *testing.T) {
	type T struct {
		Rows  [][]int32
		Grid  [2][3]int16
		Deep  []*[]string
		Maps  []map[string]int32
		Plain int32
	}
	v := T{Rows: [][]int32{{1}, nil, {2, 3}}, Deep: []*[]string{nil, {"a", "b"}}, Maps: []map[string]int32{nil, {"a": 7}}}
	v.Grid[1][2] = 9
	c := format.MustFor[T]()
	view := must(c.View(mustModelEncode(&v)))
	rows, grid := format.MustField[int32](c, "Rows[][]"), format.MustField[int16](c, "Grid[][]")
	deep, plain := format.MustField[string](c, "Deep[][]"), format.MustField[int32](c, "Plain")
	maps := format.MustMap[string, int32](c, "Maps[]")
	read := func(x any, err error) error { return err }
	for _, x := range []struct {
		what string
		err  error
		path string // "" for no error
	}{
		{"an element", read(rows.Get(view, 2, 1)), ""},
		{"an element of an array", read(grid.Get(view, 1, 2)), ""},
		{"behind the inner list", read(rows.Get(view, 0, 1)), "Rows[0][1]"},
		{"of a nil list", read(rows.Get(view, 1, 0)), "Rows[1][0]"},
		{"behind the outer list", read(rows.Get(view, 3, 0)), "Rows[3][0]"},
		{"a negative one", read(rows.Get(view, -1, 0)), "Rows[-1][0]"},
		{"an inner negative one", read(rows.Get(view, 0, -1)), "Rows[0][-1]"},
		{"the least", read(rows.Get(view, 0, -1<<31)), "Rows[0][-2147483648]"},
		{"behind an array", read(grid.Get(view, 1, 3)), "Grid[1][3]"},
		{"behind an outer array", read(grid.Get(view, 2, 0)), "Grid[2][0]"},
		{"before an array", read(grid.Get(view, -1, 0)), "Grid[-1][0]"},
		{"of nothing", read(deep.Get(view, 0, 5)), ""}, // a nil pointer on the way ends it
		{"behind a pointer", read(deep.Get(view, 1, 2)), "Deep[1][2]"},
		{"none", read(rows.Get(view)), "Rows[][]"},
		{"one of two", read(rows.Get(view, 0)), "Rows[][]"},
		{"three of two", read(rows.Get(view, 0, 0, 0)), "Rows[][]"},
		{"one of none", read(plain.Get(view, 0)), "Plain"},
		{"Has", read(rows.Has(view, 0, 1)), "Rows[0][1]"},
		{"Has with three of two", read(rows.Has(view, 0, 0, 0)), "Rows[][]"},
		{"Has with none of two", read(rows.Has(view)), "Rows[][]"},
		{"Len of a list behind the outer one", read(rows.Len(view, 3)), "Rows[3][]"},
		{"Len with none", read(rows.Len(view)), "Rows[][]"},
		{"a map of a list", read(third(maps.Get(view, "a", 1))), ""},
		{"a map behind the list", read(third(maps.Get(view, "a", 2))), "Maps[2]"},
		{"a map without an index", read(third(maps.Get(view, "a"))), "Maps[]"},
	} {
		if x.path == "" {
			if x.err != nil {
				t.Errorf("%s: %v", x.what, x.err)
			}
			continue
		}
		wantErr(t, x.what, x.err, format.ErrIndex)
		var e *format.Error
		if errors.As(x.err, &e) && (e.Path != x.path || e.Op != "read") {
			t.Errorf("%s: %v, want the path %s", x.what, x.err, x.path)
		}
	}
	for _, x := range []struct {
		what     string
		got, err any
		want     int
	}{
		{"Len of the inner list", first(rows.Len(view, 2)), nil, 2},
		{"Len of a nil list", first(rows.Len(view, 1)), nil, 0},
		{"Len of an array", first(grid.Len(view, 1)), nil, 3},
		{"Len behind a nil pointer", first(deep.Len(view, 0)), nil, 0},
		{"Len of a string", first(deep.Len(view, 1, 1)), nil, 1},
		{"Len of a map", first(maps.Len(view, 1)), nil, 1},
	} {
		if x.got != x.want {
			t.Errorf("%s: %v, want %d", x.what, x.got, x.want)
		}
	}
	_, err := plain.Len(view)
	wantErr(t, "Len of a number", err, format.ErrType)
	for _, err := range plain.All(view) {
		wantErr(t, "All of a number", err, format.ErrType)
	}
	n := 0
	for _, err := range rows.All(view, 3) {
		wantErr(t, "All behind the list", err, format.ErrIndex)
		n++
	}
	for range rows.All(view, 2) {
		n++
		break
	}
	if n != 2 {
		t.Errorf("%d turns, want one for an error and one before a break", n)
	}
	if got, err := rows.Get(view, 2, 1); got != 3 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
	if got, err := grid.Get(view, 1, 2); got != 9 || err != nil {
		t.Errorf("%d, %v", got, err)
	}
}

func first[T any](x T, _ error) T                      { return x }
func third[A, B any](_ A, _ B, err error) (any, error) { return nil, err }

// TestNilAndEmptyInViews: they are told apart, and neither has elements.
func TestNilAndEmptyInViews(t *testing.T) {
	type T struct {
		Ints   []int32
		Strs   []string
		Map    map[string]int32
		Text   string
		PText  *string
		PSlice *[]int32
		Any    any
		Own    netip.Addr
		Big    *big.Int
		Opt    *int32
		Void   []struct{}
		PVoid  *struct{}
	}
	c := format.MustFor[T]()
	type state struct {
		has    bool
		length int
	}
	ask := func(v format.View[T]) map[string]state {
		t.Helper()
		out := map[string]state{}
		put := func(name string, has bool, err error, n int, lenErr error) {
			if err != nil || lenErr != nil && !errors.Is(lenErr, format.ErrType) {
				t.Errorf("%s: %v, %v", name, err, lenErr)
			}
			out[name] = state{has, n}
		}
		ints, strs := format.MustField[[]int32](c, "Ints"), format.MustField[string](c, "Strs[]")
		has, err := ints.Has(v)
		n, lenErr := ints.Len(v)
		put("Ints", has, err, n, lenErr)
		got, err := ints.Get(v)
		if (got != nil) != has || len(got) != n || err != nil {
			t.Errorf("Ints: %v, Has %v", got, has)
		}
		has, err = strs.Has(v)
		n, lenErr = strs.Len(v)
		put("Strs", has, err, n, lenErr)
		m := format.MustMap[string, int32](c, "Map")
		has, err = m.Has(v)
		n, lenErr = m.Len(v)
		put("Map", has, err, n, lenErr)
		for name, h := range map[string]interface {
			Has(format.View[T], ...int) (bool, error)
			Len(format.View[T], ...int) (int, error)
		}{
			"Text": format.MustField[string](c, "Text"), "PText": format.MustField[string](c, "PText"),
			"PSlice": format.MustField[[]int32](c, "PSlice"), "Any": format.MustField[format.View[any]](c, "Any"),
			"Own": format.MustField[netip.Addr](c, "Own"), "Big": format.MustField[big.Int](c, "Big"), "Opt": format.MustField[int32](c, "Opt"),
			"Void": format.MustField[[]struct{}](c, "Void"), "PVoid": format.MustField[struct{}](c, "PVoid"),
		} {
			has, err := h.Has(v)
			n, lenErr := h.Len(v)
			put(name, has, err, n, lenErr)
		}
		void, err := format.MustField[[]struct{}](c, "Void").Get(v)
		if err != nil || len(void) != out["Void"].length || (void != nil) != out["Void"].has {
			t.Errorf("Void: %d elements, %v, %v", len(void), err, out["Void"])
		}
		return out
	}
	for _, x := range []struct {
		v    T
		want map[string]state
	}{
		{T{}, map[string]state{"Text": {true, 0}, "Own": {true, 0}}},
		{
			T{Ints: []int32{}, Strs: []string{}, Map: map[string]int32{}, PText: new(""), PSlice: new([]int32{}), Any: 0, Opt: new(int32(0)), Void: []struct{}{}, PVoid: &struct{}{}, Big: new(big.Int)},
			map[string]state{"Ints": {true, 0}, "Strs": {true, 0}, "Map": {true, 0}, "Text": {true, 0}, "PText": {true, 0}, "PSlice": {true, 0}, "Any": {true, 0}, "Own": {true, 0}, "Big": {true, 0}, "Opt": {true, 0}, "Void": {true, 0}, "PVoid": {true, 0}},
		},
		{
			T{Ints: []int32{1}, Strs: []string{"", ""}, Map: map[string]int32{"": 0}, Text: "abc", PText: new("ab"), PSlice: new([]int32{1, 2, 3}), Void: make([]struct{}, 5)},
			map[string]state{"Ints": {true, 1}, "Strs": {true, 2}, "Map": {true, 1}, "Text": {true, 3}, "PText": {true, 2}, "PSlice": {true, 3}, "Own": {true, 0}, "Void": {true, 5}},
		},
	} {
		for name, got := range ask(must(c.View(mustModelEncode(&x.v)))) {
			if got != x.want[name] {
				t.Errorf("%s: %v, want %v", name, got, x.want[name])
			}
		}
	}
}

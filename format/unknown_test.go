package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// wantError checks an error's kind, path and text.
func wantError(t *testing.T, what string, err, kind error, path, text string) {
	t.Helper()
	var e *format.Error
	if !errors.Is(err, kind) || !errors.As(err, &e) || e.Path != path || !strings.Contains(err.Error(), text) {
		t.Errorf("%s: %v\nwant %v, path %q, %q", what, err, kind, path, text)
	}
}

func TestUnknownTags(t *testing.T) {
	type in struct {
		A struct {
			Rest format.Unknown
		}
	}
	refused := func(what string, typ reflect.Type, path, text string) {
		t.Helper()
		_, err := format.AnyFor(typ)
		wantError(t, what, err, format.ErrType, path, text)
	}
	refused("no tag", reflect.TypeFor[in](), "A.Rest", "needs the tag")
	refused("a name", reflect.TypeFor[struct {
		Rest format.Unknown `ashlar:"rest"`
	}](), "Rest", "needs the tag")
	refused("no export", reflect.TypeFor[struct {
		A    int
		rest format.Unknown `ashlar:",unknown"`
	}](), "rest", "not exported")
	refused("another type", reflect.TypeFor[struct {
		Rest []byte `ashlar:",unknown"`
	}](), "Rest", "is for a format.Unknown")
	refused("two", reflect.TypeFor[struct {
		R1 format.Unknown `ashlar:",unknown"`
		R2 format.Unknown `ashlar:",unknown"`
	}](), "R2", "a second")
	refused("root", reflect.TypeFor[format.Unknown](), "", "a field of its own")
	refused("list", reflect.TypeFor[struct{ L []format.Unknown }](), "L[]", "a field of its own")
	refused("pointer", reflect.TypeFor[struct{ P *format.Unknown }](), "P", "a field of its own")
	refused("key", reflect.TypeFor[map[struct {
		A    int
		Rest format.Unknown `ashlar:",unknown"`
	}]int](), "", "not written")
	_, err := format.For[orderOld](format.WithRefs())
	wantError(t, "WithRefs", err, format.ErrType, "", "WithRefs")
	_, err = format.EvolvedFor[orderOld](format.MustFor[orderNew]().Description(), format.SchemaLimits{}, format.WithRefs())
	wantError(t, "WithRefs", err, format.ErrType, "", "WithRefs")

	// It changes nothing of the schema, and a field may be left out.
	a, b := must(format.AnyFor(reflect.TypeFor[struct{ A, B int8 }]())), must(format.AnyFor(reflect.TypeFor[struct {
		A    int8
		Rest format.Unknown `ashlar:",unknown"`
		Out  format.Unknown `ashlar:"-"`
		B    int8
	}]()))
	if !bytes.Equal(a.Description(), b.Description()) {
		t.Error("the schema has changed")
	}
}

// Three versions of a type.
type (
	orderNew struct {
		ID    uint64
		Name  string
		Items []itemNew
		Notes map[string]noteNew
		First *itemNew
		Pair  [2]itemNew
		Extra *extra
		Due   *time.Time
		Any   any
	}
	itemNew struct {
		Price int32
		Count *uint16
		Tags  []string
		Box   any
		Big   []float64
	}
	noteNew struct {
		By   string
		At   time.Time
		Deep map[any]*extra
	}
	extra struct {
		On   bool
		More []extra
		URL  *string
	}

	orderMid struct {
		Rest  format.Unknown `ashlar:",unknown"`
		First *itemMid
		ID    uint64
		Items []itemMid
		Notes map[string]noteOld
		Pair  [2]itemMid
		Mine  string
	}
	itemMid struct {
		Count *uint16
		Rest  format.Unknown `ashlar:",unknown"`
		Price int32
		Tags  []string
	}

	orderOld struct {
		Items []itemOld
		Rest  format.Unknown `ashlar:",unknown"`
		Notes map[string]noteOld
		Name  string
	}
	itemOld struct {
		Price int64
		Rest  format.Unknown `ashlar:",unknown"`
	}
	noteOld struct {
		Rest format.Unknown `ashlar:",unknown"`
		By   string
	}
)

func newOrder() *orderNew {
	big := make([]float64, 100)
	for i := range big {
		big[i] = math.Sqrt(float64(i))
	}
	ex := extra{true, []extra{{URL: new("u")}, {On: true}}, new("")}
	item := func(i int32) itemNew {
		return itemNew{i, new(uint16(i)), []string{"a", ""}, map[string]any{"k": int8(i), "l": []any{"x", nil}}, big[:i]}
	}
	return &orderNew{
		ID: 7, Name: "name", Items: []itemNew{item(80), {}, item(3)}, First: new(item(5)), Pair: [2]itemNew{item(70), {Price: -1}},
		Notes: map[string]noteNew{"n": {"me", time.Unix(1, 2).UTC(), map[any]*extra{int8(1): &ex, "s": nil, 2.5: {}}}, "o": {}},
		Extra: &ex, Due: new(time.Unix(5, 6).UTC()), Any: []string{"any"},
	}
}

// passedOn reads a message as a T, has it changed, and writes it on.
func passedOn[T any](t *testing.T, msg, description []byte, change func(v *T)) []byte {
	t.Helper()
	c, err := format.EvolvedFor[T](description, format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	var v T
	if err := c.Decode(msg, &v); err != nil {
		t.Fatal(err)
	}
	clear(msg)
	change(&v)
	out, err := c.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestRelayOfThree: two relays of older versions, one of which knows of the other's fields nothing, change what
// they know, and the reader of the newest version finds the rest as it was.
func TestRelayOfThree(t *testing.T) {
	c := format.MustFor[orderNew]()
	want := newOrder()
	msg := must(c.Append(nil, want))
	msg = passedOn(t, msg, c.Description(), func(v *orderMid) {
		v.ID, v.Mine = 8, "left out"
		v.Items[2].Tags = append(v.Items[2].Tags, "mid")
		v.Items[0], v.Items[1] = v.Items[1], v.Items[0]
		v.First = nil
		v.Items = append(v.Items, itemMid{Price: 9})
	})
	msg = passedOn(t, msg, c.Description(), func(v *orderOld) {
		v.Name = "old"
		v.Items[0].Price = math.MinInt32
		v.Notes["new"] = v.Notes["n"]
		delete(v.Notes, "n")
	})
	want.ID, want.Name, want.First = 8, "old", nil
	want.Items[2].Tags = append(want.Items[2].Tags, "mid")
	want.Items[0], want.Items[1] = want.Items[1], want.Items[0]
	want.Items = append(want.Items, itemNew{Price: 9})
	want.Items[0].Price = math.MinInt32
	want.Notes["new"] = want.Notes["n"]
	delete(want.Notes, "n")
	var got orderNew
	if err := c.Decode(msg, &got); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(&got, want) {
		t.Errorf("got  %+v\nwant %+v", got, *want)
	}
	if canonical := must(c.Append(nil, want)); !bytes.Equal(msg, canonical) {
		t.Error(firstDifference(msg, canonical))
	}
}

// TestUnknownMisplaced: what would be lost or would mean something else is an error, with the path.
func TestUnknownMisplaced(t *testing.T) {
	c := format.MustFor[orderNew]()
	r := must(format.EvolvedFor[orderOld](c.Description(), format.SchemaLimits{}))
	var v orderOld
	if err := r.Decode(must(c.Append(nil, newOrder())), &v); err != nil {
		t.Fatal(err)
	}
	own := format.MustFor[orderOld]()
	if v.Rest.Empty() || v.Rest.Fingerprint() != c.Fingerprint() || !bytes.Equal(v.Rest.Description(), c.Description()) {
		t.Error("the root does not say of which schema it is")
	}
	refused := func(what string, v *orderOld, path, text string) {
		t.Helper()
		_, err := own.Append(nil, v)
		wantError(t, what, err, format.ErrSchema, path, text)
		_, err = own.Size(v)
		wantError(t, what+", Size", err, format.ErrSchema, path, text)
	}
	refused("own schema", &v, "Items[0].Rest", "another schema")
	refused("own schema, the root", &orderOld{Rest: v.Rest}, "Rest", "another schema")
	refused("own schema, an element", &orderOld{Items: v.Items}, "Items[0].Rest", "another schema")
	refused("own schema, a map", &orderOld{Notes: v.Notes}, `Notes["n"].Rest`, "another schema")

	// Given up, it is written.
	given := orderOld{Name: v.Name, Items: []itemOld{{Price: v.Items[0].Price}}}
	if _, err := own.Append(nil, &given); err != nil {
		t.Error(err)
	}
	// And an empty one is zero under the other schema.
	msg, err := r.Append(nil, &given)
	var full orderNew
	if err == nil {
		err = c.Decode(msg, &full)
	}
	if want := (orderNew{Name: "name", Items: []itemNew{{Price: 80}}}); err != nil || !reflect.DeepEqual(full, want) {
		t.Errorf("%v, %+v", err, full)
	}

	// One list with elements of two schemas.
	type other struct {
		Items []struct {
			Price int64
			Color string
		}
	}
	o := format.MustFor[other]()
	from := must(format.EvolvedFor[orderOld](o.Description(), format.SchemaLimits{}))
	var w orderOld
	if err := from.Decode(must(o.Append(nil, &other{make([]struct {
		Price int64
		Color string
	}, 1)})), &w); err != nil {
		t.Fatal(err)
	}
	mixed := v
	mixed.Items = append(append([]itemOld(nil), v.Items...), w.Items...)
	_, err = from.Append(nil, &mixed)
	wantError(t, "mixed, for the other", err, format.ErrSchema, "Items[0].Rest", "another schema")
	_, err = r.Size(&mixed)
	wantError(t, "mixed, Size", err, format.ErrSchema, "Items[3].Rest", "another schema")
	_, err = r.Append(nil, &mixed)
	wantError(t, "mixed", err, format.ErrSchema, "Items[3].Rest", "another schema")

	// Another node of the same schema.
	type twoNew struct {
		A []struct{ X, Y int8 }
		B []struct{ X, Y, Z int8 }
	}
	type part struct {
		X    int8
		Rest format.Unknown `ashlar:",unknown"`
	}
	type twoOld struct {
		A, B []part
		Rest format.Unknown `ashlar:",unknown"`
	}
	n := format.MustFor[twoNew]()
	two := must(format.EvolvedFor[twoOld](n.Description(), format.SchemaLimits{}))
	var x twoOld
	if err := two.Decode(must(n.Append(nil, &twoNew{make([]struct{ X, Y int8 }, 1), make([]struct{ X, Y, Z int8 }, 1)})), &x); err != nil {
		t.Fatal(err)
	}
	if x.A[0].Rest.Equal(x.B[0].Rest) || !x.A[0].Rest.Equal(x.A[0].Rest) {
		t.Error("Equal")
	}
	x.A, x.B = x.B, x.A
	_, err = two.Append(nil, &x)
	wantError(t, "another node", err, format.ErrSchema, "A[0].Rest", "another struct")

	// A struct that knows more does not write what one that knows less has kept, nor the other way round.
	mid := must(format.EvolvedFor[orderMid](c.Description(), format.SchemaLimits{}))
	_, err = mid.Append(nil, &orderMid{Rest: v.Rest})
	wantError(t, "a type that knows more", err, format.ErrSchema, "Rest", "another struct")

	// Read of the own schema again, it is empty.
	if err := own.DecodeReuse(must(own.Append(nil, &orderOld{Items: make([]itemOld, 2)})), &v); err != nil || !v.Rest.Empty() || !v.Items[0].Rest.Empty() {
		t.Error(err, "not emptied")
	}
	if (format.Unknown{}).Fingerprint() != 0 || (format.Unknown{}).Description() != nil {
		t.Error("an empty one has a schema")
	}
}

// TestEvolvedLoses: a codec of another schema does not write where a struct would lose something.
func TestEvolvedLoses(t *testing.T) {
	type in struct {
		A  int8
		In []struct{ B, C int8 }
	}
	type out struct {
		A    int8
		In   []struct{ B int8 }
		Rest format.Unknown `ashlar:",unknown"`
	}
	c := format.MustFor[in]()
	r := must(format.EvolvedFor[out](c.Description(), format.SchemaLimits{}))
	var v out
	if err := r.Decode(must(c.Append(nil, &in{In: make([]struct{ B, C int8 }, 2)})), &v); err != nil {
		t.Fatal(err)
	}
	_, err := r.Append(nil, &v)
	wantError(t, "Append", err, format.ErrSchema, "", `"In[].C"`)
	_, err = r.Size(&v)
	wantError(t, "Size", err, format.ErrSchema, "", `"In[].C"`)
}

// TestRelayConversions: what has been converted is converted back, exactly or not at all.
func TestRelayConversions(t *testing.T) {
	type in struct {
		I8   int8
		U64  uint64
		B    bool
		F32  float32
		P    *int16
		Q    *string
		S    string
		Y    []byte
		A    [2]int16
		L    []uint32
		W    *Point
		Text *string
		M    map[int8]string
		V    int32
		Pad  uint8
	}
	type out struct {
		M    map[int64]*string
		V    *int64
		W    Point
		L    [2]uint64
		A    []int64
		Y    string
		S    []byte
		Q    string
		Text []byte
		P    *int64
		F32  float64
		B    uint16
		U64  float64
		I8   int
		Rest format.Unknown `ashlar:",unknown"`
	}
	c := format.MustFor[in]()
	r := must(format.EvolvedFor[out](c.Description(), format.SchemaLimits{}))
	x := in{-5, 1 << 60, true, 0.5, new(int16(0)), new("q"), "s", []byte("y"), [2]int16{-1, 2}, []uint32{3, 4}, &Point{1, 2}, new(""), map[int8]string{-3: "", 2: "two", -1: "one"}, 9, 255}
	msg := must(c.Append(nil, &x))
	var v out
	read := func() {
		t.Helper()
		v = out{}
		if err := r.Decode(msg, &v); err != nil {
			t.Fatal(err)
		}
	}
	read()
	if got, err := r.Append(nil, &v); err != nil || !bytes.Equal(got, msg) {
		t.Errorf("%v: %s", err, firstDifference(got, msg))
	}
	// Zero where the writer has a pointer is nil.
	v.W, v.Q, v.P, v.V, v.Text = Point{}, "", nil, nil, nil
	var back in
	if err := c.Decode(must(r.Append(nil, &v)), &back); err != nil || back.W != nil || back.Q != nil || back.P != nil || back.V != 0 || back.Text != nil || back.Pad != 255 {
		t.Errorf("%v %+v", err, back)
	}
	for _, bad := range []struct {
		path   string
		change func()
		ok     bool
	}{
		{"I8", func() { v.I8 = 128 }, false}, {"I8", func() { v.I8 = -129 }, false}, {"I8", func() { v.I8 = -128 }, true},
		{"U64", func() { v.U64 = -1 }, false}, {"U64", func() { v.U64 = 1 << 64 }, false}, {"U64", func() { v.U64 = 0.5 }, false},
		{"U64", func() { v.U64 = math.NaN() }, false}, {"U64", func() { v.U64 = math.Inf(1) }, false}, {"U64", func() { v.U64 = 1 << 63 }, true},
		{"B", func() { v.B = 2 }, false}, {"B", func() { v.B = 0 }, true},
		{"F32", func() { v.F32 = 0.1 }, false}, {"F32", func() { v.F32 = 1e300 }, false}, {"F32", func() { v.F32 = math.NaN() }, true}, {"F32", func() { v.F32 = math.Inf(-1) }, true},
		{"P", func() { *v.P = 1 << 15 }, false}, {"P", func() { *v.P = -1 << 15 }, true},
		{"A", func() { v.A = v.A[:1] }, false}, {"A", func() { v.A = nil }, false}, {"A[1]", func() { v.A[1] = 1 << 15 }, false},
		{"L[1]", func() { v.L[1] = 1 << 32 }, false}, {"V", func() { *v.V = math.MaxInt32 + 1 }, false}, {"V", func() { *v.V = math.MinInt32 }, true},
	} {
		read()
		bad.change()
		_, err := r.Append(nil, &v)
		_, sizeErr := r.Size(&v)
		if bad.ok && (err != nil || sizeErr != nil) {
			t.Errorf("%s: %v, %v", bad.path, err, sizeErr)
		} else if !bad.ok {
			wantError(t, "Append", err, format.ErrLimit, bad.path, "")
			wantError(t, "Size", sizeErr, format.ErrLimit, bad.path, "")
		}
	}
	read()
	v.M[200] = new("too large a key")
	if _, err := r.Append(nil, &v); !errors.Is(err, format.ErrLimit) {
		t.Error(err)
	}

	// Strict, no nil is written that the reader would refuse.
	strict := must(format.EvolvedFor[out](c.Description(), format.SchemaLimits{}, format.WithStrictNil()))
	read()
	v.W, v.Q = Point{}, ""
	back = in{}
	if err := c.Decode(must(strict.Append(nil, &v)), &back); err != nil || back.W == nil || back.Q == nil || *back.Q != "" {
		t.Errorf("%v %+v", err, back)
	}
}

// Types in interfaces: two versions of one that both sides have, and one that the relay does not have.
type (
	boxNew struct {
		A, B int16
		C    []string
	}
	boxOld struct {
		B    int32
		Rest format.Unknown `ashlar:",unknown"`
	}
	boxStrange struct {
		S string
		N any
	}
)

type boxResolver map[uint64]*format.Schema

func (r boxResolver) Box(id uint64) (*format.Schema, bool) { s, ok := r[id]; return s, ok }

// TestRelayBoxes: values in interfaces are passed on under their own schema, those of types that the relay does not
// have too, where a resolver describes them.
func TestRelayBoxes(t *testing.T) {
	type in struct {
		Known  []any
		Beside map[any]any
	}
	type out struct {
		Known []any
		Rest  format.Unknown `ashlar:",unknown"`
	}
	theirs, ours := format.NewTypes(), format.NewTypes()
	for _, err := range []error{
		format.RegisterIn[boxNew](theirs, "box"), format.RegisterIn[*boxNew](theirs, "pointer"), format.RegisterIn[boxStrange](theirs, "strange"), format.RegisterIn[[2]int8](theirs, "key"),
		format.RegisterIn[boxOld](ours, "box"), format.RegisterIn[*boxOld](ours, "pointer"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c := must(format.For[in](format.WithTypes(theirs)))
	x := in{
		[]any{boxNew{1, 2, []string{"c"}}, &boxNew{3, 4, nil}, int8(5), []any{boxNew{}}},
		map[any]any{"s": boxStrange{"s", boxStrange{"t", int8(1)}}, int8(2): nil, [2]int8{1, 2}: "v", [2]int8{1, -2}: "w"},
	}
	msg, ids, err := c.AppendBoxes(nil, nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	known := boxResolver{}
	for _, id := range ids {
		known[id], _ = theirs.Schema(id)
	}
	r := must(format.EvolvedFor[out](c.Description(), format.SchemaLimits{}, format.WithTypes(ours), format.WithBoxes(known)))
	var v out
	if err := r.Decode(msg, &v); err != nil {
		t.Fatal(err)
	}
	if b := v.Known[0].(boxOld); b.B != 2 || b.Rest.Fingerprint() != must(format.SchemaOf(reflect.TypeFor[boxNew]())).Fingerprint() {
		t.Errorf("%+v", v.Known[0])
	}
	got, gotIDs, err := r.AppendBoxes(nil, nil, &v)
	if err != nil || !bytes.Equal(got, msg) || !reflect.DeepEqual(gotIDs, ids) {
		t.Errorf("%v: %s\nboxes %x, want %x", err, firstDifference(got, msg), gotIDs, ids)
	}
	if n, err := r.Size(&v); err != nil || n != len(msg) {
		t.Errorf("Size: %d, %v, want %d", n, err, len(msg))
	}
	// A box goes on under its schema from a message of the type's own schema, too.
	own := must(format.For[[]any](format.WithTypes(ours)))
	list := must(format.For[[]any](format.WithTypes(theirs)))
	want := must(list.Append(nil, &x.Known))
	if got, err := own.Append(nil, &v.Known); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %s", err, firstDifference(got, want))
	}
	if n, err := own.Size(&v.Known); err != nil || n != len(want) {
		t.Errorf("Size: %d, %v, want %d", n, err, len(want))
	}
	refs := must(format.For[[]any](format.WithTypes(ours), format.WithRefs()))
	if _, err := refs.Append(nil, &v.Known); !errors.Is(err, format.ErrSchema) {
		t.Errorf("with refs: %v", err)
	}
	// What describes no type of the box keeps nothing.
	blind := must(format.EvolvedFor[out](c.Description(), format.SchemaLimits{}, format.WithTypes(ours)))
	err = blind.Decode(must(c.Append(nil, &in{Beside: x.Beside})), new(out))
	if !errors.Is(err, format.ErrSchema) || !strings.HasPrefix(err.(*format.Error).Path, "Rest.Beside[") {
		t.Error(err)
	}
	// A key that no key can be.
	bad := must(c.Append(nil, &in{Beside: map[any]any{int8(1): nil}}))
	at := bytes.Index(bad, idBytes("int8", reflect.TypeFor[int8]()))
	copy(bad[at:], idBytes("strange", reflect.TypeFor[boxStrange]()))
	if err := r.Decode(bad, new(out)); !errors.Is(err, format.ErrCorrupt) {
		t.Error(err)
	}
}

// TestBuiltBoxesOfAnotherSchema: a message is built of a value that keeps, in an interface, what its program does not know.
func TestBuiltBoxesOfAnotherSchema(t *testing.T) {
	type holder struct{ V any }
	theirs, ours := format.NewTypes(), format.NewTypes()
	if err := errors.Join(format.RegisterIn[boxNew](theirs, "box"), format.RegisterIn[boxOld](ours, "box")); err != nil {
		t.Fatal(err)
	}
	msg, ids, err := must(format.For[holder](format.WithTypes(theirs))).AppendBoxes(nil, nil, &holder{boxNew{1, 2, []string{"c"}}})
	if err != nil {
		t.Fatal(err)
	}
	known := boxResolver{}
	known[ids[0]], _ = theirs.Schema(ids[0])
	c := must(format.For[holder](format.WithTypes(ours), format.WithBoxes(known)))
	var v holder
	if err := c.Decode(msg, &v); err != nil {
		t.Fatal(err)
	}
	b, _ := beginBuild(t, c)
	if err := b.Root().Encode(&v); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Finish(); err != nil || !bytes.Equal(got, msg) {
		t.Errorf("%v\n% x\nwant\n% x", err, got, msg)
	}
}

func idBytes(name string, t reflect.Type) []byte {
	return binary.LittleEndian.AppendUint64(nil, boxID(name, t))
}

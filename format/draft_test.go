package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// FirstOf and what it leads to have their interesting fields first, where a pointer leads to.
type FirstOf struct {
	Part  *Firsts
	Parts []*Firsts
	Deep  **Firsts
	None  *struct{}
	Lone  *Innermost
}

type Firsts struct {
	In Innermost
	N  int32
}

type Innermost struct {
	First int64
	Name  string
}

// TestClearOfTheFirstFieldBehindAPointer: the pointer stays, and what else is there.
func TestClearOfTheFirstFieldBehindAPointer(t *testing.T) {
	c := format.MustFor[FirstOf]()
	b, _ := beginBuild(t, c)
	root := b.Root()
	full := func() *Firsts { return &Firsts{Innermost{1, "name"}, 2} }
	deep := full()
	noError(t, root.Encode(&FirstOf{full(), []*Firsts{full(), full(), full()}, &deep, &struct{}{}, &Innermost{3, "lone"}}),
		format.MustField[int64](c, "Part.In.First").Clear(root),
		format.MustField[format.View[Innermost]](c, "Parts[].In").Clear(root, 0),
		format.MustField[int64](c, "Parts[].In.First").Clear(root, 1),
		format.MustField[format.View[Firsts]](c, "Parts[]").Clear(root, 2),
		format.MustField[format.View[Firsts]](c, "Deep").Clear(root),
		format.MustField[format.View[struct{}]](c, "None").Clear(root),
		format.MustField[int64](c, "Lone.First").Clear(root))
	msg, err := b.Finish()
	noError(t, err)
	var got FirstOf
	noError(t, c.Decode(msg, &got))
	want := FirstOf{Part: &Firsts{Innermost{0, "name"}, 2}, Parts: []*Firsts{{N: 2}, {Innermost{0, "name"}, 2}, nil}, Lone: &Innermost{Name: "lone"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestLinkWhereNoPointerEnds: only the pointer itself refers to an object, not the first field of what it leads to.
func TestLinkWhereNoPointerEnds(t *testing.T) {
	for _, opts := range [][]format.Option{nil, {format.WithRefs()}} {
		c := format.MustFor[FirstOf](opts...)
		b, _ := beginBuild(t, c)
		root := b.Root()
		lone := format.MustField[format.View[Innermost]](c, "Lone")
		object, err := format.Loose(lone, root)
		noError(t, err)
		for _, path := range []string{"Part.In", "Deep.In"} {
			inner := format.MustField[format.View[Innermost]](c, path)
			if _, err := format.Loose(inner, root); !errors.Is(err, format.ErrType) {
				t.Errorf("%s, made: %v", path, err)
			}
			if err := format.Link(inner, root, object); !errors.Is(err, format.ErrType) {
				t.Errorf("%s, linked to: %v", path, err)
			}
			part, err := format.Sub(inner, root)
			noError(t, err)
			if err := format.Link(lone, root, part); !errors.Is(err, format.ErrType) {
				t.Errorf("%s, linked: %v", path, err)
			}
		}
		noError(t, format.Link(lone, root, object))
		msg, err := b.Finish()
		noError(t, err, c.Verify(msg))
		var got FirstOf
		noError(t, c.Decode(msg, &got))
		if got.Part == nil || got.Deep == nil || *got.Deep == nil || got.Lone == nil {
			t.Errorf("got %+v", got)
		}
	}
}

// Nested holds maps of itself.
type Nested struct{ Within map[string]Nested }

// TestMapsThatHoldThemselves: a view comes no deeper by maps than by pointers.
func TestMapsThatHoldThemselves(t *testing.T) {
	const most = 10
	c := format.MustFor[Nested](format.WithMaxDepth(most))
	msg := alignedCopy(mustAppend(t, c, &Nested{map[string]Nested{"a": {}}}))
	le := binary.LittleEndian
	entries := 16 + 8*int(int32(le.Uint32(msg[16:])))
	le.PutUint64(msg[entries+8:], 1<<32|uint64(math.MaxUint32)) // the map within is the one that it is in
	if err := c.Verify(msg); err == nil {
		t.Fatal("the message passes Verify")
	}
	h := format.MustMap[string, format.View[Nested]](c, "Within")
	for name, step := range map[string]func(v format.View[Nested]) (format.View[Nested], error){
		"Get": func(v format.View[Nested]) (format.View[Nested], error) {
			w, ok, err := h.Get(v, "a")
			if !ok && err == nil {
				t.Fatal("no a")
			}
			return w, err
		},
		"All": func(v format.View[Nested]) (w format.View[Nested], err error) {
			for e, err := range h.All(v) {
				return e.Value, err
			}
			t.Fatal("no entry")
			return w, nil
		},
	} {
		v, err := c.View(msg)
		steps := 0
		for ; err == nil && steps < 2*most; steps++ {
			v, err = step(v)
		}
		if !errors.Is(err, format.ErrLimit) || steps < most/2 || steps > most+1 {
			t.Errorf("%s: %v after %d steps", name, err, steps)
		}
	}
	// As deep as a message may be all is read.
	deepest := Nested{}
	for range most - 1 {
		deepest = Nested{map[string]Nested{"a": deepest}}
	}
	v, err := c.View(mustAppend(t, c, &deepest))
	for range most - 1 {
		noError(t, err)
		v, _, err = h.Get(v, "a")
	}
	noError(t, err)
}

// TestEditOfWhatIsNil: an optional that is nil stays.
func TestEditOfWhatIsNil(t *testing.T) {
	c := format.MustFor[Assembled]()
	msg := alignedCopy(mustAppend(t, c, &Assembled{Next: &Assembled{}}))
	before := bytes.Clone(msg)
	d, err := c.Edit(msg)
	noError(t, err)
	_, sub := format.Sub(format.MustField[format.View[uint32]](c, "Count"), d)
	for name, err := range map[string]error{
		"number":        format.MustField[uint32](c, "Count").Set(d, 2),
		"within":        format.MustField[uint32](c, "Next.Count").Set(d, 2),
		"part":          sub,
		"text to clear": format.MustField[string](c, "Title").Clear(d),
	} {
		if !errors.Is(err, format.ErrType) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(msg, before) {
		t.Error("the message has changed")
	}
}

// Meddler calls what it is told to while it is marshaled.
type Meddler struct{ N int8 }

var meddling func()

func (m Meddler) MarshalBinary() ([]byte, error) {
	meddling()
	return []byte{byte(m.N)}, nil
}

func (m *Meddler) UnmarshalBinary(b []byte) error {
	m.N = int8(b[0])
	return nil
}

type Meddled struct {
	Own   Meddler
	Text  string
	Again Meddler
}

// TestMethodsThatUseTheBuilder: what a method does to the builder that it is written by is refused, and the rest is
// written.
func TestMethodsThatUseTheBuilder(t *testing.T) {
	c := format.MustFor[Meddled]()
	b, buf := beginBuild(t, c)
	root := b.Root()
	own, text := format.MustField[Meddler](c, "Own"), format.MustField[string](c, "Text")
	calls := 0
	refused := func(what string, err error) {
		if !errors.Is(err, format.ErrType) || !strings.Contains(err.Error(), "being written") {
			t.Errorf("%s: %v", what, err)
		}
	}
	meddling = func() {
		calls++
		refused("Set", own.Set(root, Meddler{9}))
		refused("a text", text.Set(root, "no"))
		refused("Clear", text.Clear(root))
		refused("Encode", root.Encode(&Meddled{}))
		_, err := b.Finish()
		refused("Finish", err)
		_, err = format.Sub(format.MustField[format.View[Meddler]](c, "Again"), root)
		refused("Sub", err)
	}
	defer func() { meddling = nil }()
	want := Meddled{Meddler{1}, "text", Meddler{2}}
	noError(t, root.Encode(&want), own.Set(root, Meddler{3}))
	want.Own.N = 3
	if calls != 3 {
		t.Errorf("%d calls", calls)
	}
	meddling = b.Abort
	if err := own.Set(root, Meddler{4}); !errors.Is(err, format.ErrType) {
		t.Errorf("given up while a value is written: %v", err)
	}
	if _, err := b.Finish(); !errors.Is(err, format.ErrType) || buf.Len() != 0 {
		t.Errorf("finished: %v", err)
	}
	meddling = func() {}
	b, err := c.Build(buf)
	noError(t, err, b.Root().Encode(&want))
	msg, err := b.Finish()
	var got Meddled
	noError(t, err, c.Decode(msg, &got))
	if got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestBuildersThatAreOver: all that is asked of a builder that failed to begin, was given up or is finished is an error or
// nil.
func TestBuildersThatAreOver(t *testing.T) {
	c := format.MustFor[FirstOf]()
	foreign, err := format.EvolvedFor[FirstOf](format.MustFor[Firsts]().Description(), format.SchemaLimits{})
	noError(t, err)
	name, lone := format.MustField[int64](c, "Lone.First"), format.MustField[format.View[Innermost]](c, "Lone")
	none, _ := c.Build(nil)
	small, _ := c.Build(buffer.Wrap(make([]byte, 16)))
	other, _ := foreign.Build(buffer.New(1 << 10))
	done, _ := beginBuild(t, c)
	if _, err := done.Finish(); err != nil {
		t.Fatal(err)
	}
	gone, buf := beginBuild(t, c)
	gone.Abort()
	for what, b := range map[string]*format.Builder[FirstOf]{"no buffer": none, "a small one": small, "another schema": other, "finished": done, "given up": gone} {
		d := b.Root()
		_, finish := b.Finish()
		_, sub := format.Sub(lone, d)
		_, loose := format.Loose(lone, d)
		for op, err := range map[string]error{"Set": name.Set(d, 1), "Clear": name.Clear(d), "Encode": d.Encode(&FirstOf{}), "Finish": finish, "Sub": sub, "Loose": loose} {
			if !errors.Is(err, format.ErrType) {
				t.Errorf("%s, %s: %v", what, op, err)
			}
		}
		if !d.View().IsNil() {
			t.Errorf("%s: there is a view", what)
		}
		b.Abort()
	}
	if buf.Len() != 0 {
		t.Errorf("%d bytes of what was given up", buf.Len())
	}
}

// TestErrorsOfDraftsSayWhatWasDone: the operation stands first in the text.
func TestErrorsOfDraftsSayWhatWasDone(t *testing.T) {
	c := format.MustFor[FirstOf]()
	b, _ := beginBuild(t, c)
	root := b.Root()
	list := format.MustField[format.View[Firsts]](c, "Parts[]")
	names := format.MustField[string](c, "Parts[].In.Name")
	_, sub := format.Sub(list, root, 3)
	_, loose := format.Loose(format.MustField[format.View[Innermost]](c, "Part.In"), root)
	_, made := names.Make(root, 1, 0)
	_, sliced := names.Slice(root, 0)
	for op, err := range map[string]error{
		"set": names.Set(root, "x", 1), "clear": names.Clear(root, 1), "make": made, "slice": sliced, "sub": sub, "loose": loose,
		"link": format.Link(list, root, format.Draft[Firsts]{}, 0),
	} {
		var e *format.Error
		if !errors.As(err, &e) || e.Op != op || e.Path == "" {
			t.Errorf("%s: %v", op, err)
		}
	}
	var e *format.Error
	if err := list.MakeList(root, -1); !errors.As(err, &e) || e.Op != "make" {
		t.Errorf("make: %v", err)
	}
}

// TestDefaultsAreNobodys: who writes to what a pointer to a default leads to changes his own alone.
func TestDefaultsAreNobodys(t *testing.T) {
	type rate float64
	type old struct{ N int8 }
	type now struct {
		N    int8
		Rate rate `ashlar:",default=0.5"`
	}
	c := must(format.EvolvedFor[now](format.MustFor[old]().Description(), format.SchemaLimits{}))
	v := must(c.View(mustAppend(t, format.MustFor[old](), &old{1})))
	h := format.MustField[*rate](c, "Rate")
	first := must(h.Get(v))
	*first = 9
	if second := must(h.Get(v)); *second != 0.5 {
		t.Errorf("%v, want 0.5", *second)
	}
}

// TestElementsOfStringsAreNotReached: [] is for slices, of the writer's too.
func TestElementsOfStringsAreNotReached(t *testing.T) {
	type old struct{ S string }
	type now struct{ S []byte }
	c := must(format.EvolvedFor[now](format.MustFor[old]().Description(), format.SchemaLimits{}))
	v := must(c.View(mustAppend(t, format.MustFor[old](), &old{"text"})))
	if s, err := format.MustField[[]byte](format.MustFor[now](), "S").Get(v); err != nil || string(s) != "text" {
		t.Errorf("%q, %v", s, err)
	}
	if _, err := format.MustField[byte](format.MustFor[now](), "S[]").Get(v, 0); !errors.Is(err, format.ErrSchema) {
		t.Errorf("an element: %v", err)
	}
}

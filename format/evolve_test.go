package format_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/format"
)

// evolved reads a message of the value in as an Out.
func evolved[In, Out any](t *testing.T, in In, out Out) (Out, error) {
	t.Helper()
	w := must(forget[In]())
	msg, err := w.Append(nil, &in)
	if err != nil {
		t.Fatal(err)
	}
	r, err := format.EvolvedAny(reflect.TypeFor[Out](), w.Description(), format.SchemaLimits{})
	if err != nil {
		return out, err
	}
	return out, r.Decode(msg, &out)
}

func evolves[In, Out any](t *testing.T, name string, in In, before, want Out) {
	t.Helper()
	got, err := evolved(t, in, before)
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%s: %v %s", name, err, d)
	}
}

func TestEvolvedTypes(t *testing.T) {
	type (
		v1 struct {
			A int32
			B string
			C []float64
		}
		added struct {
			X *int64
			A int32
			Y string
			B string
			C []float64
			Z bool
		}
		removed struct{ C []float64 }
		swapped struct {
			C []float64
			B string
			A int32
		}
		renamed struct {
			Alpha int32 `ashlar:"Alpha,alias=A"`
			B     string
		}
		wide struct {
			A int64
			B []byte
			C [2]float32
		}
		pointers struct {
			A *int32
			B *string
			C *[]float64
		}
		defaults struct {
			A int32
			D int16 `ashlar:",default=-7"`
		}
	)
	old := v1{-5, "text", []float64{0.5, 2}}
	evolves(t, "added", old, added{Y: "kept", X: new(int64(9))}, added{A: -5, B: "text", C: old.C, Y: "kept", X: new(int64(9))})
	evolves(t, "removed", old, removed{}, removed{old.C})
	evolves(t, "swapped", old, swapped{}, swapped{old.C, "text", -5})
	evolves(t, "renamed", old, renamed{}, renamed{-5, "text"})
	evolves(t, "wide", old, wide{}, wide{-5, []byte("text"), [2]float32{0.5, 2}})
	evolves(t, "pointers", old, pointers{}, pointers{new(int32(-5)), new("text"), &old.C})
	evolves(t, "and back", pointers{new(int32(-5)), new("text"), &old.C}, v1{}, old)
	evolves(t, "nil", pointers{}, old, v1{})
	evolves(t, "defaults", old, defaults{}, defaults{-5, -7})
	evolves(t, "list", []v1{old, old}, []added{{Y: "gone"}}, []added{{A: -5, B: "text", C: old.C}, {A: -5, B: "text", C: old.C}})
	evolves(t, "map", map[string]v1{"k": old}, nil, map[string]swapped{"k": {old.C, "text", -5}})
	evolves(t, "keys", map[int8]v1{1: old}, nil, map[int64]removed{1: {old.C}})
	evolves(t, "array", [2]v1{old}, [2]removed{}, [2]removed{{old.C}})
	evolves(t, "array to list", [2]v1{old}, nil, []removed{{old.C}, {}})

	if _, err := evolved(t, struct{ A int64 }{1 << 40}, struct{ A int32 }{}); !errors.Is(err, format.ErrLimit) {
		t.Error(err)
	}
	var e *format.Error
	if _, err := evolved(t, struct{ A []v1 }{}, struct{ A []struct{ B int } }{}); !errors.Is(err, format.ErrSchema) || !errors.As(err, &e) || e.Path != "A[].B" {
		t.Error(err)
	}
}

type ownPointer *ownPointer

func TestEvolvedTypesThatCannotBe(t *testing.T) {
	if _, err := evolved(t, struct{ A int32 }{1}, struct{ A ownPointer }{}); !errors.Is(err, format.ErrSchema) {
		t.Error(err)
	}
	for _, make := range []func() error{
		func() error {
			_, err := format.For[struct {
				A int `ashlar:",default=x"`
			}]()
			return err
		},
		func() error {
			_, err := format.For[struct {
				A []int `ashlar:",default=1"`
			}]()
			return err
		},
		func() error {
			_, err := format.For[struct {
				A int `ashlar:"a,b"`
			}]()
			return err
		},
		func() error {
			_, err := format.For[struct {
				A int `ashlar:"a,alias="`
			}]()
			return err
		},
	} {
		if err := make(); !errors.Is(err, format.ErrType) {
			t.Error(err)
		}
	}
	r, err := format.EvolvedFor[struct{ A int64 }](format.MustFor[struct{ A, B int32 }]().Description(), format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Append(nil, &struct{ A int64 }{}); !errors.Is(err, format.ErrSchema) {
		t.Error(err)
	}
}

// TestEvolvedSharing: what a writer shares may be read as values, each of them a copy, beside pointers, which
// still share.
func TestEvolvedSharing(t *testing.T) {
	type two struct{ A, B *Point }
	read := func(in, out any) error {
		t.Helper()
		w := must(codecOf(reflect.TypeOf(in).Elem(), format.WithRefs()))
		r := must(format.EvolvedAny(reflect.TypeOf(out).Elem(), w.Description(), format.SchemaLimits{}, format.WithRefs()))
		msg, err := w.Append(nil, in)
		if err != nil {
			t.Fatal(err)
		}
		checkEvolvedAllocation(t, r, reflect.TypeOf(out).Elem(), msg)
		for _, d := range evolvedReads {
			if err := d.call(r, msg, out); err != nil {
				return err
			}
		}
		return r.Verify(msg)
	}
	p := &Point{1, 2}
	many := make([]*Point, 100)
	for i := range many {
		many[i] = p
	}
	type wide struct{ Y, X int64 }

	var points []Point
	if err := read(&many, &points); err != nil || len(points) != 100 || points[99] != *p {
		t.Errorf("values: %v, %v", err, points)
	}
	var values []wide
	if err := read(&many, &values); err != nil || len(values) != 100 || values[99] != (wide{2, 1}) {
		t.Errorf("other values: %v, %v", err, values)
	}
	var pointers []*wide
	if err := read(&many, &pointers); err != nil || len(pointers) != 100 || *pointers[99] != (wide{2, 1}) || pointers[0] != pointers[99] {
		t.Errorf("pointers: %v, %v", err, pointers)
	}
	var mixed struct {
		A Point
		B *Point
	}
	if err := read(&two{p, p}, &mixed); err != nil || mixed.A != *p || *mixed.B != *p {
		t.Errorf("a value and a pointer: %v, %v", err, mixed)
	}
	var again struct {
		A *Point
		B Point
	}
	if err := read(&two{p, p}, &again); err != nil || *again.A != *p || again.B != *p {
		t.Errorf("a pointer and a value: %v, %v", err, again)
	}
	var thrice struct {
		A *Point
		B *wide
	}
	if err := read(&two{p, p}, &thrice); err != nil || *thrice.A != *p || *thrice.B != (wide{2, 1}) {
		t.Errorf("pointers to two types: %v, %v", err, thrice)
	}

	// Copies take no more memory than a message may, and no more time.
	if err := read(sharedTree(40), new(valueTree)); !errors.Is(err, format.ErrLimit) {
		t.Errorf("diamonds: %v, want ErrLimit", err)
	}
	cycle := sharedTree(1)
	cycle.Kids[0] = cycle
	if err := read(cycle, new(valueTree)); !errors.Is(err, format.ErrLimit) {
		t.Errorf("a cycle: %v, want ErrLimit", err)
	}
	type text struct{ S string }
	type bytes struct{ S []byte }
	for n, fits := range map[int]bool{10: true, 2000: false} {
		shared := &text{strings.Repeat("x", 10_000)}
		texts := make([]*text, n)
		for i := range texts {
			texts[i] = shared
		}
		if err := read(&texts, new([]text)); (err == nil) != fits || !fits && !errors.Is(err, format.ErrLimit) {
			t.Errorf("%d texts: %v", n, err)
		}
		if err := read(&texts, new([]bytes)); (err == nil) != fits || !fits && !errors.Is(err, format.ErrLimit) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// TestEvolvedStrictNil: a nil that becomes a zero is an error where that is asked for, wherever it stands, and
// one that has a place stays.
func TestEvolvedStrictNil(t *testing.T) {
	type pointers struct {
		Optional *int32
		Text     *string
		Bytes    *string
		Ref      *struct{ A int8 }
		Twice    **int32
		Stays    *string
	}
	type values struct {
		Optional int32
		Text     string
		Bytes    []byte
		Ref      struct{ A int8 }
		Twice    *int32
		Stays    *[]byte
	}
	full := pointers{new(int32(1)), new("x"), new(""), &struct{ A int8 }{2}, new(new(int32(3))), nil}
	w := format.MustFor[pointers]()
	lax, err := format.EvolvedFor[values](w.Description(), format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	strict, err := format.EvolvedFor[values](w.Description(), format.SchemaLimits{}, format.WithStrictNil())
	if err != nil {
		t.Fatal(err)
	}
	read := func(c *format.Codec[values], p *pointers) (v values, err error) {
		msg, err := w.Append(nil, p)
		if err != nil {
			t.Fatal(err)
		}
		return v, c.Decode(msg, &v)
	}
	want := values{1, "x", []byte{}, struct{ A int8 }{2}, new(int32(3)), nil}
	if got, err := read(strict, &full); err != nil || !cmp.Equal(got, want) {
		t.Errorf("without nils: %v, %s", err, cmp.Diff(want, got))
	}
	for i := range 5 {
		name := reflect.TypeFor[pointers]().Field(i).Name
		in, want := full, want
		reflect.ValueOf(&in).Elem().Field(i).SetZero()
		reflect.ValueOf(&want).Elem().Field(i).SetZero()
		if got, err := read(lax, &in); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%s: %v, %s", name, err, cmp.Diff(want, got))
		}
		_, err := read(strict, &in)
		if name == "Twice" {
			if err != nil {
				t.Errorf("%s, which has a place for a nil: %v", name, err)
			}
		} else if !errors.Is(err, format.ErrSchema) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v, want ErrSchema", name, err)
		}
	}
}

// TestEvolvedDefaultsInTheRoot: the root keeps what it has, and what is zero there takes the default.
func TestEvolvedDefaultsInTheRoot(t *testing.T) {
	type in struct{ A int32 }
	type out struct {
		A    int32
		B    int64  `ashlar:",default=7"`
		C    string `ashlar:",default=x"`
		Part struct {
			D float64 `ashlar:",default=0.5"`
		}
	}
	before := out{B: 99}
	before.Part.D = 2
	kept, given := before, out{A: 1, B: 7, C: "x"}
	kept.A, kept.C = 1, "x"
	evolves(t, "what the root has", in{1}, before, kept)
	evolves(t, "a zero root", in{1}, out{}, given)
	evolves(t, "elements", []in{{1}}, []out{before}, []out{{A: 1, B: 7, C: "x"}})
}

// TestEvolvedMaxExpansion: a message whose small structs have become large is an error that names the limit, and
// is read where the limit allows it.
func TestEvolvedMaxExpansion(t *testing.T) {
	type small struct{ B bool }
	type large struct {
		B    bool
		T, U int64
		Name string
		Tags []string
		Hash [32]byte
	}
	w := format.MustFor[[]small]()
	in := make([]small, 10_000)
	in[9_999].B = true
	msg := must(w.Append(nil, &in))
	for factor, want := range map[int]error{0: format.ErrLimit, 48: format.ErrLimit, 200: nil} {
		r, err := format.EvolvedFor[[]large](w.Description(), format.SchemaLimits{}, format.WithMaxExpansion(factor))
		if err != nil {
			t.Fatal(err)
		}
		var out []large
		switch err := r.Decode(msg, &out); {
		case !errors.Is(err, want):
			t.Errorf("MaxExpansion %d: %v, want %v", factor, err, want)
		case err != nil && !strings.Contains(err.Error(), "MaxExpansion is 48"):
			t.Errorf("the error does not name the limit: %v", err)
		case err == nil && (len(out) != len(in) || !out[9_999].B):
			t.Errorf("MaxExpansion %d: another value", factor)
		}
	}
}

// TestAliasesAreOneFields: two fields cannot have had the same name.
func TestAliasesAreOneFields(t *testing.T) {
	for _, typ := range []reflect.Type{
		reflect.TypeFor[struct {
			A int8 `ashlar:",alias=X"`
			B int8 `ashlar:",alias=X"`
		}](),
		reflect.TypeFor[struct {
			A int8 `ashlar:",alias=A"`
		}](),
	} {
		if _, err := format.AnyFor(typ); !errors.Is(err, format.ErrType) || !strings.Contains(err.Error(), "alias") {
			t.Errorf("%v: %v, want ErrType", typ, err)
		}
	}
}

package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// TestRegisterConflicts: a type has one name and a name one type, whatever the order,
// and an error says which; the same again is no conflict.
func TestRegisterConflicts(t *testing.T) {
	types := format.NewTypes()
	if err := errors.Join(format.RegisterIn[Point](types, "point"), format.RegisterIn[Point](types, "point"), format.RegisterIn[int](types, "int")); err != nil {
		t.Errorf("the same again: %v", err)
	}
	for _, x := range []struct {
		what string
		err  error
		says string
	}{
		{"same type, other name", format.RegisterIn[Point](types, "other"), "point"},
		{"same name, other type", format.RegisterIn[twinPoint](types, "point"), "Point"},
		{"the pointer under the same name", format.RegisterIn[*Point](types, "point"), "Point"},
		{"a built-in type", format.RegisterIn[int](types, "number"), "int"},
		{"a built-in name", format.RegisterIn[Square](types, "string"), "string"},
		{"bytes under another name", format.RegisterIn[[]byte](types, "[]uint8"), "[]byte"},
		{"an interface", format.RegisterIn[any](types, "any"), "interface"},
		{"an interface with methods", format.RegisterIn[error](types, "error"), "error"},
		{"a channel", format.RegisterIn[chan int](types, "chan"), "chan"},
		{"a struct of one", format.RegisterIn[struct{ F func() }](types, "func"), "F"},
		{"a map of pointer keys", format.RegisterIn[map[*int]int](types, "map"), "map"},
	} {
		wantErr(t, x.what, x.err, format.ErrType)
		if !strings.Contains(fmt.Sprint(x.err), x.says) {
			t.Errorf("%s: %v does not say %q", x.what, x.err, x.says)
		}
	}
	// What was refused has left nothing behind.
	if err := errors.Join(format.RegisterIn[twinPoint](types, "other"), format.RegisterIn[*Point](types, "*point"), format.RegisterIn[Square](types, "number")); err != nil {
		t.Error(err)
	}
}

// TestRegisterPanics: Register says the same with a panic.
func TestRegisterPanics(t *testing.T) {
	for name, f := range map[string]func(){
		"another name":   func() { format.Register[Point]("other point") },
		"another type":   func() { format.Register[twinPoint]("Point") },
		"an interface":   func() { format.Register[error]("error") },
		"a refused type": func() { format.Register[chan int]("chan") },
	} {
		func() {
			defer func() {
				err, _ := recover().(error)
				wantErr(t, name, err, format.ErrType)
			}()
			f()
		}()
	}
	format.Register[Point]("Point") // again
}

// TestTypesAreApart: a codec knows the types that it was made with, and no others.
func TestTypesAreApart(t *testing.T) {
	types := format.NewTypes()
	if err := format.RegisterIn[twinPoint](types, "twin"); err != nil {
		t.Fatal(err)
	}
	own, common := format.MustFor[any](format.WithTypes(types)), format.MustFor[any]()
	for _, x := range []struct {
		name     string
		in, out  *format.Codec[any]
		v        any
		typeName string
	}{
		{"own", own, common, twinPoint{1, 2}, "twinPoint"},
		{"common", common, own, Point{1, 2}, "format_test.Point"},
		{"common pointer", common, own, &Point{1, 2}, "*format_test.Point"},
	} {
		msg, err := x.in.Append(nil, &x.v)
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		var back any
		if err := x.in.Decode(msg, &back); err != nil || !reflect.DeepEqual(back, x.v) {
			t.Errorf("%s: %v, %v", x.name, back, err)
		}
		for what, err := range map[string]error{"Append": second(x.out.Append(nil, &x.v)), "Size": second(x.out.Size(&x.v))} {
			wantErr(t, x.name+": "+what, err, format.ErrType)
			if !strings.Contains(fmt.Sprint(err), x.typeName) {
				t.Errorf("%s: %s: %v does not name %s", x.name, what, err, x.typeName)
			}
		}
		for what, err := range map[string]error{"Decode": x.out.Decode(msg, &back), "Verify": x.out.Verify(msg), "DecodeAlias": x.out.DecodeAlias(msg, &back)} {
			wantErr(t, x.name+": "+what, err, format.ErrSchema)
			if id := fmt.Sprintf("%016x", load(msg[24:])); !strings.Contains(fmt.Sprint(err), id) {
				t.Errorf("%s: %s: %v does not have the id %s", x.name, what, err, id)
			}
		}
	}
	// T alone does not make *T known.
	var p any = &twinPoint{}
	wantErr(t, "*T", second(own.Append(nil, &p)), format.ErrType)
}

func load(b []byte) (x uint64) {
	for i, c := range b[:8] {
		x |= uint64(c) << (8 * i)
	}
	return x
}

// TestBuiltinTypesAreThere: new Types know what §3.8 lists, under its names.
func TestBuiltinTypesAreThere(t *testing.T) {
	c := format.MustFor[any](format.WithTypes(format.NewTypes()))
	for i, b := range builtinBoxes() {
		v := seeded(uint64(i), 20).random(b.typ).Elem().Interface()
		want, err := format.Marshal(&v)
		if err != nil {
			t.Fatal(err)
		}
		msg, err := c.Append(nil, &v)
		if err != nil || !bytes.Equal(msg, want) || load(msg[24:]) != boxID(b.name, b.typ) {
			t.Errorf("%s: %v", b.name, err)
		}
	}
}

// TestLateRegistration: a codec that exists knows what is registered afterwards.
func TestLateRegistration(t *testing.T) {
	types, writers := format.NewTypes(), format.NewTypes()
	if err := format.RegisterIn[Square](writers, "square"); err != nil {
		t.Fatal(err)
	}
	c, w := format.MustFor[[]any](format.WithTypes(types)), format.MustFor[[]any](format.WithTypes(writers))
	v, back := []any{Square{2}}, []any{}
	msg, err := w.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	wantErr(t, "before", c.Decode(msg, &back), format.ErrSchema)
	wantErr(t, "before", second(c.Append(nil, &v)), format.ErrType)
	if err := format.RegisterIn[Square](types, "square"); err != nil {
		t.Fatal(err)
	}
	if err := c.Decode(msg, &back); err != nil || !reflect.DeepEqual(back, v) {
		t.Errorf("after: %v, %v", back, err)
	}
	if got, err := c.Append(nil, &v); err != nil || !bytes.Equal(got, msg) {
		t.Errorf("after: %v", err)
	}
}

// TestRegisterWhileCodecsRun: types are added while eight goroutines write and read.
func TestRegisterWhileCodecsRun(t *testing.T) {
	types := format.NewTypes()
	c := format.MustFor[map[string]any](format.WithTypes(types))
	v := map[string]any{"a": 1, "b": []any{"x", []byte("y")}, "c": map[string]any{"d": nil}}
	want, err := c.Append(nil, &v)
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			var reused map[string]any
			for range thinned(200) {
				got, err := c.Append(nil, &v)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("Append: %v", err)
				}
				if err := errors.Join(c.Verify(want), c.DecodeReuse(want, &reused)); err != nil || !reflect.DeepEqual(reused, v) {
					t.Errorf("DecodeReuse: %v", err)
				}
				_ = c.Expansion()
			}
		})
	}
	for i, err := range []error{
		format.RegisterIn[Point](types, "a"), format.RegisterIn[*Point](types, "b"), format.RegisterIn[Square](types, "c"),
		format.RegisterIn[Node](types, "d"), format.RegisterIn[*Node](types, "e"), format.RegisterIn[Sample](types, "f"),
		format.RegisterIn[[]Sample](types, "g"), format.RegisterIn[Maps](types, "h"), format.RegisterIn[Customs](types, "i"),
	} {
		if err != nil {
			t.Errorf("type %d: %v", i, err)
		}
	}
	done.Wait()
}

// TestAppendBoxes: the ids come in the order of the message, once each, behind what
// was there, those within boxes and keys too, and not at all with an error.
func TestAppendBoxes(t *testing.T) {
	c := format.MustFor[[]any]()
	v := []any{1, "x", nil, 2, []any{true, "y", Point{}}, &Point{}, map[any]any{int8(1): 2.5, "z": nil}, Point{1, 2}}
	want := []uint64{7, box64[int]("int"), box64[string]("string"), box64[[]any]("[]any"), box64[bool]("bool"), box64[Point]("Point"), box64[*Point]("*Point"), box64[map[any]any]("map[any]any"), box64[int8]("int8"), box64[float64]("float64")}
	for _, room := range []int{0, 3, 100} {
		boxes := append(make([]uint64, 0, 1+room), 7)
		msg, got, err := c.AppendBoxes([]byte("8 bytes."), boxes, &v)
		if err != nil || !bytes.Equal(msg[8:], mustModelEncode(&v)) {
			t.Errorf("AppendBoxes: %v", err)
		}
		if !slices.Equal(got, want) {
			t.Errorf("ids %x, want %x", got, want)
		}
	}
	v = append(v, func() {})
	msg, got, err := c.AppendBoxes([]byte("x"), []uint64{7}, &v)
	wantErr(t, "a function", err, format.ErrType)
	if string(msg) != "x" || len(got) != 1 || got[0] != 7 {
		t.Errorf("with an error: %q and %x", msg, got)
	}
	if _, got, err := format.MustFor[Point]().AppendBoxes(nil, nil, &Point{}); err != nil || len(got) != 0 {
		t.Errorf("of a type without interfaces: %x, %v", got, err)
	}
	_, _, err = c.AppendBoxes(nil, nil, nil)
	wantErr(t, "nil", err, format.ErrType)
}

package compat_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// Three versions of what is sent.
type (
	task3 struct {
		ID    int64
		Steps []step3
		Owner *string
		Notes map[string]any
		Body  any
	}
	step3 struct {
		Name string
		Cost *float32
		Sub  []step3
	}
	task2 struct {
		Rest  format.Unknown `ashlar:",unknown"`
		Steps []step2
		ID    int64
		Body  any
	}
	step2 struct {
		Sub  []step2
		Name string
		Rest format.Unknown `ashlar:",unknown"`
	}
	task1 struct {
		ID   int32
		Rest format.Unknown `ashlar:",unknown"`
	}
	body3 struct {
		Text string
		Lang string
	}
	body2 struct {
		Lang string
		Rest format.Unknown `ashlar:",unknown"`
	}
	secret3 struct{ Key [3]byte }
)

func types3(t *testing.T) *format.Types {
	types := format.NewTypes()
	if err := errors.Join(format.RegisterIn[body3](types, "body"), format.RegisterIn[secret3](types, "secret")); err != nil {
		t.Fatal(err)
	}
	return types
}

func types2(t *testing.T) *format.Types {
	types := format.NewTypes()
	if err := format.RegisterIn[body2](types, "body"); err != nil {
		t.Fatal(err)
	}
	return types
}

func tasks() []task3 {
	step := step3{"one", new(float32(0.5)), []step3{{Name: "deep"}, {Cost: new(float32(0))}}}
	return []task3{
		{1, []step3{step, {}}, new("me"), map[string]any{"a": secret3{[3]byte{1, 2, 3}}, "b": []any{body3{"x", "y"}, nil}}, body3{"text", "en"}},
		{2, nil, nil, map[string]any{}, []string{"known to all"}},
		{3, []step3{}, new(""), nil, body3{}},
	}
}

// relayed sends a stream through a program that has T for what comes, and changes it.
func relayed[T any](t *testing.T, in []byte, types *format.Types, change func(v *T)) []byte {
	t.Helper()
	d := compat.NewDecoder(bytes.NewReader(in), compat.WithTypes(types))
	var out bytes.Buffer
	e := compat.NewEncoder(&out, compat.WithTypes(types), compat.WithRegistry(d.Registry()))
	for {
		var v T
		if err := d.Decode(&v); err != nil {
			if d.Err() == nil || out.Len() == 0 {
				t.Fatal(err)
			}
			return out.Bytes()
		}
		change(&v)
		if err := e.Encode(&v); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRelayOfThreeVersions: a stream goes through two programs of older versions, one of them without the types in
// interfaces, and nothing that they did not change has changed.
func TestRelayOfThreeVersions(t *testing.T) {
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream, compat.WithTypes(types3(t)))
	want := tasks()
	for i := range want {
		if err := e.Encode(&want[i]); err != nil {
			t.Fatal(err)
		}
	}
	same := relayed(t, stream.Bytes(), types2(t), func(*task2) {})
	if !bytes.Equal(sorted(t, same), sorted(t, stream.Bytes())) {
		t.Error("a stream that nobody changed has changed")
	}
	out := relayed(t, stream.Bytes(), types2(t), func(v *task2) {
		v.ID += 10
		for i := range v.Steps {
			v.Steps[i].Name += "!"
		}
		if b, ok := v.Body.(body2); ok {
			b.Lang = "de"
			v.Body = b
		}
	})
	out = relayed(t, out, format.NewTypes(), func(v *task1) { v.ID *= 2 })
	for i := range want {
		want[i].ID = 2 * (want[i].ID + 10)
		for j := range want[i].Steps {
			want[i].Steps[j].Name += "!"
		}
		if b, ok := want[i].Body.(body3); ok {
			b.Lang = "de"
			want[i].Body = b
		}
	}
	d := compat.NewDecoder(bytes.NewReader(out), compat.WithTypes(types3(t)))
	for i := range want {
		var got task3
		if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, want[i]) {
			t.Errorf("%d: %v\ngot  %+v\nwant %+v", i, err, got, want[i])
		}
	}
}

// sorted are the messages of a stream, descriptions first: those of boxes come in the order in which the boxes do.
func sorted(t *testing.T, stream []byte) []byte {
	t.Helper()
	var first, then []byte
	for msg, err := range format.Messages(stream) {
		if err != nil {
			t.Fatal(err)
		}
		if format.IsDescription(msg) {
			first = append(first, msg...)
		} else {
			then = append(then, msg...)
		}
	}
	return append(first, then...)
}

// TestRelayOfManySchemas: one program relays what writers of several versions send, each under its own description,
// which goes once; what is new is written under the program's own.
func TestRelayOfManySchemas(t *testing.T) {
	type other struct {
		ID    int32
		Color string
	}
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream, compat.WithTypes(types3(t)))
	for i := range 3 {
		for _, v := range []any{task3{ID: int64(i)}, other{int32(i), "red"}, task1{ID: int32(i)}} {
			if err := e.Encode(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	out := relayed(t, stream.Bytes(), format.NewTypes(), func(v *task1) { v.ID++ })
	if len(out) != stream.Len() {
		t.Errorf("%d bytes, %d came", len(out), stream.Len())
	}
	d := compat.NewDecoder(bytes.NewReader(out), compat.WithTypes(types3(t)))
	for i := range 3 {
		var a task3
		var b other
		var c task1
		if err := errors.Join(d.Decode(&a), d.Decode(&b), d.Decode(&c)); err != nil || a.ID != int64(i+1) || b != (other{int32(i + 1), "red"}) || c.ID != int32(i+1) || !c.Rest.Empty() {
			t.Errorf("%v: %v, %v, %v", err, a, b, c)
		}
	}

	// Many more schemas than codecs are kept.
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[task1](registry))
	e = compat.NewEncoder(&stream)
	for round := range 2 {
		for i := range 300 {
			in := reflect.StructOf([]reflect.StructField{{Name: "ID", Type: reflect.TypeFor[int32]()}, {Name: "F" + strings.Repeat("x", i), Type: reflect.TypeFor[int8]()}})
			c := must(format.AnyFor(in))
			if err := registry.Add(c.Description()); err != nil {
				t.Fatal(err)
			}
			x := reflect.New(in)
			x.Elem().Field(0).SetInt(int64(i))
			x.Elem().Field(1).SetInt(5)
			msg := must(c.Append(nil, x.Interface()))
			var v task1
			if err := r.Decode(msg, &v); err != nil {
				t.Fatal(err)
			}
			stream.Reset()
			if err := e.Encode(&v); err != nil || !bytes.HasSuffix(stream.Bytes(), msg) || round == 0 && stream.Len() == len(msg) {
				t.Fatalf("%d: %v, %d bytes", i, err, stream.Len())
			}
			if got, err := r.Append(nil, &v); err != nil || !bytes.Equal(got, msg) {
				t.Fatalf("%d: %v", i, err)
			}
		}
	}
}

// TestReaderWritesOn: a Reader writes what it has read, where messages come one by one.
func TestReaderWritesOn(t *testing.T) {
	registry := compat.NewRegistry(compat.Limits{})
	c := must(format.For[task3](format.WithTypes(types3(t))))
	if err := registry.Add(c.Description()); err != nil {
		t.Fatal(err)
	}
	r := must(compat.For[task2](registry, compat.WithTypes(types2(t))))
	for _, name := range []string{"body", "secret"} {
		typ := reflect.TypeFor[body3]()
		if name == "secret" {
			typ = reflect.TypeFor[secret3]()
		}
		if err := registry.AddMessage(descriptionOf(t, typ, name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range tasks() {
		msg := must(c.Append(nil, &x))
		var v task2
		if err := r.Decode(msg, &v); err != nil {
			t.Fatal(err)
		}
		got, err := r.Append([]byte("12345678"), &v)
		if err != nil || !bytes.Equal(got[8:], msg) {
			t.Fatalf("%v: %x\nwant %x", err, got[8:], msg)
		}
		b := buffer.New(len(msg) + 8)
		must(b.Extend(3))
		if err := r.Encode(b, &v); err != nil || !bytes.Equal(b.Bytes()[8:], msg) {
			t.Errorf("Encode: %v", err)
		}
		// A reader that has not read it writes it too.
		late := must(compat.For[task2](registry, compat.WithTypes(types2(t))))
		if got, err := late.Append(nil, &v); err != nil || !bytes.Equal(got, msg) {
			t.Errorf("another reader: %v", err)
		}
		if _, err := must(format.For[task2](format.WithTypes(types2(t)))).Append(nil, &v); !errors.Is(err, format.ErrSchema) && len(v.Steps) > 0 {
			t.Errorf("the own codec: %v", err)
		}
	}
	own := task2{ID: 5}
	want := must(format.MustFor[task2]().Append(nil, &own))
	if got, err := r.Append(nil, &own); err != nil || !bytes.Equal(got, want) {
		t.Errorf("a new value: %v", err)
	}
	if _, err := r.Append(nil, nil); !errors.Is(err, format.ErrType) {
		t.Error(err)
	}
	if err := r.Encode(nil, &own); !errors.Is(err, format.ErrType) {
		t.Error(err)
	}
}

// TestRelayRefuses: what would lose something is an error of that value, and the stream goes on.
func TestRelayRefuses(t *testing.T) {
	var stream, out bytes.Buffer
	x := tasks()[0]
	if err := compat.NewEncoder(&stream, compat.WithTypes(types3(t))).Encode(&x); err != nil {
		t.Fatal(err)
	}
	read := func(v any) {
		t.Helper()
		if err := compat.NewDecoder(bytes.NewReader(stream.Bytes()), compat.WithTypes(types2(t))).Decode(v); err != nil {
			t.Fatal(err)
		}
	}
	var v task2
	read(&v)
	// Without a registry the boxes are not known.
	e := compat.NewEncoder(&out, compat.WithTypes(types2(t)))
	if err := e.Encode(&v); !errors.Is(err, format.ErrSchema) {
		t.Error(err)
	}
	// A part in a value of the own schema.
	if err := e.Encode(&task2{Steps: v.Steps}); !errors.Is(err, format.ErrSchema) || !strings.Contains(err.Error(), "Steps[0].Sub[0].Rest") {
		t.Error(err)
	}
	// A struct on the way that keeps nothing.
	type leaky struct {
		Steps []struct{ Name string }
		Rest  format.Unknown `ashlar:",unknown"`
	}
	var w leaky
	read(&w)
	if err := e.Encode(w); !errors.Is(err, format.ErrSchema) || !strings.Contains(err.Error(), `"Steps[].Cost"`) {
		t.Error(err)
	}
	if out.Len() > 0 {
		t.Error("something was written")
	}
	if err := e.Encode(task2{ID: 1}); err != nil {
		t.Error(err)
	}
	if _, err := compat.For[task2](compat.NewRegistry(compat.Limits{}), compat.WithRefs()); !errors.Is(err, format.ErrType) {
		t.Error(err)
	}
}

// TestRelayIntoFile: values go into a file under their schemas, of which each is described once, whoever appends.
func TestRelayIntoFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tasks")
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream, compat.WithTypes(types3(t)))
	want := tasks()
	for i := range want {
		if err := e.Encode(&want[i]); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		d := compat.NewDecoder(bytes.NewReader(stream.Bytes()), compat.WithTypes(types2(t)))
		b := must(buffer.Append(path, 1<<20))
		e := must(compat.AppendTo(b, compat.WithTypes(types2(t)), compat.WithRegistry(d.Registry())))
		for range want {
			var v task2
			if err := errors.Join(d.Decode(&v), e.Encode(v)); err != nil {
				t.Fatal(err)
			}
		}
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
	}
	b := must(buffer.Open(path))
	defer b.Close()
	descriptions, n := 0, 0
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[task3](registry, compat.WithTypes(types3(t))))
	for msg, err := range format.Messages(b.Bytes()) {
		if err != nil {
			t.Fatal(err)
		}
		if format.IsDescription(msg) {
			descriptions++
			if err := registry.AddMessage(msg); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var got task3
		if err := r.Decode(msg, &got); err != nil || !reflect.DeepEqual(got, want[n%len(want)]) {
			t.Errorf("%d: %v %+v", n, err, got)
		}
		n++
	}
	// Of the root, of body and secret; types that every program has need none, but are described as any.
	known := 0
	for msg, err := range format.Messages(stream.Bytes()) {
		if err == nil && format.IsDescription(msg) {
			known++
		}
	}
	if descriptions != known || n != 2*len(want) {
		t.Errorf("%d descriptions, want %d; %d messages", descriptions, known, n)
	}
}

// TestRelayAllocatesLittle: a relay at work makes no codecs and no descriptions.
func TestRelayAllocatesLittle(t *testing.T) {
	type in struct {
		ID   int32
		More [4]int64
	}
	msg := must(format.MustFor[in]().Append(nil, &in{ID: 1}))
	registry := compat.NewRegistry(compat.Limits{})
	if err := registry.Add(format.MustFor[in]().Description()); err != nil {
		t.Fatal(err)
	}
	r := must(compat.For[task1](registry))
	e := compat.NewEncoder(discard{})
	var v task1
	dst := make([]byte, 0, 1<<10)
	var err error
	n := testing.AllocsPerRun(100, func() {
		err = errors.Join(err, r.DecodeReuse(msg, &v), e.Encode(&v))
		_, fail := r.Append(dst, &v)
		err = errors.Join(err, fail)
	})
	if err != nil || !compat.RaceEnabled && n > 2 { // what is kept, and its bytes
		t.Errorf("%v, %v allocations", err, n)
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }

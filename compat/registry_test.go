package compat

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// named is the description of a struct with one field of a name.
func named(name string) []byte {
	d := append([]byte{2, 18, 1, byte(len(name))}, name...)
	return append(d, 1, 6)
}

func wantErr(t *testing.T, what string, err, want error) {
	t.Helper()
	var e *format.Error
	if !errors.Is(err, want) || !errors.As(err, &e) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

// TestRegistry: what was added is found, under its fingerprint or its box id.
func TestRegistry(t *testing.T) {
	r := NewRegistry(Limits{})
	d, err := Describe[struct{ A int32 }]()
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Clone(d)
	s, err := format.ParseSchema(d, format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := r.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	clear(d)
	if got, ok := r.Schema(s.Fingerprint()); !ok || !bytes.Equal(got.Description(), want) {
		t.Errorf("%v, %v", got, ok)
	}
	if _, ok := r.Schema(1); ok {
		t.Error("a fingerprint that nobody has is known")
	}
	if _, ok := r.Box(s.Named("a").BoxID()); ok {
		t.Error("a box that nobody added is known")
	}
	for _, s := range []*format.Schema{s, s.Named("a"), s.Named("b")} {
		if err := r.AddMessage(format.AppendDescription(nil, s)); err != nil {
			t.Fatal(err)
		}
		if got, ok := r.Box(s.BoxID()); ok != (s.Name() != "") || ok && !got.Equal(s) {
			t.Errorf("%q: %v, %v", s.Name(), got, ok)
		}
	}
	if _, err := Describe[chan int](); !errors.Is(err, format.ErrType) {
		t.Errorf("a channel: %v", err)
	}
}

// TestRegistryRefuses: what is refused leaves nothing, and does not keep others out.
func TestRegistryRefuses(t *testing.T) {
	r := NewRegistry(Limits{Descriptions: 2})
	wantErr(t, "no description", r.Add([]byte{1, 99}), format.ErrCorrupt)
	wantErr(t, "half a description", r.Add(named("a")[:4]), format.ErrTruncated)
	wantErr(t, "a large description", r.Add(make([]byte, 1<<20)), format.ErrLimit)
	wantErr(t, "another message", r.AddMessage(make([]byte, 64)), format.ErrCorrupt)
	if len(r.roots)+len(r.boxes) != 0 {
		t.Error("what was refused is there")
	}
	for _, name := range []string{"a", "b", "a"} {
		if err := r.Add(named(name)); err != nil {
			t.Fatal(err)
		}
	}
	wantErr(t, "one too many", r.Add(named("c")), format.ErrLimit)
	if err := r.Add(named("b")); err != nil {
		t.Errorf("one that is known, in a full registry: %v", err)
	}
	wantErr(t, "low limits", NewRegistry(Limits{SchemaLimits: format.SchemaLimits{Fields: 2}}).Add(named("a")), format.ErrLimit)
}

// TestRegistryCollision: two descriptions with one fingerprint cannot be told apart in
// messages. Nobody has found two: one is put in the other's place.
func TestRegistryCollision(t *testing.T) {
	r := NewRegistry(Limits{})
	a, err := format.SchemaOf(reflect.TypeFor[[]int8]())
	if err != nil {
		t.Fatal(err)
	}
	b, err := format.ParseSchema(named("b"), format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	r.roots[b.Fingerprint()] = a
	wantErr(t, "another description", r.Add(named("b")), format.ErrSchema)
	if got, _ := r.Schema(b.Fingerprint()); got != a {
		t.Error("the first has been replaced")
	}
	r.boxes[b.Named("b").BoxID()] = a.Named("a")
	wantErr(t, "another box", r.AddMessage(format.AppendDescription(nil, b.Named("b"))), format.ErrSchema)
}

// TestFileCollision: the same in a file that is appended to.
func TestFileCollision(t *testing.T) {
	e, err := AppendTo(buffer.New(1000))
	if err != nil {
		t.Fatal(err)
	}
	own, err := format.SchemaOf(reflect.TypeFor[[]int8]())
	if err != nil {
		t.Fatal(err)
	}
	other, err := format.ParseSchema(named("b"), format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	e.has.roots[own.Fingerprint()] = other
	wantErr(t, "another description", e.Encode([]int8{1}), format.ErrSchema)
	box, err := format.SchemaOf(reflect.TypeFor[string]())
	if err != nil {
		t.Fatal(err)
	}
	e.has.boxes[box.Named("string").BoxID()] = other.Named("string")
	wantErr(t, "another box", e.Encode([]any{"text"}), format.ErrSchema)
	if e.file.Len() != 0 {
		t.Errorf("%d bytes were written", e.file.Len())
	}
}

// TestRegistryConcurrent: the race detector looks on.
func TestRegistryConcurrent(t *testing.T) {
	r := NewRegistry(Limits{Descriptions: 50})
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			for i := range 100 {
				d := named(fmt.Sprint(i))
				err := r.Add(d)
				s, _ := format.ParseSchema(d, format.SchemaLimits{})
				if _, ok := r.Schema(s.Fingerprint()); ok != (err == nil) {
					t.Errorf("%d: %v, %v", i, ok, err)
				}
			}
		})
	}
	done.Wait()
	if len(r.roots) != 50 {
		t.Errorf("%d are known", len(r.roots))
	}
}

// TestRegistryFlatHeap: a million different descriptions leave no more than the limit
// allows.
func TestRegistryFlatHeap(t *testing.T) {
	n := 1_000_000
	if testing.Short() || raceEnabled {
		n = 20_000
	}
	r := NewRegistry(Limits{Descriptions: 100})
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	add := func(from, to int) {
		for i := from; i < to; i++ {
			if err := r.Add(named(string(binary.BigEndian.AppendUint32(nil, uint32(i))))); i >= 100 && !errors.Is(err, format.ErrLimit) {
				t.Fatal(err)
			}
		}
	}
	add(0, 1000)
	before := heap()
	add(1000, n)
	if after := heap(); after > before+256<<10 {
		t.Errorf("the heap grows from %d to %d bytes", before, after)
	}
	runtime.KeepAlive(r)
}

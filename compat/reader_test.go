package compat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// must returns v.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func message(t testing.TB, v any) []byte {
	t.Helper()
	msg, err := format.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return msg
}

// decodes are the ways in which a Reader reads.
func decodes[T any](r *compat.Reader[T]) map[string]func([]byte, *T) error {
	return map[string]func([]byte, *T) error{"Decode": r.Decode, "DecodeReuse": r.DecodeReuse, "DecodeAlias": r.DecodeAlias}
}

// A Reader reads messages of T and, as soon as their description is there, those of other schemas.
func TestReader(t *testing.T) {
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[newEvent](registry))
	own, other := message(t, newEvent{3, []string{"t"}, 4, "n"}), message(t, oldEvent{-7, "text", []string{"a", "b"}, true})
	fingerprint := must(format.Peek(other))
	for range 2 {
		for how, decode := range decodes(r) {
			var got newEvent
			if err := decode(own, &got); err != nil || !reflect.DeepEqual(got, newEvent{3, []string{"t"}, 4, "n"}) {
				t.Errorf("%s: %+v, %v", how, got, err)
			}
			err := decode(other, &got)
			if !errors.Is(err, format.ErrSchema) || !strings.Contains(err.Error(), fmt.Sprintf("%016x", fingerprint)) || !strings.Contains(err.Error(), "newEvent") {
				t.Errorf("%s: %v, want ErrSchema with the fingerprint %016x and the type", how, err, fingerprint)
			}
			if !reflect.DeepEqual(got, newEvent{3, []string{"t"}, 4, "n"}) {
				t.Errorf("%s: the target has become %+v", how, got)
			}
		}
	}
	if err := registry.Add(describe[oldEvent]()); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		for how, decode := range decodes(r) {
			got := newEvent{When: 9}
			if err := decode(other, &got); err != nil || !reflect.DeepEqual(got, newEvent{9, []string{"a", "b"}, -7, "text"}) {
				t.Errorf("%s: %+v, %v", how, got, err)
			}
		}
	}
}

// What aliases a message of another schema lies in it, and what was converted does not.
func TestReaderAliases(t *testing.T) {
	type writer struct {
		Samples []float32
		Wider   []int16
		Text    string
	}
	type reader struct {
		Text    string
		Wider   []int32
		Samples []float32
	}
	registry := compat.NewRegistry(compat.Limits{})
	if err := registry.Add(describe[writer]()); err != nil {
		t.Fatal(err)
	}
	r := must(compat.For[reader](registry))
	msg := message(t, writer{[]float32{1, 2}, []int16{3, 4}, "text"})
	var aliased, owned reader
	for range 2 {
		if err := errors.Join(r.DecodeAlias(msg, &aliased), r.Decode(msg, &owned)); err != nil {
			t.Fatal(err)
		}
	}
	clear(msg)
	want := reader{"text", []int32{3, 4}, []float32{1, 2}}
	if !reflect.DeepEqual(owned, want) {
		t.Errorf("Decode gives %+v, which is not v's own", owned)
	}
	if !slices.Equal(aliased.Wider, want.Wider) {
		t.Errorf("what was converted has become %v", aliased.Wider)
	}
	if !slices.Equal(aliased.Samples, []float32{0, 0}) && !slices.Equal(aliased.Samples, want.Samples) { // purego copies
		t.Errorf("%v", aliased.Samples)
	}
}

// A loop over messages of several schemas allocates nothing.
func TestReaderAllocatesNothing(t *testing.T) {
	type other struct {
		Text string
		ID   int16
	}
	registry := compat.NewRegistry(compat.Limits{})
	if err := errors.Join(registry.Add(describe[oldEvent]()), registry.Add(describe[other]())); err != nil {
		t.Fatal(err)
	}
	r := must(compat.For[newEvent](registry))
	msgs := [][]byte{message(t, newEvent{3, []string{"t"}, 1 << 40, "n"}), message(t, oldEvent{-7, "n", []string{"t"}, true}), message(t, other{"n", -300})}
	var got newEvent
	read := func() {
		for _, msg := range msgs {
			if err := r.DecodeReuse(msg, &got); err != nil {
				t.Fatal(err)
			}
		}
	}
	read()
	if n := testing.AllocsPerRun(100, read); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// What no Reader can read is an error that says why.
func TestReaderRefuses(t *testing.T) {
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[newEvent](registry))
	if err := registry.Add(describe[struct{ Tags map[string]int8 }]()); err != nil {
		t.Fatal(err)
	}
	unfit := message(t, struct{ Tags map[string]int8 }{map[string]int8{"a": 1}})
	schema := must(format.SchemaOf(reflect.TypeFor[oldEvent]()))
	own := message(t, newEvent{Note: "x"})
	for _, c := range []struct {
		name string
		msg  []byte
		want error
		says string
	}{
		{"nothing", nil, format.ErrTruncated, "header"},
		{"15 bytes", own[:15], format.ErrTruncated, "header"},
		{"a header", own[:16], format.ErrTruncated, "says"},
		{"a header of others", unfit[:16], format.ErrSchema, "Tags"},
		{"zeros", make([]byte, 64), format.ErrCorrupt, "magic"},
		{"a description", format.AppendDescription(nil, schema), format.ErrSchema, "description"},
		{"no conversion", unfit, format.ErrSchema, "Tags"},
		{"no conversion, again", unfit, format.ErrSchema, "Tags"},
		{"two messages", append(slices.Clone(own), own...), format.ErrCorrupt, "Next"},
	} {
		for how, decode := range decodes(r) {
			var v newEvent
			err := decode(c.msg, &v)
			var e *format.Error
			if !errors.Is(err, c.want) || !errors.As(err, &e) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s of %s: %v, want %v that says %q", how, c.name, err, c.want, c.says)
			}
			if err := decode(own, nil); !errors.Is(err, format.ErrType) {
				t.Errorf("%s into nil: %v", how, err)
			}
		}
	}
	if _, err := compat.For[newEvent](nil); !errors.Is(err, format.ErrType) {
		t.Error(err)
	}
	if _, err := compat.For[chan int](registry); !errors.Is(err, format.ErrType) {
		t.Error(err)
	}
	small := must(compat.For[newEvent](registry, compat.WithMaxMessage(24)))
	if err := small.Decode(own, new(newEvent)); !errors.Is(err, format.ErrLimit) {
		t.Error(err)
	}
}

// Values in interfaces are read from what their writer's version of the type was.
func TestReaderOfBoxes(t *testing.T) {
	var stream bytes.Buffer
	if err := compat.NewEncoder(&stream, compat.WithTypes(typesOf[oldBox](t))).Encode(holder{oldBox{5}}); err != nil {
		t.Fatal(err)
	}
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[holder](registry, compat.WithTypes(typesOf[newBox](t))))
	n := 0
	for msg, err := range registry.Messages(stream.Bytes()) {
		if err != nil {
			t.Fatal(err)
		}
		for how, decode := range decodes(r) {
			var got holder
			if err := decode(msg, &got); err != nil || got.V != any(newBox{A: 5}) {
				t.Errorf("%s: %+v, %v", how, got, err)
			}
		}
		n++
	}
	if n != 1 {
		t.Errorf("%d messages", n)
	}
}

// A run is gone through to its end, past descriptions that are refused; what ends it is an error with the offset.
func TestRegistryMessages(t *testing.T) {
	var run bytes.Buffer
	e := compat.NewEncoder(&run)
	put := func(v any) {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	put(oldEvent{ID: 1})
	refused := run.Len()
	put(struct{ A, B, C, D, E, F, G, H, I, J int8 }{})
	again := run.Len()
	put(struct{ A, B, C, D, E, F, G, H, I, K int8 }{})
	put(oldEvent{ID: 2})
	whole := slices.Clone(run.Bytes())

	for _, c := range []struct {
		name string
		tail []byte
		want error
	}{
		{"whole", nil, nil},
		{"zeros behind", make([]byte, 100), nil},
		{"cut short", whole[refused:][:20], format.ErrTruncated},
		{"something else", []byte("something else than a message"), format.ErrCorrupt},
	} {
		registry := compat.NewRegistry(compat.Limits{SchemaLimits: format.SchemaLimits{Fields: 10}})
		r := must(compat.For[newEvent](registry))
		var read []int64
		var ends []error
		for msg, err := range registry.Messages(append(slices.Clone(whole), c.tail...)) {
			if err != nil {
				ends = append(ends, err)
				continue
			}
			var got newEvent
			if err := r.Decode(msg, &got); err == nil {
				read = append(read, got.ID)
			} else if !errors.Is(err, format.ErrSchema) {
				t.Errorf("%s: %v", c.name, err)
			}
		}
		if !slices.Equal(read, []int64{1, 2}) {
			t.Errorf("%s: read %v", c.name, read)
		}
		for _, at := range []int{refused, again} {
			var e *format.Error
			if len(ends) == 0 || !errors.Is(ends[0], format.ErrLimit) || !errors.As(ends[0], &e) || e.Offset != int64(at) {
				t.Fatalf("%s: %v, want ErrLimit at %d for the description", c.name, ends, at)
			}
			ends = ends[1:]
		}
		var last *format.Error
		switch {
		case c.want == nil && len(ends) > 0:
			t.Errorf("%s: %v", c.name, ends)
		case c.want != nil && (len(ends) != 1 || !errors.Is(ends[0], c.want) || !errors.As(ends[0], &last) || last.Offset != int64(len(whole))):
			t.Errorf("%s: %v, want %v at %d", c.name, ends, c.want, len(whole))
		}
	}
	for range compat.NewRegistry(compat.Limits{}).Messages(whole) {
		break
	}
}

// TestReaderConcurrent: the race detector looks on while goroutines share a Reader, and descriptions come.
func TestReaderConcurrent(t *testing.T) {
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[struct{ Common, Own int64 }](registry))
	const versions = 40
	var msgs, descriptions [][]byte
	for i := range versions {
		typ := reflect.StructOf([]reflect.StructField{
			{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[string]()}, {Name: "Common", Type: reflect.TypeFor[int32]()},
		})
		v := reflect.New(typ)
		v.Elem().Field(1).SetInt(int64(i))
		msgs = append(msgs, message(t, v.Interface()))
		descriptions = append(descriptions, must(format.SchemaOf(typ)).Description())
	}
	own := message(t, struct{ Common, Own int64 }{7, 8})
	var done sync.WaitGroup
	for g := range 8 {
		done.Go(func() {
			random := rand.New(rand.NewPCG(1, uint64(g)))
			for range 2000 {
				i := random.IntN(versions)
				added := random.IntN(4) == 0
				if added {
					if err := registry.Add(descriptions[i]); err != nil {
						t.Error(err)
					}
				}
				v := struct{ Common, Own int64 }{-1, 5}
				switch err := r.DecodeReuse(msgs[i], &v); {
				case err == nil && (v.Common != int64(i) || v.Own != 5):
					t.Errorf("%+v, want %d", v, i)
				case err != nil && (added || !errors.Is(err, format.ErrSchema)):
					t.Error(err)
				}
				if err := r.Decode(own, &v); err != nil || v.Common != 7 || v.Own != 8 {
					t.Errorf("%+v, %v", v, err)
				}
			}
		})
	}
	done.Wait()
}

// A stream of ever new fingerprints leaves nothing behind in a Reader, and one of ever new descriptions no more
// than the registry takes.
func TestReaderIsBounded(t *testing.T) {
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	registry := compat.NewRegistry(compat.Limits{Descriptions: 50})
	r := must(compat.For[oldEvent](registry))
	msg := slices.Concat(message(t, oldEvent{ID: 1}))
	flood := func(n int) {
		var v oldEvent
		for i := range n {
			binary.LittleEndian.PutUint64(msg[8:], uint64(i))
			if err := r.Decode(msg, &v); !errors.Is(err, format.ErrSchema) {
				t.Fatal(err)
			}
		}
	}
	before := heap()
	flood(n)
	if after := heap(); after > before+64<<10 {
		t.Errorf("the heap grows from %d to %d bytes", before, after)
	}
	readable := 0
	for i := range 200 {
		typ := reflect.StructOf([]reflect.StructField{{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[string]()}})
		err := registry.Add(must(format.SchemaOf(typ)).Description())
		if (err != nil) != (i >= 50) {
			t.Fatal(i, err)
		}
		var v oldEvent
		if err := r.Decode(message(t, reflect.New(typ).Interface()), &v); err == nil {
			readable++
		}
	}
	if readable != 50 {
		t.Errorf("%d schemas are read, want 50", readable)
	}
}

// In a file that another process still writes nothing that holds a bool is aliased.
func TestReaderShared(t *testing.T) {
	type flags struct{ On []bool }
	r := must(compat.For[flags](compat.NewRegistry(compat.Limits{}), compat.WithShared()))
	msg := message(t, flags{[]bool{true, true}})
	var v flags
	if err := r.DecodeAlias(msg, &v); err != nil {
		t.Fatal(err)
	}
	clear(msg[16:])
	if !v.On[0] || !v.On[1] {
		t.Error("bools were aliased")
	}
}

// mapped maps the file at path for reading.
func mapped(t testing.TB, path string) *buffer.Buffer {
	t.Helper()
	b, err := buffer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

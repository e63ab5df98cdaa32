package compat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// TestCases has situations that hurt users of comparable software, under the names that they have in the
// project's list.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		id, what string
		test     func(*testing.T)
	}{
		{"B01", "pointers and values of structs with strings", caseStrings},
		{"B05", "descriptions with a huge count, or nested deeply", caseHugeDescriptions},
		{"B09", "what was read does not change what is written", caseReadThenWrite},
		{"B11", "the type has gained a field and there is no description", caseFieldGained},
		{"B12", "fingerprints of structs that nest otherwise", caseNesting},
		{"B24", "a session with a message of 65 MiB", caseLargeSession},
		{"B39", "a struct that contains itself", caseInfinite},
		{"B41", "a field less, a field more", caseFieldLess},
		{"B43", "a field that is passed over has a huge length", caseHugePassedOver},
		{"B45", "a description of many elements without bytes", caseManyNothings},
		{"B58", "hostile messages at every entry point", caseEveryEntry},
		{"C20", "32 goroutines read one message", caseManyReaders},
		{"C21", "a message of 70 MiB, one field of which is read 100,000 times", caseLargeMessage},
	} {
		t.Run(c.id+" "+c.what, c.test)
	}
}

// pass hands a message of one type to a reader of another in each way that there is: the description before it,
// in the stream; after it, to the registry; and in a file.
func pass[From, To any](t *testing.T, in From, want To) {
	t.Helper()
	check := func(how string, got To, err error) {
		t.Helper()
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", how, got, err, want)
		}
	}
	var stream bytes.Buffer
	if err := compat.NewEncoder(&stream).Encode(&in); err != nil {
		t.Fatal(err)
	}
	bytesOf := slices.Clone(stream.Bytes())
	d := compat.NewDecoder(&stream)
	var got To
	err := d.Decode(&got)
	check("description before, Decoder", got, err)

	msg := message(t, in)
	if !bytes.HasSuffix(bytesOf, msg) || !bytes.Equal(msg, message(t, &in)) {
		t.Error("a pointer and a value give other bytes")
	}
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[To](registry))
	got = *new(To)
	if same := reflect.TypeFor[From]() == reflect.TypeFor[To](); !same {
		if err := r.Decode(msg, &got); !errors.Is(err, format.ErrSchema) || !reflect.DeepEqual(got, *new(To)) {
			t.Errorf("without a description: %+v, %v, want ErrSchema", got, err)
		}
	}
	if err := registry.Add(describe[From]()); err != nil {
		t.Fatal(err)
	}
	for how, decode := range decodes(r) {
		var got To
		err := decode(msg, &got)
		check("description after, "+how, got, err)
	}

	path := filepath.Join(t.TempDir(), "file")
	b, err := buffer.Append(path, 1<<20)
	if errors.Is(err, errors.ErrUnsupported) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(must(compat.AppendTo(b)).Encode(in), b.Close()); err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"Decode", "DecodeAlias"} {
		all := readFile[To](t, path, how)
		if len(all) != 1 {
			t.Fatalf("%d messages in the file", len(all))
		}
		check("file, "+how, all[0], nil)
	}
}

func caseStrings(t *testing.T) {
	type (
		one   struct{ Name string }
		two   struct{ Name, B string }
		three struct{ Name, B, C string }
		holds struct{ P *one }
	)
	pass(t, one{"hello"}, one{"hello"})
	pass(t, two{"hello", "b"}, two{"hello", "b"})
	pass(t, three{"hello", "", "c"}, three{"hello", "", "c"})
	pass(t, holds{&one{"hello"}}, holds{&one{"hello"}})
	pass(t, one{"hello"}, three{Name: "hello"})
	pass(t, three{"hello", "b", "c"}, one{"hello"})
	pass(t, three{"hello", "b", "c"}, two{"hello", "b"})
	pass(t, struct{ P one }{one{"hello"}}, holds{&one{"hello"}})
	pass(t, holds{&one{"hello"}}, struct{ P two }{two{Name: "hello"}})
}

// described returns a description message with any bytes for a description.
func described(t *testing.T, description []byte) []byte {
	t.Helper()
	msg := message(t, description)
	msg[3] |= 2
	return msg
}

// refusedEverywhere checks that a description is refused, wherever it comes in, for the reason and without much
// memory.
func refusedEverywhere(t *testing.T, name string, description []byte, limits compat.Limits, want error, says string) {
	t.Helper()
	msg := described(t, description)
	good := message(t, log1{1, "x"})
	registry := func() *compat.Registry { return compat.NewRegistry(limits) }
	for how, add := range map[string]func() error{
		"Add":        func() error { return registry().Add(description) },
		"AddMessage": func() error { return registry().AddMessage(msg) },
		"Messages": func() (first error) {
			for _, err := range registry().Messages(msg) {
				first = err
			}
			return first
		},
		"Decoder": func() error {
			d := compat.NewDecoder(io.MultiReader(bytes.NewReader(msg), bytes.NewReader(good)), compat.WithRegistry(registry()))
			err := d.Decode(new(log1))
			var v log1
			if err := d.Decode(&v); err != nil || v != (log1{1, "x"}) {
				t.Errorf("%s: the next message: %+v, %v", name, v, err)
			}
			return err
		},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := add()
		runtime.ReadMemStats(&after)
		if !errors.Is(err, want) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s, %s: %v, want %v that says %q", name, how, err, want, says)
		}
		// The stream's memory grows with the message.
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20+8*uint64(len(msg)) {
			t.Errorf("%s, %s: %d bytes were allocated for %d", name, how, n, len(msg))
		}
	}
}

func caseHugeDescriptions(t *testing.T) {
	fields := func(n uint64) []byte { // one struct
		return append(binary.AppendUvarint([]byte{1, 18}, n), 1, 'A', 0)
	}
	for _, n := range []uint64{20_000, 1 << 31, math.MaxUint32, math.MaxUint64} {
		refusedEverywhere(t, fmt.Sprint(n, " fields"), fields(n), compat.Limits{}, format.ErrLimit, "Fields")
	}
	lists := func(n int) []byte {
		d := binary.AppendUvarint(nil, uint64(n))
		for i := range n - 1 {
			d = binary.AppendUvarint(append(d, 16), uint64(i+1))
		}
		return append(d, 6)
	}
	refusedEverywhere(t, "a list a million deep", lists(1_000_000), compat.Limits{}, format.ErrLimit, "Bytes")
	refusedEverywhere(t, "a list a million deep, many bytes", lists(1_000_000), compat.Limits{SchemaLimits: format.SchemaLimits{Bytes: 1 << 30}}, format.ErrLimit, "Fields")
	arrays := binary.AppendUvarint(nil, 2000)
	for i := range 1999 {
		arrays = binary.AppendUvarint(append(arrays, 17, 1), uint64(i+1))
	}
	refusedEverywhere(t, "arrays in arrays", append(arrays, 6), compat.Limits{}, format.ErrLimit, "Depth")

	// A deep list within the limits is read, or refused, without a crash.
	registry := compat.NewRegistry(compat.Limits{})
	deep := lists(9_000)
	if err := registry.Add(deep); err != nil {
		t.Fatal(err)
	}
	msg := message(t, struct{}{})
	s := must(format.ParseSchema(deep, format.SchemaLimits{}))
	binary.LittleEndian.PutUint64(msg[8:], s.Fingerprint())
	for _, err := range []error{must(compat.For[nest1](registry)).Decode(msg, new(nest1)), must(compat.For[log1](registry)).Decode(msg, new(log1))} {
		if err == nil {
			t.Error("a message without a root was read")
		}
	}
}

func caseReadThenWrite(t *testing.T) {
	type (
		v1 struct{ A int32 }
		v2 struct{ A, B int32 }
	)
	var old bytes.Buffer
	in := compat.NewEncoder(&old)
	for i := range int32(10_000) {
		if err := in.Encode(v1{i}); err != nil {
			t.Fatal(err)
		}
	}
	var pristine, used bytes.Buffer
	a, b := compat.NewEncoder(&pristine), compat.NewEncoder(&used)
	d := compat.NewDecoder(&old)
	for i := range int32(10_000) {
		var v v2
		if err := d.Decode(&v); err != nil || v != (v2{A: i}) {
			t.Fatalf("%+v, %v", v, err)
		}
		if err := errors.Join(a.Encode(v2{i, 2}), b.Encode(v2{v.A, 2})); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(pristine.Bytes(), used.Bytes()) {
		t.Error("other bytes than those of an encoder alone")
	}
	fresh := compat.NewDecoder(&used)
	for i := range int32(10_000) {
		var v v2
		if err := fresh.Decode(&v); err != nil || v != (v2{i, 2}) {
			t.Fatalf("%+v, %v", v, err)
		}
	}
}

func caseFieldGained(t *testing.T) {
	type (
		gained1 struct{ Name string }
		gained2 struct {
			Name string
			Age  int32
		}
	)
	msg := message(t, gained1{"x"})
	own := must(format.SchemaOf(reflect.TypeFor[gained2]())).Fingerprint()
	r := must(compat.For[gained2](compat.NewRegistry(compat.Limits{})))
	for how, decode := range map[string]func(v *gained2) error{
		"Unmarshal": func(v *gained2) error { return format.Unmarshal(msg, v) },
		"Reader":    func(v *gained2) error { return r.Decode(msg, v) },
		"Decoder":   func(v *gained2) error { return compat.NewDecoder(bytes.NewReader(msg)).Decode(v) },
	} {
		v := gained2{"before", 1}
		err := decode(&v)
		if !errors.Is(err, format.ErrSchema) || v != (gained2{"before", 1}) {
			t.Errorf("%s: %+v, %v, want ErrSchema", how, v, err)
			continue
		}
		for _, says := range []string{"gained2", fmt.Sprintf("%016x", must(format.Peek(msg))), fmt.Sprintf("%016x", own)} {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v does not say %q", how, err, says)
			}
		}
	}
	pass(t, gained1{"x"}, gained2{Name: "x"})
	pass(t, gained2{"x", 5}, gained1{"x"})
}

func caseNesting(t *testing.T) {
	type (
		t1 struct {
			A struct{ X int32 }
			B int32
		}
		t2 struct{ A struct{ X, B int32 } }
	)
	if must(format.SchemaOf(reflect.TypeFor[t1]())).Fingerprint() == must(format.SchemaOf(reflect.TypeFor[t2]())).Fingerprint() {
		t.Error("one fingerprint for two types")
	}
	pass(t, t1{struct{ X int32 }{1}, 2}, t2{struct{ X, B int32 }{1, 0}})
	pass(t, t2{struct{ X, B int32 }{1, 2}}, t1{struct{ X int32 }{1}, 0})

	// Random types of a few names and kinds, so that many are nearly alike.
	random := rand.New(rand.NewPCG(1, 2))
	var any func(depth int) reflect.Type
	any = func(depth int) reflect.Type {
		switch n := random.IntN(8); {
		case n < 4 && depth > 0:
			names := []string{"A", "B", "X"}[:1+random.IntN(3)]
			var fields []reflect.StructField
			for _, name := range names {
				fields = append(fields, reflect.StructField{Name: name, Type: any(depth - 1)})
			}
			return reflect.StructOf(fields)
		case n == 4 && depth > 0:
			return reflect.SliceOf(any(depth - 1))
		case n == 5 && depth > 0:
			return reflect.PointerTo(any(depth - 1))
		case n == 6 && depth > 0:
			return reflect.ArrayOf(1+random.IntN(2), any(depth-1))
		}
		return []reflect.Type{reflect.TypeFor[int32](), reflect.TypeFor[string]()}[random.IntN(2)]
	}
	n := 4000 // 8 million pairs
	if testing.Short() || compat.RaceEnabled {
		n = 500
	}
	seen := map[uint64]reflect.Type{}
	for range n {
		typ := any(3)
		s := must(format.SchemaOf(typ))
		if other, ok := seen[s.Fingerprint()]; ok && other != typ {
			t.Errorf("%s and %s have one fingerprint", typ, other) // no two of these are one structure
		}
		seen[s.Fingerprint()] = typ
	}
	if len(seen) < n/20 {
		t.Errorf("only %d types", len(seen))
	}
}

func caseInfinite(t *testing.T) {
	for name, d := range map[string][]byte{
		"a struct in itself":        {1, 18, 1, 1, 'A', 0},
		"two structs in each other": {2, 18, 1, 1, 'A', 1, 18, 1, 1, 'B', 0},
		"an array of itself":        {1, 17, 1, 0},
		"an array of no itself":     {1, 17, 0, 0},
	} {
		refusedEverywhere(t, name, d, compat.Limits{}, format.ErrCorrupt, "itself")
	}
}

func caseFieldLess(t *testing.T) {
	type (
		both struct{ F1, F2 int32 }
		one  struct{ F1 int32 }
		more struct {
			F0 string
			F1 int64
			F2 []int8
		}
		null struct {
			F1 int32
			In []struct {
				F1 int32
				F2 string `ashlar:"F2,default=none"`
			}
		}
	)
	pass(t, both{1, 2}, one{1})
	pass(t, one{1}, both{F1: 1})
	pass(t, one{1}, more{F1: 1})
	pass(t, more{"x", 1, []int8{1}}, one{1})
	want := null{F1: 1}
	want.In = append(want.In, struct {
		F1 int32
		F2 string `ashlar:"F2,default=none"`
	}{2, "none"})
	pass(t, struct {
		F1 int32
		In []one
	}{1, []one{{2}}}, want)
}

func caseHugePassedOver(t *testing.T) {
	type (
		writer struct {
			Passed []byte
			Kept   int32
		}
		reader struct{ Kept int32 }
	)
	registry := compat.NewRegistry(compat.Limits{})
	if err := registry.Add(describe[writer]()); err != nil {
		t.Fatal(err)
	}
	r := must(compat.For[reader](registry))
	w := must(compat.For[writer](registry))
	msg := message(t, writer{[]byte("x"), 7})
	for _, count := range []uint32{1 << 20, 1 << 31, math.MaxUint32} {
		binary.LittleEndian.PutUint32(msg[20:], count)
		for how, decode := range decodes(r) {
			var v reader
			if err := decode(msg, &v); err != nil || v.Kept != 7 {
				t.Errorf("%s, %d bytes: %+v, %v", how, count, v, err)
			}
			if n := testing.AllocsPerRun(10, func() { decode(msg, &v) }); n != 0 {
				t.Errorf("%s, %d bytes: %v allocations", how, count, n)
			}
		}
		for how, decode := range decodes(w) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			err := decode(msg, new(writer))
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, format.ErrCorrupt) || n > 64<<10 {
				t.Errorf("%s of the field, %d bytes: %v, %d bytes allocated", how, count, err, n)
			}
		}
	}
}

func caseManyNothings(t *testing.T) {
	for name, d := range map[string][]byte{
		"2^31 empty structs":          binary.AppendUvarint([]byte{2, 17}, 1<<31),
		"2^63 empty structs":          binary.AppendUvarint([]byte{2, 17}, 1<<63),
		"slices of 2^31 empty struct": binary.AppendUvarint([]byte{3, 16, 1, 17}, 1<<31),
	} {
		d = append(d, d[0]-1, 18, 0)
		refusedEverywhere(t, name, d, compat.Limits{}, format.ErrLimit, "Leaves")
	}
	huge := append(binary.AppendUvarint([]byte{2, 17}, 1<<31), 1, 6)
	refusedEverywhere(t, "2^31 numbers", huge, compat.Limits{}, format.ErrLimit, "Block")
}

// class names the kind of an error.
func class(err error) string {
	for _, kind := range []error{format.ErrTruncated, format.ErrCorrupt, format.ErrLimit, format.ErrSchema} {
		if errors.Is(err, kind) {
			return kind.Error()
		}
	}
	return fmt.Sprint(err)
}

// Each message comes to the same kind of error, or to a value, whichever way it comes in.
func caseEveryEntry(t *testing.T) {
	type writer struct {
		N    int64
		Text string
		Tags []string
		On   []bool
		Next *writer
		M    map[string]int32
	}
	type reader struct {
		M    map[string]int64
		On   []bool
		Tags []string
		N    int64
		Next *reader
		Text []byte
	}
	whole := message(t, writer{1, "text", []string{"a", "bc"}, []bool{true, false}, &writer{Text: "x"}, map[string]int32{"k": 1, "l": 2}})
	var hostile [][]byte
	for n := 1; n < len(whole); n++ {
		hostile = append(hostile, whole[:n])
	}
	for at := 0; at < len(whole); at += 8 {
		for _, half := range []uint64{0, 1, 7, 8, 1<<31 - 1, 1 << 31, math.MaxUint32, uint64(len(whole)), uint64(len(whole)) - 1, uint64(len(whole)) + 1} {
			for _, word := range []uint64{half, half << 32, half<<32 | binary.LittleEndian.Uint64(whole[at:])&math.MaxUint32} {
				if at == 0 && (word == 0 || word>>32 > math.MaxInt/8) {
					continue // the end of a run, where there are runs; what 32 bits do not address
				}
				msg := slices.Clone(whole)
				binary.LittleEndian.PutUint64(msg[at:], word)
				hostile = append(hostile, msg)
			}
		}
	}
	description := describe[writer]()
	registry := func() *compat.Registry {
		r := compat.NewRegistry(compat.Limits{})
		if err := r.Add(description); err != nil {
			t.Fatal(err)
		}
		return r
	}
	shared := registry()
	sameReader, otherReader := must(compat.For[writer](shared)), must(compat.For[reader](shared))
	evolved := must(format.EvolvedFor[reader](description, format.SchemaLimits{}))
	first := func(messages func(yield func([]byte, error) bool), decode func([]byte) error) error {
		for msg, err := range messages {
			if err != nil {
				return err
			}
			return decode(msg)
		}
		return io.EOF
	}
	path := filepath.Join(t.TempDir(), "file")
	bad := 0
	for i, msg := range hostile {
		same := map[string]func() error{
			"Unmarshal": func() error { return format.Unmarshal(msg, new(writer)) },
			"Decoder": func() error {
				return compat.NewDecoder(bytes.NewReader(msg), compat.WithRegistry(shared)).Decode(new(writer))
			},
			"Messages": func() error {
				return first(shared.Messages(msg), func(m []byte) error { return sameReader.Decode(m, new(writer)) })
			},
		}
		other := map[string]func() error{
			"EvolvedFor": func() error { return evolved.Decode(msg, new(reader)) },
			"Decoder": func() error {
				return compat.NewDecoder(bytes.NewReader(msg), compat.WithRegistry(shared)).Decode(new(reader))
			},
			"Messages": func() error {
				return first(shared.Messages(msg), func(m []byte) error { return otherReader.Decode(m, new(reader)) })
			},
		}
		for how, decode := range decodes(sameReader) {
			same[how] = func() error { return decode(msg, new(writer)) }
		}
		for how, decode := range decodes(otherReader) {
			other[how] = func() error { return decode(msg, new(reader)) }
		}
		if i%7 == 0 {
			if err := os.WriteFile(path, msg, 0o600); err != nil {
				t.Fatal(err)
			}
			if b, err := buffer.Open(path); err == nil {
				defer b.Close()
				same["mapped file"] = func() error {
					return first(shared.Messages(b.Bytes()), func(m []byte) error { return sameReader.DecodeAlias(m, new(writer)) })
				}
				other["mapped file"] = func() error {
					return first(shared.Messages(b.Bytes()), func(m []byte) error { return otherReader.DecodeAlias(m, new(reader)) })
				}
			}
		}
		for what, entries := range map[string]map[string]func() error{"Unmarshal": same, "EvolvedFor": other} {
			want := class(entries[what]())
			for how, decode := range entries {
				if got := class(decode()); got != want {
					t.Errorf("message %d: %s says %q, %s %q", i, how, got, what, want)
				}
			}
			if want != "<nil>" {
				bad++
			}
		}
	}
	t.Logf("%d messages, %d errors", len(hostile), bad)
}

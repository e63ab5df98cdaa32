package compat_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// descriptionOf returns the description message of a type.
func descriptionOf(t testing.TB, typ reflect.Type, name string) []byte {
	t.Helper()
	s, err := format.SchemaOf(typ)
	if err != nil {
		t.Fatal(err)
	}
	return format.AppendDescription(nil, s.Named(name))
}

// TestPastNeverChangesTheFuture sends random sequences of what is good, bad and foreign to a decoder: each
// message comes to what it comes to alone, with the descriptions that were accepted before it. An encoder at
// work meanwhile writes what it writes alone.
func TestPastNeverChangesTheFuture(t *testing.T) {
	targets := []reflect.Type{
		reflect.TypeFor[oldEvent](), reflect.TypeFor[newEvent](), reflect.TypeFor[log1](), reflect.TypeFor[struct{ N int8 }](), reflect.TypeFor[holder](), reflect.TypeFor[[]string](),
	}
	here, there := compat.WithTypes(typesOf[newBox](t)), format.NewTypes()
	if err := format.RegisterIn[oldBox](there, "box"); err != nil {
		t.Fatal(err)
	}
	limits := compat.Limits{Descriptions: 8, SchemaLimits: format.SchemaLimits{Fields: 20}}
	sequences := 300
	if testing.Short() || compat.RaceEnabled {
		sequences = 40
	}
	good, failed := 0, 0
	for seed := range sequences {
		random := rand.New(rand.NewPCG(7, uint64(seed)))
		values := func() any {
			n, text := random.IntN(300), strings.Repeat("t", random.IntN(20))
			return []any{
				oldEvent{int32(n), text, []string{text, "b"}, n%2 == 0}, newEvent{1, []string{text}, int64(n), text}, log1{int32(n), text},
				log3{N: int64(n), Label: text}, holder{oldBox{int16(n)}}, holder{text}, []string{text}, map[string]int16{text: int16(n)}, struct{ N int64 }{int64(n)},
			}[random.IntN(9)]
		}
		encode := func(v any) []byte {
			codec := must(format.AnyFor(reflect.TypeOf(v), format.WithTypes(there)))
			p := reflect.New(reflect.TypeOf(v))
			p.Elem().Set(reflect.ValueOf(v))
			return must(codec.Append(nil, p.Interface()))
		}

		// The stream, message by message.
		var msgs [][]byte
		for range 60 {
			switch v := values(); random.IntN(8) {
			case 0, 1, 2:
				msgs = append(msgs, encode(v))
			case 3, 4:
				msgs = append(msgs, descriptionOf(t, reflect.TypeOf(v), ""))
			case 5:
				msgs = append(msgs, descriptionOf(t, reflect.TypeFor[oldBox](), "box"))
			case 6: // no description, or one that breaks a limit
				d := [][]byte{{1, 99}, {}, {2, 16, 0}, describe[struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T int8 }]()}[random.IntN(4)]
				msg := message(t, d)
				msg[3] |= 2
				msgs = append(msgs, msg)
			case 7: // any bit but those of the header's first word
				msg := encode(v)
				at := 8 + random.IntN(len(msg)-8)
				msg[at] ^= 1 << random.IntN(8)
				msgs = append(msgs, msg)
			}
		}

		d := compat.NewDecoder(bytes.NewReader(slices.Concat(msgs...)), here, compat.WithRegistry(compat.NewRegistry(limits)))
		var written, alone bytes.Buffer
		e, accepted := compat.NewEncoder(&written, compat.WithTypes(there)), [][]byte(nil)
		pristine := compat.NewEncoder(&alone, compat.WithTypes(there))
		kept := map[reflect.Type]reflect.Value{}
		for i := 0; i < len(msgs); i++ {
			typ := targets[random.IntN(len(targets))]
			decodeAlone := func(msg []byte) (any, error) {
				d := compat.NewDecoder(bytes.NewReader(slices.Concat(slices.Concat(accepted...), msg)), here, compat.WithRegistry(compat.NewRegistry(limits)))
				v := reflect.New(typ)
				err := d.Decode(v.Interface())
				return v.Elem().Interface(), err
			}
			// Descriptions that are accepted are no values.
			for ; i < len(msgs) && format.IsDescription(msgs[i]); i++ {
				if _, err := decodeAlone(msgs[i]); err != io.EOF {
					break
				}
				accepted = append(accepted, msgs[i])
			}
			want, wantErr := any(nil), io.EOF
			if i < len(msgs) {
				want, wantErr = decodeAlone(msgs[i])
			}
			v, decode := reflect.New(typ), d.Decode
			if random.IntN(2) == 0 {
				if old, ok := kept[typ]; ok {
					v.Elem().Set(old) // the memory of earlier ones
				}
				if wantErr == nil && typ.Kind() == reflect.Struct {
					for i := range typ.NumField() { // what the writer lacks keeps its value
						if f := v.Elem().Field(i); reflect.ValueOf(want).Field(i).IsZero() {
							f.SetZero()
						}
					}
				}
				decode = d.DecodeReuse
			}
			err := decode(v.Interface())
			if fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("sequence %d, message %d into %s: %v, alone %v", seed, i, typ, err, wantErr)
			}
			if got := v.Elem().Interface(); err == nil && fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
				t.Fatalf("sequence %d, message %d: %+v, alone %+v", seed, i, got, want)
			}
			if err == nil {
				good++
				kept[typ] = v.Elem()
			} else {
				failed++
			}
			out := values()
			if err := e.Encode(out); err != nil {
				t.Fatal(err)
			}
			if err := pristine.Encode(out); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Decode(new(log1)); err != io.EOF {
			t.Fatalf("sequence %d: %v at the end", seed, err)
		}
		if !bytes.Equal(written.Bytes(), alone.Bytes()) {
			t.Fatalf("sequence %d: encoders differ", seed)
		}
	}
	t.Logf("%d good messages, %d others", good, failed)
	if good < sequences || failed < sequences {
		t.Error("too few of a kind")
	}
}

// A countingWriter counts the writes that begin with a description.
type countingWriter struct {
	w            io.Writer
	descriptions int
}

func (c *countingWriter) Write(p []byte) (int, error) {
	if format.IsDescription(p) {
		c.descriptions++
	}
	return c.w.Write(p)
}

// A million messages of a thousand types on one stream: each type is described once, and once all are known
// nothing is allocated on either side.
func TestManyTypesOnOneStream(t *testing.T) {
	const types = 1000
	rounds := 1000
	if testing.Short() || compat.RaceEnabled || emulated {
		rounds = 30
	}
	var pipe bytes.Buffer
	count := &countingWriter{w: &pipe}
	e, d := compat.NewEncoder(count), compat.NewDecoder(&pipe)
	in, out := make([]any, types), make([]any, types)
	for i := range types {
		fields := []reflect.StructField{
			{Name: fmt.Sprintf("F%d", i), Type: reflect.TypeFor[int64]()}, {Name: "Text", Type: reflect.TypeFor[string]()}, {Name: "List", Type: reflect.TypeFor[[]int32]()},
		}
		v := reflect.New(reflect.StructOf(fields))
		v.Elem().Field(0).SetInt(int64(i) << 40)
		v.Elem().Field(1).SetString(fmt.Sprint("text ", i))
		v.Elem().Field(2).Set(reflect.ValueOf([]int32{1, int32(i)}))
		in[i] = v.Interface()
		if i%2 == 1 { // read by another version
			fields = append(fields[1:], reflect.StructField{Name: "More", Type: reflect.TypeFor[bool]()}, fields[0])
		}
		out[i] = reflect.New(reflect.StructOf(fields)).Interface()
	}
	round := func() {
		for i := range types {
			if err := e.Encode(in[i]); err != nil {
				t.Fatal(err)
			}
			if err := d.DecodeReuse(out[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	round()
	round()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range rounds - 2 {
		round()
	}
	runtime.ReadMemStats(&after)
	if n := after.Mallocs - before.Mallocs; n > types {
		t.Errorf("%d allocations for %d messages", n, (rounds-2)*types)
	}
	if count.descriptions != types {
		t.Errorf("%d descriptions of %d types", count.descriptions, types)
	}
	for i := range types {
		a, b := reflect.ValueOf(in[i]).Elem(), reflect.ValueOf(out[i]).Elem()
		for _, name := range []string{fmt.Sprintf("F%d", i), "Text", "List"} {
			if !reflect.DeepEqual(a.FieldByName(name).Interface(), b.FieldByName(name).Interface()) {
				t.Fatalf("type %d is read as %+v, want %+v", i, out[i], in[i])
			}
		}
	}
}

// An Encoder's messages are those of package format, and after the first of a type nothing is added to them.
func TestEncoderAddsDescriptionsOnly(t *testing.T) {
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream)
	for _, v := range []any{oldEvent{1, "t", []string{"a"}, true}, 5, "text", []float64{1, 2}, map[string]int{"a": 1}, tree1{Kids: make([]tree1, 2)}, struct{}{}} {
		msg := message(t, v)
		for i, want := range [][]byte{append(descriptionOf(t, reflect.TypeOf(v), ""), msg...), msg, msg} {
			stream.Reset()
			if err := e.Encode(v); err != nil || !bytes.Equal(stream.Bytes(), want) {
				t.Errorf("message %d of %T: %d bytes, want %d; %v", i, v, stream.Len(), len(want), err)
			}
		}
	}
	// A box's type too goes before its first message.
	box := must(format.SchemaOf(reflect.TypeFor[string]())).Named("string")
	msg := message(t, holder{"x"})
	for _, want := range [][]byte{slices.Concat(descriptionOf(t, reflect.TypeFor[holder](), ""), format.AppendDescription(nil, box), msg), msg} {
		stream.Reset()
		if err := e.Encode(holder{"x"}); err != nil || !bytes.Equal(stream.Bytes(), want) {
			t.Errorf("a box: %d bytes, want %d; %v", stream.Len(), len(want), err)
		}
	}
}

// A description that is refused is an error once and leaves nothing: its messages stay unknown, others are read.
func TestStreamWithARefusedDescription(t *testing.T) {
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream)
	for i := range 3 {
		for _, v := range []any{log1{int32(i), "one"}, log2{"two", int64(i), nil}} {
			if err := e.Encode(v); err != nil {
				t.Fatal(err)
			}
		}
	}
	registry := compat.NewRegistry(compat.Limits{Descriptions: 1})
	d := compat.NewDecoder(&stream, compat.WithRegistry(registry))
	var got struct{ N int64 }
	for i, want := range []error{nil, format.ErrLimit, format.ErrSchema, nil, format.ErrSchema, nil, format.ErrSchema, io.EOF, io.EOF} {
		if err := d.Decode(&got); !errors.Is(err, want) {
			t.Errorf("message %d: %v, want %v", i, err, want)
		}
	}
	if got.N != 2 {
		t.Errorf("%+v", got)
	}
	if _, ok := registry.Schema(must(format.SchemaOf(reflect.TypeFor[log2]())).Fingerprint()); ok {
		t.Error("what was refused is known")
	}
}

package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// older makes the type that an older program has in place of t, whose structs keep what they do not know: fields
// are missing, others are there that t does not have, and all stand elsewhere. Types with names stay.
func (f *filler) older(t reflect.Type) reflect.Type {
	if t.PkgPath() != "" || isOpaque(t) || isScalar(t) {
		return t
	}
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(f.older(t.Elem()))
	case reflect.Slice:
		return reflect.SliceOf(f.older(t.Elem()))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), f.older(t.Elem()))
	case reflect.Map:
		return reflect.MapOf(t.Key(), f.older(t.Elem()))
	case reflect.Struct:
		return f.olderStruct(t)
	}
	return t
}

func (f *filler) olderStruct(t reflect.Type) reflect.Type {
	var out []reflect.StructField
	for _, s := range fieldsOf(t) {
		onWire := s.PkgPath == "" && s.Tag.Get("ashlar") != "-"
		if onWire && f.below(3) == 0 {
			continue
		}
		if onWire {
			s.Type = f.older(s.Type)
		}
		out = append(out, s)
	}
	for i := range f.below(3) {
		out = append(out, reflect.StructField{Name: fmt.Sprintf("Added%d", i), Type: randomType(f, 1)})
	}
	out = append(out, reflect.StructField{Name: "Rest", Type: reflect.TypeFor[format.Unknown](), Tag: `ashlar:",unknown"`})
	for i := range out {
		j := i + f.below(len(out)-i)
		out[i], out[j] = out[j], out[i]
	}
	return reflect.StructOf(out)
}

// relay is a type and what an older program has in its place.
type relay struct {
	in, out reflect.Type
	writer  *format.AnyCodec
	through *format.AnyCodec // reads in as out and writes it on
}

// newRelay returns nil where there is nothing to try.
func newRelay(f *filler, opts ...format.Option) *relay {
	for range 100 {
		in := randomType(f, 3)
		out := f.older(in)
		if in == out || in.Size() > 4<<10 || !fits(in) || !fits(out) || !possible(in, out) {
			continue
		}
		return &relay{in, out, must(format.AnyFor(in, opts...)), must(format.EvolvedAny(out, modelDescription(in), format.SchemaLimits{}, opts...))}
	}
	return nil
}

// check relays the message of a value in every way: it must not change.
func (r *relay) check(t *testing.T, x any) (msg []byte) {
	t.Helper()
	msg = must(r.writer.Append(nil, x))
	got := reflect.New(r.out).Interface()
	for _, d := range evolvedReads {
		in := alignedCopy(msg)
		if err := d.call(r.through, in, got); err != nil {
			t.Fatalf("%v\nas %v: %s: %v", r.in, r.out, d.name, err)
		}
		if d.name != "DecodeAlias" {
			clear(in)
		}
		r.writes(t, d.name, got, msg)
	}
	// One that has read another schema's reads its own: nothing is left.
	own := must(format.AnyFor(r.out))
	empty := must(own.Append(nil, reflect.New(r.out).Interface()))
	if err := own.DecodeReuse(empty, reflect.New(r.out).Interface()); err != nil {
		t.Fatal(err)
	}
	return msg
}

// writes checks that got is written as want, by each way to write.
func (r *relay) writes(t *testing.T, what string, got any, want []byte) {
	t.Helper()
	fail := func(how, text string, args ...any) {
		t.Helper()
		t.Fatalf("%v\nas %v: %s, %s: %s", r.in, r.out, what, how, fmt.Sprintf(text, args...))
	}
	same := func(how string, msg []byte, err error) {
		t.Helper()
		if err != nil {
			fail(how, "%v", err)
		}
		if !bytes.Equal(msg, want) {
			fail(how, "%s", firstDifference(msg, want))
		}
	}
	msg, err := r.through.Append(nil, got)
	same("Append", msg, err)
	dirty := bytes.Repeat([]byte{0xa5}, len(want)+64)
	msg, err = r.through.Append(dirty[:0], got)
	same("Append to dirty memory", msg, err)
	if n, err := r.through.Size(got); err != nil || n != len(want) {
		fail("Size", "%d, %v, want %d", n, err, len(want))
	}
	b := buffer.New(len(want)) // not a byte more
	err = r.through.Encode(b, got)
	same("Encode", b.Bytes(), err)
	b = buffer.New(len(want))
	pieces, err := r.through.Gather(nil, b, got)
	same("Gather", slices.Concat([][]byte(pieces)...), err)
	var w bytes.Buffer
	_, err = r.through.WriteTo(&w, got)
	same("WriteTo", w.Bytes(), err)
}

var _ net.Buffers // what Gather returns

// swap takes the fields of the root that the older type knows from y, and gives what is to come of it.
func (r *relay) swap(t *testing.T, x, y any) {
	t.Helper()
	if r.in.Kind() != reflect.Struct || r.out.Kind() != reflect.Struct {
		return
	}
	a, b := reflect.New(r.out), reflect.New(r.out)
	for v, p := range map[any]reflect.Value{x: a, y: b} {
		if err := r.through.Decode(must(r.writer.Append(nil, v)), p.Interface()); err != nil {
			t.Fatal(err)
		}
	}
	want := reflect.New(r.in)
	want.Elem().Set(reflect.ValueOf(x).Elem())
	for _, m := range matchesOf(r.in, r.out) {
		if m.writers >= 0 {
			a.Elem().Field(m.index).Set(b.Elem().Field(m.index))
			want.Elem().Field(m.writers).Set(reflect.ValueOf(y).Elem().Field(m.writers))
		}
	}
	r.writes(t, "changed", a.Interface(), must(r.writer.Append(nil, want.Interface())))
}

// TestRelayRandom sends random values of random types through programs that know a part of them. With
// ASHLAR_LONG=1 it tries many more.
func TestRelayRandom(t *testing.T) {
	rounds := 600
	if long {
		rounds = 20_000
	} else if thin() {
		rounds = 100
	}
	grafted := 0
	for i := range rounds {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			f := seeded(uint64(i)+7<<40, 60)
			r := newRelay(f)
			if r == nil {
				t.Fatal("no types")
			}
			f.budget = 60
			x := f.random(r.in).Interface()
			f.budget = 60
			y := f.random(r.in).Interface()
			msg := r.check(t, x)
			r.swap(t, x, y)
			if i%3 == 0 {
				grafted += r.attack(t, f, msg)
			}
		})
		if t.Failed() {
			return
		}
	}
	if grafted < rounds/10 {
		t.Errorf("%d changed messages were relayed", grafted)
	}
}

// attack relays messages that somebody has changed: whatever the relay takes, it writes a message of the writer's
// schema that is a good one and that it writes the same again.
func (r *relay) attack(t *testing.T, f *filler, msg []byte) (relayed int) {
	t.Helper()
	for range 40 {
		bad := alignedCopy(msg)
		for range 1 + f.below(3) {
			at := 4 + f.below(len(bad)-4)
			switch f.below(3) {
			case 0:
				bad[at] ^= 1 << f.below(8)
			case 1:
				bad[at] = byte(f.next())
			default:
				copy(bad[at&^7:], bad[f.below(len(bad))&^7:][:8])
			}
		}
		if r.relayed(t, bad) {
			relayed++
		}
	}
	return relayed
}

// relayed reports whether a message was taken.
func (r *relay) relayed(t *testing.T, bad []byte) bool {
	t.Helper()
	got := reflect.New(r.out).Interface()
	var f *format.Error
	if err := r.through.Decode(bad, got); err != nil {
		if !errors.As(err, &f) {
			t.Fatalf("%v\nas %v: %v", r.in, r.out, err)
		}
		return false
	}
	out, err := r.through.Append(nil, got)
	if err != nil {
		if !errors.As(err, &f) || isMethods(err) {
			t.Fatalf("%v\nas %v: what was read is not written: %v", r.in, r.out, err)
		}
		return false
	}
	// An int that is passed on need not fit one of this platform.
	if err := r.writer.Verify(out); err != nil && !methodsMissing(err) && !(strconv.IntSize == 32 && errors.Is(err, format.ErrLimit)) {
		t.Fatalf("%v\nas %v: the message that is written on: %v", r.in, r.out, err)
	}
	again := reflect.New(r.out).Interface()
	if err := r.through.Decode(out, again); err != nil {
		t.Fatal(err)
	}
	r.writes(t, "again", again, out)
	return true
}

// methodsMissing reports whether the error is that an interface cannot hold what is in a box: descriptions do not tell
// which methods an interface has.
func methodsMissing(err error) bool { return strings.Contains(err.Error(), ", which is no ") }

// FuzzRelay relays messages of types that the first number chooses; what is relayed is a good message.
func FuzzRelay(f *testing.F) {
	made := map[uint16]*relay{}
	get := func(types uint16) *relay {
		types %= 256 // reflect never forgets a type
		r, ok := made[types]
		if !ok {
			r = newRelay(seeded(uint64(types)+9<<40, 60))
			made[types] = r
		}
		return r
	}
	for i := range uint16(64) {
		if r := get(i); r != nil {
			f.Add(i, must(r.writer.Append(nil, seeded(uint64(i), 40).random(r.in).Interface())))
		}
	}
	f.Fuzz(func(t *testing.T, types uint16, msg []byte) {
		if r := get(types); r != nil {
			r.relayed(t, alignedCopy(msg))
		}
	})
}

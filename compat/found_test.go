package compat_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

type (
	hollow struct {
		B [0]bool
		A int64
	}
	blank struct {
		A int32
		_ [4]bool
		C int64
	}
	hollows struct {
		P *hollow
		S []hollow
		Q *blank
	}
	small      struct{ A int32 }
	smallPair  struct{ A, C int32 }
	oldHollows struct {
		P *small
		S []small
		Q *smallPair
	}
)

// TestOneTargetOfTwoSchemas: what one decode has aliased in shared memory the next one, of another schema, does
// not write to, whatever in it looks like bools.
func TestOneTargetOfTwoSchemas(t *testing.T) {
	registry := compat.NewRegistry(compat.Limits{})
	if err := registry.Add(must(compat.Describe[oldHollows]())); err != nil {
		t.Fatal(err)
	}
	for _, opts := range [][]compat.Option{nil, {compat.WithShared()}} {
		r := must(compat.For[hollows](registry, opts...))
		first := message(t, hollows{&hollow{A: 1}, []hollow{{A: 2}, {A: 3}}, &blank{A: 4, C: 5}})
		second := message(t, oldHollows{&small{-1}, []small{{-2}, {-3}}, &smallPair{-4, -5}})
		was := slices.Clone(first)
		var v hollows
		for _, msg := range [][]byte{first, second, first, second} {
			if err := r.DecodeAlias(msg, &v); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(first, was) {
				t.Fatalf("the first message was written to:\n% x\n% x", was, first)
			}
		}
		if v.P.A != -1 || v.S[1].A != -3 || v.Q.C != -5 {
			t.Errorf("read %v %v %v", v.P, v.S, v.Q)
		}
	}
}

type (
	twig struct {
		Left, Right *twig
		Kids        []twig
		Named       map[string]twig
		Name        string
		N           int64
		Any         any
	}
	anything struct{ V any }
)

// chain describes so many different structs, each with a pointer Left to the next; the last has a Name of a kind.
func chain(levels int, kind byte, salt string) []byte {
	d := binary.AppendUvarint(nil, uint64(2*levels+2))
	name := func(s string) { d = append(append(d, byte(len(s))), s...) }
	for i := range levels {
		d = append(d, 18, 1)
		name("Left")
		d = binary.AppendUvarint(d, uint64(2*i+1))
		d = append(d, 15)
		d = binary.AppendUvarint(d, uint64(2*i+2))
	}
	d = append(d, 18, 1+byte(len(salt)/max(1, len(salt))))
	if salt != "" {
		name(salt)
		d = binary.AppendUvarint(d, uint64(2*levels+1))
	}
	name("Name")
	d = binary.AppendUvarint(d, uint64(2*levels+1))
	return append(d, kind)
}

// TestBoxThatCannotBeIsNotTriedAgain: a box of a type that does not become the local one costs a message once.
func TestBoxThatCannotBeIsNotTriedAgain(t *testing.T) {
	types := format.NewTypes()
	if err := format.RegisterIn[twig](types, "twig"); err != nil {
		t.Fatal(err)
	}
	registry := compat.NewRegistry(compat.Limits{})
	s := must(format.ParseSchema(chain(3300, 2, ""), format.SchemaLimits{})).Named("twig")
	if err := registry.AddMessage(format.AppendDescription(nil, s)); err != nil {
		t.Fatal(err)
	}
	r := must(compat.For[anything](registry, compat.WithTypes(types)))
	msg := make([]byte, 40)
	copy(msg, message(t, anything{int8(1)})[:24])
	binary.LittleEndian.PutUint64(msg[24:], s.BoxID())
	var v anything
	if err := r.Decode(msg, &v); !errors.Is(err, format.ErrSchema) && !errors.Is(err, format.ErrLimit) {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const n = 20
	for range n {
		_ = r.Decode(msg, &v)
	}
	runtime.ReadMemStats(&after)
	if per := (after.TotalAlloc - before.TotalAlloc) / n; per > 64<<10 {
		t.Errorf("%d bytes each time", per)
	}
}

// TestTypesThatMeetEverywhere: a description in which each struct meets the same recursive type is refused
// before its plans take more than in proportion.
func TestTypesThatMeetEverywhere(t *testing.T) {
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[twig](registry))
	for i := range 8 {
		d := chain(3300, 14, fmt.Sprintf("s%d", i))
		s := must(format.ParseSchema(d, format.SchemaLimits{}))
		if err := registry.Add(d); err != nil {
			t.Fatal(err)
		}
		msg := make([]byte, 24)
		copy(msg, []byte{0xa5, 0x4c, 1, 0, 3})
		binary.LittleEndian.PutUint64(msg[8:], s.Fingerprint())
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := r.Decode(msg, new(twig))
		runtime.ReadMemStats(&after)
		if err != nil && (!errors.Is(err, format.ErrLimit) || len(err.Error()) > 1000) {
			t.Fatalf("%.2000v", err)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > 600*uint64(len(d)) {
			t.Errorf("%d bytes for a description of %d, %.100v", got, len(d), err)
		}
	}
}

type (
	nested struct {
		e     *compat.Encoder
		inner any
		err   *error
	}
	outer struct {
		A    int64
		Text string
		N    nested
		Z    string
	}
	inner struct{ X, Y, Z int64 }
)

func (n nested) MarshalBinary() ([]byte, error) {
	if n.e != nil {
		*n.err = n.e.Encode(n.inner)
	}
	return []byte("outer"), nil
}

func (n *nested) UnmarshalBinary([]byte) error { return nil }

// TestEncodeWithinEncode: a method that writes to the encoder that has called it gets an error, and nothing is
// lost or said to be there that is not.
func TestEncodeWithinEncode(t *testing.T) {
	var stream bytes.Buffer
	file := buffer.New(1 << 16)
	for name, x := range map[string]struct {
		e    *compat.Encoder
		read func() io.Reader
	}{
		"stream": {compat.NewEncoder(&stream), func() io.Reader { return &stream }},
		"file":   {must(compat.AppendTo(file)), func() io.Reader { return bytes.NewReader(file.Bytes()) }},
	} {
		var within error
		for i, v := range []any{outer{A: 1, Text: "a text of several words"}, outer{A: 2, N: nested{x.e, inner{1, 2, 3}, &within}}, inner{4, 5, 6}} {
			if err := x.e.Encode(v); err != nil {
				t.Errorf("%s: value %d: %v", name, i, err)
			}
		}
		if !errors.Is(within, format.ErrType) {
			t.Errorf("%s: within another Encode: %v", name, within)
		}
		d := compat.NewDecoder(x.read())
		for _, want := range []int64{1, 2} {
			var v outer
			if err := d.Decode(&v); err != nil || v.A != want {
				t.Errorf("%s: %v, %v", name, v.A, err)
			}
		}
		var v struct{ Z int32 } // another version: the description must be there
		if err := d.Decode(&v); err != nil || v.Z != 6 {
			t.Errorf("%s: %v, %v", name, v, err)
		}
	}
}

type (
	pointee struct {
		X int64
		S string
	}
	pointers struct{ A, B *pointee }
	values   struct{ A, B pointee }
	part     struct{ X int32 }
	mixed    struct {
		A *pointee
		B *part
	}
)

type (
	wrapper struct {
		V any
		N int8
	}
	wrapperNow struct {
		V any
		N int16
	}
)

// boxed reads pointers that share a pointee as an R: as the root, in a box, and in a box of another version.
func boxed[R any](t *testing.T) {
	writers, readers := format.NewTypes(), format.NewTypes()
	if err := errors.Join(format.RegisterIn[pointers](writers, "pair"), format.RegisterIn[R](readers, "pair"),
		format.RegisterIn[wrapper](writers, "wrapper"), format.RegisterIn[wrapperNow](readers, "wrapper")); err != nil {
		t.Fatal(err)
	}
	p := &pointee{5, "text"}
	var out bytes.Buffer
	e := compat.NewEncoder(&out, compat.WithTypes(writers), compat.WithRefs())
	large := &pointee{6, strings.Repeat("x", 10_000)}
	many := make([]any, 8) // boxes within boxes reach more together than the message has
	for i := range many {
		many[i] = wrapper{V: pointers{large, large}}
	}
	for _, v := range []any{pointers{p, p}, anything{wrapper{V: pointers{large, large}}}, anything{many}, anything{pointers{p, p}}, anything{[]any{pointers{p, p}, pointers{p, p}}}, struct {
		V any
		N int8
	}{pointers{p, p}, 1}} {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	d := compat.NewDecoder(&out, compat.WithTypes(readers), compat.WithRefs())
	for i, v := range []any{new(R), new(anything), new(anything), new(anything), new(anything), new(anything)} {
		if err := d.Decode(v); err != nil {
			t.Errorf("%T, message %d: %v", *new(R), i, err)
		}
	}
}

// TestSharedInBoxesOfAnotherVersion: what the writer shares is copied for each value and type that it becomes.
func TestSharedInBoxesOfAnotherVersion(t *testing.T) {
	boxed[pointers](t)
	boxed[values](t)
	boxed[mixed](t)
}

// TestLimitsHoldForBoxes: a registry with larger limits reads what is within them, in boxes too.
func TestLimitsHoldForBoxes(t *testing.T) {
	type many struct {
		S [150_000]struct{}
		N int32
	}
	type manyNow struct {
		S [150_000]struct{}
		N int64
	}
	writers, readers := format.NewTypes(), format.NewTypes()
	if err := errors.Join(format.RegisterIn[many](writers, "many"), format.RegisterIn[manyNow](readers, "many")); err != nil {
		t.Fatal(err)
	}
	e := compat.NewEncoder(io.Discard, compat.WithTypes(writers))
	if err := e.Encode(anything{many{N: 1}}); !errors.Is(err, format.ErrLimit) {
		t.Errorf("the writer does not meet the limit: %v", err)
	}
	if err := compat.NewEncoder(io.Discard).Encode(many{}); !errors.Is(err, format.ErrLimit) {
		t.Errorf("the writer does not meet the limit: %v", err)
	}
	var out bytes.Buffer
	if err := compat.NewEncoder(&out, compat.WithTypes(writers), compat.WithoutDescriptions()).Encode(anything{many{N: 1}}); err != nil {
		t.Fatal(err)
	}
	registry := compat.NewRegistry(compat.Limits{SchemaLimits: format.SchemaLimits{Leaves: 1_000_000}})
	for _, id := range must(boxesOf(writers, anything{many{}})) {
		s, _ := writers.Schema(id)
		if err := registry.AddMessage(format.AppendDescription(nil, s)); err != nil {
			t.Fatal(err)
		}
	}
	d := compat.NewDecoder(&out, compat.WithTypes(readers), compat.WithRegistry(registry))
	var v anything
	if err := d.Decode(&v); err != nil || v.V.(manyNow).N != 1 {
		t.Errorf("%v", err)
	}
}

func boxesOf(types *format.Types, v anything) ([]uint64, error) {
	_, ids, err := format.MustFor[anything](format.WithTypes(types)).AppendBoxes(nil, nil, &v)
	return ids, err
}

// TestDecodeAfterClose: a stream that was given up does not look like one that has ended.
func TestDecodeAfterClose(t *testing.T) {
	var out bytes.Buffer
	e := compat.NewEncoder(&out)
	for range 3 {
		if err := e.Encode(small{1}); err != nil {
			t.Fatal(err)
		}
	}
	d := compat.NewDecoder(&out)
	var v small
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	d.Close()
	if err := d.Decode(&v); !errors.Is(err, compat.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

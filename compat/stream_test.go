package compat_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

type (
	oldEvent struct {
		ID   int32
		Text string
		Tags []string
		Old  bool
	}
	newEvent struct {
		When int64
		Tags []string
		ID   int64
		Note string `ashlar:"Note,alias=Text"`
	}
	oldBox struct{ A int16 }
	newBox struct {
		B string
		A int64
	}
	holder struct{ V any }
)

// typesOf registers one type under the name that both programs use.
func typesOf[T any](t *testing.T) *format.Types {
	t.Helper()
	types := format.NewTypes()
	if err := format.RegisterIn[T](types, "box"); err != nil {
		t.Fatal(err)
	}
	return types
}

// Descriptions go once, before the first message of their type; several types and versions share a stream.
func TestStreamOfManyTypes(t *testing.T) {
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream, compat.WithTypes(typesOf[oldBox](t)))
	put := func(v any) int {
		t.Helper()
		before := stream.Len()
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		return stream.Len() - before
	}
	event := oldEvent{-7, "text", []string{"a", "b"}, true}
	plain, err := format.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	first := put(event)
	put(holder{oldBox{5}})
	if n := put(&event); n != len(plain) || first <= n {
		t.Errorf("the first message takes %d bytes, the second %d, alone it has %d", first, n, len(plain))
	}
	n := put(holder{oldBox{6}})
	if m := put(holder{oldBox{6}}); n != m {
		t.Errorf("%d and then %d bytes", n, m)
	}

	d := compat.NewDecoder(iotest.OneByteReader(bytes.NewReader(stream.Bytes())), compat.WithTypes(typesOf[newBox](t)))
	got := newEvent{When: 3}
	want := newEvent{3, event.Tags, -7, "text"}
	if err := d.Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, v := range []int64{5, 0, 6, 6} {
		if v == 0 {
			if err := d.DecodeReuse(&got); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, %v", got, err)
			}
			continue
		}
		var h holder
		if err := d.Decode(&h); err != nil || h.V != any(newBox{A: v}) {
			t.Errorf("%+v, %v", h, err)
		}
	}
	if err := d.Decode(&got); err != io.EOF {
		t.Error(err)
	}
}

// What cannot be read is passed over; what is read later is as it would be alone.
func TestStreamGoesOnAfterABadMessage(t *testing.T) {
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream)
	for i := range 3 {
		if err := e.Encode(struct{ N int64 }{int64(i) << 40}); err != nil {
			t.Fatal(err)
		}
		if err := e.Encode(struct{ N netip.Addr }{netip.IPv6Loopback()}); err != nil {
			t.Fatal(err)
		}
	}
	d := compat.NewDecoder(&stream)
	var small struct{ N int32 }
	for i := range 6 {
		err := d.Decode(&small)
		switch {
		case i == 0 && (err != nil || small.N != 0):
			t.Error(small, err)
		case i%2 == 1 && !errors.Is(err, format.ErrSchema):
			t.Error(i, err)
		case i > 0 && i%2 == 0 && !errors.Is(err, format.ErrLimit):
			t.Error(i, err)
		}
	}
	if err := d.Decode(&small); err != io.EOF {
		t.Error(err)
	}
}

// Who joins in the middle is told which description is missing, and can be given it.
func TestStreamJoinedInTheMiddle(t *testing.T) {
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream, compat.WithoutDescriptions())
	for range 2 {
		if err := e.Encode(oldEvent{ID: 1, Text: "x"}); err != nil {
			t.Fatal(err)
		}
	}
	d := compat.NewDecoder(&stream)
	var got newEvent
	fingerprint := fmt.Sprintf("%016x", must(format.SchemaOf(reflect.TypeFor[oldEvent]())).Fingerprint())
	if err := d.Decode(&got); !errors.Is(err, format.ErrSchema) || !strings.Contains(err.Error(), fingerprint) {
		t.Fatalf("%v, want ErrSchema with %s", err, fingerprint)
	}
	description, err := compat.Describe[oldEvent]()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Registry().Add(description); err != nil {
		t.Fatal(err)
	}
	if err := d.Decode(&got); err != nil || got.ID != 1 || got.Note != "x" {
		t.Error(got, err)
	}
}

// A writer that fails has failed for good; a value that cannot be written leaves the stream as it was.
func TestEncoderErrors(t *testing.T) {
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream)
	for _, v := range []any{nil, (*oldEvent)(nil), func() {}, holder{func() {}}} {
		if err := e.Encode(v); !errors.Is(err, format.ErrType) || stream.Len() != 0 {
			t.Errorf("%T: %v, %d bytes", v, err, stream.Len())
		}
	}
	failing := compat.NewEncoder(failWriter{})
	for range 2 {
		if err := failing.Encode(oldEvent{}); !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	}
}

type failWriter struct{}

func (failWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A steady stream allocates nothing on either side.
func TestSteadyStream(t *testing.T) {
	pipe := new(bytes.Buffer)
	e, d := compat.NewEncoder(pipe), compat.NewDecoder(pipe)
	in, out := &oldEvent{1, "text", []string{"a", "b"}, true}, new(newEvent)
	turn := func() {
		if err := e.Encode(in); err != nil {
			t.Fatal(err)
		}
		if err := d.DecodeReuse(out); err != nil {
			t.Fatal(err)
		}
	}
	turn()
	if n := testing.AllocsPerRun(200, turn); n != 0 {
		t.Errorf("%v allocations a message", n)
	}
	if out.Note != "text" {
		t.Error(out)
	}
}

// TestDecoderErr: what a message has wrong is not what ends a stream.
func TestDecoderErr(t *testing.T) {
	var b bytes.Buffer
	e := compat.NewEncoder(&b)
	for _, v := range []any{struct{ A int32 }{1}, struct{ A int32 }{1 << 20}, struct{ A int32 }{2}} {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	b.WriteString("no message is here")
	d := compat.NewDecoder(&b)
	var got []int8
	for {
		var v struct{ A int8 }
		err := d.Decode(&v)
		if d.Err() != nil {
			if err != d.Err() || !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("the stream ends with %v, Err is %v", err, d.Err())
			}
			break
		}
		if err == nil {
			got = append(got, v.A)
		} else if !errors.Is(err, format.ErrLimit) {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []int8{1, 2}) {
		t.Errorf("read %v", got)
	}
	if again := d.Decode(new(struct{ A int8 })); again != d.Err() {
		t.Errorf("then %v", again)
	}
}

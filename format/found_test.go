package format_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"net"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestGatherOfMapsWithInterfaceKeys: A key in an interface is looked for at its offset in the message, not in the memory: behind an array that is left out Gather panics (nil dereference in keys.unsigned) or leaves a -0.
func TestGatherOfMapsWithInterfaceKeys(t *testing.T) {
	negative := math.Copysign(0, -1)
	type big map[any][]byte
	for _, v := range []big{
		{1.5: make([]byte, 600), negative: make([]byte, 700), "x": make([]byte, 1000), "y": nil, 2: make([]byte, 5000), 3: []byte("a")},
		{negative: make([]byte, 600), 1: nil},
		{1: make([]byte, 600), negative: make([]byte, 100)},
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("panic: %v", r)
				}
			}()
			want := mustModelEncode(&v)
			parts, err := format.MustFor[big]().Gather(net.Buffers{}, buffer.New(len(want)+64), &v)
			if got := bytes.Join(parts, nil); err != nil || !bytes.Equal(got, want) {
				t.Errorf("Gather: %v, %s", err, firstDifference(got, want))
			}
		}()
	}
}

// TestCyclesThroughInterfacesAreFound: A cycle whose marked depths are all boxes, which have another spare each time, is ErrLimit.
func TestCyclesThroughInterfacesAreFound(t *testing.T) {
	for n := range 9 {
		s := []any{nil}
		var x any = s
		for range n {
			x = Holder{Any: x}
		}
		s[0] = x
		p := &s
		pp := &p
		_ = pp
		for _, d := range []int{0, 9999, 9998, 9997} {
			_, err := format.MustFor[[]any](format.WithMaxDepth(d)).Append(nil, &s)
			_, err2 := format.MustFor[*[]any](format.WithMaxDepth(d)).Append(nil, &p)
			_, err3 := format.MustFor[**[]any](format.WithMaxDepth(d)).Append(nil, &pp)
			if !errors.Is(err, format.ErrCycle) || !errors.Is(err2, format.ErrCycle) || !errors.Is(err3, format.ErrCycle) {
				t.Errorf("%d boxes, max depth %d: %v; %v; %v", n+1, d, err, err2, err3)
			}
		}
	}
}

type cutReader struct {
	io.Reader
}

func (c cutReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// TestReadMessagesOfACutStream: Fixed: io.ErrUnexpectedEOF between two messages was the end of the run.
func TestReadMessagesOfACutStream(t *testing.T) {
	msg := mustModelEncode(&Part{Name: "x"})
	var last error
	n := 0
	for _, err := range format.ReadMessages(cutReader{bytes.NewReader(msg)}, 0) {
		n++
		last = err
	}
	if !errors.Is(last, io.ErrUnexpectedEOF) {
		t.Errorf("%d yields, %v", n, last)
	}
}

type shortWriter struct{ n int }

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.n)
	w.n -= n
	return n, nil
}

// TestWriteToAShortWriter: A writer that takes less without an error: WriteTo goes on behind the hole and says nil.
func TestWriteToAShortWriter(t *testing.T) {
	v := make([]int64, 1000)
	for n := range 9 {
		k, err := format.MustFor[[]int64]().WriteTo(&shortWriter{n * 1000}, &v)
		if err == nil && k < 8000 {
			t.Errorf("%d: %d, %v", n*1000, k, err)
		}
	}
}

// TestTargetsThatShareStrings: WithRefs writes through the old *string (DecodeReuse, DecodeAlias) and *int (DecodeReuse) of a target: two that were one give wrong values.
func TestTargetsThatShareStrings(t *testing.T) {
	type T struct {
		A, B *string
		C, D *int
		E    **int
	}
	c := format.MustFor[T](format.WithRefs())
	v := T{A: new("x"), B: new("y"), C: new(1), D: new(2)}
	msg, _ := c.Append(nil, &v)
	for name, f := range map[string]func([]byte, *T) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias} {
		s, n := new("old"), new(7)
		got := T{A: s, B: s, C: n, D: n}
		if err := f(msg, &got); err != nil {
			t.Error(err)
		}
		if d := graphDifference(&got, &v); d != "" || *s != "old" || *n != 7 {
			t.Errorf("%s: %s, old %q %d", name, d, *s, *n)
		}
	}
}

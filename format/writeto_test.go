package format_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/ashlar-go/ashlar/format"
)

// parcel is written in many pieces.
type parcel struct {
	Name   string
	Arrays ArraysData
	Rows   [][]int32
	Texts  []string
	Tail   []byte
}

func newParcel(n int) *parcel {
	v := &parcel{Name: "parcel", Arrays: arraysData(n), Rows: make([][]int32, 9), Texts: []string{"", strings.Repeat("x", 700)}, Tail: make([]byte, n+3)}
	for i := range v.Rows {
		v.Rows[i] = make([]int32, n/4*i)
	}
	return v
}

// TestWriteTo: a writer gets the message and its length is returned, also where
// what is copied is more than is kept room for.
func TestWriteTo(t *testing.T) {
	c := format.MustFor[parcel]()
	for _, n := range []int{0, 1, 63, 64, 511, 512, 513, 5000} {
		v := newParcel(n)
		for range n % 100 {
			v.Texts = append(v.Texts, strings.Repeat("text", n))
		}
		want, err := c.Append(nil, v)
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			var out bytes.Buffer
			got, err := c.WriteTo(&out, v)
			if err != nil || got != int64(len(want)) || !bytes.Equal(out.Bytes(), want) {
				t.Errorf("n=%d: %d, %v, %s", n, got, err, firstDifference(out.Bytes(), want))
			}
		}
	}
}

// TestWriteToASocket: a message much larger than a socket holds arrives whole and in
// order, though the system takes it in parts.
func TestWriteToASocket(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	c := format.MustFor[parcel]()
	var values []*parcel
	var want []byte
	for _, n := range []int{3, 700, 100_000, 1, 64} {
		values = append(values, newParcel(n))
		if want, err = c.Append(want, values[len(values)-1]); err != nil {
			t.Fatal(err)
		}
	}
	sent := make(chan error, 1)
	go func() {
		w, err := net.Dial("unix", l.Addr().String())
		total := int64(0)
		for _, v := range values {
			if err == nil {
				var n int64
				n, err = c.WriteTo(w, v)
				total += n
			}
		}
		if err == nil {
			err = w.Close()
		}
		if err == nil && total != int64(len(want)) {
			err = errors.New("the counts do not add up")
		}
		sent <- err
	}()
	r, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err := errors.Join(err, <-sent); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v, %s", err, firstDifference(got, want))
	}
}

// failing takes so many bytes and then fails, with a part of a write taken.
type failing struct {
	left int
	got  []byte
	err  error
}

func (w *failing) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	w.got = append(w.got, p[:n]...)
	if n < len(p) {
		return n, w.err
	}
	return n, nil
}

// TestWriteToAWriterThatFails: its error comes back with what it took, nothing is
// written behind it, and the next message is whole.
func TestWriteToAWriterThatFails(t *testing.T) {
	c, v := format.MustFor[parcel](), newParcel(130)
	want, err := c.Append(nil, v)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for n := 0; n < len(want); n += 1 + n/50 {
		w := &failing{left: n, err: broken}
		if got, err := c.WriteTo(w, v); !errors.Is(err, broken) || got != int64(n) || !bytes.Equal(w.got, want[:n]) {
			t.Errorf("a writer of %d bytes: %d, %v", n, got, err)
		}
	}
	w := &failing{left: len(want), err: broken}
	if got, err := c.WriteTo(w, v); err != nil || got != int64(len(want)) || !bytes.Equal(w.got, want) {
		t.Errorf("a writer of just enough: %d, %v", got, err)
	}
	conn, other := net.Pipe()
	other.Close()
	if n, err := c.WriteTo(conn, v); err == nil || n != 0 {
		t.Errorf("to a pipe that nobody reads: %d, %v", n, err)
	}
}

// TestWriteToKeepsNothing: what was written, or was not, is the collector's, though
// the memory for the pieces is kept.
func TestWriteToKeepsNothing(t *testing.T) {
	c := format.MustFor[parcel]()
	small := format.MustFor[parcel](format.WithMaxMessage(3000))
	write := func(c *format.Codec[parcel], w io.Writer) weak.Pointer[int64] {
		v := newParcel(500)
		_, _ = c.WriteTo(w, v)
		return weak.Make(&v.Arrays.Longs[0])
	}
	for name, p := range map[string]weak.Pointer[int64]{
		"a value":                 write(c, io.Discard),
		"after a writer's error":  write(c, &failing{left: 700, err: io.ErrClosedPipe}),
		"after an encoding error": write(small, io.Discard),
	} {
		for range 3 {
			runtime.GC()
		}
		if p.Value() != nil {
			t.Errorf("%s is kept", name)
		}
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

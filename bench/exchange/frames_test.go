package exchange

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
)

func TestFramesComeBackHoweverTheyAreSplit(t *testing.T) {
	sizes := []int{0, 8, 24, 1000, readAhead - prefix, readAhead, readAhead + 8, 300 << 10, 8, 300 << 10, 16, 0}
	var stream bytes.Buffer
	var want [][]byte
	w := frameWriter{w: &stream}
	for i, n := range sizes {
		msg := bytes.Repeat([]byte{byte(i + 1)}, n)
		want = append(want, msg)
		if err := w.write(msg); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name string
		r    func(io.Reader) io.Reader
	}{
		{"as they are", func(r io.Reader) io.Reader { return r }},
		{"byte by byte", iotest.OneByteReader},
		{"half of what is asked for", iotest.HalfReader},
		{"the last bytes with the end", iotest.DataErrReader},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := frameReader{r: tt.r(bytes.NewReader(stream.Bytes()))}
			for i := range want {
				got, err := r.next()
				if err != nil {
					t.Fatalf("message %d: %v", i, err)
				}
				if !bytes.Equal(got, want[i]) {
					t.Fatalf("message %d: %d bytes, want %d of %d", i, len(got), len(want[i]), i+1)
				}
				raw.Slice[int64](got, len(got)/8) // panics if it is misaligned
			}
			if _, err := r.next(); err != io.EOF {
				t.Errorf("after the last message: %v, want EOF", err)
			}
		})
	}
}

// A message of the usual size is read by one call, with the length of the next.
func TestLongFramesAreReadAtOnce(t *testing.T) {
	var stream bytes.Buffer
	w := frameWriter{w: &stream}
	const n, size = 10, 100 << 10
	for range n {
		w.write(make([]byte, size))
	}
	calls := 0
	r := frameReader{r: readerFunc(func(p []byte) (int, error) {
		calls++
		return stream.Read(p)
	})}
	for range n {
		if _, err := r.next(); err != nil {
			t.Fatal(err)
		}
	}
	if calls > n+2 {
		t.Errorf("%d calls for %d messages", calls, n)
	}
	if len(r.buf) > 2*size {
		t.Errorf("a buffer of %d bytes for messages of %d", len(r.buf), size)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestBrokenFrames(t *testing.T) {
	frame := func(size uint64, n int) io.Reader {
		return bytes.NewReader(append(binary.LittleEndian.AppendUint64(nil, size), make([]byte, n)...))
	}
	for _, tt := range []struct {
		name string
		r    io.Reader
		want string
	}{
		{"cut off in the length", bytes.NewReader([]byte{8, 0, 0}), io.ErrUnexpectedEOF.Error()},
		{"cut off in the message", frame(16, 8), io.ErrUnexpectedEOF.Error()},
		{"too long", frame(largest+1, 8), "at most"},
		{"negative", frame(1<<63, 8), "at most"},
		{"a reader's error", iotest.ErrReader(errors.New("out of paper")), "out of paper"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := frameReader{r: tt.r}
			if _, err := r.next(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

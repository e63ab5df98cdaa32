package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// goldenRun is a run of messages of many types, and where each begins.
func goldenRun() (run []byte, starts []int) {
	for _, r := range goldens() {
		starts = append(starts, len(run))
		run = append(run, r.encode(r.values[0])...)
	}
	return run, starts
}

// walkers go through a run as a slice and as a stream.
var walkers = []struct {
	name string
	walk func(run []byte) iter.Seq2[[]byte, error]
}{
	{"Messages", format.Messages},
	{"ReadMessages", func(run []byte) iter.Seq2[[]byte, error] { return format.ReadMessages(bytes.NewReader(run), 0) }},
	{"byte by byte", func(run []byte) iter.Seq2[[]byte, error] {
		return format.ReadMessages(iotest.OneByteReader(bytes.NewReader(run)), 0)
	}},
	{"by halves", func(run []byte) iter.Seq2[[]byte, error] {
		return format.ReadMessages(iotest.HalfReader(bytes.NewReader(run)), 0)
	}},
	{"the end with the data", func(run []byte) iter.Seq2[[]byte, error] {
		return format.ReadMessages(iotest.DataErrReader(bytes.NewReader(run)), 0)
	}},
}

// collect is what a walk yields before it ends, and the error that it ends with.
func collect(t *testing.T, walk iter.Seq2[[]byte, error]) (out [][]byte, last error) {
	t.Helper()
	for msg, err := range walk {
		if last != nil {
			t.Error("the run goes on after an error")
		}
		if err == nil && uintptr(unsafe.Pointer(unsafe.SliceData(msg)))%8 != 0 {
			t.Errorf("message %d begins at %p", len(out), unsafe.SliceData(msg))
		}
		if err == nil && cap(msg) != len(msg) {
			t.Errorf("message %d: an append would write into the next", len(out))
		}
		if last = err; err == nil {
			out = append(out, bytes.Clone(msg))
		} else if msg != nil {
			t.Errorf("%d bytes beside the error %v", len(msg), err)
		}
	}
	return out, last
}

// wantEnd: the walk has yielded the first n messages of the run and ended with an
// error of the class, at the offset, or without one.
func wantEnd(t *testing.T, what string, run []byte, starts []int, n int, got [][]byte, err, class error) {
	t.Helper()
	if len(got) != n {
		t.Errorf("%s: %d messages, want %d: %v", what, len(got), n, err)
		return
	}
	for i, msg := range got {
		if !bytes.HasPrefix(run[starts[i]:], msg) || starts[i]+len(msg) != append(starts[:len(starts):len(starts)], starts[i]+len(msg))[i+1] {
			t.Errorf("%s: message %d is another", what, i)
		}
	}
	if class == nil {
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	wantErr(t, what, err, class)
	at := int64(len(run))
	if n < len(starts) {
		at = int64(starts[n])
	}
	var e *format.Error
	if errors.As(err, &e) && e.Offset != at {
		t.Errorf("%s: an error at %d, want %d: %v", what, e.Offset, at, err)
	}
}

// TestMessagesEnd: a run ends where its bytes do or before a word of zero, whatever
// is behind that, in pieces of any size.
func TestMessagesEnd(t *testing.T) {
	run, starts := goldenRun()
	for _, w := range walkers {
		for _, tail := range []int{0, 1, 7, 8, 9, 15, 16, 17, 100_000} {
			in := append(alignedCopy(run), make([]byte, tail)...)
			if tail > 8 {
				in[len(in)-1] = 0xff
			}
			got, err := collect(t, w.walk(alignedCopy(in)))
			wantEnd(t, fmt.Sprintf("%s before %d zeros", w.name, tail), run, starts, len(starts), got, err, nil)
		}
		got, err := collect(t, w.walk(nil))
		wantEnd(t, w.name+" of nothing", nil, nil, 0, got, err, nil)
	}
}

// TestMessagesCutShort: every prefix of a run yields the messages that are whole and
// then ErrTruncated with the offset of the one that is not.
func TestMessagesCutShort(t *testing.T) {
	run, starts := goldenRun()
	if limit := thinned(len(starts)); limit < len(starts) {
		run, starts = run[:starts[limit]], starts[:limit]
	}
	for i, w := range walkers {
		step := 1
		if i > 0 {
			step = len(run)/500 + 1
		}
		whole := 0
		for n := 0; n < len(run); n += step {
			for whole < len(starts) && (whole+1 < len(starts) && starts[whole+1] <= n) {
				whole++
			}
			class := format.ErrTruncated
			if n == starts[whole] {
				class = nil
			}
			got, err := collect(t, w.walk(alignedCopy(run[:n])))
			wantEnd(t, fmt.Sprintf("%s of %d bytes", w.name, n), run, starts, whole, got, err, class)
			if t.Failed() {
				return
			}
		}
	}
}

// TestMessagesOfJunk: what is no message ends the run with ErrCorrupt and the place
// where a message should be, also in the middle.
func TestMessagesOfJunk(t *testing.T) {
	run, starts := goldenRun()
	for _, w := range walkers {
		for _, junk := range []string{"\x00\x00\x00\x00\x00\x00\x00\x01", "GET / HTTP/1.1\r\n", "\x00\x01" + strings.Repeat("\x00", 30), "\xa5\x4c\x02" + strings.Repeat("\x00", 13), "\xa5\x4c\x01\x00\x01\x00\x00\x00........", "\xa5\x4c\x01\x00\x01\x00\x00\x80........", "\xa5\x4c\x01\x80\x02\x00\x00\x00........"} {
			for _, n := range []int{0, 1, len(starts) - 1} {
				in := alignedCopy(append(append(bytes.Clone(run[:starts[n]]), junk...), run[starts[n]:]...))
				got, err := collect(t, w.walk(in))
				wantEnd(t, fmt.Sprintf("%s with %q", w.name, junk), run, starts, n, got, err, format.ErrCorrupt)
			}
		}
	}
}

// TestMessagesOfAMappedFile: a file that is being written and is allocated ahead
// gives what is complete, and the same when it has been closed.
func TestMessagesOfAMappedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	b, err := buffer.Create(path, 1<<20)
	if err != nil {
		t.Skip(err)
	}
	var starts []int
	check := func() {
		t.Helper()
		m, err := buffer.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		got, err := collect(t, format.Messages(m.Bytes()))
		wantEnd(t, "mapped", m.Bytes(), starts, len(starts), got, err, nil)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		got, err = collect(t, format.ReadMessages(f, 0))
		wantEnd(t, "read", m.Bytes(), starts, len(starts), got, err, nil)
	}
	for i := range 50 {
		starts = append(starts, b.Len())
		if err := format.MustFor[ArraysData]().Encode(b, new(arraysData(i*7))); err != nil {
			t.Fatal(err)
		}
		if i%10 == 0 {
			check()
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	check()
}

// TestReadMessagesFromAPipe: messages come through a pipe of another's pace, and
// each can be used before the next has been written.
func TestReadMessagesFromAPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Skip(err)
	}
	defer r.Close()
	run, starts := goldenRun()
	next := make(chan int)
	go func() {
		defer w.Close()
		for i := range next {
			end := len(run)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			for _, c := range run[starts[i]:end] {
				if _, err := w.Write([]byte{c}); err != nil {
					return
				}
			}
		}
	}()
	next <- 0
	i := 0
	for msg, err := range format.ReadMessages(r, 0) {
		if err != nil || !bytes.HasPrefix(run[starts[i]:], msg) {
			t.Fatalf("message %d: %v", i, err)
		}
		if i++; i == len(starts) {
			close(next)
		} else {
			next <- i
		}
	}
	if i != len(starts) {
		t.Errorf("%d messages, want %d", i, len(starts))
	}
}

// TestReadMessagesPassesErrorsOn: what the reader reports ends the run and can be
// told from the end of it, within a message and between two.
func TestReadMessagesPassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	run, starts := goldenRun()
	for _, n := range []int{0, 1, 15, 16, 17, starts[1], starts[1] + 3, starts[2], len(run)} {
		r := io.MultiReader(bytes.NewReader(run[:n]), iotest.ErrReader(broken))
		got, err := collect(t, format.ReadMessages(r, 0))
		whole := 0
		for whole < len(starts) && (whole+1 < len(starts) && starts[whole+1] <= n || n == len(run)) {
			whole++
		}
		wantEnd(t, fmt.Sprintf("an error behind %d bytes", n), run, starts, whole, got, err, broken)
		// One that says that there should have been more is no end either.
		r = io.MultiReader(bytes.NewReader(run[:n]), iotest.ErrReader(io.ErrUnexpectedEOF))
		if got, err := collect(t, format.ReadMessages(r, 0)); err == nil || len(got) != whole {
			t.Errorf("io.ErrUnexpectedEOF behind %d bytes: %d messages, %v", n, len(got), err)
		}
	}
	_, err := collect(t, format.ReadMessages(iotest.TimeoutReader(iotest.OneByteReader(bytes.NewReader(run))), 0))
	wantErr(t, "a timeout", err, iotest.ErrTimeout)
}

// TestReadMessagesLimit: a message as large as the limit is read, a larger one is an
// error with both numbers before it is.
func TestReadMessagesLimit(t *testing.T) {
	small, large := mustModelEncode(new("small")), mustModelEncode(new(string(make([]byte, 100_000))))
	run := append(bytes.Clone(small), large...)
	for _, x := range []struct {
		limit int64
		n     int
	}{{0, 2}, {-1, 2}, {int64(len(large)), 2}, {1 << 62, 2}, {int64(len(large)) - 1, 1}, {int64(len(small)), 1}, {int64(len(small)) - 1, 0}, {1, 0}} {
		got, err := collect(t, format.ReadMessages(bytes.NewReader(run), x.limit))
		if x.n == 2 {
			wantEnd(t, "limit", run, []int{0, len(small)}, 2, got, err, nil)
			continue
		}
		wantEnd(t, "limit", run, []int{0, len(small)}, x.n, got, err, format.ErrLimit)
		size := [][]byte{small, large}[x.n]
		if text := fmt.Sprint(err); !strings.Contains(text, fmt.Sprint(len(size))) || !strings.Contains(text, fmt.Sprint(x.limit)) {
			t.Errorf("limit %d, a message of %d bytes: %v", x.limit, len(size), err)
		}
	}
}

// TestReadMessagesBelievesNoSize: a header that claims 16 GiB costs what came.
func TestReadMessagesBelievesNoSize(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("no message of 16 GiB is read here")
	}
	for _, n := range []int{16, 17, 1000, 1 << 16, 1<<16 + 1, 1 << 20} {
		in := make([]byte, n)
		binary.LittleEndian.PutUint64(in, 0x4CA5|1<<16|1<<31<<32)
		var err error
		got := allocated(func() { _, err = collect(t, format.ReadMessages(bytes.NewReader(in), 0)) })
		wantErr(t, "16 GiB", err, format.ErrTruncated)
		if most := uint64(4*n + 128<<10); got > most {
			t.Errorf("%d bytes that claim 16 GiB: %d bytes allocated, want at most %d", n, got, most)
		}
	}
}

// TestReadMessagesReusesItsMemory: a long run costs what its largest message does.
func TestReadMessagesReusesItsMemory(t *testing.T) {
	msg := mustModelEncode(new(string(make([]byte, 100_000))))
	run := bytes.Repeat(msg, 100)
	n, first := 0, (*byte)(nil)
	got := allocated(func() {
		for m, err := range format.ReadMessages(bytes.NewReader(run), 0) {
			if err != nil || !bytes.Equal(m, msg) {
				t.Fatalf("message %d: %v", n, err)
			}
			if n++; n == 1 {
				first = &m[0]
			} else if first != &m[0] {
				t.Errorf("message %d is in new memory", n)
			}
		}
	})
	if n != 100 || got > 512<<10 && !raceEnabled {
		t.Errorf("%d messages, %d bytes allocated", n, got)
	}
}

// TestMessagesBreak: who leaves the loop gets no more, and of a stream what comes
// behind the message has not been read.
func TestMessagesBreak(t *testing.T) {
	run, starts := goldenRun()
	for range format.Messages(run) {
		break
	}
	r := bytes.NewReader(run)
	for i := range 3 {
		for msg, err := range format.ReadMessages(r, 0) {
			if err != nil || !bytes.HasPrefix(run[starts[i]:], msg) {
				t.Errorf("message %d: %v", i, err)
			}
			break
		}
		if at := len(run) - r.Len(); at != starts[i+1] {
			t.Errorf("%d bytes were read, want %d", at, starts[i+1])
		}
	}
}

// A loop over a stream allocates nothing for a message.
func TestReadMessagesSteadily(t *testing.T) {
	if raceEnabled {
		t.Skip("counts allocations")
	}
	msg := mustModelEncode(&Part{Name: "x"})
	run := bytes.Repeat(msg, 1100)
	n := 0
	next, stop := iter.Pull2(format.ReadMessages(bytes.NewReader(run), 0))
	defer stop()
	if got := testing.AllocsPerRun(1000, func() {
		if _, err, ok := next(); err != nil || !ok {
			t.Fatal(err, ok)
		}
		n++
	}); got != 0 {
		t.Errorf("%v allocations a message", got)
	}
	if got := testing.AllocsPerRun(1000, func() {
		if _, _, err := format.Next(run); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("Next allocates %v times", got)
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

package exchange

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// local makes both ends of a case's link in this process.
func local(t *testing.T, name Name) (source, client, server) {
	t.Helper()
	from, err := newSource(name)
	if err != nil {
		t.Fatal(err)
	}
	a, b := net.Pipe()
	t.Cleanup(func() { a.Close(); b.Close() })
	c, err := (&byteLink{r: a, w: a}).client(name, from)
	if err != nil {
		t.Fatal(err)
	}
	s, err := (&byteLink{r: b, w: b}).server(name)
	if err != nil {
		t.Fatal(err)
	}
	return from, c, s
}

// A tampering server spoils what it has found in one message, or its answers.
type tampering struct {
	server
	received, answered int
	sum                func(message int, sum uint64) uint64
	alter              func(int, answer) answer
}

func (s *tampering) receive() (uint64, error) {
	sum, err := s.server.receive()
	s.received++
	if s.sum != nil {
		sum = s.sum(s.received-1, sum)
	}
	return sum, err
}

func (s *tampering) answer(a answer) error {
	s.answered++
	if s.alter != nil {
		a = s.alter(s.answered-1, a)
	}
	return s.server.answer(a)
}

var ofEachOp = []Name{
	{Op: RoundTrip, Data: Bytes, N: Word, Link: Unix, Way: suite.Copy, Lib: Raw},
	{Op: RoundTrip, Data: suite.PrimitiveArray, N: 40, Link: Unix, Way: suite.Expert, Lib: suite.FlatBuffers},
	{Op: Stream, Data: suite.PrimitiveArray, N: 40, Link: Unix, Way: suite.Documented, Lib: suite.CapnProto},
	{Op: HandOver, Data: Bytes, N: 1000, Link: Unix, Way: suite.Copy, Lib: Raw},
}

func TestAWrongSumIsReported(t *testing.T) {
	const count = 10
	for _, name := range ofEachOp {
		for _, tt := range []struct {
			name   string
			tamper func(*tampering)
			want   string // "" for none
		}{
			{"untouched", func(*tampering) {}, ""},
			{"one sum is off by one", func(s *tampering) {
				s.sum = func(i int, sum uint64) uint64 {
					if i == 7 {
						sum++
					}
					return sum
				}
			}, "the sum of "},
			{"two sums have changed places", func(s *tampering) {
				var sums [count]uint64
				for i := range sums {
					from, err := newSource(name)
					if err != nil {
						t.Fatal(err)
					}
					sums[i] = from.sum(i)
				}
				s.sum = func(i int, sum uint64) uint64 {
					if i == 4 || i == 5 {
						return sums[9-i]
					}
					return sum
				}
			}, "the sum of "},
			{"a message is not counted", func(s *tampering) {
				s.alter = func(_ int, a answer) answer { a.count--; return a }
			}, "the answer is to "},
		} {
			t.Run(name.Op+" "+name.Data+"/"+tt.name, func(t *testing.T) {
				from, c, s := local(t, name)
				bad := &tampering{server: s}
				tt.tamper(bad)
				go serve(name, bad, count)
				_, err := drive(name, from, c, count)
				switch {
				case tt.want == "" && err != nil:
					t.Error(err)
				case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
					t.Errorf("got %v, want %q", err, tt.want)
				}
			})
		}
	}
}

// Every message differs from the one before, for every way to write it.
func TestMessagesDiffer(t *testing.T) {
	for _, name := range All() {
		from, err := newSource(name)
		if err != nil {
			t.Fatal(err)
		}
		if from.sum(1) == from.sum(2) {
			t.Errorf("%v: messages 1 and 2 have one sum", name)
		}
		arrays, ok := from.(*arraysSource)
		if !ok {
			continue
		}
		f, err := newForm(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 {
			from.set(i)
			msg, err := f.write(arrays.v)
			if err != nil {
				t.Fatal(err)
			}
			if sum, err := f.sum(msg); err != nil || sum != from.sum(i) {
				t.Errorf("%v: the sum of message %d is %#x and %v, want %#x", name, i, sum, err, from.sum(i))
			}
			if len(msg)%8 != 0 {
				t.Errorf("%v: a message of %d bytes would misalign the next one", name, len(msg))
			}
		}
	}
}

func TestTheEndOfTheLinkIsReported(t *testing.T) {
	for _, name := range ofEachOp {
		from, c, s := local(t, name)
		go func() {
			s.receive()
			s.(*byteServer).w.(io.Closer).Close()
		}()
		if _, err := drive(name, from, c, 10); err == nil {
			t.Errorf("%v: no error after the link has ended", name)
		}
	}
	for _, name := range ofEachOp {
		_, c, s := local(t, name)
		c.(*byteClient).w.(io.Closer).Close()
		if err := serve(name, s, 3); !errors.Is(err, io.EOF) {
			t.Errorf("%v: the server says %v, want EOF", name, err)
		}
	}
}

func TestADigestKnowsTheOrder(t *testing.T) {
	of := func(sums ...uint64) (d digest) {
		for _, s := range sums {
			d.add(s)
		}
		return d
	}
	if of(1, 2) == of(2, 1) || of(1, 1) == of(1) || of(0, 1) == of(1, 0) {
		t.Error("two sequences have one digest")
	}
}

package exchange

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/suite"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// A source is a value whose messages differ from one another by a number, which
// is set before each of them, so that none can pass for another.
type source interface {
	set(i int)
	sum(i int) uint64 // of the message with number i
}

// valid says whether there are such messages.
func (n Name) valid() error {
	op := n.Op == RoundTrip || n.Op == Stream || n.Op == HandOver
	data := n.Data == suite.PrimitiveArray && n.Op != HandOver || n.Data == Bytes && (n.Op == HandOver || n.N == Word)
	if op && data && n.N > 0 {
		return nil
	}
	return fmt.Errorf("no case has op %q of data %q, n=%d", n.Op, n.Data, n.N)
}

// newSource makes the value that a case sends.
func newSource(name Name) (source, error) {
	if err := name.valid(); err != nil {
		return nil, err
	}
	switch {
	case name.Data == suite.PrimitiveArray:
		return newArraysSource(name.N), nil
	case name.Op == HandOver:
		return &bytesSource{make([]byte, name.N)}, nil
	default:
		return newWordsSource(), nil
	}
}

type arraysSource struct {
	v    *workload.ArraysData
	base uint64 // the sum with number 0
}

func newArraysSource(n int) *arraysSource {
	s := &arraysSource{v: workload.NewArrays(n)}
	s.set(0)
	s.base = s.v.Sum()
	return s
}

func (s *arraysSource) set(i int)        { s.v.Ints[0] = int32(i) }
func (s *arraysSource) sum(i int) uint64 { return s.base + uint64(int32(i)) }

type wordsSource struct {
	v    words
	base uint64
}

func newWordsSource() *wordsSource {
	s := new(wordsSource)
	for i := range s.v {
		s.v[i] = uint64(i) * 0x9E3779B97F4A7C15
	}
	s.base = s.v.sum()
	return s
}

func (s *wordsSource) set(i int)        { s.v[0] = uint64(i) }
func (s *wordsSource) sum(i int) uint64 { return s.base + uint64(i) }

// bytesSource is for messages of which nothing but the first byte is read.
type bytesSource struct{ v []byte }

func (s *bytesSource) set(i int)        { s.v[0] = byte(i) }
func (s *bytesSource) sum(i int) uint64 { return uint64(byte(i)) }

package format

import (
	"encoding"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
)

// A marshaler calls the methods of a type that marshals itself (SPEC §2.6).
type marshaler struct {
	typ    reflect.Type
	text   bool // by the pair for text
	append bool // by AppendBinary or AppendText
}

func marshalerOf(t reflect.Type) *marshaler {
	m := &marshaler{typ: t, text: !hasPair(t, binaryPair)}
	pair := binaryPair
	if m.text {
		pair = textPair
	}
	appender := pair[0][1]
	m.append = reflect.PointerTo(t).Implements(appender) && !promoted(t, appender)
	return m
}

// marshal appends the bytes of what v, a pointer, points to.
func (m *marshaler) marshal(dst []byte, v any) (out []byte, err error) {
	defer m.recovered(&err, ErrType, "marshal")
	switch {
	case m.append && m.text:
		out, err = v.(encoding.TextAppender).AppendText(dst)
	case m.append:
		out, err = v.(encoding.BinaryAppender).AppendBinary(dst)
	case m.text:
		out, err = v.(encoding.TextMarshaler).MarshalText()
	default:
		out, err = v.(encoding.BinaryMarshaler).MarshalBinary()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: a %s did not marshal: %w", ErrType, m.typ, err)
	}
	return out, nil
}

// unmarshal makes what v, a pointer, points to of b.
func (m *marshaler) unmarshal(b []byte, v any) (err error) {
	defer m.recovered(&err, ErrCorrupt, "unmarshal")
	if m.text {
		err = v.(encoding.TextUnmarshaler).UnmarshalText(b)
	} else {
		err = v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
	}
	if err != nil {
		return fmt.Errorf("%w: %d bytes did not unmarshal into a %s: %w", ErrCorrupt, len(b), m.typ, err)
	}
	return nil
}

// recovered makes a panic of a method an error.
func (m *marshaler) recovered(err *error, kind error, what string) {
	if p := recover(); p != nil {
		*err = failf(kind, "a %s did not %s: its method panics: %s", m.typ, what, panicText(p))
	}
}

// panicText says what a panic was about, as far as that can be said without running more of what panics.
func panicText(p any) string {
	switch p := p.(type) {
	case runtime.Error:
		return p.Error()
	case string:
		return p
	}
	return fmt.Sprintf("a value of type %T", p)
}

// scratch keeps memory for what methods append to.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// mostScratch is how many bytes are kept.
const mostScratch = 64 << 10

func giveScratch(b *[]byte) {
	if cap(*b) <= mostScratch {
		scratch.Put(b)
	}
}

// A method may call this package for its own type, and so for ever: a stack that grows too large ends
// the process and cannot be recovered from. Runs of codecs that call methods are counted. Only when there
// are more than usual, be it in as many goroutines, is the stack looked at.
const (
	manyRuns   = 16 // more than processors
	manyDeep   = 100
	manyFrames = 64 << 10
)

var runs atomic.Int64

// enterRun counts a run; it returns an error when this goroutine is in too many.
func enterRun() error {
	if n := runs.Add(1); n > manyRuns && n > manyRuns+int64(runtime.GOMAXPROCS(0)) && runsBelow() > manyDeep {
		runs.Add(-1)
		return failf(ErrLimit, "a marshaling method calls itself through this package more than %d times, or too deep", manyDeep)
	}
	return nil
}

func leaveRun() { runs.Add(-1) }

var stacks = sync.Pool{New: func() any { return new([manyFrames]uintptr) }}

// runsBelow returns in how many runs this goroutine is. A stack that is too long to be looked at counts as
// too many.
func runsBelow() (n int) {
	pcs := stacks.Get().(*[manyFrames]uintptr)
	defer stacks.Put(pcs)
	found := runtime.Callers(2, pcs[:])
	if found == manyFrames {
		return manyDeep + 1
	}
	frames := runtime.CallersFrames(pcs[:found])
	for {
		f, more := frames.Next()
		if f.Func != nil && (f.Entry == marshals || f.Entry == unmarshals) {
			n++
		}
		if !more {
			return n
		}
	}
}

// Where the functions begin that call methods, by which runsBelow knows them.
var (
	marshals   = reflect.ValueOf((*marshaler).marshal).Pointer()
	unmarshals = reflect.ValueOf((*marshaler).unmarshal).Pointer()
)

package format

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The causes of an [Error]. Use errors.Is to tell them apart.
var (
	// ErrSchema: the message is of another type, or of a form that this codec does not read.
	ErrSchema = errors.New("schema mismatch")
	// ErrCorrupt: the bytes are not a message, or break a rule of the format.
	ErrCorrupt = errors.New("corrupt message")
	// ErrTruncated: there are fewer bytes than the message says it has.
	ErrTruncated = errors.New("truncated message")
	// ErrLimit: a limit was met; the text names it and both numbers.
	ErrLimit = errors.New("limit exceeded")
	// ErrCycle: the value refers to itself.
	ErrCycle = errors.New("cyclic value")
	// ErrIndex: an index is out of range, or there are too many or too few of them.
	ErrIndex = errors.New("index out of range")
	// ErrType: a Go type, or a nil target, that cannot be written or read.
	ErrType = errors.New("unsupported type")
)

// An Error says which operation failed, where, and why. Its cause is one of the Err variables of this
// package, or one of package buffer's (ErrFull, ErrClosed, ErrReadOnly); errors.Is finds it.
type Error struct {
	Op     string // the operation: "encode", "decode", "verify", "codec", ...
	Path   string // the field by the names in the schema, such as Images[2].URI; empty for the root
	Offset int64  // bytes from the start of the message; -1 where no offset applies
	Err    error  // the cause
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("ashlar: ")
	b.WriteString(e.Op)
	if e.Path != "" {
		b.WriteByte(' ')
		b.WriteString(e.Path)
	}
	if e.Offset >= 0 {
		b.WriteString(" at byte ")
		b.WriteString(strconv.FormatInt(e.Offset, 10))
	}
	b.WriteString(": ")
	b.WriteString(e.Err.Error())
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// failf makes a cause: one of the sentinel errors with what was found and what was expected.
func failf(kind error, text string, args ...any) error {
	return fmt.Errorf("%w: %s", kind, fmt.Sprintf(text, args...))
}

// A step is one segment of a path: a field of a block and, where index is not negative, an element
// below it.
type step struct {
	name  string
	index int
}

// A trail collects the steps from where an error occurred up to the root. It is made when an error
// occurs, so that a walk without errors pays nothing for it. Of a long path it keeps both ends: the
// first trailEnd steps are the innermost, innermost first; the rest is a ring of the outermost.
type trail struct {
	steps []step
	n     int
}

const trailEnd = 8

func (t *trail) add(name string, index int) {
	switch {
	case t == nil:
		return
	case t.n < 2*trailEnd:
		t.steps = append(t.steps, step{name, index})
	default:
		t.steps[trailEnd+t.n%trailEnd] = step{name, index}
	}
	t.n++
}

func (t *trail) String() string {
	if t == nil {
		return ""
	}
	var b strings.Builder
	put := func(s step) {
		if s.name != "" {
			if b.Len() > 0 && s.name[0] != '[' {
				b.WriteByte('.')
			}
			b.WriteString(s.name)
		}
		if s.index >= 0 {
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(s.index))
			b.WriteByte(']')
		}
	}
	for i := t.n - 1; i >= trailEnd && i >= t.n-trailEnd; i-- {
		put(t.steps[trailEnd+i%trailEnd])
	}
	if left := t.n - 2*trailEnd; left > 0 {
		fmt.Fprintf(&b, "...(%d more)", left)
	}
	for i := min(t.n, trailEnd) - 1; i >= 0; i-- {
		put(t.steps[i])
	}
	return b.String()
}

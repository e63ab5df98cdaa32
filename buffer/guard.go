package buffer

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// ErrFault says that mapped memory could not be read, most likely because its
// file has become shorter. Errors that are ErrFault are of type [*FaultError].
var ErrFault = errors.New("buffer: fault")

// A FaultError is what [Buffer.Guard] makes of a fault.
type FaultError struct {
	// Offset is where the access failed, in bytes from the start of the
	// Buffer. Processors tell it exactly or rounded down to the page.
	Offset int
	// Size is how many bytes of the Buffer were mapped.
	Size int
}

func (e *FaultError) Error() string {
	return fmt.Sprintf("%v at offset %d of %d bytes: the file is shorter than it was, or cannot be read", ErrFault, e.Offset, e.Size)
}

// Unwrap returns [ErrFault].
func (e *FaultError) Unwrap() error { return ErrFault }

// Guard calls read with Bytes and returns what read returns. If meanwhile a
// page of the Buffer cannot be had, because another process has made the file
// shorter or the disk fails, the error is [ErrFault] and gives the offset;
// without Guard that ends the process. A closed Buffer is ErrClosed, and read
// is not called.
//
// The guard is for this goroutine only, and not for goroutines that read
// starts. It is for Go code, not C. A system call that is handed such memory
// returns an error of its own (EFAULT) wherever it is made. What aliases the
// Buffer is guarded while read runs, and no longer.
//
// A fault cuts read short wherever it is, as a panic does: its deferred calls
// run, and a value that it was filling is left half filled. A panic of read's
// own goes through, and so does a fault anywhere else, as a panic too: under
// Guard [debug.SetPanicOnFault] is set.
//
// It costs some tens of nanoseconds per call and nothing per access. It works
// where Go turns faults into panics: on Unix systems, Windows and Plan 9.
func (b *Buffer) Guard(read func(p []byte) error) (err error) {
	if b.closed {
		return ErrClosed
	}
	base, size := address(b.mem), len(b.mem)
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		r := recover()
		if r == nil {
			return
		}
		size = max(size, len(b.mem)) // when read has appended to b
		fault, ok := r.(interface {
			runtime.Error
			Addr() uintptr
		})
		if !ok || fault.Addr()-base >= uintptr(size) {
			panic(r)
		}
		err = &FaultError{int(fault.Addr() - base), size}
	}()
	return read(b.Bytes())
}

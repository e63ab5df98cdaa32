package format

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"net"
	"sync"

	"github.com/ashlar-go/ashlar/buffer"
)

// Messages goes through the messages that stand one behind another in b, a slice or a mapped file (SPEC
// §1.3). Each is a part of b. The run ends where b does, or at a word of zero in a file that was allocated
// ahead. What is no message, or is cut short, is yielded as an [*Error] of ErrCorrupt or ErrTruncated,
// whose offset is that in b, and ends the run.
func Messages(b []byte) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for rest := b; ; {
			msg, next, err := Next(rest)
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, runError(err, int64(len(b)-len(rest))))
				return
			}
			if !yield(msg, nil) {
				return
			}
			rest = next
		}
	}
}

// runError is err with the offset that the message has in its run.
func runError(err error, at int64) error {
	cause := err
	var e *Error
	if errors.As(err, &e) {
		cause = e.Err
	}
	return &Error{Op: "read", Offset: at, Err: cause}
}

// ReadMessages goes through the messages that r yields, in pieces of any size. A message is good until the
// next one is asked for; the memory for it grows as it comes, up to limit bytes a message, where 0 or less
// means 16 GiB. Errors are yielded and end the run: ErrTruncated where r ends within a message, ErrCorrupt,
// ErrLimit with both numbers, each an [*Error] whose offset is that of the message in the stream; and what
// r itself reports.
func ReadMessages(r io.Reader, limit int64) iter.Seq2[[]byte, error] {
	if limit <= 0 || limit > math.MaxInt {
		limit = min(maxMessage, math.MaxInt)
	}
	return func(yield func([]byte, error) bool) {
		var memory []byte // of whole words, so that messages are aligned
		for at := int64(0); ; {
			msg, err := readMessage(r, &memory, limit)
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, runError(err, at))
				return
			}
			at += int64(len(msg))
			if !yield(msg, nil) {
				return
			}
		}
	}
}

// readPiece is how many bytes a message is given room for before any of it has come.
const readPiece = 64 << 10

// readMessage reads one message into memory, which it makes larger as it must. At the end it is io.EOF.
func readMessage(r io.Reader, memory *[]byte, limit int64) ([]byte, error) {
	if len(*memory) == 0 {
		*memory = newBytes(readPiece)
	}
	head := (*memory)[:headerSize]
	n, err := io.ReadFull(r, head)
	if err == io.ErrUnexpectedEOF && n > 0 {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	first := firstWord(head[:n])
	if first == [8]byte{} {
		return nil, io.EOF // SPEC §1.4
	}
	size, _, err := parseHeader(first, n)
	if err != nil {
		return nil, err
	}
	if size > uint64(limit) {
		return nil, failf(ErrLimit, "the header says %d bytes, at most MaxMessage %d", size, limit)
	}
	for have := uint64(headerSize); have < size; {
		if have == uint64(len(*memory)) {
			more := newBytes(up8(min(size, 2*have)))
			copy(more, *memory)
			*memory = more
		}
		n, err := io.ReadFull(r, (*memory)[have:min(size, uint64(len(*memory)))])
		have += uint64(n)
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil, failf(ErrTruncated, "%d bytes, the header says %d", have, size)
		}
		if err != nil {
			return nil, fmt.Errorf("after %d bytes of a message of %d: %w", have, size, err)
		}
	}
	return (*memory)[:size:size], nil
}

// Clone returns a copy of v that shares nothing with it, such as one that outlives the message that
// DecodeAlias has made v of. It has what a message has: fields that are not written are zero.
func (c *Codec[T]) Clone(v *T) (*T, error) {
	msg, err := c.Append(nil, v)
	if err != nil {
		return nil, err
	}
	out := new(T)
	if err := c.Decode(msg, out); err != nil {
		return nil, err
	}
	return out, nil
}

// Gather is [Codec.Encode] that leaves large arrays where they are: it appends to dst the pieces whose
// concatenation is the message of v. Slices of plain elements without gaps between their fields that have
// 512 bytes or more are pieces of their own, in v's memory; all else is written into b, at the next
// multiple of 8. The pieces are good, and must only be read, as long as b's memory and v's arrays are, and
// unchanged. With dst[:0] and a b that was Reset a loop allocates nothing.
//
// Errors: those of Encode. Then dst is returned as it was and b's length is unmoved.
func (c *Codec[T]) Gather(dst net.Buffers, b *buffer.Buffer, v *T) (net.Buffers, error) {
	if v == nil {
		return dst, nilError("gather", c.core.typ)
	}
	pieces, _, err := c.core.gather(dst, b, ptrOf(v))
	return pieces, err
}

// A parcel is what WriteTo keeps for the next message.
type parcel struct {
	pieces net.Buffers
	left   net.Buffers // of pieces, those that are not yet written
	room   *buffer.Buffer
}

var parcels = sync.Pool{New: func() any { return &parcel{room: buffer.New(4096)} }}

// WriteTo writes the message of v to w and returns how many bytes were written. Large arrays are written
// from where they are, as [Codec.Gather] has them, to a TCP or unix connection by net.Buffers.
func (c *Codec[T]) WriteTo(w io.Writer, v *T) (int64, error) {
	if v == nil {
		return 0, nilError("encode", c.core.typ)
	}
	return c.core.writeTo(w, ptrOf(v))
}

func (c *core) writeTo(w io.Writer, src ptr) (int64, error) {
	p := parcels.Get().(*parcel)
	defer func() {
		clear(p.pieces[:cap(p.pieces)])
		p.pieces, p.left = p.pieces[:0], nil
		p.room.Reset()
		if p.room.Cap() <= mostScratch {
			parcels.Put(p)
		}
	}()
	pieces, lacks, err := c.gather(p.pieces, p.room, src)
	for lacks > 0 {
		p.room = buffer.New(int(max(lacks, 2*uint64(p.room.Cap()))))
		pieces, lacks, err = c.gather(p.pieces, p.room, src)
	}
	if err != nil {
		return 0, err
	}
	p.pieces = pieces
	if _, ok := w.(net.Conn); ok {
		p.left = pieces
		return p.left.WriteTo(w)
	}
	sum := int64(0)
	for _, b := range pieces {
		n, err := w.Write(b)
		sum += int64(n)
		if err == nil && n < len(b) {
			err = io.ErrShortWrite
		}
		if err != nil {
			return sum, err
		}
	}
	return sum, nil
}

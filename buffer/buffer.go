package buffer

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
)

var (
	// ErrFull says that the bytes asked for do not fit between Len and Cap.
	// The text of the error that wraps it gives the three numbers.
	ErrFull = errors.New("buffer: full")

	// ErrClosed says that the Buffer has been closed.
	ErrClosed = errors.New("buffer: closed")
)

// firstChunk is how many bytes an OffHeap Buffer commits at the least. It is a
// multiple of the page size of every platform Go runs on.
const firstChunk = 64 << 10

// A Buffer is contiguous memory with a length, which is what has been written,
// and a capacity, beyond which it never grows. An address that it hands out
// stays valid until Close.
//
// A Buffer must not be copied, and is used by one goroutine at a time. The
// zero Buffer has capacity 0.
type Buffer struct {
	mem   []byte // writable without further ado; capacity equal to length, at most limit
	n     int    // bytes written: mem[:n]
	limit int    // bytes that mem may grow to

	// space is the reservation of a Buffer of OffHeap, Create or Append, guard page
	// included, of which mem is the first part; nil for memory that never grows.
	space []byte
	file  *file // of Create or Append, or nil

	readOnly bool // mem is what Open mapped, all of it taken
	closed   bool
}

// New returns an empty Buffer of capacity bytes on the Go heap, zeroed, all of
// it allocated now. Its first byte lies at a multiple of 8.
//
// New panics if capacity is negative, and fails as make does when there is not
// that much memory.
func New(capacity int) *Buffer {
	if capacity < 0 {
		panic(fmt.Sprintf("buffer: New with a negative capacity of %d bytes", capacity))
	}
	return Wrap(makeAligned(capacity))
}

// Wrap returns an empty Buffer that writes into p. Its capacity is len(p);
// nothing is written past that, whatever cap(p). It begins where p does,
// aligned or not. The memory remains the caller's, who must not write to it
// while the Buffer is in use. It is not among the [Live] ranges.
func Wrap(p []byte) *Buffer {
	return &Buffer{mem: p[:len(p):len(p)], limit: len(p)}
}

// OffHeap returns an empty Buffer that can grow to limit bytes outside the Go
// heap. It reserves the address space at once, rounded up to whole pages and
// followed by a page that faults when touched, and commits memory as Len
// grows. Its first byte lies at the start of a page, and its memory is zero
// when first committed. It must be closed.
//
// The error tells of a limit less than 1 or beyond what the process can
// address, or wraps what the system said. Where OffHeap does not exist, it is
// errors.ErrUnsupported.
func OffHeap(limit int) (*Buffer, error) {
	space, err := reserveLimit("OffHeap", limit)
	if err != nil {
		return nil, err
	}
	b := &Buffer{limit: limit, space: space}
	live.add(b.span())
	return b, nil
}

// reserveLimit reserves limit bytes of address space, rounded up to whole
// pages, and the guard page, for a call of the function named.
func reserveLimit(function string, limit int) ([]byte, error) {
	if limit < 1 {
		return nil, fmt.Errorf("buffer: %s with a limit of %d bytes, want at least 1", function, limit)
	}
	page := os.Getpagesize()
	if most := math.MaxInt - 2*page; limit > most {
		return nil, fmt.Errorf("buffer: %s with a limit of %d bytes, want at most %d", function, limit, most)
	}
	space, err := reserve(roundUp(limit, page) + page)
	if err != nil {
		return nil, fmt.Errorf("buffer: reserve %d bytes off heap: %w", limit, err)
	}
	return space, nil
}

// Bytes returns what has been written, Len bytes with capacity equal to
// length. It is good until Close; after a Reset its content changes as the
// Buffer is written again. A closed Buffer returns nil.
func (b *Buffer) Bytes() []byte { return b.mem[:b.n:b.n] }

// Len returns the number of bytes written; 0 when closed.
func (b *Buffer) Len() int { return b.n }

// Cap returns the number of bytes that can be written in all, exactly as it
// was asked for; 0 when closed.
func (b *Buffer) Cap() int { return b.limit }

// Reset sets Len to 0. It neither clears the memory nor gives any back: what
// Extend and Reserve return next still holds the old bytes, and the memory
// committed so far stays (see Trim); in a build with the tag ashlar_debug the
// bytes that were written become 0xDB. On a closed Buffer and on one of [Open]'s
// it does nothing.
func (b *Buffer) Reset() {
	if !b.readOnly {
		if poisons {
			poison(b.mem[:b.n])
		}
		b.n = 0
	}
}

// Extend appends n bytes and returns them, a slice whose length and capacity
// are n. It does not clear them: they hold whatever the memory held. They are
// good until Close.
//
// When n bytes do not fit in Cap the error is ErrFull; when the Buffer has
// been closed, ErrClosed; when it is one of [Open]'s, ErrReadOnly; it wraps
// what the system said when that has no memory or no room on the disk left. n
// must not be negative. Len is unmoved after any error.
func (b *Buffer) Extend(n int) ([]byte, error) {
	p, err := b.Reserve(n)
	if err != nil {
		return nil, err
	}
	b.n += n
	return p[:n:n], nil
}

// Reserve makes at least n bytes beyond Len writable and returns all that is
// writable there, a slice of n bytes or more whose capacity equals its length.
// Len is unmoved, and the bytes hold whatever the memory held. As long as
// nothing else is appended, an Extend of up to that many bytes covers the same
// memory and cannot fail. What is not so taken has no lasting content.
//
// Errors are those of Extend.
func (b *Buffer) Reserve(n int) (free []byte, err error) {
	// Written so that it inlines, at the very edge of the budget. The
	// comparison holds for n < 1 as well, and for any n when mem is nil, which
	// is how a closed Buffer gets to reserveSlow.
	free = b.mem[b.n:]
	if uint(n-1) >= uint(len(free)) {
		free, err = b.reserveSlow(n)
	}
	return
}

// reserveSlow is Reserve where mem has to grow, n is less than 1 or there is
// an error.
func (b *Buffer) reserveSlow(n int) ([]byte, error) {
	switch {
	case b.closed:
		return nil, ErrClosed
	case b.readOnly:
		return nil, ErrReadOnly
	case n < 0:
		return nil, fmt.Errorf("buffer: a negative size of %d bytes", n)
	case n > b.limit-b.n:
		return nil, fmt.Errorf("%w: %d bytes wanted, %d free, capacity %d", ErrFull, n, b.limit-b.n, b.limit)
	case n == 0:
		return b.mem[b.n:], nil
	}

	// Only mem that ends short of the limit comes here: it ends at a page.
	page := os.Getpagesize()
	from, need := len(b.mem), roundUp(b.n+n, page)
	to := chunkEnd(need, len(b.space)-page)
	if b.file != nil {
		to = fileEnd(need, from, len(b.space)-page)
	}
	err := b.grow(from, to)
	if err != nil && need < to {
		// The step was larger than it had to be.
		to = need
		err = b.grow(from, to)
	}
	if err != nil {
		return nil, fmt.Errorf("buffer: grow by %d bytes beyond %d of %d: %w", to-from, from, b.limit, err)
	}
	end := min(to, b.limit)
	b.mem = b.space[:end:end]
	return b.mem[b.n:], nil
}

// grow makes whole pages of space readable and writable.
func (b *Buffer) grow(from, to int) error {
	if b.file != nil {
		return b.file.grow(b.space, from, to, b.limit)
	}
	return commit(b.space[from:to])
}

// chunkEnd returns how many bytes are to be committed in all so that need are:
// firstChunk doubled as often as it takes, at most end. need is at most end.
func chunkEnd(need, end int) int {
	to := firstChunk
	for to < need {
		if to > end/2 {
			return end
		}
		to *= 2
	}
	return min(to, end)
}

// Trim gives the memory beyond Len, from the next page on, back to the system.
// The addresses stay valid and writable; what they held is lost, including
// anything written to a slice from Reserve and not yet taken with Extend.
// After a Reset that is everything. Linux frees the memory at once, other
// systems may wait until they have a use for it.
//
// The room that a file of [Create] or [Append] has on the disk it cannot give
// back: the addresses would no longer be good for writing. There it writes zero
// over all that is beyond Len, so that who reads the file finds nothing behind it.
//
// Trim does nothing for New and Wrap, whose memory is of fixed size, and for
// Open. The error is ErrClosed or wraps what the system said.
func (b *Buffer) Trim() error {
	if b.closed {
		return ErrClosed
	}
	if b.space == nil {
		return nil
	}
	if b.file != nil {
		wipe(b.mem[b.n:])
		return nil
	}
	page := os.Getpagesize()
	from, to := roundUp(b.n, page), roundUp(len(b.mem), page)
	if from == to {
		return nil
	}
	if err := discard(b.space[from:to]); err != nil {
		return fmt.Errorf("buffer: trim %d bytes beyond %d: %w", to-from, from, err)
	}
	return nil
}

// Truncate sets Len to n bytes, which must not be more than Len, and clears what
// it cuts off: it reads as zero from then on, in a file too. It begins at the
// front, so that a run of messages that is cut off between two of them ends there
// at once (SPEC §1.4). Addresses stay valid. In a build with the tag ashlar_debug
// only the first 8 bytes of memory that is no file read as zero.
//
// The error is ErrClosed, or [ErrReadOnly] for a Buffer of [Open], or says that n
// is out of range. Len is unmoved then.
func (b *Buffer) Truncate(n int) error {
	switch {
	case b.closed:
		return ErrClosed
	case b.readOnly:
		return ErrReadOnly
	case n < 0 || n > b.n:
		return fmt.Errorf("buffer: truncate to %d bytes, want 0 to %d", n, b.n)
	}
	wipe(b.mem[n:b.n])
	if poisons && b.file == nil && b.n-n > 8 {
		poison(b.mem[n+8 : b.n])
	}
	b.n = n
	return nil
}

// zeros is what wipe compares with.
var zeros [4096]byte

// wipe clears p from front to back. It leaves alone what is zero, for a page that
// is written to has to go to the disk.
func wipe(p []byte) {
	first := min(8, len(p))
	clear(p[:first])
	for p = p[first:]; len(p) > 0; {
		n := min(len(zeros), len(p))
		if !bytes.Equal(p[:n], zeros[:n]) {
			clear(p[:n])
		}
		p = p[n:]
	}
}

// Close gives up the memory; that of OffHeap, Create, Append and Open goes back to the
// system, and touching a slice of it afterwards is a fault as long as its addresses
// are kept (see the package comment). From then on Bytes is nil, Len and Cap are 0, and every method that
// returns an error returns ErrClosed, a second Close too.
//
// A file of Create or Append is cut off at Len. Close does not Sync it.
//
// Should the system refuse to unmap, the error wraps what it said, and the
// Buffer stays open. Should it refuse to cut off the file, the error says so,
// the Buffer is closed, and the file ends with bytes that are not part of it:
// zeros, unless there was more in it before a Reset.
func (b *Buffer) Close() error {
	if b.closed {
		return ErrClosed
	}
	if b.space != nil || b.readOnly {
		// Where the addresses are not kept, the range can be another Buffer's at
		// any moment, so it leaves the registry first.
		live.remove(b.span())
		if err := b.unmap(); err != nil {
			live.add(b.span())
			return fmt.Errorf("buffer: unmap: %w", err)
		}
	}
	var err error
	if b.file != nil {
		err = errors.Join(b.file.Truncate(int64(b.n)), b.file.Close())
	}
	*b = Buffer{closed: true}
	if err != nil {
		return fmt.Errorf("buffer: close: %w", err)
	}
	return nil
}

func (b *Buffer) unmap() error {
	if b.readOnly {
		return closeView(b.mem)
	}
	return retire(spanOf(b.space))
}

// span returns the addresses that b has mapped or reserved, without the guard
// page, where nothing can lie.
func (b *Buffer) span() span {
	if b.readOnly {
		return spanOf(b.mem)
	}
	return spanOf(b.space[:len(b.space)-os.Getpagesize()])
}

// roundUp returns n rounded up to a multiple of page, a power of two.
func roundUp(n, page int) int { return (n + page - 1) &^ (page - 1) }

package format

import (
	"encoding/binary"
	"fmt"
	"io"
)

// The header of a message, SPEC §1.
const (
	magic      = 0x4CA5
	version    = 1
	headerSize = 16

	flagGraph       = 1 << 0
	flagDescription = 1 << 1
)

// Limits of the format itself, SPEC §7.
const (
	maxWords   = 1 << 31
	maxMessage = maxWords * 8
	maxCount   = 1<<32 - 1
	maxElem    = 1<<31 - 1 // bytes of a slice element's block
	maxBlock   = maxMessage - 1
	maxNesting = 1000

	defaultDepth = 10_000
)

// An object of largeObject bytes or more begins at a multiple of a cache line, SPEC §3.6.
const (
	largeObject = 512
	cacheLine   = 64
)

func upLarge(n uint64) uint64 { return (n + cacheLine - 1) &^ (cacheLine - 1) }

// up8 rounds a number of bytes up to whole words.
func up8(n uint64) uint64 { return (n + 7) &^ 7 }

// header returns the first word of a message of size bytes without flags.
func header(size uint64) uint64 { return magic | version<<16 | size/8<<32 }

// firstWord returns the first 8 bytes of b, or what there is of them before zeros. They are loaded at once
// and not again: in a file that grows the writer may just be storing them.
func firstWord(b []byte) (first [8]byte) {
	if len(b) < 8 {
		copy(first[:], b)
		return first
	}
	binary.LittleEndian.PutUint64(first[:], load64(b, 0))
	return first
}

// parseHeader checks the header of a message of which n bytes are there, and returns the message's size in
// bytes.
func parseHeader(first [8]byte, n int) (size uint64, flags uint8, err error) {
	if n >= 2 && binary.LittleEndian.Uint16(first[:]) != magic {
		return 0, 0, failf(ErrCorrupt, "magic is %02x %02x, want a5 4c", first[0], first[1])
	}
	if n < headerSize {
		return 0, 0, failf(ErrTruncated, "%d bytes, a header has %d", n, headerSize)
	}
	if first[2] != version {
		return 0, 0, failf(ErrCorrupt, "format version is %d, want %d", first[2], version)
	}
	flags = first[3]
	if flags&^(flagGraph|flagDescription) != 0 {
		return 0, 0, failf(ErrCorrupt, "unknown flags %#02x", flags)
	}
	words := uint64(binary.LittleEndian.Uint32(first[4:]))
	if words < headerSize/8 || words > maxWords {
		return 0, 0, failf(ErrCorrupt, "size is %d words, want %d to %d", words, headerSize/8, uint64(maxWords))
	}
	return words * 8, flags, nil
}

// Next splits a run of messages, as they stand one behind another in a file or a buffer (SPEC §1.3):
// msg is the first message of b and rest is what follows it. Both are parts of b; msg's capacity is its
// length. Only the header is looked at.
//
// The error is ErrTruncated when b ends before the message does, and ErrCorrupt when b does not begin
// with a message. At the end of a run, where b is empty or goes on with a word of zero (SPEC §1.4), the
// error is also io.EOF.
func Next(b []byte) (msg, rest []byte, err error) {
	first := firstWord(b)
	size, _, err := parseHeader(first, len(b))
	switch {
	case len(b) == 0:
		err = fmt.Errorf("%w, %w", io.EOF, err)
	case err != nil && first == [8]byte{}:
		err = fmt.Errorf("%w: the run of messages ends before zeros: %w", io.EOF, err)
	}
	if err == nil && size > uint64(len(b)) {
		err = failf(ErrTruncated, "%d bytes, the header says %d", len(b), size)
	}
	if err != nil {
		return nil, b, &Error{Op: "next", Offset: 0, Err: err}
	}
	return b[:size:size], b[size:], nil
}

// Peek returns the fingerprint of the type of the message that b begins with, to choose a codec by. It
// needs the message's first 16 bytes. The errors are those of [Next].
func Peek(b []byte) (fingerprint uint64, err error) {
	if _, _, err := parseHeader(firstWord(b), len(b)); err != nil {
		return 0, &Error{Op: "peek", Offset: 0, Err: err}
	}
	return binary.LittleEndian.Uint64(b[8:]), nil
}

package exchange

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
)

const (
	prefix    = 8        // bytes of a message's length
	readAhead = 64 << 10 // bytes that are read at once, if messages are shorter
	largest   = 64 << 20 // bytes of a message
)

// A frameWriter writes messages to a stream, each with its length in front, in
// one call.
type frameWriter struct {
	w      io.Writer
	length [prefix]byte
	parts  [2][]byte
	bufs   net.Buffers
}

func (f *frameWriter) write(msg []byte) error {
	binary.LittleEndian.PutUint64(f.length[:], uint64(len(msg)))
	f.parts = [2][]byte{f.length[:], msg}
	f.bufs = f.parts[:]
	_, err := f.bufs.WriteTo(f.w) // writev, if w is a socket
	return err
}

// A frameReader reads messages from a stream into memory that it reuses.
type frameReader struct {
	r    io.Reader
	buf  []byte // aligned to 8, as are messages whose lengths are multiples of 8
	from int    // where in buf the next message's length begins
	to   int    // where in buf the bytes end that have been read
	last int    // the length of the last message with its prefix
}

// next returns the next message, which is good until the call after it.
func (f *frameReader) next() ([]byte, error) {
	if f.from == f.to {
		f.from, f.to = 0, 0
	}
	need, known := max(f.last, prefix), false // of the message, guessed at first
	for {
		if have := f.to - f.from; have >= prefix {
			size := binary.LittleEndian.Uint64(f.buf[f.from:])
			if size > largest {
				return nil, fmt.Errorf("a message of %d bytes, at most %d", size, largest)
			}
			need, known = prefix+int(size), true
			if have >= need {
				break
			}
		}
		if err := f.more(need, known); err != nil {
			return nil, err
		}
	}
	msg := f.buf[f.from+prefix : f.from+need : f.from+need]
	f.from += need
	f.last = need
	return msg, nil
}

// more reads once. It makes room for a message of need bytes and for the length
// of the one after it, and takes more than that only if messages are short: the
// rest would have to be moved to the front.
func (f *frameReader) more(need int, known bool) error {
	want := need + prefix
	if f.from+want > len(f.buf) {
		buf := f.buf
		if want > len(buf) {
			buf = make([]byte, (max(want, readAhead)+7)&^7)
		}
		f.to = copy(buf, f.buf[f.from:f.to])
		f.from, f.buf = 0, buf
	}
	limit := f.from + want
	if want < readAhead {
		limit = len(f.buf)
	}
	n, err := f.r.Read(f.buf[f.to:limit])
	f.to += n
	if n > 0 {
		return nil // an error will come again
	}
	if err == io.EOF && (known || f.to > f.from) {
		return io.ErrUnexpectedEOF
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

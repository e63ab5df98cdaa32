package format

import (
	"net"

	"github.com/ashlar-go/ashlar/buffer"
)

// A gathering is a message in pieces: parts of what the encoder writes, and between them arrays of the
// value where they lie.
type gathering struct {
	on     bool
	pieces net.Buffers
	from   uint64 // where in the encoder's memory the next piece begins
}

// cut ends the piece that has been written.
func (e *encoder) cut() {
	g := &e.gather
	if g.from < e.end {
		g.pieces = append(g.pieces, e.m[g.from:e.end:e.end])
	}
}

// reference makes the n plain elements at data a piece, for the ref at w. Zeros that must follow them are
// the end of a word of the next piece.
func (e *encoder) reference(w uint64, data ptr, n, size uint64) bool {
	store64(e.m, w, (e.end+e.skip-w-e.delta)>>3|n<<32)
	e.cut()
	g := &e.gather
	g.pieces = append(g.pieces, memory(data, size))
	g.from = e.end
	e.skip += up8(size)
	if pad := up8(size) - size; pad > 0 {
		at, ok := e.alloc(8)
		if !ok {
			return false
		}
		store64(e.m, at, 0)
		e.skip -= 8
		g.from = e.end - pad
	}
	return true
}

// gather writes the message of the value at src behind what b holds and appends its pieces to dst. If
// b has too little room, lacks is how many bytes may do.
func (c *core) gather(dst net.Buffers, b *buffer.Buffer, src ptr) (pieces net.Buffers, lacks uint64, err error) {
	if b == nil {
		return dst, 0, &Error{Op: "gather", Offset: -1, Err: errNoBuffer}
	}
	var e encoder
	e.codec, e.src, e.buf, e.had = c, src, b, b.Len()
	e.gather.on, e.gather.pieces = true, dst
	e.gap = -b.Len() & 7
	if free, err := b.Reserve(e.gap + headerSize); err == nil {
		e.m = free[e.gap:] // else grow finds out what is wrong
	}
	if !e.run() {
		return dst, e.lacks, c.encodeError("gather", &e)
	}
	e.cut()
	out, err := extend(b, e.had, e.gap+int(e.end))
	if err != nil {
		return dst, 0, &Error{Op: "gather", Offset: -1, Err: err}
	}
	clear(out[:e.gap])
	return e.gather.pieces, 0, nil
}

package suite

import (
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/buffer"
)

// memory is where messages are to lie, of the kind that the level buffer names.
type memory struct {
	buf   *buffer.Buffer // empty, for whom a Buffer is at home
	all   []byte         // all of its memory, for the others
	local bool           // on the Go heap
}

// newMemory gets memory of at least size bytes, aligned to 8 at both ends. It
// has been written to, so that it is there and warm.
func newMemory(kind string, size int) (*memory, error) {
	size = (size + 7) &^ 7
	m := &memory{local: kind == Heap}
	if m.local {
		m.buf = buffer.New(size)
	} else {
		var err error
		if m.buf, err = buffer.OffHeap(size); err != nil {
			return nil, err
		}
	}
	var err error
	if m.all, err = m.buf.Extend(size); err != nil {
		m.buf.Close()
		return nil, err
	}
	m.buf.Reset()
	for i := range m.all {
		m.all[i] = 0xff
	}
	return m, nil
}

// put copies a message into the memory.
func (m *memory) put(msg []byte) []byte {
	n := copy(m.all, msg)
	return m.all[:n:n]
}

// holds reports whether p lies in the memory.
func (m *memory) holds(p []byte) bool { return raw.Within(m.all, p) }

func (m *memory) close() { m.buf.Close() }

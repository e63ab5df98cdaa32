package suite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/edsrzf/mmap-go"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/shm"
)

// memory is where messages are to lie, of the kind that the level buffer names.
type memory struct {
	kind    string
	buf     *buffer.Buffer // empty, for whom a Buffer is at home; none in Shm
	all     []byte         // all of the memory, for the others
	local   bool           // on the Go heap
	closers []func() error

	// place makes a message one to be read, and returns where readers see it. A
	// message of the same length comes to the same place.
	place func(msg []byte) ([]byte, error)
	seen  []byte // what place returned
}

// newMemory gets memory of at least size bytes, aligned to 8 at both ends. It
// has been written to, so that it is there and warm. The error is
// errors.ErrUnsupported where the system has no such memory.
func newMemory(kind string, size int) (m *memory, err error) {
	size = (size + 7) &^ 7
	m = &memory{kind: kind, local: kind == Heap}
	m.place = func(msg []byte) ([]byte, error) { return m.put(msg), nil }
	defer func() {
		if err != nil {
			m.close()
		}
	}()
	switch kind {
	case Heap:
		m.buf = buffer.New(size)
	case OffHeap:
		m.buf, err = buffer.OffHeap(size)
	case Mmap:
		err = m.openFile(size)
	case Shm:
		err = m.openShared(size)
	default:
		err = fmt.Errorf("no memory of kind %q", kind)
	}
	if err != nil {
		return m, err
	}
	if m.buf != nil {
		m.closers = append(m.closers, m.buf.Close)
		if m.all, err = m.buf.Extend(size); err != nil {
			return m, err
		}
		m.buf.Reset()
	}
	for i := range m.all {
		m.all[i] = 0xff
	}
	return m, nil
}

// openFile makes a mapped file, and maps it a second time for the reads.
func (m *memory) openFile(size int) error {
	folder, err := os.MkdirTemp("", "ashlar")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder) // what is mapped stays
	path := filepath.Join(folder, "messages")
	if m.buf, err = buffer.Create(path, size); err != nil {
		return err
	}
	var view *buffer.Buffer
	m.place = func(msg []byte) ([]byte, error) { return view.Bytes()[:len(m.put(msg)):len(msg)], nil }
	if _, err := m.buf.Extend(size); err != nil { // the file has its size before it is opened
		return errors.Join(err, m.buf.Close())
	}
	m.buf.Reset()
	if view, err = buffer.Open(path); err != nil {
		return errors.Join(err, m.buf.Close())
	}
	m.closers = append(m.closers, view.Close)
	return nil
}

// openShared makes shared memory to write to, for those whom a channel has no
// place for, and a channel whose one slot holds the message to be read.
func (m *memory) openShared(size int) error {
	c, err := newChannel[[]byte](size)
	if err != nil {
		return err
	}
	shared, err := mmap.MapRegion(nil, size, mmap.RDWR, mmap.ANON, 0)
	if err != nil {
		return err
	}
	m.all = shared
	m.closers = append(m.closers, shared.Unmap)
	held := shm.Message[[]byte]{}
	m.place = func(msg []byte) (placed []byte, err error) {
		if err := held.Release(); err != nil && !errors.Is(err, shm.ErrReleased) {
			return nil, err
		}
		if err := c.w.Send(forever, &msg); err != nil {
			return nil, err
		}
		if held, err = c.r.Receive(forever); err != nil {
			return nil, err
		}
		return placed, held.Alias(&placed)
	}
	m.closers = append(m.closers, func() error {
		if err := held.Release(); err != nil && !errors.Is(err, shm.ErrReleased) {
			return err
		}
		return c.close()
	})
	return nil
}

// A channel has one slot and both ends in this process.
type channel[T any] struct {
	w *shm.Writer[T]
	r *shm.Reader[T]
}

// forever is the context of what never has to wait.
var forever = context.Background()

// slack is how many bytes a message of a []byte has beyond these.
const slack = 64

// newChannel makes a channel for messages of size bytes.
func newChannel[T any](size int) (*channel[T], error) {
	folder, err := os.MkdirTemp("", "ashlar")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "channel")
	w, err := shm.Create[T](path, shm.Options{Slots: 1, SlotSize: size + slack})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := shm.Attach[T](ctx, path)
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	<-w.Attached()
	return &channel[T]{w, r}, nil
}

func (c *channel[T]) close() error { return errors.Join(c.w.Close(), c.r.Close()) }

// put copies a message into the memory.
func (m *memory) put(msg []byte) []byte {
	n := copy(m.all, msg)
	return m.all[:n:n]
}

// show makes a message the one to be read.
func (m *memory) show(msg []byte) ([]byte, error) {
	placed, err := m.place(msg)
	if err != nil {
		return nil, err
	}
	if m.seen != nil && !raw.Within(m.seen, placed) {
		return nil, errors.New("the message has another place than the one before")
	}
	m.seen = placed
	return placed, nil
}

// holds reports whether p lies in the memory.
func (m *memory) holds(p []byte) bool { return raw.Within(m.all, p) || raw.Within(m.seen, p) }

func (m *memory) close() {
	for i := len(m.closers) - 1; i >= 0; i-- {
		m.closers[i]()
	}
}

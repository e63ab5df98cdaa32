package shm

import (
	"context"
	"reflect"
	"sync"
	"unsafe"

	"github.com/ashlar-go/ashlar/format"
)

// A heapChannel is a channel whose memory the race detector sees, with both ends in this process and no
// socket.
type heapChannel struct {
	seg segment
	s   *sender
	r   *receiver
}

func newHeapChannel(slots, slotSize int) *heapChannel {
	g, err := geometryOf(Options{Slots: slots, SlotSize: slotSize})
	if err != nil {
		panic(err)
	}
	c := &heapChannel{seg: segment{g, heap(g.payload()), heap(g.record())}}
	c.s = newSender(&c.seg, new(peer))
	c.r = newReceiver(&c.seg, new(peer))
	return c
}

// heap is memory at a multiple of 64 bytes.
func heap(size uint64) []byte {
	words := make([]uint64, size/8+8)
	b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)
	skip := -uintptr(unsafe.Pointer(&words[0])) % 64
	return b[skip : skip+uintptr(size) : skip+uintptr(size)]
}

var codecs sync.Map // of format.Codec, by type

// typed are ends of a channel for T. They have no Close.
func typed[T any](c *heapChannel) (*Writer[T], *Reader[T]) {
	made, ok := codecs.Load(reflect.TypeFor[T]())
	if !ok {
		made, _ = codecs.LoadOrStore(reflect.TypeFor[T](), format.MustFor[T](format.WithShared()))
	}
	codec := made.(*format.Codec[T])
	return &Writer[T]{codec: format.MustFor[T](), end: &writerEnd{sender: c.s}}, &Reader[T]{codec, &readerEnd{receiver: c.r}}
}

// die is what the watch does at the peer's death.
func die(p *peer, b *bell) {
	p.gone.Store(true)
	b.ring()
}

// slotOf is the number of the slot that b lies in, whole, or -1.
func (s *segment) slotOf(b []byte) int {
	first := uintptr(unsafe.Pointer(&s.payload[s.firstSlot()]))
	at := uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	if at < first || uint64(at-first)%s.stride() != 0 {
		return -1
	}
	if n := uint64(at-first) / s.stride(); n < s.slots && uint64(len(b)) <= s.slotSize && cap(b) == len(b) {
		return int(n)
	}
	return -1
}

// ended is a context that has ended: calls with it do not wait.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

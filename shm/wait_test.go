//go:build linux

package shm

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// A hook is a sleeper, and a context, at which something happens the moment after it has been looked at
// in front of the futex: as if the other process had run just then.
type hook struct {
	context.Context
	real    sleeper
	asked   int
	at      int // which look, of ready or of Err, is the one
	happens func()
}

func (h *hook) look() {
	if h.asked++; h.asked == h.at {
		h.happens()
	}
}

func (h *hook) ready() bool {
	ready := h.real.ready()
	h.look()
	return ready
}

// atErr is the hook's context.
type atErr struct{ *hook }

func (h atErr) Err() error {
	err := h.Context.Err()
	h.look()
	return err
}

// Whatever comes between the last look and the sleep ends the sleep.
func TestEventsBetweenTheLookAndTheSleep(t *testing.T) {
	for name, event := range map[string]func(c *heapChannel, cancel func()){
		"commit": func(c *heapChannel, _ func()) {
			slot, err := c.s.loan(ended)
			if err != nil {
				t.Error(err)
			}
			c.s.slots[slot].Extend(16)
			c.s.commit(slot)
		},
		"close":   func(c *heapChannel, _ func()) { c.s.close() },
		"death":   func(c *heapChannel, _ func()) { die(c.r.peer, &c.r.bell) },
		"context": func(_ *heapChannel, cancel func()) { cancel() },
	} {
		for at := range spins + yields + 1 {
			for _, late := range []bool{false, true} { // at the look at the context, which is the last
				c := newHeapChannel(2, 64)
				ctx, cancel := context.WithCancel(context.Background())
				h := &hook{Context: ctx, real: c.r, at: at + 1, happens: func() { event(c, cancel) }}
				var user context.Context = ctx
				if late {
					if at > 1 {
						cancel()
						continue
					}
					user, h.real = atErr{h}, c.r
				}
				within(t, 20*time.Second, name+" in front of the sleep", func() {
					var err error
					for ctx.Err() == nil && !c.r.ready() && err == nil {
						if late {
							err = c.r.bell.wait(user, c.r)
						} else {
							err = c.r.bell.wait(user, h)
						}
						if h.asked < h.at {
							event(c, cancel) // it returned early
						}
					}
				})
				cancel()
				if c.r.bell.shared.sleep.Load() != 0 {
					t.Error("the reader says that it sleeps")
				}
			}
		}
	}
	// The writer's side.
	for name, event := range map[string]func(c *heapChannel, m Message[sampleOfWords]){
		"release": func(_ *heapChannel, m Message[sampleOfWords]) { wantNil(t, "Release", m.Release()) },
		"close":   func(c *heapChannel, _ Message[sampleOfWords]) { c.r.close() },
		"death":   func(c *heapChannel, _ Message[sampleOfWords]) { die(c.s.peer, &c.s.bell) },
	} {
		c := newHeapChannel(1, 64)
		w, r := typed[sampleOfWords](c)
		wantNil(t, "Send", w.Send(ended, &sampleOfWords{}))
		m, err := r.Receive(ended)
		wantNil(t, "Receive", err)
		h := &hook{real: c.s, at: spins + yields + 1, happens: func() { event(c, m) }}
		within(t, 20*time.Second, name+" in front of the sleep", func() {
			wantNil(t, "wait", c.s.bell.wait(context.Background(), h))
		})
	}
}

// soon is a sleeper that is ready when it is asked in front of the futex.
func soon() sleeper {
	left := asked(spins + yields)
	return &left
}

type asked int

func (a *asked) ready() bool { *a--; return *a < 0 }

// Of contexts that live long and are used by turns, and of bells that are gone, nothing is kept.
func TestWaitsLeaveNothingWithTheirContexts(t *testing.T) {
	one, cancelOne := context.WithCancel(context.Background())
	defer cancelOne()
	two, cancelTwo := context.WithCancel(context.Background())
	defer cancelTwo()
	kept := &bell{shared: doorbell{new(atomic.Uint32), new(atomic.Uint32)}}
	turns := func(n int) uint64 {
		for range n {
			gone := &bell{shared: doorbell{new(atomic.Uint32), new(atomic.Uint32)}}
			for _, b := range []*bell{kept, gone} {
				for _, ctx := range []context.Context{one, two} {
					wantNil(t, "wait", b.wait(ctx, soon()))
				}
			}
			gone.silence()
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := turns(100)
	if after := turns(1000); after > before+64<<10 {
		t.Errorf("the heap grows from %d to %d bytes", before, after)
	}
}

// What still rings after Close, a context or the watch, does not touch memory that is unmapped.
func TestNobodyRingsAfterClose(t *testing.T) {
	w, r := pair[sample](t, Options{Slots: 1, SlotSize: 64})
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
	r.end.bell.ring()
	w.end.bell.ring()
	w.end.bell.silence()
}

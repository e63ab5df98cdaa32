package shm

import (
	"context"
	"sync"
	"sync/atomic"
)

// A bell is the doorbell that one side sleeps on. Everything that can end its sleep rings it: the peer's
// commit, release and close through shared memory, and from within the process the peer's death and the
// end of a context. SPEC.md §5 has the order of the stores, on which everything rests.
type bell struct {
	word  *atomic.Uint32 // in shared memory; every ring makes it another
	sleep *atomic.Uint32 // in shared memory; not 0 while the owner is about to sleep or sleeps

	mu     sync.Mutex // held by rings from within, so that none of them meets unmapped memory
	silent bool       // the memory is about to be unmapped

	done <-chan struct{} // of the context whose end rings the bell
	stop func() bool
}

// ring rings the bell from within the process.
func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.silent {
		b.word.Add(1)
		futexWake(b.word)
	}
}

// silence ends all rings from within.
func (b *bell) silence() {
	b.mu.Lock()
	b.silent = true
	b.mu.Unlock()
	if b.stop != nil {
		b.stop()
	}
}

// ringPeer rings the bell of the peer if it sleeps or is about to.
func ringPeer(word, sleep *atomic.Uint32) {
	if sleep.Load() != 0 {
		word.Add(1)
		futexWake(word)
	}
}

// A sleeper knows whether there is anything for it to do.
type sleeper interface{ ready() bool }

// The three stages of waiting. A peer that runs answers within the first two; the numbers are loads of
// one word (about 0.3 µs of them) and calls of the system's scheduler. Go's own is left out: it would set
// idle threads looking for work on the processor that the peer needs, which makes a round trip of 64
// bytes three times as long.
const (
	spins  = 100
	yields = 30
)

// wait returns nil when s is ready, or the context's error. It may return nil early, and a peer that
// changes words to and fro can make it do so for ever: the context is looked at each time.
func (b *bell) wait(ctx context.Context, s sleeper) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for range spins {
		if s.ready() {
			return nil
		}
	}
	for range yields {
		yield()
		if s.ready() {
			return nil
		}
	}
	if done := ctx.Done(); done != nil {
		if done != b.done {
			if b.stop != nil {
				b.stop()
			}
			b.done, b.stop = done, context.AfterFunc(ctx, b.ring)
		}
	}
	defer b.sleep.Store(0)
	for {
		b.sleep.Store(1)
		heard := b.word.Load()
		if s.ready() {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		futexWait(b.word, heard)
	}
}

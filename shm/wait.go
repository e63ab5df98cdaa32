package shm

import (
	"context"
	"sync"
	"sync/atomic"
)

// A doorbell is the two words that one side sleeps on. SPEC.md §5 has the order of the stores, on which
// everything rests.
type doorbell struct {
	word  *atomic.Uint32 // every ring makes it another
	sleep *atomic.Uint32 // not 0 while the owner is about to sleep or sleeps and nobody has woken it
}

// ring wakes the owner and makes its next sleep end.
func (d doorbell) ring() {
	d.word.Add(1)
	futexWake(d.word)
}

// ringSleeper rings if the owner sleeps or is about to. The first ring takes the flag away: what follows
// before the owner runs costs no system call.
func (d doorbell) ringSleeper() {
	if d.sleep.Load() != 0 && d.sleep.Swap(0) != 0 {
		d.ring()
	}
}

// A bell is the doorbell of this side. Everything that can end its sleep rings it: the peer's commit,
// release and close through shared memory, and from within the process the peer's death and the end of a
// context.
type bell struct {
	shared doorbell

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
		b.shared.ring()
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
	if ctx.Err() != nil {
		return context.Cause(ctx)
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
	defer b.shared.sleep.Store(0)
	for {
		b.shared.sleep.Store(1)
		heard := b.shared.word.Load()
		if s.ready() {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		futexWait(b.shared.word, heard)
	}
}

package shm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// evil are the values that every word is given, n being what it may hold at most.
func evil(n uint64) []uint64 {
	values := []uint64{0, 1, 2, 3, n - 1, n, n + 1, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	for _, v := range []uint64{1, 2, n, n + 1, 8, 9, 1 << 31, 1<<32 - 1} { // as the size in an entry of the submission ring
		values = append(values, v<<wordsShift, v<<wordsShift|1, v<<wordsShift|n)
	}
	return values
}

const evilSlots = 4

// A position is a channel at which something has happened: messages committed, received, released.
type position struct{ commit, receive, release int }

var positions = []position{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {4, 0, 0}, {4, 4, 0}, {3, 2, 1}, {4, 4, 4}, {4, 3, 2}}

func (p position) reach(c *heapChannel) (held []Message[sampleOfWords]) {
	w, r := typed[sampleOfWords](c)
	for range 3 { // not the ring's first time round
		p.moves(w, r, 2, 2)
	}
	return p.moves(w, r, p.commit, p.receive)[p.release:]
}

func (p position) moves(w *Writer[sampleOfWords], r *Reader[sampleOfWords], commit, receive int) (all []Message[sampleOfWords]) {
	release := p.release
	if commit != p.commit || receive != p.receive {
		release = receive
	}
	for range commit {
		if err := w.Send(context.Background(), &sampleOfWords{5, []uint64{6, 7}}); err != nil {
			panic(err)
		}
	}
	for range receive {
		m, err := r.Receive(context.Background())
		if err != nil {
			panic(err)
		}
		all = append(all, m)
	}
	for _, m := range all[:release] {
		if err := m.Release(); err != nil {
			panic(err)
		}
	}
	return all
}

type sampleOfWords struct {
	Number int64
	Words  []uint64
}

// each calls f with a fresh channel for every position, every word that means something and every
// value, the word having been written.
func each(t *testing.T, memory func(*heapChannel) []byte, f func(c *heapChannel, held []Message[sampleOfWords]) error) {
	t.Helper()
	words := []uint64{0, tailAt, closedAt, readerBellAt, writerBellAt, ringAt - wordSize}
	for i := range uint64(evilSlots) {
		words = append(words, ringAt+i*wordSize)
	}
	for _, p := range positions {
		for _, at := range words {
			c := newHeapChannel(evilSlots, 64)
			p.reach(c)
			now := word64(memory(c), at).Load()
			for _, v := range append(evil(evilSlots), now-1, now+1, now+evilSlots, now+evilSlots+1, now^1<<32, now+1<<32, now-1<<32, now+1<<33) {
				c := newHeapChannel(evilSlots, 64)
				held := p.reach(c)
				word64(memory(c), at).Store(v)
				if err := f(c, held); err != nil {
					t.Errorf("%+v, word at %d = %#x: %v", p, at, v, err)
				}
			}
		}
	}
}

// readAll receives and releases all there is, and checks what a reader may be told.
func readAll(c *heapChannel, held []Message[sampleOfWords]) error {
	_, r := typed[sampleOfWords](c)
	c.r.known = compat.NewRegistry(compat.Limits{Descriptions: mostBoxes})
	out := map[int]bool{}
	for _, m := range held {
		out[c.seg.slotOf(m.bytes)] = true
	}
	var corrupt error
	for i := range 4 * evilSlots {
		m, err := r.Receive(ended)
		if corrupt != nil && err != corrupt {
			return fmt.Errorf("Receive after %v: %v", corrupt, err)
		}
		switch {
		case err == nil:
			n := c.seg.slotOf(m.bytes)
			if n < 0 || out[n] {
				return fmt.Errorf("a message of %d bytes in slot %d, held: %v", len(m.bytes), n, out)
			}
			out[n] = true
			held = append(held, m)
			var v sampleOfWords
			for _, err := range []error{m.Alias(&v), m.Decode(&v)} {
				if err != nil && !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrTruncated) && !errors.Is(err, format.ErrSchema) {
					return err
				}
			}
		case errors.Is(err, ErrCorrupt):
			corrupt = err
		case !errors.Is(err, io.EOF) && !errors.Is(err, ErrPeerDied) && !errors.Is(err, context.Canceled) && !errors.Is(err, ErrHeld):
			return fmt.Errorf("Receive: %v", err)
		}
		if i%3 == 2 && len(held) > 0 {
			if err := held[0].Release(); err != nil {
				return fmt.Errorf("Release: %v", err)
			}
			delete(out, c.seg.slotOf(held[0].bytes))
			held = held[1:]
		}
	}
	for _, m := range held {
		if err := m.Release(); err != nil {
			return fmt.Errorf("Release: %v", err)
		}
	}
	if c.r.holds != 0 {
		return fmt.Errorf("%d messages are held after all were released", c.r.holds)
	}
	c.r.close()
	return nil
}

// B28: whatever the writer writes, the reader gets an error or a message in a slot of its own.
func TestReaderOfEveryHostileWord(t *testing.T) {
	each(t, func(c *heapChannel) []byte { return c.seg.payload }, readAll)
	each(t, func(c *heapChannel) []byte { return c.seg.record }, readAll)
}

// writeAll lends and commits as long as there are slots, and checks what a writer may be told.
func writeAll(c *heapChannel, _ []Message[sampleOfWords]) error {
	var corrupt error
	var slots [4 * evilSlots]int
	for i := range slots {
		slot, err := c.s.loan(ended)
		if corrupt != nil && err != corrupt {
			return fmt.Errorf("loan after %v: %v", corrupt, err)
		}
		switch {
		case err == nil:
			if uint64(slot) >= c.seg.slots || c.s.lent[slot] {
				return fmt.Errorf("slot %d is lent, and the reader has it", slot)
			}
			c.s.slots[slot].Extend(16)
			if i%3 == 2 {
				c.s.abort(slot)
			} else {
				c.s.commit(slot)
			}
		case errors.Is(err, ErrCorrupt):
			corrupt = err
		case !errors.Is(err, ErrPeerClosed) && !errors.Is(err, ErrPeerDied) && !errors.Is(err, context.Canceled):
			return fmt.Errorf("loan: %v", err)
		}
		if err := c.s.sound(); err != nil {
			return err
		}
	}
	c.s.close()
	return nil
}

// sound checks that each slot is free or lent, and not both.
func (s *sender) sound() error {
	seen := make([]int, s.seg.slots)
	for _, slot := range s.free {
		seen[slot]++
	}
	for slot, lent := range s.lent {
		if lent {
			seen[slot]++
		}
	}
	for slot, n := range seen {
		if n != 1 {
			return fmt.Errorf("slot %d is in %d places: free %v, lent %v", slot, n, s.free, s.lent)
		}
	}
	return nil
}

func TestWriterOfEveryHostileWord(t *testing.T) {
	each(t, func(c *heapChannel) []byte { return c.seg.record }, writeAll)
}

// B80: a word that changes between two looks at it.
func TestWordsThatChangeAtAnyMoment(t *testing.T) {
	rounds := 300
	if testing.Short() {
		rounds = 50
	}
	for round := range rounds {
		c := newHeapChannel(evilSlots, 64)
		held := positions[round%len(positions)].reach(c)
		var over atomic.Bool
		flipped := make(chan bool)
		go func() {
			defer close(flipped)
			rng := rand.New(rand.NewPCG(uint64(round), 1))
			memory := [][]byte{c.seg.payload, c.seg.record}[round/len(positions)%2]
			words := []uint64{tailAt, closedAt, readerBellAt, writerBellAt}
			for i := range uint64(evilSlots) {
				words = append(words, ringAt+i*wordSize)
			}
			for !over.Load() {
				word := word64(memory, words[rng.IntN(len(words))])
				was := word.Load()
				values := append(evil(evilSlots), was+1, was-1, rng.Uint64())
				word.Store(values[rng.IntN(len(values))])
				if rng.IntN(2) == 0 {
					word.Store(was)
				}
			}
		}()
		wrote := make(chan error)
		go func() { wrote <- writeAll(c, nil) }()
		if err := readAll(c, held); err != nil {
			t.Error("reader:", err)
		}
		if err := <-wrote; err != nil {
			t.Error("writer:", err)
		}
		over.Store(true)
		<-flipped
	}
}

// The counts may be as far ahead as there are slots, and no further.
func TestCountsThatAreOneTooFar(t *testing.T) {
	for _, ahead := range []uint64{evilSlots, evilSlots + 1} {
		c := newHeapChannel(evilSlots, 64)
		positions[2].reach(c) // one message is held, one is there
		w, r := typed[sampleOfWords](c)
		c.r.theirs.tail.Store(c.r.head + ahead)
		if _, err := r.Receive(ended); errors.Is(err, ErrCorrupt) != (ahead > evilSlots) {
			t.Errorf("tail %d after the head: %v", ahead, err)
		}
		for i := range c.s.theirs.entries {
			c.s.theirs.entries[i].Store(uint64(c.r.seg.slots - 1))
		}
		c.s.theirs.tail.Store(c.s.tail + ahead - evilSlots)
		_, err := w.Loan(ended)
		wantCorrupt(t, err)
		if further := strings.Contains(err.Error(), "messages of"); further != (ahead > evilSlots) {
			t.Errorf("%d completions more than messages: %v", ahead-evilSlots, err)
		}
	}
}

func TestUselessForGoodOnceCorrupt(t *testing.T) {
	c := newHeapChannel(2, 64)
	w, r := typed[sampleOfWords](c)
	if err := w.Send(ended, &sampleOfWords{1, nil}); err != nil {
		t.Fatal(err)
	}
	tail := c.r.theirs.tail.Load()
	c.r.theirs.tail.Store(tail + 3)
	_, err := r.Receive(context.Background())
	wantCorrupt(t, err)
	c.r.theirs.tail.Store(tail)
	_, again := r.Receive(context.Background())
	if again != err {
		t.Errorf("%v, then %v", err, again)
	}

	c.s.theirs.tail.Store(2)
	_, err = w.Loan(context.Background())
	wantCorrupt(t, err)
	c.s.theirs.tail.Store(0)
	if again := w.Send(context.Background(), new(sampleOfWords)); again != err {
		t.Errorf("%v, then %v", err, again)
	}
}

func wantCorrupt(t *testing.T, err error) {
	t.Helper()
	if !errors.Is(err, ErrCorrupt) {
		t.Errorf("%v, want ErrCorrupt", err)
	}
}

package shm

import (
	"context"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// A peer is what a side knows of the other one besides shared memory.
type peer struct {
	gone atomic.Bool // the kernel has closed the peer's end of the socket
}

// A sender is the writer's side of the rings (SPEC.md §4). What decides is kept in its own memory; of
// shared memory it reads what the reader writes, each word once.
type sender struct {
	gate
	seg   *segment
	peer  *peer
	slots []*buffer.Buffer // over each slot
	free  []uint32         // slots that hold nothing, the last used last
	lent  []bool           // by slot: committed and not given back
	tail  uint64           // messages committed
	taken uint64           // completions taken
	bell  bell
	told  bool  // that the reader is gone
	err   error // once set, what everything returns

	announced uint64 // of the messages committed, those that are descriptions

	mine   side // submissions
	theirs side // completions
}

func newSender(seg *segment, p *peer) *sender {
	s := &sender{
		seg: seg, peer: p,
		lent:   make([]bool, seg.slots),
		mine:   seg.writerSide(),
		theirs: seg.readerSide(),
	}
	s.bell.shared = s.mine.bell
	for i := range seg.slots {
		s.slots = append(s.slots, buffer.Wrap(seg.slot(i)))
		s.free = append(s.free, uint32(seg.slots-1-i))
	}
	return s
}

// ready reports whether a wait for a slot can end.
func (s *sender) ready() bool {
	return s.theirs.tail.Load() != s.taken || s.theirs.closed.Load() != 0 || s.peer.gone.Load() || s.closing.Load()
}

// loan returns a slot that holds nothing.
func (s *sender) loan(ctx context.Context) (slot uint32, err error) {
	for {
		if s.err != nil {
			return 0, s.err
		}
		// A reader that closes says so before its end of the socket is gone.
		gone := s.peer.gone.Load()
		switch {
		case s.closing.Load():
			return 0, ErrClosed
		case s.theirs.closed.Load() != 0:
			s.told = true
			return 0, ErrPeerClosed
		case gone:
			s.told = true
			return 0, fmt.Errorf("%w: the reader", ErrPeerDied)
		}
		if err := s.takeBack(); err != nil {
			s.err = err
			return 0, err
		}
		if n := len(s.free); n > 0 {
			slot, s.free = s.free[n-1], s.free[:n-1]
			s.slots[slot].Reset() // a builder of an earlier loan may have been finished since
			return slot, nil
		}
		if err := s.bell.wait(ctx, s); err != nil {
			return 0, fmt.Errorf("shm: waiting for a slot, all %d are with the reader or wait for one: %w", s.seg.slots, err)
		}
	}
}

// takeBack takes the slots that the reader has given back.
func (s *sender) takeBack() error {
	completed := s.theirs.tail.Load()
	if completed-s.taken > s.tail-s.taken {
		return fmt.Errorf("%w: the reader has given back %d messages of %d", ErrCorrupt, completed, s.tail)
	}
	for ; s.taken != completed; s.taken++ {
		slot := s.theirs.entries[s.taken&(s.seg.slots-1)].Load()
		if slot >= s.seg.slots || !s.lent[slot] {
			return fmt.Errorf("%w: the reader gives back slot %d, which it does not have", ErrCorrupt, slot)
		}
		s.lent[slot] = false
		s.empty(uint32(slot))
	}
	return nil
}

// empty makes a slot free for the next loan. In a debug build Reset fills the message that was in it with
// poison.
func (s *sender) empty(slot uint32) {
	s.slots[slot].Reset()
	s.free = append(s.free, slot)
}

// abort gives back a slot that was loaned.
func (s *sender) abort(slot uint32) { s.empty(slot) }

// commit hands the message in a slot that was loaned to the reader: the store of the tail does.
func (s *sender) commit(slot uint32) {
	words := uint64(s.slots[slot].Len()) / wordSize
	s.mine.entries[s.tail&(s.seg.slots-1)].Store(uint64(slot) | words<<wordsShift)
	s.lent[slot] = true
	s.tail++
	s.mine.tail.Store(s.tail)
	s.theirs.bell.ringSleeper()
}

// close says that nothing will follow.
func (s *sender) close() {
	s.mine.closed.Store(1)
	s.theirs.bell.ring()
}

// A receiver is the reader's side of the rings.
type receiver struct {
	gate
	seg      *segment
	peer     *peer
	head     uint64   // messages received
	returned uint64   // slots given back
	held     []uint64 // by slot: 1 + the number of the message that the application holds there, or 0
	holds    int      // how many it holds
	bell     bell
	err      error // once set, what everything returns

	known *compat.Registry // of types in interfaces; nil where messages hold none
	heard uint64           // descriptions that came

	mine   side // completions
	theirs side // submissions
}

func newReceiver(seg *segment, p *peer) *receiver {
	r := &receiver{
		seg: seg, peer: p,
		held:   make([]uint64, seg.slots),
		mine:   seg.readerSide(),
		theirs: seg.writerSide(),
	}
	r.bell.shared = r.mine.bell
	return r
}

// ready reports whether a wait for a message can end.
func (r *receiver) ready() bool {
	return r.theirs.tail.Load() != r.head || r.theirs.closed.Load() != 0 || r.peer.gone.Load() || r.closing.Load()
}

// receive returns the next message's slot and bytes, and its number, by which it is released.
func (r *receiver) receive(ctx context.Context) (slot uint32, number uint64, msg []byte, err error) {
	if err := r.enter(); err != nil {
		return 0, 0, nil, err
	}
	defer r.leave()
	for {
		if r.err != nil {
			return 0, 0, nil, r.err
		}
		// Whether the writer lives is looked at first, the tail second: what it committed before it
		// went is then seen (SPEC.md §6.2).
		gone := r.peer.gone.Load()
		closed := r.theirs.closed.Load() != 0
		tail := r.theirs.tail.Load()
		switch {
		case r.closing.Load():
			return 0, 0, nil, ErrClosed
		case tail != r.head:
			slot, msg, err = r.next(tail)
			if err != nil {
				r.err = err
				return 0, 0, nil, err
			}
			r.head++
			if r.known != nil && format.IsDescription(msg) {
				err := r.learn(msg)
				r.giveBack(slot)
				if err != nil {
					return 0, 0, nil, err
				}
				continue
			}
			r.holds++
			r.held[slot] = r.head
			return slot, r.head, msg, nil
		case closed:
			return 0, 0, nil, io.EOF
		case gone:
			return 0, 0, nil, fmt.Errorf("%w: the writer, after %d messages", ErrPeerDied, r.head-r.heard)
		case uint64(r.holds) == r.seg.slots:
			return 0, 0, nil, fmt.Errorf("%w: all %d slots hold messages that were not released, so that none can come", ErrHeld, r.holds)
		}
		if err := r.bell.wait(ctx, r); err != nil {
			return 0, 0, nil, fmt.Errorf("shm: waiting for a message: %w", err)
		}
	}
}

// learn takes in a description, which it copies (SPEC.md §4.3). That no more than so many may come also ends
// what a writer could make of a Receive that gets nothing else.
func (r *receiver) learn(msg []byte) error {
	if r.heard == mostBoxes {
		return fault("receive", format.ErrLimit, "a description after %d others, at most %d", r.heard, mostBoxes)
	}
	r.heard++
	return r.known.AddMessage(msg)
}

// next reads and checks the entry of the next message.
func (r *receiver) next(tail uint64) (slot uint32, msg []byte, err error) {
	if tail-r.head > r.seg.slots {
		return 0, nil, fmt.Errorf("%w: the writer has committed %d messages after %d received, and there are %d slots", ErrCorrupt, tail, r.head, r.seg.slots)
	}
	entry := r.theirs.entries[r.head&(r.seg.slots-1)].Load()
	slot = uint32(entry)
	words := entry >> wordsShift
	if uint64(slot) >= r.seg.slots || r.held[slot] != 0 {
		return 0, nil, fmt.Errorf("%w: a message in slot %d of %d, which the writer does not have", ErrCorrupt, slot, r.seg.slots)
	}
	if words < headerWords || words*wordSize > r.seg.slotSize {
		return 0, nil, fmt.Errorf("%w: a message of %d bytes in a slot of %d", ErrCorrupt, words*wordSize, r.seg.slotSize)
	}
	size := words * wordSize
	return slot, r.seg.slot(uint64(slot))[:size:size], nil
}

// holding reports whether a message was not released.
func (r *receiver) holding(slot uint32, number uint64) bool {
	return !r.isShut() && r.held[slot] == number
}

// release gives a slot back.
func (r *receiver) release(slot uint32, number uint64) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	if r.held[slot] != number {
		return ErrReleased
	}
	r.held[slot] = 0
	r.holds--
	r.giveBack(slot)
	return nil
}

// giveBack lets the writer have a slot that nobody holds.
func (r *receiver) giveBack(slot uint32) {
	r.mine.entries[r.returned&(r.seg.slots-1)].Store(uint64(slot))
	r.returned++
	r.mine.tail.Store(r.returned)
	r.theirs.bell.ringSleeper()
}

// close says that no more messages will be taken.
func (r *receiver) close() {
	r.mine.closed.Store(1)
	r.theirs.bell.ring()
}

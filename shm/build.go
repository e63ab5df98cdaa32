package shm

import "github.com/ashlar-go/ashlar/format"

// Build begins a message in the slot, in place of what it held, to be made part by part where the reader will use
// it: handles fill it in, and then come [format.Builder.Finish] and [Loan.Commit].
//
//	l, err := w.Loan(ctx)
//	b, err := l.Build()
//	samples, err := channels.Make(b.Root(), 4096) // over the slot
//	...                                           // fill samples in
//	_, err = b.Finish()
//	err = l.Commit()
//
// What does not fit in the slot is an error of the handle's that wraps buffer.ErrFull and gives the numbers. The loan
// remains then, and after each other error: it can be built again, encoded into, or given up by [Loan.Abort].
//
// The builder ends with the loan, and with the next Build or Encode. Slices that Make gave are over the slot, and
// the reader reads them from Commit on: a write through them afterwards changes this message or a later one.
// Types of values in interfaces are described to the reader at Commit, which takes a slot besides the loan's for
// each: in a channel of one slot that is format.ErrLimit, and [Loan.Encode] is the way.
//
// The error is [ErrReleased], or one of format's Build.
func (l Loan[T]) Build() (*format.Builder[T], error) {
	slot, err := l.buffer()
	if err != nil {
		return nil, err
	}
	slot.Reset()
	l.endBuild()
	b, err := l.w.codec.Build(slot)
	if err != nil {
		return nil, err
	}
	l.w.built = b
	return b, nil
}

// endBuild makes the loan's builder useless, whose memory is to hold something else.
func (l Loan[T]) endBuild() {
	if l.w.built != nil {
		l.w.built.Abort()
		l.w.built = nil
	}
}

// describe tells the reader of those of a built message's types that it does not know.
func (l Loan[T]) describe(ids []uint64) error {
	end, boxes := l.w.end, l.w.boxes
	for {
		id, description, err := boxes.next(ids, end.slots[end.slot].Cap(), end.announced)
		if err != nil || description == nil {
			return err
		}
		if len(end.slots) == 1 {
			return fault("send", format.ErrLimit, "a description beside a built message, which take 2 slots, at most Slots %d", len(end.slots))
		}
		if err := end.announceBeside(l.ctx, description); err != nil {
			return err
		}
		boxes.told[id] = true
	}
}

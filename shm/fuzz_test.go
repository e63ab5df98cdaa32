package shm

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// FuzzRing runs both ends over words that the fuzzer writes at any moment. Neither may panic or hang; the
// reader is given messages in slots that it does not hold, and the writer slots that it has not lent.
func FuzzRing(f *testing.F) {
	word := func(op, at byte, v uint64) []byte { return binary.LittleEndian.AppendUint64([]byte{op, at}, v) }
	f.Add([]byte{2, 2, 2, 4, 4, 5, 0, 4, 5, 0, 5, 0, 2, 3})
	f.Add(append([]byte{2, 2}, append(word(0, tailAt/8, 1<<63), 4, 4)...))
	f.Add(append([]byte{2, 2}, append(word(0, 128, 1<<40|3), 4, 4, 5, 0)...))
	f.Add(append([]byte{2, 2, 4, 5, 0}, append(word(1, 128, 7), 2, 2, 2)...))
	f.Add(append([]byte{2, 2, 2, 2}, append(word(1, tailAt/8, 4), 2, 2, 6, 2, 4)...))
	// A description, in the slot of a message as long.
	schema, err := format.SchemaOf(reflect.TypeFor[struct{ A int16 }]())
	if err != nil {
		f.Fatal(err)
	}
	seed := []byte{2}
	for i, description := byte(0), format.AppendDescription(nil, schema.Named("shape")); len(description) > 0; i++ {
		seed = append(seed, word(8, i, binary.LittleEndian.Uint64(description))...)
		description = description[8:]
	}
	f.Add(append(seed, 4, 4, 2, 2, 4, 5, 0, 4))
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) > 2000 {
			return
		}
		c := newHeapChannel(evilSlots, 128)
		w, r := typed[sampleOfWords](c)
		c.r.known = compat.NewRegistry(compat.Limits{Descriptions: mostBoxes})
		var held, past []Message[sampleOfWords]
		var broken [2]error
		next := func() (b byte) {
			if len(ops) > 0 {
				b, ops = ops[0], ops[1:]
			}
			return b
		}
		for len(ops) > 0 {
			switch op := next(); op % 8 {
			case 0, 1: // a word of the control pages, the rings and the slots
				memory := [][]byte{c.seg.payload, c.seg.record}[op%8]
				at := uint64(next()) * 8
				if at >= 1024 {
					at += ringAt - 1024
				}
				if op&8 != 0 && op%8 == 0 {
					at = c.seg.firstSlot() + at%(evilSlots*c.seg.stride())
				}
				var v [8]byte
				ops = ops[copy(v[:], ops):]
				word64(memory, min(at, uint64(len(memory))-8)).Store(binary.LittleEndian.Uint64(v[:]))
			case 2, 3:
				l, err := w.Loan(ended)
				if broken[0] != nil && err != broken[0] {
					t.Fatalf("Loan after %v: %v", broken[0], err)
				}
				if err != nil {
					if errors.Is(err, ErrCorrupt) {
						broken[0] = err
					} else if !errors.Is(err, ErrPeerClosed) && !errors.Is(err, ErrPeerDied) && !errors.Is(err, context.Canceled) {
						t.Fatal(err)
					}
					break
				}
				if c.s.lent[w.end.slot] {
					t.Fatalf("slot %d is lent", w.end.slot)
				}
				if err := l.Encode(&sampleOfWords{int64(op), make([]uint64, op%8)}); err != nil {
					t.Fatal(err)
				}
				if op%8 == 2 {
					err = l.Commit()
				} else {
					err = l.Abort()
				}
				if err != nil {
					t.Fatal(err)
				}
				if err := c.s.sound(); err != nil {
					t.Fatal(err)
				}
			case 4:
				m, err := r.Receive(ended)
				if broken[1] != nil && err != broken[1] {
					t.Fatalf("Receive after %v: %v", broken[1], err)
				}
				if uint64(c.r.holds) > evilSlots || uint64(c.r.holds) != uint64(len(held)) && err != nil {
					t.Fatalf("%d messages are held, the receiver says %d", len(held), c.r.holds)
				}
				if err != nil {
					if refused := new(format.Error); errors.As(err, &refused) {
						break // a description, which is passed over
					}
					if errors.Is(err, ErrCorrupt) {
						broken[1] = err
					} else if !errors.Is(err, io.EOF) && !errors.Is(err, ErrPeerDied) && !errors.Is(err, context.Canceled) && !errors.Is(err, ErrHeld) {
						t.Fatal(err)
					}
					break
				}
				n := c.seg.slotOf(m.Bytes())
				if n < 0 {
					t.Fatal("a message outside of the slots")
				}
				for _, other := range held {
					if c.seg.slotOf(other.Bytes()) == n {
						t.Fatalf("two messages in slot %d", n)
					}
				}
				var v sampleOfWords
				if m.Alias(&v) == nil && len(v.Words) > 16 {
					t.Fatalf("%d words out of a slot of 128 bytes", len(v.Words))
				}
				_ = m.Decode(&v)
				held = append(held, m)
			case 5:
				if len(held) > 0 {
					i := int(next()) % len(held)
					if err := held[i].Release(); err != nil {
						t.Fatal(err)
					}
					past = append(past, held[i])
					held = append(held[:i], held[i+1:]...)
				}
			case 6:
				die([]*peer{c.s.peer, c.r.peer}[op>>3&1], []*bell{&c.s.bell, &c.r.bell}[op>>3&1])
			case 7:
				if len(past) > 0 {
					m := past[int(next())%len(past)]
					if m.Bytes() != nil || !errors.Is(m.Release(), ErrReleased) || !errors.Is(m.Alias(new(sampleOfWords)), ErrReleased) {
						t.Fatal("a released message is of use")
					}
				}
			}
		}
		for _, m := range held {
			if err := m.Release(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

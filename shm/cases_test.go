//go:build linux

package shm

import (
	"context"
	"errors"
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestCases has situations that hurt users of comparable software, under the names that they have in the
// project's list.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		id, what string
		test     func(*testing.T)
	}{
		{"B64", "a string of a message that was released, and of a channel that was closed", caseReleased},
		{"C17", "a slot is written again while a value points into it", caseSlotReused},
	} {
		t.Run(c.id+" "+c.what, c.test)
	}
}

const poisonByte = "\xDB"

// faultOf returns what reading f does: nil, or a fault.
func faultOf(f func()) (fault any) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { fault = recover() }()
	f()
	return nil
}

func mustFault(t *testing.T, what string, f func()) {
	t.Helper()
	fault := faultOf(f)
	if _, ok := fault.(interface{ Addr() uintptr }); !ok {
		t.Fatalf("%s: %v, want a fault", what, fault)
	}
}

func caseReleased(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	w, r := pair[sample](t, Options{Slots: 1, SlotSize: 4096})
	l, err := w.Loan(ctx)
	wantNil(t, "Loan", err)
	b, err := l.Build()
	wantNil(t, "Build", err)
	written, err := theValues.Make(b.Root(), 5)
	wantNil(t, "build", errors.Join(err, theNumber.Set(b.Root(), 1), theText.Set(b.Root(), "text")))
	_, err = b.Finish()
	wantNil(t, "build", errors.Join(err, l.Commit()))
	m := receive(t, r, 1)
	var v sample
	wantNil(t, "Alias", m.Alias(&v))
	seen, err := m.View()
	wantNil(t, "View", err)
	kept, err := r.codec.Clone(&v)
	wantNil(t, "Clone", err)
	wantNil(t, "Release", m.Release())
	if m.Bytes() != nil {
		t.Error("a released message has bytes")
	}
	wantError(t, "Alias", m.Alias(new(sample)), ErrReleased)

	// The writer has the slot back: in a debug build what points there shows poison, and views say so.
	l, err = w.Loan(ctx)
	wantNil(t, "Loan", err)
	n, viewErr := theNumber.Get(seen)
	if debugBuild {
		if v.Text != strings.Repeat(poisonByte, 4) || v.Values[4] == 0 {
			t.Errorf("a kept string is %q, kept values are %v, want poison", v.Text, v.Values)
		}
		wantError(t, "a kept view", viewErr, format.ErrCorrupt)
	} else if v.Text != "text" || viewErr != nil || n != 1 {
		t.Errorf("a kept string is %q, a kept view reads %d, %v, and nothing was written", v.Text, n, viewErr)
	}
	wantNil(t, "Abort", l.Abort())

	// What pointed into a closed channel faults, whatever is mapped since.
	if math.MaxInt == math.MaxInt32 { // there is no room to keep addresses
		wantNil(t, "Close", errors.Join(r.Close(), w.Close()))
		return
	}
	wantNil(t, "Close", r.Close())
	mustFault(t, "a string of the closed reader's", func() { _ = strings.Clone(v.Text) })
	written[0] = 2 // the writer's mapping is another one
	wantNil(t, "Close", w.Close())
	for range 10 {
		mustFault(t, "a string of the closed reader's", func() { _ = strings.Clone(v.Text) })
		mustFault(t, "values of the closed reader's", func() { v.Values[0]++ })
		mustFault(t, "a slice of the closed writer's", func() { written[0]++ })
		other, otherR := pair[sample](t, Options{Slots: 1, SlotSize: 4096})
		defer func() { wantNil(t, "Close", errors.Join(other.Close(), otherR.Close())) }()
		for _, size := range []int{4096, 16384, 20480} {
			b, err := buffer.OffHeap(size)
			wantNil(t, "OffHeap", err)
			_, err = b.Extend(size)
			wantNil(t, "Extend", err)
			defer b.Close()
		}
	}
	if kept.Text != "text" || len(kept.Values) != 5 {
		t.Errorf("the clone has become %+v", kept)
	}
}

// A kept alias shows bytes of messages of its channel, or poison in a debug build, and nothing else, whatever
// else goes on in the process.
func caseSlotReused(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	const slots, rounds, size = 4, 200, 100
	w, r := pair[sample](t, Options{Slots: slots, SlotSize: 512})
	other, otherR := pair[sample](t, Options{Slots: slots, SlotSize: 512})
	var kept []sample
	sent := map[string]bool{}
	poisoned, renewed := 0, 0
	for i := range rounds {
		text := strings.Repeat(string(rune('a'+i%26)), size)
		foreign := sample{Number: int64(i), Text: strings.Repeat("-", size)}
		wantNil(t, "Send in another channel", other.Send(ctx, &foreign))
		l, err := w.Loan(ctx)
		wantNil(t, "Loan", err)
		// Nothing is in the slots that came back but what was there, or poison.
		for _, v := range kept {
			switch {
			case v.Text == strings.Repeat(poisonByte, size):
				poisoned++
			case !sent[v.Text]:
				t.Fatalf("round %d: a kept string is %q, which was never sent", i, v.Text)
			}
		}
		sent[text] = true
		wantNil(t, "Encode", l.Encode(&sample{Number: int64(i), Text: text}))
		wantNil(t, "Commit", l.Commit())
		m, err := r.Receive(ctx)
		wantNil(t, "Receive", err)
		var v sample
		wantNil(t, "Alias", m.Alias(&v))
		if v.Text != text {
			t.Fatalf("received %q, want %q", v.Text, text)
		}
		for _, old := range kept {
			if old.Text == text {
				renewed++
			}
		}
		if kept = append(kept, v); len(kept) > slots {
			kept = kept[1:]
		}
		wantNil(t, "Release", m.Release())
		m, err = otherR.Receive(ctx)
		wantNil(t, "Receive", err)
		wantNil(t, "Release", m.Release())
	}
	t.Logf("%d times a kept string was poison, %d times it was the next message's", poisoned, renewed)
	if poisoned > 0 != debugBuild || renewed == 0 {
		t.Errorf("poison %d times, in a debug build: %t; a later message %d times", poisoned, debugBuild, renewed)
	}
	for _, err := range []error{w.Close(), r.Close(), other.Close(), otherR.Close()} {
		wantNil(t, "Close", err)
	}
}

//go:build linux

package shm

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// send sends a sample with a number.
func send(t testing.TB, w *Writer[sample], number int64) {
	t.Helper()
	if err := w.Send(context.Background(), &sample{Number: number, Text: "text"}); err != nil {
		t.Fatal(err)
	}
}

// receive returns the next message, which must have the number.
func receive(t testing.TB, r *Reader[sample], number int64) Message[sample] {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	m, err := r.Receive(ctx)
	if err != nil {
		t.Fatal(err)
	}
	shows(t, m, number)
	return m
}

func shows(t testing.TB, m Message[sample], number int64) {
	t.Helper()
	var v sample
	if err := m.Alias(&v); err != nil || v.Number != number || v.Text != "text" {
		t.Fatalf("%+v, %v, want number %d", v, err, number)
	}
}

func wantError(t testing.TB, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func wantNil(t testing.TB, what string, err error) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// full is what a Send to a full channel returns: the error of its context.
func full(t testing.TB, w *Writer[sample]) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	wantError(t, "Send while all slots are held", w.Send(ctx, &sample{}), context.DeadlineExceeded)
}

func TestMessagesAreReleasedInAnyOrder(t *testing.T) {
	leavesNothing(t)
	w, r := pair[sample](t, Options{Slots: 4, SlotSize: 256})
	number := int64(0)
	for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}} {
		var messages []Message[sample]
		for range 4 {
			send(t, w, number)
			messages = append(messages, receive(t, r, number))
			number++
		}
		full(t, w)
		for i, n := range order {
			for _, later := range order[i:] {
				shows(t, messages[later], number-4+int64(later))
			}
			wantNil(t, "Release", messages[n].Release())
		}
	}
	// One is held while many others pass.
	send(t, w, 100)
	kept := receive(t, r, 100)
	for i := range int64(50) {
		send(t, w, i)
		wantNil(t, "Release", receive(t, r, i).Release())
	}
	shows(t, kept, 100)
	wantNil(t, "Release", kept.Release())
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
}

func TestMessagesAreOfNoUseAfterRelease(t *testing.T) {
	leavesNothing(t)
	w, r := pair[sample](t, Options{Slots: 2, SlotSize: 256})
	var v sample
	gone := func(m Message[sample], release error) {
		t.Helper()
		if m.Bytes() != nil {
			t.Error("Bytes of a released message")
		}
		wantError(t, "Alias", m.Alias(&v), ErrReleased)
		wantError(t, "Decode", m.Decode(&v), ErrReleased)
		wantError(t, "Release", m.Release(), release)
	}
	gone(Message[sample]{}, ErrReleased)
	send(t, w, 1)
	m := receive(t, r, 1)
	if len(m.Bytes()) == 0 || cap(m.Bytes()) != len(m.Bytes()) {
		t.Errorf("Bytes has length %d and capacity %d", len(m.Bytes()), cap(m.Bytes()))
	}
	wantNil(t, "Decode", m.Decode(&v))
	wantNil(t, "Release", m.Release())
	gone(m, ErrReleased)
	// The slot's next message is another one.
	send(t, w, 2)
	send(t, w, 3)
	second, third := receive(t, r, 2), receive(t, r, 3)
	gone(m, ErrReleased)
	shows(t, second, 2)
	shows(t, third, 3)

	wantError(t, "Close of the reader while two messages are held", r.Close(), ErrHeld)
	shows(t, second, 2)
	wantNil(t, "Release", second.Release())
	wantError(t, "Close of the reader while one message is held", r.Close(), ErrHeld)
	wantNil(t, "Release", third.Release())
	wantNil(t, "Close", r.Close())
	gone(third, ErrClosed)
	gone(Message[sample]{}, ErrReleased)
	wantError(t, "Close", r.Close(), ErrClosed)
	_, err := r.Receive(context.Background())
	wantError(t, "Receive", err, ErrClosed)
	wantError(t, "Send after the reader's Close", w.Send(context.Background(), &v), ErrPeerClosed)
	wantNil(t, "Close", w.Close())
}

func TestLoans(t *testing.T) {
	leavesNothing(t)
	ctx := context.Background()
	w, r := pair[sample](t, Options{Slots: 2, SlotSize: 256})
	v := sample{Number: 1, Text: "text"}
	unusable := func(l Loan[sample]) {
		t.Helper()
		wantError(t, "Encode", l.Encode(&v), ErrReleased)
		wantError(t, "Commit", l.Commit(), ErrReleased)
		wantError(t, "Abort", l.Abort(), ErrReleased)
	}
	unusable(Loan[sample]{})

	l, err := w.Loan(ctx)
	wantNil(t, "Loan", err)
	_, err = w.Loan(ctx)
	wantError(t, "a second Loan", err, ErrHeld)
	wantError(t, "Send with a loan out", w.Send(ctx, &v), ErrHeld)
	wantError(t, "Close with a loan out", w.Close(), ErrHeld)
	if err := l.Commit(); err == nil {
		t.Error("Commit without Encode succeeds")
	}
	wantNil(t, "Encode", l.Encode(&sample{Number: 7, Text: strings.Repeat("x", 100)}))
	wantNil(t, "Encode again", l.Encode(&v))
	wantNil(t, "Commit", l.Commit())
	unusable(l)
	m := receive(t, r, 1)

	for range 10 { // the slot comes back each time
		l, err = w.Loan(ctx)
		wantNil(t, "Loan", err)
		wantNil(t, "Encode", l.Encode(&sample{Number: 666}))
		wantNil(t, "Abort", l.Abort())
		unusable(l)
	}
	send(t, w, 2)
	full(t, w)
	wantNil(t, "Release", m.Release())
	wantNil(t, "Release", receive(t, r, 2).Release())

	l, err = w.Loan(ctx)
	wantNil(t, "Loan", err)
	wantNil(t, "Abort", l.Abort())
	wantNil(t, "Close", w.Close())
	unusable(l)
	wantError(t, "Close", w.Close(), ErrClosed)
	wantError(t, "Send", w.Send(ctx, &v), ErrClosed)
	_, err = w.Loan(ctx)
	wantError(t, "Loan", err, ErrClosed)
	wantNil(t, "Close", r.Close())
}

// C16: exactly as large as the slot, and a word more.
func TestMessagesUpToTheSizeOfTheSlot(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	exact := make([]uint64, 125)
	large := make([]uint64, len(exact)+1)
	codec, err := format.For[[]uint64](format.WithShared())
	if err != nil {
		t.Fatal(err)
	}
	size, err := codec.Size(&exact)
	if err != nil {
		t.Fatal(err)
	}
	w, r := pair[[]uint64](t, Options{Slots: 2, SlotSize: size})
	for i := range exact {
		exact[i] = uint64(i) * 0x9E3779B97F4A7C15
	}
	for range 5 {
		wantNil(t, "Send of a message as large as the slot", w.Send(ctx, &exact))
		m, err := r.Receive(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var v []uint64
		wantNil(t, "Alias", m.Alias(&v))
		if len(m.Bytes()) != size || len(v) != len(exact) || v[len(v)-1] != exact[len(exact)-1] {
			t.Fatalf("%d bytes, %d values", len(m.Bytes()), len(v))
		}
		wantNil(t, "Release", m.Release())

		l, err := w.Loan(ctx)
		wantNil(t, "Loan", err)
		err = l.Encode(&large)
		wantError(t, "Encode of a word more", err, format.ErrLimit)
		for _, number := range []int{size + wordSize, size} {
			if err == nil || !strings.Contains(err.Error(), strconv.Itoa(number)) {
				t.Errorf("the error %q does not name %d", err, number)
			}
		}
		if err := l.Commit(); err == nil {
			t.Error("Commit after a failed Encode succeeds")
		}
		wantNil(t, "Encode with the same loan", l.Encode(&exact))
		err = l.Encode(&large)
		wantError(t, "Encode of a word more", err, format.ErrLimit)
		if err := l.Commit(); err == nil {
			t.Error("Commit after a failed Encode succeeds")
		}
		small := []uint64{5}
		wantNil(t, "Encode with the same loan", l.Encode(&small))
		wantNil(t, "Commit", l.Commit())
		m, err = r.Receive(ctx)
		wantNil(t, "Receive", err)
		wantNil(t, "Alias", m.Alias(&v))
		if len(v) != 1 || v[0] != 5 {
			t.Errorf("%v, want 5", v)
		}
		wantNil(t, "Release", m.Release())

		wantError(t, "Send of a word more", w.Send(ctx, &large), format.ErrLimit)
	}
	wantNil(t, "Close", w.Close())
	wantNil(t, "Close", r.Close())
}

//go:build linux

package shm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// Close from another goroutine ends a wait; that is how programs end.
func TestCloseEndsAWait(t *testing.T) {
	ctx := context.Background()
	for range 20 {
		w, r := pair[sample](t, Options{Slots: 1, SlotSize: 64})
		waits := make(chan error, 2)
		go func() {
			_, err := r.Receive(ctx)
			waits <- err
		}()
		time.Sleep(time.Millisecond)
		within(t, 10*time.Second, "Close of the reader", func() { wantNil(t, "Close", r.Close()) })
		wantError(t, "Receive", <-waits, ErrClosed)
		wantNil(t, "Close", w.Close())

		w, r = pair[sample](t, Options{Slots: 1, SlotSize: 64})
		wantNil(t, "Send", w.Send(ctx, &sample{}))
		go func() { waits <- w.Send(ctx, &sample{}) }()
		time.Sleep(time.Millisecond)
		within(t, 10*time.Second, "Close of the writer", func() { wantNil(t, "Close", w.Close()) })
		wantError(t, "Send", <-waits, ErrClosed)
		m, err := r.Receive(ctx)
		wantNil(t, "Receive", err)
		wantNil(t, "Release", m.Release())
		_, err = r.Receive(ctx)
		wantError(t, "Receive", err, io.EOF)
		wantNil(t, "Close", r.Close())
	}
}

// Close while both sides run as fast as they can never touches memory that is unmapped.
func TestCloseAmidTraffic(t *testing.T) {
	ctx := context.Background()
	for round := range 100 {
		w, r := pair[sample](t, Options{Slots: 4, SlotSize: 64})
		var both sync.WaitGroup
		both.Go(func() {
			for {
				if err := w.Send(ctx, &sample{Number: 1}); err != nil {
					if !errors.Is(err, ErrClosed) && !errors.Is(err, ErrPeerClosed) && !errors.Is(err, ErrPeerDied) {
						t.Error("Send:", err)
					}
					return
				}
			}
		})
		both.Go(func() {
			for {
				m, err := r.Receive(ctx)
				if err != nil {
					if !errors.Is(err, ErrClosed) && err != io.EOF && !errors.Is(err, ErrPeerDied) {
						t.Error("Receive:", err)
					}
					return
				}
				if err := m.Release(); err != nil {
					t.Error("Release:", err)
				}
			}
		})
		time.Sleep(time.Duration(round) * 10 * time.Microsecond)
		closed := func(name string, f func() error) {
			within(t, 10*time.Second, name, func() {
				for {
					err := f()
					if !errors.Is(err, ErrHeld) {
						if err != nil && !errors.Is(err, ErrLost) {
							t.Error(name, err)
						}
						return
					}
				}
			})
		}
		if round%2 == 0 {
			closed("Close of the reader", r.Close)
			closed("Close of the writer", w.Close)
		} else {
			closed("Close of the writer", w.Close)
			closed("Close of the reader", r.Close)
		}
		both.Wait()
	}
}

// Two goroutines at once are told so.
func TestTwoGoroutinesAtOnce(t *testing.T) {
	w, r := pair[sample](t, Options{Slots: 1, SlotSize: 64})
	ctx, cancel := context.WithCancel(context.Background())
	var waiter sync.WaitGroup
	waiter.Go(func() { _, _ = r.Receive(ctx) })
	for range 1000 {
		time.Sleep(100 * time.Microsecond)
		if _, err := r.Receive(ended); errors.Is(err, ErrBusy) {
			break
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	_, err := r.Receive(ended)
	wantError(t, "Receive beside another", err, ErrBusy)
	cancel()
	waiter.Wait()
	_, err = r.Receive(ended)
	wantError(t, "Receive after it", err, context.Canceled)
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
}

// Who holds all slots would wait for ever.
func TestReceiveWhileHoldingAllSlots(t *testing.T) {
	ctx := context.Background()
	w, r := pair[sample](t, Options{Slots: 2, SlotSize: 64})
	var held []Message[sample]
	for range 2 {
		wantNil(t, "Send", w.Send(ctx, &sample{}))
		m, err := r.Receive(ctx)
		wantNil(t, "Receive", err)
		held = append(held, m)
	}
	_, err := r.Receive(ctx)
	wantError(t, "Receive", err, ErrHeld)
	if err := w.Send(ended, &sample{}); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "all 2") {
		t.Error("Send without a slot:", err)
	}
	for _, m := range held {
		wantNil(t, "Release", m.Release())
	}
	wantNil(t, "Send", w.Send(ctx, &sample{}))
	m, err := r.Receive(ctx)
	wantNil(t, "Receive", err)
	wantNil(t, "Release", m.Release())
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
}

// What nobody will read is reported once.
func TestCloseReportsWhatIsLost(t *testing.T) {
	ctx := context.Background()
	w, r := pair[sample](t, Options{Slots: 4, SlotSize: 64})
	for range 3 {
		wantNil(t, "Send", w.Send(ctx, &sample{}))
	}
	m, err := r.Receive(ctx)
	wantNil(t, "Receive", err)
	wantNil(t, "Release", m.Release())
	wantNil(t, "Close", r.Close())
	err = w.Close()
	wantError(t, "Close", err, ErrLost)
	wantError(t, "Close", err, ErrPeerClosed)
	if !strings.Contains(fmt.Sprint(err), "2 of 3") {
		t.Error(err)
	}

	w, r = pair[sample](t, Options{Slots: 4, SlotSize: 64})
	wantNil(t, "Send", w.Send(ctx, &sample{}))
	wantNil(t, "Close", r.Close())
	wantError(t, "Send", w.Send(ctx, &sample{}), ErrPeerClosed)
	wantNil(t, "Close after an error said so", w.Close())

	alone, err := Create[sample](t.TempDir()+"/alone", Options{})
	wantNil(t, "Create", err)
	wantNil(t, "Send", alone.Send(ctx, &sample{}))
	wantError(t, "Close without a reader", alone.Close(), ErrLost)
}

func TestZeroEnds(t *testing.T) {
	ctx := context.Background()
	var w Writer[sample]
	var r Reader[sample]
	wantError(t, "Send", w.Send(ctx, &sample{}), ErrClosed)
	wantError(t, "Close", w.Close(), ErrClosed)
	_, err := r.Receive(ctx)
	wantError(t, "Receive", err, ErrClosed)
	wantError(t, "Close", r.Close(), ErrClosed)
	wantError(t, "Commit", Loan[sample]{}.Commit(), ErrReleased)
	wantError(t, "Release", Message[sample]{}.Release(), ErrReleased)
}

//go:build linux

package shm

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"testing"
	"time"
)

func TestAttachFirst(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	attached := make(chan *Reader[sample])
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		r, err := Attach[sample](ctx, path)
		if err != nil {
			t.Error(err)
		}
		attached <- r
	}()
	time.Sleep(30 * time.Millisecond)
	w, err := Create[sample](path, Options{Slots: 2, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	send(t, w, 1)
	r := <-attached
	wantNil(t, "Release", receive(t, r, 1).Release())
	<-w.Attached()
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	wantNil(t, "Close", w.Close())
	wantNil(t, "Close", r.Close())
}

func TestCreateFirst(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[sample](path, Options{Slots: 2, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	fi, err := os.Lstat(path)
	if err != nil || fi.Mode() != os.ModeSocket|0o600 {
		t.Errorf("the socket is %v, %v, want mode 0600", fi.Mode(), err)
	}
	send(t, w, 1)
	send(t, w, 2)
	full(t, w)
	r, err := Attach[sample](context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	wantNil(t, "Release", receive(t, r, 1).Release())
	wantNil(t, "Release", receive(t, r, 2).Release())
	wantNil(t, "Close", w.Close())
	wantNil(t, "Close", r.Close())
}

func TestAttachWaitsUntilItsContextEnds(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	began := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err := Attach[sample](ctx, path)
	wantError(t, "Attach without a writer", err, context.DeadlineExceeded)
	if d := time.Since(began); d < 50*time.Millisecond || d > time.Second {
		t.Errorf("after %v", d)
	}
	ctx, cancel2 := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel2)
	_, err = Attach[sample](ctx, path)
	wantError(t, "Attach without a writer", err, context.Canceled)
	_, err = Attach[sample](ctx, path)
	wantError(t, "Attach with a context that has ended", err, context.Canceled)
}

// wakeUp checks that the end of a context ends a call. That it returns at all shows that it was woken, since
// TestMain makes a sleep without a wake-up last an hour: how soon is in the hands of the machine as well, and
// is bounded only where the long tests run.
func wakeUp(t *testing.T, what string, call func(context.Context) error) {
	t.Helper()
	var took []time.Duration
	for i := range 11 {
		var ended time.Time
		ctx, cancel := context.WithCancel(context.Background())
		want := context.Canceled
		if i%2 == 1 {
			cancel()
			ended = time.Now().Add(5 * time.Millisecond)
			ctx, cancel = context.WithDeadline(context.Background(), ended)
			want = context.DeadlineExceeded
		} else {
			time.AfterFunc(5*time.Millisecond, func() {
				ended = time.Now()
				cancel()
			})
		}
		within(t, 20*time.Second, "a call whose context has ended", func() { wantError(t, "a call that waits", call(ctx), want) })
		cancel()
		took = append(took, time.Since(ended))
	}
	sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
	if median := took[len(took)/2]; long && median > 50*time.Millisecond {
		t.Errorf("%s returns %v after the end of its context", what, median)
	}
}

// B26: a full ring blocks, and nothing is overwritten.
func TestEndOfAContextWakesBothSides(t *testing.T) {
	leavesNothing(t)
	w, r := pair[sample](t, Options{Slots: 2, SlotSize: 256})
	wakeUp(t, "Receive", func(ctx context.Context) error { _, err := r.Receive(ctx); return err })
	send(t, w, 1)
	send(t, w, 2)
	wakeUp(t, "Send", func(ctx context.Context) error { return w.Send(ctx, &sample{Number: 666}) })
	wakeUp(t, "Loan", func(ctx context.Context) error { _, err := w.Loan(ctx); return err })
	first := receive(t, r, 1)
	second := receive(t, r, 2)
	full(t, w)
	shows(t, first, 1)
	shows(t, second, 2)
	wantNil(t, "Release", second.Release())
	wantNil(t, "Release", first.Release())
	send(t, w, 3)
	wantNil(t, "Release", receive(t, r, 3).Release())

	// What is there is received, and a free slot used, whatever the context says.
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	wantNil(t, "Send", w.Send(ended, &sample{Number: 4, Text: "text"}))
	m, err := r.Receive(ended)
	wantNil(t, "Receive", err)
	wantNil(t, "Release", m.Release())
	_, err = r.Receive(ended)
	wantError(t, "Receive of nothing", err, context.Canceled)
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
}

func TestManyContextsDoNotLeak(t *testing.T) {
	leavesNothing(t)
	w, r := pair[sample](t, Options{Slots: 2, SlotSize: 256})
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	turn := func(n int) {
		for range n {
			// Each wait sleeps with a context of its own, which then ends or is given up by its user late.
			ctx, cancel := context.WithCancel(parent)
			done := make(chan bool)
			go func() {
				time.Sleep(200 * time.Microsecond)
				send(t, w, 1)
				close(done)
			}()
			m, err := r.Receive(ctx)
			if err != nil {
				t.Fatal(err)
			}
			wantNil(t, "Release", m.Release())
			<-done
			cancel()
		}
	}
	turn(40)
	before, goroutines := heap(), runtime.NumGoroutine()
	turn(160)
	if after := heap(); after > before+64<<10 {
		t.Errorf("the heap grows from %d to %d bytes", before, after)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, before %d", n, goroutines)
	}
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
	cancel() // rings nobody
}

func TestNothingIsAllocatedForAMessage(t *testing.T) {
	leavesNothing(t)
	type plain struct {
		Number int64
		Values []float64
		Text   string
	}
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for name, ctx := range map[string]context.Context{"background": context.Background(), "cancellable": cancellable} {
		there, here := pair[plain](t, Options{Slots: 4, SlotSize: 512})
		back, home := pair[plain](t, Options{Slots: 4, SlotSize: 512})
		ended := make(chan error)
		go func() { // turns every message round, so that both sides sleep at each
			var v plain
			for {
				m, err := here.Receive(ctx)
				if err != nil {
					ended <- err
					return
				}
				if m.Alias(&v) != nil || back.Send(ctx, &v) != nil || m.Release() != nil {
					t.Error("the other side fails")
				}
			}
		}()
		v, got := plain{Values: make([]float64, 20), Text: "a text"}, plain{}
		turn := func() {
			v.Number++
			if err := there.Send(ctx, &v); err != nil {
				t.Fatal(err)
			}
			m, err := home.Receive(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Alias(&got); err != nil || got.Number != v.Number || got.Text != v.Text {
				t.Fatalf("%+v, %v", got, err)
			}
			if err := m.Release(); err != nil {
				t.Fatal(err)
			}
		}
		for i := range 200 {
			if i%20 == 0 {
				time.Sleep(2 * time.Millisecond) // both fall asleep
			}
			turn()
		}
		// Mallocs counts both goroutines, and now and then one of the runtime's own.
		const n = 3000
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range n {
			if i%500 == 0 {
				time.Sleep(2 * time.Millisecond)
			}
			turn()
		}
		runtime.ReadMemStats(&after)
		if mallocs := after.Mallocs - before.Mallocs; mallocs > n/50 {
			t.Errorf("%s: %d allocations for %d messages there and back", name, mallocs, n)
		}
		wantNil(t, "Close", there.Close())
		<-ended
		wantNil(t, "Close", back.Close())
		wantNil(t, "Close", here.Close())
		wantNil(t, "Close", home.Close())
	}
}

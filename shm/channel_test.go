//go:build linux

package shm

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"testing"
	"time"
)

type sample struct {
	Number int64
	Flags  []bool
	Values []float64
	Text   string
}

// pair makes a channel with both ends in this process.
func pair[T any](t testing.TB, o Options) (*Writer[T], *Reader[T]) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[T](path, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := Attach[T](ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	<-w.Attached()
	return w, r
}

func TestMessagesArriveInOrderAndThenTheEnd(t *testing.T) {
	w, r := pair[sample](t, Options{Slots: 4, SlotSize: 4096})
	ctx := context.Background()
	const n = 10_000
	done := make(chan error, 1)
	go func() {
		v := sample{Flags: []bool{true, false}, Values: make([]float64, 10), Text: "text"}
		for i := range n {
			v.Number, v.Values[9] = int64(i), float64(i)
			if err := w.Send(ctx, &v); err != nil {
				done <- err
				return
			}
		}
		done <- w.Close()
	}()
	var v sample
	for i := range n {
		m, err := r.Receive(ctx)
		if err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		if err := m.Alias(&v); err != nil {
			t.Fatal(err)
		}
		if v.Number != int64(i) || v.Values[9] != float64(i) || v.Text != "text" || !v.Flags[0] {
			t.Fatalf("message %d is %+v", i, v)
		}
		if err := m.Release(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Receive(ctx); !errors.Is(err, io.EOF) {
		t.Fatalf("after the last message: %v, want io.EOF", err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Receive(ctx); !errors.Is(err, ErrClosed) {
		t.Fatalf("after Close: %v", err)
	}
}

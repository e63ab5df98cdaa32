//go:build linux

package shm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What a writer commits right before its death is received: the death is looked at before the tail. Only
// chance, and two processors, bring the two loads apart.
func TestLastMessageBeforeADeathIsReceived(t *testing.T) {
	c := newHeapChannel(2, 256)
	length := 300 * time.Millisecond
	if long {
		length = 30 * time.Second
	}
	end := time.Now().Add(length)
	var round atomic.Int64 // odd: the writer's turn; negative: no more
	defer round.Store(-1)
	go func() {
		for i := int64(0); ; i++ {
			for n := 0; round.Load() != 2*i+1; n++ {
				if round.Load() < 0 {
					return
				}
				if n > 1000 {
					runtime.Gosched()
				}
			}
			slot, err := c.s.loan(ended)
			if err != nil {
				t.Error(err)
				return
			}
			c.s.slots[slot].Extend(16)
			for range i % 256 {
				yieldNot()
			}
			c.s.commit(slot)
			c.r.peer.gone.Store(true)
		}
	}()
	for i := int64(0); time.Now().Before(end); i++ {
		c.r.peer.gone.Store(false)
		round.Store(2*i + 1)
		for n := 0; ; n++ {
			slot, number, _, err := c.r.receive(ended)
			if err == nil {
				wantNil(t, "release", c.r.release(slot, number))
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("round %d: %v before the message", i, err)
			}
			if n > 1000 {
				runtime.Gosched()
			}
		}
		for n := 0; ; n++ { // then the death
			_, _, _, err := c.r.receive(ended)
			if errors.Is(err, ErrPeerDied) {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("round %d: %v instead of the death", i, err)
			}
			if n > 1000 {
				runtime.Gosched()
			}
		}
	}
}

//go:noinline
func yieldNot() {}

func init() {
	children["exits"] = func(args []string) {
		w, err := Create[sample](args[0], Options{Slots: 8, SlotSize: 256})
		must(err)
		<-w.Attached()
		for i := range int64(8) {
			must(w.Send(context.Background(), &sample{Number: i, Text: "text"}))
		}
		if args[1] == "close" {
			must(w.Close())
		}
	}
}

// C23: the writer's process has ended, in order or not, before the reader reads.
func TestSlowReaderReadsAllAfterTheWriterHasExited(t *testing.T) {
	needChildren(t)
	leavesNothing(t)
	for _, how := range []string{"close", "exit"} {
		path := filepath.Join(t.TempDir(), "c")
		c := start(t, "exits", path, how)
		r, err := Attach[sample](context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		var held []Message[sample]
		for i := range int64(8) {
			held = append(held, receive(t, r, i))
		}
		want := map[string]error{"close": io.EOF, "exit": ErrPeerDied}[how]
		for range 3 {
			_, err = r.Receive(context.Background())
			wantError(t, "Receive after the last", err, want)
		}
		for i, m := range held {
			shows(t, m, int64(i))
			wantNil(t, "Release", m.Release())
		}
		wantNil(t, "Close", r.Close())
	}
}

// C25: a process that is stopped is not dead.
func TestStoppedPeersAreNotDead(t *testing.T) {
	needChildren(t)
	leavesNothing(t)
	stop := 300 * time.Millisecond
	if long {
		stop = 10 * time.Second
	}
	const n = 3000
	path := filepath.Join(t.TempDir(), "c")
	again := func(c *child, over chan bool) {
		for range 3 {
			c.Process.Signal(unix.SIGSTOP)
			time.Sleep(stop)
			c.Process.Signal(unix.SIGCONT)
			time.Sleep(10 * time.Millisecond)
		}
		close(over)
	}
	within(t, 2*time.Minute, "a stream that is stopped now and then", func() {
		c := start(t, "send parcels", path, "2", fmt.Sprint(n), "50")
		r, err := Attach[parcel](context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		over := make(chan bool)
		go again(c, over)
		if err := receiveParcels(r, n, 16, 1000, 1); err != nil {
			t.Fatal(err)
		}
		<-over
		_, err = r.Receive(context.Background())
		wantError(t, "Receive after the last", err, io.EOF)
		wantNil(t, "Close", r.Close())
		c.kill()

		w, err := Create[parcel](path, Options{Slots: 2, SlotSize: 256})
		if err != nil {
			t.Fatal(err)
		}
		c = start(t, "receive parcels", path, "2", fmt.Sprint(n), "50")
		<-w.Attached()
		over = make(chan bool)
		go again(c, over)
		if err := sendParcels(w, n, 16, 1000); err != nil {
			t.Fatal(err)
		}
		c.want("done")
		<-over
		wantNil(t, "Close", w.Close())
		c.kill()
	})
}

// B76: more than there is, and more than there can be.
func TestCreateOfMoreMemoryThanThereIs(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	began := time.Now()
	_, err := Create[sample](path, Options{Slots: 64, SlotSize: 1 << 30 << (^uint(0) >> 63 * 3)})
	if !errors.Is(err, unix.ENOSPC) && !errors.Is(err, ErrGeometry) { // ErrGeometry where int has 32 bits
		t.Errorf("%v, want ENOSPC", err)
	}
	for _, o := range []Options{{Slots: 1 << 17}, {Slots: -1}, {SlotSize: -1}, {Slots: 1 << 16, SlotSize: 1 << 30}} {
		_, err := Create[sample](path, o)
		wantError(t, fmt.Sprintf("Create %+v", o), err, ErrGeometry)
	}
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("it takes %v", d)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is there: %v", err)
	}
}

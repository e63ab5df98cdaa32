//go:build linux

package shm

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// What a writer commits right before its death is received: the death is looked at before the tail.
func TestLastMessageBeforeADeathIsReceived(t *testing.T) {
	c := newHeapChannel(2, 256)
	w, r := typed[parcel](c)
	v := parcel{Words: make([]uint64, 4)}
	const rounds = 10_000
	next := make(chan bool)
	go func() {
		for i := range rounds {
			for range i % 64 {
				yieldNot()
			}
			if err := w.Send(context.Background(), &v); err != nil {
				t.Error(err)
			}
			die(c.r.peer, &c.r.bell)
			<-next
		}
	}()
	defer time.AfterFunc(time.Minute, func() { panic("a death is not seen") }).Stop()
	for i := range rounds {
		m, err := r.Receive(context.Background())
		if err != nil {
			t.Fatalf("round %d: %v before the message", i, err)
		}
		wantNil(t, "Release", m.Release())
		for err == nil {
			_, err = r.Receive(context.Background())
		}
		if err != ErrPeerDied {
			t.Fatal(err)
		}
		c.r.peer.gone.Store(false)
		next <- true
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

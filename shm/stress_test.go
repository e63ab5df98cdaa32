//go:build linux

package shm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"
)

// long is set for the tests that take minutes: a thousand kills, a million messages.
var long = os.Getenv("ASHLAR_SHM_LONG") != ""

// A parcel shows whether it was torn: every word follows from the number.
type parcel struct {
	Number uint64
	Sum    uint64
	Words  []uint64
}

func (p *parcel) fill(number uint64) {
	p.Number, p.Sum = number, 0
	for i := range p.Words {
		p.Words[i] = (number + uint64(i)) * 0x9E3779B97F4A7C15
		p.Sum += p.Words[i]
	}
}

func (p *parcel) check(number uint64, size int) error {
	if p.Number != number || len(p.Words) != size {
		return fmt.Errorf("parcel %d of %d words, want %d of %d", p.Number, len(p.Words), number, size)
	}
	sum := uint64(0)
	for i, w := range p.Words {
		if w != (number+uint64(i))*0x9E3779B97F4A7C15 {
			return fmt.Errorf("parcel %d is torn at word %d", number, i)
		}
		sum += w
	}
	if sum != p.Sum {
		return fmt.Errorf("parcel %d is torn: sum %#x, want %#x", number, p.Sum, sum)
	}
	return nil
}

// pause waits at random: mostly not at all, now and then long enough for the peer to fall asleep.
func pause(rng *rand.Rand, one int) {
	switch rng.IntN(one) {
	case 0:
		time.Sleep(time.Duration(rng.IntN(100)) * time.Microsecond)
	case 1, 2, 3, 4:
		for range rng.IntN(2000) {
			runtime.KeepAlive(rng)
		}
	case 5, 6:
		runtime.Gosched()
	}
}

// sendParcels sends n parcels with pauses, and receiveParcels receives them, holding up to hold.
func sendParcels(w *Writer[parcel], n, size, one int) error {
	rng := rand.New(rand.NewPCG(uint64(n), 3))
	v := parcel{Words: make([]uint64, size)}
	for i := range n {
		v.fill(uint64(i))
		if err := w.Send(context.Background(), &v); err != nil {
			return fmt.Errorf("Send %d: %w", i, err)
		}
		pause(rng, one)
	}
	return nil
}

func receiveParcels(r *Reader[parcel], n, size, one, hold int) error {
	rng := rand.New(rand.NewPCG(uint64(n), 4))
	var held []Message[parcel]
	var v parcel
	for i := range n {
		m, err := r.Receive(context.Background())
		if err != nil {
			return fmt.Errorf("Receive %d: %w", i, err)
		}
		if err := m.Alias(&v); err != nil {
			return fmt.Errorf("Alias %d: %w", i, err)
		}
		if err := v.check(uint64(i), size); err != nil {
			return err
		}
		held = append(held, m)
		for len(held) >= hold {
			k := rng.IntN(len(held))
			if err := held[k].Release(); err != nil {
				return err
			}
			held[k] = held[len(held)-1]
			held = held[:len(held)-1]
		}
		pause(rng, one)
	}
	for _, m := range held {
		if err := m.Release(); err != nil {
			return err
		}
	}
	return nil
}

// No wake-up is lost between two goroutines, in memory that the race detector sees. TestMain makes a
// sleep without a wake-up last an hour.
func TestNoWakeUpIsLostBetweenGoroutines(t *testing.T) {
	n := 20_000
	if long {
		n = 1_000_000
	}
	for _, slots := range []int{1, 2, 8} {
		for _, one := range [][2]int{{1000, 1000}, {60, 1 << 30}, {1 << 30, 60}} {
			c := newHeapChannel(slots, 256)
			w, r := typed[parcel](c)
			within(t, time.Duration(60+n/2000)*time.Second, fmt.Sprintf("a stream through %d slots", slots), func() {
				sent := make(chan error)
				go func() { sent <- sendParcels(w, n/5, 16, one[0]) }()
				if err := receiveParcels(r, n/5, 16, one[1], min(slots, 3)); err != nil {
					t.Fatal(err)
				}
				if err := <-sent; err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

func init() {
	children["send parcels"] = func(args []string) {
		w, err := Create[parcel](args[0], Options{Slots: number(args[1]), SlotSize: 256})
		must(err)
		must(sendParcels(w, number(args[2]), 16, number(args[3])))
		must(w.Close())
		say("done")
	}
	children["receive parcels"] = func(args []string) {
		r, err := Attach[parcel](context.Background(), args[0])
		must(err)
		must(receiveParcels(r, number(args[2]), 16, number(args[3]), 1))
		must(r.Close())
		say("done")
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	must(err)
	return n
}

func TestNoWakeUpIsLostBetweenProcesses(t *testing.T) {
	needChildren(t)
	leavesNothing(t)
	n := 20_000
	if long {
		n = 1_000_000
	}
	for _, slots := range []string{"1", "2"} {
		path := filepath.Join(t.TempDir(), "c")
		within(t, time.Duration(60+n/2000)*time.Second, "a stream through "+slots+" slots", func() {
			there := start(t, "send parcels", path, slots, strconv.Itoa(n), "1000")
			r, err := Attach[parcel](context.Background(), path)
			if err != nil {
				t.Fatal(err)
			}
			if err := receiveParcels(r, n, 16, 300, 1); err != nil {
				t.Fatal(err)
			}
			there.want("done")
			wantNil(t, "Close", r.Close())
			there.kill()

			w, err := Create[parcel](path, Options{Slots: number(slots), SlotSize: 256})
			if err != nil {
				t.Fatal(err)
			}
			back := start(t, "receive parcels", path, slots, strconv.Itoa(n), "1000")
			if err := sendParcels(w, n, 16, 300); err != nil {
				t.Fatal(err)
			}
			back.want("done")
			wantNil(t, "Close", w.Close())
			back.kill()
		})
	}
}

// B27: nothing grows from one channel to the next.
func TestNothingIsLeftOfManyChannels(t *testing.T) {
	leavesNothing(t)
	n := 300
	if long {
		n = 10_000
	} else if !testing.Short() {
		n = 2000
	}
	path := filepath.Join(t.TempDir(), "c")
	var before holding
	for i := range n {
		if i == 20 {
			before = held(t)
		}
		w, err := Create[sample](path, Options{Slots: 2, SlotSize: 256})
		if err != nil {
			t.Fatal(i, err)
		}
		r, err := Attach[sample](context.Background(), path)
		if err != nil {
			t.Fatal(i, err)
		}
		send(t, w, int64(i))
		wantNil(t, "Release", receive(t, r, int64(i)).Release())
		if i%2 == 0 {
			wantNil(t, "Close", w.Close())
			wantNil(t, "Close", r.Close())
		} else {
			wantNil(t, "Close", r.Close())
			wantNil(t, "Close", w.Close())
		}
	}
	if after := held(t); after.descriptors > before.descriptors+2 || after.mappings > before.mappings || after.goroutines > before.goroutines+2 {
		t.Errorf("after %d channels %+v, after 20 %+v", n, after, before)
	}
}

// Close at the moment of the other side's Close or death.
func TestCloseWhileThePeerCloses(t *testing.T) {
	leavesNothing(t)
	for i := range 200 {
		w, r := pair[sample](t, Options{Slots: 1, SlotSize: 256})
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan bool)
		go func() {
			defer close(done)
			if i%2 == 0 {
				w.Send(ctx, &sample{Number: 1})
				w.Send(ctx, &sample{Number: 2}) // waits
			}
			wantNil(t, "Close of the writer", w.Close())
		}()
		if i%3 == 0 {
			r.Receive(ctx)
			r.end.conn.Close() // as a death
			for slot := range r.end.held {
				r.end.held[slot] = 0
			}
			r.end.holds = 0
		}
		if i%4 == 0 {
			go cancel()
		}
		within(t, 20*time.Second, "Close", func() {
			wantNil(t, "Close of the reader", r.Close())
			<-done
		})
		cancel()
	}
}

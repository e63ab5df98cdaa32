//go:build linux

package shm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const (
	parcelWords = 4000 // 32 KB: a torn one would show
	parcelSlots = 8
)

var parcelOptions = Options{Slots: parcelSlots, SlotSize: 8*parcelWords + 64}

// A progress is a page of a file in which a process that will be killed says how far it has come.
type progress struct {
	begun, done *atomic.Uint64 // the number of the last parcel whose commit or release began, and ended
}

func openProgress(path string) (progress, func(), error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return progress{}, nil, err
	}
	defer f.Close()
	if err := f.Truncate(4096); err != nil {
		return progress{}, nil, err
	}
	m, err := unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return progress{}, nil, err
	}
	return progress{word64(m, 0), word64(m, 64)}, func() { unix.Munmap(m) }, nil
}

func init() {
	// Writers that will be killed. Arguments: path, progress, how.
	children["doomed writer"] = func(args []string) {
		p, _, err := openProgress(args[1])
		must(err)
		w, err := Create[parcel](args[0], parcelOptions)
		must(err)
		v := parcel{Words: make([]uint64, parcelWords)}
		for i := uint64(1); ; i++ {
			v.fill(i)
			l, err := w.Loan(context.Background())
			must(err)
			must(l.Encode(&v))
			if args[2] == "loan" && i == 6 {
				say("ready")
				select {} // with a loan that is whole and not committed
			}
			p.begun.Store(i)
			must(l.Commit())
			p.done.Store(i)
			if args[2] == "trickle" {
				time.Sleep(time.Duration(i%5) * 100 * time.Microsecond)
			}
		}
	}
	// Readers that will be killed.
	children["doomed reader"] = func(args []string) {
		p, _, err := openProgress(args[1])
		must(err)
		if args[2] == "handshake" {
			say("ready")
		}
		r, err := Attach[parcel](context.Background(), args[0])
		must(err)
		var v parcel
		for i := uint64(1); ; i++ {
			m, err := r.Receive(context.Background())
			must(err)
			must(m.Alias(&v))
			must(v.check(i, parcelWords))
			if args[2] == "hold" && i == 3 {
				say("ready")
				select {} // and holds a message
			}
			p.begun.Store(i)
			must(m.Release())
			p.done.Store(i)
		}
	}
}

// kills counts deaths and how long the other side took to report them.
type kills struct {
	took     []time.Duration
	messages uint64
	lost     int
	torn     int
}

func (k *kills) report(t *testing.T) {
	t.Helper()
	if len(k.took) == 0 {
		return
	}
	slices.Sort(k.took)
	at := func(percent int) time.Duration {
		return k.took[min(len(k.took)*percent/100, len(k.took)-1)].Round(time.Microsecond)
	}
	t.Logf("%d kills, %d messages, %d lost, %d torn; reported after: median %v, 90%% %v, 99%% %v, most %v",
		len(k.took), k.messages, k.lost, k.torn, at(50), at(90), at(99), k.took[len(k.took)-1].Round(time.Microsecond))
	late := 0
	for _, d := range k.took {
		if d > 100*time.Millisecond {
			late++
		}
	}
	share, most := 100, time.Second // one in a hundred may be late
	if !long {
		share, most = 2, 5*time.Second // so few, on a machine that others use
	}
	if late*share > len(k.took) {
		t.Errorf("%d of %d deaths are reported after more than 100ms", late, len(k.took))
	}
	if d := k.took[len(k.took)-1]; d > most {
		t.Errorf("a death is reported after %v", d)
	}
	if k.lost != 0 || k.torn != 0 {
		t.Errorf("%d messages lost, %d torn", k.lost, k.torn)
	}
}

// A killing ends the child with SIGKILL and says when.
type killing struct {
	at   time.Time
	done chan struct{}
}

// ago is how long ago it was.
func (k *killing) ago() time.Duration {
	now := time.Now()
	<-k.done
	return now.Sub(k.at)
}

func (c *child) killAfter(d time.Duration) *killing {
	k := &killing{done: make(chan struct{})}
	go func() {
		time.Sleep(d)
		k.at = time.Now()
		c.Process.Kill()
		close(k.done)
	}()
	return k
}

// killWriter kills a writer and receives what it committed.
func (k *kills) killWriter(t *testing.T, how string, rng *rand.Rand) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "c")
	p, done, err := openProgress(filepath.Join(dir, "progress"))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	c := start(t, "doomed writer", path, filepath.Join(dir, "progress"), how)
	defer c.kill()
	r, err := Attach[parcel](context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	var killed *killing
	switch how {
	case "stream", "trickle":
		killed = c.killAfter(time.Duration(rng.IntN(4000)) * time.Microsecond)
	case "full": // it sleeps in the futex for want of a slot
		for p.done.Load() < parcelSlots {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(time.Millisecond)
		killed = c.killAfter(0)
		<-killed.done
	case "loan":
		c.want("ready")
		killed = c.killAfter(0)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var v parcel
	n := uint64(0)
	for {
		var m Message[parcel]
		if m, err = r.Receive(ctx); err != nil {
			break
		}
		n++
		if e := errors.Join(m.Alias(&v), v.check(n, parcelWords)); e != nil {
			t.Error(e)
			k.torn++
		}
		wantNil(t, "Release", m.Release())
	}
	took := killed.ago()
	wantError(t, "Receive after the writer's death", err, ErrPeerDied)
	k.took = append(k.took, took)
	k.messages += n
	if begun, done := p.begun.Load(), p.done.Load(); n < done || n > begun || r.end.theirs.tail.Load() != n {
		t.Errorf("%s: received %d messages, committed at least %d, at most %d, tail %d", how, n, done, begun, r.end.theirs.tail.Load())
		k.lost += int(done - n)
	}
	_, err = r.Receive(ctx)
	wantError(t, "Receive again", err, ErrPeerDied)
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		// It died between its welcome and the removal: the next Create replaces it.
		w, err := Create[parcel](path, parcelOptions)
		wantNil(t, "Create", err)
		if err == nil {
			wantNil(t, "Close", w.Close())
		}
	}
	wantNil(t, "Close", r.Close())
}

// killReader kills a reader and waits for the writer to say so.
func (k *kills) killReader(t *testing.T, how string, rng *rand.Rand) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "c")
	p, done, err := openProgress(filepath.Join(dir, "progress"))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	w, err := Create[parcel](path, parcelOptions)
	if err != nil {
		t.Fatal(err)
	}
	c := start(t, "doomed reader", path, filepath.Join(dir, "progress"), how)
	defer c.kill()
	var killed *killing
	most := ^uint64(0)
	switch how {
	case "handshake":
		c.want("ready")
		killed = c.killAfter(time.Duration(rng.IntN(1500)) * time.Microsecond)
		<-killed.done
		c.Wait()
	case "stream":
		<-w.Attached()
		killed = c.killAfter(time.Duration(rng.IntN(4000)) * time.Microsecond)
	case "empty": // it sleeps in the futex for want of a message
		most = 3
		<-w.Attached()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	v := parcel{Words: make([]uint64, parcelWords)}
	n := uint64(0)
	for err == nil {
		if n == most {
			for p.done.Load() < n {
				time.Sleep(time.Millisecond)
			}
			time.Sleep(time.Millisecond)
			killed = c.killAfter(0)
			// No message shows the death, only the kernel.
			for !w.end.peer.gone.Load() {
				time.Sleep(50 * time.Microsecond)
			}
			most = ^uint64(0)
		}
		if how == "hold" && n == 3 {
			c.want("ready")
			killed = c.killAfter(time.Duration(rng.IntN(2000)) * time.Microsecond)
		}
		if how == "handshake" && n == parcelSlots {
			if k.nextReader(t, w, path, n) {
				return
			}
			<-w.Attached()
			how = "handshake over"
		}
		v.fill(n + 1)
		if err = w.Send(ctx, &v); err == nil {
			n++
		}
	}
	took := killed.ago()
	wantError(t, "Send after the reader's death", err, ErrPeerDied)
	if how != "handshake over" { // there its end was waited for
		k.took = append(k.took, took)
	}
	k.messages += n
	if back := w.end.theirs.tail.Load(); back < p.done.Load() || back > p.begun.Load() {
		t.Errorf("%s: %d slots given back, at least %d, at most %d", how, back, p.done.Load(), p.begun.Load())
	}
	wantNil(t, "Close", w.Close())
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
}

// nextReader receives n messages and ends the channel, unless the reader that was killed in the handshake
// had attached.
func (k *kills) nextReader(t *testing.T, w *Writer[parcel], path string, n uint64) bool {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-w.Attached():
			time.Sleep(time.Second) // by whom?
			cancel()
		case <-ctx.Done():
		}
	}()
	r, err := Attach[parcel](ctx, path)
	if err != nil {
		wantError(t, "Attach", err, context.Canceled)
		return false
	}
	var v parcel
	for i := range n {
		m, err := r.Receive(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		wantNil(t, "a message", errors.Join(m.Alias(&v), v.check(i+1, parcelWords), m.Release()))
	}
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
	k.messages += n
	return true
}

// killsOfEach is how often each process is killed in each way.
func killsOfEach() int {
	if long {
		return 150 // in 8 ways, 7 of which are timed
	}
	return 4
}

func TestWriterKilledAtAnyMoment(t *testing.T) {
	needChildren(t)
	leavesNothing(t)
	leavesNoSharedMemory(t)
	var all kills
	for i := range killsOfEach() {
		for j, how := range []string{"stream", "trickle", "full", "loan"} {
			within(t, 60*time.Second, "the kill of a writer", func() {
				all.killWriter(t, how, rand.New(rand.NewPCG(uint64(i), uint64(j))))
			})
		}
	}
	all.report(t)
}

// B72, C22, C26.
func TestReaderKilledAtAnyMoment(t *testing.T) {
	needChildren(t)
	leavesNothing(t)
	leavesNoSharedMemory(t)
	var all kills
	for i := range killsOfEach() {
		for j, how := range []string{"stream", "empty", "hold", "handshake"} {
			within(t, 60*time.Second, "the kill of a reader", func() {
				all.killReader(t, how, rand.New(rand.NewPCG(uint64(i), uint64(j))))
			})
		}
	}
	all.report(t)
}

func leavesNoSharedMemory(t *testing.T) {
	list := func() (names []string) {
		entries, _ := os.ReadDir("/dev/shm")
		for _, e := range entries {
			if strings.Contains(strings.ToLower(e.Name()), "ashlar") {
				names = append(names, e.Name())
			}
		}
		return names
	}
	before := list()
	t.Cleanup(func() {
		if after := list(); !slices.Equal(before, after) {
			t.Errorf("in /dev/shm: %v, before %v", after, before)
		}
	})
}

// B69, B70, B73, B75: both are killed, again and again, at the same path.
func TestBothKilledAndStartedAgain(t *testing.T) {
	needChildren(t)
	leavesNothing(t)
	leavesNoSharedMemory(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "c")
	n := 10
	if long {
		n = 500
	}
	for i := range n {
		rng := rand.New(rand.NewPCG(uint64(i), 9))
		p, done, err := openProgress(filepath.Join(dir, fmt.Sprint("progress", i)))
		if err != nil {
			t.Fatal(err)
		}
		w := start(t, "doomed writer", path, filepath.Join(dir, fmt.Sprint("progress", i)), "stream")
		r := start(t, "doomed reader", path, filepath.Join(dir, "read"), "stream")
		if i%2 == 0 {
			within(t, 60*time.Second, "a restart", func() {
				for p.done.Load() < 20 {
					time.Sleep(time.Millisecond)
				}
			})
		} else { // anywhere, before they have met perhaps
			time.Sleep(time.Duration(rng.IntN(20_000)) * time.Microsecond)
		}
		w.Process.Kill()
		time.Sleep(time.Duration(rng.IntN(1000)) * time.Microsecond)
		r.Process.Kill()
		w.kill()
		r.kill()
		done()
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if e.Name() != "c" && e.Name() != "read" && !strings.HasPrefix(e.Name(), "progress") {
				t.Errorf("%s is left", e.Name())
			}
		}
	}
	// The last one's path is of use.
	w, err := Create[sample](path, Options{Slots: 1, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	send(t, w, 1)
	serves(t, w, path, 1)
}

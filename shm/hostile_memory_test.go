//go:build linux

package shm

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/ashlar-go/ashlar/format"
)

// boundSleep gives the bound of a sleep back that TestMain takes away, for tests of hostile peers.
func boundSleep(t testing.TB) {
	was := longestSleep
	longestSleep = unix.NsecToTimespec(int64(20 * time.Millisecond))
	t.Cleanup(func() { longestSleep = was })
}

// B28, C24: a writer that writes anything anywhere while the reader reads, in memory where a read out of
// bounds is a fault.
func TestReaderWhileTheWriterScribbles(t *testing.T) {
	type rich struct {
		Number int64
		Flag   bool
		Flags  []bool
		Values []float64
		Text   string
		Inner  *struct{ Words []uint32 }
		Texts  []string
	}
	type richer struct {
		Added  map[string]int
		Values []float64
		Flags  []bool
		Number int32
		Flag   *bool
		Text   []byte
		Inner  struct {
			Words []uint64
			Added *int8
		}
		Texts [2]string
	}
	v := rich{1, true, []bool{true, false}, []float64{1, 2, 3}, "text", &struct{ Words []uint32 }{[]uint32{1, 2}}, []string{"a", "bc"}}
	t.Run("same version", func(t *testing.T) {
		scribble(t, v, func(got *rich) []bool { return append(got.Flags, got.Flag) })
	})
	t.Run("another version", func(t *testing.T) {
		scribble(t, v, func(got *richer) []bool {
			if got.Flag == nil {
				return got.Flags
			}
			return append(got.Flags, *got.Flag)
		})
	})
}

// scribble reads v into an R while the writer writes anything over it. All that flags returns are used.
func scribble[W, R any](t *testing.T, v W, flags func(*R) []bool) {
	leavesNothing(t)
	boundSleep(t)
	end := time.Now().Add(500 * time.Millisecond)
	counts := map[string]int{}
	for round := uint64(0); time.Now().Before(end); round++ {
		w, r := connect[W, R](t, Options{Slots: 2, SlotSize: 512})
		for range 2 {
			wantNil(t, "Send", w.Send(context.Background(), &v))
		}
		seg := w.end.seg
		var over atomic.Bool
		done := make(chan bool)
		go func() {
			defer close(done)
			rng := rand.New(rand.NewPCG(round, 2))
			control := []uint64{tailAt, closedAt, ringAt, ringAt + 8}
			for !over.Load() {
				at := seg.firstSlot() + 8*rng.Uint64N(2*seg.stride()/8)
				if round%4 == 0 {
					at = control[rng.IntN(len(control))]
				}
				word := word64(seg.payload, at)
				was := word.Load()
				values := append(evil(2), was+1, was-1, was^1<<rng.IntN(64), rng.Uint64())
				word.Store(values[rng.IntN(len(values))])
				if rng.IntN(4) != 0 {
					word.Store(was)
				}
			}
		}()
		var got R
		within(t, 20*time.Second, "a reader of scribbled memory", func() {
			for range 2 {
				ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
				m, err := r.Receive(ctx)
				cancel()
				switch {
				case err == nil:
					for i := range 300 {
						if i%10 == 0 {
							runtime.Gosched() // to the writer, where there is one processor
						}
						err := m.Alias(&got)
						if err == nil {
							err = m.Decode(&got)
						}
						switch {
						case err == nil:
							counts["read"]++
						case errors.Is(err, format.ErrCorrupt), errors.Is(err, format.ErrTruncated), errors.Is(err, format.ErrLimit), errors.Is(err, format.ErrSchema):
							counts["refused"]++
						default:
							t.Error(err)
						}
						table := [2]int{1, 2}
						for _, flag := range flags(&got) {
							i := 0
							if flag {
								i = 1
							}
							counts["sum"] += table[i]
						}
					}
					wantNil(t, "Release", m.Release())
				case errors.Is(err, ErrCorrupt):
					counts["corrupt"]++
				case !errors.Is(err, io.EOF) && !errors.Is(err, context.DeadlineExceeded):
					t.Error("Receive:", err)
				}
			}
		})
		over.Store(true)
		<-done
		wantNil(t, "Close", r.Close())
		if err := w.Close(); err != nil && !errors.Is(err, ErrLost) {
			t.Error("Close:", err)
		}
	}
	if counts["read"] == 0 || counts["refused"] == 0 || counts["corrupt"] == 0 {
		t.Errorf("not all has happened: %v", counts)
	}
	t.Log(counts)
}

// A peer that puts the doorbell back, takes wake-ups or moves a sleeper elsewhere delays the end of a
// context, and does not prevent it.
func TestHostilePeerCannotKeepASleeperAsleep(t *testing.T) {
	leavesNothing(t)
	boundSleep(t)
	w, r := pair[sample](t, Options{Slots: 1, SlotSize: 256})
	for name, attack := range map[string]func(){
		"puts the bell back":  func() { r.end.bell.shared.word.Store(0) },
		"wakes all the time":  func() { futexWake(r.end.bell.shared.word) },
		"moves the sleeper":   func() { requeue(r.end.bell.shared.word, word32(r.end.seg.record, 1024)) },
		"clears sleep":        func() { r.end.bell.shared.sleep.Store(0) },
		"rings all the time":  func() { r.end.bell.shared.word.Add(1); futexWake(r.end.bell.shared.word) },
		"claims and disowns":  func() { w.end.mine.tail.Store(1); w.end.mine.tail.Store(0) },
		"closes and does not": func() { word32(w.end.seg.payload, closedAt).Store(1); word32(w.end.seg.payload, closedAt).Store(0) },
	} {
		var over atomic.Bool
		done := make(chan bool)
		go func() {
			defer close(done)
			for !over.Load() {
				attack()
				if name == "moves the sleeper" {
					time.Sleep(time.Millisecond)
				}
			}
		}()
		for range 5 {
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
			within(t, 20*time.Second, "a Receive whose peer "+name, func() {
				_, err := r.Receive(ctx)
				if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, io.EOF) && !errors.Is(err, ErrCorrupt) {
					t.Errorf("%s: %v", name, err)
				}
			})
			cancel()
			r.end.err = nil
		}
		over.Store(true)
		<-done
		w.end.mine.tail.Store(0)
		r.end.head, r.end.holds = 0, 0
		clear(r.end.held)
	}
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
}

func requeue(from, to *atomic.Uint32) {
	const futexRequeue = 3
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(from)), futexRequeue, 0, 1, uintptr(unsafe.Pointer(to)), 0)
}

// The reader cannot write to a message, nor make the payload writable.
func TestPayloadIsReadOnlyForTheReader(t *testing.T) {
	leavesNothing(t)
	path := t.TempDir() + "/c"
	w, err := Create[sample](path, Options{Slots: 1, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	c, files := knockRaw(t, path)
	defer c.Close()
	for i, f := range files {
		defer f.Close()
		for what, err := range map[string]error{
			"truncate": f.Truncate(0),
			"grow":     f.Truncate(1 << 30),
			"unseal":   seal(f, unix.F_SEAL_WRITE),
		} {
			if err == nil {
				t.Errorf("descriptor %d: %s succeeds", i, what)
			}
		}
	}
	if _, err := files[0].WriteAt([]byte{1}, 0); err == nil {
		t.Error("a write to the payload succeeds")
	}
	if err := unix.Fallocate(int(files[0].Fd()), unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, 0, 4096); err == nil {
		t.Error("a hole in the payload can be made")
	}
	if m, err := unix.Mmap(int(files[0].Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err == nil {
		unix.Munmap(m)
		t.Error("the payload can be mapped for writing")
	}
	m, err := unix.Mmap(int(files[0].Fd()), 0, 4096, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.Mprotect(m, unix.PROT_READ|unix.PROT_WRITE); err == nil {
		t.Error("the payload's mapping can be made writable")
	}
	unix.Munmap(m)
	wantNil(t, "Close", w.Close())
}

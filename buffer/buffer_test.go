package buffer

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// offHeap returns an OffHeap Buffer that is closed with the test, if the test
// does not do it. It skips where there is none.
func offHeap(t testing.TB, limit int) *Buffer {
	t.Helper()
	b, err := OffHeap(limit)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	})
	return b
}

// kinds makes a Buffer of each kind with a given capacity.
var kinds = []struct {
	name string
	make func(t testing.TB, capacity int) *Buffer
}{
	{"New", func(_ testing.TB, capacity int) *Buffer { return New(capacity) }},
	{"Wrap", func(_ testing.TB, capacity int) *Buffer { return Wrap(make([]byte, capacity)) }},
	{"OffHeap", offHeap},
	{"Create", mappedFile},
}

func mustExtend(t testing.TB, b *Buffer, n int) []byte {
	t.Helper()
	p, err := b.Extend(n)
	if err != nil {
		t.Fatalf("Extend(%d): %v", n, err)
	}
	return p
}

func fill(p []byte, c byte) {
	for i := range p {
		p[i] = c
	}
}

func TestExactFitSucceedsAndOneByteMoreIsErrFull(t *testing.T) {
	for _, k := range kinds {
		for _, capacity := range []int{1, 7, 8, 4095, 4096, 4097, firstChunk, firstChunk + 1, 1<<20 + 12345} {
			t.Run(fmt.Sprintf("%s/%d", k.name, capacity), func(t *testing.T) {
				b := k.make(t, capacity)
				if b.Len() != 0 || b.Cap() != capacity {
					t.Fatalf("Len %d, Cap %d, want 0, %d", b.Len(), b.Cap(), capacity)
				}
				for _, f := range []func(int) ([]byte, error){b.Extend, b.Reserve} {
					if p, err := f(capacity + 1); p != nil || !errors.Is(err, ErrFull) {
						t.Fatalf("one byte too many: %d bytes, %v, want ErrFull", len(p), err)
					}
				}
				if b.Len() != 0 {
					t.Fatalf("Len %d after ErrFull, want 0", b.Len())
				}
				fill(mustExtend(t, b, capacity), 1)
				if b.Len() != capacity {
					t.Fatalf("Len %d, want %d", b.Len(), capacity)
				}
				if _, err := b.Extend(1); !errors.Is(err, ErrFull) {
					t.Fatalf("Extend(1) when full: %v", err)
				}
				if p, err := b.Extend(0); len(p) != 0 || err != nil {
					t.Fatalf("Extend(0) when full: %d bytes, %v", len(p), err)
				}
				if b.Len() != capacity {
					t.Fatalf("Len %d, want %d", b.Len(), capacity)
				}
			})
		}
	}
}

func TestWrapWritesNothingBeyondItsLength(t *testing.T) {
	const sentinel = 0xA5
	for _, c := range []struct {
		name     string
		from, to int
		cap      int // of the wrapped slice, from its start
	}{
		{"capacity is length", 8, 24, 16},
		{"capacity beyond length", 8, 24, 40},
		{"misaligned", 3, 20, 61},
		{"empty with capacity", 8, 8, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			all := bytes.Repeat([]byte{sentinel}, 64)
			p := all[c.from:c.to:min(c.from+c.cap, 64)]
			b := Wrap(p)
			if b.Cap() != len(p) {
				t.Fatalf("Cap %d, want %d", b.Cap(), len(p))
			}
			if _, err := b.Extend(len(p) + 1); !errors.Is(err, ErrFull) {
				t.Fatalf("one byte too many: %v, want ErrFull", err)
			}
			free, err := b.Reserve(0)
			if err != nil || len(free) != len(p) || cap(free) != len(p) {
				t.Fatalf("Reserve(0): len %d, cap %d, %v, want %d", len(free), cap(free), err, len(p))
			}
			got := mustExtend(t, b, len(p))
			if cap(got) != len(got) {
				t.Fatalf("Extend: cap %d, len %d", cap(got), len(got))
			}
			fill(got, 1)
			_ = append(got, 2)
			_ = append(b.Bytes(), 3)
			for i, v := range all {
				if inside := i >= c.from && i < c.to; inside != (v == 1) || !inside && v != sentinel {
					t.Errorf("byte %d is %#x", i, v)
				}
			}
		})
	}
}

func TestWrapKeepsWhatTheMemoryHeld(t *testing.T) {
	p := []byte("before")
	b := Wrap(p)
	if got := mustExtend(t, b, 6); string(got) != "before" {
		t.Errorf("Extend returned %q", got)
	}
}

func TestErrorsGiveTheNumbers(t *testing.T) {
	b := New(100)
	mustExtend(t, b, 93)
	_, full := b.Extend(1234)
	_, negative := b.Extend(-77)
	_, negativeReserve := b.Reserve(math.MinInt)
	_, zeroLimit := OffHeap(0)
	_, negativeLimit := OffHeap(-5)
	_, hugeLimit := OffHeap(math.MaxInt)
	for _, c := range []struct {
		err  error
		want []string
	}{
		{full, []string{"1234", "7 free", "100"}},
		{negative, []string{"-77"}},
		{negativeReserve, []string{fmt.Sprint(math.MinInt)}},
		{zeroLimit, []string{" 0 bytes", "at least 1"}},
		{negativeLimit, []string{"-5"}},
		{hugeLimit, []string{fmt.Sprint(math.MaxInt), "want at most"}},
	} {
		if c.err == nil {
			t.Errorf("no error that mentions %q", c.want)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(c.err.Error(), w) && !errors.Is(c.err, errors.ErrUnsupported) {
				t.Errorf("%q does not mention %q", c.err, w)
			}
		}
		if errors.Is(c.err, ErrFull) != (c.err == full) {
			t.Errorf("%q: ErrFull is %t", c.err, c.err != full)
		}
	}
	if b.Len() != 93 {
		t.Errorf("Len %d after errors, want 93", b.Len())
	}
	if !Live().Empty() {
		t.Error("a Buffer that was not made is live")
	}
}

func TestMoreThanTheAddressSpaceIsAnError(t *testing.T) {
	const limit = math.MaxInt - 1<<20
	b, err := OffHeap(limit)
	if err == nil {
		b.Close()
		if bits.UintSize == 32 {
			t.Skip("half the address space happens to be free")
		}
		t.Fatal("no error")
	}
	if !strings.Contains(err.Error(), fmt.Sprint(limit)) || errors.Is(err, ErrFull) || !Live().Empty() {
		t.Errorf("%v; live: %t", err, !Live().Empty())
	}
}

func TestNewPanicsPlainlyWhenNegative(t *testing.T) {
	defer func() {
		if r, ok := recover().(string); !ok || !strings.Contains(r, "-3 bytes") {
			t.Errorf("New(-3) panics with %v", r)
		}
	}()
	New(-3)
}

func TestFirstByteIsAligned(t *testing.T) {
	for _, k := range kinds {
		if k.name == "Wrap" {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			for capacity := 1; capacity < 40; capacity++ {
				b := k.make(t, capacity)
				if at := address(mustExtend(t, b, 1)); at%8 != 0 {
					t.Errorf("capacity %d: address %#x", capacity, at)
				}
			}
		})
	}
}

func TestCloseLeavesNothing(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			b := k.make(t, 100)
			mustExtend(t, b, 10)
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{-1, 0, 1, 1000} {
				if p, err := b.Extend(n); p != nil || err != ErrClosed {
					t.Errorf("Extend(%d): %v, %v", n, p, err)
				}
				if p, err := b.Reserve(n); p != nil || err != ErrClosed {
					t.Errorf("Reserve(%d): %v, %v", n, p, err)
				}
			}
			if err := b.Trim(); err != ErrClosed {
				t.Errorf("Trim: %v", err)
			}
			if err := b.Sync(); err != ErrClosed {
				t.Errorf("Sync: %v", err)
			}
			if err := b.Guard(func([]byte) error { t.Error("called"); return nil }); err != ErrClosed {
				t.Errorf("Guard: %v", err)
			}
			if err := b.Close(); err != ErrClosed {
				t.Errorf("second Close: %v", err)
			}
			b.Reset()
			if b.Bytes() != nil || b.Len() != 0 || b.Cap() != 0 {
				t.Errorf("Bytes %v, Len %d, Cap %d", b.Bytes(), b.Len(), b.Cap())
			}
		})
	}
}

func TestTheZeroBufferHasNoRoom(t *testing.T) {
	var b Buffer
	if _, err := b.Extend(1); !errors.Is(err, ErrFull) {
		t.Errorf("Extend(1): %v", err)
	}
	if err := b.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// TestBehavesAsItsModel runs random calls against a slice that holds what has
// been written, and checks after each that nothing written was lost or moved.
func TestBehavesAsItsModel(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			k.make(t, 1) // skips
			rapid.Check(t, func(rt *rapid.T) {
				capacity := rapid.IntRange(1, 5*firstChunk).Draw(rt, "capacity")
				b := k.make(t, capacity)
				defer b.Close()
				base := address(b.space)
				if b.space == nil {
					base = address(b.mem)
				}
				want := []byte{}
				size := rapid.OneOf(rapid.IntRange(-2, 64), rapid.IntRange(0, capacity+2))
				// check reports whether a call for n bytes is to succeed, and did.
				check := func(call string, n int, p []byte, err error) bool {
					switch {
					case n < 0 && err == nil,
						n > capacity-len(want) && !errors.Is(err, ErrFull),
						n >= 0 && n <= capacity-len(want) && err != nil:
						rt.Fatalf("%s(%d) at %d of %d: %v", call, n, len(want), capacity, err)
					case err != nil && p != nil:
						rt.Fatalf("%s(%d): an error and %d bytes", call, n, len(p))
					case err == nil && len(p) != cap(p):
						rt.Fatalf("%s(%d): len %d, cap %d", call, n, len(p), cap(p))
					case len(p) > 0 && address(p) != base+uintptr(len(want)):
						rt.Fatalf("%s(%d): moved", call, n)
					}
					return err == nil
				}
				extend := func(n int) bool {
					p, err := b.Extend(n)
					if !check("Extend", n, p, err) {
						return false
					}
					if len(p) != n {
						rt.Fatalf("Extend(%d): %d bytes", n, len(p))
					}
					fill(p, rapid.Byte().Draw(rt, "content"))
					want = append(want, p...)
					return true
				}
				rt.Repeat(map[string]func(*rapid.T){
					"Extend": func(rt *rapid.T) { extend(size.Draw(rt, "n")) },
					"Reserve": func(rt *rapid.T) {
						n := size.Draw(rt, "n")
						p, err := b.Reserve(n)
						if !check("Reserve", n, p, err) {
							return
						}
						if len(p) < n || len(p) > capacity-len(want) {
							rt.Fatalf("Reserve(%d) at %d of %d: %d bytes", n, len(want), capacity, len(p))
						}
						fill(p, 0xEE)
						if rapid.Bool().Draw(rt, "take") && !extend(rapid.IntRange(0, len(p)).Draw(rt, "k")) {
							rt.Fatalf("Extend failed within what Reserve(%d) returned", n)
						}
					},
					"Reset": func(*rapid.T) {
						b.Reset()
						want = want[:0]
					},
					"Trim": func(rt *rapid.T) {
						if err := b.Trim(); err != nil {
							rt.Fatal(err)
						}
					},
					"": func(rt *rapid.T) {
						got := b.Bytes()
						if !bytes.Equal(got, want) || cap(got) != len(got) || b.Len() != len(want) || b.Cap() != capacity {
							rt.Fatalf("%d bytes of capacity %d (equal: %t), Len %d, Cap %d; want %d, Cap %d",
								len(got), cap(got), bytes.Equal(got, want), b.Len(), b.Cap(), len(want), capacity)
						}
					},
				})
			})
		})
	}
}

func TestASteadyLoopDoesNotAllocate(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			b := k.make(t, 1<<20)
			mustExtend(t, b, 1<<19)
			if n := testing.AllocsPerRun(100, func() {
				b.Reset()
				for range 100 {
					if _, err := b.Reserve(500); err != nil {
						t.Fatal(err)
					}
					if _, err := b.Extend(300); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := b.Extend(0); err != nil || Live().Contains(1) {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%v allocations per loop", n)
			}
		})
	}
}

func TestChunksDoubleWithinTheEnd(t *testing.T) {
	for _, c := range []struct{ need, end, want int }{
		{4096, 4096, 4096},
		{4096, 1 << 30, firstChunk},
		{firstChunk, 1 << 30, firstChunk},
		{firstChunk + 4096, 1 << 30, 2 * firstChunk},
		{2*firstChunk + 4096, 3 * firstChunk, 3 * firstChunk},
		{5 << 20, 1 << 30, 8 << 20},
		{math.MaxInt - 8191, math.MaxInt - 8191, math.MaxInt - 8191},
	} {
		if got := chunkEnd(c.need, c.end); got != c.want {
			t.Errorf("chunkEnd(%d, %d) = %d, want %d", c.need, c.end, got, c.want)
		}
	}
}

func TestResetKeepsStaleBytes(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			b := k.make(t, 100)
			old := mustExtend(t, b, 6)
			copy(old, "secret")
			b.Reset()
			want := "secret"
			if poisons {
				want = strings.Repeat("\xDB", 6)
			}
			if got := mustExtend(t, b, 6); string(got) != want || !slices.Equal(old, got) {
				t.Errorf("after Reset %q, want %q", got, want)
			}
		})
	}
}

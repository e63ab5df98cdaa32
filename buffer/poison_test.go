package buffer

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestPoisonOfTruncate: what was cut off is zero where a run of messages ends and,
// in a debug build, poison behind that; in a file it is zero in every build.
func TestPoisonOfTruncate(t *testing.T) {
	const size = 100
	for _, k := range kinds {
		for _, n := range []int{0, 8, 40, 91, 92, 93, size} {
			t.Run(fmt.Sprintf("%s/%d", k.name, n), func(t *testing.T) {
				b := k.make(t, size+20)
				copy(mustExtend(t, b, size), pattern(size))
				all := mustExtend(t, b, 20)
				fill(all, 5)
				all = b.Bytes()
				if err := b.Truncate(size); err != nil {
					t.Fatal(err)
				}
				if err := b.Truncate(n); err != nil {
					t.Fatal(err)
				}
				check := func(from, to int) {
					want := make([]byte, to-from)
					if poisons && b.file == nil {
						fill(want[min(8, len(want)):], 0xDB)
					}
					if !bytes.Equal(all[from:to], want) {
						t.Errorf("from %d to %d: % x, want % x", from, to, all[from:to], want)
					}
				}
				check(n, size)
				check(size, size+20)
				if !slices.Equal(all[:n], pattern(n)) {
					t.Error("what was not cut off is other")
				}
			})
		}
	}
}

// TestPoisonOfResetIsOfWhatWasWritten: memory beyond Len is not touched, whose
// pages may not be there yet.
func TestPoisonOfResetIsOfWhatWasWritten(t *testing.T) {
	p := pattern(100)
	b := Wrap(p)
	mustExtend(t, b, 40)
	b.Reset()
	want := pattern(100)
	if poisons {
		fill(want[:40], 0xDB)
	}
	if !bytes.Equal(p, want) {
		t.Errorf("after Reset % x, want % x", p, want)
	}
	b = offHeap(t, 1<<20)
	fill(mustExtend(t, b, os.Getpagesize()), 1)
	b.Reset()
	b.Reset()
	if at := len(b.mem); !faults(b.space, at) {
		t.Error("Reset has committed memory")
	}
	mustClose(t, b)
	b.Reset() // a closed one has nothing to fill
	r := open(t, write(t, pattern(10)))
	r.Reset()
	if !bytes.Equal(r.Bytes(), pattern(10)) {
		t.Error("Reset of Open's has written")
	}
}

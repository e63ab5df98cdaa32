package buffer

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"os"
	"runtime/debug"
	"testing"
)

var sink byte

// faults reports whether reading p[i] faults.
func faults(p []byte, i int) (fault bool) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { fault = recover() != nil }()
	sink = p[i]
	return false
}

func TestAddressesSurviveGrowth(t *testing.T) {
	limit, total := 1<<30, 200<<20
	if bits.UintSize == 32 {
		limit, total = 256<<20, 64<<20
	}
	b := offHeap(t, limit)
	var pieces [][]byte
	for b.Len() < total {
		p := mustExtend(t, b, 16+len(pieces)*37%9000)
		binary.LittleEndian.PutUint64(p, uint64(len(pieces)))
		binary.LittleEndian.PutUint64(p[len(p)-8:], ^uint64(len(pieces)))
		pieces = append(pieces, p)
	}
	at := address(b.Bytes())
	for i, p := range pieces {
		head, tail := binary.LittleEndian.Uint64(p), binary.LittleEndian.Uint64(p[len(p)-8:])
		if address(p) != at || head != uint64(i) || tail != ^uint64(i) {
			t.Fatalf("piece %d at %#x holds %#x … %#x, want it at %#x", i, address(p), head, tail, at)
		}
		at += uintptr(len(p))
	}
}

// TestOverrunsFault shows that what Reserve returns is writable to its last
// byte, and that the next page is not even readable: neither what is reserved
// and not committed, nor what follows the limit.
func TestOverrunsFault(t *testing.T) {
	page := os.Getpagesize()
	for _, limit := range []int{1, page - 1, page, page + 1, firstChunk, firstChunk + page, 1<<20 + 12345} {
		b := offHeap(t, limit)
		for b.Len() < limit {
			free, err := b.Reserve(1)
			if err != nil {
				t.Fatal(err)
			}
			if len(free) > limit-b.Len() {
				t.Fatalf("limit %d: Reserve at %d returns %d bytes", limit, b.Len(), len(free))
			}
			fill(free, 1)
			mustExtend(t, b, len(free))
			committed := roundUp(b.Len(), page)
			if faults(b.space, committed-1) || !faults(b.space, committed) {
				t.Fatalf("limit %d: what can be read does not end at %d", limit, committed)
			}
		}
		if got, want := len(b.space), roundUp(limit, page)+page; got != want {
			t.Errorf("limit %d: %d bytes reserved, want %d", limit, got, want)
		}
	}
}

func TestFreshMemoryIsZero(t *testing.T) {
	b := offHeap(t, 1<<20)
	for i, v := range mustExtend(t, b, 1<<20) {
		if v != 0 {
			t.Fatalf("byte %d is %#x", i, v)
		}
	}
}

func TestClosedMemoryFaults(t *testing.T) {
	b := offHeap(t, 1<<30-1)
	p := mustExtend(t, b, 100)
	if faults(p, 0) {
		t.Fatal("open memory faults")
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if !faults(p, 0) {
		t.Error("closed memory can be read")
	}
}

func TestTrimKeepsContentAndAddresses(t *testing.T) {
	b := offHeap(t, 1<<20)
	p := mustExtend(t, b, 1<<20)
	fill(p, 7)
	b.Reset()
	keep := os.Getpagesize() + 1
	fill(mustExtend(t, b, keep), 7)
	if err := b.Trim(); err != nil {
		t.Fatal(err)
	}
	for i, v := range b.Bytes() {
		if v != 7 {
			t.Fatalf("byte %d is %#x after Trim", i, v)
		}
	}
	fill(p[keep:], 8) // a fault if Trim took more than content
	rest := mustExtend(t, b, 1<<20-keep)
	if rest[0] != 8 || address(rest) != address(p[keep:]) {
		t.Error("memory moved")
	}
}

func TestOffHeapSaysWhereItIsUnsupported(t *testing.T) {
	b, err := OffHeap(1)
	if err == nil {
		b.Close()
		t.Skip("supported")
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}

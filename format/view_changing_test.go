package format_test

import (
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/format"
)

// TestViewsOfMemoryThatChanges: while a goroutine keeps setting words of a message to hostile values, others walk it
// through views, between guard pages. Whatever they meet is a value or an error within the message.
//
// The memory is not on the heap, where neither the race detector nor the collector sees it.
func TestViewsOfMemoryThatChanges(t *testing.T) {
	if !guardsWork || emulated {
		t.Skip("no guard pages here, or too slow")
	}
	lasts := 400 * time.Millisecond
	if long {
		lasts = 10 * time.Minute
	}
	c := format.MustFor[Rich](format.WithShared())
	handles := richPart(c, true)
	good := mustModelEncode(new(richTree()))
	var stop atomic.Bool
	writes := make(chan uint64)
	places := [][]byte{newGuarded(t, len(good)).before(good), newGuarded(t, len(good)).behind(good)}
	for _, msg := range places {
		go func() { writes <- keepChanging(&stop, msg, good) }()
	}
	type count struct{ walks, reads, errs, decodes int }
	counts := make(chan count)
	for i, msg := range places {
		go func() {
			debug.SetPanicOnFault(true)
			var n count
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("a reader panics: %v", r)
				}
				counts <- n
			}()
			end := time.Now().Add(lasts)
			var x Rich
			for time.Now().Before(end) && !t.Failed() {
				v, err := c.View(msg)
				if err != nil { // the header is not changed
					t.Error(err)
					break
				}
				w := &walk{t: thrower{}, n: len(msg), steps: 3000, changes: true, copies: bits32}
				start := time.Now()
				handles.walk(w, v, nil)
				n.walks, n.reads, n.errs = n.walks+1, n.reads+w.reads, n.errs+w.errs
				if d := time.Since(start); d > tooLong {
					t.Errorf("a walk took %v", d)
				}
				// What is beside views looks at the same memory.
				if n.walks%4 == i {
					for _, err := range []error{c.Verify(msg), c.DecodeAlias(msg, &x), c.Decode(msg, &x)} {
						if err != nil && unclassified(err, len(msg)) != "" {
							t.Error(unclassified(err, len(msg)))
						}
						n.decodes++
					}
				}
			}
		}()
	}
	var sum count
	for range places {
		n := <-counts
		sum = count{sum.walks + n.walks, sum.reads + n.reads, sum.errs + n.errs, sum.decodes + n.decodes}
	}
	stop.Store(true)
	written := <-writes + <-writes
	if sum.walks < 10 || sum.errs == 0 || written < 1000 {
		t.Errorf("%+v, %d words written", sum, written)
	}
	t.Logf("%+v, %d words written", sum, written)
}

// keepChanging changes words of msg until stop, in whole words at once, and makes it good again now and then. It returns
// how many it has changed.
func keepChanging(stop *atomic.Bool, msg, good []byte) (n uint64) {
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(msg))), len(msg)/8)
	was := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(good))), len(good)/8)
	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	left := uint64(len(words))
	for !stop.Load() {
		at := 2 + r.Uint64N(left-2)
		var x uint64
		switch r.Uint64N(8) {
		case 0:
			x = r.Uint64()
		case 1:
			x = []uint64{0, 1, 1 << 63, 1<<64 - 1, 1<<32 - 1, 0x0202020202020202}[r.Uint64N(6)]
		case 2: // a ref to anywhere, with a count that may fit
			x = ref(int32(r.Uint64N(left))-int32(at), uint32(r.Uint64N(64)))
		case 3: // and one that just does not
			to := r.Uint64N(left)
			x = ref(int32(to)-int32(at), uint32((left-to)*8)+uint32(r.Uint64N(3)))
		case 4:
			x = was[at] ^ 1<<r.Uint64N(64)
		default:
			x = was[at]
		}
		atomic.StoreUint64(&words[at], x)
		n++
		if n%512 == 0 {
			for i := 2; i < len(words); i++ {
				atomic.StoreUint64(&words[i], was[i])
			}
		}
	}
	return n
}

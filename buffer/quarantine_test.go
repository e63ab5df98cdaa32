package buffer

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestQuarantineBehavesAsItsModel adds ranges of a small space, where neighbours
// touch, and compares with a list of bytes in the order that they came.
func TestQuarantineBehavesAsItsModel(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var q quarantine
		var model []span // one per range that was added, oldest first
		taken := map[uintptr]bool{}
		bytes := func(spans []span) (n uint64) {
			for _, sp := range spans {
				n += sp.size()
			}
			return n
		}
		// left takes ranges that left out of the model: the oldest, whole.
		left := func(spans []span) {
			n := bytes(spans)
			for n > 0 {
				if len(model) == 0 {
					rt.Fatalf("%v left, and nothing was there", spans)
				}
				oldest := model[0]
				if !slices.ContainsFunc(spans, func(sp span) bool { return sp.start <= oldest.start && oldest.end <= sp.end }) {
					rt.Fatalf("%v left, while the oldest is %v", spans, oldest)
				}
				for at := oldest.start; at < oldest.end; at++ {
					delete(taken, at)
				}
				model = model[1:]
				n -= oldest.size()
			}
		}
		rt.Repeat(map[string]func(*rapid.T){
			"add": func(rt *rapid.T) {
				start := uintptr(rapid.IntRange(0, 60).Draw(rt, "start"))
				sp := span{start, start + uintptr(rapid.IntRange(1, 6).Draw(rt, "size"))}
				for at := sp.start; at < sp.end; at++ {
					if taken[at] {
						return // it was not given back, so nobody can have it
					}
				}
				for at := sp.start; at < sp.end; at++ {
					taken[at] = true
				}
				most, spans := uint64(rapid.IntRange(0, 50).Draw(rt, "most")), rapid.IntRange(1, 8).Draw(rt, "spans")
				model = append(model, sp)
				left(q.add(sp, most, spans))
				if q.bytes > most || len(q.spans) > spans {
					rt.Fatalf("%d bytes in %d ranges are kept, at most %d in %d", q.bytes, len(q.spans), most, spans)
				}
			},
			"trim": func(rt *rapid.T) {
				most := uint64(rapid.IntRange(0, 80).Draw(rt, "most"))
				left(q.trim(most))
				if q.bytes > most {
					rt.Fatalf("%d bytes are kept, at most %d", q.bytes, most)
				}
			},
			"": func(rt *rapid.T) {
				if q.bytes != bytes(q.spans) || q.bytes != bytes(model) {
					rt.Fatalf("%d bytes in %v, want those of %v", q.bytes, q.spans, model)
				}
			},
		})
	})
}

// TestRangesThatTouchAreOne: closing many small Buffers one after the other takes
// no more of the system's ranges than closing one.
func TestRangesThatTouchAreOne(t *testing.T) {
	if !spansJoin {
		t.Skip("each range is given up alone here")
	}
	var q quarantine
	const n, size = 1000, 8192
	for i := range uintptr(n) {
		at := 1<<30 - i*size // downwards, as Linux does
		q.add(span{at, at + size}, math.MaxUint64, 2)
	}
	if len(q.spans) != 1 || q.bytes != n*size {
		t.Errorf("%d bytes in %d ranges, want %d in 1", q.bytes, len(q.spans), n*size)
	}
	for at := q.spans[0].end; len(q.spans) == 1; at += joinedAtMost / 4 { // all of a range leaves at once, so it ends
		q.add(span{at, at + joinedAtMost/4}, math.MaxUint64, 8)
	}
	for _, sp := range q.spans {
		if sp.size() > joinedAtMost {
			t.Errorf("a range of %d bytes, at most %d", sp.size(), joinedAtMost)
		}
	}
}

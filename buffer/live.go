package buffer

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// A span is the addresses from start up to, not including, end.
type span struct{ start, end uintptr }

// Ranges is the set of address ranges that belonged to open Buffers outside
// the Go heap when [Live] was called. It is immutable, of pointer size, and
// may be used by any goroutine. The zero Ranges is empty.
//
// It is low-level: a codec asks it whether memory that it is about to write to
// is a message's. An address in a range may be reserved and not yet committed,
// and then may not be touched.
type Ranges struct{ s *snapshot }

type snapshot struct {
	start, size uintptr // of the hull of spans, in bytes
	spans       []span  // ascending, disjoint, at least one
}

// Live returns the ranges of the Buffers outside the Go heap that are open
// now. It costs one atomic load and does not allocate.
func Live() Ranges { return Ranges{live.current.Load()} }

// Empty reports whether there are no ranges.
func (r Ranges) Empty() bool { return r.s == nil }

// Contains reports whether addr lies in a range.
func (r Ranges) Contains(addr uintptr) bool {
	// Below start the difference wraps, and is not less than size either.
	return r.s != nil && addr-r.s.start < r.s.size && r.s.contains(addr)
}

func (s *snapshot) contains(addr uintptr) bool {
	i, found := s.search(addr)
	return found || i > 0 && addr < s.spans[i-1].end
}

// search returns the index of the span that starts at addr, or where it would
// be inserted.
func (s *snapshot) search(addr uintptr) (int, bool) {
	return slices.BinarySearchFunc(s.spans, addr, func(s span, addr uintptr) int {
		return cmp.Compare(s.start, addr)
	})
}

// A registry publishes the set of live spans. Readers load a snapshot that
// never changes; writers, who are rare, copy it.
type registry struct {
	mu      sync.Mutex // held by writers
	current atomic.Pointer[snapshot]
}

var live registry

// add enters sp, which overlaps no span that is there.
func (r *registry) add(sp span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current.Load()
	if old == nil {
		r.publish([]span{sp})
		return
	}
	i, _ := old.search(sp.start)
	r.publish(slices.Concat(old.spans[:i], []span{sp}, old.spans[i:]))
}

// remove takes out sp, which is there.
func (r *registry) remove(sp span) {
	r.mu.Lock()
	defer r.mu.Unlock()
	old := r.current.Load()
	i, _ := old.search(sp.start)
	r.publish(slices.Concat(old.spans[:i], old.spans[i+1:]))
}

func (r *registry) publish(spans []span) {
	if len(spans) == 0 {
		r.current.Store(nil)
		return
	}
	start := spans[0].start
	r.current.Store(&snapshot{start, spans[len(spans)-1].end - start, spans})
}

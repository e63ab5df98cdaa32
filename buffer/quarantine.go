package buffer

import (
	"math"
	"os"
	"sync"
)

// Memory that was closed may still be in slices, and the system gives addresses that are free to whoever maps
// something next. So the addresses are kept for a while, without memory behind them: touching one faults.
const (
	// How many bytes of address space are kept, where there are 2^46 or more and where there are fewer, of which
	// 2^38 are the fewest that a 64-bit system gives a process.
	keptWide   = 1 << 40
	keptNarrow = 1 << 32

	// keptSpans is how many ranges are kept. The system bounds how many a process has (Linux: 65,530), the Go
	// runtime among them.
	keptSpans = 1 << 14
	// joinedAtMost is how many bytes ranges that were closed one after the other and touch are joined to. What
	// is joined is given up at once.
	joinedAtMost = 1 << 30
)

// A quarantine is ranges of addresses that are kept, the oldest first.
type quarantine struct {
	mu    sync.Mutex
	spans []span
	bytes uint64 // in all of spans
}

// kept is the one of this process.
var kept quarantine

// add enters sp, of at most most bytes, and returns the ranges that leave for it: the oldest, until no more
// than most bytes and so many spans are there.
func (q *quarantine) add(sp span, most uint64, spans int) (leave []span) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes += sp.size()
	if n := len(q.spans); n > 0 && q.spans[n-1].join(sp) {
		return q.leave(most, spans)
	}
	q.spans = append(q.spans, sp)
	return q.leave(most, spans)
}

// trim returns the ranges that have to leave so that no more than most bytes are there.
func (q *quarantine) trim(most uint64) []span {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.leave(most, math.MaxInt)
}

func (q *quarantine) leave(most uint64, spans int) []span {
	n := 0
	for q.bytes > most || len(q.spans)-n > spans {
		q.bytes -= q.spans[n].size()
		n++
	}
	leave := q.spans[:n:n]
	q.spans = q.spans[n:]
	return leave
}

// join makes s take in other, if that touches it, both together are not too large, and the system can give them
// up together.
func (s *span) join(other span) bool {
	if !spansJoin || s.size()+other.size() > joinedAtMost {
		return false
	}
	switch {
	case other.end == s.start:
		s.start = other.start
	case other.start == s.end:
		s.end = other.end
	default:
		return false
	}
	return true
}

func (s span) size() uint64 { return uint64(s.end - s.start) }

// retire gives up the memory at sp, of which slices may be about, and keeps the addresses if there is room for
// that. The error is that of the system where it unmaps nothing.
func retire(sp span) error {
	page := uintptr(os.Getpagesize())
	sp.end = (sp.end + page - 1) &^ (page - 1)
	most := room()
	dropAll(kept.trim(most))
	if sp.size() > most || forbid(sp) != nil {
		return unmap(sp)
	}
	dropAll(kept.add(sp, most, keptSpans))
	return nil
}

// dropAll gives up addresses that were kept, and reports whether there were any. Where the system refuses they
// are lost until the process ends; nothing else is.
func dropAll(spans []span) bool {
	for _, sp := range spans {
		_ = unmap(sp)
	}
	return len(spans) > 0
}

// room returns how many bytes of addresses may be kept, now: a limit (ulimit -v) can be set at any time.
func room() uint64 {
	switch {
	case math.MaxInt == math.MaxInt32 || limited():
		return 0
	case wide():
		return keptWide
	}
	return keptNarrow
}

// Retire ends a mapping as [Buffer.Close] ends that of a file: what still points into it faults, and no other
// mapping gets its addresses until much else was closed (see the package comment).
//
// It is low-level: for memory that the caller has mapped without a Buffer, by unix.MmapPtr of
// golang.org/x/sys and not by unix.Mmap, which keeps a list of its own. mapping is all of it. Retire exists on
// Unix systems; elsewhere the error is errors.ErrUnsupported. Otherwise it wraps what the system said when it
// would not unmap.
func Retire(mapping []byte) error { return retireMapping(mapping) }

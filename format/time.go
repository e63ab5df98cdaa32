package format

import (
	"sync/atomic"
	"time"
)

// Times, SPEC §2.5.
const (
	unixSeconds = 62135596800 // from year 1 to 1970
	dayShort    = 86_399      // seconds: the largest offset of a zone
	nanoseconds = 1_000_000_000
)

// putTime writes t at w.
func putTime(m []byte, w uint64, t time.Time) error {
	_, offset := t.Zone()
	store64(m, w, uint64(t.Unix()+unixSeconds))
	store64(m, w+8, uint64(t.Nanosecond())|uint64(uint32(int32(offset)))<<32)
	if offset < -dayShort || offset > dayShort {
		return failf(ErrLimit, "a time zone of %d seconds, at most %d", offset, dayShort)
	}
	return nil
}

// getTime reads the time at w.
func getTime(m []byte, w uint64) (time.Time, error) {
	seconds, rest := load64(m, w), load64(m, w+8)
	if err := badTime(rest); err != nil {
		return time.Time{}, err
	}
	t := time.Unix(int64(seconds)-unixSeconds, int64(uint32(rest)))
	if offset := int32(rest >> 32); offset != 0 {
		return t.In(zone(offset)), nil
	}
	return t.UTC(), nil
}

// badTime checks the second word of a time.
func badTime(rest uint64) error {
	ns, offset := uint32(rest), int32(rest>>32)
	if ns >= nanoseconds || offset < -dayShort || offset > dayShort {
		return failf(ErrCorrupt, "a time with %d nanoseconds and a zone of %d seconds, at most %d and %d", ns, offset, nanoseconds-1, dayShort)
	}
	return nil
}

// A fixed is a zone that was made.
type fixed struct {
	offset int32
	zone   *time.Location
}

// zones keeps one zone for each of its places.
var zones [1024]atomic.Pointer[fixed]

// zoneBytes is how much Go memory a zone takes.
const zoneBytes = 200

// zone returns a zone of an offset in seconds, without a name.
func zone(offset int32) *time.Location {
	at := &zones[uint32(offset/60*61+offset%60)%uint32(len(zones))]
	f := at.Load()
	if f == nil || f.offset != offset {
		f = &fixed{offset, time.FixedZone("", int(offset))}
		at.Store(f)
	}
	return f.zone
}

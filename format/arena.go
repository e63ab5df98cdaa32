package format

// An arena hands out small pieces of memory without pointers, cut from chunks, so that a decode makes
// few allocations. A piece that is kept keeps its chunk.
type arena struct {
	chunk   []byte
	used    uint64
	strings []string // headers for *string
}

// Sizes of an arena, in bytes. Each chunk is up to twice as large as the one before: what is left over in the last one,
// where a few small pieces stand beside large ones, is little. A larger piece has memory of its own.
const (
	minChunk   = 64
	firstChunk = 512 // at most
	maxChunk   = 4096
	maxPiece   = 1024
)

// bytes cuts n bytes at a multiple of align; more is how many the decode can still ask for.
func (a *arena) bytes(n, align, more uint64) []byte {
	from := (a.used + align - 1) &^ (align - 1)
	if from+n > uint64(len(a.chunk)) {
		if n > maxPiece {
			return newBytes(up8(n))[:n:n]
		}
		most := max(firstChunk, n, min(2*uint64(len(a.chunk)), maxChunk))
		a.chunk, from = newBytes(up8(max(minChunk, min(n+more, most)))), 0
	}
	a.used = from + n
	return a.chunk[from:a.used:a.used]
}

// string returns a copy of b.
func (a *arena) string(b []byte, more uint64) string {
	if len(b) > maxPiece {
		return string(b)
	}
	c := a.bytes(uint64(len(b)), 1, more)
	copy(c, b)
	return viewString(c)
}

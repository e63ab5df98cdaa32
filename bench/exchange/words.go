package exchange

import (
	"encoding/binary"
	"math/bits"
)

// words are 64 bytes: a message of BYTES with n=64, or an answer.
type words [Word / 8]uint64

func (w *words) sum() uint64 {
	var s uint64
	for _, v := range w {
		s += v
	}
	return s
}

func (w *words) put(p []byte) {
	for i, v := range w {
		binary.LittleEndian.PutUint64(p[8*i:], v)
	}
}

func (w *words) get(p []byte) {
	for i := range w {
		w[i] = binary.LittleEndian.Uint64(p[8*i:])
	}
}

// An answer says what the second process has found.
type answer struct {
	count uint64 // messages since the last answer
	sum   uint64 // of the message, or the digest of their sums
	at    int64  // when the message had been read, in ns since 1970
}

func (a answer) words() words { return words{a.count, a.sum, uint64(a.at)} }

func answerOf(w *words) answer { return answer{w[0], w[1], int64(w[2])} }

// A digest is of sums in their order.
type digest uint64

func (d *digest) add(sum uint64) {
	*d = digest(bits.RotateLeft64(uint64(*d), 7)*0x9E3779B97F4A7C15 ^ sum)
}

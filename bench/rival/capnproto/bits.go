package capnproto

import (
	"encoding/binary"
	"math/bits"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
)

// packBits packs booleans eight to a byte, the first in the lowest bit.
func packBits(dst []byte, src []bool) {
	p := raw.Bytes(src)
	whole := len(p) / 8
	for i := range whole {
		// The product gathers the lowest bit of each byte in the highest byte.
		dst[i] = byte(binary.LittleEndian.Uint64(p[i*8:]) * 0x01_02_04_08_10_20_40_80 >> 56)
	}
	for i := whole * 8; i < len(p); i++ {
		dst[i/8] |= p[i] << (i % 8)
	}
}

// unpackBits is the reverse of packBits.
func unpackBits(dst []bool, src []byte) {
	p := raw.Bytes(dst)
	whole := len(p) / 8
	for i := range whole {
		// Halve thrice: 4 bits to each half, 2 to each quarter, 1 to each byte.
		x := uint64(src[i])
		x = (x | x<<28) & 0x0000000f_0000000f
		x = (x | x<<14) & 0x00030003_00030003
		x = (x | x<<7) & 0x01010101_01010101
		binary.LittleEndian.PutUint64(p[i*8:], x)
	}
	for i := whole * 8; i < len(p); i++ {
		p[i] = src[i/8] >> (i % 8) & 1
	}
}

// countBits counts those of the first n bits that are set.
func countBits(src []byte, n int) uint64 {
	var s int
	whole := n / 64
	for i := range whole {
		s += bits.OnesCount64(binary.LittleEndian.Uint64(src[i*8:]))
	}
	for i := whole * 64; i < n; i++ {
		s += int(src[i/8] >> (i % 8) & 1)
	}
	return uint64(s)
}

//go:build ashlar_hook

package format

// loadHook gives the value of a load of so many bits at an offset in a message; nil changes nothing. It is set while
// nothing reads.
var loadHook func(at, v uint64, bits int) uint64

func loaded8(i uint64, v uint8) uint8    { return uint8(hooked(i, uint64(v), 8)) }
func loaded16(i uint64, v uint16) uint16 { return uint16(hooked(i, uint64(v), 16)) }
func loaded32(i uint64, v uint32) uint32 { return uint32(hooked(i, uint64(v), 32)) }
func loaded64(i uint64, v uint64) uint64 { return hooked(i, v, 64) }

func hooked(i, v uint64, bits int) uint64 {
	if loadHook == nil {
		return v
	}
	return loadHook(i, v, bits)
}

// copied is for the bytes of plain values, from offset i, that were copied to be looked at.
func copied(i uint64, b []byte) {
	for k := range b {
		b[k] = loaded8(i+uint64(k), b[k])
	}
}

package buffer

import "unsafe"

// makeAligned returns n zeroed bytes on the Go heap whose address is a
// multiple of 8. On 32-bit platforms too: sync/atomic promises it of the first
// word of an allocated slice of 64-bit words.
func makeAligned(n int) []byte {
	words := make([]uint64, (n-1)/8+1) // one for n of 0, so that there is a first
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
}

// start returns where p begins.
func start(p []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(p)) }

// address returns where p begins, as a number.
func address(p []byte) uintptr { return uintptr(start(p)) }

// spanOf returns the addresses of p.
func spanOf(p []byte) span { return span{address(p), address(p) + uintptr(len(p))} }

// pointer returns where s begins. The address is none of the garbage
// collector's, so that it may be kept as a number; vet cannot know that of a
// plain conversion.
func (s span) pointer() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&s.start)) }

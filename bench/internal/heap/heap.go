// Package heap gives a process a heap of a usual size.
package heap

import "runtime"

// Ballast makes the heap large until the function it returns is called. In a
// heap of next to nothing, collections come so often, and so much memory goes
// back to the system in between, that page faults are most of what an operation
// takes that allocates.
func Ballast() (drop func()) {
	b := make([]byte, 128<<20) // never touched, so it takes no memory
	return func() { runtime.KeepAlive(b) }
}

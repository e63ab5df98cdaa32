// Package buffer holds the memory that messages are written into: a slice of
// the Go heap ([New]), memory of the caller's ([Wrap]), or address space
// outside the Go heap that is reserved at once and committed as it grows
// ([OffHeap]). A [Buffer] never moves what it holds, so an address handed out
// stays valid until [Buffer.Close] however much is appended after it. It knows
// nothing of the format that the bytes are in.
//
// # Writing
//
// A writer that knows its size calls [Buffer.Extend] and fills what it gets.
// One that does not calls [Buffer.Reserve] for the least it needs, writes into
// the region it gets, and takes what it used with Extend, which then returns
// that same memory and cannot fail:
//
//	free, err := b.Reserve(minimum)
//	if err != nil {
//		return err
//	}
//	k := write(free)
//	_, err = b.Extend(k) // nil whenever k <= len(free)
//
// Extend and Reserve do not clear anything. What they return holds what the
// memory held before: zeros in fresh memory, the bytes of earlier messages
// after a [Buffer.Reset], anything at all in memory from Wrap. Whoever hands
// the bytes on must write every one of them.
//
// # Lifetime
//
// A Buffer is used by one goroutine at a time. Slices that it returned may be
// read by others, under the rules that hold for every slice: nobody writes
// while another reads.
//
// Reset ends the life of the content, not of the addresses: a slice taken
// before it stays readable and shows what is written there next.
//
// Close ends the life of the addresses. For New and Wrap that is a matter for
// the garbage collector and slices remain good. For OffHeap the memory is
// unmapped while slices of it may still be about, and the garbage collector
// does not know of them. Touching one afterwards, from any goroutine, is the
// caller's mistake, and at best the program ends there with a fault (SIGSEGV,
// which recover does not catch). At worst the system has given the same
// addresses to a later mapping, of anyone in the process, and the stale slice
// silently reads or overwrites its bytes. Nothing is kept mapped to prevent
// that, for then address space would run out. So close a Buffer when all
// that was read from it without copying is gone.
//
// Nothing closes an OffHeap Buffer but Close. There is no finalizer, because
// a slice of the memory may well outlive the last reference to its Buffer; a
// Buffer that is dropped without Close is leaked until the process ends.
//
// # Memory that is kept
//
// A Buffer holds on to the memory it has committed, which is never more than
// Cap rounded up to whole pages, and grows in steps that double from 64 KiB:
// after one message of 64 MiB, 64 MiB stay in use through any number of Resets
// and small messages, so that a loop of large ones does not fault its pages
// in again each time. [Buffer.Trim] is the way out: it gives all memory beyond
// Len back to the system, and addresses stay valid:
//
//	large := b.Len() > 1<<20
//	b.Reset()
//	if large {
//		err = b.Trim()
//	}
//
// # Platforms
//
// OffHeap works on Unix systems and Windows. Elsewhere (js, wasip1, plan9) it
// returns an error that is [errors.ErrUnsupported].
package buffer

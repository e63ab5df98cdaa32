// Package suite lists the benchmark's cases: one operation on one workload, in
// one kind of memory, by one library in one way. The command bench and
// `go test -bench` measure the same list.
//
// A case is prepared, checked, then run as often as one likes:
//
//	for _, c := range suite.All() {
//		p, err := c.Prepare()
//		...
//		err = p.Check() // the result is right, and lies where it should
//		for range n {
//			p.Op()
//		}
//		p.Close()
//	}
//
// # What is measured
//
// serialize makes a finished message in the memory that the case names: the Go
// heap (buffer=array), memory outside of it (buffer=offheap), a mapped file
// (buffer=mmap) or memory that processes share (buffer=shm). Builders and memory
// are reused. A library that cannot build outside the heap copies the finished
// message there.
//
// With buffer=mmap the reads have the file mapped a second time, read-only. With
// buffer=shm they have a message that a channel of package shm has delivered into
// the reader's mapping, the same for every library: one of a []byte, with the
// library's message in it. Ashlar checks it as it does what a peer may still
// change, and thus copies bools. Its serialize takes a slot on loan and gives it
// up; the others write to shared memory that has nothing to do with a channel,
// for a loan can be filled by Ashlar alone.
//
// deserialize has the Go slices, or the Go struct, in hand. What way=copy,
// way=documented and way=expert leave is fresh and shares nothing with the
// message. way=reuse writes into slices and objects that are there already.
// way=alias takes slices, strings and structs that point into the message;
// whatever else it needs is reused. Cap'n Proto packs booleans eight to a byte,
// so that its way=alias leaves those as they are.
//
// traverse sums every element or field of a message (of strings, the length),
// without keeping anything.
//
// lib=memmove is what the machine needs to move the bytes: way=copy copies the
// workload's slices one by one, or the struct, or, for MEDIA_CONTENT, Ashlar's
// finished message, into reused memory of the same kind, and from there into
// reused memory of the Go heap where the operation is a read. way=makecopy makes
// the slices before it copies into them. way=bools copies the booleans alone.
//
// Each operation is one call of a func(), the same for all libraries.
package suite

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
// message there. way=gather leaves a list of parts, ready for a system call that
// takes such: large arrays lie where the value has them, and only the rest is
// copied, into the memory named. It does less than the others, which all copy the
// payload.
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
// With refs=on objects that are referred to more than once are written once and
// come back as one: the images of MEDIA_CONTENT point at the one film, and SAMPLE
// at itself. FlatBuffers and Cap'n Proto do not stand beside it. Their readers see
// a tree, in which what was one object is several, and a tree that holds itself
// cannot be written. With refs=off there are no such references in the values.
//
// mode=compatible is a compat.Reader, which may meet messages of other schemas and here does not, and a
// compat.Encoder that has described the type. With mode=evolved the messages are of a writer whose type is another
// version: in each struct of more than five fields one is missing, one is there that the reader lacks, and two are
// in each other's place. mode=added, mode=removed and mode=swapped have one of these changes each. Of
// PRIMITIVE_ARRAY, where names have no mode, way=alias-evolved is that: a field more and two swapped. The rivals
// stand beside mode=consistent alone: their accessors read every version.
//
// STRUCT2 is a STRUCT of pointers, in STRUCT2_NIL with every third nil. FlatBuffers
// as documented has optional scalars for them, Cap'n Proto unions with Void; the
// experts of both write a bit for each, beside values at fixed places.
//
// MAP is a map at the root, of n entries and the named types of key and value.
// Beside it stands lib=reflect-sort, the least that a writer does which knows the
// type by reflection and puts the entries in order: it collects them, into memory
// that is reused, sorts them and appends their bytes.
//
// traverse sums every element or field of a message (of strings, the length),
// without keeping anything. Ashlar's way=view goes through handles, its way=alias
// decodes first; lib=slices sums the same Go slices without a message. Of
// MEDIA_CONTENT the experts of Ashlar and FlatBuffers have schemas of their own,
// in which the fixed fields of a block are one struct.
//
// field reads one field, from the message's bytes on: what is checked of the
// message is part of it. FlatBuffers' experts keep its tables on the stack, Cap'n
// Proto's read the bytes by hand, without the library and its checks. MEDIA_100K
// is MEDIA_CONTENT with 100,000 images.
//
// build generates the arrays' elements straight into a message, each by a
// multiplication; lib=slices generates them into Go slices that are there. The
// rivals' experts write to the memory of vectors that they have reserved.
//
// create makes the value of MEDIA_CONTENT itself, as a program does that has it to serialize.
//
// lib=memmove is what the machine needs to move the bytes: way=copy copies the
// workload's slices one by one, or the struct, or, for STRUCT2, the 800 bytes that
// its values take in a STRUCT, or, for other objects, Ashlar's finished message,
// into reused memory of the same kind, and from there into reused memory of the Go
// heap where the operation is a read. way=makecopy makes the slices before it
// copies into them. way=bools copies the booleans alone. way=copy800 copies 800
// bytes, the message among them.
//
// Each operation is one call of a func(), the same for all libraries.
package suite

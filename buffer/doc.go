// Package buffer holds the memory that messages are written into: a slice of
// the Go heap ([New]), memory of the caller's ([Wrap]), address space outside
// the Go heap that is reserved at once and committed as it grows ([OffHeap]),
// or a mapped file that grows in the same way ([Create], [Append]) and that others
// map to read it ([Open]). A [Buffer] never moves what it holds, so an address handed out
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
// the garbage collector and slices remain good. For OffHeap, Create, Append and
// Open the memory goes back to the system while slices of it may still be about,
// and the garbage collector does not know of them. Touching one afterwards, from
// any goroutine, is the caller's mistake, and the program ends there with a fault
// (SIGSEGV, which recover does not catch unless [debug.SetPanicOnFault] is set).
//
// It faults, and never shows the bytes of another mapping, because Close keeps
// the addresses: without memory behind them, and without access, so that nobody
// in the process is given them. They are kept until 1 TiB of addresses (Cap of
// OffHeap, Create and Append, which may be far more than was written; the size of
// the file of Open) or 16,384 ranges of them were closed later, or the process has
// no addresses left for another Buffer; ranges that touch, up to 1 GiB, are one.
// Then they are the system's again, and may come to be anyone's. What is kept is
// counted in the process's virtual size, and in nothing else.
//
// 4 GiB of addresses are kept instead of 1 TiB where a process has fewer than 2^46 of them,
// as on some 64-bit processors; nothing on 32-bit platforms, nothing in a process whose
// addresses are limited (ulimit -v), and nothing of a Buffer that is larger than all
// that may be kept. On Windows the addresses of
// OffHeap are kept in this way, those of Open are not. What is not kept is at once free for a
// later mapping of anyone's, and a stale slice may then read or overwrite that. So
// close a Buffer when all that was read from it without copying is gone.
//
// Nothing closes such a Buffer but Close. There is no finalizer, because
// a slice of the memory may well outlive the last reference to its Buffer; a
// Buffer that is dropped without Close is leaked until the process ends.
//
// # A build that finds stale slices
//
// With the tag ashlar_debug Reset fills what was written, and Truncate what it cuts off, with
// the byte 0xDB, so that a slice that was kept too long shows that rather than the
// bytes of a message that happen to be still there. Truncate leaves a word of zero in
// front, where a run of messages ends, and in files all of it is zero in every build. Without the tag nothing
// of that is compiled in.
//
// # Memory that stays in use
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
// # Files
//
// What is written to a Buffer of [Create] or [Append] is in the file at once, for every
// process that maps or reads it, and stays there when the writer is killed.
// Against a crash of the system or a loss of power only [Buffer.Sync] helps:
// what Bytes held when it returned nil is on disk. Of what was written later,
// any page may be there and any missing.
//
// The file is allocated ahead of Len. While it is open, and after its writer
// was killed, it is longer than what was written, and zero behind that. (A
// Reset, or a write to a slice from Reserve that Extend never took, leaves
// other bytes behind Len; Trim clears them.) Its reader has to know an end when
// it sees it; the format's is a word of zero where a message would begin. Close
// cuts the file off at Len.
//
// Append goes on in a file that is there. If its writer was killed, Len takes in
// the zeros behind what was written, and perhaps a part of something: find the end
// and [Buffer.Truncate] to it first. For messages, package compat does:
//
//	b, err := buffer.Append(path, 1<<30)
//	...
//	e, err := compat.AppendTo(b) // behind the last whole message
//	...
//	err = e.Encode(&value)
//
// A file has one writer at a time: a lock (flock) keeps out others that Create or
// Append it, as long as they run where there are such locks.
//
// No system promises more room than its file system does. Where that copies
// what is overwritten, compresses or is on another machine (Btrfs, ZFS, NFS), a
// disk that is full can still end the writer with a signal (SIGBUS).
//
// A reader and a writer agree on what is complete by other means than the
// bytes: a message, a lock, a file of another name. What is being written while
// it is read can have any content, in any order. Slices of it that a reader
// holds change under it.
//
// # A file that becomes shorter
//
// Reading a mapped page that its file no longer has raises a signal (SIGBUS),
// for which Go ends the process; recover does not catch it. It happens when
// someone truncates the file, overwrites it in place, as cp and shells do, or
// the disk cannot be read. It happens at every access: to Bytes, and to
// strings and slices that alias it, whenever they are touched, by whomever.
//
// [Buffer.Guard] turns that into [ErrFault] while the function that it is
// given runs, on its goroutine. So whoever maps a file that others can write to
// either decodes it under Guard into values that own their memory, or uses
// aliases under Guard only. Without it alias only files that are never made
// shorter: those that are replaced by renaming another over them, or that
// belong to who reads them.
//
// The honest writer is one who makes its file shorter: when it closes it, all
// that was allocated ahead goes, except the rest of the page where Len is.
// Messages stay, but a reader that mapped the file before and looks for the
// next one can find the page gone, if Len was a multiple of the page size. It
// should look under Guard, and take ErrFault there for the end.
//
// Nobody else should write to a file of Create or Append, or make it shorter,
// while it is open: the writer too can be ended by a signal then.
//
// Create makes files that their owner alone can read and write, and only where
// there was nothing. Append takes any file that it may write to, and Open any that
// it may read, whosever it is. All refuse a symbolic link as the last element of the path, and follow those
// before it.
//
// # Platforms
//
// OffHeap works on Unix systems and Windows, Open as well; Create and Append work on
// Unix systems. Elsewhere (js, wasip1, plan9) they return an error that is
// [errors.ErrUnsupported].
package buffer

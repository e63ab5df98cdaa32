// Package shm hands messages from one process to another through shared memory: the writer encodes
// straight into a slot that both have mapped, and the reader uses the message where it lies.
//
// A channel has one writer and one reader, of one type or of two versions of it. [Create] makes it and [Attach] finds it by the
// path of a unix socket; either may come first. The socket hands over the memory and then stays open to
// tell each side of the other one's death: it carries no messages. Nothing is left in the file system
// once both have met.
//
// # Writing
//
// [Writer.Send] encodes a value and commits it. [Writer.Loan] gives the slot itself, to be filled by
// [Loan.Encode], or part by part with [Loan.Build], and handed over by [Loan.Commit] or given up by [Loan.Abort].
// While the reader holds all slots, both block until the context ends: nothing is overwritten and nothing is dropped.
//
// # Reading
//
// [Reader.Receive] returns the next message. [Message.Alias] makes a value point into it, [Message.View] is
// for single fields, [Message.Decode] copies it. [Message.Release] gives the slot back. A reader may hold several
// messages, at most as many as there are slots, and release them in any order.
//
// # Lifetime
//
// What points into a message is good until its Release; after that the memory is the writer's again. After Release of
// a ring slot a kept alias may show a later message of the same channel, whole or in part, never anything else:
// the memory has no other use, and the reader's mapping stays until Close.
//
// After Close what still points into a message, or into a loan, faults, as what points into a closed Buffer of
// package buffer does, and under the same bounds: the addresses are kept, without memory, so that no other mapping gets
// them until 1 TiB more was closed. Close returns [ErrHeld] while a message or a loan is out.
//
// With the tag ashlar_debug a writer fills the slots that it takes back, which it does when it wants one, with the
// byte 0xDB before it hands one out. What was kept then shows that, until the next message comes to lie there, and
// views of package format report it. It is the writer that must be built so for the slots, and the reader for its
// views. Without the tag nothing of that is compiled in.
//
// After Close of the writer Receive returns what was committed and then io.EOF. After its death Receive
// returns what was committed and then [ErrPeerDied]. A writer that is merely stopped is not dead.
//
// # Versions
//
// The writer describes its type when a reader attaches. A reader of the same type costs nothing for that. One
// of another version reads the fields that both have, by name or alias, as package compat does, and converts
// what differs; if that is not possible Attach says which field stands in the way (format.ErrSchema) and the
// channel waits for another reader. Types of values in interfaces are described when they are first used,
// within the channel, which takes a slot each time.
//
// # Trust
//
// The peer must run under the same user id. Beyond that it is not trusted: every word that it can write
// is read once and checked, descriptions are bounded in size and number, messages are checked as
// [format.Codec] checks bytes, and what holds a bool is copied before it is used ([format.WithShared]),
// since the writer could still change it. The reader cannot write to the messages.
//
// A process that is started again needs a new channel: neither side of one can be replaced. The protocol
// is defined in SPEC.md.
//
// Channels exist on Linux (5.1 or later). Elsewhere Create and Attach return an error that wraps
// errors.ErrUnsupported.
package shm

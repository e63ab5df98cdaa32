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
// [Loan.Encode] and handed over by [Loan.Commit] or given up by [Loan.Abort]. While the reader holds all
// slots, both block until the context ends: nothing is overwritten and nothing is dropped.
//
// # Reading
//
// [Reader.Receive] returns the next message. [Message.Alias] makes a value point into it,
// [Message.Decode] copies it. [Message.Release] gives the slot back; after that the memory is the
// writer's again, and what still points into it will show a later message of this channel. A reader may
// hold several messages, at most as many as there are slots, and release them in any order.
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

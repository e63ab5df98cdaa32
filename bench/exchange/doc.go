// Package exchange measures messages between two processes: the benchmark's own
// and a second one, which is the same program started once more.
//
//	s, err := exchange.Start()
//	...
//	defer s.Close()
//	for _, name := range exchange.All() {
//		round, err := s.Run(name, 1000) // messages
//		...
//	}
//
// A program that calls Start has to call [Serve] before anything else in main:
// in the second process that call does not return.
//
// # What is measured
//
// op=roundtrip sends a message and waits for an answer of 64 bytes before it
// sends the next one. With pace=1ms it begins every millisecond, so that both
// sides have gone to sleep in between. What counts is the time from the request,
// which is still to be serialized, to the answer.
//
// op=stream sends messages as fast as the link takes them and waits for one
// answer at the end. What counts is how many messages a second that makes.
//
// op=handover has a finished message, and takes the time until the other process
// has read its first byte, by the clock that both share. A message is finished in
// a slot of the channel with link=shm, for which that is the place to make one,
// and in memory of the writer's own otherwise.
//
// data=PRIMITIVE_ARRAY is the workload of package suite; each message is
// serialized from it anew, with another number in it, and every element is summed
// by the second process. data=BYTES with n=64 are eight words, summed as well. In
// op=handover data=BYTES are n bytes of which the first one is looked at. Every
// answer holds the sum of the message, or a digest of the sums of all messages
// in their order, and is compared with what it must be.
//
// # Links and libraries
//
// link=shm is a channel of package shm for each type of message, and one for the
// answers. link=unix is a unix socket and link=tcp a connection to the loopback
// address without Nagle's delay, both of package net; link=pipe is a pair of
// os.Pipe. link=copyring is a ring of shared memory that copies: a channel of
// package shm whose reader copies the bytes into memory of its own and gives the
// slot back before it looks at them, so that it waits and wakes as link=shm does.
// Its writer's copy is within the time that op=handover takes.
//
// Over sockets a message is preceded by its length in 8 bytes and goes out in
// one system call; it is read into memory that is reused, and as many messages at
// once as have arrived. lib=flatbuffers, lib=capnproto and their two ways are
// those of package suite: way=documented serializes and sums element by element,
// way=expert serializes in bulk and sums typed views. lib=raw has no format.
//
// B/s counts the bytes of the elements alone, 22 for each n, so that it is the
// same number of messages for all libraries.
package exchange

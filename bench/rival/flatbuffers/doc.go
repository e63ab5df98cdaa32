// Package flatbuffers writes and reads the benchmark's workloads with
// FlatBuffers, twice.
//
// Functions without a suffix do it as the documentation of FlatBuffers shows:
// vectors are started and filled by Prepend, element by element, byte vectors
// by CreateByteVector, tables by the generated Add functions; reading goes
// through the generated accessors, element by element.
//
// Functions that end in Expert do it as somebody would who has read the
// library's source and may use unsafe, but only its public API: vectors are
// written by one copy, fixed fields are held in structs, with a bit for each that
// may be absent, a read copies the
// message once and takes everything else as views of that copy. Functions that
// begin with View hand out views of the message itself.
//
// The Builder is reused, as the documentation recommends. Read functions make
// everything fresh; View functions reuse what the target holds. None of them
// verifies the message: the Go port of FlatBuffers has no verifier.
package flatbuffers

// Written with flatc 2.0.8 (Debian's flatbuffers-compiler) for
// github.com/google/flatbuffers v25.12.19.
//go:generate flatc --go --gen-onefile --go-namespace fbs -o fbs schema.fbs
//go:generate gofmt -w fbs

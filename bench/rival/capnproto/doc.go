// Package capnproto writes and reads the benchmark's workloads with Cap'n Proto,
// twice.
//
// Functions without a suffix do it as the documentation of go-capnp shows: a
// message over SingleSegment(nil), the generated New and Set functions, lists
// set element by element, Marshal; reading by Unmarshal, the generated accessors
// and At.
//
// Functions that end in Expert, and those that begin with View, do it as
// somebody would who has read the library's source and the encoding's
// specification. Writing keeps to the library's public API, but builds the
// message where it is to lie and copies arrays in bulk. Reading follows the
// message's pointers by hand and takes everything as views: of one copy of the
// message, or of the message itself. Lists of booleans are packed eight to a
// byte, so that there is no view of them as Go booleans; those few of a Sample are
// Data in the expert's schema.
//
// The message and its arena are reused. Read functions make everything fresh;
// View functions reuse what the target holds.
package capnproto

// Written with capnp 0.9.2 (Debian's capnproto) and capnpc-go of
// capnproto.org/go/capnp/v3 v3.1.0-alpha.2.
//go:generate sh -c "capnp compile -I $(go list -m -f '{{.Dir}}' capnproto.org/go/capnp/v3)/std -ogo:cps schema.capnp"

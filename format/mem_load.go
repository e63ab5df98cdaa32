//go:build !ashlar_hook

package format

// What is loaded from a message, at offset i, goes through these, so that a build with the tag ashlar_hook can give
// another value for it: it proves that nothing is loaded twice where the second time is trusted. Here they are nothing.
//
// Scalars that a value takes as they are, strings and slices over the message do not come by: nothing is derived from
// them.

func loaded8(_ uint64, v uint8) uint8    { return v }
func loaded16(_ uint64, v uint16) uint16 { return v }
func loaded32(_ uint64, v uint32) uint32 { return v }
func loaded64(_ uint64, v uint64) uint64 { return v }

// copied is for the bytes of plain values, from offset i, that were copied to be looked at.
func copied(_ uint64, _ []byte) {}

// Package packed holds layouts of workloads with optional fields that an expert
// writes with one copy and reads through one pointer: the scalars at fixed places,
// without gaps between fields, and a bit for each that may be absent. Both rivals
// have a schema that lays the same bytes out, so that their experts share them.
//
// The bytes are as the machine has them, hence right on little-endian machines.
package packed

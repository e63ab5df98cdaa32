// Package workload holds the values that the benchmark serializes: their types,
// the values themselves, always the same, and how to compare and to sum them.
//
// The types are those of well-known suites, so that figures can be held against
// what others have published: ArraysData and Buffers come from the zero-copy
// suite of Apache Fory, Struct and Struct2 from its object suite, MediaContent from
// jvm-serializers, Sample from Kryo's benchmark. Nothing here knows any format, so tests of a format may use
// them too.
//
// A Sum visits every element or field of a value and reduces it to one number.
// It adds in a fixed order, so that two ways of reading a message can be
// compared for equality although they add floating-point numbers.
package workload

// seed of all random values. Changing it makes results incomparable.
const seed = 0x41_73_68_6c_61_72

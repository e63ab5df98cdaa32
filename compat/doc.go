// Package compat is for types that change while programs of several versions exchange messages.
//
// The header of a message says by a fingerprint of which type it is. A [Registry] keeps the descriptions of
// types that a program has heard of, its own and foreign ones, by that fingerprint. [Check] tells what a
// change of a type means for messages of both versions; the command ashlar-check does so for files.
//
//	old, err := os.ReadFile("frame.v1")   // what Describe gave for the type as it was
//	new, err := compat.Describe[Frame]()
//	changes, err := compat.Check(old, new)
//
// # Lifetime
//
// Descriptions are copied: nothing of this package refers to the bytes that it was given.
//
// # Hostile input
//
// A description may come from anybody. One that breaks a limit of [Limits], or is none, is an error and
// leaves nothing behind (SPEC §6.4).
package compat

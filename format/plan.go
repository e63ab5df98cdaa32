package format

import "reflect"

// An opKind says what an op does with one part of a block.
type opKind uint8

const (
	opRun        opKind = iota // n bytes of scalars, alike in Go and on the wire
	opBools                    // n bools
	opPlain                    // a plain value that holds bools, as one memory image
	opInt                      // an int or uint that Go does not hold in 64 bits
	opTime                     // a time
	opOptionals                // optionals, up to a bitmap's word of them
	opString                   // a string
	opStringPtr                // a *string
	opPlainSlice               // a slice of plain elements that have bytes
	opSlice                    // any other slice
	opPtr                      // any other pointer
	opMap                      // a map
	opIface                    // an interface
	opCustom                   // a value that marshals itself
	opArray                    // n blocks of an array
	opBlock                    // one block by value, too long to be merged

	// Of a schema that is not the Go type's own:
	opConvert   // a scalar of another kind
	opPresent   // an optional, into a value or another pointer
	opWrap      // a value, into a pointer
	opDeref     // a pointer, into a value
	opDerefText // a *string, into a string
	opTextBytes // a string, into a []byte
	opBytesText // a []byte, into a string
	opArrayToList
	opListToArray
	opAbsent // a field that the writer does not have
	opGraft  // a field that Go does not have, out of an Unknown

	opUnknown // what Go does not have, as an Unknown
)

// An op moves one part of a block. The offsets are those from the beginning of the Go value and of the
// block, whatever structs and arrays they are nested in. What a loop over ops always needs is kept
// together and small, the rest is behind info.
type op struct {
	kind  opKind
	gaps  bool // opPlainSlice: the elements have gaps
	times bool // opOptionals: some are times
	leads bool // opOptionals: Go holds all as the wire does
	looks bool // opOptionals: not every value that is there is a good one
	bools bool // opPlainSlice: the elements hold bools
	sole  bool // what lies before it in Go must not be moved with it
	goff  uintptr
	woff  uint64
	n     uint64 // bytes of a run, bools, elements of an array, bytes of an element of opPlainSlice
	sub   *plan  // of the elements, the pointee or the entries
	*info
}

// An info is what an op needs seldom.
type info struct {
	name   string        // of the field, dotted
	path   []int         // struct fields that lead to it, for reflect
	typ    reflect.Type  // of the Go value
	many   reflect.Type  // of opPtr: a slice of pointees
	opts   []optional    // of opOptionals
	bits   uint64        // of opOptionals: the valid bits of the word
	bySize [][]optional  // of opOptionals that leads: those of one size together
	end    uint64        // of opOptionals: where the last value's bytes end
	maps   *mapping      // of opMap
	own    *marshaler    // of opCustom
	from   kind          // of opConvert
	word   uint64        // of opPresent and opGraft: where the bitmap's word is
	mask   uint64        // of opPresent and opGraft: the bit
	null   reflect.Value // of opAbsent: the default, or not valid
	rest   *rest         // of opUnknown and opGraft: the fields; nil if the schema is the type's own
}

// An optional is one scalar behind a pointer and a bit of the presence bitmap.
type optional struct {
	goff uintptr
	woff uint64
	mask uint64 // its bit
	bit  uint8
	kind kind
	size uint8
	lead bool // Go holds the scalar as the wire does
	*optionalInfo
}

// An optionalInfo is what an optional needs seldom.
type optionalInfo struct {
	path []int
	name string
	typ  reflect.Type // of the pointee
}

// narrow reports whether a value may be too large for Go's int.
func (q *optional) narrow() bool { return q.kind != kindTime && uint64(q.typ.Size()) < uint64(q.size) }

// A plan is how values of one Go type are moved to and from blocks of one layout: a flat list of ops.
// It is compiled from the pair of both and shared by every codec that meets the pair.
type plan struct {
	typ     reflect.Type
	id      uintptr // of typ, for the identity of shared values
	lay     *layout
	ops     []op
	gsize   uint64   // bytes of the Go value
	wsize   uint64   // bytes of the block
	plain   bool     // the Go value's memory is the block
	words   []uint64 // offsets of words that are zeroed before the ops, for gaps between them
	gaps    []span   // gaps that are zeroed after the ops
	fence   bool     // what lies at the Go value's end must not be moved with what follows it
	done    bool     // compiled, or about to be
	entry   bool     // of a map
	opaque  bool     // any bytes are a block
	walks   bool     // a value's size, or whether it can be written, depends on what is in it
	root    bool     // fields that the writer does not have keep the target's values
	free    bool     // a Go value of the type may lie in a message
	bools   bool     // such a value holds bools
	extra   uint64   // bytes of memory beside the Go value that are not charged on their own
	pointee *op      // where the plan is that of a pointer that is no optional: its op
}

// run returns the plan's only op if that moves whole blocks, as they are in memory, else nil.
func (p *plan) run() *op {
	if len(p.ops) == 1 && p.ops[0].kind == opRun && p.ops[0].n == p.wsize && p.plain {
		return &p.ops[0]
	}
	return nil
}

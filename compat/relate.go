package compat

import "github.com/ashlar-go/ashlar/format"

// A relation says how one type becomes another and back, but for what they hold.
type relation struct {
	verdict  Verdict
	changed  bool // the types differ, whatever the verdict
	note     string
	inside   bool // the nodes old and new hold something that is to be compared
	old, new int
}

// relate relates two nodes, through pointers.
func (c *checker) relate(old, new int) relation {
	seen := map[[2]int]bool{} // pointers may lead back to themselves
	one := Safe
	for !seen[[2]int{old, new}] {
		seen[[2]int{old, new}] = true
		c.steps++
		a, b := &c.old[old], &c.new[new]
		pa, pb := a.Kind == format.KindPointer, b.Kind == format.KindPointer
		switch {
		case !pa && !pb && one == Safe:
			return c.direct(old, new)
		case !pa && !pb:
			return c.direct(old, new).through(one)
		case !pa:
			one = SafeOldToNew
		case !pb:
			one = SafeNewToOld
		}
		if pa {
			old = a.Children[0]
		}
		if pb {
			new = b.Children[0]
		}
	}
	if one != Safe { // pointers without end on one side
		return relation{verdict: Breaking, changed: true, note: cannot}
	}
	return relation{verdict: Safe}
}

const (
	cannot  = "there is no such conversion"
	fits    = "the value must fit exactly"
	lengths = "the lengths must agree"
	zeroed  = "nil becomes zero"
)

// through is r where one side has pointers in front, so that one direction alone stays safe.
func (r relation) through(one Verdict) relation {
	switch r.note {
	case "":
		r.note = zeroed
	case cannot:
	default:
		r.note = zeroed + "; " + r.note
	}
	r.verdict &= one
	r.changed = true
	return r
}

// direct relates two nodes that are no pointers.
func (c *checker) direct(old, new int) relation {
	a, b := &c.old[old], &c.new[new]
	inside := relation{verdict: Safe, inside: true, old: old, new: new}
	switch {
	case a.Kind == format.KindArray && b.Kind == format.KindArray && a.Length != b.Length:
		return relation{verdict: Breaking, changed: true, note: lengths}
	case a.Kind == b.Kind:
		return inside
	case a.Kind == format.KindArray && b.Kind == format.KindSlice:
		inside.verdict, inside.changed, inside.note = SafeOldToNew, true, lengths
		return inside
	case a.Kind == format.KindSlice && b.Kind == format.KindArray:
		inside.verdict, inside.changed, inside.note = SafeNewToOld, true, lengths
		return inside
	case a.Kind == format.KindString && c.bytes(c.new, b) || b.Kind == format.KindString && c.bytes(c.old, a):
		return relation{verdict: Safe, changed: true}
	}
	r := relation{changed: true, note: cannot}
	to, back := convert(a.Kind, b.Kind), convert(b.Kind, a.Kind)
	if to == always {
		r.verdict |= SafeOldToNew
	}
	if back == always {
		r.verdict |= SafeNewToOld
	}
	if to == ifFits || back == ifFits {
		r.note = fits
	} else if r.verdict != Breaking {
		r.note = "there is no way back"
	}
	return r
}

func (c *checker) bytes(nodes []format.SchemaNode, n *format.SchemaNode) bool {
	return n.Kind == format.KindSlice && nodes[n.Children[0]].Kind == format.KindUint8
}

// A chance says whether a scalar becomes another.
type chance uint8

const (
	never  chance = iota
	ifFits        // if the value is one of the other type
	always
)

// A span is what an integer kind holds: bits without the sign, and whether it has one.
type span struct {
	bits   int
	signed bool
}

var integers = map[format.Kind]span{
	format.KindInt8: {7, true}, format.KindInt16: {15, true}, format.KindInt32: {31, true}, format.KindInt64: {63, true},
	format.KindUint8: {8, false}, format.KindUint16: {16, false}, format.KindUint32: {32, false}, format.KindUint64: {64, false},
}

// mantissas are the bits up to which a float holds each integer.
var mantissas = map[format.Kind]int{format.KindFloat32: 24, format.KindFloat64: 53}

// convert says whether a value of one scalar kind becomes one of another.
func convert(from, to format.Kind) chance {
	a, fromInt := integers[from]
	b, toInt := integers[to]
	mantissa, toFloat := mantissas[to]
	when := func(all bool) chance {
		if all {
			return always
		}
		return ifFits
	}
	switch {
	case from == to:
		return always
	case from == format.KindBool && toInt:
		return always
	case fromInt && toInt:
		return when(a.bits <= b.bits && (b.signed || !a.signed))
	case fromInt && toFloat:
		return when(a.bits <= mantissa)
	case toFloat && mantissas[from] > 0:
		return when(to == format.KindFloat64)
	}
	return never
}

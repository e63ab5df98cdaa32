package compat

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/format"
)

// A Verdict says which messages can be read after a change. Verdicts are sets: the verdict of several changes
// is their bitwise and.
type Verdict uint8

const (
	Breaking     Verdict = 0                           // neither direction reads every message
	SafeOldToNew Verdict = 1                           // the new version reads all messages of the old one
	SafeNewToOld Verdict = 2                           // the old version reads all messages of the new one
	Safe         Verdict = SafeOldToNew | SafeNewToOld // both directions do
)

// String returns the verdict in words.
func (v Verdict) String() string {
	return [...]string{"breaking", "safe old to new", "safe new to old", "safe"}[v&Safe]
}

// What says what a [Change] is.
type What uint8

const (
	Added   What = iota + 1 // a field that only the new version has
	Removed                 // a field that only the old version has
	Moved                   // a field that stands elsewhere among the others
	Retyped                 // another type
)

// String returns what it is in words.
func (w What) String() string {
	if w == 0 || int(w) > 4 {
		return fmt.Sprintf("What(%d)", uint8(w))
	}
	return [...]string{"", "field added", "field removed", "field moved", "type changed"}[w]
}

// A Change is one difference between two versions of a type.
type Change struct {
	Path     string // of the field by its name in the schema, such as Images[].URI; empty for the root
	What     What
	Old, New string // the type as text, where a version has one and the change is of it
	Verdict  Verdict
	Note     string // why the verdict is not Safe
}

// Check compares the descriptions of two versions of a type, old and new, and returns the changes, those of a
// struct before those within its fields. Without changes the result is empty.
//
// A change is safe in a direction if every message of the one version is read by the other without an error
// and what both have stays what it was:
//
//   - a field that is added, removed or moved is safe. Within the key of a map, keys that differ in a removed
//     field alone become one: that direction is not;
//   - an integer type that holds all values of the other, bool to integer, an integer to a float that holds
//     all of its values, float32 to float64: safe in this direction. Back, but not to bool or from a float to
//     an integer, the value must fit, which is for the reader to find out;
//   - T to *T is safe, and back a nil becomes zero;
//   - [N]T to []T is safe, and back the length must be N;
//   - string and []byte are safe in both directions;
//   - slices, arrays, maps, pointers and structs are compared by what they hold. What is in an interface, and
//     the bytes of types that marshal themselves, is not in a description;
//   - any other change of type is breaking.
//
// A field that was renamed is one that is removed and one that is added: aliases are the reader's business and
// stand in no description. What two structs differ in is reported where they are met first.
//
// The error is a [*format.Error]: that of [format.ParseSchema] with its default limits, or of ErrLimit if the
// comparison takes too long.
func Check(old, new []byte) ([]Change, error) {
	var sides [2][]format.SchemaNode
	for i, d := range [][]byte{old, new} {
		s, err := format.ParseSchema(d, format.SchemaLimits{})
		if err != nil {
			return nil, fmt.Errorf("%s description: %w", [...]string{"old", "new"}[i], err)
		}
		sides[i] = s.Nodes()
	}
	c := checker{old: sides[0], new: sides[1], seen: map[visit]bool{}}
	return c.run()
}

// A pair is two nodes that are compared, once, whatever paths lead to them.
type pair struct {
	old, new int
	key      bool // within a map's key
}

// A place is a pair and where it was met.
type place struct {
	pair
	path  *path
	field int // the number of the field that the path ends in or goes on from; 0 for none
}

// A visit is what need not be compared again: two structs, wherever they are, and other types within one field.
type visit struct {
	pair
	field int
}

// maxSteps is how many pairs and fields are compared at most. What chance makes needs hardly more than the
// descriptions have; what malice makes can need the product of both.
const maxSteps = 200_000

// A checker compares two descriptions.
type checker struct {
	old, new []format.SchemaNode
	seen     map[visit]bool
	stack    []place // still to be compared, the next last
	changes  []Change
	fields   int // that were compared
	steps    int
}

func (c *checker) run() ([]Change, error) {
	c.stack = []place{{}}
	for len(c.stack) > 0 {
		p := c.stack[len(c.stack)-1]
		c.stack = c.stack[:len(c.stack)-1]
		v := visit{p.pair, p.field}
		if c.old[p.old].Kind == format.KindStruct && c.new[p.new].Kind == format.KindStruct {
			v.field = 0
		}
		if c.seen[v] {
			continue
		}
		c.seen[v] = true
		from := len(c.stack)
		c.compare(p)
		slices.Reverse(c.stack[from:]) // so that they are taken in order
		if c.steps++; c.steps > maxSteps {
			return nil, &format.Error{Op: "check", Offset: -1,
				Err: fmt.Errorf("%w: the descriptions take more than %d steps to compare", format.ErrLimit, maxSteps)}
		}
	}
	return c.changes, nil
}

// later has a pair below p compared after what is being compared.
func (c *checker) later(p place, old, new int, below *path, key bool) {
	c.stack = append(c.stack, place{pair{old, new, p.key || key}, below, p.field})
}

func (c *checker) report(at *path, what What, old, new string, v Verdict, note string) {
	c.changes = append(c.changes, Change{at.String(), what, old, new, v, note})
}

// compare reports how the types of a pair differ, and has what they hold compared.
func (c *checker) compare(p place) {
	r := c.relate(p.old, p.new)
	if r.verdict != Safe || r.changed {
		c.report(p.path, Retyped, format.TypeText(c.old, p.old), format.TypeText(c.new, p.new), r.verdict, r.note)
	}
	if !r.inside {
		return
	}
	a, b := &c.old[r.old], &c.new[r.new]
	if a.Kind == b.Kind && (r.old != p.old || r.new != p.new) { // behind pointers, and known perhaps
		c.later(p, r.old, r.new, p.path, false)
		return
	}
	switch a.Kind {
	case format.KindSlice, format.KindArray:
		c.later(p, a.Children[0], b.Children[0], p.path.add("[]"), false)
	case format.KindMap:
		c.later(p, a.Children[0], b.Children[0], p.path.add("[key]"), true)
		c.later(p, a.Children[1], b.Children[1], p.path.add("[]"), false)
	case format.KindStruct:
		c.compareStructs(p, a, b)
	}
}

const merged = "keys that differ in it alone become one"

func (c *checker) compareStructs(p place, a, b *format.SchemaNode) {
	c.steps += len(a.Names) + len(b.Names)
	at := make(map[string]int, len(b.Names))
	for j, name := range b.Names {
		at[name] = j
	}
	order := make([]int, 0, len(a.Names)) // where in b the fields are that both have
	for i, name := range a.Names {
		if j, ok := at[name]; ok {
			order = append(order, j)
			continue
		}
		v, note := Safe, ""
		if p.key {
			v, note = SafeNewToOld, merged
		}
		c.report(p.path.field(name), Removed, format.TypeText(c.old, a.Children[i]), "", v, note)
	}
	moved := make([]bool, len(b.Names))
	for k, stays := range increasing(order) {
		moved[order[k]] = !stays
	}
	was := make(map[string]int, len(a.Names))
	for i, name := range a.Names {
		was[name] = i
	}
	for j, name := range b.Names {
		i, both := was[name]
		if !both {
			v, note := Safe, ""
			if p.key {
				v, note = SafeOldToNew, merged
			}
			c.report(p.path.field(name), Added, "", format.TypeText(c.new, b.Children[j]), v, note)
			continue
		}
		if moved[j] {
			c.report(p.path.field(name), Moved, "", "", Safe, "")
		}
		c.fields++
		p.field = c.fields
		c.later(p, a.Children[i], b.Children[j], p.path.field(name), false)
	}
}

// increasing reports which of the numbers, all different, belong to a longest run that increases: all others
// have moved.
func increasing(numbers []int) []bool {
	var ends []int // of the runs of each length, the index of the least last number
	before := make([]int, len(numbers))
	for i, n := range numbers {
		k, _ := slices.BinarySearchFunc(ends, n, func(e, n int) int { return numbers[e] - n })
		before[i] = -1
		if k > 0 {
			before[i] = ends[k-1]
		}
		if k == len(ends) {
			ends = append(ends, i)
		} else {
			ends[k] = i
		}
	}
	in := make([]bool, len(numbers))
	if len(ends) > 0 {
		for i := ends[len(ends)-1]; i >= 0; i = before[i] {
			in[i] = true
		}
	}
	return in
}

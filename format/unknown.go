package format

import (
	"bytes"
	"reflect"
	"slices"
)

// An Unknown is a field that keeps what its struct does not know, so that a program of an older version passes on
// what a newer one has written (SPEC §6.6):
//
//	type Order struct {
//		ID   uint64
//		Rest format.Unknown `ashlar:",unknown"`
//	}
//
// It is no part of the schema. A struct has at most one, and the type stands nowhere else. A codec of [EvolvedFor]
// fills it, when it reads, with the fields of the message's struct that the Go struct does not have, checked and
// copied, and writes them again, among those that it knows, when it writes the value under the schema that it is
// for. Structs in slices, maps, arrays and behind pointers each have their own.
//
// The type's own codec empties an Unknown when it reads, and refuses a value whose Unknown holds fields, which
// would be lost (ErrSchema). Assign Unknown{} to give them up.
//
// An Unknown does not change and may be copied. With [WithRefs] there is no codec for a type that has one: what
// known and unknown fields share would not stay shared.
type Unknown struct{ kept *kept }

// kept are the fields of one struct, as a block of a message of their own: the bytes of a header that nobody
// looks at, the block, and what it refers to. It does not change.
type kept struct {
	rest *rest
	m    []byte
}

// Empty reports whether u is zero: its struct was not read, or from a message of its type's own schema. One that is
// not may hold no field either, where it is other structs of the message that have more: it says under which
// schema the value is to be written on.
func (u Unknown) Empty() bool { return u.kept == nil }

// Fingerprint returns the fingerprint of the schema that u's struct was read of, that of the message, or of the
// value in an interface that the struct is part of (SPEC §6.3). It is 0 if u is empty.
func (u Unknown) Fingerprint() uint64 {
	if u.kept == nil {
		return 0
	}
	return u.kept.rest.schema.fingerprint
}

// Description returns a copy of the description of that schema, for [EvolvedFor], or nil if u is empty.
func (u Unknown) Description() []byte {
	if u.kept == nil {
		return nil
	}
	return u.kept.rest.schema.Description()
}

// Equal reports whether u and other were read of the same struct of one schema and hold the same.
func (u Unknown) Equal(other Unknown) bool {
	a, b := u.kept, other.kept
	return a == b || a != nil && b != nil && a.rest.same(b.rest) && bytes.Equal(a.m, b.m)
}

// holds reports whether there are fields that would be lost.
func (u Unknown) holds() bool { return u.kept != nil && len(u.kept.rest.fields) > 0 }

const unknownTag = ",unknown"

var unknownType = reflect.TypeFor[Unknown]()

// isUnknown reports whether a field of a struct that fieldsOf has accepted is the one that keeps what the struct
// does not know.
func isUnknown(f reflect.StructField) bool {
	return f.Type == unknownType && f.Tag.Get("ashlar") == unknownTag
}

// badUnknown says why a field must not be of type Unknown or have its tag, or nothing.
func badUnknown(f reflect.StructField, tag string, second bool) string {
	switch {
	case f.Type != unknownType:
		return "the tag " + unknownTag + " is for a format.Unknown, not for " + f.Type.String()
	case tag != unknownTag:
		return "a format.Unknown needs the tag `ashlar:\"" + unknownTag + "\"`"
	case !f.IsExported():
		return "a format.Unknown that is not exported"
	case second:
		return "a second format.Unknown in one struct"
	}
	return ""
}

// A rest is what an Unknown of one struct holds: the fields of a node of a schema that a Go struct does not have.
type rest struct {
	schema *Schema
	of     *layout       // of the writer's struct, a node of the schema
	fields []layoutField // in the writer's block
	lay    *layout       // of a struct of those fields alone
	none   *kept         // for all, if there are no fields
	box    *boxType      // that the schema is of, if it is that of a value in an interface
}

// same reports whether what one rest describes is what the other does.
func (r *rest) same(other *rest) bool {
	return r == other || r.of.node == other.of.node && r.schema.Equal(other.schema) &&
		slices.EqualFunc(r.fields, other.fields, func(a, b layoutField) bool { return a.name == b.name })
}

// restOf is the rest of the struct l, of whose fields some have been found.
func (c *compiler) restOf(l *layout, found map[int]*layoutField) (*rest, error) {
	r := &rest{schema: c.schema, of: l, box: c.box, lay: &layout{kind: kindStruct}}
	known := map[*layoutField]bool{}
	for _, f := range found {
		known[f] = true
	}
	for i := range l.fields {
		if f := l.fields[i]; !known[&l.fields[i]] {
			r.fields = append(r.fields, f)
			r.lay.fields = append(r.lay.fields, layoutField{name: f.name, lay: f.lay, bit: -1})
		}
	}
	if len(r.fields) == 0 {
		r.none = &kept{rest: r}
	}
	return r, r.lay.compute()
}

// keep adds the ops for the i-th field of the struct of p, which keeps what the struct does not know: one that
// reads it and looks at it before it is written, and one for each field, which writes it.
func (c *compiler) keep(p *plan, i int, found map[int]*layoutField) error {
	f := p.typ.Field(i)
	in := info{name: f.Name, path: []int{i}, typ: f.Type}
	if c.schema == nil {
		p.ops = append(p.ops, op{kind: opUnknown, goff: f.Offset, info: &in})
		return nil
	}
	r, err := c.restOf(p.lay, found)
	if err != nil {
		return err
	}
	in.rest = r
	p.ops = append(p.ops, op{kind: opUnknown, goff: f.Offset, info: &in})
	for j := range r.fields {
		w, one := &r.fields[j], in
		if w.bit >= 0 {
			one.word, one.mask = uint64(w.bit/64)*8, 1<<(w.bit%64)
		}
		p.ops = append(p.ops, op{kind: opGraft, goff: f.Offset, woff: w.offset, n: uint64(j), info: &one})
	}
	return nil
}

// loses notes the first field of a writer that values of this program would not be written with.
func (c *compiler) loses(p *plan, found map[int]*layoutField, path string) {
	if c.lost != nil || len(found) == len(p.lay.fields) {
		return
	}
	known := map[string]bool{}
	for _, f := range found {
		known[f.name] = true
	}
	for i := range p.lay.fields {
		if name := p.lay.fields[i].name; !known[name] {
			c.lost = failf(ErrSchema, "%s would lose the writer's field %q: a field of type format.Unknown in it would keep that", p.typ, join(path, name))
			return
		}
	}
}

// unknown reads what the struct whose block begins at at has and Go has not into the Unknown at g.
func (d *decoder) unknown(o *op, at uint64, g ptr) bool {
	r := o.rest
	switch {
	case r == nil:
		storeUnknown(g, Unknown{})
		return true
	case len(r.fields) == 0:
		storeUnknown(g, Unknown{r.none})
		return true
	case d.refs != nil:
		return d.fail(at, failf(ErrSchema, "the message has shared references, which a format.Unknown does not keep"))
	}
	s := grafts.Get().(*grafting)
	defer s.give()
	s.start(d)
	if !s.fields(r, at) {
		d.err, d.offset, d.trail = s.err, s.offset, s.trail
		if d.err == nil {
			return d.fail(at, s.own.err) // of the room
		}
		return false
	}
	n := s.own.end
	if d.charged && !d.charge(at, keptBytes+4*n) { // what it grew by counts too
		return false
	}
	k := &kept{rest: r, m: newBytes(n)}
	copy(k.m, s.own.m[:n])
	d.budget, d.depth = s.budget, s.depth
	storeUnknown(g, Unknown{k})
	return true
}

// keptBytes is how many bytes of memory an Unknown takes besides its fields.
const keptBytes = 64

// unknown looks at the Unknown at g, whose fields the ops that follow write.
func (e *encoder) unknown(o *op, g ptr) bool {
	u := loadUnknown(g)
	switch {
	case !u.holds():
	case o.rest == nil:
		return e.fail(otherSchema(u))
	case e.same == [2]*rest{u.kept.rest, o.rest}:
	case !o.rest.same(u.kept.rest):
		return e.fail(failf(ErrSchema, "it holds fields of another struct than is written, or of another schema (%016x, written is %016x)", u.Fingerprint(), o.rest.schema.fingerprint))
	default:
		e.same = [2]*rest{u.kept.rest, o.rest}
	}
	return true
}

func otherSchema(u Unknown) error {
	return failf(ErrSchema, "it holds fields of another schema (%016x): write the value on under that one, or clear it", u.Fingerprint())
}

// graft writes one field of what the Unknown at g holds into the block at at, zero if it holds nothing.
func (e *encoder) graft(o *op, at uint64, g ptr) bool {
	f := &o.rest.fields[o.n]
	l, w := f.lay, at+o.woff
	if f.bit >= 0 {
		l = l.elem
	}
	clear(e.m[w : w+l.size])
	u := loadUnknown(g)
	if !u.holds() {
		return true
	}
	own := &u.kept.rest.lay.fields[o.n]
	if f.bit >= 0 {
		if load64(u.kept.m, headerSize+uint64(own.bit/64)*8)>>(own.bit%64)&1 == 0 {
			return true
		}
		store64(e.m, at+o.word, load64(e.m, at+o.word)|o.mask)
	}
	c := graft{checked: true}
	c.m, c.codec = u.kept.m, e.codec
	c.depth, c.budget = e.max-e.depth, uint64(len(u.kept.m))
	c.types = e.codec.types.load()
	if !c.value(e, l, headerSize+own.offset, w) {
		if c.err != nil {
			e.err, e.trail = c.err, c.trail
		}
		e.trail.add(f.name, -1)
		return false
	}
	return true
}

// under returns the box type of the schema that x was read of, where x keeps what b's type does not know, else b.
func (b *boxType) under(x reflect.Value) *boxType {
	if u := unknownAt(x, b.unknown); u.kept != nil && u.kept.rest.box != nil && u.kept.rest.box.typ == b.typ {
		return u.kept.rest.box
	}
	return b
}

// unknownAt is what the i-th field of the struct x keeps, behind pointers if need be; nothing if i is negative.
func unknownAt(x reflect.Value, i int) Unknown {
	for i >= 0 && x.Kind() == reflect.Pointer {
		x = x.Elem()
	}
	if i < 0 || !x.IsValid() {
		return Unknown{}
	}
	return x.Field(i).Interface().(Unknown)
}

// Unknown returns what the struct at v's root keeps: what tells the schema that v is to be written on under. It is
// empty if there is no struct, or none that keeps what it does not know.
func (c *Codec[T]) Unknown(v *T) Unknown {
	if c.core.unknown < 0 || v == nil {
		return Unknown{}
	}
	return unknownAt(reflect.ValueOf(v), c.core.unknown)
}

// Unknown is [Codec.Unknown].
func (c *AnyCodec) Unknown(v any) Unknown {
	if c.core.unknown < 0 {
		return Unknown{}
	}
	if _, err := c.target("unknown", v); err != nil {
		return Unknown{}
	}
	return unknownAt(reflect.ValueOf(v), c.core.unknown)
}

// unknownIn is the index of the field of type Unknown of the struct t, behind pointers if need be, or -1.
func unknownIn(t reflect.Type) int {
	for n := 0; t.Kind() == reflect.Pointer && n < mostPointers; n++ {
		t = t.Elem()
	}
	if kindOf(t) == kindStruct {
		for i := range t.NumField() {
			if isUnknown(t.Field(i)) {
				return i
			}
		}
	}
	return -1
}

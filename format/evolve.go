package format

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// This file compiles plans for a layout that is not the Go type's own: that of a writer whose type has
// changed, or has not yet. What agrees is read by the same ops as ever.

// evolve compiles the plan of a block where the layout's kind of value is not the type's. It reports
// whether it has; what agrees is left to block.
func (c *compiler) evolve(p *plan, path string) (done bool, err error) {
	l, t := p.lay, p.typ
	k := kindOf(t)
	put := func(o op) (bool, error) {
		o.typ = t
		p.ops = []op{o}
		return true, nil
	}
	inside := func(kind opKind, l *layout, t reflect.Type, path string, o op) (bool, error) {
		sub, err := c.block(l, t, path, false) // of the block, but not of the Go value
		o.kind, o.sub = kind, sub
		if err != nil {
			return false, err
		}
		return put(o)
	}
	switch {
	case l.kind.scalar() && k.scalar():
		if l.kind == k {
			return false, nil
		}
		if converts(l.kind, k) {
			return put(op{kind: opConvert, info: &info{from: l.kind}})
		}
	case l.kind == kindPointer && k == kindPointer:
		switch {
		case l.optional() && sameOptional(l, t), l.elem.kind == kindString && kindOf(t.Elem()) == kindString:
			return false, nil
		case l.optional():
			o, err := c.present(&layoutField{lay: l, offset: 8}, t, path, p.root)
			if err != nil {
				return false, err
			}
			return put(o)
		case l.elem.kind != kindString:
			return false, nil
		case !endless(t):
			return inside(opWrap, l, t.Elem(), path, op{info: &info{from: kindPointer}})
		}
	case k == kindPointer:
		if !endless(t) {
			return inside(opWrap, l, t.Elem(), path, op{info: &info{}})
		}
	case l.optional():
		o, err := c.present(&layoutField{lay: l, offset: 8}, t, path, p.root)
		if err != nil {
			return false, err
		}
		return put(o)
	case l.kind == kindPointer && l.elem.kind == kindString:
		if k == kindString || isBytes(t, k) {
			return put(op{kind: opDerefText, info: &info{}})
		}
	case l.kind == kindPointer:
		return put(op{kind: opDeref, sub: c.refer(l.elem, t, path), info: &info{}})
	case l.kind == kindString && isBytes(t, k):
		return put(op{kind: opTextBytes, info: &info{}})
	case l.kind == kindSlice && l.elem.kind == kindUint8 && k == kindString:
		return put(op{kind: opBytesText, info: &info{}})
	case l.kind == kindArray && k == kindSlice:
		if l.elem.size > 0 || t.Elem().Size() == 0 {
			return inside(opArrayToList, l.elem, t.Elem(), deeper(path, "[]"), op{n: l.length, info: &info{}})
		}
	case l.kind == kindSlice && k == kindArray:
		return put(op{kind: opListToArray, n: uint64(t.Len()), sub: c.refer(l.elem, t.Elem(), deeper(path, "[]")), info: &info{}})
	case l.kind == kindArray && k == kindArray && l.length == uint64(t.Len()):
		return false, nil
	case l.kind == k && k != kindArray:
		return false, nil
	}
	return false, &Error{Op: "codec", Path: path, Offset: -1,
		Err: failf(ErrSchema, "the writer has %s here, this program %s, which it cannot become", l, t)}
}

// String names a layout's kind of value for an error's text.
func (l *layout) String() string {
	text := ""
	for range 8 { // there may be no end
		switch l.kind {
		case kindPointer:
			text += "*"
		case kindSlice:
			text += "[]"
		case kindArray:
			text += "[" + strconv.FormatUint(l.length, 10) + "]"
		default:
			return text + l.kind.String()
		}
		l = l.elem
	}
	return text + "..."
}

func isBytes(t reflect.Type, k kind) bool {
	return k == kindSlice && kindOf(t.Elem()) == kindUint8
}

// sameOptional reports whether t is the pointer that the optional l is read into as it is.
func sameOptional(l *layout, t reflect.Type) bool {
	return t.Kind() == reflect.Pointer && kindOf(t.Elem()) == l.elem.kind
}

// Whole and real numbers.
func (k kind) whole() bool { return k >= kindInt8 && k <= kindUint64 }
func (k kind) real() bool  { return k == kindFloat32 || k == kindFloat64 }

// converts reports whether scalars of one kind can become the other's, or some of them.
func converts(from, to kind) bool {
	return from.whole() && (to.whole() || to.real()) || from == kindBool && to.whole() || from.real() && to.real()
}

// matched returns the writer's field for each of the fields that has one, by its index: that of its name,
// else of an alias. One field of the writer is read once, by the field that has its name if there is one.
func matched(fields []goField, l *layout) map[int]*layoutField {
	named := map[string]*layoutField{}
	for i := range l.fields {
		named[l.fields[i].name] = &l.fields[i]
	}
	found := map[int]*layoutField{}
	take := func(g *goField, name string) bool {
		w := named[name]
		if w != nil {
			found[g.index] = w
			delete(named, name)
		}
		return w != nil
	}
	for i := range fields {
		take(&fields[i], fields[i].name)
	}
	for i := range fields {
		g := &fields[i]
		if found[g.index] == nil {
			_ = slices.ContainsFunc(g.alias, func(a string) bool { return take(g, a) })
		}
	}
	return found
}

// endless reports whether t is a pointer to pointers without end.
func endless(t reflect.Type) bool {
	met := map[reflect.Type]bool{}
	for ; t.Kind() == reflect.Pointer; t = t.Elem() {
		if met[t] {
			return true
		}
		met[t] = true
	}
	return false
}

// holdsBools reports whether values of t hold bools that a message has: what an aliasing decode copies where
// memory may change, by whatever schema. Elsewhere is what may have been aliased, and is not written to.
func holdsBools(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool:
		return true
	case reflect.Array:
		return t.Len() > 0 && holdsBools(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" && holdsBools(f.Type) {
				return true
			}
		}
	}
	return false
}

// absent adds the op for the field g, the i-th, that the writer does not have.
func (p *plan) absent(g goField, i int) {
	if p.root && !g.hasNull {
		return
	}
	o := op{kind: opAbsent, goff: g.offset, info: &info{name: g.name, path: []int{i}, typ: g.typ}}
	if g.hasNull {
		o.null, _ = parseDefault(g.typ, g.null)
	}
	if p.root {
		o.n = 1
	}
	p.ops = append(p.ops, o)
}

// parseDefault is the value of type t that a tag spells.
func parseDefault(t reflect.Type, s string) (v reflect.Value, err error) {
	v = reflect.New(t).Elem()
	switch k := t.Kind(); {
	case t == reflect.TypeFor[time.Duration]():
		var d time.Duration
		d, err = time.ParseDuration(s)
		v.SetInt(int64(d))
	case k == reflect.Bool:
		var b bool
		b, err = strconv.ParseBool(s)
		v.SetBool(b)
	case k == reflect.String:
		v.SetString(s)
	case v.CanInt():
		var n int64
		n, err = strconv.ParseInt(s, 0, t.Bits())
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		n, err = strconv.ParseUint(s, 0, t.Bits())
		v.SetUint(n)
	case v.CanFloat():
		var f float64
		f, err = strconv.ParseFloat(s, t.Bits())
		v.SetFloat(f)
	default:
		err = fmt.Errorf("a default is for bools, numbers and strings, not for %s", t)
	}
	return v, err
}

// present returns the op that reads the optional w into a t, which is a value or a pointer.
func (c *compiler) present(w *layoutField, t reflect.Type, path string, root bool) (op, error) {
	to := t
	if t.Kind() == reflect.Pointer {
		to = t.Elem()
	}
	sub, err := c.block(w.lay.elem, to, path, root)
	bit := max(w.bit, 0)
	return op{kind: opPresent, woff: w.offset, sub: sub, info: &info{typ: t, word: uint64(bit/64) * 8, mask: 1 << (bit % 64)}}, err
}

var errForeign = failf(ErrSchema, "a codec for the messages of another schema does not build")

// zero returns a new zero value of the codec's type.
func (c *core) zero() ptr { return ptrOfValue(reflect.New(c.typ)) }

// mostSteps is how many ops plans of the writer's nodes and t may have. As a rule a type of one side meets one of
// the other's, but a t that holds itself could meet each.
func mostSteps(nodes []SchemaNode, t reflect.Type) int {
	n := 4096
	count := func(nodes []SchemaNode) {
		for i := range nodes {
			n += 4 * (1 + len(nodes[i].Names))
		}
	}
	count(nodes)
	if s, err := schemaOf(t); err == nil {
		count(s.nodes)
	}
	return n
}

// EvolvedFor returns a codec that reads messages of the schema that a description gives into values of T,
// whose fields may be others (SPEC §6.6), and writes values of T as such messages: it is what package compat is built
// on.
//
// Fields are matched by name, wherever they stand in their struct; a field of T that finds none of its name
// takes that of an alias in its tag, if no other field has taken it. An embedded struct is a field that is named
// as its type. Fields that T does not have are passed over. A field that the writer does not have keeps v's
// value in the root and in structs that are part of it by value, and takes the default of its tag if that value
// is zero; elsewhere it becomes the default, or zero. So a v that is read into again and again keeps there what
// an earlier message has left.
//
// What can become what:
//
//   - a bool or an integer any integer, an integer a float, float32 and float64 each other, where the value is
//     exactly one of the target's; another is an error when it is read (ErrLimit);
//   - T a *T, and a *T a T, nil being zero, without defaults ([WithStrictNil]: an error, ErrSchema);
//   - [N]T a []T, and back where the length is N; a string a []byte, and back. These are copied by every decode;
//   - slices, arrays, maps, pointers and structs by what they hold. Keys of a map that become the same are an
//     error (ErrLimit);
//   - what an interface holds by the name that it is registered by, see [WithBoxes].
//
// Anything else, where the writer has it and T wants it, is an [*Error] of ErrSchema here, which names both.
//
// With [WithRefs] a pointee that the writer shares is one for all pointers of one type, and a copy for each
// value that it becomes, as long as the copies are within the following.
//
// It writes if nothing of the writer's would be lost: each struct that it reads has all of the writer's fields, or an
// [Unknown], which keeps the others. If one does not, writing is an error of ErrSchema that names the first field
// that stands in the way; with [WithRefs] it is one always. What T has and the writer has not is left out, and an
// Unknown that is empty comes to zeros. What was converted is converted back, exactly, or it is ErrLimit: a number
// must fit, a []T for an array must have its length. A T that is zero, where the writer has a *T, is nil, and an empty
// string for a []byte is nil too: which of the two it was is not kept. What is read and not changed is the same
// bytes, but for that and for what the writer's program has laid otherwise than SPEC §4.1 says.
//
// A decode allocates at most 64 KiB + 48 bytes for each byte of a message, or as many as [WithMaxExpansion] says:
// a message of many small structs that have become large ones needs more, and is ErrLimit.
func EvolvedFor[T any](description []byte, limits SchemaLimits, opts ...Option) (*Codec[T], error) {
	c, err := evolvedCore(reflect.TypeFor[T](), description, limits, opts...)
	if err != nil {
		return nil, err
	}
	return &Codec[T]{core: c}, nil
}

func evolvedCore(t reflect.Type, description []byte, limits SchemaLimits, opts ...Option) (*core, error) {
	nodes, err := parseNodes(description, limits)
	if err != nil {
		return nil, err
	}
	if _, err := schemaOf(t); err != nil { // what T cannot be in any message
		return nil, err
	}
	var o options
	for _, f := range opts {
		if f != nil {
			f(&o)
		}
	}
	return newCoreOf(t, nodes, slices.Clone(description), true, o)
}

package format

import (
	"fmt"
	"math"
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

// load returns the scalar at w as one of three, of which the kind says which.
func (k kind) load(m []byte, w uint64) (i int64, u uint64, f float64) {
	switch k {
	case kindBool, kindUint8:
		u = uint64(load8(m, w))
	case kindUint16:
		u = uint64(load16(m, w))
	case kindUint32:
		u = uint64(load32(m, w))
	case kindUint64:
		u = load64(m, w)
	case kindInt8:
		i = int64(int8(load8(m, w)))
	case kindInt16:
		i = int64(int16(load16(m, w)))
	case kindInt32:
		i = int64(int32(load32(m, w)))
	case kindInt64:
		i = int64(load64(m, w))
	case kindFloat32:
		f = float64(math.Float32frombits(load32(m, w)))
	case kindFloat64:
		f = math.Float64frombits(load64(m, w))
	}
	return i, u, f
}

// convert stores the scalar of kind from at w in v. It returns an error when v cannot hold it exactly.
func convert(v reflect.Value, from kind, m []byte, w uint64) error {
	i, u, f := from.load(m, w)
	ok := true
	switch {
	case from == kindBool && u > 1:
		return badBoolAt(m, w)
	case from.real():
		ok = !v.OverflowFloat(f) && (v.Type().Bits() == 64 || f != f || float64(float32(f)) == f)
		if ok {
			v.SetFloat(f)
		}
	case v.CanInt() && from.signed():
		ok = !v.OverflowInt(i)
		if ok {
			v.SetInt(i)
		}
	case v.CanInt():
		ok = u <= math.MaxInt64 && !v.OverflowInt(int64(u))
		if ok {
			v.SetInt(int64(u))
		}
	case v.CanUint() && from.signed():
		ok = i >= 0 && !v.OverflowUint(uint64(i))
		if ok {
			v.SetUint(uint64(i))
		}
	case v.CanUint():
		ok = !v.OverflowUint(u)
		if ok {
			v.SetUint(u)
		}
	default: // a whole number becomes a real one
		bits := v.Type().Bits()
		if from.signed() {
			ok = exactInt(i, bits)
			f = float64(i)
		} else {
			ok = exactUint(u, bits)
			f = float64(u)
		}
		if ok {
			v.SetFloat(f)
		}
	}
	if !ok {
		var text any = u // not before: it allocates
		switch {
		case from.real():
			text = f
		case from.signed():
			text = i
		}
		return failf(ErrLimit, "%v is no %s", text, v.Type())
	}
	return nil
}

func (k kind) signed() bool { return k >= kindInt8 && k <= kindInt64 }

func exactInt(i int64, bits int) bool {
	if i < 0 {
		return exactUint(-uint64(i), bits)
	}
	return exactUint(uint64(i), bits)
}

// exactUint reports whether a float of that many bits holds u.
func exactUint(u uint64, bits int) bool {
	mantissa := 53
	if bits == 32 {
		mantissa = 24
	}
	for u != 0 && u&1 == 0 {
		u >>= 1
	}
	return u < 1<<mantissa
}

// evolved reads the part of a block at offset at that an op of this file is about.
func (d *decoder) evolved(o *op, at uint64, g ptr) bool {
	w := at + o.woff
	v := valueAt(g, o.typ)
	switch o.kind {
	case opConvert:
		if err := convert(v, o.from, d.m, w); err != nil {
			return d.fail(w, err)
		}
	case opAbsent:
		if o.n == 1 && !v.IsZero() {
			return true // the root keeps what it has
		}
		if o.null.IsValid() {
			v.Set(o.null)
		} else {
			v.SetZero()
		}
	case opPresent:
		pointer := v.Kind() == reflect.Pointer
		if load64(d.m, at+o.word)&o.mask == 0 {
			v.SetZero()
			return pointer || d.lacks(w)
		}
		if pointer {
			return d.wrap(o, w, g)
		}
		return d.block(o.sub, w, g)
	case opWrap:
		if o.from == kindPointer && load64(d.m, w) == 0 { // a *string that is nil
			v.SetZero()
			return true
		}
		return d.wrap(o, w, g)
	case opDeref:
		return d.deref(o, w, g, v)
	case opDerefText:
		switch r := load64(d.m, w); {
		case r == 0:
			v.SetZero()
			return d.lacks(w)
		case v.Kind() != reflect.String:
			return d.bytes(o, w, g, v)
		case r == 1:
			v.SetZero()
		default:
			return d.string(g, w)
		}
	case opTextBytes, opBytesText:
		return d.bytes(o, w, g, v)
	case opArrayToList:
		return d.list(o, w, o.n, g)
	case opListToArray:
		return d.listToArray(o, w, g, v)
	}
	return true
}

// lacks takes the nil at w for a zero, or for an error, as the codec is told to.
func (d *decoder) lacks(w uint64) bool {
	if d.codec.strictNil {
		return d.fail(w, failf(ErrSchema, "a nil, and this program has no pointer here"))
	}
	return true
}

// wrap reads the block at w into what the pointer at g points to.
func (d *decoder) wrap(o *op, w uint64, g ptr) bool {
	q, null := loadPtr(g)
	if null || d.replaces(q) || d.aliases(o.sub) {
		if !d.charge(w, allocation(o.sub.gsize)+o.sub.extra) {
			return false
		}
		q = newValue(o.typ.Elem())
		storePtr(g, q)
	}
	return d.block(o.sub, w, q)
}

// deref reads what the pointer whose ref is at w points to; nil is zero.
func (d *decoder) deref(o *op, w uint64, g ptr, v reflect.Value) bool {
	r := load64(d.m, w)
	p := o.sub
	switch {
	case r == 0:
		v.SetZero()
		return d.lacks(w)
	case r == 1:
		return d.fail(w, badEmpty(kindPointer))
	case p.wsize == 0:
		if r != 1|1<<32 {
			return d.fail(w, badZeroSize(r))
		}
		return d.block(p, w, g)
	}
	if !d.charge(w, p.extra) {
		return false
	}
	to, ok := d.object(w, r, p.wsize)
	if !ok {
		return d.badRef(w, r, p.wsize)
	}
	if r>>32 != 1 {
		return d.fail(w, badCount(r))
	}
	if p.lay.refs && !d.enter(w) || !d.block(p, to, g) {
		return false
	}
	if p.lay.refs {
		d.depth++
	}
	return true
}

// bytes reads a string into a []byte, or a []byte into a string.
func (d *decoder) bytes(o *op, w uint64, g ptr, v reflect.Value) bool {
	r := load64(d.m, w)
	if r <= 1 {
		switch {
		case o.kind == opBytesText:
			v.SetZero()
		case r == 1 && o.kind == opTextBytes:
			return d.fail(w, badEmpty(kindString))
		default:
			v.SetBytes([]byte{})
		}
		return true
	}
	to, ok := d.object(w, r, 1)
	if !ok {
		return d.badRef(w, r, 1)
	}
	if !d.charge(w, allocation(r>>32)) {
		return false
	}
	b := d.m[to : to+r>>32 : to+r>>32]
	switch {
	case o.kind == opBytesText:
		v.SetString(string(b))
	default:
		v.SetBytes(slices.Clone(b))
	}
	return true
}

// list reads n blocks at w into the slice at g.
func (d *decoder) list(o *op, w, n uint64, g ptr) bool {
	if n == 0 {
		emptySlice(g, o)
		return true
	}
	data, ok := d.elements(o, g, w, n)
	if !ok {
		return d.err == nil && d.fail(w, tooLargeHere(n, o.sub.gsize))
	}
	if len(o.sub.ops) == 0 {
		return true // there may be any number of nothings
	}
	for i := range n {
		if !d.block(o.sub, w+i*o.sub.wsize, elem(data, i, o.sub)) {
			d.trail.add("", int(i))
			return false
		}
	}
	return true
}

// listToArray reads the slice whose ref is at w into an array of o.n elements.
func (d *decoder) listToArray(o *op, w uint64, g ptr, v reflect.Value) bool {
	r := load64(d.m, w)
	n := r >> 32
	if r <= 1 {
		n = 0
	}
	if n != o.n {
		return d.fail(w, failf(ErrLimit, "%d elements for a %s", n, o.typ))
	}
	p := o.sub
	if n == 0 {
		return true
	}
	if !d.charge(w, n*p.extra) {
		return false
	}
	to, ok := w, int32(r) == 1
	switch {
	case p.wsize > 0:
		if to, ok = d.object(w, r, p.wsize); !ok {
			return d.badRef(w, r, p.wsize)
		}
	case !ok:
		return d.fail(w, badZeroSize(r))
	case len(p.ops) == 0:
		return true // there may be any number of nothings
	}
	if p.lay.refs && !d.enter(w) {
		return false
	}
	for i := range n {
		if !d.block(p, to+i*p.wsize, elem(g, i, p)) {
			d.trail.add("", int(i))
			return false
		}
	}
	if p.lay.refs {
		d.depth++
	}
	return true
}

// charge takes n bytes of Go memory from what a message of another schema may still take. Others are not charged:
// d.charged is asked first, where it is not known.
func (d *decoder) charge(w, n uint64) bool {
	if n > d.memory {
		return d.fail(w, failf(ErrLimit, "more than %d bytes of memory for a message of %d, whose types have grown: MaxExpansion is %d", d.codec.foreignMemory(len(d.m)), len(d.m), d.codec.most))
	}
	d.memory -= n
	return true
}

// remembered is how many bytes of memory an object takes among those that were reached.
func (d *decoder) remembered() uint64 {
	if d.refs == nil {
		return 0
	}
	return 96
}

// outside returns the most bytes of memory that parts of a block take beside the Go value and without a
// charge of their own.
func (p *plan) outside() (n uint64) {
	for i := range p.ops {
		switch o := &p.ops[i]; o.kind {
		case opStringPtr:
			n += 16
		case opTime:
			n += zoneBytes
		case opOptionals:
			for _, q := range o.opts {
				n += uint64(q.typ.Size())
				if q.kind == kindTime {
					n += zoneBytes
				}
			}
		case opArray:
			n += o.n * o.sub.outside()
		case opBlock:
			n += o.sub.outside()
		case opPresent:
			if o.typ.Kind() != reflect.Pointer {
				n += o.sub.outside()
			}
		}
	}
	return n
}

// allocation is at least what the allocator takes for n bytes.
func allocation(n uint64) uint64 {
	switch {
	case n <= 32:
		return up8(n)
	case n <= 256:
		return (n + 15) &^ 15
	}
	return n + n/4 + 16
}

// madeSlice is how many bytes more than its array a slice takes that reflection makes.
const madeSlice = 24 * withoutUnsafe

// foreignMemory is how many bytes of Go memory a message of another schema may take, of 64 KiB more for each
// decode all but what an arena's last chunk and an error need.
func (c *core) foreignMemory(n int) uint64 { return 56<<10 + c.most*uint64(n) }

// defaultExpansion is what the codec of the schema itself has at most, but for fields that are left out.
const defaultExpansion = 48

var errForeign = failf(ErrSchema, "a codec for the messages of another schema reads only")

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
// whose fields may be others (SPEC §6.6): it is what package compat is built on. It does not write.
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

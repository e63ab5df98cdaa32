package format

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/ashlar-go/ashlar/buffer"
)

// An Option sets a limit of a codec.
type Option func(*options)

type options struct {
	maxMessage int64
	maxDepth   int
	shared     bool
	refs       bool
	types      *Types
	boxes      BoxResolver
	strictNil  bool
	most       int
}

// WithShared is for messages in memory that another process or goroutine can still change while they
// are read, whether it should or not. DecodeAlias then copies everything that holds a bool, since Go
// trusts a bool to stay 0 or 1: such slices and pointees are v's own memory and are reused, so that v
// must not come from a DecodeAlias without this option. Strings and numbers still point into the message
// and may change; such strings are not to be map keys.
func WithShared() Option { return func(o *options) { o.shared = true } }

// WithMaxMessage sets the size in bytes of the largest message that a codec writes or reads, up to and
// by default 16 GiB, or what the platform can address if that is less. A size of 0 or less means the
// default. SPEC §7.
func WithMaxMessage(bytes int64) Option { return func(o *options) { o.maxMessage = bytes } }

// WithMaxDepth sets how many refs may follow each other on one path, 10,000 by default (SPEC §3.5). A
// decode uses some hundred bytes of stack for each. A depth of 0 or less means the default.
func WithMaxDepth(refs int) Option { return func(o *options) { o.maxDepth = refs } }

// WithRefs keeps the identity of what pointers and maps refer to: a value that is reached twice is written
// once and comes back as one, and a value may refer to itself. Identity is that of an address and a type;
// equal values are never made one, and strings, slices, pointers to scalars and what has no bytes have
// none. A pointer into a value, to a field or an element, comes back as one to a copy. Without WithRefs what is shared is written each time, a cycle is ErrCycle, and a message in which
// something is shared is ErrSchema. A value in which nothing is has the same bytes either way. Pointees
// and maps are always new ones when a codec with WithRefs reads. SPEC §3.4.
func WithRefs() Option { return func(o *options) { o.refs = true } }

// WithTypes makes a codec use types for values in interfaces in place of those that [Register] knows.
func WithTypes(types *Types) Option { return func(o *options) { o.types = types } }

// A BoxResolver knows the types that writers have put into interfaces and that are not, or not so,
// registered here: the schema, with its name, of a box id (SPEC §3.8). The local type of the name is then
// read from what the schema says.
type BoxResolver interface {
	Box(id uint64) (*Schema, bool)
}

// WithBoxes makes a codec ask r about box ids that it does not know. Package compat uses it. A decode may
// allocate 64 KiB + 48 bytes for each byte of a message more than [Codec.Expansion] says, for what boxes of
// other schemas hold, and Verify reads a message that has such boxes.
func WithBoxes(r BoxResolver) Option { return func(o *options) { o.boxes = r } }

// WithStrictNil makes [EvolvedFor] take a nil pointer of the writer's, where this program has a value and no
// pointer, for an error, ErrSchema, in place of a zero.
func WithStrictNil() Option { return func(o *options) { o.strictNil = true } }

// WithMaxExpansion sets how many bytes of Go memory a message of another schema may take for each of its bytes,
// beside 64 KiB, 48 by default ([EvolvedFor], [WithBoxes]). A reader whose structs have become much larger than
// the writer's needs more.
func WithMaxExpansion(factor int) Option { return func(o *options) { o.most = factor } }

// A core is a codec for a type known by reflection.
type core struct {
	typ         reflect.Type
	plan        *plan
	description []byte
	fingerprint uint64
	maxMessage  uint64
	least, span uint64 // bytes of the smallest message, and how many more the largest has
	maxDepth    int
	expansion   int
	types       *Types
	shared      bool
	refs        bool
	flat        bool // a root that is plain and not empty is written and read at once
	runs        bool // a root is read by copying runs of its bytes
	boxes       bool // there may be interfaces
	resolver    BoxResolver
	resolved    sync.Map // uint64: *boxType, of those that the resolver knows
	strictNil   bool
	most        uint64   // bytes of memory that a byte of a message of another schema may take
	strange     sync.Map // uint64: *layout, of boxes for which there is no type
	foreign     bool     // the schema is not that of typ
	schema      *Schema  // that schema
	lost        error    // why the codec does not write
	unknown     int      // the field of the root's struct that keeps what it does not know, or -1
	usual       bool     // there are no options
	methods     bool     // methods of the user's types may be called
	guarded     bool     // writing is not to be begun at once, and its size is a guess
	root        *scope   // of views of whole messages
	scopes      sync.Map // planKey: *scope, of those and of their parts
	steps       int      // limits the plans of parts of messages of another schema
}

// newCore compiles a codec for t.
func newCore(t reflect.Type, o options) (*core, error) {
	if t == nil {
		return nil, &Error{Op: "codec", Offset: -1, Err: failf(ErrType, "no type")}
	}
	s, err := schemaOf(t)
	if e, ok := err.(*Error); ok {
		e.Op += " of " + t.String()
	}
	if err != nil {
		return nil, err
	}
	nodes, _ := s.minimise()
	return newCoreOf(t, nodes, describe(nodes), false, o)
}

// newCoreOf compiles a codec for t and messages of the type that nodes describe; foreign says that this may
// be another one.
func newCoreOf(t reflect.Type, nodes []SchemaNode, description []byte, foreign bool, o options) (*core, error) {
	layouts, err := layoutsOf(nodes)
	if err != nil {
		return nil, &Error{Op: "codec", Offset: -1, Err: err}
	}
	c := &core{typ: t, foreign: foreign, description: description, maxMessage: uint64(min(maxMessage, math.MaxInt)) &^ 7, maxDepth: defaultDepth, shared: o.shared, refs: o.refs, types: o.types, resolver: o.boxes, strictNil: o.strictNil, most: defaultExpansion}
	c.fingerprint = fingerprint(c.description)
	if o.most > 0 {
		c.most = min(uint64(o.most), 1<<20)
	}
	if o.maxMessage > 0 {
		c.maxMessage = min(c.maxMessage, uint64(o.maxMessage))
	}
	if o.maxDepth > 0 {
		c.maxDepth = o.maxDepth
	}
	if c.types == nil {
		c.types = defaultTypes
	}
	compiler := compiler{plans: map[planKey]*plan{}, foreign: foreign}
	if foreign {
		if s, err := schemaOf(t); err == nil {
			if own, _ := s.minimise(); !bytes.Equal(describe(own), description) {
				c.schema = newSchema(description)
				compiler.schema = c.schema
			}
		}
		c.steps = mostSteps(nodes, t)
		compiler.most = c.steps
	}
	if c.plan, err = compiler.compile(layouts[0], t); err != nil {
		return nil, err
	}
	c.least = headerSize + c.plan.wsize
	c.span = c.maxMessage - c.least
	if c.least > c.maxMessage { // no message is small enough
		c.least, c.span = 1<<63, 0
	}
	c.usual, c.unknown = o == options{} && !foreign, unknownIn(t)
	c.root = c.scope(layouts[0], t)
	c.root.plan.Store(c.plan)
	c.flat = c.plan.plain && c.plan.wsize > 0 && !foreign
	c.runs = len(c.plan.ops) > 0 && !slices.ContainsFunc(c.plan.ops, func(o op) bool { return o.kind != opRun })
	c.boxes = compiler.holds(opIface)
	c.methods = c.boxes || compiler.holds(opCustom)
	c.guarded = c.methods || foreign
	c.lost = compiler.lost
	if o.refs && compiler.holds(opUnknown) {
		return nil, &Error{Op: "codec", Offset: -1, Err: failf(ErrType, "%s: WithRefs does not go with a format.Unknown, which cannot keep what is shared", t)}
	}
	if foreign && o.refs {
		c.lost = failf(ErrSchema, "with WithRefs a codec for the messages of another schema reads only")
	}
	c.expansion = compiler.expansion()
	if foreign {
		c.expansion = int(c.most)
	}
	return c, nil
}

// cores keeps the codecs that have default options, by type.
var cores sync.Map // reflect.Type: *core

func coreOf(t reflect.Type, opts ...Option) (*core, error) {
	var o options
	for _, f := range opts {
		if f != nil {
			f(&o)
		}
	}
	if o != (options{}) {
		return newCore(t, o)
	}
	if c, ok := cores.Load(t); ok {
		return c.(*core), nil
	}
	c, err := newCore(t, o)
	if err != nil {
		return nil, err
	}
	first, _ := cores.LoadOrStore(t, c)
	return first.(*core), nil
}

func (c *core) tooLarge(size uint64) error {
	return failf(ErrLimit, "a message of %d bytes or more, at most MaxMessage %d", size, c.maxMessage)
}

// fits reports whether msg is one message of the codec's type without flags, whose root block is there. It must
// inline.
func (c *core) fits(msg []byte) bool {
	n := uint64(len(msg))
	return n-c.least <= c.span && load64(msg, 0) == n<<29|magic|version<<16 && load64(msg, 8) == c.fingerprint
}

// check checks that msg is one message of the codec's type, whose root block is there, and returns
// whether it has the graph flag.
func (c *core) check(op string, msg []byte) (graph bool, err error) {
	if c.fits(msg) {
		return false, nil
	}
	if n := uint64(len(msg)); c.refs && n-c.least <= c.span && n&7 == 0 && load64(msg, 8) == c.fingerprint &&
		load64(msg, 0) == header(n)|flagGraph<<24 {
		return true, nil
	}
	return false, &Error{Op: op, Offset: 0, Err: c.badMessage(msg)}
}

// badMessage says why check has refused msg.
func (c *core) badMessage(msg []byte) error {
	size, flags, err := parseHeader(firstWord(msg), len(msg))
	switch {
	case err != nil:
		return err
	case size > uint64(len(msg)):
		return failf(ErrTruncated, "%d bytes, the header says %d", len(msg), size)
	case size > c.maxMessage:
		return failf(ErrLimit, "the header says %d bytes, at most MaxMessage %d", size, c.maxMessage)
	case size < uint64(len(msg)):
		return failf(ErrCorrupt, "%d bytes, the header says %d: split a run of messages with Next", len(msg), size)
	}
	if f := binary.LittleEndian.Uint64(msg[8:]); f != c.fingerprint {
		return failf(ErrSchema, "the message is of another structure than %s: its fingerprint is %016x, that of the type %016x", c.typ, f, c.fingerprint)
	}
	switch {
	case flags == flagGraph && !c.refs:
		return failf(ErrSchema, "the message has shared references, which only a codec with WithRefs reads")
	case flags&^flagGraph != 0:
		return failf(ErrSchema, "the message has flags %#02x (2 is a description), which this codec does not read", flags)
	}
	return failf(ErrCorrupt, "%d bytes are too few for the root block of %d", size-headerSize, c.plan.wsize)
}

// plainSize is the size in bytes of every message whose root is plain.
func (c *core) plainSize() uint64 { return headerSize + up8(c.plan.wsize) }

// writePlain writes the message of a plain root over m, which has its size.
func (c *core) writePlain(m []byte, src ptr) {
	p := c.plan
	store64(m, uint64(len(m))-8, 0)
	store64(m, 0, 0)
	storePlain(m, headerSize, src, 1, p)
	zeroSpans(m, headerSize, p.lay.gaps)
	store64(m, 8, c.fingerprint)
	store64(m, 0, header(uint64(len(m)))) // last: without it there is no message, SPEC §1.4
}

func (c *core) encodeError(op string, e *encoder) error {
	if e.trail != nil {
		e.path = e.trail.String()
	}
	return &Error{Op: op, Path: e.path, Offset: -1, Err: e.err}
}

func (c *core) decodeError(op string, offset uint64, t *trail, err error) error {
	return &Error{Op: op, Path: t.String(), Offset: int64(offset), Err: err}
}

func (c *core) append(dst []byte, src ptr) ([]byte, error) {
	if c.flat {
		if n := c.plainSize(); uint64(cap(dst)-len(dst)) >= n && n <= c.maxMessage {
			c.writePlain(dst[len(dst):uint64(len(dst))+n], src)
			return dst[:uint64(len(dst))+n], nil
		}
	}
	dst, _, err := c.appendBoxes(dst, nil, src, false)
	return dst, err
}

// appendBoxes writes the message behind dst and, if notes, the ids of its boxes behind boxes.
func (c *core) appendBoxes(dst []byte, boxes []uint64, src ptr, notes bool) ([]byte, []uint64, error) {
	var e encoder // filled in place: a literal would be copied
	e.codec, e.src, e.dst = c, src, dst
	e.boxes, e.notes = boxes[len(boxes):], notes
	e.m = dst[len(dst):cap(dst)]
	if !e.run() {
		return dst, boxes, c.encodeError("encode", &e)
	}
	return e.dst[:uint64(len(e.dst))+e.end], append(boxes, e.boxes...), nil
}

func (c *core) encode(b *buffer.Buffer, src ptr) error {
	if b == nil {
		return &Error{Op: "encode", Offset: -1, Err: errNoBuffer}
	}
	if n := c.plainSize(); c.flat && b.Len()&7 == 0 && n <= c.maxMessage {
		out, err := b.Extend(int(n))
		if err != nil {
			return &Error{Op: "encode", Offset: -1, Err: err}
		}
		c.writePlain(out, src)
		return nil
	}
	var e encoder // filled in place: a literal would be copied
	e.codec, e.src, e.buf, e.had = c, src, b, b.Len()
	e.gap = -b.Len() & 7
	if free, err := b.Reserve(e.gap + headerSize); err == nil {
		e.m = free[e.gap:] // else grow finds out what is wrong
	}
	if !e.run() {
		return c.encodeError("encode", &e)
	}
	out, err := extend(b, e.had, e.gap+int(e.end))
	if err != nil {
		return &Error{Op: "encode", Offset: -1, Err: err}
	}
	clear(out[:e.gap])
	return nil
}

// extend makes the n bytes behind the first had of b, which a message was written to, part of b.
func extend(b *buffer.Buffer, had, n int) ([]byte, error) {
	if b.Len() != had {
		return nil, errBufferUsed
	}
	return b.Extend(n)
}

var errNoBuffer = failf(ErrType, "no buffer")

var errBufferUsed = failf(ErrType, "a method of the value writes into the buffer that the value is written into")

func (c *core) size(src ptr) (int, error) {
	if c.methods {
		if err := enterRun(); err != nil {
			return 0, &Error{Op: "size", Offset: -1, Err: err}
		}
		defer leaveRun()
	}
	z := c.measure(src, false)
	if z.err != nil {
		return 0, &Error{Op: "size", Path: z.trail.String(), Offset: -1, Err: z.err}
	}
	return int(z.size), nil
}

func (c *core) decode(msg []byte, v ptr, how mode) error {
	graph, err := c.check("decode", msg)
	if err != nil {
		return err
	}
	if c.flat {
		if bad, ok := loadPlain(v, msg, headerSize, 1, c.plan); !ok {
			return &Error{Op: "decode", Path: c.plan.lay.pathOf(bad - headerSize), Offset: int64(bad), Err: badBoolAt(msg, bad)}
		}
		return nil
	}
	if c.runs {
		loadRuns(v, msg, headerSize, c.plan.ops)
		return nil
	}
	if how == alias && native && misaligned(msg) {
		aligned := newBytes(uint64(len(msg)))
		copy(aligned, msg)
		msg = aligned
	}
	return c.decodeAt(msg, graph, c.plan, headerSize, v, how)
}

// decodeAt reads the block of p at offset at, which is inside msg, into v.
func (c *core) decodeAt(msg []byte, graph bool, p *plan, at uint64, v ptr, how mode) error {
	var d decoder // filled in place: a literal would be copied
	d.start(c, msg, p)
	if c.foreign || c.resolver != nil {
		d.memory = c.foreignMemory(len(msg))
	}
	if c.foreign {
		d.charged = true
		d.memory -= min(p.extra, d.memory)
	}
	d.mode = how
	if how == reuse {
		d.live = buffer.Live()
	}
	if graph {
		d.startRefs(c, p, at, v)
		defer d.refs.give()
		d.anew = (c.most - 1) * uint64(len(msg))
		if at != headerSize || p != c.plan { // a part may be reached again, as what a pointer leads to, and with it all that it has
			d.budget += uint64(len(msg))
		}
		if c.foreign { // what is shared may be read into values, each time anew
			d.refs.types = true
			d.budget += d.anew
		}
	}
	if c.methods {
		if err := enterRun(); err != nil {
			return &Error{Op: "decode", Offset: int64(at), Err: err}
		}
		defer leaveRun()
	}
	if !d.block(p, at, v) {
		return c.decodeError("decode", d.offset, d.trail, d.err)
	}
	return nil
}

func nilError(op string, t reflect.Type) error {
	return &Error{Op: op, Offset: -1, Err: failf(ErrType, "nil *%s", t)}
}

// A Codec writes and reads values of T. It is safe for concurrent use and costs nothing to keep.
//
// T's layout, and with it the bytes, follow from T alone (SPEC §2); the fingerprint in each message
// makes sure that the reader's T has the same structure as the writer's.
type Codec[T any] struct {
	core *core
	_    [0]func() // not comparable
}

// For returns the codec for T, which it makes at first use. The error is an [*Error] of ErrType or
// ErrLimit that gives the path of the field that cannot be written.
func For[T any](opts ...Option) (*Codec[T], error) {
	c, err := coreOf(reflect.TypeFor[T](), opts...)
	if err != nil {
		return nil, err
	}
	return &Codec[T]{core: c}, nil
}

// MustFor is [For] for package variables: it panics where For returns an error.
func MustFor[T any](opts ...Option) *Codec[T] {
	c, err := For[T](opts...)
	if err != nil {
		panic(err)
	}
	return c
}

// Fingerprint returns the first 8 bytes of the SHA-256 of T's description (SPEC §6.3).
func (c *Codec[T]) Fingerprint() uint64 { return c.core.fingerprint }

// Description returns a copy of T's description (SPEC §6.1).
func (c *Codec[T]) Description() []byte { return slices.Clone(c.core.description) }

// Expansion returns K(T), an upper bound of the bytes of Go memory for each byte of a message: a decode
// of a message of len bytes, whatever is in it, allocates at most 64 KiB + K·len bytes.
//
// What an interface holds is counted as what expands most of the types that are registered now; what
// methods of the user's types allocate is not counted.
func (c *Codec[T]) Expansion() int { return c.core.mostExpansion() }

func (c *core) mostExpansion() int {
	most := c.expansion
	if c.boxes {
		most = max(most, c.types.load().most)
	}
	if c.refs {
		most += reachedBytes
	}
	return most
}

// Size returns how many bytes the message of v has. It is exact and errs where writing would.
func (c *Codec[T]) Size(v *T) (int, error) {
	if v == nil {
		return 0, nilError("size", c.core.typ)
	}
	return c.core.size(ptrOf(v))
}

// Append appends the message of v to dst and returns the extended slice. The message begins at
// len(dst) exactly; for readers to use it where it lies that should be a multiple of 8 in memory. The
// bytes of a value do not depend on what dst's memory held. On an error dst is returned as it was.
//
// Errors: ErrCycle where v refers to itself, ErrLimit, and ErrType for what only the value shows: a type
// in an interface that is not registered, a NaN as a key, a method that fails.
func (c *Codec[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return dst, nilError("encode", c.core.typ)
	}
	return c.core.append(dst, ptrOf(v))
}

// AppendBoxes is [Codec.Append] that also appends to boxes, once each, the ids of the types (SPEC §3.8)
// that values in v's interfaces have, in the order in which they come. It is for who must see to it that a
// reader knows these types, a low-level need.
func (c *Codec[T]) AppendBoxes(dst []byte, boxes []uint64, v *T) ([]byte, []uint64, error) {
	if v == nil {
		return dst, boxes, nilError("encode", c.core.typ)
	}
	return c.core.appendBoxes(dst, boxes, ptrOf(v), true)
}

// Encode writes the message of v into b at the next multiple of 8 and fills the gap before it with
// zero. On an error, of which buffer.ErrFull says that b has too little room, b's length is unmoved.
func (c *Codec[T]) Encode(b *buffer.Buffer, v *T) error {
	if v == nil {
		return nilError("encode", c.core.typ)
	}
	return c.core.encode(b, ptrOf(v))
}

// Decode reads msg, which must be one whole message, into v. Everything that v refers to afterwards is
// new and v's own, and what v referred to before is left untouched. Small strings and values are cut
// from common memory: one that is kept keeps its neighbours.
//
// After an error v may have been changed in part and is safe to use. Errors: ErrTruncated, ErrCorrupt,
// ErrSchema, ErrLimit, each with the path and the offset.
func (c *Codec[T]) Decode(msg []byte, v *T) error {
	if v == nil {
		return nilError("decode", c.core.typ)
	}
	return c.core.decode(msg, ptrOf(v), fresh)
}

// DecodeReuse is [Codec.Decode] into the memory that v holds: slices that have the capacity are
// written into, so are pointees, and a string that is equal is kept. A loop that reads messages of one
// shape allocates nothing.
//
// Maps are emptied and filled; what an interface holds is new. With [WithRefs] pointees and maps are new.
//
// What v refers to must be a tree: no slice or pointee may be reached twice. v must not have been filled
// by DecodeAlias, or the next message would be written over the last. Memory in a live mapping of
// package buffer is recognised and replaced; other memory is not.
func (c *Codec[T]) DecodeReuse(msg []byte, v *T) error {
	if v == nil {
		return nilError("decode", c.core.typ)
	}
	return c.core.decode(msg, ptrOf(v), reuse)
}

// DecodeAlias is [Codec.Decode] without copying: strings, slices of plain elements and pointers to plain
// values (numbers, bools, and arrays and structs of them that Go lays out as the format does) point
// into msg. They are valid, and must only be read, as long as msg's memory is there and unchanged. Each
// slice's capacity is its length.
//
// DecodeAlias never writes through a field whose type could point into a message: it replaces the field.
// Other slices, pointees and maps of v are reused, so that a loop allocates nothing. With [WithRefs] pointees
// and maps are new. The keys of a map point into msg too, but not under WithShared: then its entries are
// copied. A msg that does not begin
// at a multiple of 8 in memory is copied, and the copy aliased.
func (c *Codec[T]) DecodeAlias(msg []byte, v *T) error {
	if v == nil {
		return nilError("decode", c.core.typ)
	}
	return c.core.decode(msg, ptrOf(v), alias)
}

// Verify checks all of msg without decoding it: after it, as long as msg does not change, a decode of
// msg cannot fail but for a type's own methods, which are not called. Its time is linear in the number of
// refs, bools and keys, and it allocates nothing unless it fails.
func (c *Codec[T]) Verify(msg []byte) error { return c.core.verify(msg) }

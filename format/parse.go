package format

// SchemaLimits bound what a description that somebody else has made may ask for (SPEC §6.4). A value of 0
// or less is the default in brackets.
type SchemaLimits struct {
	Bytes  int   // of the description [64 KiB]
	Fields int   // nodes and fields in all [10,000]
	Leaves int   // fields of all structs, those of structs within them counted one by one [100,000]
	Block  int64 // bytes of a block, up to 16 GiB [1 GiB]
	Depth  int   // types within types by value [1,000]
}

func (l SchemaLimits) withDefaults() SchemaLimits {
	or := func(v *int, most int) {
		if *v <= 0 {
			*v = most
		}
	}
	or(&l.Bytes, 64<<10)
	or(&l.Fields, 10_000)
	or(&l.Leaves, 100_000)
	or(&l.Depth, maxNesting)
	if l.Block <= 0 {
		l.Block = 1 << 30
	}
	l.Block = min(l.Block, maxBlock)
	return l
}

// A parser reads a description.
type parser struct {
	limits SchemaLimits
	text   string
	at     int // where in text it is
	nodes  []SchemaNode
	about  []measure
	fields int // nodes and fields
	leaves int // of all structs
	err    error
	failed int // where in text err is
}

// A measure is what a node comes to by value.
type measure struct {
	extent
	start  int // of the node in the description
	leaves int
	depth  int32
	state  layoutState
	key    bool // can be a map's key
}

// read reads a description and checks it (SPEC §6.4): that it is one, within the limits, and of a type that
// there can be. What it allocates is in proportion to the bytes that have been read.
func (p *parser) read(d []byte) error {
	p.limits = p.limits.withDefaults()
	if len(d) > p.limits.Bytes {
		p.fail(0, ErrLimit, "a description of %d bytes, at most Bytes %d", len(d), p.limits.Bytes)
	} else {
		p.text = string(d) // d may be in memory that others write to
		p.parse()
		p.checkOrder()
		p.checkValues()
		p.checkElements()
	}
	if p.err != nil {
		return &Error{Op: "description", Offset: int64(p.failed), Err: p.err}
	}
	return nil
}

// fail notes the first error and where in the description it is.
func (p *parser) fail(at int, kind error, text string, args ...any) {
	if p.err == nil {
		p.err, p.failed = failf(kind, text, args...), at
	}
}

// number reads a uvarint in its shortest form.
func (p *parser) number() uint64 {
	v := uint64(0)
	for i := 0; p.err == nil; i++ {
		if p.at+i == len(p.text) {
			p.fail(p.at, ErrTruncated, "the description ends within a number")
			break
		}
		b := p.text[p.at+i]
		if i == 9 && b > 1 || i > 0 && b == 0 {
			p.fail(p.at, ErrCorrupt, "a number that is too large or not in its shortest form")
			break
		}
		v |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			p.at += i + 1
			return v
		}
	}
	return 0
}

// count reads a number of nodes or fields, each of which needs least bytes.
func (p *parser) count(what string, least int) int {
	at := p.at
	n, left := p.number(), len(p.text)-p.at
	switch {
	case p.err != nil:
	case n > uint64(p.limits.Fields-p.fields):
		p.fail(at, ErrLimit, "%d %s, and %d nodes and fields before them, at most Fields %d", n, what, p.fields, p.limits.Fields)
	case n > uint64(left/least):
		p.fail(at, ErrTruncated, "%d %s in %d bytes", n, what, left)
	default:
		p.fields += int(n)
		return int(n)
	}
	return 0
}

func (p *parser) parse() {
	n := p.count("nodes", 1)
	if n == 0 {
		p.fail(0, ErrCorrupt, "a description without nodes")
		return
	}
	p.nodes, p.about = make([]SchemaNode, n), make([]measure, n)
	for i := range p.nodes {
		if p.err == nil {
			p.about[i].start = p.at
			p.node(&p.nodes[i])
		}
	}
	if p.at < len(p.text) {
		p.fail(p.at, ErrCorrupt, "%d bytes behind the last node", len(p.text)-p.at)
	}
}

func (p *parser) node(n *SchemaNode) {
	if p.at == len(p.text) {
		p.fail(p.at, ErrTruncated, "the description ends before its last node")
		return
	}
	n.Kind = kind(p.text[p.at])
	p.at++
	switch n.Kind {
	case kindPointer, kindSlice:
		n.Children = []int{p.child()}
	case kindArray:
		n.Length = p.number()
		n.Children = []int{p.child()}
	case kindMap:
		n.Children = []int{p.child(), p.child()}
	case kindStruct:
		p.structFields(n)
	default:
		if n.Kind == 0 || n.Kind > kindCustom {
			p.fail(p.at-1, ErrCorrupt, "kind %d, want 1 to %d", uint8(n.Kind), uint8(kindCustom))
		}
	}
}

func (p *parser) structFields(n *SchemaNode) {
	count := p.count("fields", 3)
	n.Names, n.Children = make([]string, 0, count), make([]int, 0, count)
	seen := make(map[string]bool, count)
	for range count {
		at := p.at
		name := p.name()
		if seen[name] {
			p.fail(at, ErrCorrupt, "two fields of the name %.100q", name)
		}
		seen[name] = true
		c := p.child()
		if p.err != nil {
			return
		}
		n.Names, n.Children = append(n.Names, name), append(n.Children, c)
	}
}

func (p *parser) name() string {
	at := p.at
	n, left := p.number(), len(p.text)-p.at
	switch {
	case p.err != nil:
		return ""
	case n == 0:
		p.fail(at, ErrCorrupt, "a field without a name")
		return ""
	case n > uint64(p.limits.Bytes):
		p.fail(at, ErrLimit, "a name of %d bytes, at most Bytes %d", n, p.limits.Bytes)
		return ""
	case n > uint64(left):
		p.fail(at, ErrTruncated, "a name of %d bytes in %d", n, left)
		return ""
	}
	p.at += int(n)
	return p.text[p.at-int(n) : p.at]
}

// child reads the number of a node.
func (p *parser) child() int {
	at := p.at
	c := p.number()
	if c >= uint64(len(p.nodes)) {
		p.fail(at, ErrCorrupt, "node %d of %d", c, len(p.nodes))
		return 0
	}
	return int(c)
}

// checkOrder checks that nodes are numbered as a walk from the root meets them, and all are met.
func (p *parser) checkOrder() {
	if p.err != nil {
		return
	}
	next := 1
	type place struct{ node, child int }
	for stack := []place{{0, 0}}; len(stack) > 0; {
		at := &stack[len(stack)-1]
		if at.child == len(p.nodes[at.node].Children) {
			stack = stack[:len(stack)-1]
			continue
		}
		c := p.nodes[at.node].Children[at.child]
		at.child++
		if c > next {
			p.fail(p.about[at.node].start, ErrCorrupt, "node %d is met before node %d", c, next)
			return
		}
		if c == next {
			next++
			stack = append(stack, place{c, 0})
		}
	}
	if next < len(p.nodes) {
		p.fail(p.about[next].start, ErrCorrupt, "node %d and what follows do not belong to the type", next)
	}
}

// checkValues measures the nodes, and checks by it that no type contains itself by value and that none is
// nested too deep or grows too large, before anything is made of them.
func (p *parser) checkValues() {
	for i := range p.nodes {
		if p.err == nil {
			p.measure(i, 0)
		}
	}
}

// measure measures node i, which is that deep by value in the one that was asked for.
func (p *parser) measure(i, depth int) *measure {
	m, n := &p.about[i], &p.nodes[i]
	switch {
	case p.err != nil || m.state == layoutDone:
		return m
	case m.state == layoutUnderway:
		p.fail(m.start, ErrCorrupt, "node %d contains itself by value", i)
		return m
	case depth > p.limits.Depth:
		p.fail(m.start, ErrLimit, "types nest %d deep by value, at most Depth %d", depth, p.limits.Depth)
		return m
	}
	m.state = layoutUnderway
	m.leaves, m.extent = 1, extentOf(n.Kind)
	m.key = n.Kind.scalar() || n.Kind == kindString || n.Kind == kindInterface || n.Kind == kindCustom
	switch k, optional := p.optional(i); {
	case optional:
		m.extent = optionalExtent(k)
	case n.Kind == kindArray:
		p.measureArray(m, n, depth)
	case n.Kind == kindStruct:
		p.measureStruct(m, n, depth)
	}
	if int(m.depth) > p.limits.Depth {
		p.fail(m.start, ErrLimit, "types nest %d deep by value, at most Depth %d", m.depth, p.limits.Depth)
	}
	if m.size > uint64(p.limits.Block) {
		p.fail(m.start, ErrLimit, "a block of %d bytes, at most Block %d", m.size, p.limits.Block)
	}
	m.state = layoutDone
	return m
}

func (p *parser) measureArray(m *measure, n *SchemaNode, depth int) {
	e := p.measure(n.Children[0], depth+1)
	m.align, m.leaves, m.depth, m.key = e.align, e.leaves, e.depth+1, e.key
	switch {
	case p.err != nil:
	case e.size == 0: // what has no bytes is not bounded by them
		if n.Length > uint64(p.limits.Leaves/e.leaves) {
			p.fail(m.start, ErrLimit, "an array of %d elements without bytes, at most Leaves %d", n.Length, p.limits.Leaves)
			return
		}
		m.size, m.leaves = 0, max(1, int(n.Length)*e.leaves)
	case n.Length > uint64(p.limits.Block)/e.size:
		p.fail(m.start, ErrLimit, "an array of %d elements of %d bytes, at most Block %d", n.Length, e.size, p.limits.Block)
	default:
		m.size = n.Length * e.size
	}
}

func (p *parser) measureStruct(m *measure, n *SchemaNode, depth int) {
	m.leaves, m.key = 0, true
	for _, c := range n.Children {
		e := p.measure(c, depth+1)
		if p.err != nil {
			return
		}
		if e.leaves > p.limits.Leaves-p.leaves-m.leaves {
			p.fail(m.start, ErrLimit, "more than %d fields, those of structs by value counted one by one (Leaves)", p.limits.Leaves)
			return
		}
		m.leaves += e.leaves
		m.depth = max(m.depth, e.depth+1)
		m.key = m.key && e.key
	}
	p.leaves += m.leaves
	m.leaves = max(1, m.leaves)
	m.extent = p.structExtent(n.Children)
}

// optional reports whether node i is a pointer to a scalar or a time, and which (SPEC §2.2).
func (p *parser) optional(i int) (kind, bool) {
	if p.nodes[i].Kind != kindPointer {
		return 0, false
	}
	k := p.nodes[p.nodes[i].Children[0]].Kind
	return k, k.scalar() || k == kindTime
}

// structExtent is the extent of a struct of these fields, which have been measured.
func (p *parser) structExtent(fields []int) extent {
	optionals := 0
	for _, c := range fields {
		if _, ok := p.optional(c); ok {
			optionals++
		}
	}
	e := bitmap(optionals)
	for _, c := range fields {
		if k, ok := p.optional(c); ok {
			e.put(extentOf(k))
		} else {
			e.put(p.about[c].extent)
		}
	}
	e.round()
	return e
}

// checkElements checks what slices and maps ask of their elements.
func (p *parser) checkElements() {
	for i := range p.nodes {
		n, at := &p.nodes[i], p.about[i].start
		if p.err != nil {
			return
		}
		size := uint64(0)
		switch n.Kind {
		case kindSlice:
			size = p.about[n.Children[0]].size
		case kindMap:
			size = p.structExtent(n.Children).size
			if !p.about[n.Children[0]].key {
				p.fail(at, ErrCorrupt, "node %d is a map whose key is or holds what no key can", i)
			}
		}
		if size > maxElem {
			p.fail(at, ErrLimit, "an element of a slice or an entry of a map has %d bytes, at most %d", size, uint64(maxElem))
		}
	}
}

// parseNodes returns the nodes of a description that has been checked.
func parseNodes(d []byte, limits SchemaLimits) ([]SchemaNode, error) {
	p := parser{limits: limits}
	if err := p.read(d); err != nil {
		return nil, err
	}
	return p.nodes, nil
}

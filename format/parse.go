package format

import (
	"encoding/binary"
)

// SchemaLimits bound what a description that somebody else has made may ask for (SPEC §6.4). The zero
// value of each is the default in brackets.
type SchemaLimits struct {
	Bytes  int   // of the description [64 KiB]
	Fields int   // nodes and fields in all [10,000]
	Leaves int   // fields of a block, those of structs within it counted one by one [100,000]
	Block  int64 // bytes of a block [1 GiB]
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
	return l
}

// A parser reads a description.
type parser struct {
	limits SchemaLimits
	rest   []byte
	size   int // of the description
	nodes  []schemaNode
	fields int
	err    error
}

// parseDescription reads a description and checks it: that it is one, within the limits, and of a type
// that there can be.
func parseDescription(d []byte, limits SchemaLimits) ([]schemaNode, error) {
	p := parser{limits: limits.withDefaults(), rest: d, size: len(d)}
	if len(d) > p.limits.Bytes {
		return nil, p.error(failf(ErrLimit, "a description of %d bytes, at most %d", len(d), p.limits.Bytes))
	}
	p.parse()
	if p.err == nil {
		p.checkOrder()
	}
	if p.err == nil {
		p.checkValues()
	}
	if p.err != nil {
		return nil, p.error(p.err)
	}
	return p.nodes, nil
}

func (p *parser) error(cause error) error {
	return &Error{Op: "description", Offset: int64(p.size - len(p.rest)), Err: cause}
}

func (p *parser) fail(kind error, text string, args ...any) {
	if p.err == nil {
		p.err = failf(kind, text, args...)
	}
}

// number reads a uvarint, in its shortest form.
func (p *parser) number() uint64 {
	if p.err != nil {
		return 0
	}
	v, n := binary.Uvarint(p.rest)
	switch {
	case n == 0:
		p.fail(ErrTruncated, "the description ends within a number")
	case n < 0 || n > 1 && p.rest[n-1] == 0:
		p.fail(ErrCorrupt, "a number that is too large or not in its shortest form")
	default:
		p.rest = p.rest[n:]
	}
	return v
}

// take counts n nodes or fields, each of which needs a byte at least.
func (p *parser) take(n uint64, what string) bool {
	switch {
	case p.err != nil:
	case n > uint64(p.limits.Fields-p.fields):
		p.fail(ErrLimit, "%d %s, and %d nodes and fields before them, at most Fields %d", n, what, p.fields, p.limits.Fields)
	case n > uint64(len(p.rest)):
		p.fail(ErrTruncated, "%d %s in %d bytes", n, what, len(p.rest))
	default:
		p.fields += int(n)
	}
	return p.err == nil
}

func (p *parser) parse() {
	count := p.number()
	if count == 0 && p.err == nil {
		p.fail(ErrCorrupt, "a description without nodes")
	}
	if !p.take(count, "nodes") {
		return
	}
	p.nodes = make([]schemaNode, count)
	for i := range p.nodes {
		p.node(&p.nodes[i])
	}
	if len(p.rest) > 0 {
		p.fail(ErrCorrupt, "%d bytes behind the last node", len(p.rest))
	}
}

func (p *parser) node(n *schemaNode) {
	if p.err != nil {
		return
	}
	if len(p.rest) == 0 {
		p.fail(ErrTruncated, "the description ends before its last node")
		return
	}
	n.kind, p.rest = kind(p.rest[0]), p.rest[1:]
	children := uint64(0)
	switch n.kind {
	case kindPointer, kindSlice:
		children = 1
	case kindArray:
		n.length, children = p.number(), 1
	case kindMap:
		children = 2
	case kindStruct:
		children = p.number()
		if !p.take(children, "fields") {
			return
		}
		n.names = make([]string, 0, children)
	default:
		if n.kind == 0 || n.kind > kindCustom {
			p.fail(ErrCorrupt, "kind %d, want 1 to %d", n.kind, kindCustom)
		}
		return
	}
	n.children = make([]int, 0, children)
	names := map[string]bool{}
	for range children {
		if n.kind == kindStruct {
			name := p.name()
			if names[name] {
				p.fail(ErrCorrupt, "two fields of the name %q", name)
			}
			names[name] = true
			n.names = append(n.names, name)
		}
		c := p.number()
		if c >= uint64(len(p.nodes)) {
			p.fail(ErrCorrupt, "node %d of %d", c, len(p.nodes))
		}
		if p.err != nil {
			return
		}
		n.children = append(n.children, int(c))
	}
}

func (p *parser) name() string {
	n := p.number()
	switch {
	case p.err != nil:
		return ""
	case n == 0:
		p.fail(ErrCorrupt, "a field without a name")
		return ""
	case n > uint64(len(p.rest)):
		p.fail(ErrTruncated, "a name of %d bytes in %d", n, len(p.rest))
		return ""
	}
	name := string(p.rest[:n])
	p.rest = p.rest[n:]
	return name
}

// checkOrder checks that nodes are numbered as a walk from the root meets them, and all are met.
func (p *parser) checkOrder() {
	next := 1
	type place struct{ node, child int }
	for stack := []place{{0, 0}}; len(stack) > 0; {
		at := &stack[len(stack)-1]
		if at.child == len(p.nodes[at.node].children) {
			stack = stack[:len(stack)-1]
			continue
		}
		c := p.nodes[at.node].children[at.child]
		at.child++
		if c > next {
			p.fail(ErrCorrupt, "node %d is met before node %d", c, next)
			return
		}
		if c == next {
			next++
			stack = append(stack, place{c, 0})
		}
	}
	if next != len(p.nodes) {
		p.fail(ErrCorrupt, "%d of %d nodes belong to the type", next, len(p.nodes))
	}
}

// A measure is what a node comes to by value.
type measure struct {
	state  layoutState
	depth  int
	leaves uint64
	key    bool // can be a map's key
}

// checkValues checks what follows from the nodes: that no type contains itself by value, and that nothing
// is nested too deep or grows too large before anything is computed from it.
func (p *parser) checkValues() {
	of := make([]measure, len(p.nodes))
	var visit func(i, depth int) *measure
	visit = func(i, depth int) *measure {
		m, n := &of[i], &p.nodes[i]
		switch {
		case p.err != nil || m.state == layoutDone:
			return m
		case m.state == layoutUnderway:
			p.fail(ErrCorrupt, "node %d contains itself by value", i)
			return m
		case depth > p.limits.Depth:
			p.fail(ErrLimit, "types nest %d deep by value, at most Depth %d", depth, p.limits.Depth)
			return m
		}
		m.state = layoutUnderway
		m.leaves, m.key = 1, n.kind.scalar() || n.kind == kindString || n.kind == kindInterface || n.kind == kindCustom
		switch n.kind {
		case kindArray:
			e := visit(n.children[0], depth+1)
			m.leaves, m.depth, m.key = e.leaves, e.depth+1, e.key
			if n.length > uint64(p.limits.Block) {
				p.fail(ErrLimit, "an array of %d elements, at most Block %d", n.length, p.limits.Block)
			}
		case kindStruct:
			m.leaves, m.key = 0, true
			for _, c := range n.children {
				e := visit(c, depth+1)
				m.leaves += e.leaves
				m.depth = max(m.depth, e.depth+1)
				m.key = m.key && e.key
				if m.leaves > uint64(p.limits.Leaves) {
					p.fail(ErrLimit, "a block of more than %d fields (Leaves)", p.limits.Leaves)
				}
				if p.err != nil {
					return m
				}
			}
		}
		if m.depth > p.limits.Depth {
			p.fail(ErrLimit, "types nest %d deep by value, at most Depth %d", m.depth, p.limits.Depth)
		}
		m.state = layoutDone
		return m
	}
	for i := range p.nodes {
		visit(i, 0)
	}
	for i := range p.nodes {
		if n := &p.nodes[i]; p.err == nil && n.kind == kindMap && !of[n.children[0]].key {
			p.fail(ErrCorrupt, "node %d is a map whose key is or holds what no key can", i)
		}
	}
}

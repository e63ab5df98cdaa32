package format

import (
	"strconv"
	"strings"
	"unicode"
)

// String returns the structure as text for people, in the manner of Go with one field a line. A struct that
// is used more than once or contains itself is named by its node, such as #3, and follows under this name.
// Equal schemas have the same text; the text is not for programs.
func (s *Schema) String() string {
	p := &printer{nodes: s.Nodes()}
	p.choose()
	if s.name != "" {
		p.text.WriteString(fieldText(s.name) + " = ")
	}
	p.define(0)
	for i := 1; i < len(p.nodes); i++ {
		if p.named[i] {
			p.define(i)
		}
	}
	return p.text.String()
}

// TypeText returns the type of a node in one line, its structs by their numbers, such as map[string]*#3. What
// is nested deep is left out. It is low-level, for messages about nodes.
func TypeText(nodes []SchemaNode, node int) string {
	p := &printer{nodes: nodes, line: true}
	p.put(node, 0)
	return p.text.String()
}

// Limits of what is written in place.
const (
	inlineStructs = 8 // within each other
	inlineKinds   = 4 // within each other, if used more than once
	lineKinds     = 8 // within each other, in one line
)

// A printer writes nodes as text.
type printer struct {
	nodes []SchemaNode
	named []bool
	line  bool // one line, structs by number
	text  strings.Builder
}

// choose chooses which nodes are named, so that the text is finite and none is long for a short description:
// structs that are used more than once, and what comes back to itself without a named struct on the way.
func (p *printer) choose() {
	p.named = make([]bool, len(p.nodes))
	uses := make([]int, len(p.nodes))
	uses[0] = 1
	for i := range p.nodes {
		for _, c := range p.nodes[i].Children {
			uses[c]++
		}
	}
	p.cut()
	for i := range p.nodes {
		if uses[i] > 1 && p.tall(i, inlineKinds) {
			p.named[i] = true
		}
	}
	for i := range p.nodes {
		if uses[i] > 1 && !p.named[i] {
			p.spread(i, uses)
		}
	}
	for i := range p.nodes {
		if uses[i] > 1 && p.isStruct(i) {
			p.named[i] = true
		}
	}
}

func (p *printer) isStruct(i int) bool {
	return p.nodes[i].Kind == kindStruct && len(p.nodes[i].Children) > 0
}

// cut names a node on each cycle, a struct if there is one.
func (p *printer) cut() {
	type place struct{ node, child int }
	depth := make([]int, len(p.nodes)) // on the stack, from 1; -1 when left
	depth[0] = 1
	for stack := []place{{0, 0}}; len(stack) > 0; {
		at := &stack[len(stack)-1]
		if at.child == len(p.nodes[at.node].Children) {
			depth[at.node] = -1
			stack = stack[:len(stack)-1]
			continue
		}
		c := p.nodes[at.node].Children[at.child]
		at.child++
		switch {
		case depth[c] == 0:
			stack = append(stack, place{c, 0})
			depth[c] = len(stack)
		case depth[c] > 0:
			// Up to its first struct a cycle has no forks that come back: keys do not.
			first := c
			for _, q := range stack[depth[c]-1:] {
				if p.isStruct(q.node) {
					first = q.node
					break
				}
			}
			p.named[first] = true
		}
	}
}

// tall reports whether more than so many kinds are nested in node i before its structs.
func (p *printer) tall(i, most int) bool {
	n := &p.nodes[i]
	if n.Kind == kindStruct || len(n.Children) == 0 {
		return false
	}
	if most == 0 {
		return true
	}
	for _, c := range n.Children {
		if p.tall(c, most-1) {
			return true
		}
	}
	return false
}

// spread counts what is in a node that is written in place more than once as used more than once.
func (p *printer) spread(i int, uses []int) {
	if p.nodes[i].Kind == kindStruct {
		return
	}
	for _, c := range p.nodes[i].Children {
		if uses[c] == 1 {
			uses[c]++
			p.spread(c, uses)
		}
	}
}

// define writes a node, after its name if it has one, and ends the line.
func (p *printer) define(i int) {
	if p.named[i] {
		p.text.WriteString("#" + strconv.Itoa(i) + " = ")
	}
	p.putWhole(i, 0)
	p.text.WriteByte('\n')
}

// put writes a node that has depth structs around it, or kinds in one line.
func (p *printer) put(i, depth int) {
	switch {
	case p.line && depth > lineKinds:
		p.text.WriteString("...")
	case p.line && p.isStruct(i):
		p.text.WriteString("struct #" + strconv.Itoa(i))
	case p.line:
		p.putWhole(i, depth+1)
	case p.isStruct(i) && depth >= inlineStructs, p.named[i]:
		p.named[i] = true
		p.text.WriteString("#" + strconv.Itoa(i))
	default:
		p.putWhole(i, depth)
	}
}

func (p *printer) putWhole(i, depth int) {
	n := &p.nodes[i]
	switch n.Kind {
	case kindPointer:
		p.text.WriteByte('*')
		p.put(n.Children[0], depth)
	case kindSlice:
		p.text.WriteString("[]")
		p.put(n.Children[0], depth)
	case kindArray:
		p.text.WriteString("[" + strconv.FormatUint(n.Length, 10) + "]")
		p.put(n.Children[0], depth)
	case kindMap:
		p.text.WriteString("map[")
		p.put(n.Children[0], depth)
		p.text.WriteByte(']')
		p.put(n.Children[1], depth)
	case kindStruct:
		p.putStruct(n, depth)
	default:
		p.text.WriteString(n.Kind.String())
	}
}

func (p *printer) putStruct(n *SchemaNode, depth int) {
	if len(n.Children) == 0 {
		p.text.WriteString("struct{}")
		return
	}
	indent := strings.Repeat("\t", depth)
	p.text.WriteString("struct {\n")
	for j, c := range n.Children {
		p.text.WriteString(indent + "\t" + fieldText(n.Names[j]) + " ")
		p.put(c, depth+1)
		p.text.WriteByte('\n')
	}
	p.text.WriteString(indent + "}")
}

// fieldText is a name, in quotes unless it is one that Go could have: it may come from anybody and go to a
// terminal.
func fieldText(name string) string {
	for _, r := range name {
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) || r == unicode.ReplacementChar {
			return strconv.Quote(name)
		}
	}
	return name
}

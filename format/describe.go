package format

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
)

// minimise merges the nodes of s that are structurally equal and numbers the classes by first visit
// (SPEC §6.2). It returns the minimal graph, whose root is node 0, and for each node of s its node
// there.
//
// Classes start as what a node says of itself and are split for as long as two nodes of one class have
// children of different classes.
func (s *schema) minimise() (nodes []schemaNode, number []int) {
	class := make([]int, len(s.nodes))
	for count := 0; ; {
		ids := map[string]int{}
		next := make([]int, len(s.nodes))
		for i, n := range s.nodes {
			key := appendNode(nil, n, func(c int) uint64 { return uint64(class[c]) })
			key = binary.AppendUvarint(key, uint64(class[i]))
			id, ok := ids[string(key)]
			if !ok {
				id = len(ids)
				ids[string(key)] = id
			}
			next[i] = id
		}
		class = next
		if len(ids) == count {
			break
		}
		count = len(ids)
	}

	first := map[int]int{} // class: number
	var visit func(i int) int
	visit = func(i int) int {
		if no, ok := first[class[i]]; ok {
			return no
		}
		no := len(nodes)
		first[class[i]] = no
		n := s.nodes[i]
		nodes = append(nodes, n)
		children := make([]int, len(n.children))
		for j, c := range n.children {
			children[j] = visit(c)
		}
		nodes[no].children = children
		return no
	}
	visit(0)
	number = make([]int, len(s.nodes))
	for i := range number {
		number[i] = first[class[i]]
	}
	return nodes, number
}

// describe returns the description of a minimal graph (SPEC §6.1).
func describe(nodes []schemaNode) []byte {
	d := binary.AppendUvarint(nil, uint64(len(nodes)))
	for _, n := range nodes {
		d = appendNode(d, n, func(c int) uint64 { return uint64(c) })
	}
	return slices.Clip(d)
}

// appendNode appends what a node says of itself, its children by the numbers that child gives them.
func appendNode(d []byte, n schemaNode, child func(int) uint64) []byte {
	d = append(d, byte(n.kind))
	if n.kind == kindArray {
		d = binary.AppendUvarint(d, n.length)
	}
	if n.kind == kindStruct {
		d = binary.AppendUvarint(d, uint64(len(n.children)))
	}
	for i, c := range n.children {
		if n.kind == kindStruct {
			d = binary.AppendUvarint(d, uint64(len(n.names[i])))
			d = append(d, n.names[i]...)
		}
		d = binary.AppendUvarint(d, child(c))
	}
	return d
}

// fingerprint returns the first 8 bytes of the description's SHA-256 (SPEC §6.3).
func fingerprint(description []byte) uint64 {
	sum := sha256.Sum256(description)
	return binary.LittleEndian.Uint64(sum[:])
}

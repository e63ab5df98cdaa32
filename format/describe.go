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
func (s *schema) minimise() (nodes []SchemaNode, number []int) {
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
		children := make([]int, len(n.Children))
		for j, c := range n.Children {
			children[j] = visit(c)
		}
		nodes[no].Children = children
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
func describe(nodes []SchemaNode) []byte {
	d := binary.AppendUvarint(nil, uint64(len(nodes)))
	for _, n := range nodes {
		d = appendNode(d, n, func(c int) uint64 { return uint64(c) })
	}
	return slices.Clip(d)
}

// appendNode appends what a node says of itself, its children by the numbers that child gives them.
func appendNode(d []byte, n SchemaNode, child func(int) uint64) []byte {
	d = append(d, byte(n.Kind))
	if n.Kind == kindArray {
		d = binary.AppendUvarint(d, n.Length)
	}
	if n.Kind == kindStruct {
		d = binary.AppendUvarint(d, uint64(len(n.Children)))
	}
	for i, c := range n.Children {
		if n.Kind == kindStruct {
			d = binary.AppendUvarint(d, uint64(len(n.Names[i])))
			d = append(d, n.Names[i]...)
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

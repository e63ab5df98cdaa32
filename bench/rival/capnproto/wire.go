package capnproto

import "encoding/binary"

// A segment is the message's one segment, read by hand as
// https://capnproto.org/encoding.html describes it. Positions are bytes from
// its start. Bad positions panic, for Go checks them; far pointers and
// composite lists of the wrong kind do too.
type segment []byte

// word reads the pointer at a position.
func (s segment) word(at int) uint64 {
	return binary.LittleEndian.Uint64(s[at:])
}

// target returns where the pointer at a position points.
func target(at int, p uint64) int {
	return at + 8 + int(int32(uint32(p))>>2)*8
}

// object returns the data section of the struct that the pointer at a position
// refers to, and where its pointers begin; data is nil for a null pointer.
func (s segment) object(at int) (data []byte, pointers int) {
	p := s.word(at)
	if p == 0 {
		return nil, 0
	}
	if p&3 != 0 {
		panic("capnproto: not a pointer to a struct")
	}
	from := target(at, p)
	pointers = from + int(p>>32&0xffff)*8
	return s[from:pointers:pointers], pointers
}

// bitsPerElement by the size code of a list pointer.
var bitsPerElement = [8]int{1: 1, 2: 8, 3: 16, 4: 32, 5: 64, 6: 64}

// list returns the memory of the list that the pointer at a position refers to,
// from the list's first element on, and the number of elements.
func (s segment) list(at int) ([]byte, int) {
	p := s.word(at)
	if p == 0 {
		return nil, 0
	}
	if p&3 != 1 {
		panic("capnproto: not a pointer to a list")
	}
	from, n := target(at, p), int(p>>35)
	size := (bitsPerElement[p>>32&7]*n + 7) / 8
	return s[from : from+size : from+size], n
}

// text returns the text that the pointer at a position refers to, nil for none.
func (s segment) text(at int) []byte {
	b, n := s.list(at)
	if n == 0 {
		return nil
	}
	return b[: n-1 : n-1] // less the NUL
}

// pointers returns where the elements of a list of pointers begin, and their
// number.
func (s segment) pointers(at int) (from, n int) {
	p := s.word(at)
	if p == 0 {
		return 0, 0
	}
	if p&3 != 1 || p>>32&7 != 6 {
		panic("capnproto: not a pointer to a list of pointers")
	}
	return target(at, p), int(p >> 35)
}

// structs returns where the elements of a list of structs begin, their number,
// and the bytes that the data section and a whole element take.
func (s segment) structs(at int) (from, n, data, size int) {
	p := s.word(at)
	if p == 0 {
		return 0, 0, 0, 0
	}
	if p&3 != 1 || p>>32&7 != 7 {
		panic("capnproto: not a pointer to a list of structs")
	}
	from = target(at, p)
	tag := s.word(from)
	data = int(tag>>32&0xffff) * 8
	return from + 8, int(uint32(tag) >> 2), data, data + int(tag>>48)*8
}

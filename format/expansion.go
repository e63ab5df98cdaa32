package format

import (
	"math"
	"reflect"
)

// expansion returns K for everything that the compiled plans can reach: the most bytes of Go memory for
// each byte of a message.
//
// What the plans allocate is, for n blocks of w bytes, n Go values of g bytes and what belongs to the
// block's parts without being an object of its own: the values of optionals, the headers of *string and
// of maps, the zones of times.
// A third is added for the size classes of Go's allocator and the ends of arenas' chunks, and 1 for the
// copy of a message that an aliasing decode makes when it is misaligned.
func (c *compiler) expansion() int {
	most := 1.0
	for _, p := range c.plans {
		most = max(most, p.perByte())
		for i := range p.ops {
			o := &p.ops[i]
			switch o.kind {
			case opString, opStringPtr, opCustom:
				most = max(most, 1)
			case opMap:
				if o.sub.wsize > 0 {
					// A map's own sizes are those of the allocator.
					most = max(most, float64(smallMap(o.sub))/float64(up8(o.sub.wsize))*3/4)
				}
			case opPtr:
				// A pointee is an object of whole words, or no bytes but those of the ref.
				most = max(most, float64(o.sub.gsize+o.sub.beside(true))/float64(max(up8(o.sub.wsize), 8)))
			}
		}
	}
	return rounded(most)
}

func rounded(most float64) int { return int(math.Ceil(most*4/3)) + 1 }

// boxExpansion is what a box of one value of p comes to.
func boxExpansion(p *plan) int {
	return rounded(float64(2*p.gsize+p.beside(true)) / float64(up8(8+p.wsize))) // one is read into, one is its copy
}

// What Go's maps take, in bytes: that of one entry has room for eight, which is the worst that there is,
// but keeps what is larger than mapInline elsewhere.
const (
	mapHeader = 48
	mapSlots  = 8
	mapInline = 128
)

// smallMap is how many bytes a map of one entry of p takes, and the entry that is read before. The
// allocator adds an eighth to the slots.
func smallMap(p *plan) uint64 {
	slot := uint64(0)
	for i := range p.typ.NumField() {
		n := uint64(p.typ.Field(i).Type.Size())
		if n > mapInline {
			n = 8
		}
		slot += up8(n)
	}
	return mapHeader + mapSlots*(slot+1)*9/8 + p.gsize + p.beside(true)*4/3
}

// perByte returns how many Go bytes each byte of many blocks of p can come to.
func (p *plan) perByte() float64 {
	if p.wsize == 0 {
		return 0
	}
	return float64(p.gsize+p.beside(true)) / float64(p.wsize)
}

// beside returns the Go bytes that a block's parts take outside of the Go value without an object, those of
// maps where they are not counted apart.
func (p *plan) beside(maps bool) (n uint64) {
	for i := range p.ops {
		switch o := &p.ops[i]; o.kind {
		case opStringPtr:
			n += 16
		case opTime:
			n += zoneBytes
		case opMap:
			if maps {
				n += mapHeader
			}
			if maps && o.sub.wsize == 0 {
				n += smallMap(o.sub)
			}
		case opOptionals:
			for _, q := range o.opts {
				n += uint64(q.typ.Size())
				if q.kind == kindTime {
					n += zoneBytes
				}
			}
		case opArray:
			n += o.n * o.sub.beside(maps)
		case opBlock:
			n += o.sub.beside(maps)
		case opPresent:
			if o.typ.Kind() != reflect.Pointer {
				n += o.sub.beside(maps)
			}
		}
	}
	return n
}

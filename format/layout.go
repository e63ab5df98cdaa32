package format

import "strconv"

// A layout is a node of a description with what follows from it: where everything stands in the block
// (SPEC §2). It is the only place where offsets are computed, for the writer, the reader and the
// verifier alike.
type layout struct {
	kind   kind
	node   int     // its number
	elem   *layout // of a pointer, slice or array; of a map, its entry: a struct of the key and the value
	length uint64  // elements of an array
	fields []layoutField

	extent           // bytes of the block
	optionals int    // bits of the presence bitmap that the block begins with
	fixed     bool   // scalars alone: neither refs nor a bitmap
	refs      bool   // holds refs, so that an object of such blocks is a step deeper (SPEC §3.5)
	bools     []span // all bools of a fixed block
	gaps      []span // bytes that no field covers

	state layoutState
}

// An extent is the room that a block takes, in bytes.
type extent struct{ size, align uint64 }

// put lays a part behind what e has and returns the part's offset (SPEC §2.1).
func (e *extent) put(part extent) uint64 {
	offset := (e.size + part.align - 1) &^ (part.align - 1)
	e.size, e.align = offset+part.size, max(e.align, part.align)
	return offset
}

// round rounds the size up to the alignment.
func (e *extent) round() { e.size = (e.size + e.align - 1) &^ (e.align - 1) }

// bitmap is what a struct with so many optionals begins with (SPEC §2.2).
func bitmap(optionals int) extent {
	if optionals == 0 {
		return extent{0, 1}
	}
	return extent{uint64(optionals+63) / 64 * 8, 8}
}

// extentOf is the extent of a block that is neither an array nor a struct nor an optional.
func extentOf(k kind) extent {
	switch {
	case k == kindComplex64:
		return extent{8, 4}
	case k.scalar():
		return extent{scalarSize[k], min(scalarSize[k], 8)}
	case k == kindTime:
		return extent{16, 8}
	}
	return extent{8, 8}
}

// optionalExtent is the extent of an optional of kind k that is no field.
func optionalExtent(k kind) extent {
	e := bitmap(1)
	e.put(extentOf(k))
	e.round()
	return e
}

type layoutField struct {
	name   string
	lay    *layout // of an optional: of the pointer
	offset uint64  // of an optional: of its value
	bit    int     // of an optional: its bit; else -1
}

type layoutState uint8

const (
	layoutNew layoutState = iota
	layoutUnderway
	layoutDone
)

// optional reports whether a value of this layout is a pointer to a scalar or a time (SPEC §2.2).
func (l *layout) optional() bool {
	return l.kind == kindPointer && (l.elem.kind.scalar() || l.elem.kind == kindTime)
}

// The names of an entry's fields.
const keyName, valueName = "key", "value"

// layoutsOf lays out the nodes of a minimal graph.
func layoutsOf(nodes []SchemaNode) ([]*layout, error) {
	all := make([]*layout, len(nodes))
	for i := range all {
		all[i] = &layout{kind: nodes[i].Kind, node: i, length: nodes[i].Length}
	}
	for i, n := range nodes {
		l := all[i]
		switch n.Kind {
		case kindPointer, kindSlice, kindArray:
			l.elem = all[n.Children[0]]
		case kindStruct:
			for j, c := range n.Children {
				l.fields = append(l.fields, layoutField{name: n.Names[j], lay: all[c], bit: -1})
			}
		case kindMap:
			l.elem = &layout{kind: kindStruct, fields: []layoutField{
				{name: keyName, lay: all[n.Children[0]], bit: -1}, {name: valueName, lay: all[n.Children[1]], bit: -1}}}
			all = append(all, l.elem)
		}
	}
	for _, l := range all {
		if err := l.compute(); err != nil {
			return nil, err
		}
	}
	for _, l := range all {
		if (l.kind == kindSlice || l.kind == kindMap) && l.elem.size > maxElem {
			return nil, failf(ErrLimit, "an element of a slice or an entry of a map has %d bytes, at most %d", l.elem.size, uint64(maxElem))
		}
	}
	return all, nil
}

var scalarSize = [...]uint64{kindBool: 1, kindInt8: 1, kindInt16: 2, kindInt32: 4, kindInt64: 8,
	kindUint8: 1, kindUint16: 2, kindUint32: 4, kindUint64: 8, kindFloat32: 4, kindFloat64: 8,
	kindComplex64: 8, kindComplex128: 16}

func (l *layout) compute() error {
	switch l.state {
	case layoutDone:
		return nil
	case layoutUnderway:
		return failf(ErrCorrupt, "a type that contains itself by value")
	}
	l.state = layoutUnderway
	defer func() { l.state = layoutDone }()
	switch {
	case l.kind.scalar():
		l.extent, l.fixed = extentOf(l.kind), true
		if l.kind == kindBool {
			l.bools = []span{{width: 1, stride: 1, n: 1}}
		}
	case l.optional():
		if err := l.elem.compute(); err != nil {
			return err
		}
		l.extent, l.optionals = optionalExtent(l.elem.kind), 1
		l.gaps = gapSpans(8+l.elem.size, l.size)
	case l.kind == kindTime:
		l.extent = extentOf(l.kind)
	case l.kind == kindArray:
		return l.computeArray()
	case l.kind == kindStruct:
		return l.computeStruct()
	default:
		l.extent, l.refs = extentOf(l.kind), true
	}
	return nil
}

func (l *layout) computeArray() error {
	e := l.elem
	if err := e.compute(); err != nil {
		return err
	}
	l.align = e.align
	l.fixed = e.fixed || l.length == 0
	if l.length == 0 || e.size == 0 {
		return nil
	}
	if l.length > maxBlock/e.size {
		return failf(ErrLimit, "an array of %d elements of %d bytes, at most %d bytes", l.length, e.size, uint64(maxBlock))
	}
	l.size = l.length * e.size
	l.refs = e.refs
	l.bools = repeat(e.bools, l.length, e.size)
	l.gaps = repeat(e.gaps, l.length, e.size)
	return nil
}

func (l *layout) computeStruct() error {
	for i := range l.fields {
		f := &l.fields[i]
		if err := f.lay.compute(); err != nil {
			return err
		}
		if f.lay.optional() {
			f.bit = l.optionals
			l.optionals++
		}
	}
	l.extent = bitmap(l.optionals)
	l.fixed = l.optionals == 0
	for i := range l.fields {
		f := &l.fields[i]
		in := f.lay
		if f.bit >= 0 {
			in = f.lay.elem
		}
		end := l.size
		f.offset = l.put(in.extent)
		l.gaps = append(l.gaps, gapSpans(end, f.offset)...)
		if f.bit < 0 {
			l.gaps = append(l.gaps, shift(in.gaps, f.offset)...)
			l.bools = append(l.bools, shift(in.bools, f.offset)...)
			l.fixed = l.fixed && in.fixed
			l.refs = l.refs || in.refs
		}
		if l.size > maxBlock {
			return failf(ErrLimit, "a block of more than %d bytes", uint64(maxBlock))
		}
	}
	end := l.size
	l.round()
	l.gaps = compress(append(l.gaps, gapSpans(end, l.size)...))
	l.bools = compress(l.bools)
	if !l.fixed {
		l.bools = nil // they are checked one by one, each where it is read
	}
	return nil
}

// pathOf names the scalar at an offset of a fixed block.
func (l *layout) pathOf(at uint64) string {
	switch l.kind {
	case kindArray:
		i := at / l.elem.size
		return joinPath("["+strconv.FormatUint(i, 10)+"]", l.elem.pathOf(at-i*l.elem.size))
	case kindStruct:
		for _, f := range l.fields {
			if f.offset <= at && at < f.offset+f.lay.size {
				return joinPath(f.name, f.lay.pathOf(at-f.offset))
			}
		}
	}
	return ""
}

func joinPath(outer, inner string) string {
	if inner == "" || inner[0] == '[' {
		return outer + inner
	}
	return outer + "." + inner
}

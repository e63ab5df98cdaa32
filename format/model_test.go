package format_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"
)

// The model is SPEC.md written down a second time: plain reflect, one walk over
// the leaves of a block, nothing precomputed that matters. It shares no code and
// no idea of speed with the package. Where the two differ one of them misreads
// the page.

const (
	modelHeader   = 16     // bytes before the root block (§1)
	modelMaxDepth = 10_000 // refs on one path to objects that can hold refs (§3.5)
)

// wireField is a field of a struct as §2.1 sees it.
type wireField struct {
	name     string
	index    int // the Go field; -1 for the lone field of an optional outside of a struct (§2.2)
	typ      reflect.Type
	off      int64
	optional bool
	bit      int // of the presence bitmap, when optional
}

// wireLayout is the layout of a type where it stands as root, element or pointee.
type wireLayout struct {
	size, align int64
	optionals   int
	fields      []wireField // struct, or an optional outside of a struct
	holdsRefs   bool        // a block of it can hold refs (§3.5)
}

func isScalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	}
	return false
}

func isTime(t reflect.Type) bool { return t == reflect.TypeFor[time.Time]() }

// isInline reports whether t is a kind that an optional is made of (§2.2).
func isInline(t reflect.Type) bool { return isScalar(t) || isTime(t) }

// isOptional reports whether t is a pointer that §2.2 lays out in place.
func isOptional(t reflect.Type) bool { return t.Kind() == reflect.Pointer && isInline(t.Elem()) }

func isString(t reflect.Type) bool { return t.Kind() == reflect.String && !isCustom(t) }

// isPString reports whether t is a pointer that means the bytes of a string (§3.1).
func isPString(t reflect.Type) bool { return t.Kind() == reflect.Pointer && isString(t.Elem()) }

func isRef(t reflect.Type) bool {
	if isCustom(t) {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	case reflect.Pointer:
		return !isOptional(t)
	}
	return false
}

// wireFields lists the fields of a struct that are on the wire, without offsets.
func wireFields(t reflect.Type) []wireField {
	var fields []wireField
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("ashlar")
		if !f.IsExported() || tag == "-" {
			continue
		}
		name := f.Name
		if own, _, _ := strings.Cut(tag, ","); own != "" { // behind it: what matters to readers of other schemas
			name = own
		}
		fields = append(fields, wireField{name: name, index: i, typ: f.Type})
	}
	return fields
}

func alignUp(n, align int64) int64 { return (n + align - 1) / align * align }

var modelLayouts sync.Map // reflect.Type to *wireLayout; for the fuzz targets' sake

func layoutOf(t reflect.Type) *wireLayout {
	if l, ok := modelLayouts.Load(t); ok {
		return l.(*wireLayout)
	}
	l := computeLayout(t)
	modelLayouts.Store(t, l)
	return l
}

func computeLayout(t reflect.Type) *wireLayout {
	fixed := func(size, align int64) *wireLayout { return &wireLayout{size: size, align: align} }
	switch {
	case isTime(t):
		return fixed(16, 8)
	case isCustom(t):
		return &wireLayout{size: 8, align: 8, holdsRefs: true}
	case t.Kind() == reflect.Map && !keyable(t.Key()):
		panic(fmt.Sprintf("%v: no keys (§3.7)", t))
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return fixed(1, 1)
	case reflect.Int16, reflect.Uint16:
		return fixed(2, 2)
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return fixed(4, 4)
	case reflect.Int64, reflect.Uint64, reflect.Float64, reflect.Int, reflect.Uint:
		return fixed(8, 8)
	case reflect.Complex64:
		return fixed(8, 4)
	case reflect.Complex128:
		return fixed(16, 8)
	case reflect.String, reflect.Slice, reflect.Map, reflect.Interface:
		return &wireLayout{size: 8, align: 8, holdsRefs: true}
	case reflect.Pointer:
		if isOptional(t) {
			return structLayout([]wireField{{index: -1, typ: t}})
		}
		return &wireLayout{size: 8, align: 8, holdsRefs: true}
	case reflect.Array:
		e := layoutOf(t.Elem())
		n := int64(t.Len())
		return &wireLayout{size: n * e.size, align: e.align, holdsRefs: n > 0 && e.holdsRefs}
	case reflect.Struct:
		return structLayout(wireFields(t))
	}
	panic(fmt.Sprintf("the model does not know %v", t))
}

func structLayout(fields []wireField) *wireLayout {
	l := &wireLayout{align: 1, fields: fields}
	for i := range fields {
		if f := &fields[i]; isOptional(f.typ) {
			f.optional, f.bit = true, l.optionals
			l.optionals++
		}
	}
	if l.optionals > 0 {
		l.align = 8
		l.size = int64(l.optionals+63) / 64 * 8
	}
	for i := range fields {
		f := &fields[i]
		t := f.typ
		if f.optional {
			t = t.Elem()
		}
		e := layoutOf(t)
		f.off = alignUp(l.size, e.align)
		l.size = f.off + e.size
		l.align = max(l.align, e.align)
		l.holdsRefs = l.holdsRefs || e.holdsRefs
	}
	l.size = alignUp(l.size, l.align)
	return l
}

// entryType is the struct that a map's entries are blocks of (§3.1).
func entryType(t reflect.Type) reflect.Type {
	if e, ok := modelEntries.Load(t); ok {
		return e.(reflect.Type)
	}
	e := reflect.StructOf([]reflect.StructField{
		{Name: "Key", Type: t.Key(), Tag: `ashlar:"key"`},
		{Name: "Value", Type: t.Elem(), Tag: `ashlar:"value"`},
	})
	modelEntries.Store(t, e)
	return e
}

var modelEntries sync.Map // reflect.Type of a map to that of its entries

// objectOf is the type of the blocks that a pointer, slice or map refers to.
func objectOf(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Map {
		return entryType(t)
	}
	return t.Elem()
}

// leaf is one scalar, time, ref or optional of a block.
type leaf struct {
	off  int64 // of the scalar's, time's or ref's bytes
	v    reflect.Value
	word int64 // of the bitmap, when v is an optional
	bit  uint  // in that word
	path string
}

// walker visits the leaves of a block in field and element order (§4.1).
type walker struct {
	bitmap func(off int64, optionals int) // before the fields of a struct with optionals; may be nil
	leaf   func(leaf)
	paths  bool // compose leaf.path
}

func (w *walker) block(off int64, v reflect.Value, path string) {
	t := v.Type()
	switch {
	case isInline(t) || isRef(t):
		w.leaf(leaf{off: off, v: v, path: path})
	case t.Kind() == reflect.Array:
		e := layoutOf(t.Elem())
		if e.size == 0 {
			return
		}
		for i := range t.Len() {
			w.block(off+int64(i)*e.size, v.Index(i), w.index(path, i))
		}
	default: // a struct, or an optional that stands outside of one
		l := layoutOf(t)
		if l.optionals > 0 && w.bitmap != nil {
			w.bitmap(off, l.optionals)
		}
		for _, f := range l.fields {
			fv, fpath := v, path
			if f.index >= 0 {
				fv, fpath = v.Field(f.index), w.field(path, t.Field(f.index).Name)
			}
			if f.optional {
				w.leaf(leaf{off: off + f.off, v: fv, word: off + int64(f.bit/64*8), bit: uint(f.bit % 64), path: fpath})
			} else {
				w.block(off+f.off, fv, fpath)
			}
		}
	}
}

func (w *walker) index(path string, i int) string {
	if !w.paths {
		return ""
	}
	return fmt.Sprintf("%s[%d]", path, i)
}

func (w *walker) field(path, name string) string {
	switch {
	case !w.paths:
		return ""
	case path == "":
		return name
	}
	return path + "." + name
}

// modelKind is the kind byte of §6.1.
func modelKind(t reflect.Type) byte {
	switch {
	case isTime(t):
		return 21
	case isCustom(t):
		return 22
	}
	switch t.Kind() {
	case reflect.Bool:
		return 1
	case reflect.Int8:
		return 2
	case reflect.Int16:
		return 3
	case reflect.Int32:
		return 4
	case reflect.Int64, reflect.Int:
		return 5
	case reflect.Uint8:
		return 6
	case reflect.Uint16:
		return 7
	case reflect.Uint32:
		return 8
	case reflect.Uint64, reflect.Uint:
		return 9
	case reflect.Float32:
		return 10
	case reflect.Float64:
		return 11
	case reflect.Complex64:
		return 12
	case reflect.Complex128:
		return 13
	case reflect.String:
		return 14
	case reflect.Pointer:
		return 15
	case reflect.Slice:
		return 16
	case reflect.Array:
		return 17
	case reflect.Struct:
		return 18
	case reflect.Map:
		return 19
	case reflect.Interface:
		return 20
	}
	panic(fmt.Sprintf("the model does not know %v", t))
}

// modelDescription is §6: every Go type that is reached starts as a node of its
// own, and nodes are told apart by ever longer walks until nothing more splits.
func modelDescription(root reflect.Type) []byte {
	types := []reflect.Type{}
	number := map[reflect.Type]int{}
	var collect func(t reflect.Type) int
	children := map[int][]int{}
	collect = func(t reflect.Type) int {
		if n, ok := number[t]; ok {
			return n
		}
		n := len(types)
		number[t] = n
		types = append(types, t)
		var kids []int
		switch modelKind(t) {
		case 15, 16, 17:
			kids = append(kids, collect(t.Elem()))
		case 19:
			kids = append(kids, collect(t.Key()), collect(t.Elem()))
		case 18:
			for _, f := range wireFields(t) {
				kids = append(kids, collect(f.typ))
			}
		}
		children[n] = kids
		return n
	}
	collect(root)

	// label states what a node is, but for its children.
	label := func(n int) string {
		t := types[n]
		out := []byte{modelKind(t)}
		switch modelKind(t) {
		case 17:
			out = binary.AppendUvarint(out, uint64(t.Len()))
		case 18:
			fields := wireFields(t)
			out = binary.AppendUvarint(out, uint64(len(fields)))
			for _, f := range fields {
				out = binary.AppendUvarint(out, uint64(len(f.name)))
				out = append(out, f.name...)
			}
		}
		return string(out)
	}
	class := make([]int, len(types))
	for classes := 0; ; {
		seen := map[string]int{}
		next := make([]int, len(types))
		for n := range types {
			key := label(n)
			if classes > 0 {
				for _, k := range children[n] {
					key += fmt.Sprintf("|%d", class[k])
				}
			}
			c, ok := seen[key]
			if !ok {
				c = len(seen)
				seen[key] = c
			}
			next[n] = c
		}
		class = next
		if len(seen) == classes {
			break
		}
		classes = len(seen)
	}

	order := map[int]int{}    // class to the number of its node
	representative := []int{} // number of the node to some type of the class
	var visit func(n int)
	visit = func(n int) {
		if _, ok := order[class[n]]; ok {
			return
		}
		order[class[n]] = len(representative)
		representative = append(representative, n)
		for _, k := range children[n] {
			visit(k)
		}
	}
	visit(0)

	out := binary.AppendUvarint(nil, uint64(len(representative)))
	for _, n := range representative {
		t := types[n]
		out = append(out, modelKind(t))
		if modelKind(t) == 17 {
			out = binary.AppendUvarint(out, uint64(t.Len()))
		}
		if modelKind(t) == 18 {
			fields := wireFields(t)
			out = binary.AppendUvarint(out, uint64(len(fields)))
			for i, f := range fields {
				out = binary.AppendUvarint(out, uint64(len(f.name)))
				out = append(out, f.name...)
				out = binary.AppendUvarint(out, uint64(order[class[children[n][i]]]))
			}
			continue
		}
		for _, k := range children[n] {
			out = binary.AppendUvarint(out, uint64(order[class[k]]))
		}
	}
	return out
}

var modelFingerprints sync.Map // reflect.Type to uint64

// modelFingerprint is §6.3.
func modelFingerprint(t reflect.Type) uint64 {
	if f, ok := modelFingerprints.Load(t); ok {
		return f.(uint64)
	}
	sum := sha256.Sum256(modelDescription(t))
	f := binary.LittleEndian.Uint64(sum[:])
	modelFingerprints.Store(t, f)
	return f
}

package format

import (
	"encoding"
	"reflect"
	"strings"
	"time"
)

// A kind is the wire's kind of a value, numbered as in a description (SPEC §6.1).
type kind uint8

const (
	kindBool kind = iota + 1
	kindInt8
	kindInt16
	kindInt32
	kindInt64
	kindUint8
	kindUint16
	kindUint32
	kindUint64
	kindFloat32
	kindFloat64
	kindComplex64
	kindComplex128
	kindString
	kindPointer
	kindSlice
	kindArray
	kindStruct
)

func (k kind) scalar() bool { return k >= kindBool && k <= kindComplex128 }

// kinds maps the kinds of Go to those of the wire.
var kinds = map[reflect.Kind]kind{
	reflect.Bool: kindBool, reflect.Int: kindInt64, reflect.Int8: kindInt8, reflect.Int16: kindInt16,
	reflect.Int32: kindInt32, reflect.Int64: kindInt64, reflect.Uint: kindUint64, reflect.Uint8: kindUint8,
	reflect.Uint16: kindUint16, reflect.Uint32: kindUint32, reflect.Uint64: kindUint64,
	reflect.Float32: kindFloat32, reflect.Float64: kindFloat64, reflect.Complex64: kindComplex64,
	reflect.Complex128: kindComplex128, reflect.String: kindString, reflect.Pointer: kindPointer,
	reflect.Slice: kindSlice, reflect.Array: kindArray, reflect.Struct: kindStruct,
}

// A schemaNode is one Go type as a description states it; children are indices into schema.nodes.
type schemaNode struct {
	kind     kind
	length   uint64   // of an array
	names    []string // of a struct's fields
	children []int    // of a struct's fields, or the element
}

// A schema is the graph of the structure of a Go type, one node a Go type.
type schema struct {
	nodes []schemaNode
	index map[reflect.Type]int
}

// schemaOf walks t. It refuses what the format cannot carry, with the path of the field.
func schemaOf(t reflect.Type) (*schema, error) {
	s := &schema{index: map[reflect.Type]int{}}
	if _, err := s.add(t, "", 0); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *schema) add(t reflect.Type, path string, depth int) (int, error) {
	refuse := func(kind error, text string, args ...any) (int, error) {
		return 0, &Error{Op: "codec", Path: path, Offset: -1, Err: failf(kind, text, args...)}
	}
	if i, ok := s.index[t]; ok {
		return i, nil
	}
	if depth > maxNesting {
		return refuse(ErrLimit, "types nest %d deep, at most %d", depth, maxNesting)
	}
	k, ok := kinds[t.Kind()]
	if why := refused(t); why != "" || !ok {
		return refuse(ErrType, "%s: %s cannot be written", t, why)
	}
	i := len(s.nodes)
	s.nodes = append(s.nodes, schemaNode{kind: k})
	s.index[t] = i
	var n schemaNode
	n.kind = k
	child := func(t reflect.Type, path string) error {
		c, err := s.add(t, path, depth+1)
		n.children = append(n.children, c)
		return err
	}
	var err error
	switch k {
	case kindArray:
		n.length = uint64(t.Len())
		err = child(t.Elem(), path+"[]")
	case kindSlice:
		err = child(t.Elem(), path+"[]")
	case kindPointer:
		err = child(t.Elem(), path)
	case kindStruct:
		var fields []goField
		if fields, err = fieldsOf(t, path); err != nil {
			break
		}
		for _, f := range fields {
			n.names = append(n.names, f.name)
			if err = child(f.typ, join(path, f.goName)); err != nil {
				break
			}
		}
	}
	if err != nil {
		return 0, err
	}
	s.nodes[i] = n
	return i, nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

var timeType = reflect.TypeFor[time.Time]()

// refused says why values of t cannot be written whatever t's structure is, or nothing.
func refused(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.UnsafePointer, reflect.Uintptr:
		return "a " + t.Kind().String()
	case reflect.Map, reflect.Interface:
		return "a " + t.Kind().String() + " (not yet supported)"
	}
	if t == timeType {
		return "a time.Time (not yet supported)"
	}
	if !kinds[t.Kind()].scalar() && hasMarshaler(t) {
		return "a type with its own marshaling methods (not yet supported)"
	}
	return ""
}

var (
	binaryPair = [2][]reflect.Type{
		{reflect.TypeFor[encoding.BinaryMarshaler](), reflect.TypeFor[encoding.BinaryAppender]()},
		{reflect.TypeFor[encoding.BinaryUnmarshaler]()},
	}
	textPair = [2][]reflect.Type{
		{reflect.TypeFor[encoding.TextMarshaler](), reflect.TypeFor[encoding.TextAppender]()},
		{reflect.TypeFor[encoding.TextUnmarshaler]()},
	}
)

// hasMarshaler reports whether T or *T has a pair of marshaling methods of its own: those promoted from
// an embedded field do not count, since they know nothing of the fields beside it.
func hasMarshaler(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface {
		return false
	}
	return hasPair(t, binaryPair) || hasPair(t, textPair)
}

func hasPair(t reflect.Type, pair [2][]reflect.Type) bool {
	for _, half := range pair {
		own := false
		for _, i := range half {
			own = own || reflect.PointerTo(t).Implements(i) && !promoted(t, i)
		}
		if !own {
			return false
		}
	}
	return true
}

func promoted(t, iface reflect.Type) bool {
	if t.Kind() != reflect.Struct {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous && (f.Type.Implements(iface) || reflect.PointerTo(f.Type).Implements(iface)) {
			return true
		}
	}
	return false
}

// A goField is a field of a Go struct that goes onto the wire.
type goField struct {
	name   string // on the wire
	goName string
	index  int
	offset uintptr
	typ    reflect.Type
}

// fieldsOf lists the fields of the struct type t that go onto the wire, in the order of declaration.
func fieldsOf(t reflect.Type, path string) ([]goField, error) {
	var fields []goField
	seen := map[string]bool{}
	refuse := func(f reflect.StructField, text string, args ...any) error {
		return &Error{Op: "codec", Path: join(path, f.Name), Offset: -1, Err: failf(ErrType, text, args...)}
	}
	exported, skipped := 0, 0
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("ashlar")
		if !tagged && strings.Contains(string(f.Tag), "ashlar:") {
			return nil, refuse(f, "malformed tag `%s`: want ashlar:\"name\"", f.Tag)
		}
		if tag == "-" {
			skipped++
			continue
		}
		if f.Anonymous && !f.IsExported() {
			if e := base(f.Type); e.Kind() == reflect.Struct && hasExported(e) {
				return nil, refuse(f, "embeds the unexported struct %s, whose exported fields would be lost: tag it `ashlar:\"-\"` or name the field", e)
			}
		}
		if !f.IsExported() {
			if tagged {
				return nil, refuse(f, "tag %q on a field that is not exported", tag)
			}
			continue
		}
		exported++
		name := f.Name
		if tagged {
			if tag == "" || strings.ContainsRune(tag, ',') {
				return nil, refuse(f, "tag %q: want a name or -", tag)
			}
			name = tag
		}
		if seen[name] {
			return nil, refuse(f, "second field of the name %q", name)
		}
		seen[name] = true
		fields = append(fields, goField{name, f.Name, i, f.Offset, f.Type})
	}
	if exported == 0 && skipped == 0 && t.NumField() > 0 {
		return nil, &Error{Op: "codec", Path: path, Offset: -1,
			Err: failf(ErrType, "%s has fields but exports none, so it would be lost: tag the field that holds it `ashlar:\"-\"`", t)}
	}
	return fields, nil
}

// base removes one pointer.
func base(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}

func hasExported(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			return true
		}
	}
	return false
}

// blank reports whether f is a blank field whose memory may hold anything.
func blank(f reflect.StructField) bool { return f.Name == "_" && pointerFree(f.Type) }

// pointerFree reports whether the garbage collector finds nothing in values of t.
func pointerFree(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return t.Len() == 0 || pointerFree(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !pointerFree(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return t.Kind() <= reflect.Complex128 && t.Kind() != reflect.Invalid
}

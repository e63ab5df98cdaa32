package format

import (
	"encoding"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// kinds maps the kinds of Go to those of the wire.
var kinds = map[reflect.Kind]kind{
	reflect.Bool: kindBool, reflect.Int: kindInt64, reflect.Int8: kindInt8, reflect.Int16: kindInt16,
	reflect.Int32: kindInt32, reflect.Int64: kindInt64, reflect.Uint: kindUint64, reflect.Uint8: kindUint8,
	reflect.Uint16: kindUint16, reflect.Uint32: kindUint32, reflect.Uint64: kindUint64,
	reflect.Float32: kindFloat32, reflect.Float64: kindFloat64, reflect.Complex64: kindComplex64,
	reflect.Complex128: kindComplex128, reflect.String: kindString, reflect.Pointer: kindPointer,
	reflect.Slice: kindSlice, reflect.Array: kindArray, reflect.Struct: kindStruct, reflect.Map: kindMap,
	reflect.Interface: kindInterface,
}

// kindOf returns the wire's kind of values of t, or 0 for what cannot be written.
func kindOf(t reflect.Type) kind {
	k := kinds[t.Kind()]
	switch {
	case t == timeType:
		return kindTime
	case !k.scalar() && hasMarshaler(t):
		return kindCustom
	}
	return k
}

// A SchemaNode is one node of a description (SPEC §6.1). It is a low-level type, for who walks the structure
// of a type that Go may not know.
type SchemaNode struct {
	Kind     Kind
	Length   uint64   // of an array, in elements
	Names    []string // of a struct's fields
	Children []int    // nodes, by number: of a struct's fields, a map's key and value, or the element
}

// A schema is the graph of the structure of a Go type, one node a Go type.
type schema struct {
	nodes []SchemaNode
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
	if t == unknownType {
		return refuse(ErrType, "a %s is for a field of its own, with the tag `ashlar:\"%s\"`", t, unknownTag)
	}
	k := kindOf(t)
	if k == 0 {
		return refuse(ErrType, "%s: a %s cannot be written", t, t.Kind())
	}
	i := len(s.nodes)
	s.nodes = append(s.nodes, SchemaNode{Kind: k})
	s.index[t] = i
	var n SchemaNode
	n.Kind = k
	child := func(t reflect.Type, path string) error {
		c, err := s.add(t, path, depth+1)
		n.Children = append(n.Children, c)
		return err
	}
	var err error
	switch k {
	case kindArray:
		n.Length = uint64(t.Len())
		err = child(t.Elem(), deeper(path, "[]"))
	case kindSlice:
		err = child(t.Elem(), deeper(path, "[]"))
	case kindPointer:
		err = child(t.Elem(), path)
	case kindMap:
		if why := notKey(t.Key()); why != "" {
			return refuse(ErrType, "%s: a key must not be or hold %s", t, why)
		}
		if err = child(t.Key(), deeper(path, "[key]")); err == nil {
			err = child(t.Elem(), deeper(path, "[]"))
		}
	case kindStruct:
		var fields []goField
		if fields, err = fieldsOf(t, path); err != nil {
			break
		}
		for _, f := range fields {
			n.Names = append(n.Names, f.name)
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
	return deeper(path, "."+name)
}

// deeper is the path and a step behind it, or a part of both where that is longer than anybody reads.
func deeper(path, step string) string {
	const most = 400 // bytes
	switch {
	case len(path)+len(step) <= most:
		return path + step
	case strings.HasSuffix(path, "..."):
		return path
	}
	return path + "..."
}

var timeType = reflect.TypeFor[time.Time]()

// notKey says what in t keeps it from being a map's key (SPEC §3.7), or nothing. What Go does not compare
// is no map's key, but may be in an interface that is.
func notKey(t reflect.Type) string {
	switch k := kindOf(t); {
	case k == kindCustom:
		if !t.Comparable() {
			return "a " + t.String() + ", which Go does not compare"
		}
	case k == kindTime:
		return "a time.Time"
	case k == kindPointer:
		return "a pointer"
	case k == kindSlice || k == kindMap || k == 0:
		return "a " + t.Kind().String()
	case k == kindArray:
		return notKey(t.Elem())
	case k == kindStruct:
		fields, err := fieldsOf(t, "")
		if err != nil {
			return err.Error()
		}
		next := 0
		for i := range t.NumField() {
			if next < len(fields) && fields[next].index == i {
				if why := notKey(fields[next].typ); why != "" {
					return why
				}
				next++
			} else {
				return "a struct with fields that are not written (" + t.String() + ")"
			}
		}
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
			return !declares(t, iface.Method(0).Name)
		}
	}
	return false
}

// declares reports whether the method is written for t or *t. Those that the compiler makes, for what is
// promoted and for *t where t has the method, say so in place of a file.
func declares(t reflect.Type, name string) bool {
	for _, t := range []reflect.Type{t, reflect.PointerTo(t)} {
		if m, ok := t.MethodByName(name); ok {
			pc := m.Func.Pointer()
			if f := runtime.FuncForPC(pc); f != nil {
				if file, _ := f.FileLine(pc); file != "<autogenerated>" {
					return true
				}
			}
		}
	}
	return false
}

// A goField is a field of a Go struct that goes onto the wire.
type goField struct {
	name    string   // on the wire
	alias   []string // other names that writers may have for it
	null    string   // the default where the writer has no such field, if tagged
	hasNull bool
	goName  string
	index   int
	offset  uintptr
	typ     reflect.Type
}

// fieldsOf lists the fields of the struct type t that go onto the wire, in the order of declaration.
func fieldsOf(t reflect.Type, path string) ([]goField, error) {
	var fields []goField
	seen, old := map[string]bool{}, map[string]bool{}
	refuse := func(f reflect.StructField, text string, args ...any) error {
		return &Error{Op: "codec", Path: join(path, f.Name), Offset: -1, Err: failf(ErrType, text, args...)}
	}
	exported, skipped, keeps := 0, 0, false
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
		if f.Type == unknownType || tag == unknownTag {
			if why := badUnknown(f, tag, keeps); why != "" {
				return nil, refuse(f, "%s", why)
			}
			keeps = true
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
		name, alias, null := f.Name, []string(nil), (*string)(nil)
		if tagged {
			var bad string
			if name, alias, null, bad = parseTag(tag, f.Name); bad != "" {
				return nil, refuse(f, "tag %q: %s", tag, bad)
			}
		}
		if seen[name] {
			return nil, refuse(f, "second field of the name %q", name)
		}
		seen[name] = true
		for _, a := range alias {
			if old[a] || a == name {
				return nil, refuse(f, "tag %q: the alias %q is another field's too, or this one's name", tag, a)
			}
			old[a] = true
		}
		g := goField{name: name, alias: alias, goName: f.Name, index: i, offset: f.Offset, typ: f.Type}
		if null != nil {
			g.null, g.hasNull = *null, true
			if _, err := parseDefault(f.Type, *null); err != nil {
				return nil, refuse(f, "tag %q: %v", tag, err)
			}
		}
		fields = append(fields, g)
	}
	if exported == 0 && skipped == 0 && t.NumField() > 0 {
		return nil, &Error{Op: "codec", Path: path, Offset: -1,
			Err: failf(ErrType, "%s has fields but exports none, so it would be lost: give it methods that marshal and unmarshal it, or tag the field that holds it `ashlar:\"-\"`", t)}
	}
	return fields, nil
}

// parseTag reads a field's tag: a name, or nothing for the Go name, and behind it alias=NAME, as often as
// needed, and default=VALUE, the last.
func parseTag(tag, goName string) (name string, alias []string, null *string, bad string) {
	name, rest, more := strings.Cut(tag, ",")
	if name == "" && !more {
		return "", nil, nil, "want a name or -"
	}
	if name == "" {
		name = goName
	}
	for more {
		if v, ok := strings.CutPrefix(rest, "default="); ok {
			return name, alias, &v, ""
		}
		var part string
		part, rest, more = strings.Cut(rest, ",")
		v, ok := strings.CutPrefix(part, "alias=")
		if !ok || v == "" {
			return "", nil, nil, "want alias=NAME or default=VALUE behind the name, not " + strconv.Quote(part)
		}
		alias = append(alias, v)
	}
	return name, alias, nil, ""
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

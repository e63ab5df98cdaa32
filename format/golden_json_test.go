package format_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// The values of the golden corpus are JSON with these conventions:
//
//	struct            object with the wire names, in order
//	nil               null
//	pointer           what it points at; {"*": …} where that may be null itself
//	string            string; {"hex": "…"} where it is not valid UTF-8
//	complex           [real, imaginary]
//	NaN and infinity  "nan:" and the bits in hexadecimal; "+inf", "-inf"
//	time              [seconds since the year 1, nanoseconds, seconds east of UTC]
//	map               list of [key, value], in order
//	interface         {"type": the registered name, "value": …}
//	custom            as a string of its bytes
//
// In a message with the graph flag what a pointer or map refers to (§3.4) is
// {"id": n, "value": …} where it is met first, and {"ref": n} after that; the root
// is 0.

func nullable(t reflect.Type) bool {
	if isCustom(t) {
		return false
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface:
		return true
	}
	return false
}

// jsonWriter knows the objects that were met; it is nil for trees.
type jsonWriter map[identity]int

// jsonReader is its inverse.
type jsonReader map[string]reflect.Value

// goldenValue is *p as JSON, indented by a tab; as a graph if refs.
func goldenValue(p any, refs bool) []byte {
	v := reflect.ValueOf(p)
	var w jsonWriter
	if refs {
		id, _ := identityOf(v)
		w = jsonWriter{id: 0}
	}
	return w.append(nil, v.Elem(), "\t")
}

func floatText(bits uint64, size int) string {
	f := math.Float64frombits(bits)
	if size == 32 {
		f = float64(math.Float32frombits(uint32(bits)))
	}
	switch {
	case f != f:
		return fmt.Sprintf("nan:%0*x", size/4, bits)
	case math.IsInf(f, 1):
		return "+inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', -1, size)
}

func floatBits(text string, size int) (uint64, error) {
	if h, ok := strings.CutPrefix(text, "nan:"); ok {
		return strconv.ParseUint(h, 16, size)
	}
	f, err := strconv.ParseFloat(text, size)
	if size == 32 {
		return uint64(math.Float32bits(float32(f))), err
	}
	return math.Float64bits(f), err
}

// append writes v, the lines after the first indented by indent.
func (w jsonWriter) append(out []byte, v reflect.Value, indent string) []byte {
	t := v.Type()
	if id, ok := identityOf(v); ok && w != nil {
		if n, ok := w[id]; ok {
			return fmt.Appendf(out, `{"ref": %d}`, n)
		}
		n := len(w)
		w[id] = n
		out = fmt.Appendf(out, `{"id": %d, "value": `, n)
		return append(w.appendObject(out, v, indent), '}')
	}
	if v.Kind() == reflect.Pointer && !v.IsNil() && nullable(t.Elem()) {
		out = append(out, `{"*": `...)
		return append(w.append(out, v.Elem(), indent), '}')
	}
	return w.appendObject(out, v, indent)
}

func (w jsonWriter) appendObject(out []byte, v reflect.Value, indent string) []byte {
	t := v.Type()
	text := func(s string) []byte {
		if utf8.ValidString(s) {
			q, _ := json.Marshal(s)
			return append(out, q...)
		}
		return fmt.Appendf(out, `{"hex": "%x"}`, s)
	}
	switch {
	case isTime(t):
		b := make([]byte, 16)
		putTime(b, 0, v.Interface().(time.Time))
		return fmt.Appendf(out, "[%d, %d, %d]", int64(binary.LittleEndian.Uint64(b)),
			binary.LittleEndian.Uint32(b[8:]), int32(binary.LittleEndian.Uint32(b[12:])))
	case isCustom(t):
		return text(marshalCustom(0, v))
	}
	number := func(bits uint64, size int) {
		s := floatText(bits, size)
		if strings.Contains(s, "n") {
			s = strconv.Quote(s)
		}
		out = append(out, s...)
	}
	lo, hi := uint64(0), uint64(0)
	if isScalar(t) {
		lo, hi = scalarBits(v)
	}
	switch t.Kind() {
	case reflect.Float32:
		number(lo, 32)
	case reflect.Float64:
		number(lo, 64)
	case reflect.Complex64, reflect.Complex128:
		out = append(out, '[')
		number(lo, t.Bits()/2)
		out = append(out, ", "...)
		number(hi, t.Bits()/2)
		out = append(out, ']')
	case reflect.String:
		return text(v.String())
	case reflect.Pointer:
		if v.IsNil() {
			return append(out, "null"...)
		}
		return w.append(out, v.Elem(), indent)
	case reflect.Interface:
		if v.IsNil() {
			return append(out, "null"...)
		}
		in := addressable(v.Elem())
		out = fmt.Appendf(out, `{"type": %q, "value": `, modelBoxes().names[in.Type()])
		return append(w.append(out, in, indent), '}')
	case reflect.Map:
		switch {
		case v.IsNil():
			return append(out, "null"...)
		case v.Len() == 0:
			return append(out, "[]"...)
		}
		entries := sortedEntries(0, v)
		out = append(out, '[')
		for i := range entries.Len() {
			out = append(out, "\n"+indent+"\t["...)
			out = append(w.append(out, entries.Index(i).Field(0), indent+"\t"), ", "...)
			out = append(w.append(out, entries.Index(i).Field(1), indent+"\t"), "],"...)
		}
		return append(out[:len(out)-1], "\n"+indent+"]"...)
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Slice && v.IsNil() {
			return append(out, "null"...)
		}
		if v.Len() == 0 {
			return append(out, "[]"...)
		}
		flat := isScalar(t.Elem()) || isOptional(t.Elem())
		out = append(out, '[')
		for i := range v.Len() {
			switch {
			case !flat:
				out = append(out, "\n"+indent+"\t"...)
			case i > 0:
				out = append(out, ' ')
			}
			out = append(w.append(out, v.Index(i), indent+"\t"), ',')
		}
		out = out[:len(out)-1]
		if !flat {
			out = append(out, "\n"+indent...)
		}
		out = append(out, ']')
	case reflect.Struct:
		fields := layoutOf(t).fields
		if len(fields) == 0 {
			return append(out, "{}"...)
		}
		out = append(out, '{')
		for _, f := range fields {
			q, _ := json.Marshal(f.name)
			out = append(out, "\n"+indent+"\t"...)
			out = append(append(out, q...), ": "...)
			out = append(w.append(out, v.Field(f.index), indent+"\t"), ',')
		}
		out = append(out[:len(out)-1], "\n"+indent+"}"...)
	default:
		out = append(out, scalarText(v)...)
	}
	return out
}

// parseJSON reads what goldenValue wrote into *p.
func parseJSON(text []byte, p any) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return err
	}
	r := jsonReader{"0": reflect.ValueOf(p)}
	r.set(reflect.ValueOf(p).Elem(), tree)
	return nil
}

func (r jsonReader) set(v reflect.Value, tree any) {
	t := v.Type()
	if m, ok := tree.(map[string]any); ok && hasIdentity(t) {
		if n, ok := m["ref"]; ok && len(m) == 1 {
			v.Set(r[fmt.Sprint(n)].Convert(t))
			return
		}
		if n, ok := m["id"]; ok && len(m) == 2 {
			r.setObject(v, m["value"], func() { r[fmt.Sprint(n)] = v })
			return
		}
	}
	if m, ok := tree.(map[string]any); ok && v.Kind() == reflect.Pointer && nullable(t.Elem()) {
		tree = m["*"]
		r.setObject(v, tree, func() {})
		return
	}
	if tree == nil && nullable(t) {
		return
	}
	r.setObject(v, tree, func() {})
}

// setObject sets v, and tells when v, a pointer or map, is what it will be.
func (r jsonReader) setObject(v reflect.Value, tree any, made func()) {
	t := v.Type()
	text := func() string {
		if m, ok := tree.(map[string]any); ok {
			b, err := hex.DecodeString(m["hex"].(string))
			if err != nil {
				panic(err)
			}
			return string(b)
		}
		return tree.(string)
	}
	check := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	bits := func(tree any, size int) uint64 {
		b, err := floatBits(fmt.Sprint(tree), size)
		check(err)
		return b
	}
	number := func(tree any) int64 {
		n, err := strconv.ParseInt(fmt.Sprint(tree), 10, 64)
		check(err)
		return n
	}
	switch {
	case isTime(t):
		parts := tree.([]any)
		at := time.Unix(number(parts[0])-toYear1, number(parts[1])).UTC()
		if east := int(number(parts[2])); east != 0 {
			at = at.In(time.FixedZone("", east))
		}
		v.Set(reflect.ValueOf(at))
		return
	case isCustom(t):
		unmarshalCustom(0, v, text())
		return
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(tree.(bool))
	case reflect.Float32, reflect.Float64:
		setScalarBits(v, bits(tree, t.Bits()), 0)
	case reflect.Complex64, reflect.Complex128:
		parts := tree.([]any)
		setScalarBits(v, bits(parts[0], t.Bits()/2), bits(parts[1], t.Bits()/2))
	case reflect.String:
		v.SetString(text())
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()).Convert(t))
		made()
		r.set(v.Elem(), tree)
	case reflect.Interface:
		m := tree.(map[string]any)
		for in, name := range modelBoxes().names {
			if name == m["type"] {
				p := reflect.New(in).Elem()
				r.set(p, m["value"])
				v.Set(p)
				return
			}
		}
		panic(fmt.Sprintf("no type %v", m["type"]))
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		made()
		for _, e := range tree.([]any) {
			k, x := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			r.set(k, e.([]any)[0])
			r.set(x, e.([]any)[1])
			v.SetMapIndex(k, x)
		}
	case reflect.Slice:
		list := tree.([]any)
		v.Set(reflect.MakeSlice(t, len(list), len(list)))
		for i, x := range list {
			r.set(v.Index(i), x)
		}
	case reflect.Array:
		list := tree.([]any)
		if len(list) != t.Len() {
			panic(fmt.Sprintf("%d elements for %v", len(list), t))
		}
		for i, x := range list {
			r.set(v.Index(i), x)
		}
	case reflect.Struct:
		m := tree.(map[string]any)
		for _, f := range layoutOf(t).fields {
			x, ok := m[f.name]
			if !ok {
				panic("no " + f.name)
			}
			r.set(v.Field(f.index), x)
		}
	default:
		if v.CanInt() {
			v.SetInt(number(tree))
			return
		}
		n, err := strconv.ParseUint(fmt.Sprint(tree), 10, 64)
		check(err)
		v.SetUint(n)
	}
}

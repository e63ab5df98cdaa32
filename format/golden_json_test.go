package format_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
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

func nullable(t reflect.Type) bool { return t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice }

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

// appendJSON writes v, the lines after the first indented by indent.
func appendJSON(out []byte, v reflect.Value, indent string) []byte {
	t := v.Type()
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
		if s := v.String(); utf8.ValidString(s) {
			q, _ := json.Marshal(s)
			return append(out, q...)
		}
		out = fmt.Appendf(out, `{"hex": "%x"}`, v.String())
	case reflect.Pointer:
		switch {
		case v.IsNil():
			return append(out, "null"...)
		case nullable(t.Elem()):
			out = append(out, `{"*": `...)
			return append(appendJSON(out, v.Elem(), indent), '}')
		}
		return appendJSON(out, v.Elem(), indent)
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
			out = append(appendJSON(out, v.Index(i), indent+"\t"), ',')
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
			out = append(appendJSON(out, v.Field(f.index), indent+"\t"), ',')
		}
		out = append(out[:len(out)-1], "\n"+indent+"}"...)
	default:
		out = append(out, scalarText(v)...)
	}
	return out
}

// parseJSON reads what appendJSON wrote into *p.
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
	setJSON(reflect.ValueOf(p).Elem(), tree)
	return nil
}

func setJSON(v reflect.Value, tree any) {
	t := v.Type()
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
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(tree.(bool))
	case reflect.Float32, reflect.Float64:
		setScalarBits(v, bits(tree, t.Bits()), 0)
	case reflect.Complex64, reflect.Complex128:
		parts := tree.([]any)
		setScalarBits(v, bits(parts[0], t.Bits()/2), bits(parts[1], t.Bits()/2))
	case reflect.String:
		if m, ok := tree.(map[string]any); ok {
			b, err := hex.DecodeString(m["hex"].(string))
			check(err)
			v.SetString(string(b))
			return
		}
		v.SetString(tree.(string))
	case reflect.Pointer:
		if tree == nil {
			return
		}
		if nullable(t.Elem()) {
			tree = tree.(map[string]any)["*"]
		}
		p := reflect.New(t.Elem())
		setJSON(p.Elem(), tree)
		v.Set(p.Convert(t))
	case reflect.Slice:
		if tree == nil {
			return
		}
		list := tree.([]any)
		v.Set(reflect.MakeSlice(t, len(list), len(list)))
		for i, x := range list {
			setJSON(v.Index(i), x)
		}
	case reflect.Array:
		list := tree.([]any)
		if len(list) != t.Len() {
			panic(fmt.Sprintf("%d elements for %v", len(list), t))
		}
		for i, x := range list {
			setJSON(v.Index(i), x)
		}
	case reflect.Struct:
		m := tree.(map[string]any)
		for _, f := range layoutOf(t).fields {
			x, ok := m[f.name]
			if !ok {
				panic("no " + f.name)
			}
			setJSON(v.Field(f.index), x)
		}
	default:
		if v.CanInt() {
			n, err := strconv.ParseInt(fmt.Sprint(tree), 10, 64)
			check(err)
			v.SetInt(n)
			return
		}
		n, err := strconv.ParseUint(fmt.Sprint(tree), 10, 64)
		check(err)
		v.SetUint(n)
	}
}

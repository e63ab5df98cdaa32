package format_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// evolveModel makes out, which holds old content, what a reader of its type is to make of in. It shares
// nothing with the package: it goes by the values, not by layouts. root says that out is the root or a part
// of it by value, whose added fields keep what they hold. It panics where possible says no.
func evolveModel(in, out reflect.Value, root bool) error {
	a, b := in.Type(), out.Type()
	switch {
	case a.Kind() == reflect.Interface && b.Kind() == reflect.Interface && !in.IsNil() && evolvedBoxes[in.Elem().Type()] != nil:
		box := reflect.New(evolvedBoxes[in.Elem().Type()]).Elem()
		if err := evolveModel(addressable(in.Elem()), box, false); err != nil {
			return err
		}
		out.Set(box)
	case a == b && !isStructural(a):
		out.Set(in)
	case isOpaque(a) || isOpaque(b):
		if modelKind(a) != modelKind(b) {
			return evolvePointers(in, out)
		}
		out.Set(in.Convert(b))
	case a.Kind() == reflect.Pointer || b.Kind() == reflect.Pointer:
		return evolvePointers(in, out)
	case isScalar(a):
		return evolveScalar(in, out)
	case a.Kind() == reflect.String && b.Kind() == reflect.String:
		out.SetString(in.String())
	case a.Kind() == reflect.String:
		out.SetBytes([]byte(in.String()))
	case b.Kind() == reflect.String:
		out.SetString(string(in.Bytes()))
	case b.Kind() == reflect.Slice:
		if a.Kind() == reflect.Slice && in.IsNil() {
			out.SetZero()
			return nil
		}
		s := reflect.MakeSlice(b, in.Len(), in.Len())
		out.Set(s)
		return evolveElements(in, out, false)
	case b.Kind() == reflect.Array:
		if in.Len() != out.Len() {
			return fmt.Errorf("%d elements for %d", in.Len(), out.Len())
		}
		return evolveElements(in, out, root && a.Kind() == reflect.Array)
	case b.Kind() == reflect.Map:
		if in.IsNil() {
			out.SetZero()
			return nil
		}
		m := reflect.MakeMap(b)
		for it := in.MapRange(); it.Next(); {
			k, v := reflect.New(b.Key()).Elem(), reflect.New(b.Elem()).Elem()
			if err := evolveModel(addressable(it.Key()), k, false); err != nil {
				return err
			}
			if err := evolveModel(addressable(it.Value()), v, false); err != nil {
				return err
			}
			m.SetMapIndex(k, v)
		}
		if m.Len() != in.Len() {
			return errors.New("keys that are the same now")
		}
		out.Set(m)
	case b.Kind() == reflect.Struct:
		for _, f := range matchesOf(a, b) {
			at := out.Field(f.index)
			if f.writers >= 0 {
				if err := evolveModel(in.Field(f.writers), at, root); err != nil {
					return err
				}
			} else if f.null != nil && (!root || at.IsZero()) {
				at.Set(parsedDefault(at.Type(), *f.null))
			} else if !root {
				at.SetZero()
			}
		}
	default:
		panic(fmt.Sprintf("%v into %v", a, b))
	}
	return nil
}

// evolvedBoxes are the types that take the place of others in interfaces.
var evolvedBoxes = map[reflect.Type]reflect.Type{}

// isStructural reports whether a value may have parts that a reader of the same type has to make anew.
func isStructural(t reflect.Type) bool {
	return !isOpaque(t) && !isScalar(t) && t.Kind() != reflect.String
}

// isOpaque reports whether values of t are taken as they are or not at all.
func isOpaque(t reflect.Type) bool {
	return isTime(t) || isCustom(t) || t.Kind() == reflect.Interface
}

func evolvePointers(in, out reflect.Value) error {
	if in.Kind() == reflect.Pointer && in.IsNil() {
		out.SetZero()
		return nil
	}
	if in.Kind() == reflect.Pointer {
		in = in.Elem()
	}
	if out.Kind() == reflect.Pointer {
		p := reflect.New(out.Type().Elem())
		out.Set(p.Convert(out.Type()))
		out = p.Elem()
	}
	return evolveModel(in, out, false)
}

func evolveElements(in, out reflect.Value, root bool) error {
	for i := range in.Len() {
		if err := evolveModel(in.Index(i), out.Index(i), root); err != nil {
			return err
		}
	}
	return nil
}

// evolveScalar goes by the numbers themselves.
func evolveScalar(in, out reflect.Value) error {
	unfit := func() error { return fmt.Errorf("%v is no %v", in, out.Type()) }
	a, b := modelKind(in.Type()), modelKind(out.Type())
	switch {
	case a == b:
		lo, hi := scalarBits(in)
		if in.CanInt() {
			if out.OverflowInt(in.Int()) {
				return unfit()
			}
			out.SetInt(in.Int())
		} else if in.CanUint() {
			if out.OverflowUint(in.Uint()) {
				return unfit()
			}
			out.SetUint(in.Uint())
		} else {
			setScalarBits(out, lo, hi)
		}
	case in.CanFloat():
		f := in.Float()
		if out.Type().Bits() == 32 && f == f && float64(float32(f)) != f {
			return unfit()
		}
		out.SetFloat(f)
	default:
		var text string // of the whole number, which fits if the other side spells it alike
		switch {
		case in.Kind() == reflect.Bool:
			text = "0"
			if in.Bool() {
				text = "1"
			}
		case in.CanInt():
			text = strconv.FormatInt(in.Int(), 10)
		default:
			text = strconv.FormatUint(in.Uint(), 10)
		}
		switch {
		case out.CanInt():
			n, err := strconv.ParseInt(text, 10, out.Type().Bits())
			if err != nil {
				return unfit()
			}
			out.SetInt(n)
		case out.CanUint():
			n, err := strconv.ParseUint(text, 10, out.Type().Bits())
			if err != nil {
				return unfit()
			}
			out.SetUint(n)
		default:
			f, err := strconv.ParseFloat(text, out.Type().Bits())
			if err != nil || strconv.FormatFloat(f, 'f', 0, 64) != text { // all digits, not those that are enough
				return unfit()
			}
			out.SetFloat(f)
		}
	}
	return nil
}

// match is a field of a reader's struct and the index of the writer's field that it is read from, or -1.
type match struct {
	readerField
	writers int
}

var matches sync.Map // [2]reflect.Type, the writer's and the reader's, to []match

func matchesOf(a, b reflect.Type) []match {
	if m, ok := matches.Load([2]reflect.Type{a, b}); ok {
		return m.([]match)
	}
	var m []match
	for _, f := range readerFields(b) {
		m = append(m, match{f, f.writers(a, b)})
	}
	matches.Store([2]reflect.Type{a, b}, m)
	return m
}

// readerField is a field as a reader's tag has it.
type readerField struct {
	index int
	name  string
	alias []string
	null  *string
}

func readerFields(t reflect.Type) []readerField {
	var out []readerField
	for _, f := range wireFields(t) {
		r := readerField{index: f.index, name: f.name}
		_, rest, more := strings.Cut(t.Field(f.index).Tag.Get("ashlar"), ",")
		for more {
			if v, ok := strings.CutPrefix(rest, "default="); ok {
				r.null = &v
				break
			}
			var part string
			part, rest, more = strings.Cut(rest, ",")
			r.alias = append(r.alias, strings.TrimPrefix(part, "alias="))
		}
		out = append(out, r)
	}
	return out
}

// writers is the index of the field of a, the writer's struct, that the field of b is read from, or -1. A
// field that another of b has the name of is not taken by an alias.
func (f readerField) writers(a, b reflect.Type) int {
	fields := wireFields(a)
	find := func(name string) int {
		if i := slices.IndexFunc(fields, func(w wireField) bool { return w.name == name }); i >= 0 {
			return fields[i].index
		}
		return -1
	}
	if i := find(f.name); i >= 0 {
		return i
	}
	for _, alias := range f.alias {
		if slices.ContainsFunc(wireFields(b), func(w wireField) bool { return w.name == alias }) {
			continue
		}
		if i := find(alias); i >= 0 {
			return i
		}
	}
	return -1
}

func parsedDefault(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case v.CanInt():
		v.SetInt(must(strconv.ParseInt(text, 0, 64)))
	case v.CanUint():
		v.SetUint(must(strconv.ParseUint(text, 0, 64)))
	case v.CanFloat():
		v.SetFloat(must(strconv.ParseFloat(text, 64)))
	case v.Kind() == reflect.Bool:
		v.SetBool(must(strconv.ParseBool(text)))
	default:
		v.SetString(text)
	}
	return v
}

// possible reports whether values of a can become values of b.
func possible(a, b reflect.Type) bool { return possibleIn(a, b, map[[2]reflect.Type]bool{}) }

func possibleIn(a, b reflect.Type, met map[[2]reflect.Type]bool) bool {
	if a == b || met[[2]reflect.Type{a, b}] {
		return true
	}
	met[[2]reflect.Type{a, b}] = true
	elems := func() bool {
		return (layoutOf(a.Elem()).size > 0 || b.Elem().Size() == 0) && possibleIn(a.Elem(), b.Elem(), met)
	}
	pa, pb := !isOpaque(a) && a.Kind() == reflect.Pointer, !isOpaque(b) && b.Kind() == reflect.Pointer
	switch {
	case pa && pb:
		return possibleIn(a.Elem(), b.Elem(), met)
	case pa:
		return possibleIn(a.Elem(), b, met)
	case pb:
		return possibleIn(a, b.Elem(), met)
	case isOpaque(a) || isOpaque(b):
		return modelKind(a) == modelKind(b)
	case isScalar(a) && isScalar(b):
		x, y := modelKind(a), modelKind(b)
		whole := func(k byte) bool { return k >= 2 && k <= 9 }
		real := func(k byte) bool { return k == 10 || k == 11 }
		return x == y || whole(x) && (whole(y) || real(y)) || x == 1 && whole(y) || real(x) && real(y)
	case isScalar(a) || isScalar(b):
		return false
	}
	switch x, y := a.Kind(), b.Kind(); {
	case x == reflect.String || y == reflect.String:
		bytes := func(t reflect.Type) bool { return t.Kind() == reflect.Slice && modelKind(t.Elem()) == 6 }
		return x == y || bytes(a) || bytes(b)
	case x == reflect.Array && y == reflect.Array:
		return a.Len() == b.Len() && possibleIn(a.Elem(), b.Elem(), met)
	case x == reflect.Slice && y == reflect.Array:
		return possibleIn(a.Elem(), b.Elem(), met)
	case y == reflect.Slice:
		return (x == reflect.Slice || x == reflect.Array) && elems()
	case x == reflect.Map && y == reflect.Map:
		return possibleIn(a.Key(), b.Key(), met) && possibleIn(a.Elem(), b.Elem(), met)
	case x == reflect.Struct && y == reflect.Struct:
		for _, f := range matchesOf(a, b) {
			if f.writers >= 0 && !possibleIn(a.Field(f.writers).Type, b.Field(f.index).Type, met) {
				return false
			}
		}
		return true
	}
	return false
}

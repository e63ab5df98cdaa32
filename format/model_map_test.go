package format_test

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
)

// keyable reports whether values of t can be keys (§3.7), as far as the type says.
func keyable(t reflect.Type) bool {
	switch {
	case isScalar(t) || t.Kind() == reflect.Interface:
		return true
	case isTime(t):
		return false
	case isString(t) || isCustom(t):
		return t.Comparable()
	case t.Kind() == reflect.Array:
		return keyable(t.Elem())
	case t.Kind() == reflect.Struct:
		fields := wireFields(t)
		for _, f := range fields {
			if !keyable(f.typ) {
				return false
			}
		}
		return len(fields) == t.NumField()
	}
	return false
}

// keySource finds what the order of keys depends on beside the value, given the
// offset of a ref.
type keySource struct {
	class modelClass // of what cannot be a key
	bytes func(off int64, v reflect.Value) string
	box   func(off int64) int64 // where the block in the box begins
}

// keyParts appends to parts what the order of the key v at off goes by, so that
// keys compare as their parts do, one after another.
func keyParts(parts []string, off int64, v reflect.Value, from keySource) []string {
	walk := walker{leaf: func(l leaf) {
		switch t := l.v.Type(); {
		case isScalar(t):
			parts = append(parts, numberParts(l.off, l.v, from.class)...)
		case isString(t):
			parts = append(parts, l.v.String())
		case isCustom(t):
			if !l.v.Comparable() {
				refuse(from.class, l.off, "a %v that cannot be compared", t)
			}
			parts = append(parts, from.bytes(l.off, l.v))
		case l.v.IsNil():
			parts = append(parts, "") // less than any id
		default:
			in := addressable(l.v.Elem())
			id, ok := modelBoxes().ids[in.Type()]
			if !ok || !keyable(in.Type()) {
				refuse(from.class, l.off, "%v in a key", in.Type())
			}
			parts = append(parts, ordered(id))
			parts = keyParts(parts, from.box(l.off), in, from)
		}
	}}
	walk.block(off, v, "")
	return parts
}

// ordered is x as a string, so that strings compare as the numbers do.
func ordered(x uint64) string { return string(binary.BigEndian.AppendUint64(nil, x)) }

func numberParts(off int64, v reflect.Value, class modelClass) []string {
	float := func(f float64) string {
		if f != f {
			refuse(class, off, "NaN in a key")
		}
		bits := math.Float64bits(f + 0) // -0 is 0
		if bits>>63 != 0 {
			return ordered(^bits)
		}
		return ordered(bits | 1<<63)
	}
	switch {
	case v.Kind() == reflect.Bool && v.Bool():
		return []string{"1"}
	case v.Kind() == reflect.Bool:
		return []string{"0"}
	case v.CanInt():
		return []string{ordered(uint64(v.Int()) ^ 1<<63)}
	case v.CanUint():
		return []string{ordered(v.Uint())}
	case v.CanFloat():
		return []string{float(v.Float())}
	}
	return []string{float(real(v.Complex())), float(imag(v.Complex()))}
}

// sortedEntries gives m's entries as a slice in the order of §3.7; off is the ref's.
func sortedEntries(off int64, m reflect.Value) reflect.Value {
	t := entryType(m.Type())
	type entry struct {
		key []string
		v   reflect.Value
	}
	var entries []entry
	for it := m.MapRange(); it.Next(); {
		e := reflect.New(t).Elem()
		e.Field(0).Set(it.Key())
		e.Field(1).Set(it.Value())
		key := keyParts(nil, off, e.Field(0), keySource{classValue, marshalCustom, func(int64) int64 { return off }})
		plusZero(e.Field(0))
		entries = append(entries, entry{key, e})
	}
	slices.SortFunc(entries, func(a, b entry) int { return slices.Compare(a.key, b.key) })
	out := reflect.MakeSlice(reflect.SliceOf(t), len(entries), len(entries))
	for i, e := range entries {
		if i > 0 && slices.Equal(entries[i-1].key, e.key) {
			refuse(classValue, off, "two keys of the same bytes")
		}
		out.Index(i).Set(e.v)
	}
	return out
}

// plusZero turns each -0 in the key v into 0.
func plusZero(v reflect.Value) {
	switch t := v.Type(); {
	case isCustom(t):
	case v.CanFloat():
		v.SetFloat(v.Float() + 0)
	case v.CanComplex():
		v.SetComplex(complex(real(v.Complex())+0, imag(v.Complex())+0))
	case t.Kind() == reflect.Array:
		for i := range t.Len() {
			plusZero(v.Index(i))
		}
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			plusZero(v.Field(i))
		}
	case t.Kind() == reflect.Interface && !v.IsNil():
		in := addressable(v.Elem())
		plusZero(in)
		v.Set(in)
	}
}

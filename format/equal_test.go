package format_test

import (
	"fmt"
	"reflect"
	"time"
	"unsafe"
)

// difference says where *a and *b, pointers to values of one type, differ in
// what is on the wire, or "". It is reflect.DeepEqual but for this: floats are
// equal when their bits are, nil and empty slices and maps differ, a bool that is
// neither 0 nor 1 in memory equals nothing, times are equal when their instants
// and offsets are, custom types when their bytes are, and fields that are not on
// the wire are not looked at.
func difference(a, b any) string {
	return new(comparison).differ(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

// graphDifference is difference, and also tells apart what is shared: two pointers
// or maps of a are one object (§3.4) where and only where they are in b.
func graphDifference(a, b any) string {
	c := comparison{map[identity]identity{}, map[identity]identity{}}
	c.met(reflect.ValueOf(a), reflect.ValueOf(b))
	return c.differ(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem())
}

// comparison pairs the objects of two values with each other; without maps it
// pairs nothing.
type comparison struct{ ab, ba map[identity]identity }

// met reports whether the objects of a and b have been compared, and how their
// identities differ.
func (c *comparison) met(a, b reflect.Value) (bool, string) {
	if c.ab == nil {
		return false, ""
	}
	x, ok := identityOf(a)
	y, ok2 := identityOf(b)
	if !ok || !ok2 {
		return false, ""
	}
	toB, metA := c.ab[x]
	toA, metB := c.ba[y]
	if metA != metB || metA && (toB != y || toA != x) {
		return true, fmt.Sprintf(": shared otherwise (%v met %v and %v met %v)", x.typ, metA, y.typ, metB)
	}
	c.ab[x], c.ba[y] = y, x
	return metA, ""
}

func (c *comparison) differ(a, b reflect.Value) string {
	t := a.Type()
	if t != b.Type() {
		return fmt.Sprintf(": types %v and %v", t, b.Type())
	}
	switch {
	case isScalar(t):
		return differScalar(a, b)
	case isTime(t):
		return differTime(a.Interface().(time.Time), b.Interface().(time.Time))
	case isCustom(t):
		if x, y := marshalCustom(0, a), marshalCustom(0, b); x != y {
			return fmt.Sprintf(": %.80q and %.80q", x, y)
		}
		return ""
	}
	if t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface || t.Kind() == reflect.Map {
		if a.IsNil() != b.IsNil() {
			return fmt.Sprintf(": nil is %v and %v", a.IsNil(), b.IsNil())
		}
		if a.IsNil() {
			return ""
		}
	}
	switch t.Kind() {
	case reflect.String:
		if a.String() != b.String() {
			return fmt.Sprintf(": %.80q and %.80q", a.String(), b.String())
		}
	case reflect.Pointer:
		if met, d := c.met(a, b); met {
			return d
		}
		return c.differ(a.Elem(), b.Elem())
	case reflect.Interface:
		return c.differ(addressable(a.Elem()), addressable(b.Elem()))
	case reflect.Map:
		if a.Len() != b.Len() {
			return fmt.Sprintf(": %d entries and %d", a.Len(), b.Len())
		}
		if met, d := c.met(a, b); met {
			return d
		}
		for it := a.MapRange(); it.Next(); {
			x := b.MapIndex(it.Key())
			if !x.IsValid() {
				return fmt.Sprintf(": %v is missing", it.Key())
			}
			if d := c.differ(addressable(it.Value()), addressable(x)); d != "" {
				return fmt.Sprintf("[%v]%s", it.Key(), d)
			}
		}
	case reflect.Slice:
		if a.IsNil() != b.IsNil() || a.Len() != b.Len() {
			return fmt.Sprintf(": %d elements (nil %v) and %d (nil %v)", a.Len(), a.IsNil(), b.Len(), b.IsNil())
		}
		return c.differElements(a, b)
	case reflect.Array:
		return c.differElements(a, b)
	case reflect.Struct:
		for _, f := range layoutOf(t).fields {
			if d := c.differ(a.Field(f.index), b.Field(f.index)); d != "" {
				return "." + t.Field(f.index).Name + d
			}
		}
	default:
		panic(t.String())
	}
	return ""
}

func differTime(a, b time.Time) string {
	_, x := a.Zone()
	_, y := b.Zone()
	if !a.Equal(b) || x != y {
		return fmt.Sprintf(": %v and %v", a, b)
	}
	return ""
}

func (c *comparison) differElements(a, b reflect.Value) string {
	if layoutOf(a.Type().Elem()).size == 0 {
		return "" // []struct{} of 2^31 elements
	}
	for i := range a.Len() {
		if d := c.differ(a.Index(i), b.Index(i)); d != "" {
			return fmt.Sprintf("[%d]%s", i, d)
		}
	}
	return ""
}

func differScalar(a, b reflect.Value) string {
	if a.Kind() == reflect.Bool {
		x, y := *(*byte)(a.Addr().UnsafePointer()), *(*byte)(b.Addr().UnsafePointer())
		if x != y || x > 1 {
			return fmt.Sprintf(": bools %d and %d", x, y)
		}
		return ""
	}
	if a.CanInt() && a.Int() == b.Int() || a.CanUint() && a.Uint() == b.Uint() {
		return ""
	}
	alo, ahi := scalarBits(a)
	blo, bhi := scalarBits(b)
	if alo != blo || ahi != bhi {
		return fmt.Sprintf(": %v (%x %x) and %v (%x %x)", a, alo, ahi, b, blo, bhi)
	}
	return ""
}

// aliasable reports whether a []T or *T may point into a message on some
// platform: T is fixed in size and nothing of it is left out. Whether the
// layouts agree on this platform does not matter to the promise that is tested
// with it.
func aliasable(t reflect.Type) bool {
	switch {
	case isTime(t) || isCustom(t):
		return false
	case isScalar(t):
		return true
	case t.Kind() == reflect.Array:
		return aliasable(t.Elem())
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				continue
			}
			if !f.IsExported() || f.Tag.Get("ashlar") == "-" || !aliasable(f.Type) {
				return false
			}
		}
		return true
	}
	return false
}

// plainHere reports whether the model's layout of t is also Go's on this platform.
func plainHere(t reflect.Type) bool {
	if !aliasable(t) {
		return false
	}
	l := layoutOf(t)
	if l.size != int64(t.Size()) {
		return false
	}
	switch t.Kind() {
	case reflect.Array:
		return plainHere(t.Elem())
	case reflect.Struct:
		for _, f := range l.fields {
			if f.off != int64(t.Field(f.index).Offset) || !plainHere(f.typ) {
				return false
			}
		}
	}
	return true
}

// region is memory that a value held, and what was in it.
type region struct {
	path string
	live []byte
	was  []byte
}

func memory(p unsafe.Pointer, n uintptr) []byte { return unsafe.Slice((*byte)(p), n) }

// aliasableRegions lists the memory behind the strings, slices and pointers of v
// that an aliasing decode must replace and never write through.
func aliasableRegions(v reflect.Value) []region {
	var out []region
	met := map[identity]bool{}
	again := func(v reflect.Value) bool {
		id := identity{v.Pointer(), v.Type()}
		was := met[id]
		met[id] = true
		return was
	}
	var visit func(v reflect.Value, path string)
	add := func(path string, p unsafe.Pointer, n uintptr) {
		if n > 0 {
			m := memory(p, n)
			out = append(out, region{path, m, append([]byte(nil), m...)})
		}
	}
	visit = func(v reflect.Value, path string) {
		t := v.Type()
		if isTime(t) || isCustom(t) {
			return // what their memory holds is their own affair
		}
		switch t.Kind() {
		case reflect.Interface:
			if !v.IsNil() {
				visit(addressable(v.Elem()), path)
			}
		case reflect.Map:
			if again(v) {
				return
			}
			for it := v.MapRange(); it.Next(); {
				visit(addressable(it.Key()), fmt.Sprintf("%s[%v] key", path, it.Key()))
				visit(addressable(it.Value()), fmt.Sprintf("%s[%v]", path, it.Key()))
			}
		case reflect.String:
			if s := v.String(); s != "" {
				add(path, unsafe.Pointer(unsafe.StringData(s)), uintptr(len(s)))
			}
		case reflect.Pointer:
			if v.IsNil() || again(v) {
				return
			}
			if aliasable(t.Elem()) {
				add(path, v.UnsafePointer(), t.Elem().Size())
				return
			}
			if t.Elem().Kind() == reflect.String {
				// *string: the string header may be v's own; the bytes are not.
				visit(v.Elem(), path)
				return
			}
			visit(v.Elem(), path)
		case reflect.Slice:
			if aliasable(t.Elem()) {
				add(path, v.UnsafePointer(), uintptr(v.Cap())*t.Elem().Size())
				return
			}
			for i := range v.Len() {
				visit(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		case reflect.Array:
			for i := range v.Len() {
				visit(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		case reflect.Struct:
			for _, f := range layoutOf(t).fields {
				visit(v.Field(f.index), path+"."+t.Field(f.index).Name)
			}
		}
	}
	visit(v, "")
	return out
}

// spareRoom says which slice of v, a freshly decoded value, an append would grow
// into memory that is not its own: an alias has no spare capacity at all, and
// what other slices have overlaps nothing that v holds (C14).
func spareRoom(v reflect.Value, aliased bool) string {
	type span struct {
		path       string
		start, end uintptr
		spare      bool
	}
	var spans []span
	add := func(path string, at, n uintptr, spare bool) {
		if n > 0 {
			spans = append(spans, span{path, at, at + n, spare})
		}
	}
	var bad string
	var visit func(v reflect.Value, path string)
	visit = func(v reflect.Value, path string) {
		t := v.Type()
		if isTime(t) || isCustom(t) {
			return
		}
		switch t.Kind() {
		case reflect.Interface:
			if !v.IsNil() {
				visit(addressable(v.Elem()), path)
			}
		case reflect.Map:
			for it := v.MapRange(); it.Next(); {
				visit(addressable(it.Key()), fmt.Sprintf("%s[%v] key", path, it.Key()))
				visit(addressable(it.Value()), fmt.Sprintf("%s[%v]", path, it.Key()))
			}
		case reflect.String:
			add(path, uintptr(unsafe.Pointer(unsafe.StringData(v.String()))), uintptr(v.Len()), false)
		case reflect.Pointer:
			if !v.IsNil() {
				add(path, v.Pointer(), t.Elem().Size(), false)
				visit(v.Elem(), path)
			}
		case reflect.Slice:
			size := t.Elem().Size()
			if aliased && plainHere(t.Elem()) && size > 0 && v.Cap() != v.Len() {
				bad = fmt.Sprintf("%s aliases with len %d and cap %d", path, v.Len(), v.Cap())
			}
			add(path, v.Pointer(), uintptr(v.Len())*size, false)
			add(path, v.Pointer()+uintptr(v.Len())*size, uintptr(v.Cap()-v.Len())*size, true)
			if size == 0 || aliasable(t.Elem()) {
				return
			}
			fallthrough
		case reflect.Array:
			for i := range v.Len() {
				visit(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		case reflect.Struct:
			for _, f := range layoutOf(t).fields {
				visit(v.Field(f.index), path+"."+f.name)
			}
		}
	}
	visit(v, "")
	for _, a := range spans {
		for _, b := range spans {
			if a.spare && a != b && a.start < b.end && b.start < a.end {
				return fmt.Sprintf("an append to %s would write into %s", a.path, b.path)
			}
		}
	}
	return bad
}

// changed names the first region that does not hold what it held.
func changed(regions []region) string {
	for _, r := range regions {
		if string(r.live) != string(r.was) {
			return fmt.Sprintf("%s: % .40x became % .40x", r.path, r.was, r.live)
		}
	}
	return ""
}

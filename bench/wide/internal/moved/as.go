package moved

import (
	"fmt"
	"reflect"
	"unsafe"
)

// As is v as an M, whose values lie in memory as those of T do: it panics where they do not.
func As[M, T any]() func(v *T) *M {
	if why := differ(reflect.TypeFor[M](), reflect.TypeFor[T](), make(map[reflect.Type]bool)); why != "" {
		panic("moved: " + why)
	}
	return func(v *T) *M { return (*M)(unsafe.Pointer(v)) }
}

// differ says in what values of two types lie otherwise in memory. A struct lies as its last field does if the others have
// no bytes.
func differ(a, b reflect.Type, known map[reflect.Type]bool) string {
	if a == b || known[a] {
		return ""
	}
	if a.Kind() == reflect.Struct && b.Kind() != reflect.Struct {
		if last := a.Field(a.NumField() - 1); last.Offset == 0 && last.Type.Size() == a.Size() {
			return differ(last.Type, b, known)
		}
	}
	bytes := a.Kind() == reflect.Uint8 && b.Kind() == reflect.Int8
	if a.Size() != b.Size() || a.Kind() != b.Kind() && !bytes {
		return fmt.Sprintf("%s is no %s", a, b)
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Slice:
		return differ(a.Elem(), b.Elem(), known)
	case reflect.Struct:
		known[a] = true
		first := a.NumField() - b.NumField() // fields without bytes
		for i := range b.NumField() {
			f, g := a.Field(first+i), b.Field(i)
			if f.Name != g.Name || f.Offset != g.Offset {
				return fmt.Sprintf("%s.%s is not where %s.%s is", a, f.Name, b, g.Name)
			}
			if why := differ(f.Type, g.Type, known); why != "" {
				return why
			}
		}
	}
	return ""
}

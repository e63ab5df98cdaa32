package format_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"sync"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// boxable is a type that may stand in an interface, and the name it goes by.
type boxable struct {
	name     string
	typ      reflect.Type
	register func() // in the package's own registry
}

func box[T any](name string) boxable {
	return boxable{name, reflect.TypeFor[T](), func() { format.Register[T](name) }}
}

// withSlice is T and []T under the names that Go spells.
func withSlice[T any](name string) []boxable { return []boxable{box[T](name), box[[]T]("[]" + name)} }

// builtinBoxes are registered from the start (§3.8).
func builtinBoxes() []boxable {
	var all []boxable
	for _, two := range [][]boxable{
		withSlice[bool]("bool"), withSlice[int]("int"), withSlice[int8]("int8"), withSlice[int16]("int16"), withSlice[int32]("int32"),
		withSlice[int64]("int64"), withSlice[uint]("uint"), withSlice[uint16]("uint16"), withSlice[uint32]("uint32"),
		withSlice[uint64]("uint64"), withSlice[float32]("float32"), withSlice[float64]("float64"), withSlice[complex64]("complex64"),
		withSlice[complex128]("complex128"), withSlice[string]("string"), withSlice[time.Time]("time.Time"),
		withSlice[time.Duration]("time.Duration"),
		{box[uint8]("uint8"), box[[]byte]("[]byte")},
		{box[[]any]("[]any"), box[map[string]any]("map[string]any"), box[map[string]string]("map[string]string")},
	} {
		all = append(all, two...)
	}
	return all
}

// boxes is the model's registry.
type boxes struct {
	ids   map[reflect.Type]uint64
	types map[uint64]reflect.Type
	names map[reflect.Type]string
}

// modelBoxes has the types of §3.8 and those that the tests register.
var modelBoxes = sync.OnceValue(func() boxes {
	b := boxes{map[reflect.Type]uint64{}, map[uint64]reflect.Type{}, map[reflect.Type]string{}}
	for _, x := range append(builtinBoxes(), testBoxes()...) {
		id := boxID(x.name, x.typ)
		if b.types[id] != nil || b.names[x.typ] != "" {
			panic(fmt.Sprintf("%s, %v: registered twice", x.name, x.typ))
		}
		b.ids[x.typ], b.types[id], b.names[x.typ] = id, x.typ, x.name
	}
	return b
})

// boxID is §3.8.
func boxID(name string, t reflect.Type) uint64 {
	sum := sha256.Sum256(append([]byte(name+"\x00"), modelDescription(t)...))
	return binary.LittleEndian.Uint64(sum[:])
}

func init() {
	for _, b := range testBoxes() {
		b.register()
	}
}

package format_test

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// TestWideStructs has structs of more fields than a mask has bits, a byte can
// count or a plan should have ops (C11), of every width and with optionals, made
// at run time and so known to Marshal and Unmarshal alone.
func TestWideStructs(t *testing.T) {
	scalars := []reflect.Type{
		reflect.TypeFor[bool](), reflect.TypeFor[int64](), reflect.TypeFor[uint8](), reflect.TypeFor[float32](),
		reflect.TypeFor[int16](), reflect.TypeFor[int](), reflect.TypeFor[complex64](), reflect.TypeFor[uint32](),
		reflect.TypeFor[int8](), reflect.TypeFor[complex128](), reflect.TypeFor[float64](),
	}
	var optionals []reflect.Type
	for _, s := range scalars {
		optionals = append(optionals, reflect.PointerTo(s))
	}
	mixed := append([]reflect.Type{
		reflect.TypeFor[string](), reflect.TypeFor[*string](), reflect.TypeFor[[]byte](), reflect.TypeFor[[3]bool](),
		reflect.TypeFor[*Point](), reflect.TypeFor[[]string](), reflect.TypeFor[Optionals](),
	}, append(optionals, scalars...)...)
	kinds := []struct {
		name  string
		types []reflect.Type
	}{
		{"float64", scalars[10:]},
		{"scalars", scalars},
		{"optionals", optionals},
		{"everything", mixed},
	}
	for _, n := range []int{33, 104, 300, 3000} {
		for _, k := range kinds {
			t.Run(fmt.Sprintf("fields=%d/%s", n, k.name), func(t *testing.T) {
				if n > 300 && thin() && k.name != "everything" {
					t.Skip("thinned out")
				}
				typ := wideStruct(n, k.types...)
				target := reflect.New(typ)
				for seed := range uint64(4) {
					f := seeded(seed, 20*n)
					f.nils = seed * 2
					checkMarshal(t, f.random(typ), target)
				}
			})
		}
	}
}

// checkMarshal takes *p through Marshal, the model and Unmarshal, both into a
// fresh value and into target, which keeps what it had.
func checkMarshal(t *testing.T, p, target reflect.Value) {
	t.Helper()
	want := mustModelEncode(p.Interface())
	for range 2 {
		got, err := format.Marshal(p.Interface())
		if err != nil {
			t.Fatalf("Marshal: %v", err)
		}
		if !bytes.Equal(got, want) {
			t.Fatal(firstDifference(got, want))
		}
	}
	for _, target := range []reflect.Value{reflect.New(p.Type().Elem()), target} {
		if err := format.Unmarshal(want, target.Interface()); err != nil {
			t.Fatalf("Unmarshal: %v", err)
		}
		if d := difference(p.Interface(), target.Interface()); d != "" {
			t.Fatalf("Unmarshal gives%s", d)
		}
	}
}

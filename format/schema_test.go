package format_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// TestForeignMessagesAreRefused reads each golden message as every other type:
// ErrSchema that names both fingerprints and the type, and the target untouched.
// With the fingerprint patched to match, memory is safe all the same.
func TestForeignMessagesAreRefused(t *testing.T) {
	rows := goldens()
	for _, reader := range rows {
		t.Run(reader.name, func(t *testing.T) {
			x := newVictim(t, reader.codec(t))
			mine := reader.encode(reader.values[0])
			for i, writer := range rows {
				if i%strided(1, 2) > 0 {
					continue
				}
				msg := writer.encode(writer.values[0])
				theirs := binary.LittleEndian.Uint64(msg[8:])
				if theirs == x.c.Fingerprint() {
					continue
				}
				for _, d := range reader.readers() {
					target := reader.copyOf(reader.values[0])
					err := d.call(x.c, msg, target)
					if !errors.Is(err, format.ErrSchema) {
						t.Fatalf("%s of a %s: %v, want ErrSchema", d.name, writer.name, err)
					}
					for _, want := range []string{
						fmt.Sprintf("%016x", theirs), fmt.Sprintf("%016x", x.c.Fingerprint()), reader.typ.String(),
					} {
						if !strings.Contains(err.Error(), want) {
							t.Fatalf("%s of a %s: the error does not name %s: %v", d.name, writer.name, want, err)
						}
					}
					if diff := reader.difference(target, reader.values[0]); diff != "" {
						t.Fatalf("%s of a %s changed the target%s", d.name, writer.name, diff)
					}
				}
				if err := x.c.Verify(msg); !errors.Is(err, format.ErrSchema) {
					t.Fatalf("Verify of a %s: %v, want ErrSchema", writer.name, err)
				}
				patched := append([]byte(nil), msg...)
				copy(patched[8:16], mine[8:16])
				x.attack(t, patched)
				checkAllocation(t, x.c, [][]byte{patched})
			}
		})
	}
}

// TestStructureDecidesTheFingerprint: what is on the wire is in the description
// and what is not is not (B12, §6).
func TestStructureDecidesTheFingerprint(t *testing.T) {
	type named struct{ A, B int32 }
	type renamed struct {
		X int32 `ashlar:"A"`
		y string
		B int32
		_ int64
	}
	type list1 struct {
		V    int64
		Next *list1
	}
	type list2b struct {
		V    int
		Next *list1
	}
	type list2 struct {
		V    int
		Next *list2b
	}
	_ = renamed{}.y
	same := []struct {
		name string
		a, b *codec
	}{
		{"names of types", must(forget[named]()), must(forget[struct{ A, B int32 }]())},
		{"renamed and hidden fields", must(forget[named]()), must(forget[renamed]())},
		{"int is int64", must(forget[[]int]()), must(forget[[]int64]())},
		{"uint is uint64", must(forget[*uint]()), must(forget[*uint64]())},
		{"one turn of a list unrolled", must(forget[list1]()), must(forget[list2]())},
		{"twins", must(forget[Twin]()), must(forget[Twin2]())},
		{"a named scalar", must(forget[Bool]()), must(forget[bool]())},
		{"a named optional", must(forget[PInt]()), must(forget[*int32]())},
	}
	for _, s := range same {
		if s.a.Fingerprint() != s.b.Fingerprint() || string(s.a.Description()) != string(s.b.Description()) {
			t.Errorf("%s: %v and %v differ: % x, % x", s.name, s.a.Type(), s.b.Type(), s.a.Description(), s.b.Description())
		}
	}
	distinct := []*codec{
		must(forget[struct {
			A struct{ X int32 }
			B int32
		}]()),
		must(forget[struct {
			A struct{ X, B int32 }
		}]()),
		must(forget[named]()), must(forget[struct{ B, A int32 }]()), must(forget[struct{ AB, C int32 }]()),
		must(forget[struct{ A, BC int32 }]()), must(forget[struct{ A int32 }]()), must(forget[*named]()), must(forget[[]named]()),
		must(forget[[1]named]()), must(forget[[2]named]()), must(forget[struct{}]()), must(forget[[]struct{}]()),
		must(forget[[]byte]()), must(forget[[]int8]()), must(forget[string]()), must(forget[*string]()), must(forget[[]string]()),
		must(forget[int32]()), must(forget[uint32]()), must(forget[float32]()), must(forget[*int32]()), must(forget[**int32]()),
		must(forget[Nest]()), must(forget[Loop]()), must(forget[list1]()), must(forget[Tree]()), must(forget[Even]()), must(forget[Odd]()),
		must(forget[complex64]()), must(forget[[2]float32]()), must(forget[struct{ A *int32 }]()), must(forget[struct{ A *int64 }]()),
	}
	seen := map[uint64]*codec{}
	for _, c := range distinct {
		if other, ok := seen[c.Fingerprint()]; ok {
			t.Errorf("%v and %v have one fingerprint", c.Type(), other.Type())
		}
		seen[c.Fingerprint()] = c
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestFingerprintsAreInjective: equal fingerprints mean equal descriptions, over
// types of every shape that chance makes, and both are the model's (B12).
func TestFingerprintsAreInjective(t *testing.T) {
	seen := map[uint64]string{}
	for seed := range uint64(thinned(4000)) {
		typ := randomType(seeded(seed, 0), 3)
		msg, err := format.Marshal(reflect.New(typ).Interface())
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		f := binary.LittleEndian.Uint64(msg[8:])
		if f != modelFingerprint(typ) {
			t.Fatalf("%v: fingerprint %016x, the model's is %016x", typ, f, modelFingerprint(typ))
		}
		d := string(modelDescription(typ))
		if other, ok := seen[f]; ok && other != d {
			t.Fatalf("%016x is both % x and % x", f, other, d)
		}
		seen[f] = d
	}
	t.Logf("%d different descriptions", len(seen))
}

package format_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// soil fills all memory of v, and of what it refers to, that belongs to no field
// but lies between fields, with fill: what a stack or a cgo allocation might hold
// there. Blank fields count as being between.
func soil(v reflect.Value, fill byte) {
	t := v.Type()
	switch t.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			soil(v.Elem(), fill)
		}
	case reflect.Slice, reflect.Array:
		if isScalar(t.Elem()) || t.Elem().Size() == 0 {
			return
		}
		for i := range v.Len() {
			soil(v.Index(i), fill)
		}
	case reflect.Struct:
		covered := make([]bool, t.Size())
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" && aliasable(f.Type) {
				continue
			}
			for j := range f.Type.Size() {
				covered[f.Offset+j] = true
			}
			if f.IsExported() {
				soil(v.Field(i), fill)
			}
		}
		if t.Size() == 0 {
			return
		}
		raw := memory(v.Addr().UnsafePointer(), t.Size())
		for i, c := range covered {
			if !c {
				raw[i] = fill
			}
		}
	}
}

// TestPaddingNeverShows: what lies between the fields of a Go value is not written,
// whichever way the value is (B50).
func TestPaddingNeverShows(t *testing.T) {
	soiled := 0
	for _, r := range table() {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			for i, v := range r.all(3) {
				want := mustModelEncode(v)
				dirty := copyOf(v)
				soil(reflect.ValueOf(dirty).Elem(), 0xA7)
				soiled++
				dst := bytes.Repeat([]byte{0xA7}, len(want)+64)
				for off := range 9 {
					got, err := c.Append(dst[:off], dirty)
					if err != nil {
						t.Fatalf("value %d: %v", i, err)
					}
					if !bytes.Equal(got[off:], want) {
						t.Fatalf("value %d: at %d: %s", i, off, firstDifference(got[off:], want))
					}
				}
			}
		})
	}
	if soiled == 0 {
		t.Error("nothing was soiled")
	}
}

// gapsOf lists the bytes of a valid message that no field covers.
func gapsOf(msg []byte, p any) []int {
	d := &dumper{msg: msg}
	d.value(modelHeader, reflect.ValueOf(p).Elem(), "")
	covered := make([]bool, len(msg))
	for _, n := range d.notes {
		for i := range n.size {
			covered[n.off+i] = true
		}
	}
	var gaps []int
	for i := modelHeader; i < len(msg); i++ {
		if !covered[i] {
			gaps = append(gaps, i)
		}
	}
	return gaps
}

// TestGapsAreNotLookedAt: readers take gaps of any content, and what they read
// there does not come out again when the value is written (§2.4, §5.1).
func TestGapsAreNotLookedAt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	gaps := 0
	for _, r := range append(table()[:len(table()):len(table())], boolRows()...) {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			for i, v := range r.all(3) {
				clean := mustModelEncode(v)
				if len(clean) > maxHostile {
					continue
				}
				for _, fill := range []func() byte{
					func() byte { return 0xff }, func() byte { return 0x02 }, func() byte { return byte(random.Uint32()) },
				} {
					dirty := alignedCopy(clean)
					for _, at := range gapsOf(clean, v) {
						dirty[at] = fill()
						gaps++
					}
					if err := x.attack(t, dirty); err != nil {
						t.Fatalf("value %d: the model: %v", i, err)
					}
					for _, d := range decodes {
						got := reflect.New(r.typ).Interface()
						if err := d.call(x.c, dirty, got); err != nil {
							t.Fatalf("value %d: %s: %v", i, d.name, err)
						}
						if diff := difference(got, v); diff != "" {
							t.Fatalf("value %d: %s gives%s", i, d.name, diff)
						}
						again, err := x.c.Append(nil, got)
						if err != nil || !bytes.Equal(again, clean) {
							t.Fatalf("value %d: Append after %s: %v, %s", i, d.name, err, firstDifference(again, clean))
						}
					}
				}
			}
		})
	}
	if gaps == 0 {
		t.Error("no gaps")
	}
}

// TestObjectsMayStandAnywhere: readers take objects in any order, behind or before
// what refers to them, and with room between (§5.1).
func TestObjectsMayStandAnywhere(t *testing.T) {
	type T struct {
		A []int16
		B string
		C *List
		D []string
	}
	typ := reflect.TypeFor[T]()
	want := T{[]int16{1, 2}, "text", &List{5, nil}, []string{"x", ""}}
	// Words from the root block on; offsets in words from there.
	const a, b, c, d = 0, 1, 2, 3
	lay := func(at [5]int32, total int) []byte { // of A, B, C, D and D[0]
		words := make([]uint64, total)
		words[a], words[b], words[c], words[d] = ref(at[0]-a, 2), ref(at[1]-b, 4), ref(at[2]-c, 1), ref(at[3]-d, 2)
		words[at[0]] = 1 | 2<<16
		words[at[1]] = 't' | 'e'<<8 | 'x'<<16 | 't'<<24
		words[at[2]] = 5
		words[at[3]] = ref(at[4]-at[3], 1)
		words[at[4]] = 'x'
		return craft(typ, words...)
	}
	x := newVictim(t, must(forget[T]()))
	for _, msg := range [][]byte{
		lay([5]int32{4, 5, 6, 8, 10}, 11), // as a writer puts them
		lay([5]int32{10, 9, 7, 5, 4}, 11), // turned round, D[0] before D
		lay([5]int32{20, 40, 60, 80, 70}, 100),
		lay([5]int32{99, 4, 50, 30, 5}, 100),
	} {
		if err := x.attack(t, msg); err != nil {
			t.Errorf("the model: %v", err)
		}
		var got T
		if err := format.Unmarshal(msg, &got); err != nil {
			t.Error(err)
		} else if diff := difference(&got, &want); diff != "" {
			t.Errorf("gives%s", diff)
		}
	}
}

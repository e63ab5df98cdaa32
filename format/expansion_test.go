package format_test

import (
	"reflect"
	"testing"
)

type bulky struct {
	A    int8
	Junk [50]int64 `ashlar:"-"`
}

type hollowBulk struct {
	Junk [50]int64 `ashlar:"-"`
}

// sparse is mostly what a message has little of.
type sparse struct {
	A *bool
	B *bool
	S []bool
	T string
	P *bulky
	Q *hollowBulk
	N []sparse
}

// expansionRows are types that have much more memory in Go than bytes in a message,
// each as a long slice.
func expansionRows() []row {
	return []row{
		of[[]string]("strings"), of[[]*string]("pointers to strings"), of[[][]byte]("byte slices"), of[[][][]byte]("byte slices twice"),
		of[[][]struct{}]("slices of nothing"), of[[]*struct{}]("pointers to nothing"), of[[]*bool]("optional bools"),
		of[[]*complex128]("optional complexes"), of[[]Optional64]("64 optionals"), of[[]Optional130]("130 optionals"),
		of[[][]*bool]("slices of optionals"), of[[]**bool]("pointers to optionals"), of[[]*[]byte]("pointers to slices"), of[[]***int8]("three pointers"),
		of[[]*int8]("optional bytes"), of[[]struct{ A *int8 }]("one optional each"), of[[]*struct{ A *int8 }]("pointers to one optional"),
		of[[]*struct{ A int8 }]("pointers to a byte"), of[[]*struct{ A bool }]("pointers to a bool"), of[[]*[3]byte]("pointers to three bytes"),
		of[[]*[]string]("pointers to slices of strings"), of[[][1]*string]("arrays of pointers"), of[Nest]("slices of themselves"),
		of[[]Loop]("pointers to themselves"), of[[]Tree]("trees"), of[[]bulky]("fields left out"), of[[]*bulky]("pointers to fields left out"),
		of[[]*hollowBulk]("pointers to nothing but what is left out"), of[[]sparse]("sparse"), of[[]Skipping]("skipping"),
		of[[][]Blank]("blank fields"), of[[]Sample]("samples"), of[[]MediaContent]("media"), of[[]*Scalars]("scalars"), of[[]*[2]int]("ints"),
		of[[]HollowRefs]("refs to nothing"), of[[]Pointers]("pointers"), of[[]Embedding]("embedding"),
	}
}

// least fills v so that each part of it is there and as small as can be: what costs
// the fewest bytes in a message for the memory it takes in Go.
func least(v reflect.Value, depth int) {
	t := v.Type()
	switch t.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Pointer:
		if depth > 3 {
			return
		}
		p := reflect.New(t.Elem())
		least(p.Elem(), depth+1)
		v.Set(p.Convert(t))
	case reflect.Slice:
		if depth > 3 {
			return
		}
		v.Set(reflect.MakeSlice(t, 1, 1))
		least(v.Index(0), depth+1)
	case reflect.Array:
		for i := range v.Len() {
			least(v.Index(i), depth)
		}
	case reflect.Struct:
		for _, f := range layoutOf(t).fields {
			least(v.Field(f.index), depth)
		}
	}
}

// TestExpansionBoundsAllocation: what a decode allocates for the messages that are
// worst for it keeps within 64 KiB + K·len, and K is small where nothing is left out.
func TestExpansionBoundsAllocation(t *testing.T) {
	skipWhenSlow(t)
	for _, r := range expansionRows() {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			modest := func(t reflect.Type) bool { return !leavesOut(t, map[reflect.Type]bool{}) }
			if k := c.Expansion(); k < 1 || k > 12 && modest(r.typ) {
				t.Errorf("K is %d", k)
			}
			n := thinned(3000)
			values := map[string]func(i int, e reflect.Value){
				"zero":  func(int, reflect.Value) {},
				"least": func(_ int, e reflect.Value) { least(e, 0) },
				"empty": func(_ int, e reflect.Value) {
					f := seeded(0, 0)
					f.next = func() uint64 { return 7 << 3 }
					f.budget = 50
					f.fill(e, 0)
				},
				"random": func(i int, e reflect.Value) {
					f := seeded(uint64(i), 40)
					f.nils = uint64(i % 3)
					f.fill(e, 0)
				},
			}
			for name, fill := range values {
				v := reflect.New(r.typ)
				v.Elem().Set(reflect.MakeSlice(r.typ, n, n))
				for i := range n {
					fill(i, v.Elem().Index(i))
				}
				msg := alignedCopy(mustModelEncode(v.Interface()))
				most := uint64(64<<10 + c.Expansion()*len(msg))
				for _, d := range decodes {
					target := reflect.New(r.typ).Interface()
					var err error
					got := allocated(func() { err = d.call(c, msg, target) })
					if err != nil {
						t.Fatalf("%s: %v", d.name, err)
					}
					if got > most {
						t.Errorf("%s of %d %s elements, %d bytes, allocates %d: %.1f bytes each, K is %d",
							d.name, n, name, len(msg), got, float64(got-64<<10)/float64(len(msg)), c.Expansion())
					}
				}
			}
		})
	}
}

// leavesOut reports whether a type reaches a field that has no bytes in a message.
func leavesOut(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if isTime(t) || isCustom(t) {
		return false
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return leavesOut(t.Elem(), seen)
	case reflect.Struct:
		if t.NumField() != len(layoutOf(t).fields) {
			return true
		}
		for i := range t.NumField() {
			if leavesOut(t.Field(i).Type, seen) {
				return true
			}
		}
	}
	return false
}

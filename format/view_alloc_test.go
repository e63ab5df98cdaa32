package format_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// TestViewsAllocateNothing: neither a view nor a read that does not copy.
func TestViewsAllocateNothing(t *testing.T) {
	if raceEnabled || !aliases() {
		t.Skip("the race detector allocates, and so does this build")
	}
	c := richCodec()
	x := richTree()
	msg := alignedCopy(mustModelEncode(&x))
	v := must(c.View(msg))
	maps := must(format.MustField[format.View[richMaps]](c, "Maps").Get(v))
	mc, oc := format.MustFor[richMaps](), format.MustFor[Optionals]()
	opts := must(format.MustField[format.View[Optionals]](c, "Opts").Get(v))
	type op struct {
		name string
		call func() bool // whether it gave what it is to give
	}
	ops := []op{
		{"View", func() bool { w, err := c.View(msg); return err == nil && !w.IsNil() }},
		{"Verify", func() bool { return c.Verify(msg) == nil }},
		readsOne(c, v, "Name", "rich"), readsOne(c, v, "tag", int32(8)), readsOne(c, v, "Base.ID", int64(7)), readsOne(c, v, "Scalars.Bool", true),
		readsOne(c, v, "Scalars.Complex128", 1i), readsOne(c, v, "Point", Point{1, 2}), readsOne(c, v, "Pair", sharedPair{true, 1}),
		readsOne(c, v, "Twice", "twice"), readsOne(c, v, "Title", ""), readsOne(c, v, "Deep", int32(5)), readsOne(c, v, "PPoint.X", int32(3)),
		readsOne(c, v, "Kid.Name", "kid"), readsOne(c, v, "Kid.Kid.Name", ""),
		readsOne(c, v, "Flags", x.Flags), readsOne(oc, opts, "Named", Bool(false)),
		readsOne(c, v, "Strings[]", "c", 2), readsOne(c, v, "Rows[][]", int32(2), 2, 1), readsOne(c, v, "Maybes[]", int32(-1), 2),
		readsOne(c, v, "Kids[].Name", "first", 0), readsOne(c, v, "Points[].Y", int32(4), 1),
	}
	if !bits32 { // else they are decoded
		ops = append(ops, readsOne(c, v, "Scalars.Int", -1), readsOne(c, v, "Opts.Uint", uint(9)), readsOne(oc, opts, "Uint", uint(9)), readsOne(c, v, "Ints[]", 1, 1))
	}
	floats, bools, point := format.MustField[[]float32](c, "Floats"), format.MustField[[]bool](c, "Bools"), format.MustField[*Point](c, "PPoint")
	title, strs, kids, byName := format.MustField[string](c, "Title"), format.MustField[string](c, "Strings[]"), format.MustField[format.View[Rich]](c, "PKids[]"), format.MustMap[string, format.View[Rich]](c, "ByName")
	rich := format.MustField[format.View[Rich]](c, "Kid")
	texts, ints := format.MustMap[string, int32](mc, "Strings"), format.MustMap[int64, float64](mc, "Int64s")
	name, at := format.MustField[string](c, "Name"), format.MustField[time.Time](c, "At")
	ops = append(ops, []op{
		{"a time", func() bool { got, err := at.Get(v); return err == nil && got.Equal(*x.At) }},
		{"a slice", func() bool { s, err := floats.Get(v); return err == nil && len(s) == 2 }},
		{"bools", func() bool { s, err := bools.Get(v); return err == nil && len(s) == 3 }},
		{"a pointer", func() bool { p, err := point.Get(v); return err == nil && p.Y == 4 }},
		{"a part", func() bool {
			k, err := rich.Get(v)
			n, err2 := name.Get(k)
			return err == nil && err2 == nil && n == "kid"
		}},
		{"Has", func() bool { has, err := title.Has(v); return err == nil && has }},
		{"Len", func() bool { n, err := floats.Len(v); return err == nil && n == 2 }},
		{"Len of a list", func() bool { n, err := strs.Len(v); return err == nil && n == 3 }},
		{"a string as a key", func() bool { n, ok, err := texts.Get(maps, "bb"); return err == nil && ok && n == 3 }},
		{"a string that is no key", func() bool { _, ok, err := texts.Get(maps, "bc"); return err == nil && !ok }},
		{"a number as a key", func() bool { n, ok, err := ints.Get(maps, 0); return err == nil && ok && n == 2 }},
		{"entries", func() bool {
			n := 0
			for e, err := range texts.All(maps) {
				if err != nil || e.Value == 0 {
					return false
				}
				n++
			}
			return n == 3
		}},
		{"a part as an entry", func() bool { k, ok, err := byName.Get(v, ""); return err == nil && ok && !k.IsNil() }},
		{"elements", func() bool {
			n := 0
			for s, err := range strs.All(v) {
				if err != nil || len(s) > 1 {
					return false
				}
				n++
			}
			return n == 3
		}},
		{"parts", func() bool {
			n := 0
			for k, err := range kids.All(v) {
				if _, err2 := name.Get(k); err != nil || err2 != nil {
					return false
				}
				n++
			}
			return n == 2
		}},
	}...)
	for _, op := range ops {
		if !op.call() {
			t.Errorf("%s: another value", op.name)
			continue
		}
		if n := testing.AllocsPerRun(50, func() { op.call() }); n > 0 {
			t.Errorf("%s allocates %v times", op.name, n)
		}
	}
}

func readsOne[V comparable, T any](c *format.Codec[T], v format.View[T], path string, want V, at ...int) struct {
	name string
	call func() bool
} {
	h := format.MustField[V](c, path)
	return struct {
		name string
		call func() bool
	}{fmt.Sprintf("%s as a %T", path, want), func() bool {
		got, err := h.Get(v, at...)
		if err != nil {
			return false
		}
		return got == want
	}}
}

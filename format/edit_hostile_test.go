package format_test

import (
	"errors"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// changes are the changes of an Assembled that Edit allows; each reports what a handle says.
func changes() []func(d format.Draft[Assembled]) error {
	c := format.MustFor[Assembled]()
	pieces := format.MustFor[Piece]()
	number, count := format.MustField[int](c, "Number"), format.MustField[uint32](c, "Count")
	spot, since := format.MustField[Spot](c, "At"), format.MustField[time.Time](c, "Since")
	mark, flag := format.MustField[bool](c, "Marks[]"), format.MustField[bool](c, "Flags[]")
	small, size := format.MustField[int8](c, "Next.Small"), format.MustField[uint16](c, "Parts[].Size")
	cell, deep := format.MustField[int32](c, "Rows[][]"), format.MustField[uint16](c, "Deep.Size")
	values, rows := format.MustField[[]float64](c, "Values"), format.MustField[[]int32](c, "Rows[]")
	part := format.MustField[format.View[Piece]](c, "Parts[]")
	owner := format.MustField[uint16](pieces, "Owner.Size")
	return []func(d format.Draft[Assembled]) error{
		func(d format.Draft[Assembled]) error { return number.Set(d, -2) },
		func(d format.Draft[Assembled]) error { return count.Set(d, 2) },
		func(d format.Draft[Assembled]) error { return spot.Set(d, Spot{1, 2, true}) },
		func(d format.Draft[Assembled]) error { return since.Set(d, time.Unix(1, 1)) },
		func(d format.Draft[Assembled]) error { return mark.Set(d, true, 2) },
		func(d format.Draft[Assembled]) error { return flag.Set(d, true, 1) },
		func(d format.Draft[Assembled]) error { return small.Set(d, 2) },
		func(d format.Draft[Assembled]) error { return size.Set(d, 2, 1) },
		func(d format.Draft[Assembled]) error { return cell.Set(d, 2, 3, 1) },
		func(d format.Draft[Assembled]) error { return deep.Set(d, 2) },
		func(d format.Draft[Assembled]) error {
			s, err := values.Slice(d)
			for i := range s {
				s[i] = 2
			}
			return err
		},
		func(d format.Draft[Assembled]) error {
			s, err := rows.Slice(d, 3)
			for i := range s {
				s[i] = 2
			}
			return err
		},
		func(d format.Draft[Assembled]) error {
			p, err := format.Sub(part, d, 1)
			if err == nil {
				err = owner.Set(p, 2)
			}
			return err
		},
	}
}

// TestHostileEdits: whatever is in a message, changing it in place writes nowhere else, and says what is wrong.
func TestHostileEdits(t *testing.T) {
	if !guardsWork {
		t.Skip("no guard pages here")
	}
	faultsPanic(t)
	c := format.MustFor[Assembled]()
	count, when := uint32(1), time.Unix(1, 2).UTC()
	deep := &Piece{Size: 3}
	v := Assembled{Name: "name", Count: &count, Since: &when, Values: []float64{1, 2}, Flags: []bool{true, false}, Next: &Assembled{},
		Parts: []*Piece{nil, {"p", 1, &Piece{Label: "q"}}}, Rows: [][]int32{nil, {}, {1}, {1, 2}}, Deep: &deep}
	whole := mustAppend(t, c, &v)
	g := newGuarded(t, len(whole)+64)
	all := changes()
	tried, failed := 0, 0
	mutations(whole, strided(1, 3), func(input []byte) {
		for _, place := range []func([]byte) []byte{g.before, g.behind} {
			msg := place(input)
			d, err := c.Edit(msg)
			if err != nil {
				failed++
				continue
			}
			for i, edit := range all {
				tried++
				err := edit(d)
				if err == nil {
					continue
				}
				failed++
				var e *format.Error
				if !errors.As(err, &e) || e.Path == "" || !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrIndex) && !errors.Is(err, format.ErrType) {
					t.Fatalf("edit %d of % x: %v", i, input, err)
				}
			}
		}
	})
	if tried == 0 || failed == 0 {
		t.Errorf("%d edits, %d failed", tried, failed)
	}
}

package format_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

func TestEdit(t *testing.T) {
	c := format.MustFor[Assembled]()
	count, when := uint32(1), time.Unix(1, 2).UTC()
	v := Assembled{Name: "name", Count: &count, Since: &when, Values: []float64{1, 2}, Flags: []bool{true, false}, Next: &Assembled{}, Parts: []*Piece{{"p", 1, nil}}}
	msg := alignedCopy(mustAppend(t, c, &v))
	size := len(msg)
	d, err := c.Edit(msg)
	noError(t, err,
		format.MustField[uint32](c, "Count").Set(d, 2),
		format.MustField[time.Time](c, "Since").Set(d, when.Add(time.Hour)),
		format.MustField[Spot](c, "At").Set(d, Spot{4, 5, true}),
		format.MustField[int8](c, "Next.Small").Set(d, 8),
		format.MustField[uint16](c, "Parts[].Size").Set(d, 77, 0),
		format.MustField[bool](c, "Flags[]").Set(d, true, 1))
	values := format.MustField[[]float64](c, "Values")
	if aliases() {
		s, err := values.Slice(d)
		noError(t, err)
		s[1] = 9
	} else {
		noError(t, format.MustField[float64](c, "Values[]").Set(d, 9, 1))
	}
	two, hour := uint32(2), when.Add(time.Hour)
	v.Count, v.Since, v.At, v.Next.Small, v.Parts[0].Size, v.Flags[1], v.Values[1] = &two, &hour, Spot{4, 5, true}, 8, 77, true, 9
	if want := mustAppend(t, c, &v); !bytes.Equal(msg, want) || len(msg) != size {
		t.Errorf("changed to\n% x\nwant\n% x", msg, want)
	}

	_, flags := format.MustField[[]bool](c, "Flags").Slice(d)
	_, made := values.Make(d, 3)
	_, sub := format.Sub(format.MustField[format.View[Assembled]](c, "Next.Next"), d)
	before := bytes.Clone(msg)
	for name, err := range map[string]error{
		"bools":             flags,
		"a string":          format.MustField[string](c, "Name").Set(d, "other"),
		"a slice":           values.Set(d, []float64{1}),
		"a made slice":      made,
		"a list":            format.MustField[string](c, "Names[]").MakeList(d, 1),
		"a pointer":         sub,
		"through a nil one": format.MustField[int8](c, "Next.Next.Small").Set(d, 1),
		"cleared":           format.MustField[uint32](c, "Count").Clear(d),
		"whole":             d.Encode(&v),
	} {
		if !errors.Is(err, format.ErrType) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(msg, before) {
		t.Error("a change that was refused was made")
	}
	if _, err := c.Edit(msg[:len(msg)-8]); !errors.Is(err, format.ErrTruncated) {
		t.Errorf("a message that is cut short: %v", err)
	}
}

// TestEditOfAGraph: what is shared in a message that is changed in place is shared in a view of it.
func TestEditOfAGraph(t *testing.T) {
	c := format.MustFor[Piece](format.WithRefs())
	v := Piece{Label: "self"}
	v.Owner = &v
	msg := alignedCopy(mustAppend(t, c, &v))
	d, err := c.Edit(msg)
	noError(t, err, format.MustField[uint16](c, "Owner.Size").Set(d, 7))
	var got Piece
	noError(t, d.View().Decode(&got))
	if got.Owner != &got || got.Size != 7 {
		t.Errorf("got %+v", got)
	}
}

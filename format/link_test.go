package format_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

func TestLink(t *testing.T) {
	c := format.MustFor[Piece]()
	owner := format.MustField[format.View[Piece]](c, "Owner")
	label := format.MustField[string](c, "Label")

	b, _ := beginBuild(t, c)
	loose, err := format.Loose(owner, b.Root())
	noError(t, err, label.Set(loose, "loose"))
	if _, err := b.Finish(); !errors.Is(err, format.ErrType) || !strings.Contains(err.Error(), "1 objects") {
		t.Errorf("Finish with a loose object: %v", err)
	}
	noError(t, format.Link(owner, b.Root(), loose))
	if err := format.Link(owner, loose, loose); !errors.Is(err, format.ErrCycle) {
		t.Errorf("a second link: %v", err)
	}
	if err := format.Link(owner, loose, b.Root()); !errors.Is(err, format.ErrCycle) {
		t.Errorf("a link to the root: %v", err)
	}
	other, _ := beginBuild(t, c)
	foreign, err := format.Loose(owner, other.Root())
	noError(t, err)
	if err := format.Link(owner, b.Root(), foreign); !errors.Is(err, format.ErrType) {
		t.Errorf("an object of another message: %v", err)
	}
	msg, err := b.Finish()
	noError(t, err)
	var got Piece
	noError(t, c.Decode(msg, &got))
	if got.Owner == nil || got.Owner.Label != "loose" || got.Owner.Owner != nil {
		t.Errorf("got %+v", got)
	}

	graphs := format.MustFor[Piece](format.WithRefs())
	g, _ := beginBuild(t, graphs)
	sub, err := format.Sub(owner, g.Root())
	noError(t, err, label.Set(sub, "shared"), format.Link(owner, sub, g.Root()))
	msg, err = g.Finish()
	noError(t, err, graphs.Verify(msg), graphs.Decode(msg, &got))
	if got.Owner.Owner != &got || got.Owner.Label != "shared" {
		t.Errorf("got %+v", got)
	}
	if err := c.Verify(msg); !errors.Is(err, format.ErrSchema) {
		t.Errorf("a codec without references reads it: %v", err)
	}
}

// TestLinkPlaces: what is a part of a block is no object, and where no pointer is nothing is linked.
func TestLinkPlaces(t *testing.T) {
	type Holder struct {
		Held  Piece
		Refer *Piece
	}
	c := format.MustFor[Holder](format.WithRefs())
	held, refer := format.MustField[format.View[Piece]](c, "Held"), format.MustField[format.View[Piece]](c, "Refer")
	b, _ := beginBuild(t, c)
	d, err := format.Sub(held, b.Root())
	noError(t, err)
	if err := format.Link(refer, b.Root(), d); !errors.Is(err, format.ErrType) {
		t.Errorf("a part of the root: %v", err)
	}
	if _, err := format.Loose(held, b.Root()); !errors.Is(err, format.ErrType) {
		t.Errorf("an object for a value: %v", err)
	}
	p, err := format.Sub(refer, b.Root())
	noError(t, err)
	if err := format.Link(held, b.Root(), p); !errors.Is(err, format.ErrType) {
		t.Errorf("a link where a value is: %v", err)
	}
}

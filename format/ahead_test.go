package format_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// crowd is a node whose children are made together, before the first is read.
type crowd struct {
	Kids []*crowd
	Pad  [504]byte
}

// At each level the list claims as many children as what is left of the message could hold: those that
// are made ahead must not be paid for with the same bytes twice.
func TestPointeesMadeAheadStayInBudget(t *testing.T) {
	const size, node = 1 << 20, 64 // bytes; words of a node
	words := make([]uint64, (size-modelHeader)/8)
	for at := 0; ; {
		list := at + node
		n := (len(words) - list) / node
		kid := list + n
		if n < 2 || kid+node > len(words) {
			break
		}
		words[at] = ref(int32(list-at), uint32(n))
		for i := range n {
			words[list+i] = ref(int32(kid-list-i), 1)
		}
		at = kid
	}
	r := of[crowd]("crowd")
	msg := craft(r.typ, words...)
	checkAllocation(t, r.codec(t), [][]byte{msg})
	if err := format.MustFor[crowd]().Decode(msg, new(crowd)); !errors.Is(err, format.ErrCorrupt) {
		t.Error(err)
	}
}

type (
	nest2 [1]struct {
		A [1]*nest
		B int8
	}
	nest8 [1]struct {
		A [1][1][1][1][1][1]nest2
		B int8
	}
	nest40 [1]struct {
		A [1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1][1]nest8
		B int8
	}
	nest struct{ F nest40 }
	over struct {
		F [1][1][1][1][1][1][1][1][1][1][1][1]nest40
	}
)

// The stack that one ref needs is bounded, so that the depth in refs bounds that of the whole.
func TestNestingByValueIsBounded(t *testing.T) {
	skipWhenSlow(t)
	c, err := format.For[nest]()
	if err != nil {
		t.Fatal(err)
	}
	typ := reflect.TypeFor[nest]()
	size := int(layoutOf(typ).size / 8)
	words := make([]uint64, 9999*size)
	for i := range 9998 {
		words[i*size] = ref(int32(size), 1)
	}
	msg := craft(typ, words...)
	if err := c.Verify(msg); err != nil {
		t.Error(err)
	}
	if err := c.Decode(msg, new(nest)); err != nil {
		t.Error(err)
	}
	if _, err := format.For[over](); !errors.Is(err, format.ErrLimit) || !strings.Contains(err.Error(), "50") {
		t.Error(err)
	}
}

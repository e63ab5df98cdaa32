package format_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// SPEC §3.5: only following a ref to an object that can itself hold refs is a step. The entries
// of map[int8]int8 hold none, so under a limit of 1 it may stand in a slice.
func TestDepthOfMapsWithoutRefs(t *testing.T) {
	c := must(forget[[]map[int8]int8](format.WithMaxDepth(1)))
	v := &[]map[int8]int8{{1: 2}}
	msg, err := modelEncode(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(nil, v); err != nil {
		t.Errorf("Append: %v", err)
	}
	if _, err := c.Size(v); err != nil {
		t.Errorf("Size: %v", err)
	}
	if err := c.Verify(msg); err != nil {
		t.Errorf("Verify: %v", err)
	}
	for _, d := range decodes[:3] {
		if err := d.call(c, msg, new([]map[int8]int8)); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}

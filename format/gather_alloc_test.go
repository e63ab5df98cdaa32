package format_test

import (
	"net"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
)

// TestGatherAllocatesNothing: a loop that reuses its pieces and its buffer does not
// allocate.
func TestGatherAllocatesNothing(t *testing.T) {
	if raceEnabled || !aliases() {
		t.Skip("allocates here")
	}
	for _, r := range []row{of("arrays", arraysData(1000)), of("small", arraysData(3)), of("media", mediaContent())} {
		c, v := r.codec(t), r.values[0]
		b := buffer.New(1 << 14)
		pieces := net.Buffers{}
		if n := testing.AllocsPerRun(100, func() {
			b.Reset()
			pieces = pieces[:0]
			if _, _, err := c.do(opGather, nil, b, v, &pieces); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: Gather allocates %v times", r.name, n)
		}
	}
}

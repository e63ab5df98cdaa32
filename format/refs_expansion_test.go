package format_test

import (
	"runtime"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// The table of what was reached (refs.go) is not in Expansion: with the graph flag and WithRefs
// a decode allocates more than 64 KiB + K·len.
func TestExpansionCountsTheTableOfRefs(t *testing.T) {
	type small struct{ A int64 }
	for _, n := range []int{3_000, 33_000, 140_000} {
		words := []uint64{ref(1, uint32(n))}
		for range n {
			words = append(words, ref(int32(n), 1))
		}
		words = append(words, make([]uint64, n)...)
		r := of[[]*small]("small")
		msg := craft(r.typ, words...)
		msg[3] = 1
		c := must(r.make(format.WithRefs()))
		runtime.GC() // empties the pool of tables
		runtime.GC()
		target := new([]*small)
		got := allocated(func() {
			if err := c.Decode(msg, target); err != nil {
				t.Fatal(err)
			}
		})
		if most := uint64(64<<10 + c.Expansion()*len(msg)); got > most {
			t.Errorf("%d pointers: %d bytes for a message of %d, K is %d: %.1f", n, got, len(msg), c.Expansion(), float64(got)/float64(len(msg)))
		}
		runtime.GC()
		runtime.GC()
		if got := allocated(func() { _ = c.Verify(msg) }); got > 0 {
			t.Logf("%d pointers: the first Verify allocates %d bytes", n, got)
		}
	}
}

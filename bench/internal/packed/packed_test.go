package packed_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/internal/packed"
	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// The rivals' schemas lay out the same bytes.
func TestSizes(t *testing.T) {
	if n := len(raw.StructBytes(new(packed.Struct2))); n != packed.Struct2Size {
		t.Errorf("a Struct2 takes %d bytes, want %d", n, packed.Struct2Size)
	}
	if n := len(raw.StructBytes(new(packed.Sample))); n != packed.SampleSize {
		t.Errorf("a Sample takes %d bytes, want %d", n, packed.SampleSize)
	}
}

func TestWhatIsPackedComesBack(t *testing.T) {
	for _, want := range []*workload.Struct2{workload.NewStruct2(), workload.NewStruct2Nil(), {}} {
		p, got := new(packed.Struct2), new(workload.Struct2)
		p.Pack(workload.NewStruct2()) // which must leave nothing behind
		p.Pack(want)
		p.View(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if got, want := p.Sum(), want.Sum(); got != want {
			t.Errorf("the sum is %#x, want %#x", got, want)
		}
	}
	absent := workload.NewSample()
	absent.LongValueBoxed, absent.BooleanValueBoxed = nil, nil
	for _, sample := range []*workload.Sample{workload.NewSample(), absent, {}} {
		p, got := new(packed.Sample), new(workload.Sample)
		p.Pack(workload.NewSample())
		p.Pack(sample)
		p.View(got)
		want := *sample // less what is not packed
		want.IntArray, want.LongArray, want.FloatArray, want.DoubleArray = nil, nil, nil, nil
		want.ShortArray, want.CharArray, want.BooleanArray, want.String = nil, nil, nil, ""
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		i, f := p.Sum()
		if got, want := uint64(i)+(&workload.Sample{}).SumArrays(f), want.Sum(); got != want {
			t.Errorf("the sum is %#x, want %#x", got, want)
		}
	}
}

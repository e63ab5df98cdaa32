package suite

import (
	"testing"

	"github.com/ashlar-go/ashlar/bench/workload"
)

// A value with references is not the same as one whose parts are equal.
func TestWhatIsOneObjectMustStayOne(t *testing.T) {
	film := workload.NewMediaContentRefs()
	if !mediaWithRefs.equal(film, workload.NewMediaContentRefs()) {
		t.Error("two films made alike differ")
	}
	copies := workload.NewMediaContentRefs()
	copies.Images[1].Media = workload.NewMediaContent().Media
	if mediaWithRefs.equal(film, copies) {
		t.Error("a film that an image has a copy of passes")
	}

	loop := workload.NewSampleRefs()
	if !sampleWithRefs.equal(loop, workload.NewSampleRefs()) {
		t.Error("two samples made alike differ")
	}
	chain := workload.NewSample()
	chain.Sample = loop
	for _, other := range []*workload.Sample{workload.NewSample(), chain} {
		if sampleWithRefs.equal(loop, other) {
			t.Error("a sample that does not point at itself passes")
		}
	}
	if err := sampleWithRefs.compare(loop, chain); err == nil {
		t.Error("no error tells them apart")
	}
}

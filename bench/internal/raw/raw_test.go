package raw_test

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
)

func TestSliceSeesTheBytesOfBytes(t *testing.T) {
	want := []int64{1, -2, 3}
	got := raw.Slice[int64](raw.Bytes(want), 3)
	if !slices.Equal(got, want) || &got[0] != &want[0] {
		t.Errorf("got %v, want the same memory as %v", got, want)
	}
	if got := raw.Slice[int64](nil, 0); got != nil {
		t.Errorf("a view of nothing is %v, want nil", got)
	}
}

func TestSlicePanicsOnBadMemory(t *testing.T) {
	mem := raw.Bytes(make([]int64, 4))
	for name, view := range map[string]func(){
		"too short":  func() { raw.Slice[int64](mem, 5) },
		"misaligned": func() { raw.Slice[int64](mem[1:], 1) },
		"negative":   func() { raw.Slice[int64](mem, -1) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			view()
		})
	}
}

func TestWithin(t *testing.T) {
	whole := make([]byte, 16)
	for _, tt := range []struct {
		name string
		part []byte
		want bool
	}{
		{"all", whole, true},
		{"tail", whole[15:], true},
		{"nothing", nil, true},
		{"elsewhere", make([]byte, 1), false},
	} {
		if got := raw.Within(whole[:16], tt.part); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
	if raw.Within(whole[:8], whole[4:12]) {
		t.Error("a part that reaches beyond the end counts as within")
	}
}

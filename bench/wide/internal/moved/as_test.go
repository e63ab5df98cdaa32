package moved

import (
	"testing"
	"time"
)

type (
	from struct {
		A int8
		B []int8
		C *from
		D time.Time
	}
	same struct {
		_ struct{}
		A int8
		B []byte
		C *same
		D time.Time
	}
	otherOrder struct {
		B []int8
		A int8
		C *from
		D time.Time
	}
	otherKind struct {
		A bool
		B []int8
		C *from
		D time.Time
	}
	otherElement struct {
		A int8
		B []bool
		C *from
		D time.Time
	}
	shorter struct{ A int8 }
	wrapped struct{ All []same }
)

// TestAs: types whose values lie otherwise in memory are refused.
func TestAs(t *testing.T) {
	v := from{A: 1, B: []int8{-1}}
	if s := As[same, from]()(&v); s.A != 1 || s.B[0] != 255 {
		t.Errorf("%+v", s)
	}
	list := []from{v}
	if w := As[wrapped, []from]()(&list); len(w.All) != 1 || w.All[0].A != 1 {
		t.Errorf("%+v", w)
	}
	for name, as := range map[string]func(){
		"order":   func() { As[otherOrder, from]() },
		"kind":    func() { As[otherKind, from]() },
		"element": func() { As[otherElement, from]() },
		"size":    func() { As[shorter, from]() },
		"list":    func() { As[wrapped, []shorter]() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("another %s passes", name)
				}
			}()
			as()
		}()
	}
}

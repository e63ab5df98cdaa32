package compat_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// A handle reads messages of the type's own schema and of another one, whose description comes later.
func TestReaderViews(t *testing.T) {
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[newLoad](registry))
	codec := must(format.For[newLoad]())
	n, load, tag, note := must(format.Field[int64](codec, "N")), must(format.Field[[]byte](codec, "Load")),
		must(format.Field[string](codec, "Tags[]")), must(format.Field[string](codec, "Note"))
	check := func(what string, msg []byte, want newLoad) {
		t.Helper()
		v, err := r.View(msg)
		if err != nil {
			t.Errorf("%s: %v", what, err)
			return
		}
		gotN, err1 := n.Get(v)
		gotLoad, err2 := load.Get(v)
		gotTag, err3 := tag.Get(v, 1)
		gotNote, err4 := note.Get(v)
		if err := errors.Join(err1, err2, err3, err4); err != nil || gotN != want.N || !slices.Equal(gotLoad, want.Load) || gotTag != want.Tags[1] || gotNote != want.Note {
			t.Errorf("%s: %d, %v, %q, %q, %v, want %+v", what, gotN, gotLoad, gotTag, gotNote, err, want)
		}
		if _, err := tag.Get(v, 2); !errors.Is(err, format.ErrIndex) {
			t.Errorf("%s: a tag that is not there: %v, want ErrIndex", what, err)
		}
	}
	own := newLoad{[]string{"x", "y"}, 1 << 40, []byte{1, 2, 3}, "note"}
	old := oldLoad{-7, []byte{4, 5}, []string{"a", "bc"}}
	ownMsg, oldMsg := message(t, own), message(t, old)
	check("its own", ownMsg, own)

	fingerprint := fmt.Sprintf("%016x", must(format.Peek(oldMsg)))
	if _, err := r.View(oldMsg); !errors.Is(err, format.ErrSchema) || !strings.Contains(err.Error(), fingerprint) {
		t.Errorf("without a description: %v, want ErrSchema with %s", err, fingerprint)
	}
	if err := registry.Add(describe[oldLoad]()); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the schema is met, then known
		check("another", oldMsg, newLoad{old.Tags, -7, old.Load, "none"})
		check("its own again", ownMsg, own)
	}
	for what, msg := range map[string][]byte{"nothing": nil, "a header": oldMsg[:8], "half of its own": ownMsg[:16], "half of another": oldMsg[:24]} {
		if _, err := r.View(msg); !errors.Is(err, format.ErrTruncated) {
			t.Errorf("%s: %v, want ErrTruncated", what, err)
		}
	}
	if _, err := r.View(format.AppendDescription(nil, must(format.SchemaOf(reflect.TypeFor[oldLoad]())))); !errors.Is(err, format.ErrSchema) {
		t.Errorf("a description: %v, want ErrSchema", err)
	}
	if n := testing.AllocsPerRun(100, func() {
		v, _ := r.View(oldMsg)
		if x, err := tag.Get(v, 1); x != "bc" || err != nil {
			t.Errorf("%q, %v", x, err)
		}
	}); n != 0 && !compat.RaceEnabled && !reflecting {
		t.Errorf("a view takes %v allocations", n)
	}
}

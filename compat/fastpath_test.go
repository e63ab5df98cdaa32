package compat

import (
	"errors"
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// inlined is here for the compiler to look at.
func inlined(r *Reader[struct{ A int32 }], msg []byte) error { return r.Decode(msg, nil) }

// TestFastPathInlines asks the compiler: a message of the type's own schema costs a comparison more than its
// codec does.
func TestFastPathInlines(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("runs the compiler")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command: ", err)
	}
	out, err := exec.Command(tool, "list", "-test", "-export", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Skipf("go list: %v\n%s", err, out)
	}
	calls := 0 // one is that of the function itself
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, "reader.go") && strings.Contains(line, "inlining call to (*versions[") && strings.Contains(line, "]).recent") {
			calls++
		}
	}
	if calls < 3 { // and one in Decoder
		t.Error("recent is not inlined")
	}
	_ = inlined
}

// TestLastVersionIsAtHand: the foreign schema that was used last is found without a lock.
func TestLastVersionIsAtHand(t *testing.T) {
	registry := NewRegistry(Limits{})
	r, err := For[struct{ A int64 }](registry)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{struct{ A int8 }{1}, struct{ A int16 }{1}, struct{ A int8 }{1}} {
		s, err := format.SchemaOf(reflect.TypeOf(v))
		if err != nil {
			t.Fatal(err)
		}
		msg, err := format.Marshal(v)
		if err := errors.Join(err, registry.Add(s.Description()), r.Decode(msg, new(struct{ A int64 }))); err != nil {
			t.Fatal(err)
		}
		if last := r.versions.last.Load(); last == nil || last.fingerprint != s.Fingerprint() {
			t.Errorf("the last is %+v, want %016x", last, s.Fingerprint())
		}
	}
}

package buffer_test

import (
	"bytes"
	"errors"
	"math"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestCases has situations that hurt users of comparable software, under the
// names that they have in the project's list.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		id, what string
		test     func(*testing.T)
	}{
		{"B64", "a string of memory that was closed", caseClosed},
		{"C17", "a Buffer is reset and written again while a value points into it", caseReset},
	} {
		t.Run(c.id+" "+c.what, c.test)
	}
}

// alias encodes a record into b and returns it as it lies there.
func alias(t *testing.T, b *buffer.Buffer, n int) *record {
	t.Helper()
	from := (b.Len() + 7) &^ 7
	if err := records.Encode(b, recordOf(n)); err != nil {
		t.Fatal(err)
	}
	var r record
	if err := records.DecodeAlias(b.Bytes()[from:], &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

func clone(t *testing.T, r *record) *record {
	t.Helper()
	c, err := records.Clone(r)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// faulted returns what reading f does: nil, or the fault.
func faulted(f func()) (fault any) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() { fault = recover() }()
	f()
	return nil
}

func caseClosed(t *testing.T) {
	if !aliases {
		t.Skip("the build without unsafe copies")
	}
	path := filepath.Join(t.TempDir(), "file")
	for _, c := range []struct {
		name string
		open func() (*buffer.Buffer, error)
	}{
		{"OffHeap", func() (*buffer.Buffer, error) { return buffer.OffHeap(1 << 20) }},
		{"Create", func() (*buffer.Buffer, error) { return buffer.Create(path, 1<<20) }},
		{"Append", func() (*buffer.Buffer, error) { return buffer.Append(path, 1<<20) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b, err := c.open()
			if errors.Is(err, errors.ErrUnsupported) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			v := alias(t, b, 7)
			kept := clone(t, v)
			if err := b.Close(); err != nil {
				t.Fatal(err)
			}
			if b.Bytes() != nil {
				t.Error("a closed Buffer has bytes")
			}
			if _, err := b.Extend(1); !errors.Is(err, buffer.ErrClosed) {
				t.Errorf("Extend: %v, want ErrClosed", err)
			}
			var s string
			if math.MaxInt == math.MaxInt32 {
				t.Log("there is no room to keep addresses, so that anything may lie there")
			} else if fault := faulted(func() { s = strings.Clone(v.Name) }); fault == nil {
				t.Errorf("the name in closed memory reads as %q", s)
			} else if err, ok := fault.(interface{ Addr() uintptr }); !ok {
				t.Errorf("%v, want a fault", err)
			}
			if kept.Name != "record 7" || kept.Samples[0] != 7 {
				t.Errorf("the clone has become %q, %v", kept.Name, kept.Samples[0])
			}
		})
	}
}

// theName reads a record's name where it lies.
var theName = format.MustField[string](records, "Name")

func caseReset(t *testing.T) {
	if !aliases {
		t.Skip("the build without unsafe copies")
	}
	for _, b := range []*buffer.Buffer{buffer.New(1 << 16), buffer.Wrap(make([]byte, 1<<16))} {
		first := alias(t, b, 1)
		kept := clone(t, first)
		view, err := records.View(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		b.Reset()
		if got, want := first.Name, strings.Repeat("\xDB", len("record 1")); buffer.Poisons && got != want {
			t.Errorf("after Reset a kept string is %q, want poison", got)
		} else if !buffer.Poisons && got != "record 1" {
			t.Errorf("after Reset a kept string is %q, and nothing was written", got)
		}
		if n := len(first.Samples); n != cap(first.Samples) || first.Samples[n-1] == float32(n) == buffer.Poisons {
			t.Errorf("after Reset the last of %d kept samples is %v", n, first.Samples[n-1])
		}
		name, err := theName.Get(view)
		if gone := errors.Is(err, format.ErrCorrupt) && strings.Contains(err.Error(), "gone"); gone != buffer.Poisons || !gone && name != "record 1" {
			t.Errorf("after Reset a kept view reads %q, %v", name, err)
		}
		// Written again it shows bytes of what is there now, and nothing else.
		second := alias(t, b, 2)
		if !bytes.Contains(b.Bytes(), []byte(first.Name)) {
			t.Errorf("a kept string is %q, which is nowhere in the Buffer", first.Name)
		}
		if second.Name != "record 2" || kept.Name != "record 1" || kept.Samples[0] != 1 {
			t.Errorf("the second is %q, the clone %q", second.Name, kept.Name)
		}
	}
}

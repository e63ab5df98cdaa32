package compat_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

func describe[T any]() []byte {
	d, err := compat.Describe[T]()
	if err != nil {
		panic(err)
	}
	return d
}

// Types that hold themselves.
type (
	list1 struct {
		V    int32
		Next *list1
	}
	list2 struct {
		V    int64
		Next *list2
	}
	tree1 struct {
		Kids  []tree1
		Named map[string]*tree1
	}
	tree2 struct {
		Kids  []*tree2
		Named map[string]*tree2
		More  bool
	}
	loop  *loop
	nest1 []nest1
	nest2 []*nest2
	point struct{ X, Y int32 }
)

// TestCheck: each change, in both directions, with its verdict.
func TestCheck(t *testing.T) {
	type change = compat.Change
	retyped := func(path, old, new string, v compat.Verdict, note string) change {
		return change{Path: path, What: compat.Retyped, Old: old, New: new, Verdict: v, Note: note}
	}
	const (
		fits = "the value must fit exactly"
		none = "there is no such conversion"
		back = "there is no way back"
		zero = "nil becomes zero"
		size = "the lengths must agree"
		one  = "keys that differ in it alone become one"
	)
	scalar := func(old, new string, v compat.Verdict, note string) []change {
		return []change{retyped("", old, new, v, note)}
	}
	for _, c := range []struct {
		name     string
		old, new []byte
		want     []change
	}{
		{"nothing", describe[point](), describe[point](), nil},
		{"a field added", describe[struct{ A int32 }](), describe[struct {
			A int32
			B []string
		}](), []change{{Path: "B", What: compat.Added, New: "[]string", Verdict: compat.Safe}}},
		{"a field removed", describe[struct{ A, B int32 }](), describe[struct{ B int32 }](), []change{{Path: "A", What: compat.Removed, Old: "int32", Verdict: compat.Safe}}},
		{"fields swapped", describe[struct{ A, B int32 }](), describe[struct{ B, A int32 }](), []change{{Path: "A", What: compat.Moved, Verdict: compat.Safe}}},
		{"the last field first", describe[struct{ A, B, C, D int32 }](), describe[struct{ D, A, B, C int32 }](), []change{{Path: "D", What: compat.Moved, Verdict: compat.Safe}}},
		{"a field renamed", describe[struct{ A int32 }](), describe[struct{ B int32 }](), []change{
			{Path: "A", What: compat.Removed, Old: "int32", Verdict: compat.Safe}, {Path: "B", What: compat.Added, New: "int32", Verdict: compat.Safe}}},
		{"wider", describe[int8](), describe[int64](), scalar("int8", "int64", compat.SafeOldToNew, fits)},
		{"narrower", describe[uint64](), describe[uint16](), scalar("uint64", "uint16", compat.SafeNewToOld, fits)},
		{"another sign", describe[int32](), describe[uint32](), scalar("int32", "uint32", compat.Breaking, fits)},
		{"a sign and wider", describe[uint16](), describe[int32](), scalar("uint16", "int32", compat.SafeOldToNew, fits)},
		{"a sign of one width", describe[uint32](), describe[int32](), scalar("uint32", "int32", compat.Breaking, fits)},
		{"int to int64", describe[int](), describe[int64](), nil},
		{"small integer to float", describe[int16](), describe[float32](), scalar("int16", "float32", compat.SafeOldToNew, back)},
		{"integer to small float", describe[int32](), describe[float32](), scalar("int32", "float32", compat.Breaking, fits)},
		{"integer to float", describe[uint32](), describe[float64](), scalar("uint32", "float64", compat.SafeOldToNew, back)},
		{"long integer to float", describe[uint64](), describe[float64](), scalar("uint64", "float64", compat.Breaking, fits)},
		{"float to float", describe[float32](), describe[float64](), scalar("float32", "float64", compat.SafeOldToNew, fits)},
		{"bool to integer", describe[bool](), describe[uint8](), scalar("bool", "uint8", compat.SafeOldToNew, back)},
		{"bool to float", describe[bool](), describe[float32](), scalar("bool", "float32", compat.Breaking, none)},
		{"integer to string", describe[int8](), describe[string](), scalar("int8", "string", compat.Breaking, none)},
		{"complex", describe[complex64](), describe[complex128](), scalar("complex64", "complex128", compat.Breaking, none)},
		{"time to integer", describe[time.Time](), describe[int64](), scalar("time", "int64", compat.Breaking, none)},
		{"string to bytes", describe[string](), describe[[]byte](), scalar("string", "[]uint8", compat.Safe, "")},
		{"string to int8s", describe[string](), describe[[]int8](), scalar("string", "[]int8", compat.Breaking, none)},
		{"custom to bytes", describe[big.Int](), describe[[]byte](), scalar("custom", "[]uint8", compat.Breaking, none)},
		{"any to string", describe[any](), describe[string](), scalar("interface", "string", compat.Breaking, none)},
		{"to a pointer", describe[struct{ A int32 }](), describe[struct{ A *int32 }](), []change{retyped("A", "int32", "*int32", compat.SafeOldToNew, zero)}},
		{"to a pointer, wider", describe[int32](), describe[*int64](), scalar("int32", "*int64", compat.SafeOldToNew, zero+"; "+fits)},
		{"to a pointer, narrower", describe[int32](), describe[*int16](), scalar("int32", "*int16", compat.Breaking, zero+"; "+fits)},
		{"to a pointer to another", describe[int32](), describe[*string](), scalar("int32", "*string", compat.Breaking, none)},
		{"to a pointer to a pointer", describe[int32](), describe[**int32](), scalar("int32", "**int32", compat.SafeOldToNew, zero)},
		{"one pointer more", describe[*int32](), describe[**int32](), scalar("*int32", "**int32", compat.SafeOldToNew, zero)},
		{"of pointers", describe[*int32](), describe[*int64](), scalar("*int32", "*int64", compat.SafeOldToNew, fits)},
		{"of a struct to a pointer", describe[struct{ P point }](), describe[struct{ P *struct{ Y int64 } }](), []change{
			retyped("P", "struct #1", "*struct #2", compat.SafeOldToNew, zero),
			{Path: "P.X", What: compat.Removed, Old: "int32", Verdict: compat.Safe},
			retyped("P.Y", "int32", "int64", compat.SafeOldToNew, fits)}},
		{"of a string to a pointer to bytes", describe[string](), describe[*[]byte](), scalar("string", "*[]uint8", compat.SafeOldToNew, zero)},
		{"of elements", describe[[]int32](), describe[[]int64](), []change{retyped("[]", "int32", "int64", compat.SafeOldToNew, fits)}},
		{"array to slice", describe[[3]int32](), describe[[]int32](), scalar("[3]int32", "[]int32", compat.SafeOldToNew, size)},
		{"array to slice, of elements too", describe[[3]int32](), describe[[]int8](), []change{
			retyped("", "[3]int32", "[]int8", compat.SafeOldToNew, size), retyped("[]", "int32", "int8", compat.SafeNewToOld, fits)}},
		{"array of another length", describe[[3]int32](), describe[[4]int32](), scalar("[3]int32", "[4]int32", compat.Breaking, size)},
		{"map to slice", describe[map[string]int8](), describe[[]int8](), scalar("map[string]int8", "[]int8", compat.Breaking, none)},
		{"of a map", describe[map[int8]float32](), describe[map[int16]string](), []change{
			retyped("[key]", "int8", "int16", compat.SafeOldToNew, fits), retyped("[]", "float32", "string", compat.Breaking, none)}},
		{"of a key's fields", describe[map[struct{ A, B int8 }]point](), describe[map[struct{ A, C int8 }]struct{ X int32 }](), []change{
			{Path: "[key].B", What: compat.Removed, Old: "int8", Verdict: compat.SafeNewToOld, Note: one},
			{Path: "[key].C", What: compat.Added, New: "int8", Verdict: compat.SafeOldToNew, Note: one},
			{Path: "[].Y", What: compat.Removed, Old: "int32", Verdict: compat.Safe}}},
		{"in an array in a slice in a map", describe[struct{ M map[string][][2]point }](), describe[struct {
			M map[string][][2]struct {
				X int32
				Y *int32
			}
		}](), []change{retyped("M[][][].Y", "int32", "*int32", compat.SafeOldToNew, zero)}},
		{"of a list", describe[list1](), describe[list2](), []change{retyped("V", "int32", "int64", compat.SafeOldToNew, fits)}},
		{"of a tree", describe[tree1](), describe[tree2](), []change{
			{Path: "More", What: compat.Added, New: "bool", Verdict: compat.Safe}, retyped("Kids[]", "struct #0", "*struct #0", compat.SafeOldToNew, zero)}},
		{"of a loop", describe[loop](), describe[int32](), scalar("*********...", "int32", compat.Breaking, none)},
		{"of a nest", describe[nest1](), describe[nest2](), []change{retyped("[]", "[][][][][][][][][]...", "*[]*[]*[]*[]*...", compat.SafeOldToNew, zero)}},
		{"behind two paths", describe[struct{ A, B []point }](), describe[struct{ A, B []struct{ X, Y int64 } }](), []change{
			retyped("A[].X", "int32", "int64", compat.SafeOldToNew, fits), retyped("A[].Y", "int32", "int64", compat.SafeOldToNew, fits)}},
		{"an odd name", describe[struct {
			A struct{ B int8 } `ashlar:"a.b\x1b"`
		}](), describe[struct {
			A struct{ B int16 } `ashlar:"a.b\x1b"`
		}](), []change{retyped(`"a.b\x1b".B`, "int8", "int16", compat.SafeOldToNew, fits)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := compat.Check(c.old, c.new)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			back, err := compat.Check(c.new, c.old)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(summary(got), mirrored(back)); d != "" {
				t.Errorf("the way back (-want +got):\n%s", d)
			}
		})
	}
}

// summary is each change by its path, or how many there are for what is free to choose.
func summary(changes []compat.Change) map[string]string {
	m, moves := map[string]string{}, 0
	for _, c := range changes {
		if c.What == compat.Moved {
			moves++
			continue
		}
		m[c.Path+" "+c.What.String()] = fmt.Sprint(c.Old, c.New, c.Verdict)
	}
	m["moves"] = fmt.Sprint(moves)
	return m
}

// mirrored is the summary of the changes the other way round.
func mirrored(changes []compat.Change) map[string]string {
	var m []compat.Change
	for _, c := range changes {
		c.Old, c.New = c.New, c.Old
		c.Verdict = c.Verdict&compat.SafeOldToNew<<1 | c.Verdict&compat.SafeNewToOld>>1
		switch c.What {
		case compat.Added:
			c.What = compat.Removed
		case compat.Removed:
			c.What = compat.Added
		}
		m = append(m, c)
	}
	return summary(m)
}

// TestCheckRefuses: what is no description is an error, which names the side.
func TestCheckRefuses(t *testing.T) {
	good := describe[point]()
	if _, err := compat.Check(good[:3], good); !errors.Is(err, format.ErrTruncated) || !strings.Contains(err.Error(), "old") {
		t.Errorf("old: %v", err)
	}
	if _, err := compat.Check(good, append(good, 0)); !errors.Is(err, format.ErrCorrupt) || !strings.Contains(err.Error(), "new") {
		t.Errorf("new: %v", err)
	}
}

// TestCheckEnds: cycles whose product is long are a limit, soon.
func TestCheckEnds(t *testing.T) {
	ring := func(n int) []byte {
		d := binary.AppendUvarint(nil, uint64(n))
		for i := range n {
			d = binary.AppendUvarint(append(d, 16), uint64((i+1)%n))
		}
		return d
	}
	if changes, err := compat.Check(ring(97), ring(101)); err != nil || len(changes) > 0 {
		t.Errorf("%v, %v", changes, err)
	}
	if _, err := compat.Check(ring(9973), ring(9967)); !errors.Is(err, format.ErrLimit) {
		t.Errorf("%v, want ErrLimit", err)
	}
	deep := func(last byte) []byte {
		d := binary.AppendUvarint(nil, 9001)
		for i := range 9000 {
			d = binary.AppendUvarint(append(d, 16), uint64(i+1))
		}
		return append(d, last)
	}
	changes, err := compat.Check(deep(2), deep(3))
	if err != nil || len(changes) != 1 || !strings.Contains(changes[0].Path, "[]...(8960 more)[]") || len(changes[0].Path) > 200 {
		t.Errorf("%v, %v", changes, err)
	}
}

// FuzzCheck: whatever the bytes, two descriptions are compared or refused, and the way
// back has the same changes.
func FuzzCheck(f *testing.F) {
	for _, d := range [][]byte{describe[list1](), describe[tree1](), describe[nest1](), describe[loop](), describe[map[[2]int8][3]*point]()} {
		for _, e := range [][]byte{describe[list2](), describe[tree2](), describe[nest2](), describe[any](), describe[map[[2]int16][]point]()} {
			f.Add(d, e)
		}
	}
	f.Fuzz(func(t *testing.T, old, new []byte) {
		changes, err := compat.Check(old, new)
		back, backErr := compat.Check(new, old)
		if (err == nil) != (backErr == nil) {
			t.Fatalf("%v, and back %v", err, backErr)
		}
		if d := cmp.Diff(len(changes), len(back)); d != "" {
			t.Fatalf("%v\n%v", changes, back)
		}
		if same, err := compat.Check(old, old); err == nil && len(same) > 0 {
			t.Fatalf("a type and itself: %v", same)
		}
	})
}

func ExampleCheck() {
	type Old struct {
		ID   int32
		Name string
	}
	type New struct {
		Name string
		ID   int64
		Tags []string
	}
	old, _ := compat.Describe[Old]()
	new, _ := compat.Describe[New]()
	changes, err := compat.Check(old, new)
	for _, c := range changes {
		fmt.Println(c.Verdict, c.Path, c.What)
	}
	fmt.Println(err)
	// Output:
	// safe ID field moved
	// safe Tags field added
	// safe old to new ID type changed
	// <nil>
}

package format_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// listMessage is the message of a list of n nodes, made without a writer.
func listMessage(n int) []byte {
	words := make([]uint64, 2*n) // value and its gap, ref
	for i := range n {
		words[2*i] = uint64(i + 1)
		if i < n-1 {
			words[2*i+1] = ref(1, 1)
		}
	}
	return craft(reflect.TypeFor[List](), words...)
}

// TestDepthIsSymmetrical: what can be written can be read back under the same
// limit, and beyond it the writer errs as the reader does (C12, B34, §3.5).
func TestDepthIsSymmetrical(t *testing.T) {
	check := func(t *testing.T, limit int, opts ...format.Option) {
		c := must(forget[List](opts...))
		counts := []int{1, 2, 21, limit / 2, limit - 1, limit, limit + 1, limit + 2, limit + 100}
		if limit > 10_000 {
			counts = counts[6:8]
		}
		for _, nodes := range counts {
			if nodes < 1 {
				continue
			}
			refs := nodes - 1
			v, msg := listOf(nodes), listMessage(nodes)
			fits := refs <= limit
			result := func(name string, err error) {
				t.Helper()
				if fits && err != nil {
					t.Errorf("%s of %d refs on one path: %v", name, refs, err)
				}
				if !fits && !errors.Is(err, format.ErrLimit) {
					t.Errorf("%s of %d refs on one path: %v, want ErrLimit", name, refs, err)
				}
				if !fits && err != nil && !strings.Contains(err.Error(), fmt.Sprint(limit)) {
					t.Errorf("%s: the error does not name the limit %d: %v", name, limit, err)
				}
			}
			got, err := c.Append(nil, v)
			result("Append", err)
			if fits && string(got) != string(msg) {
				t.Errorf("%d refs: %s", refs, firstDifference(got, msg))
			}
			_, err = c.Size(v)
			result("Size", err)
			result("Verify", c.Verify(msg))
			for _, d := range decodes[:3] {
				target := new(List)
				err := d.call(c, msg, target)
				result(d.name, err)
				if fits {
					if diff := difference(target, v); diff != "" {
						t.Errorf("%s of %d refs gives%s", d.name, refs, diff)
					}
				}
			}
		}
	}
	t.Run("default", func(t *testing.T) { check(t, 10_000) })
	t.Run("lowered", func(t *testing.T) { check(t, 5, format.WithMaxDepth(5)) })
	t.Run("one", func(t *testing.T) { check(t, 1, format.WithMaxDepth(1)) })
	if !thin() {
		t.Run("raised", func(t *testing.T) { check(t, 100_000, format.WithMaxDepth(100_000)) })
	}
}

// TestDepthCountsRefsOfEveryKind: slices and pointers to what can hold refs count,
// strings and objects without refs do not (§3.5).
func TestDepthCountsRefsOfEveryKind(t *testing.T) {
	type flat struct{ A int32 }
	rows := []struct {
		depth int
		c     *codec
		v     any
	}{
		{0, must(forget[string](format.WithMaxDepth(1))), new("x")},
		{0, must(forget[[]int32](format.WithMaxDepth(1))), &[]int32{1}},
		{0, must(forget[*flat](format.WithMaxDepth(1))), new(&flat{1})},
		{1, must(forget[[]string](format.WithMaxDepth(1))), &[]string{"x"}},
		{1, must(forget[[][]byte](format.WithMaxDepth(1))), &[][]byte{{1}}},
		{2, must(forget[[][][]byte](format.WithMaxDepth(1))), &[][][]byte{{{1}}}},
		{1, must(forget[**string](format.WithMaxDepth(1))), new(new(new("x")))},
		{1, must(forget[**flat](format.WithMaxDepth(1))), new(new(&flat{1}))},
		{2, must(forget[***flat](format.WithMaxDepth(1))), new(new(new(&flat{1})))},
		{0, must(forget[**int](format.WithMaxDepth(1))), new(new(new(1)))},
		{1, must(forget[***int](format.WithMaxDepth(1))), new(new(new(new(1))))},
		{2, must(forget[[]*[]string](format.WithMaxDepth(1))), &[]*[]string{new([]string{"x"})}},
		{0, must(forget[[][]string](format.WithMaxDepth(1))), &[][]string{}},
		{1, must(forget[[][]string](format.WithMaxDepth(1))), &[][]string{{}}},
		{2, must(forget[[][]string](format.WithMaxDepth(1))), &[][]string{{""}}},
		{2, must(forget[Nest](format.WithMaxDepth(1))), &Nest{{{}}}},
		// What cannot hold refs is no step, plain or not.
		{0, must(forget[[]Optionals](format.WithMaxDepth(1))), &[]Optionals{{}}},
		{1, must(forget[[][]Optionals](format.WithMaxDepth(1))), &[][]Optionals{{{}}}},
		{1, must(forget[[][]*int8](format.WithMaxDepth(1))), &[][]*int8{{nil, new(int8(1))}}},
		{1, must(forget[[]*Optionals](format.WithMaxDepth(1))), &[]*Optionals{nil, {}}},
		{1, must(forget[[]*bulky](format.WithMaxDepth(1))), &[]*bulky{nil, {}}},
		{1, must(forget[[][]bulky](format.WithMaxDepth(1))), &[][]bulky{{{}}}},
		{1, must(forget[[][][0]string](format.WithMaxDepth(1))), &[][][0]string{{{}}}},
		// Siblings are not on one path.
		{1, must(forget[[]string](format.WithMaxDepth(1))), &[]string{"x", "y", "z"}},
		{1, must(forget[[3][]string](format.WithMaxDepth(1))), &[3][]string{{"x"}, {"y"}, {"z"}}},
		{1, must(forget[[3]*struct{ S string }](format.WithMaxDepth(1))), &[3]*struct{ S string }{{"x"}, {"y"}, {"z"}}},
		{1, must(forget[struct {
			A, B *struct{ S string }
			C, D []string
		}](format.WithMaxDepth(1))), &struct {
			A, B *struct{ S string }
			C, D []string
		}{&struct{ S string }{"x"}, &struct{ S string }{"x"}, []string{"y"}, []string{"z"}}},
	}
	for _, r := range rows {
		msg := mustModelEncode(r.v)
		fits := r.depth <= 1
		if _, err := modelEncodeDepth(reflect.ValueOf(r.v).Elem(), 1); (err == nil) != fits {
			t.Errorf("%v: the model counts otherwise: %v", r.c.Type(), err)
		}
		_, err := r.c.Append(nil, r.v)
		errs := map[string]error{"Append": err, "Verify": r.c.Verify(msg)}
		_, errs["Size"] = r.c.Size(r.v)
		for _, d := range decodes[:3] {
			errs[d.name] = d.call(r.c, msg, reflect.New(r.c.Type()).Interface())
		}
		for name, err := range errs {
			if fits && err != nil || !fits && !errors.Is(err, format.ErrLimit) {
				t.Errorf("%s of a %v %d deep under a limit of 1: %v", name, r.c.Type(), r.depth, err)
			}
		}
	}
}

// TestSiblingsAreNotDeep: there may be far more refs in a message than on a path.
func TestSiblingsAreNotDeep(t *testing.T) {
	skipWhenSlow(t)
	const many = 10_500 // more than modelMaxDepth
	slices, pointers, kids := make([][]string, many), make([]*Tree, many), Tree{Kids: make([]Tree, many)}
	for i := range many {
		slices[i] = []string{"x"}
		pointers[i] = &Tree{Left: &Tree{Kids: []Tree{{}}}}
		kids.Kids[i] = Tree{Left: &Tree{}, Kids: []Tree{{Name: "x"}}}
	}
	for _, r := range []row{of("slices", slices), of("pointers", pointers), of("kids", kids)} {
		c := r.codec(t)
		v := r.values[0]
		want := mustModelEncode(v)
		got, err := c.Append(nil, v)
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: Append: %v", r.name, err)
		}
		if n, err := c.Size(v); err != nil || n != len(want) {
			t.Errorf("%s: Size: %d, %v", r.name, n, err)
		}
		if err := c.Verify(want); err != nil {
			t.Errorf("%s: Verify: %v", r.name, err)
		}
		for _, d := range decodes {
			target := reflect.New(r.typ).Interface()
			for range 2 {
				if err := d.call(c, want, target); err != nil {
					t.Errorf("%s: %s: %v", r.name, d.name, err)
				} else if diff := difference(target, v); diff != "" {
					t.Errorf("%s: %s gives%s", r.name, d.name, diff)
				}
			}
		}
	}
}

const childEnv = "ASHLAR_TEST_CHILD"

// TestDeepChild is not a test but what runs in the children of the next one.
func TestDeepChild(t *testing.T) {
	what := os.Getenv(childEnv)
	if what == "" {
		t.Skip("runs only as a child")
	}
	debug.SetMaxStack(256 << 20)
	const deep = 10_000_000
	c := must(forget[List]())
	limit := func(name string, err error) {
		if !errors.Is(err, format.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", name, err)
		}
	}
	switch what {
	case "encode":
		v := listOf(deep)
		_, err := c.Append(nil, v)
		limit("Append", err)
		_, err = c.Size(v)
		limit("Size", err)
		_, err = format.Marshal(v)
		limit("Marshal", err)
	case "decode":
		msg := listMessage(deep)
		limit("Verify", c.Verify(msg))
		for _, d := range decodes {
			limit(d.name, d.call(c, msg, new(List)))
		}
	case "reuse":
		// The target is deep, the message is not.
		msg := listMessage(100)
		for _, d := range decodes {
			v := listOf(deep)
			if err := d.call(c, msg, v); err != nil {
				t.Errorf("%s: %v", d.name, err)
			}
		}
	case "diamond":
		// Sharing is written in full, which only a limit on the message ends (§7):
		// 2^40 nodes here.
		v := &chain{Name: "bottom"}
		for range 40 {
			v = &chain{Next: v, Prev: v}
		}
		c := must(forget[chain](format.WithMaxMessage(1 << 20)))
		_, err := c.Append(nil, v)
		limit("Append", err)
		_, err = c.Size(v)
		limit("Size", err)
		limit("Encode", c.Encode(buffer.New(1<<21), v))
	case "nest", "loop", "tree":
		words := make([]uint64, deep)
		for i := range words[1:] {
			words[i] = ref(1, 1)
		}
		typ := reflect.TypeFor[Nest]()
		c := must(forget[Nest]())
		if what == "loop" {
			typ, c = reflect.TypeFor[Loop](), must(forget[Loop]())
		}
		if what == "tree" {
			// Left, at offset 8 of 32 bytes, of each is the next.
			for i := range words {
				words[i] = 0
			}
			for i := 1; i+4 < deep; i += 4 {
				words[i] = ref(3, 1)
			}
			words = words[:deep/4*4]
			words[len(words)-3] = 0
			typ, c = reflect.TypeFor[Tree](), must(forget[Tree]())
		}
		msg := craft(typ, words...)
		limit("Verify", c.Verify(msg))
		for _, d := range decodes {
			limit(d.name, d.call(c, msg, reflect.New(typ).Interface()))
		}
	}
}

// TestDeepValuesAndMessages: ten million refs on one path are ErrLimit in every
// path (B46), and so is sharing that multiplies. Neither a stack overflow nor a hang
// can be recovered from, hence the children.
func TestDeepValuesAndMessages(t *testing.T) {
	if testing.Short() || emulated {
		t.Skip("starts itself again, on 10^7 nodes")
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	for _, what := range []string{"encode", "decode", "reuse", "nest", "loop", "tree", "diamond"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
			defer cancel()
			cmd := exec.CommandContext(ctx, self, "-test.run=^TestDeepChild$", "-test.v")
			cmd.Env = append(os.Environ(), childEnv+"="+what)
			out, err := cmd.CombinedOutput()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Skipf("cannot start a child here: %v", err)
			}
			if err != nil || !strings.Contains(string(out), "--- PASS: TestDeepChild") {
				t.Errorf("%v, %v\n%.4000s", err, ctx.Err(), out)
			}
		})
	}
}

// TestLongListMessageIsALimit is the same in this process, a million deep.
func TestLongListMessageIsALimit(t *testing.T) {
	n := 1_000_000
	if thin() {
		n = 50_000
	}
	msg := listMessage(n)
	c := must(forget[List]())
	for _, d := range decodes {
		if err := d.call(c, msg, new(List)); !errors.Is(err, format.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", d.name, err)
		}
	}
	if err := c.Verify(msg); !errors.Is(err, format.ErrLimit) {
		t.Errorf("Verify: %v, want ErrLimit", err)
	}
	if f, err := format.Peek(msg); err != nil || f != binary.LittleEndian.Uint64(msg[8:]) {
		t.Errorf("Peek: %016x, %v", f, err)
	}
}

// SPEC §3.5: only following a ref to an object that can itself hold refs is a step. The entries
// of map[int8]int8 hold none, so under a limit of 1 it may stand in a slice.
func TestDepthOfMapsWithoutRefs(t *testing.T) {
	c := must(forget[[]map[int8]int8](format.WithMaxDepth(1)))
	v := &[]map[int8]int8{{1: 2}}
	msg, err := modelEncode(v)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Append(nil, v); err != nil {
		t.Errorf("Append: %v", err)
	}
	if _, err := c.Size(v); err != nil {
		t.Errorf("Size: %v", err)
	}
	if err := c.Verify(msg); err != nil {
		t.Errorf("Verify: %v", err)
	}
	for _, d := range decodes[:3] {
		if err := d.call(c, msg, new([]map[int8]int8)); err != nil {
			t.Errorf("%s: %v", d.name, err)
		}
	}
}

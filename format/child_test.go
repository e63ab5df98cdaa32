package format_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// children are what TestChild does in processes of its own, by name: what would end
// the process or must begin in a fresh one.
var children = map[string]func(t *testing.T){
	"any": childDeepAny, "methods": childMethods, "cats first": childCatsFirst, "cats last": childCatsLast,
}

const childrenEnv = "ASHLAR_TEST_CHILDREN"

// TestChild is not a test but what runs in the children of others.
func TestChild(t *testing.T) {
	what := os.Getenv(childrenEnv)
	if what == "" {
		t.Skip("runs only as a child")
	}
	debug.SetMaxStack(256 << 20)
	debug.SetMemoryLimit(1 << 30)
	children[what](t)
}

// runChild starts this program again to do one thing, and returns what it wrote as hex
// after a colon.
func runChild(t *testing.T, what string, stdin []byte) []byte {
	t.Helper()
	if emulated {
		t.Skip("cannot start itself")
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, "-test.run=^TestChild$", "-test.v", fmt.Sprintf("-test.short=%v", testing.Short()))
	cmd.Env = append(os.Environ(), childrenEnv+"="+what)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skipf("cannot start a child here: %v", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: TestChild") {
		t.Fatalf("%v, %v\n%.4000s", err, ctx.Err(), out)
	}
	_, after, _ := strings.Cut(string(out), "wrote:")
	digits, _, _ := strings.Cut(after, "\n")
	b, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What two programs have of the same names: types of other packages, and of one.
type (
	catHere struct {
		Name string
		Legs int8
	}
	catThere struct {
		Name string
		Legs int8
	}
	spot struct{ X, Y int }
)

// Names alone must decide which type a box holds.
func caseTwoRegistries(t *testing.T) {
	first := runChild(t, "cats first", nil)
	if len(first) == 0 {
		t.Fatal("nothing was written")
	}
	last := runChild(t, "cats last", first)
	if !bytes.Equal(first, last) {
		t.Errorf("the two write other bytes: %s", firstDifference(last, first))
	}
	if again := runChild(t, "cats first", last); !bytes.Equal(again, first) {
		t.Errorf("and back: %s", firstDifference(again, first))
	}
}

func childCatsFirst(t *testing.T) {
	format.Register[catHere]("cat")
	format.Register[image.Point]("spot")
	format.Register[*catHere]("*cat")
	format.Register[map[string]catHere]("cats")
	format.Register[struct{ A int8 }]("noise")
	exchange(t, []any{catHere{"a", 4}, image.Pt(1, 2), &catHere{"b", 3}, map[string]catHere{"c": {"c", 4}}, map[any]any{catHere{"k", 1}: image.Pt(3, 4), image.Pt(5, 6): nil}})
}

func childCatsLast(t *testing.T) {
	format.Register[map[string]catThere]("cats")
	format.Register[*catThere]("*cat")
	format.Register[spot]("spot")
	format.Register[struct{ B int16 }]("other noise")
	format.Register[catThere]("cat")
	exchange(t, []any{catThere{"a", 4}, spot{1, 2}, &catThere{"b", 3}, map[string]catThere{"c": {"c", 4}}, map[any]any{catThere{"k", 1}: spot{3, 4}, spot{5, 6}: nil}})
}

// exchange reads the message that it is given, if any, which must be v, and writes v.
func exchange(t *testing.T, v []any) {
	in, err := io.ReadAll(os.Stdin)
	if err != nil {
		t.Fatal(err)
	}
	if len(in) > 0 {
		var got []any
		if err := format.Unmarshal(in, &got); err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprintf("%T %T %T %T", got[0], got[1], got[2], got[3]), fmt.Sprintf("%T %T %T %T", v[0], v[1], v[2], v[3]); a != b || fmt.Sprint(got[0], got[1], got[3]) != fmt.Sprint(v[0], v[1], v[3]) {
			t.Errorf("%s: %v, want %s: %v", a, got, b, v)
		}
		v = got
	}
	msg, err := format.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("wrote:%x\n", msg)
}

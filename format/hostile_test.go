package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// victim is a codec under attack. Its targets live through all inputs, so that a
// failed decode has to leave them fit for the next.
type victim struct {
	c       *codec
	memory  *guarded
	decoded any
	reused  any
	aliased any
}

const maxHostile = 1 << 16 // bytes of the inputs that are placed against guard pages

func newVictim(t testing.TB, c *codec) *victim {
	faultsPanic(t)
	return &victim{
		c: c, memory: newGuarded(t, maxHostile),
		decoded: reflect.New(c.Type()).Interface(),
		reused:  reflect.New(c.Type()).Interface(),
		aliased: reflect.New(c.Type()).Interface(),
	}
}

// hostileCall is one way into the package with bytes of a stranger. It gives what
// it decoded, or nil where it only looks.
type hostileCall struct {
	name string
	call func(x *victim, msg []byte) (any, error)
}

var hostileCalls = []hostileCall{
	{"Decode", func(x *victim, msg []byte) (any, error) {
		v := reflect.New(x.c.Type()).Interface()
		return v, x.c.Decode(msg, v)
	}},
	{"DecodeReuse", func(x *victim, msg []byte) (any, error) { return x.reused, x.c.DecodeReuse(msg, x.reused) }},
	{"DecodeAlias", func(x *victim, msg []byte) (any, error) { return x.aliased, x.c.DecodeAlias(msg, x.aliased) }},
	{"DecodeAlias fresh", func(x *victim, msg []byte) (any, error) {
		v := reflect.New(x.c.Type()).Interface()
		return v, x.c.DecodeAlias(msg, v)
	}},
	{"Unmarshal", func(x *victim, msg []byte) (any, error) {
		v := reflect.New(x.c.Type()).Interface()
		return v, format.Unmarshal(msg, v)
	}},
	{"Verify", func(x *victim, msg []byte) (any, error) { return nil, x.c.Verify(msg) }},
}

// calls are those that know the victim's messages: Unmarshal does not keep track of
// shared references.
func (x *victim) calls() []hostileCall {
	if x.c.refs {
		return slices.DeleteFunc(slices.Clone(hostileCalls), func(h hostileCall) bool { return h.name == "Unmarshal" })
	}
	return hostileCalls
}

// isMethods reports whether it is a type's own method that refuses the message.
func isMethods(err error) bool {
	var refused *modelError
	return errors.As(err, &refused) && refused.class == classMethod
}

// attack lets every entry point read input where the byte behind it cannot be
// read, and then where the byte before it cannot. All must say the same: an error
// of a known class, or the model's value. It returns the model's verdict.
func (x *victim) attack(t testing.TB, input []byte) error {
	model, modelErr := modelDecodeWith(input, x.c.Type(), x.c.options())
	for _, place := range []func([]byte) []byte{x.memory.before, x.memory.behind} {
		msg := place(input)
		for _, h := range x.calls() {
			start := time.Now()
			v, err := x.guardedCall(t, h, msg)
			if d := time.Since(start); d > tooLong {
				t.Fatalf("%s took %v of\n%s", h.name, d, hexInput(x.c, input))
			}
			if h.name == "Verify" && err == nil && isMethods(modelErr) {
				continue // it calls no methods
			}
			if (err == nil) != (modelErr == nil) {
				t.Fatalf("%s says %v, the model %v of\n%s", h.name, err, modelErr, hexInput(x.c, input))
			}
			if err != nil {
				if bad := unclassified(err, len(msg)); bad != "" {
					t.Fatalf("%s: %s of\n%s", h.name, bad, hexInput(x.c, input))
				}
				continue
			}
			if v == nil {
				continue
			}
			if d := x.c.difference(v, model.Interface()); d != "" {
				t.Fatalf("%s differs from the model%s of\n%s", h.name, d, hexInput(x.c, input))
			}
		}
		if !bytes.Equal(msg, input) {
			t.Fatalf("a reader wrote into\n%s", hexInput(x.c, input))
		}
		x.peek(t, msg)
	}
	if modelErr == nil {
		x.again(t, input, model.Interface())
	}
	return modelErr
}

const tooLong = 5 * time.Second // for one reading of one small input, on a slow and busy machine

func (x *victim) guardedCall(t testing.TB, h hostileCall, msg []byte) (v any, err error) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("%s panics: %v of\n%s", h.name, r, hexInput(x.c, msg))
		}
	}()
	return h.call(x, msg)
}

// reporter is what the checks need of a testing.TB.
type reporter interface {
	Helper()
	Fatalf(format string, args ...any)
}

// peek is for the calls that look at the header alone.
func (x *victim) peek(t reporter, msg []byte) {
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("Next or Peek panics: %v of\n%s", r, hexInput(x.c, msg))
		}
	}()
	first, rest, err := format.Next(msg)
	if err != nil {
		if bad := unclassified(err, len(msg)); bad != "" {
			t.Fatalf("Next: %s of\n%s", bad, hexInput(x.c, msg))
		}
	} else if len(first)+len(rest) != len(msg) || len(first) < modelHeader ||
		len(first) != 8*int(binary.LittleEndian.Uint32(msg[4:])) || cap(first) != len(first) {
		t.Fatalf("Next splits %d bytes into %d (cap %d) and %d of\n%s", len(msg), len(first), cap(first), len(rest), hexInput(x.c, msg))
	}
	fingerprint, err := format.Peek(msg)
	if err != nil {
		if bad := unclassified(err, len(msg)); bad != "" {
			t.Fatalf("Peek: %s of\n%s", bad, hexInput(x.c, msg))
		}
	} else if fingerprint != binary.LittleEndian.Uint64(msg[8:]) {
		t.Fatalf("Peek gives %016x of\n%s", fingerprint, hexInput(x.c, msg))
	}
}

// again writes what was read, which must give a message of the same value.
func (x *victim) again(t reporter, input []byte, v any) {
	msg, err := x.c.Append(nil, x.reused)
	if err != nil {
		t.Fatalf("Append of what was decoded: %v of\n%s", err, hexInput(x.c, input))
	}
	if want, err := modelEncodeWith(reflect.ValueOf(v).Elem(), x.c.options()); err != nil || !bytes.Equal(msg, want) {
		t.Fatalf("what was decoded is written otherwise than by the model: %v, %s, of\n%s", err, firstDifference(msg, want), hexInput(x.c, input))
	}
	back := reflect.New(x.c.Type()).Interface()
	if err := x.c.Decode(msg, back); err != nil {
		t.Fatalf("Decode of what was decoded and encoded: %v of\n%s", err, hexInput(x.c, input))
	}
	if d := x.c.difference(back, v); d != "" {
		t.Fatalf("Decode of what was decoded and encoded differs%s of\n%s", d, hexInput(x.c, input))
	}
}

func hexInput(c *codec, input []byte) string {
	if len(input) > 2048 {
		return fmt.Sprintf("%v: %d bytes, the first of them % x", c.Type(), len(input), input[:256])
	}
	return fmt.Sprintf("%v: %x", c.Type(), input)
}

// unclassified says what is wrong with an error of a reader of n bytes, or "".
func unclassified(err error, n int) string {
	var e *format.Error
	if !errors.As(err, &e) {
		return fmt.Sprintf("%T is no *format.Error: %v", err, err)
	}
	known := false
	for _, class := range []error{format.ErrSchema, format.ErrCorrupt, format.ErrTruncated, format.ErrLimit} {
		known = known || errors.Is(err, class)
	}
	switch {
	case !known:
		return fmt.Sprintf("an error of no known class: %v", err)
	case e.Op == "":
		return fmt.Sprintf("an error without Op: %v", err)
	case e.Offset < -1 || e.Offset > int64(n):
		return fmt.Sprintf("an error at %d of %d bytes: %v", e.Offset, n, err)
	case e.Error() == "":
		return "an error without text"
	}
	return ""
}

// mutations gives each mutation of msg that is tried, in memory that is reused.
func mutations(msg []byte, step int, try func(input []byte)) {
	input := make([]byte, 0, len(msg)+64)
	fresh := func() []byte { input = append(input[:0], msg...); return input }
	turn := 0
	skip := func() bool { turn++; return turn%step != 0 }

	for n := range len(msg) { // prefixes
		if !skip() {
			try(fresh()[:n])
		}
	}
	for n := 2; n < len(msg)/8; n++ { // prefixes that say they are whole
		if !skip() {
			short := fresh()[:n*8]
			binary.LittleEndian.PutUint32(short[4:], uint32(n))
			try(short)
		}
	}
	for _, extra := range []int{1, 7, 8, 64} { // what follows, owned up to or not
		long := append(fresh(), make([]byte, extra)...)
		try(long)
		if extra%8 == 0 {
			binary.LittleEndian.PutUint32(long[4:], uint32(len(long)/8))
			try(long)
		}
	}
	for i := range len(msg) * 8 { // single bits
		if !skip() {
			fresh()[i/8] ^= 1 << (i % 8)
			try(input)
		}
	}
	n := uint64(len(msg))
	halves := []uint64{
		0, 1, 2, 7, 8, 16, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 1, 1<<32 - 2, 0x55555555, 0x10000000, 0x1fffffff, 0x20000000,
		n, n - 1, n + 1, n / 8, n/8 - 1, n/8 + 1, n - 16, n/8 - 2,
	}
	for at := 0; at < len(msg); at += 4 {
		left := (n - uint64(at)) / 8
		for _, x := range append(halves[:len(halves):len(halves)], left, left-1, left+1, -uint64(at)/8, -uint64(at-16)/8) {
			if skip() {
				continue
			}
			binary.LittleEndian.PutUint32(fresh()[at:], uint32(x))
			try(input)
			if at%8 == 0 {
				// As a whole word, and as a ref of such a distance or count.
				for _, word := range []uint64{x, x<<32 | 1, 1<<32 | x&(1<<32-1), ^uint64(0), 1 << 63} {
					binary.LittleEndian.PutUint64(fresh()[at:], word)
					try(input)
				}
			}
		}
	}
}

// TestHostileMutations damages each golden message in every small way.
func TestHostileMutations(t *testing.T) {
	step := strided(1, 13)
	for _, r := range goldens() {
		t.Run(r.name, func(t *testing.T) {
			x := newVictim(t, r.codec(t))
			msg := r.encode(r.values[0])
			if err := x.attack(t, msg); err != nil {
				t.Fatalf("the undamaged message: %v", err)
			}
			tried, valid := 0, 0
			mutations(msg, step*(1+len(msg)/120), func(input []byte) {
				tried++
				if x.attack(t, input) == nil {
					valid++
				}
			})
			if tried == 0 {
				t.Error("nothing was tried")
			}
			t.Logf("%d inputs, %d of them valid", tried, valid)
		})
	}
}

// TestHostileAllocation: no input of n bytes makes a decode allocate more than
// 64 KiB + K·n.
func TestHostileAllocation(t *testing.T) {
	skipWhenSlow(t)
	step := strided(5, 31)
	for _, r := range goldens() {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			var batch [][]byte
			flush := func() { checkAllocation(t, c, batch); batch = batch[:0] }
			mutations(r.encode(r.values[0]), step, func(input []byte) {
				batch = append(batch, bytes.Clone(input))
				if len(batch) == 64 {
					flush()
				}
			})
			flush()
		})
	}
}

// checkAllocation holds what decoding the inputs allocates to the bound of one:
// if all together keep within it, so does each. Otherwise it looks closer.
func checkAllocation(t reporter, c *codec, inputs [][]byte) {
	t.Helper()
	if len(inputs) == 0 {
		return
	}
	smallest := len(inputs[0])
	for _, in := range inputs {
		smallest = min(smallest, len(in))
	}
	bound := uint64(64<<10 + c.Expansion()*smallest)
	for i, d := range decodes {
		targets := make([]any, len(inputs))
		for j := range targets {
			targets[j] = reflect.New(c.Type()).Interface()
		}
		got := allocated(func() {
			for j, in := range inputs {
				_ = d.call(c, in, targets[j])
			}
		})
		if got <= bound {
			continue
		}
		if len(inputs) > 1 {
			checkAllocation(t, c, inputs[:len(inputs)/2])
			checkAllocation(t, c, inputs[len(inputs)/2:])
			return
		}
		t.Fatalf("%s allocates %d bytes, more than 64 KiB + %d·%d, of\n%s", decodes[i].name, got, c.Expansion(), smallest, hexInput(c, inputs[0]))
	}
}

// allocated is how many bytes f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

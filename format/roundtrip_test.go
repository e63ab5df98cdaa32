package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestRoundTrip takes every value of the table through everything that writes
// and reads, and holds the bytes against the model's.
func TestRoundTrip(t *testing.T) {
	for _, r := range table() {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			values := r.all(thinned(6))
			for i, v := range values {
				want, err := modelEncode(v)
				if err != nil {
					t.Fatalf("value %d: the model refuses it: %v", i, err)
				}
				if back, err := modelDecode(want, r.typ); err != nil {
					t.Fatalf("value %d: the model refuses its own message: %v", i, err)
				} else if d := difference(v, back.Interface()); d != "" {
					t.Fatalf("value %d: the model loses%s", i, d)
				}
				checkBytes(t, c, i, v, want)
				if t.Failed() {
					return
				}
				checkFixedBuffer(t, c, i, v, want)
				checkDecodes(t, c, i, v, want, values)
				checkMisaligned(t, c, i, v, want)
				if t.Failed() {
					return
				}
			}
			checkOffHeap(t, c, values)
			checkAliasChain(t, c, values)
		})
	}
}

// TestDescription holds descriptions and fingerprints against the model's.
func TestDescription(t *testing.T) {
	for _, r := range table() {
		t.Run(r.name, func(t *testing.T) {
			c := r.codec(t)
			if got, want := c.Description(), modelDescription(r.typ); !bytes.Equal(got, want) {
				t.Errorf("description\n% x, the model's is\n% x", got, want)
			}
			if got, want := c.Fingerprint(), modelFingerprint(r.typ); got != want {
				t.Errorf("fingerprint %016x, the model's is %016x", got, want)
			}
			c.Description()[0] ^= 0xff
			if got := c.Description(); !bytes.Equal(got, modelDescription(r.typ)) {
				t.Error("Description hands out the codec's own memory")
			}
		})
	}
}

// checkBytes: one value gives one sequence of bytes, wherever it is written.
func checkBytes(t *testing.T, c *codec, i int, v any, want []byte) {
	t.Helper()
	if n, err := c.Size(v); err != nil || n != len(want) {
		t.Errorf("value %d: Size %d, %v, want %d", i, n, err, len(want))
	}
	got, err := c.Append(nil, v)
	if err != nil {
		t.Errorf("value %d: Append: %v", i, err)
		return
	}
	if !bytes.Equal(got, want) {
		t.Errorf("value %d: %s", i, firstDifference(got, want))
		return
	}
	for _, fill := range []byte{0x00, 0xAA, 0x55} {
		for off := range 16 {
			dst := bytes.Repeat([]byte{fill}, off+len(want)+32)
			for j := range off {
				dst[j] = byte(j + 1)
			}
			got, err := c.Append(dst[:off], v)
			if err != nil {
				t.Errorf("value %d: Append at %d: %v", i, off, err)
				return
			}
			if !bytes.Equal(got[off:], want) {
				t.Errorf("value %d: at %d in memory full of %02x: %s", i, off, fill, firstDifference(got[off:], want))
				return
			}
			for j := range off {
				if got[j] != byte(j+1) {
					t.Errorf("value %d: Append at %d changed byte %d before it", i, off, j)
					return
				}
			}
			for j, b := range dst[off+len(want):] {
				if b != fill {
					t.Errorf("value %d: Append at %d wrote byte %d behind the message", i, off, j)
					return
				}
			}
		}
	}
	// Too little room, so that memory must move.
	for _, room := range []int{0, 1, 8, 16, len(want) - 1} {
		dst := append(make([]byte, 0, 3+room), "abc"...)
		got, err := c.Append(dst, v)
		if err != nil || !bytes.Equal(got[:3], []byte("abc")) || !bytes.Equal(got[3:], want) {
			t.Errorf("value %d: Append with room for %d: %v", i, room, err)
			return
		}
	}
	if got, err := format.Marshal(v); err != nil || !bytes.Equal(got, want) {
		t.Errorf("value %d: Marshal: %v, same bytes: %v", i, err, bytes.Equal(got, want))
	}
	// An untyped nil in a pointer root is not a value for Marshal, and a value in an interface is not known
	// to be in one; any other is.
	if e := reflect.ValueOf(v).Elem(); e.Kind() != reflect.Pointer && e.Kind() != reflect.Interface {
		if got, err := format.Marshal(e.Interface()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("value %d: Marshal by value: %v, same bytes: %v", i, err, bytes.Equal(got, want))
		}
	}
}

func firstDifference(got, want []byte) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			at := i &^ 7
			return fmt.Sprintf("%d bytes, want %d; first difference at %#x: word % x, want % x", len(got), len(want), i,
				got[at:min(at+8, len(got))], want[at:min(at+8, len(want))])
		}
	}
	return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
}

// alignedBytes makes n bytes that begin at a multiple of 8.
func alignedBytes(n int) []byte {
	words := make([]uint64, n/8+1)
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), len(words)*8)[:n:n]
}

func alignedCopy(b []byte) []byte {
	out := alignedBytes(len(b))
	copy(out, b)
	return out
}

// checkFixedBuffer: New and Wrap take a message that fits exactly, and refuse one
// that is a byte too long without a trace.
func checkFixedBuffer(t *testing.T, c *codec, i int, v any, want []byte) {
	t.Helper()
	const sentinel = 0xC3
	memory := alignedBytes(len(want) + 16)
	for j := range memory {
		memory[j] = sentinel
	}
	b := buffer.Wrap(memory[:len(want):len(want)])
	if err := c.Encode(b, v); err != nil {
		t.Errorf("value %d: Encode into a buffer of exactly %d bytes: %v", i, len(want), err)
	} else if !bytes.Equal(b.Bytes(), want) || b.Len() != len(want) {
		t.Errorf("value %d: Encode: %s", i, firstDifference(b.Bytes(), want))
	}
	for j, x := range memory[len(want):] {
		if x != sentinel {
			t.Errorf("value %d: Encode wrote byte %d behind the buffer", i, j)
		}
	}

	short := len(want) - 1
	for j := range memory {
		memory[j] = sentinel
	}
	b = buffer.Wrap(memory[:short:short])
	if err := c.Encode(b, v); !errors.Is(err, buffer.ErrFull) {
		t.Errorf("value %d: Encode of %d bytes into %d: %v, want ErrFull", i, len(want), short, err)
	}
	if b.Len() != 0 {
		t.Errorf("value %d: a refused Encode moved Len to %d", i, b.Len())
	}
	for j, x := range memory[short:] {
		if x != sentinel {
			t.Errorf("value %d: a refused Encode wrote byte %d behind the buffer", i, j)
		}
	}
	if p, err := b.Extend(short); err != nil || len(p) != short {
		t.Errorf("value %d: after a refused Encode, Extend(%d): %v", i, short, err)
	}

	// Behind something else: at the next multiple of 8, the gap zeroed (§1.1).
	heap := buffer.New(8 + len(want))
	if p, err := heap.Extend(3); err != nil {
		t.Errorf("value %d: Extend: %v", i, err)
	} else {
		copy(p, "\xff\xff\xff")
	}
	if err := c.Encode(heap, v); err != nil {
		t.Errorf("value %d: Encode at 3: %v", i, err)
	} else if got := heap.Bytes(); string(got[:8]) != "\xff\xff\xff\x00\x00\x00\x00\x00" || !bytes.Equal(got[8:], want) {
		t.Errorf("value %d: Encode at 3: % x, then %s", i, got[:8], firstDifference(got[8:], want))
	}
}

// decodes are the entry points that fill a value, with what each may do to the
// memory that the target held.
type decode struct {
	name string
	call func(*codec, []byte, any) error
}

var decodes = []decode{
	{"Decode", func(c *codec, m []byte, p any) error { return c.Decode(m, p) }},
	{"DecodeReuse", func(c *codec, m []byte, p any) error { return c.DecodeReuse(m, p) }},
	{"DecodeAlias", func(c *codec, m []byte, p any) error { return c.DecodeAlias(m, p) }},
	{"Unmarshal", func(c *codec, m []byte, p any) error { return format.Unmarshal(m, p) }},
}

func checkDecodes(t *testing.T, c *codec, i int, v any, want []byte, others []any) {
	t.Helper()
	if err := c.Verify(want); err != nil {
		t.Errorf("value %d: Verify: %v", i, err)
	}
	for _, d := range decodes {
		msg := alignedCopy(want)
		target := reflect.New(c.Type()).Interface()
		for try, state := range []string{"zero", "filled from the same message"} {
			if err := d.call(c, msg, target); err != nil {
				t.Errorf("value %d: %s into a %s value: %v", i, d.name, state, err)
				return
			}
			if diff := difference(target, v); diff != "" {
				t.Errorf("value %d: %s into a %s value gives%s", i, d.name, state, diff)
				return
			}
			if try == 0 {
				if s := spareRoom(reflect.ValueOf(target).Elem(), aliases() && d.name == "DecodeAlias"); s != "" {
					t.Errorf("value %d: %s: %s", i, d.name, s)
				}
			}
		}
		if !bytes.Equal(msg, want) {
			t.Errorf("value %d: %s wrote into the message", i, d.name)
		}
		if d.name != "DecodeAlias" {
			clear(msg)
			if diff := difference(target, v); diff != "" {
				t.Errorf("value %d: after %s and clear(msg) the value is%s", i, d.name, diff)
			}
		}

		msg = alignedCopy(want)
		for j, other := range others {
			target := copyOf(other)
			old := reflect.New(c.Type())
			old.Elem().Set(reflect.ValueOf(target).Elem())
			var regions []region
			if d.name == "DecodeAlias" {
				regions = aliasableRegions(reflect.ValueOf(target).Elem())
			}
			if err := d.call(c, msg, target); err != nil {
				t.Errorf("value %d: %s into value %d: %v", i, d.name, j, err)
				return
			}
			if diff := difference(target, v); diff != "" {
				t.Errorf("value %d: %s into value %d gives%s", i, d.name, j, diff)
				return
			}
			if d.name == "Decode" || d.name == "Unmarshal" {
				if diff := difference(old.Interface(), other); diff != "" {
					t.Errorf("value %d: %s into value %d wrote into its old memory%s", i, d.name, j, diff)
				}
			}
			if d.name == "DecodeAlias" && aliases() {
				// What was aliased before and is empty now must not be appended to either.
				if s := spareRoom(reflect.ValueOf(target).Elem(), true); s != "" {
					t.Errorf("value %d: %s into value %d: %s", i, d.name, j, s)
				}
			}
			if s := changed(regions); s != "" {
				t.Errorf("value %d: %s into value %d wrote through%s", i, d.name, j, s)
			}
		}
		if !bytes.Equal(msg, want) {
			t.Errorf("value %d: %s wrote into the message", i, d.name)
		}
	}
}

// checkMisaligned: wherever the message lies in memory it reads the same.
func checkMisaligned(t *testing.T, c *codec, i int, v any, want []byte) {
	t.Helper()
	memory := alignedBytes(len(want) + 16)
	reused := make([]any, len(decodes))
	for j := range decodes {
		reused[j] = reflect.New(c.Type()).Interface()
	}
	for k := range 16 {
		msg := memory[k : k+len(want) : k+len(want)]
		for j, d := range decodes {
			copy(msg, want)
			fresh := reflect.New(c.Type()).Interface()
			for _, target := range []any{fresh, reused[j]} {
				if err := d.call(c, msg, target); err != nil {
					t.Errorf("value %d: %s at address %d mod 16: %v", i, d.name, k, err)
					return
				}
				if diff := difference(target, v); diff != "" {
					t.Errorf("value %d: %s at address %d mod 16 gives%s", i, d.name, k, diff)
					return
				}
			}
			if !bytes.Equal(msg, want) {
				t.Errorf("value %d: %s wrote into a message at address %d mod 16", i, d.name, k)
			}
			if k%8 != 0 && d.name == "DecodeAlias" {
				clear(msg)
				if diff := difference(fresh, v); diff != "" {
					t.Errorf("value %d: an aliasing decode of a misaligned message points into it%s", i, diff)
				}
			}
		}
		if err := c.Verify(append(memory[:k:k], want...)[k:]); err != nil {
			t.Errorf("value %d: Verify at address %d mod 16: %v", i, k, err)
		}
	}
}

// checkOffHeap writes all values into one off-heap buffer, as a run of messages,
// and reads them from there.
func checkOffHeap(t *testing.T, c *codec, values []any) {
	t.Helper()
	b, err := buffer.OffHeap(1 << 22)
	if err != nil {
		t.Errorf("OffHeap: %v", err)
		return
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	}()
	for range 2 { // the second time over what the first left behind
		b.Reset()
		for i, v := range values {
			if err := c.Encode(b, v); err != nil {
				t.Errorf("value %d: Encode off the heap: %v", i, err)
				return
			}
		}
		rest := b.Bytes()
		aliased := reflect.New(c.Type()).Interface()
		reused := reflect.New(c.Type()).Interface()
		for i, v := range values {
			msg, next, err := format.Next(rest)
			if err != nil {
				t.Errorf("value %d: Next: %v", i, err)
				return
			}
			rest = next
			if want := mustModelEncode(v); !bytes.Equal(msg, want) {
				t.Errorf("value %d: off the heap: %s", i, firstDifference(msg, want))
			}
			if f, err := format.Peek(msg); err != nil || f != binary.LittleEndian.Uint64(msg[8:]) {
				t.Errorf("value %d: Peek: %016x, %v", i, f, err)
			}
			if err := c.DecodeAlias(msg, aliased); err != nil {
				t.Errorf("value %d: DecodeAlias off the heap: %v", i, err)
			} else if diff := difference(aliased, v); diff != "" {
				t.Errorf("value %d: DecodeAlias off the heap gives%s", i, diff)
			}
			if err := c.DecodeReuse(msg, reused); err != nil {
				t.Errorf("value %d: DecodeReuse off the heap: %v", i, err)
			} else if diff := difference(reused, v); diff != "" {
				t.Errorf("value %d: DecodeReuse off the heap gives%s", i, diff)
			}
		}
		if len(rest) != 0 {
			t.Errorf("%d bytes are left behind the last message", len(rest))
		}
	}
}

// checkAliasChain decodes all values into one aliasing target in turn: no message
// is written to when the target goes on to the next.
func checkAliasChain(t *testing.T, c *codec, values []any) {
	t.Helper()
	var msgs, was [][]byte
	target := reflect.New(c.Type()).Interface()
	for _, from := range []int{0, 3} { // aligned, then not
		for i, v := range values {
			want := mustModelEncode(v)
			msg := alignedBytes(from + len(want))[from:]
			copy(msg, want)
			msgs, was = append(msgs, msg), append(was, want)
			if err := c.DecodeAlias(msg, target); err != nil {
				t.Errorf("value %d: DecodeAlias: %v", i, err)
				return
			}
			if diff := difference(target, v); diff != "" {
				t.Errorf("value %d: DecodeAlias into the target of others gives%s", i, diff)
				return
			}
			if s := spareRoom(reflect.ValueOf(target).Elem(), aliases()); s != "" {
				t.Errorf("value %d: DecodeAlias into the target of others: %s", i, s)
			}
			for j := range msgs {
				if !bytes.Equal(msgs[j], was[j]) {
					t.Errorf("value %d: DecodeAlias wrote into message %d that the target aliased", i, j)
					return
				}
			}
		}
	}
}

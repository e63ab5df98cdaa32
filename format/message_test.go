package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// TestNextSplitsARun: messages stand one behind another, of any types, and the run
// ends where the bytes end or a word of zero stands (§1.3, §1.4).
func TestNextSplitsARun(t *testing.T) {
	var run []byte
	var want [][]byte
	for _, r := range goldens() {
		msg := r.encode(r.values[0])
		want = append(want, msg)
		run = append(run, msg...)
	}
	for _, tail := range []int{0, 1, 7, 8, 9, 16, 4096} {
		rest := append(bytes.Clone(run), make([]byte, tail)...)
		if tail > 8 {
			rest[len(rest)-1] = 0xff // what follows the word of zero is not looked at
		}
		for i, w := range want {
			f, err := format.Peek(rest)
			if err != nil || f != binary.LittleEndian.Uint64(w[8:]) {
				t.Fatalf("message %d: Peek: %016x, %v", i, f, err)
			}
			var msg []byte
			msg, rest, err = format.Next(rest)
			if err != nil || !bytes.Equal(msg, w) || cap(msg) != len(msg) {
				t.Fatalf("message %d: %v, cap %d, %s", i, err, cap(msg), firstDifference(msg, w))
			}
		}
		msg, left, err := format.Next(rest)
		if msg != nil || !errors.Is(err, io.EOF) || len(left) != tail {
			t.Errorf("at the end, before %d bytes of zero: %d and %d bytes, %v, want io.EOF", tail, len(msg), len(left), err)
		}
		if bad := unclassified(err, len(rest)); bad != "" {
			t.Errorf("at the end: %s", bad)
		}
	}
}

// TestNextIsNotFooled: what is cut short or no message is not the end of the run.
func TestNextIsNotFooled(t *testing.T) {
	msg := mustModelEncode(&Part{Name: "x"})
	for n := 1; n < len(msg); n++ {
		if _, _, err := format.Next(msg[:n]); errors.Is(err, io.EOF) || !errors.Is(err, format.ErrTruncated) {
			t.Errorf("%d of %d bytes: %v, want ErrTruncated", n, len(msg), err)
		}
	}
	for _, junk := range []string{"\x00\x00\x00\x00\x00\x00\x00\x01", "\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00", "\x01", "\x00\x01"} {
		if _, _, err := format.Next([]byte(junk)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("% x: %v", junk, err)
		}
	}
	// A whole message of a size that its header denies.
	for _, words := range []uint32{0, 1, 1<<31 + 1, 1<<32 - 1} {
		bad := bytes.Clone(msg)
		binary.LittleEndian.PutUint32(bad[4:], words)
		if _, _, err := format.Next(bad); !errors.Is(err, format.ErrCorrupt) {
			t.Errorf("%d words: %v, want ErrCorrupt", words, err)
		}
	}
}

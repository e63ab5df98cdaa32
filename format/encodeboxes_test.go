package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// EncodeBoxes writes the message that Append does, but for the first word, which it returns, and finds the boxes
// that AppendBoxes does.
func TestEncodeBoxesLeavesTheFirstWord(t *testing.T) {
	shared := new([]any)
	*shared = []any{"text", 1, "more", []any{2.5}}
	for _, v := range []any{shared, &[3]int64{1, 2, 3}, &[]*[]any{shared, shared}, &struct{}{}, &[]float64{127: 1}} {
		for _, fill := range []byte{0, 0xaa} {
			codec, err := format.AnyFor(reflect.TypeOf(v).Elem(), format.WithRefs())
			if err != nil {
				t.Fatal(err)
			}
			want, wantBoxes, err := codec.AppendBoxes(nil, []uint64{9}, v)
			if err != nil {
				t.Fatal(err)
			}
			memory := bytes.Repeat([]byte{fill}, 8+len(want))
			b := buffer.Wrap(memory)
			if _, err := b.Extend(8); err != nil {
				t.Fatal(err)
			}
			first, boxes, err := codec.EncodeBoxes(b, []uint64{9}, v)
			if err != nil || !slices.Equal(boxes, wantBoxes) {
				t.Fatalf("%T: boxes %x, want %x; %v", v, boxes, wantBoxes, err)
			}
			got := b.Bytes()[8:]
			if _, _, err := format.Next(got); err == nil || binary.LittleEndian.Uint64(got) != 0 {
				t.Errorf("%T: the message is there already", v)
			}
			binary.LittleEndian.PutUint64(got, first)
			if !bytes.Equal(got, want) {
				t.Errorf("%T: %x, want %x", v, got, want)
			}
			if _, boxes, err := codec.EncodeBoxes(b, []uint64{9}, v); !errors.Is(err, buffer.ErrFull) || len(boxes) != 1 || b.Len() != len(memory) {
				t.Errorf("%T in a full buffer: boxes %x, %v", v, boxes, err)
			}
			if _, _, err := codec.EncodeBoxes(nil, nil, v); !errors.Is(err, format.ErrType) {
				t.Error(err)
			}
		}
	}
}

package format_test

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestAnyCodec: a Codec[T] and the AnyCodec of T do the same, whichever the method, the type and the value.
func TestAnyCodec(t *testing.T) {
	ring := &List{Value: 1}
	ring.Next = ring
	t.Run("number", sameCodecs(new(int64(7))))
	t.Run("plain", sameCodecs(&Point{1, 2}))
	t.Run("text", sameCodecs(new("text")))
	t.Run("bools", sameCodecs(&[]bool{true, false}))
	t.Run("nothing", sameCodecs(&struct{}{}))
	t.Run("arrays", sameCodecs(new(arraysData(300))))
	t.Run("media", sameCodecs(new(mediaContent())))
	t.Run("maps", sameCodecs(&map[string][]any{"a": {1, "x", nil, []int{2}}, "b": nil}))
	t.Run("not a key", sameCodecs(&map[any]int{nanBox(): 1}))
	t.Run("not registered", sameCodecs(new(any(struct{ unknown int }{}))))
	t.Run("ring", sameCodecs(ring))
	t.Run("ring, tracked", sameCodecs(ring, format.WithRefs()))
	t.Run("too large", sameCodecs(new(arraysData(300)), format.WithMaxMessage(1000)))
	t.Run("too deep", sameCodecs(&List{1, &List{2, &List{3, nil}}}, format.WithMaxDepth(1)))
	t.Run("nil", sameCodecs[Point](nil))

	if _, err := format.AnyFor(nil); !errors.Is(err, format.ErrType) {
		t.Errorf("no type: %v, want ErrType", err)
	}
	c, err := format.AnyFor(reflect.TypeFor[Point]())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []any{nil, Point{}, (*Point)(nil), new(*Point), new(struct{ X, Y int32 })} {
		_, err := c.Append(nil, v)
		wantErr(t, fmt.Sprintf("Append of a %T", v), err, format.ErrType)
		wantErr(t, fmt.Sprintf("Decode into a %T", v), c.Decode(nil, v), format.ErrType)
	}
}

func nanBox() any {
	zero := 0.0
	return zero / zero
}

// sameCodecs calls the methods of both codecs and compares what they return.
func sameCodecs[T any](v *T, opts ...format.Option) func(t *testing.T) {
	a := wrap(must(format.For[T](opts...)))
	return checkSame(a, must(codecOf(reflect.TypeFor[T](), opts...)), v, v == nil)
}

//go:noinline
func checkSame(a, b *codec, v any, null bool) func(t *testing.T) {
	return func(t *testing.T) {
		same := func(what string, x, y any, errs ...error) {
			t.Helper()
			if d := graphDifference(&x, &y); d != "" {
				t.Errorf("%s differ%s", what, d)
			}
			if len(errs) == 2 && !sameErrors(errs[0], errs[1]) {
				t.Errorf("%s: %v and %v", what, errs[0], errs[1])
			}
		}
		same("fingerprints", a.Fingerprint(), b.Fingerprint())
		same("descriptions", a.Description(), b.Description())
		same("expansions", a.Expansion(), b.Expansion())
		size, err1 := a.Size(v)
		size2, err2 := b.Size(v)
		same("Size", size, size2, err1, err2)

		msg, err1 := a.Append([]byte("12345678"), v)
		msg2, err2 := b.Append([]byte("12345678"), v)
		same("Append", msg, msg2, err1, err2)
		msg, ids, err1 := a.AppendBoxes([]byte("12345678"), []uint64{1}, v)
		msg2, ids2, err2 := b.AppendBoxes([]byte("12345678"), []uint64{1}, v)
		same("AppendBoxes", msg, msg2, err1, err2)
		same("boxes", ids, ids2)
		var out, out2 bytes.Buffer
		n, err1 := a.WriteTo(&out, v)
		n2, err2 := b.WriteTo(&out2, v)
		same("WriteTo", n, n2, err1, err2)
		same("what WriteTo writes", out.Bytes(), out2.Bytes())
		for _, room := range []int{-1, 0, 16, 1 << 20} {
			var p, p2 *buffer.Buffer // nil if -1
			if room >= 0 {
				p, p2 = buffer.New(room), buffer.New(room)
			}
			same("Encode", nil, nil, a.Encode(p, v), b.Encode(p2, v))
			parts, err1 := a.Gather([][]byte{{1}}, p, v)
			parts2, err2 := b.Gather([][]byte{{1}}, p2, v)
			same("Gather", bytes.Join(parts, nil), bytes.Join(parts2, nil), err1, err2)
			same("the number of pieces", len(parts), len(parts2))
			if room >= 0 {
				same("buffers", p.Bytes(), p2.Bytes())
			}
		}

		bad := append(bytes.Clone(msg[8:]), 0)
		for _, m := range [][]byte{msg[8:], bad, nil} {
			m = alignedCopy(m)
			same("Verify", nil, nil, a.Verify(m), b.Verify(m))
			for _, d := range decodes[:3] {
				x, y := reflect.New(a.typ).Interface(), reflect.New(a.typ).Interface()
				for range 2 {
					err1, err2 = d.call(a, m, x), d.call(b, m, y)
					same(d.name, x, y, err1, err2)
				}
				if null {
					same(d.name, nil, nil, d.call(a, m, v), d.call(b, m, v))
				}
			}
		}
	}
}

// sameErrors compares errors by their fields, and by their classes where the text names what was given.
func sameErrors(a, b error) bool {
	var x, y *format.Error
	if !errors.As(a, &x) || !errors.As(b, &y) {
		return (a == nil) == (b == nil)
	}
	sentinels := []error{format.ErrSchema, format.ErrCorrupt, format.ErrTruncated, format.ErrLimit, format.ErrCycle, format.ErrType, buffer.ErrFull}
	for _, s := range sentinels {
		if errors.Is(a, s) != errors.Is(b, s) {
			return false
		}
	}
	return x.Op == y.Op && x.Path == y.Path && x.Offset == y.Offset
}

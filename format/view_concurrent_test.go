package format_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// caseOneMessageReadByMany: any number of goroutines read one message through the same handles, which they use for the
// first time. The race detector sees whatever two of them write.
func caseOneMessageReadByMany(t *testing.T) {
	c := format.MustFor[Rich](format.WithMaxDepth(50)) // nobody has met its parts
	x := richTree()
	msg := mustModelEncode(&x)
	fresh := richPart(format.MustFor[Rich](format.WithMaxDepth(51)), false)
	var start, done sync.WaitGroup
	start.Add(1)
	for i := range 32 {
		done.Go(func() {
			start.Wait()
			for _, p := range []*part[Rich]{fresh, richHandles()} {
				v, err := c.View(msg)
				if err != nil {
					t.Error(err)
					return
				}
				w := &walk{t: recorder{t}, n: len(msg), steps: 400, sound: true, from: 5 * i, copies: !aliases() || bits32}
				p.walk(w, v, &x)
			}
		})
	}
	start.Done()
	done.Wait()
	if !bytes.Equal(msg, mustModelEncode(&x)) {
		t.Error("a read wrote into the message")
	}
}

// recorder is a testing.T for goroutines, which must not call Fatalf.
type recorder struct{ t *testing.T }

func (r recorder) Helper()                           { r.t.Helper() }
func (r recorder) Fatalf(format string, args ...any) { r.t.Errorf(format, args...) }

const bits32 = ^uint(0)>>32 == 0

// caseOneFieldForLong: reading one field over and over takes nothing from any budget.
func caseOneFieldForLong(t *testing.T) {
	type T struct {
		Head string
		Data []byte
		Tail *Part
	}
	size := 70 << 20
	if slow() {
		size = 1 << 20
	}
	x := T{"head", make([]byte, size), &Part{Name: "tail"}}
	c := format.MustFor[T]()
	msg, err := c.Append(nil, &x)
	if err != nil {
		t.Fatal(err)
	}
	v := must(c.View(msg))
	name, data, last := format.MustField[string](c, "Tail.Name"), format.MustField[[]byte](c, "Data"), format.MustField[byte](c, "Data[]")
	start := time.Now()
	for range 100_000 {
		got, err := name.Get(v)
		b, err2 := data.Get(v)
		_, err3 := last.Get(v, size-1)
		if got != "tail" || len(b) != size && aliases() || errors.Join(err, err2, err3) != nil {
			t.Fatalf("%q, %d bytes, %v", got, len(b), errors.Join(err, err2, err3))
		}
		if !aliases() && time.Since(start) > time.Second/10 {
			break // this build copies
		}
	}
}

// caseGarbageInViews: what is no message is an error of View, at once, and nothing is left to be read.
func caseGarbageInViews(t *testing.T) {
	c := format.MustFor[MediaContent]()
	uri := format.MustField[string](c, "Media.URI")
	images := format.MustField[string](c, "Images[].URI")
	for _, b := range [][]byte{nil, {0xA5}, []byte("garbage"), bytes.Repeat([]byte{0xFF}, 520), make([]byte, 520), bytes.Repeat([]byte{0xA5, 0x4C, 1, 0}, 130)} {
		v, err := c.View(b)
		if !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrTruncated) {
			t.Errorf("% .8x: %v", b, err)
		}
		got, err := uri.Get(v)
		_, err2 := images.Get(v, 5)
		if !v.IsNil() || got != "" || err != nil || err2 != nil {
			t.Errorf("% .8x: %q, %v, %v", b, got, err, err2)
		}
	}
	msg := mustModelEncode(new(mediaContent()))
	for n := range msg { // 520 truncations
		if _, err := c.View(msg[:n]); !errors.Is(err, format.ErrTruncated) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// caseBogusRoot: 44 bytes of which some would send another format's reader far away.
func caseBogusRoot(t *testing.T) {
	b := make([]byte, 44)
	f := seeded(15, 0)
	for i := range b {
		b[i] = byte(f.next())
	}
	for _, root := range []uint32{959860343, 0xffffffff, 40, 44} {
		b[0], b[1], b[2], b[3] = byte(root), byte(root>>8), byte(root>>16), byte(root>>24)
		start := time.Now()
		_, err := format.MustFor[MediaContent]().View(b)
		wantErr(t, "View", err, format.ErrCorrupt)
		wantErr(t, "Verify", format.MustFor[MediaContent]().Verify(b), format.ErrCorrupt)
		if d := time.Since(start); d > time.Second {
			t.Errorf("it took %v", d)
		}
	}
}

// caseVerifier: there is one; its promise is TestVerify and the hostile tests', here that views rely on it.
func caseVerifier(t *testing.T) {
	c := richCodec()
	msg := mustModelEncode(new(richTree()))
	if err := c.Verify(msg); err != nil {
		t.Fatal(err)
	}
	richHandles().walk(&walk{t: t, n: len(msg), steps: max(1000, thinned(5000)), sound: true, copies: bits32}, must(c.View(msg)), nil)
	if !raceEnabled && aliases() {
		if n := testing.AllocsPerRun(10, func() { _ = c.Verify(msg) }); n > 0 {
			t.Errorf("it allocates %v times", n)
		}
	}
}

package format_test

import (
	"bytes"
	"errors"
	"reflect"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/format"
)

type sharedPair struct {
	On bool
	N  int32
}

type sharedValue struct {
	Flags   []bool
	Numbers []int64
	Pairs   []sharedPair
	Pair    *sharedPair
	Plain   *[2]int64
	Maybe   *bool
	Count   *int64
	Text    string
}

// inside reports whether p points into msg.
func inside(msg []byte, p unsafe.Pointer) bool {
	from := uintptr(unsafe.Pointer(unsafe.SliceData(msg)))
	return uintptr(p) >= from && uintptr(p) < from+uintptr(len(msg))
}

// In memory that a peer may still change nothing that holds a bool points into the message, the
// rest does, and the copies are reused.
func TestSharedCopiesWhatHoldsBools(t *testing.T) {
	yes, count := true, int64(7)
	in := sharedValue{[]bool{true, false, true}, []int64{1, 2}, []sharedPair{{true, 1}, {false, 2}},
		&sharedPair{true, 3}, &[2]int64{4, 5}, &yes, &count, "text"}
	codec := format.MustFor[sharedValue](format.WithShared())
	msg, err := codec.Append(nil, &in)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := format.MustFor[sharedValue]().Append(nil, &in)
	if err != nil || !bytes.Equal(msg, plain) {
		t.Fatalf("the option changes the bytes: %v", err)
	}
	var v sharedValue
	if err := codec.DecodeAlias(msg, &v); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(v, in) {
		t.Fatalf("got %+v", v)
	}
	for name, p := range map[string]unsafe.Pointer{
		"Flags": unsafe.Pointer(&v.Flags[0]), "Pairs": unsafe.Pointer(&v.Pairs[0]),
		"Pair": unsafe.Pointer(v.Pair), "Maybe": unsafe.Pointer(v.Maybe),
	} {
		if inside(msg, p) {
			t.Errorf("%s holds bools and points into the message", name)
		}
	}
	if aliases() {
		for name, p := range map[string]unsafe.Pointer{
			"Numbers": unsafe.Pointer(&v.Numbers[0]), "Plain": unsafe.Pointer(v.Plain),
			"Count": unsafe.Pointer(v.Count), "Text": unsafe.Pointer(unsafe.StringData(v.Text)),
		} {
			if !inside(msg, p) {
				t.Errorf("%s does not point into the message", name)
			}
		}
		if n := testing.AllocsPerRun(100, func() {
			if err := codec.DecodeAlias(msg, &v); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("a loop over one shape allocates %v times", n)
		}
	}
	clear(msg[24:])
	if !v.Flags[0] || !v.Pairs[0].On || !v.Pair.On || !*v.Maybe {
		t.Errorf("the copies follow the message: %+v", v)
	}
}

// While a goroutine keeps writing, every read is an error or a value whose bools are 0 or 1.
func TestSharedMemoryThatChanges(t *testing.T) {
	if raceEnabled {
		t.Skip("races on purpose")
	}
	in := sharedValue{Flags: make([]bool, 200), Pairs: make([]sharedPair, 50), Pair: &sharedPair{}, Maybe: new(bool), Text: "text"}
	codec := format.MustFor[sharedValue](format.WithShared())
	good, err := codec.Append(nil, &in)
	if err != nil {
		t.Fatal(err)
	}
	msg := append([]byte(nil), good...)
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for i := uint(0); ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			at := 16 + i*7919%uint(len(msg)-16)
			msg[at] ^= byte(i)
			if i%64 == 0 {
				copy(msg[16:], good[16:])
			}
		}
	}()
	raw := func(b []bool) []byte { return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(b))), len(b)) }
	var v sharedValue
	for range 20_000 {
		if err := codec.DecodeAlias(msg, &v); err != nil && !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrLimit) {
			t.Fatal(err)
		}
		for i, b := range raw(v.Flags) {
			if b > 1 {
				t.Fatalf("Flags[%d] is %d", i, b)
			}
		}
		for i := range v.Pairs {
			if b := *(*byte)(unsafe.Pointer(&v.Pairs[i].On)); b > 1 {
				t.Fatalf("Pairs[%d].On is %d", i, b)
			}
		}
		if err := codec.Verify(msg); err != nil && !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrLimit) {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
}

package format_test

import (
	"bytes"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// TestViewsReadWhatDecodesRead: each handle reads what the Go value has, which was written, wherever the message
// begins in memory.
func TestViewsReadWhatDecodesRead(t *testing.T) {
	c, handles := richCodec(), richHandles()
	shared := format.MustFor[Rich](format.WithShared())
	others := richPart(shared, true)
	tracked := format.MustFor[Rich](format.WithRefs())
	values := append(row{typ: reflect.TypeFor[Rich]()}.all(thinned(24)), new(rich()), new(richTree()))
	reads := 0
	for i, value := range values {
		x := value.(*Rich)
		msg := mustModelEncode(x)
		places := []int{0}
		if i%8 == 0 || i > len(values)-3 {
			places = append(places, []int{1, 8, 4, 2, 3, 7, 9, 15}[:max(2, thinned(8))]...)
		}
		for _, k := range places {
			memory := alignedBytes(len(msg) + 16)
			in := memory[k : k+len(msg)]
			copy(in, msg)
			for _, read := range []func(w *walk){
				func(w *walk) { handles.walk(w, must(c.View(in)), x) },
				func(w *walk) { handles.walk(w, must(tracked.View(in)), x) }, // of another codec
				func(w *walk) { others.walk(w, must(shared.View(in)), x) },
			} {
				w := &walk{t: t, n: len(msg), steps: max(1000, thinned(5000)), sound: true, copies: bits32} // parts are met in several ways
				read(w)
				reads += w.reads
			}
			if !bytes.Equal(in, msg) {
				t.Fatal("a view wrote into the message")
			}
		}
	}
	if reads < 10_000 {
		t.Errorf("only %d reads", reads)
	}
	t.Logf("%d reads of %d values", reads, len(values))
}

// TestNilViews: nothing is read from nothing, and that is no error.
func TestNilViews(t *testing.T) {
	c, handles := richCodec(), richHandles()
	var none format.View[Rich]
	if !none.IsNil() {
		t.Error("the zero View is not nil")
	}
	msg := mustModelEncode(new(rich()))
	kid, err := format.MustField[format.View[Rich]](c, "Kid").Get(must(c.View(msg)))
	if err != nil || !kid.IsNil() {
		t.Errorf("a nil pointer: %v, nil %v", err, kid.IsNil())
	}
	for name, v := range map[string]format.View[Rich]{"the zero View": none, "a nil pointer": kid} {
		x := rich()
		if err := v.Decode(&x); err != nil || difference(&x, new(Rich)) != "" {
			t.Errorf("Decode of %s: %v", name, err)
		}
		for _, path := range []string{"Kid.Kid.Name", "Name", "PKid.Name"} {
			h := format.MustField[string](c, path)
			got, err := h.Get(v)
			has, hasErr := h.Has(v)
			n, lenErr := h.Len(v)
			if got != "" || has || n != 0 || err != nil || hasErr != nil || lenErr != nil {
				t.Errorf("%s of %s: %q, Has %v, Len %d, %v %v %v", path, name, got, has, n, err, hasErr, lenErr)
			}
		}
		// What is always there in a block is not there where there is no block.
		numbers := format.MustField[int32](c, "Maybes[]")
		if got, err := numbers.Get(v, 3); got != 0 || err != nil {
			t.Errorf("an element of %s: %d, %v", name, got, err)
		}
		for range numbers.All(v) {
			t.Errorf("%s has elements", name)
		}
		prices := format.MustMap[string, int32](c, "Maps.Strings")
		got, ok, err := prices.Get(v, "a")
		n, lenErr := prices.Len(v)
		if got != 0 || ok || n != 0 || err != nil || lenErr != nil {
			t.Errorf("a key of %s: %d, %v, %d entries, %v, %v", name, got, ok, n, err, lenErr)
		}
		for range prices.All(v) {
			t.Errorf("%s has entries", name)
		}
		// All other handles: a nil view is like a view of the zero value but for Has.
		handles.walk(&walk{t: t, steps: 1 << 20, sound: true}, v, nil)
	}
}

// TestSlicesAreOverTheMessage: what can be had without copying is not copied, and cannot be appended over.
func TestSlicesAreOverTheMessage(t *testing.T) {
	if !aliases() {
		t.Skip("this build copies")
	}
	c := richCodec()
	msg := alignedCopy(mustModelEncode(new(rich())))
	v := must(c.View(msg))
	within := func(name string, p reflect.Value, err error) {
		t.Helper()
		if err != nil || !inside(msg, p.UnsafePointer()) {
			t.Errorf("%s is a copy (%v)", name, err)
		}
		if p.Kind() == reflect.Slice && p.Cap() != p.Len() {
			t.Errorf("%s has capacity %d of %d", name, p.Cap(), p.Len())
		}
	}
	floats, err := format.MustField[[]float32](c, "Floats").Get(v)
	within("Floats", reflect.ValueOf(floats), err)
	bools, err := format.MustField[[]bool](c, "Bools").Get(v)
	within("Bools", reflect.ValueOf(bools), err)
	points, err := format.MustField[[]Point](c, "Points").Get(v)
	within("Points", reflect.ValueOf(points), err)
	pairs, err := format.MustField[[]sharedPair](c, "Pairs").Get(v)
	within("Pairs", reflect.ValueOf(pairs), err)
	row, err := format.MustField[[]int32](c, "Rows[]").Get(v, 2)
	within("Rows[2]", reflect.ValueOf(row), err)
	point, err := format.MustField[*Point](c, "PPoint").Get(v)
	within("PPoint", reflect.ValueOf(point), err)
	scalar, err := format.MustField[*int32](c, "Deep").Get(v)
	within("Deep", reflect.ValueOf(scalar), err)
	before := bytes.Clone(msg)
	_ = append(floats, 1)
	_ = append(row, 1)
	if !bytes.Equal(before, msg) {
		t.Error("append to a slice of the message writes into it")
	}
	name, err := format.MustField[string](c, "Name").Get(v)
	if err != nil || name != "rich" {
		t.Fatalf("%q, %v", name, err)
	}
	copy(msg[bytes.Index(msg, []byte("rich")):], "poor")
	if name != "poor" {
		t.Error("a string is a copy")
	}
}

// TestMisalignedMessages: slices and pointers are then to copies, aligned as Go wants them.
func TestMisalignedMessages(t *testing.T) {
	c := richCodec()
	msg := mustModelEncode(new(rich()))
	memory := alignedBytes(len(msg) + 16)
	for k := range 16 {
		in := memory[k : k+len(msg)]
		copy(in, msg)
		v := must(c.View(in))
		longs, err := format.MustField[[]int64](c, "Longs").Get(v)
		pair, err2 := format.MustField[*sharedPair](c, "PPair").Get(v)
		if err != nil || err2 != nil || len(longs) != 3 || *pair != (sharedPair{true, 2}) {
			t.Fatalf("at %d: %v, %v, %v, %v", k, longs, pair, err, err2)
		}
		p, q := reflect.ValueOf(longs).Pointer(), reflect.ValueOf(pair).Pointer()
		if p%uintptr(reflect.TypeFor[int64]().Align()) != 0 || q%reflect.TypeFor[sharedPair]().Size()%4 != 0 && q%4 != 0 {
			t.Errorf("at %d: a slice at %#x, a pointer at %#x", k, p, q)
		}
		if aliases() && k%8 == 0 && !inside(in, reflect.ValueOf(longs).UnsafePointer()) {
			t.Errorf("at %d: a copy", k)
		}
		clear(in)
		if k%4 != 0 && (longs[0] != 1 || pair.N != 2) {
			t.Errorf("at %d: not a copy", k)
		}
	}
}

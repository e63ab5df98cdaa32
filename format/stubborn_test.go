package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"net"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// What these tests do wrong if it is not refused ends the process.
func init() {
	children["writes itself"] = childWritesItself
	children["reads itself"] = childReadsItself
	children["unprintable panic"] = childUnprintablePanic
	children["cyclic key"] = childCyclicKey
}

// soon fails the test if f takes so long that something in it must grow with more than its input.
func soon(t *testing.T, most time.Duration, f func()) {
	t.Helper()
	if emulated {
		most *= 10
	}
	start := time.Now()
	f()
	if d := time.Since(start); d > most {
		t.Errorf("took %v", d)
	}
}

// These return memory that is not the caller's to write to.
type (
	ownBinary   struct{ b []byte }
	ownText     struct{ b []byte }
	ownAppender struct{ b []byte }
)

func (o *ownBinary) MarshalBinary() ([]byte, error)          { return o.b, nil }
func (o *ownBinary) UnmarshalBinary(b []byte) error          { o.b = bytes.Clone(b); return nil }
func (o *ownText) MarshalText() ([]byte, error)              { return o.b, nil }
func (o *ownText) UnmarshalText(b []byte) error              { o.b = bytes.Clone(b); return nil }
func (o *ownAppender) AppendBinary(_ []byte) ([]byte, error) { return o.b, nil }
func (o *ownAppender) UnmarshalBinary(b []byte) error        { o.b = bytes.Clone(b); return nil }

// What a method returned was kept as scratch memory, so that the next value was written over it.
func TestReturnedMemoryIsNotWrittenTo(t *testing.T) {
	const length = 4096
	fill := func(c byte) []byte { return bytes.Repeat([]byte{c}, length) }
	a, b, c := &ownBinary{fill('a')}, &ownText{fill('b')}, &ownAppender{fill('c')}
	for range 10 {
		must(format.Marshal(a))
		must(format.Marshal(b))
		must(format.Marshal(c))
		must(format.MustFor[struct{ A string }]().Clone(&struct{ A string }{strings.Repeat("x", 1000)}))
		must(format.Marshal(appends{1000}))
		a2, b2, c2 := must(format.MustFor[ownBinary]().Clone(a)), must(format.MustFor[ownText]().Clone(b)), must(format.MustFor[ownAppender]().Clone(c))
		for _, x := range []struct{ got, copied, want []byte }{{a.b, a2.b, fill('a')}, {b.b, b2.b, fill('b')}, {c.b, c2.b, fill('c')}} {
			if !bytes.Equal(x.got, x.want) {
				t.Fatalf("memory that begins with %q was written to: %.20q", x.want[0], x.got)
			}
			if !bytes.Equal(x.copied, x.want) {
				t.Fatalf("the clone of what begins with %q: %.20q", x.want[0], x.copied)
			}
		}
	}
}

// appends is as many bytes, by a method that does as it should.
type appends struct{ n int }

func (a *appends) AppendBinary(b []byte) ([]byte, error) {
	return append(b, bytes.Repeat([]byte("y"), a.n)...), nil
}
func (a *appends) UnmarshalBinary(b []byte) error { a.n = len(b); return nil }

// The same of memory that cannot be written to: a write ended the process.
func TestReturnedMemoryMayBeReadOnly(t *testing.T) {
	faultsPanic(t)
	const text = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
	constant := unsafe.Slice(unsafe.StringData(text), len(text))
	for range 10 {
		v := must(format.MustFor[ownBinary]().Clone(&ownBinary{constant}))
		w := must(format.MustFor[ownText]().Clone(&ownText{constant}))
		x := must(format.MustFor[ownAppender]().Clone(&ownAppender{constant}))
		must(format.Marshal(appends{50}))
		if string(v.b) != text || string(w.b) != text || string(x.b) != text {
			t.Fatalf("clones %q, %q, %q", v.b, w.b, x.b)
		}
	}
}

// Room for all pointees of a slice was made ahead though all but one were known already: slices of
// pointers took their length times the size of an object each.
func TestPointersToKnownObjectsTakeNoMemory(t *testing.T) {
	type big struct{ A [100]uint64 }
	c := format.MustFor[[][]*big](format.WithRefs())
	const lists, length, size = 100, 500, 100
	words := make([]uint64, 1+lists+lists*length+(lists+length)*size)
	words[0] = ref(1, lists)
	objects := 1 + lists + lists*length
	for i := range lists {
		list := 1 + lists + i*length
		words[1+i] = ref(int32(list-1-i), length)
		for j := range length {
			words[list+j] = ref(int32(objects+(i+j)*size-list-j), 1)
		}
	}
	msg := craft(reflect.TypeFor[[][]*big](), words...)
	msg[3] = 1 // the graph flag
	if err := c.Verify(msg); err != nil {
		t.Fatal(err)
	}
	for name, decode := range map[string]func([]byte, *[][]*big) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias} {
		var v [][]*big
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := decode(msg, &v)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		if got, most := after.TotalAlloc-before.TotalAlloc, uint64(64<<10+c.Expansion()*len(msg)); got > most {
			t.Errorf("%s of %d bytes allocates %d, at most %d", name, len(msg), got, most)
		}
	}
}

// The hash of an object's offset was the same everywhere: offsets could be chosen that all met in one
// place of the table, and looking for them took time with the square of their number.
func TestChosenOffsetsAreNotSlow(t *testing.T) {
	type object struct{ X uint64 }
	c := format.MustFor[[]*object](format.WithRefs())
	n := 1 << 19 // words
	if thin() {
		n /= 8
	}
	words := make([]uint64, n)
	refs := n / 2
	words[0] = ref(1, uint32(refs))
	var chosen []int
	table := uint64(n / 16)
	for w := 1 + refs; w < n; w++ {
		if uint64(w+2)*0x9E3779B97F4A7C15>>32&(table-1) < table/16 {
			chosen = append(chosen, w)
		}
	}
	for i := range refs {
		words[1+i] = ref(int32(chosen[min(i, len(chosen)-1)]-1-i), 1)
	}
	msg := craft(reflect.TypeFor[[]*object](), words...)
	msg[3] = 1
	soon(t, 3*time.Second, func() {
		if err := c.Verify(msg); err != nil {
			t.Error(err)
		}
		if err := c.Decode(msg, new([]*object)); err != nil {
			t.Error(err)
		}
	})
}

type keyBox struct{ X any }

func keyBoxes(t *testing.T) *format.Types {
	types := format.NewTypes()
	if err := format.RegisterIn[keyBox](types, "box"); err != nil {
		t.Fatal(err)
	}
	return types
}

// meddler's method does what a peer may do to shared memory at that moment.
type meddler struct{ _ int }

var meddle func()

func (*meddler) MarshalBinary() ([]byte, error) { return []byte("m"), nil }
func (*meddler) UnmarshalBinary([]byte) error   { meddle(); return nil }

// Keys were followed for as many steps as the message is long, each a step into a box on the stack: one
// that a peer makes part of itself overflowed it.
func TestKeyThatBecomesCyclic(t *testing.T) {
	if raceEnabled {
		t.Skip("changes what it reads")
	}
	runChild(t, "cyclic key", nil)
}

func childCyclicKey(t *testing.T) {
	c := format.MustFor[map[any]meddler](format.WithTypes(keyBoxes(t)), format.WithShared())
	v := map[any]meddler{keyBox{keyBox{string(make([]byte, 8<<20))}}: {}}
	msg := must(c.Append(nil, &v))
	target := func(w int) int { return w + 8*int(int32(load(msg[w:]))) }
	meddle = func() {
		box := target(target(16))
		binary.LittleEndian.PutUint64(msg[box+8:], ref(-1, 1)) // to the box
	}
	wantErr(t, "DecodeAlias", c.DecodeAlias(msg, new(map[any]meddler)), format.ErrCorrupt)
}

// selfList holds, behind a list, what marshals by writing a selfList.
type (
	selfList struct {
		Next *selfList
		Self *selfMarshaler
	}
	selfMarshaler struct{ list *selfList }
	// rawList has the form of a selfList and any bytes.
	rawList struct {
		Next *rawList
		Self *ownBinary
	}
)

var selfLists = format.MustFor[selfList]()

func (s *selfMarshaler) MarshalBinary() ([]byte, error) {
	if s.list == nil {
		return nil, nil
	}
	return selfLists.Append(nil, s.list)
}
func (s *selfMarshaler) UnmarshalBinary(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	s.list = new(selfList)
	return selfLists.Decode(b, s.list)
}

// Of a deep stack only its top was looked at for methods that call themselves: behind a long list none
// was seen, and the stack overflowed.
func TestMethodThatWritesItselfBehindMuch(t *testing.T) {
	skipWhenSlow(t)
	runChild(t, "writes itself", nil)
}

func childWritesItself(t *testing.T) {
	for _, length := range []int{0, 30, 5000} {
		s := new(selfMarshaler)
		list := &selfList{Self: s}
		for range length {
			list = &selfList{Next: list}
		}
		s.list = list
		_, err := selfLists.Append(nil, list)
		wantErr(t, fmt.Sprint("Append behind ", length), err, format.ErrLimit)
		_, err = selfLists.Size(list)
		wantErr(t, fmt.Sprint("Size behind ", length), err, format.ErrLimit)
	}
}

// And so with messages within messages, which need not come from a friend.
func TestMethodThatReadsItselfBehindMuch(t *testing.T) {
	skipWhenSlow(t)
	runChild(t, "reads itself", nil)
}

func childReadsItself(t *testing.T) {
	c := format.MustFor[rawList]()
	var msg []byte
	for range 300 { // more than processors and the limit
		list := &rawList{Self: &ownBinary{msg}}
		for range 400 {
			list = &rawList{Next: list}
		}
		msg = must(c.Append(nil, list))
	}
	wantErr(t, "Decode", selfLists.Decode(msg, new(selfList)), format.ErrLimit)
	if err := selfLists.Verify(msg); err != nil {
		t.Errorf("Verify calls no methods: %v", err)
	}
}

// fickle is a key that is comparable by its type and not by its value.
type fickle struct{ v any }

func (f *fickle) MarshalText() ([]byte, error) { return fmt.Append(nil, f.v), nil }
func (f *fickle) UnmarshalText(b []byte) error { f.v = bytes.Clone(b); return nil }

// Putting such a key into a map panicked.
func TestKeyThatGoDoesNotCompare(t *testing.T) {
	c := format.MustFor[map[fickle]int]()
	msg := must(c.Append(nil, &map[fickle]int{{"k"}: 1}))
	wantErr(t, "Decode", c.Decode(msg, new(map[fickle]int)), format.ErrCorrupt)
	wantErr(t, "DecodeReuse", c.DecodeReuse(msg, &map[fickle]int{{"k"}: 1}), format.ErrCorrupt)
	wantErr(t, "DecodeAlias", c.DecodeAlias(msg, new(map[fickle]int)), format.ErrCorrupt)
}

// A key was cleared of negative zeros to any depth before the depth was looked at.
func TestKeyOfManyBoxes(t *testing.T) {
	c := format.MustFor[map[any]int](format.WithTypes(keyBoxes(t)))
	for boxes, want := range map[int]error{5000: nil, 200_000: format.ErrLimit} {
		var k any = 1.5
		for range boxes {
			k = keyBox{k}
		}
		v := map[any]int{k: 1}
		_, err := c.Append(nil, &v)
		_, err2 := c.Size(&v)
		for _, err := range []error{err, err2} {
			if !errors.Is(err, want) {
				t.Errorf("%d boxes: %.200v, want %v", boxes, err, want)
			}
			if err != nil && len(err.Error()) > 10_000 {
				t.Errorf("%d boxes: an error of %d bytes", boxes, len(err.Error()))
			}
		}
	}
}

// unprintable panics with a map that holds itself.
type unprintable struct{ _ int }

func (*unprintable) MarshalBinary() ([]byte, error) { panic(unprintableValue()) }
func (*unprintable) UnmarshalBinary([]byte) error   { panic(unprintableValue()) }

func unprintableValue() any {
	m := map[string]any{}
	m["self"] = m
	return m
}

// What a method panics with was printed into the error, and so for ever.
func TestPanicWithWhatCannotBePrinted(t *testing.T) { runChild(t, "unprintable panic", nil) }

func childUnprintablePanic(t *testing.T) {
	_, err := format.Marshal(new(unprintable))
	wantErr(t, "Marshal", err, format.ErrType)
	msg := must(format.Marshal(appends{1}))
	wantErr(t, "Unmarshal", format.Unmarshal(msg, new(unprintable)), format.ErrCorrupt)
}

// counted counts how often it is written.
type counted struct{ _ int }

var countedCalls int

func (*counted) MarshalBinary() ([]byte, error) { countedCalls++; return []byte("c"), nil }
func (*counted) UnmarshalBinary([]byte) error   { return nil }

type diamond struct {
	L, R *diamond
	C    counted
}

// That no key may hold a pointer was found out after what it points to had been written, and that can be
// far more than there is.
func TestPointerInKeyIsRefusedFirst(t *testing.T) {
	types := keyBoxes(t)
	if err := format.RegisterIn[*diamond](types, "diamond"); err != nil {
		t.Fatal(err)
	}
	d := new(diamond)
	for range 20 {
		d = &diamond{L: d, R: d}
	}
	for _, opts := range [][]format.Option{{format.WithTypes(types)}, {format.WithTypes(types), format.WithRefs()}} {
		c := format.MustFor[map[any]int](opts...)
		for _, k := range []any{d, keyBox{d}} {
			countedCalls = 0
			v := map[any]int{k: 1}
			_, err := c.Append(nil, &v)
			wantErr(t, "Append", err, format.ErrType)
			_, err = c.Size(&v)
			wantErr(t, "Size", err, format.ErrType)
			if countedCalls > 0 {
				t.Errorf("what a pointer in a key refers to was written: %d calls", countedCalls)
			}
		}
	}
}

// prickly's error panics when it is asked what it is.
type (
	prickly      struct{ _ int }
	pricklyError struct{}
)

func (*prickly) MarshalBinary() ([]byte, error) { return nil, pricklyError{} }
func (*prickly) UnmarshalBinary([]byte) error   { return pricklyError{} }
func (pricklyError) Error() string              { return "ouch" }
func (pricklyError) Is(error) bool              { panic("Is") }

// The errors of methods were asked by errors.Is, outside of what catches panics.
func TestErrorWhoseIsPanics(t *testing.T) {
	c := format.MustFor[prickly]()
	v := new(prickly)
	errs := map[string]error{"Encode": c.Encode(buffer.New(64), v)}
	_, errs["Append"] = c.Append(nil, v)
	_, errs["Size"] = c.Size(v)
	_, errs["WriteTo"] = c.WriteTo(io.Discard, v)
	_, errs["Gather"] = c.Gather(nil, buffer.New(64), v)
	_, errs["Clone"] = c.Clone(v)
	errs["Decode"] = format.Unmarshal(must(format.Marshal(appends{1})), new(prickly))
	for name, err := range errs {
		if e, ok := err.(*format.Error); !ok || !strings.HasSuffix(e.Error(), ": ouch") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// No Types was a nil dereference, and no name made a type that could not be told from others.
func TestRegisterWithoutTypesOrName(t *testing.T) {
	var e *format.Error
	for name, err := range map[string]error{"nil Types": format.RegisterIn[keyBox](nil, "x"), "an empty name": format.RegisterIn[keyBox](format.NewTypes(), "")} {
		if !errors.Is(err, format.ErrType) || !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bufferUser writes into the buffer that it is being written into.
type bufferUser struct{ _ int }

var bufferInUse *buffer.Buffer

func (*bufferUser) MarshalBinary() ([]byte, error) {
	return []byte("x"), format.MustFor[[3]int]().Encode(bufferInUse, &[3]int{1, 2, 3})
}
func (*bufferUser) UnmarshalBinary([]byte) error { return nil }

// The two messages were written over each other, and nobody was told.
func TestMethodThatWritesIntoTheSameBuffer(t *testing.T) {
	c := format.MustFor[bufferUser]()
	for name, write := range map[string]func() error{
		"Encode": func() error { return c.Encode(bufferInUse, new(bufferUser)) },
		"Gather": func() error { return second[net.Buffers](c.Gather(nil, bufferInUse, new(bufferUser))) },
	} {
		bufferInUse = buffer.New(1 << 12)
		wantErr(t, name, write(), format.ErrType)
		if n := bufferInUse.Len(); n != 16+3*8 {
			t.Errorf("%s leaves %d bytes", name, n)
		}
	}
}

// shell marshals by writing the shell in it.
type (
	shell        struct{ M shellMethods }
	shellMethods struct {
		level int
		in    *shell
	}
)

var (
	shells     = format.MustFor[shell]()
	shellCalls []int // by level
)

func (m *shellMethods) MarshalBinary() ([]byte, error) {
	shellCalls[m.level]++
	if m.in == nil {
		return nil, nil
	}
	return shells.Append(nil, m.in)
}
func (m *shellMethods) UnmarshalBinary(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	m.in = new(shell)
	return shells.Decode(b, m.in)
}

// A message that did not fit was measured first and then written, so that each level called the next one
// twice: 2^n calls.
func TestNestedMethodsDoNotDoubleTheWork(t *testing.T) {
	const levels = 18
	v := new(shell)
	for i := range levels {
		v = &shell{shellMethods{i + 1, v}}
	}
	for name, write := range map[string]func() error{
		"Append":  func() error { return second(shells.Append(nil, v)) },
		"Size":    func() error { return second(shells.Size(v)) },
		"Encode":  func() error { return shells.Encode(buffer.New(1<<12), v) },
		"WriteTo": func() error { return second(shells.WriteTo(io.Discard, v)) },
		"Clone":   func() error { return second(shells.Clone(v)) },
	} {
		shellCalls = make([]int, levels+1)
		if err := write(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for level, n := range shellCalls {
			if n < 1 || n > 2 {
				t.Errorf("%s: %d calls at level %d", name, n, level)
			}
		}
	}
}

type (
	wrap1[T any]  struct{ A T }
	wrap4[T any]  struct{ A wrap1[wrap1[wrap1[wrap1[T]]]] }
	wrap20[T any] struct{ A wrap4[wrap4[wrap4[wrap4[T]]]] }
)

// Each struct around a number was a step of comparing keys, of which there were only so many for a byte: a
// writer's own message was refused.
func TestKeysOfManyNestedStructs(t *testing.T) {
	type key = wrap20[uint16]
	c := format.MustFor[map[key]struct{}]()
	v := map[key]struct{}{}
	for i := range 2000 {
		var k key
		*(*uint16)(unsafe.Pointer(&k)) = uint16(i)
		v[k] = struct{}{}
	}
	msg := must(c.Append(nil, &v))
	if err := c.Verify(msg); err != nil {
		t.Error(err)
	}
	var got map[key]struct{}
	if err := c.Decode(msg, &got); err != nil || !reflect.DeepEqual(got, v) {
		t.Errorf("%d of %d keys, %v", len(got), len(v), err)
	}
}

// Each element of an array in a key was looked at, though there is nothing in it.
func TestKeyWithAnArrayOfNothing(t *testing.T) {
	if bits.UintSize == 32 {
		t.Skip("such an array is too long here")
	}
	type key struct {
		F float64
		Z [1 << (bits.UintSize/2 - 1)]struct{}
	}
	c := format.MustFor[map[key]int]()
	soon(t, 2*time.Second, func() {
		msg := must(c.Append(nil, &map[key]int{{F: 1}: 2, {F: 3}: 4}))
		if err := c.Verify(msg); err != nil {
			t.Error(err)
		}
		var got map[key]int
		if err := c.Decode(msg, &got); err != nil || len(got) != 2 || got[key{F: 1}] != 2 {
			t.Errorf("%d, %v", len(got), err)
		}
	})
}

// An error in a map gave the place in the order of keys, which nobody knows.
func TestErrorsNameKeys(t *testing.T) {
	type unregistered struct{ X int }
	type value struct {
		Attrs map[string]any
		Rows  map[int16]any
	}
	c := format.MustFor[value]()
	attrs, rows := map[string]any{}, map[int16]any{}
	for i := range 10 {
		attrs[fmt.Sprint("k", i)], rows[int16(i)] = i, i
	}
	for path, v := range map[string]value{`Attrs["k7"]`: {Attrs: attrs}, "Rows[7]": {Rows: rows}} {
		attrs["k7"], rows[7] = unregistered{1}, unregistered{1}
		_, err := c.Append(nil, &v)
		_, err2 := c.Size(&v)
		for _, err := range []error{err, err2} {
			var e *format.Error
			if !errors.As(err, &e) || !strings.HasPrefix(e.Path, path) || !errors.Is(err, format.ErrType) {
				t.Errorf("want a path of %s: %v", path, err)
			}
		}
	}
}

// That a value is part of itself did not say what to do about it.
func TestCyclesSayWhatToDo(t *testing.T) {
	v := new(List)
	v.Next = v
	m := map[string]any{}
	m["m"] = []any{m}
	for name, err := range map[string]error{"pointer": second(format.Marshal(v)), "map": second(format.Marshal(&m))} {
		if !errors.Is(err, format.ErrCycle) || !strings.Contains(err.Error(), "WithRefs") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

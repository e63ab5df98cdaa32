package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestCases has situations that hurt users of comparable software, under the
// names that they have in the project's list.
func TestCases(t *testing.T) {
	for _, c := range []struct {
		id, what string
		test     func(*testing.T)
	}{
		{"B02", "a declared length allocates nothing", caseDeclaredLength},
		{"B03", "refs that point elsewhere", caseForeignRefs},
		{"B07", "more nodes than a small number counts", caseManyNodes},
		{"B14", "garbage and every truncation, through views", caseGarbageInViews},
		{"B15", "44 bytes with a bogus root", caseBogusRoot},
		{"B17", "there is a verifier", caseVerifier},
		{"B16", "less than a header", caseLessThanHeader},
		{"B20", "a count near the end whose sum wraps", caseSumWraps},
		{"B22", "bytes of other protocols", caseOtherProtocols},
		{"B23", "zeroes", caseZeroes},
		{"B33", "empty strings first, between and last", caseEmptyStrings},
		{"B34", "any in any in any", caseDeepAny},
		{"B35", "prefixes of times", caseShortTimes},
		{"B36", "methods that call the package for themselves", caseMethodCallsItself},
		{"B38", "prefixes through every reader", caseShortEverywhere},
		{"B40", "a length of 2^62 in 12 bytes", caseHugeLength},
		{"B46", "a deep list", caseDeepList},
		{"B47", "cycles", caseCycles},
		{"B50", "padding is zero", casePadding},
		{"B51", "unaligned input", caseUnaligned},
		{"B52", "recursive types compile", caseRecursiveTypes},
		{"B55", "bools that are none; other scalars pass any value", caseAnyScalar},
		{"B56", "strings outlive a reused buffer", caseReusedBuffer},
		{"B59", "bytes outlive the message", caseClearedMessage},
		{"B61", "stale bytes in a buffer", caseStaleBytes},
		{"B63", "a corrupt message in a run", caseCorruptInRun},
		{"C01", "an embedded nil pointer to an unexported struct", caseEmbeddedUnexported},
		{"C02", "embedded types that marshal themselves", caseEmbeddedMarshalers},
		{"C03", "nil and empty, alone and in slices", caseNilAndEmpty},
		{"C03", "nil and empty maps and interfaces", caseNilAndEmptyMaps},
		{"C04", "elements of no bytes", caseNothing},
		{"C05", "a hundred first uses at once", caseFirstUse},
		{"C06", "a collector that never rests", caseCollector},
		{"C07", "zones of all kinds", caseZones},
		{"C08", "keys that are NaN, twice 0, twice the same", caseOddKeys},
		{"C09", "two programs register otherwise", caseTwoRegistries},
		{"C10", "ints of 64 bits in maps, boxes and keys", caseIntsOf32Bits},
		{"C11", "many fields", caseManyFields},
		{"C12", "long lists", caseLongLists},
		{"C13", "a cycle of one", caseSelfCycle},
		{"C14", "append to an alias", caseAppendToAlias},
		{"C15", "trailing bytes, nil and non-pointer targets", caseMisuse},
		{"C16", "a fixed buffer that fits or does not", caseFixedBuffer},
		{"C20", "one message read by many", caseOneMessageReadByMany},
		{"C21", "one field of a large message, read very often", caseOneFieldForLong},
		{"C18", "messages over 2 and 4 GiB", caseHuge},
	} {
		t.Run(c.id+" "+c.what, c.test)
	}
}

func wantErr(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
		return
	}
	var e *format.Error
	if !errors.As(err, &e) || e.Op == "" {
		t.Errorf("%s: %T without an Op: %v", what, err, err)
	}
}

// wantCheap is wantErr for f, which may allocate its error and hardly more.
func wantCheap(t *testing.T, what string, f func() error, want error) {
	t.Helper()
	wantErr(t, what, f(), want) // the first time plans and pools are made
	var err error
	if got := allocated(func() { err = f() }); got > 1024 && !raceEnabled {
		t.Errorf("%s allocates %d bytes", what, got)
	}
	wantErr(t, what, err, want)
}

func caseDeclaredLength(t *testing.T) {
	for _, count := range []uint32{10_000, 2_000_000_000, math.MaxUint32} {
		ints, text := new([]int32), new(string)
		msg := craft(reflect.TypeFor[[]int32](), ref(1, count))
		wantCheap(t, "[]int32", func() error { return format.Unmarshal(msg, ints) }, format.ErrCorrupt)
		wantCheap(t, "10 bytes", func() error { return format.Unmarshal(msg[:10], ints) }, format.ErrTruncated)
		msg = craft(reflect.TypeFor[string](), ref(1, count))
		wantCheap(t, "string", func() error { return format.Unmarshal(msg, text) }, format.ErrCorrupt)
	}
}

func caseLessThanHeader(t *testing.T) {
	msg := mustModelEncode(new(mediaContent()))
	c := format.MustFor[MediaContent]()
	for n := range modelHeader {
		var v MediaContent
		wantErr(t, "Unmarshal", format.Unmarshal(msg[:n], &v), format.ErrTruncated)
		wantErr(t, "DecodeAlias", c.DecodeAlias(msg[:n], &v), format.ErrTruncated)
		wantErr(t, "Verify", c.Verify(msg[:n]), format.ErrTruncated)
		_, _, err := format.Next(msg[:n])
		wantErr(t, "Next", err, format.ErrTruncated)
		_, err = format.Peek(msg[:n])
		wantErr(t, "Peek", err, format.ErrTruncated)
	}
	wantErr(t, "Unmarshal(nil)", format.Unmarshal(nil, new(MediaContent)), format.ErrTruncated)
	for n := modelHeader; n < len(msg); n++ {
		wantErr(t, "Unmarshal", format.Unmarshal(msg[:n], new(MediaContent)), format.ErrTruncated)
		wantErr(t, "Verify", c.Verify(msg[:n]), format.ErrTruncated)
		_, _, err := format.Next(msg[:n])
		wantErr(t, "Next", err, format.ErrTruncated)
	}
}

func caseSumWraps(t *testing.T) {
	for _, count := range []uint32{0xFFFFFFFC, 0xFFFFFFF8, 0x7FFFFFF8, 0x20000000, 0x1FFFFFFF} {
		for _, distance := range []int32{1, 2, math.MaxInt32, math.MinInt32, -1, 0} {
			words := []uint64{ref(distance, count), 0, 0}
			wantErr(t, "string", format.Unmarshal(craft(reflect.TypeFor[string](), words...), new(string)), format.ErrCorrupt)
			wantErr(t, "[]int64", format.Unmarshal(craft(reflect.TypeFor[[]int64](), words...), new([]int64)), format.ErrCorrupt)
			wantErr(t, "[]Point", format.Unmarshal(craft(reflect.TypeFor[[]Point](), words...), new([]Point)), format.ErrCorrupt)
		}
	}
}

func caseOtherProtocols(t *testing.T) {
	c := format.MustFor[MediaContent]()
	for _, s := range []string{
		"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x07", 64),
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff" + strings.Repeat("z", 30), "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 57),
		"{\"Media\":{}}", "PK\x03\x04", "\xA5", "\xA4\x4C", "\xA5\x4D\x01\x00", "L\xA5",
	} {
		want := format.ErrCorrupt
		if s == "\xA5" {
			want = format.ErrTruncated // nothing says yet that it is not ours
		}
		in, v := []byte(s), new(MediaContent)
		wantCheap(t, s, func() error { return format.Unmarshal(in, v) }, want)
		wantErr(t, s, c.Verify([]byte(s)), want)
		wantErr(t, s, c.DecodeAlias([]byte(s), new(MediaContent)), want)
		_, _, err := format.Next([]byte(s))
		wantErr(t, "Next "+s, err, want)
		_, err = format.Peek([]byte(s))
		wantErr(t, "Peek "+s, err, want)
	}
}

func caseZeroes(t *testing.T) {
	for n := 16; n <= 4096; n += 8 {
		wantErr(t, "zeroes", format.Unmarshal(make([]byte, n), new(MediaContent)), format.ErrCorrupt)
	}
}

func caseEmptyStrings(t *testing.T) {
	type S struct {
		First  string
		A      int8
		Middle string
		B      []int32
		Last   string
	}
	c := must(forget[S]())
	for _, v := range []S{{}, {B: []int32{}}, {First: "x"}, {Middle: "x"}, {Last: "x"}, {B: []int32{1}}} {
		msg, err := c.Append(nil, &v)
		if err != nil || !bytes.Equal(msg, mustModelEncode(&v)) {
			t.Errorf("%+v: %v", v, err)
		}
		for _, d := range decodes {
			var got S
			if err := d.call(c, msg, &got); err != nil {
				t.Errorf("%s of %+v: %v", d.name, v, err)
			} else if diff := difference(&got, &v); diff != "" {
				t.Errorf("%s of %+v gives%s", d.name, v, diff)
			}
		}
	}
}

func caseHugeLength(t *testing.T) {
	v := new(string)
	msg := craft(reflect.TypeFor[string](), 1<<62)
	wantCheap(t, "2^62", func() error { return format.Unmarshal(msg, v) }, format.ErrCorrupt)
	wantErr(t, "12 bytes", format.Unmarshal(msg[:12], v), format.ErrTruncated)
	for _, claim := range []uint32{1<<31 - 1, 1 << 31} {
		binary.LittleEndian.PutUint32(msg[4:], claim)
		wantCheap(t, "a long message", func() error { return format.Unmarshal(msg, v) }, format.ErrTruncated)
	}
	for _, claim := range []uint32{1<<31 + 1, math.MaxUint32} {
		binary.LittleEndian.PutUint32(msg[4:], claim)
		wantCheap(t, "an endless message", func() error { return format.Unmarshal(msg, v) }, format.ErrCorrupt)
	}
}

func caseDeepList(t *testing.T) {
	_, err := format.Marshal(listOf(20_000))
	wantErr(t, "Marshal", err, format.ErrLimit)
	wantErr(t, "Unmarshal", format.Unmarshal(listMessage(20_000), new(List)), format.ErrLimit)
	// Ten million deep: TestDeepValuesAndMessages.
}

func casePadding(t *testing.T) {
	type P struct {
		A uint64
		B uint32
	}
	var memory [4]P
	raw := unsafe.Slice((*byte)(unsafe.Pointer(&memory)), unsafe.Sizeof(memory))
	for _, fill := range []byte{0x00, 0xAA, 0xFF} {
		for i := range raw {
			raw[i] = fill
		}
		for i := range memory {
			memory[i].A, memory[i].B = 1, 2
		}
		clean := []P{{1, 2}, {1, 2}, {1, 2}, {1, 2}}
		for _, v := range []struct{ dirty, clean any }{
			{&memory[1], &clean[1]}, {new(memory[:]), &clean}, {&memory, (*[4]P)(clean)}, {new(&memory[2]), new(&clean[2])},
		} {
			got, err := format.Marshal(v.dirty)
			if want := mustModelEncode(v.clean); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%T in memory full of %02x: %v, %s", v.dirty, fill, err, firstDifference(got, want))
			}
		}
	}
}

func caseUnaligned(t *testing.T) {
	v := []int64{1, 2, 3}
	c := format.MustFor[[]int64]()
	msg := mustModelEncode(&v)
	memory := alignedBytes(len(msg) + 8)
	for k := range 8 {
		in := memory[k : k+len(msg)]
		copy(in, msg)
		var got []int64
		if err := c.DecodeAlias(in, &got); err != nil {
			t.Errorf("at %d mod 8: %v", k, err)
			continue
		}
		if uintptr(unsafe.Pointer(&got[0]))%unsafe.Alignof(got[0]) != 0 {
			t.Errorf("at %d mod 8: an unaligned slice", k)
		}
		if d := difference(&got, &v); d != "" {
			t.Errorf("at %d mod 8 gives%s", k, d)
		}
	}
}

func caseRecursiveTypes(t *testing.T) {
	type Thing struct{ P *Thing }
	type A struct {
		B *struct{ C []map1[A] }
	}
	for name, make := range map[string]func() (*codec, error){
		"pointer to itself in a struct": func() (*codec, error) { return forget[Thing]() },
		"pointer to itself":             func() (*codec, error) { return forget[Loop]() },
		"slice of itself":               func() (*codec, error) { return forget[Nest]() },
		"two types in turn":             func() (*codec, error) { return forget[Even]() },
		"by way of a generic type":      func() (*codec, error) { return forget[A]() },
		"by way of an array":            func() (*codec, error) { return forget[Arrayed]() },
	} {
		done := time.AfterFunc(time.Minute, func() { panic("a codec of " + name + " hangs") })
		c, err := make()
		done.Stop()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got, want := c.Description(), modelDescription(c.Type()); !bytes.Equal(got, want) {
			t.Errorf("%s: % x, want % x", name, got, want)
		}
	}
}

type map1[T any] struct {
	Key string
	Val *T
}

type Arrayed struct{ Kids [2]*Arrayed }

func caseAnyScalar(t *testing.T) {
	// Bools in every place: TestBoolsAreChecked.
	wantErr(t, "bool 2", format.Unmarshal(craft(reflect.TypeFor[bool](), 2), new(bool)), format.ErrCorrupt)
	type S struct {
		A int8
		B Size
		C float64
		D Text
	}
	all := ^uint64(0)
	x := newVictim(t, must(forget[S]()))
	msg := craft(reflect.TypeFor[S](), all, all, ref(1, 8), all)
	if err := x.attack(t, msg); err != nil {
		t.Error(err)
	}
	if err := x.c.Verify(msg); err != nil {
		t.Errorf("all bits set: %v", err)
	}
}

func caseReusedBuffer(t *testing.T) {
	c := format.MustFor[Part]()
	b := buffer.New(256)
	encode := func(name string) {
		b.Reset()
		if err := c.Encode(b, &Part{Name: name, Sizes: []int16{1}, Weight: new(float32(1))}); err != nil {
			t.Fatal(err)
		}
	}
	encode("first one")
	var kept, reused Part
	if err := errors.Join(c.Decode(b.Bytes(), &kept), c.DecodeReuse(b.Bytes(), &reused)); err != nil {
		t.Fatal(err)
	}
	encode("other one")
	if kept.Name != "first one" || reused.Name != "first one" {
		t.Errorf("%q and %q changed with the buffer", kept.Name, reused.Name)
	}
}

func caseClearedMessage(t *testing.T) {
	type B struct{ Blob []byte }
	msg := mustModelEncode(&B{[]byte("blob")})
	var v B
	if err := format.Unmarshal(msg, &v); err != nil {
		t.Fatal(err)
	}
	clear(msg)
	if string(v.Blob) != "blob" {
		t.Errorf("%q after clear(msg)", v.Blob)
	}
}

func caseStaleBytes(t *testing.T) {
	type small struct {
		A uint32
		B uint8
	}
	secret := strings.Repeat("SECRET!!", 32)
	b, err := buffer.OffHeap(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := format.MustFor[string]().Encode(b, &secret); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	v := []small{{1, 2}, {3, 4}}
	if err := format.MustFor[[]small]().Encode(b, &v); err != nil {
		t.Fatal(err)
	}
	if want := mustModelEncode(&v); !bytes.Equal(b.Bytes(), want) {
		t.Error(firstDifference(b.Bytes(), want))
	}
	if bytes.ContainsAny(b.Bytes()[modelHeader:], "SECRT!") {
		t.Errorf("the secret shows in % x", b.Bytes())
	}
}

func caseNothing(t *testing.T) {
	// Hostile counts: TestCountsOfNothing. Here what is written.
	for _, n := range []int{0, 3, math.MaxInt32} {
		v := make([]struct{}, n)
		msg, err := format.Marshal(v)
		if err != nil || len(msg) != 24 {
			t.Fatalf("%d nothings: %d bytes, %v", n, len(msg), err)
		}
		var got []struct{}
		if err := format.Unmarshal(msg, &got); err != nil || len(got) != n || got == nil {
			t.Errorf("%d nothings: %d, %v", n, len(got), err)
		}
	}
	type only struct {
		A struct{}
		B [0]int32
		C []struct{}
	}
	v := only{C: make([]struct{}, 1<<30)}
	msg, err := format.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	var got only
	if err := format.Unmarshal(msg, &got); err != nil || len(got.C) != 1<<30 {
		t.Errorf("%d nothings: %v", len(got.C), err)
	}
}

func caseFirstUse(t *testing.T) {
	type leaf struct {
		A *int
		B []string
	}
	type node struct {
		Name string
		Kids []*node
		Leaf leaf
		Up   *node
	}
	v := node{Name: "r", Kids: []*node{{Name: "k", Leaf: leaf{new(1), []string{"x"}}}, nil}}
	want := mustModelEncode(&v)
	var start, done sync.WaitGroup
	start.Add(1)
	prints := make([]uint64, 100)
	for i := range prints {
		done.Go(func() {
			start.Wait()
			if i%2 == 0 {
				c, err := format.For[node]()
				if err != nil {
					t.Error(err)
					return
				}
				prints[i] = c.Fingerprint()
			}
			msg, err := format.Marshal(&v)
			if err != nil || !bytes.Equal(msg, want) {
				t.Errorf("%v, %s", err, firstDifference(msg, want))
			}
			var got node
			if err := format.Unmarshal(want, &got); err != nil {
				t.Error(err)
			} else if d := difference(&got, &v); d != "" {
				t.Error(d)
			}
		})
	}
	start.Done()
	done.Wait()
	for i := 2; i < len(prints); i += 2 {
		if prints[i] != prints[0] {
			t.Error("different fingerprints")
		}
	}
}

func caseManyFields(t *testing.T) {
	// 300 and 3,000 fields: TestWideStructs.
	for _, v := range []any{
		seeded(1, 1000).random(reflect.TypeFor[Float33]()).Interface(), seeded(2, 1000).random(reflect.TypeFor[Mixed104]()).Interface(),
	} {
		checkMarshal(t, reflect.ValueOf(v), reflect.New(reflect.TypeOf(v).Elem()))
	}
}

func caseLongLists(t *testing.T) {
	// At the limit itself: TestDepthIsSymmetrical.
	for _, n := range []int{21, 1000, 9000} {
		v, got := listOf(n), new(List)
		msg, err := format.Marshal(v)
		if err != nil {
			t.Errorf("%d nodes: %v", n, err)
			continue
		}
		if err := format.Unmarshal(msg, got); err != nil {
			t.Errorf("%d nodes: %v", n, err)
		} else if d := difference(got, v); d != "" {
			t.Errorf("%d nodes give%s", n, d)
		}
	}
}

package format_test

import (
	"bytes"
	"errors"
	"math"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// Assembled is what the tests of this file build: something of every kind.
type Assembled struct {
	On      bool
	Small   int8
	Number  int
	Ratio   float64
	Wave    complex64
	Count   *uint32
	When    time.Time
	Since   *time.Time
	Name    string
	Title   *string
	At      Spot
	Marks   [3]bool
	Addr    netip.Addr
	Values  []float64
	Flags   []bool
	Spots   []Spot
	Rows    [][]int32
	Next    *Assembled
	Parts   []*Piece
	Inlined []Piece
	Names   []string
	Table   map[string]int32
	Any     any
	Deep    **Piece
}

// Spot is plain and has gaps.
type Spot struct {
	X    int8
	Y    int64
	Mark bool
}

type Piece struct {
	Label string
	Size  uint16
	Owner *Piece
}

func beginBuild[T any](t *testing.T, c *format.Codec[T]) (*format.Builder[T], *buffer.Buffer) {
	t.Helper()
	memory := bytes.Repeat([]byte{0xAA}, 1<<16)
	buf := buffer.Wrap(alignedCopy(memory))
	b, err := c.Build(buf)
	if err != nil {
		t.Fatal(err)
	}
	return b, buf
}

func noError(t *testing.T, errs ...error) {
	t.Helper()
	for i, err := range errs {
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
	}
}

// fill sets a slice of n elements: over the message where that is possible.
func fill[T any, E any](t *testing.T, h *format.Handle[T, []E], d format.Draft[T], x []E, at ...int) {
	t.Helper()
	if !aliases() {
		noError(t, h.Set(d, x, at...))
		return
	}
	s, err := h.Make(d, len(x), at...)
	if err != nil && errors.Is(err, format.ErrType) && strings.Contains(err.Error(), "elements are in memory") {
		noError(t, h.Set(d, x, at...)) // Go lays them out otherwise here
		return
	}
	noError(t, err)
	if len(s) != len(x) || cap(s) != len(x) {
		t.Fatalf("%d elements of capacity %d, want %d", len(s), cap(s), len(x))
	}
	copy(s, x)
}

// TestBuildEverything: what was set part by part, whatever the memory held and in an order of no meaning, is what comes
// out.
func TestBuildEverything(t *testing.T) {
	c := format.MustFor[Assembled]()
	parts := format.MustFor[Piece]()
	b, _ := beginBuild(t, c)
	root := b.Root()

	count, when := uint32(7), time.Date(2026, 12, 1, 2, 3, 4, 5, time.UTC)
	title, owner := "", &Piece{Label: "owner"}
	deep := &Piece{Label: "deep"}
	want := Assembled{true, -1, -5, math.Pi, 1 + 2i, &count, when, &when, "name", &title, Spot{1, 2, true}, [3]bool{true, false, true},
		netip.MustParseAddr("10.0.0.1"), []float64{1, 2, 3}, []bool{true, false}, []Spot{{1, 2, true}, {3, 4, false}},
		[][]int32{{1}, nil, {}, {2, 3}}, &Assembled{Name: "next"}, []*Piece{nil, {"second", 2, owner}}, []Piece{{"inlined", 9, nil}, {}},
		[]string{"x", "", "z"}, map[string]int32{"a": 1, "b": 2}, int64(5), &deep}

	table := format.MustField[format.View[map[string]int32]](c, "Table")
	d, err := format.Sub(table, root)
	noError(t, err, d.Encode(&want.Table))
	inter := format.MustField[format.View[any]](c, "Any")
	i, err := format.Sub(inter, root)
	noError(t, err, i.Encode(&want.Any))

	list := format.MustField[format.View[Piece]](c, "Parts[]")
	noError(t, list.MakeList(root, 2))
	second, err := format.Sub(list, root, 1)
	label, size := format.MustField[string](parts, "Label"), format.MustField[uint16](parts, "Size")
	noError(t, err, label.Set(second, "second"), size.Set(second, 2),
		format.MustField[string](parts, "Owner.Label").Set(second, "owner"))
	inlined := format.MustField[format.View[Piece]](c, "Inlined[]")
	noError(t, inlined.MakeList(root, 2))
	first, err := format.Sub(inlined, root, 0)
	noError(t, err, label.Set(first, "inlined"), size.Set(first, 9))
	names := format.MustField[string](c, "Names[]")
	noError(t, names.MakeList(root, 3), names.Set(root, "x", 0), names.Set(root, "z", 2))
	rows := format.MustField[[]int32](c, "Rows[]")
	noError(t, rows.MakeList(root, 4))
	fill(t, rows, root, []int32{2, 3}, 3)
	fill(t, rows, root, []int32{}, 2)
	fill(t, rows, root, []int32{1}, 0)

	fill(t, format.MustField[[]Spot](c, "Spots"), root, want.Spots)
	fill(t, format.MustField[[]bool](c, "Flags"), root, want.Flags)
	fill(t, format.MustField[[]float64](c, "Values"), root, want.Values)
	noError(t,
		format.MustField[string](c, "Deep.Label").Set(root, "deep"),
		format.MustField[string](c, "Next.Name").Set(root, "next"),
		format.MustField[netip.Addr](c, "Addr").Set(root, want.Addr),
		format.MustField[[3]bool](c, "Marks").Set(root, want.Marks),
		format.MustField[Spot](c, "At").Set(root, Spot{9, 9, false}),
		format.MustField[Spot](c, "At").Set(root, want.At),
		format.MustField[string](c, "Title").Set(root, ""),
		format.MustField[string](c, "Name").Set(root, "gone"),
		format.MustField[string](c, "Name").Set(root, "name"),
		format.MustField[time.Time](c, "Since").Set(root, when),
		format.MustField[time.Time](c, "When").Set(root, when),
		format.MustField[uint32](c, "Count").Set(root, 7),
		format.MustField[complex64](c, "Wave").Set(root, 1+2i),
		format.MustField[float64](c, "Ratio").Set(root, math.Pi),
		format.MustField[int](c, "Number").Set(root, -5),
		format.MustField[int8](c, "Small").Set(root, -1),
		format.MustField[bool](c, "On").Set(root, true))
	if got, err := format.MustField[string](c, "Parts[].Owner.Label").Get(root.View(), 1); got != "owner" || err != nil {
		t.Errorf("a view of the draft has %q, %v", got, err)
	}
	msg, err := b.Finish()
	noError(t, err, c.Verify(msg))
	var got Assembled
	noError(t, c.Decode(msg, &got))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if err := format.MustField[bool](c, "On").Set(root, false); !errors.Is(err, format.ErrType) {
		t.Errorf("a draft after Finish: %v", err)
	}
	if _, err := b.Finish(); !errors.Is(err, format.ErrType) {
		t.Errorf("a second Finish: %v", err)
	}
}

// TestBuildInOrder: parts that are made in the order of the fields are the bytes that Append writes, gaps and all.
func TestBuildInOrder(t *testing.T) {
	if !aliases() {
		t.Skip("no slices over messages")
	}
	type value struct {
		Head  Spot
		Spots []Spot
		Large []int16
		Tail  string
	}
	c := format.MustFor[value]()
	v := value{Spot{1, 2, true}, []Spot{{3, 4, true}, {5, 6, false}}, make([]int16, 300), "tail"}
	want, err := c.Append(nil, &v)
	noError(t, err)
	b, buf := beginBuild(t, c)
	noError(t, format.MustField[Spot](c, "Head").Set(b.Root(), v.Head))
	spots := format.MustField[[]Spot](c, "Spots")
	if reflect.TypeFor[Spot]().Size() == 24 {
		b.Dirty() // so that gaps hold what the memory did
		s, err := spots.Make(b.Root(), 2)
		noError(t, err)
		for i := range s { // not the gaps
			s[i].X, s[i].Y, s[i].Mark = v.Spots[i].X, v.Spots[i].Y, v.Spots[i].Mark
		}
	} else {
		noError(t, spots.Set(b.Root(), v.Spots))
	}
	large, err := format.MustField[[]int16](c, "Large").Make(b.Root(), 300)
	noError(t, err)
	clear(large)
	noError(t, format.MustField[string](c, "Tail").Set(b.Root(), "tail"))
	if buf.Len() != 0 {
		t.Errorf("the buffer has %d bytes before Finish", buf.Len())
	}
	msg, err := b.Finish()
	noError(t, err)
	if !bytes.Equal(msg, want) || !bytes.Equal(buf.Bytes(), want) {
		t.Errorf("built\n% x\nwant\n% x", msg, want)
	}
}

// TestSetLeavesNoGaps: what is between the fields of a Go struct is not in a message.
func TestSetLeavesNoGaps(t *testing.T) {
	type padded struct {
		A int8
		B int64
	}
	type value struct {
		Direct padded
		Behind *padded
		List   []padded
	}
	var dirty padded
	memory := unsafe.Slice((*byte)(unsafe.Pointer(&dirty)), unsafe.Sizeof(dirty))
	for i := range memory {
		memory[i] = 0xAA
	}
	dirty.A, dirty.B = 1, 2
	c := format.MustFor[value]()
	b, _ := beginBuild(t, c)
	noError(t, format.MustField[padded](c, "Direct").Set(b.Root(), dirty),
		format.MustField[padded](c, "Behind").Set(b.Root(), dirty),
		format.MustField[[]padded](c, "List").Set(b.Root(), []padded{dirty, dirty}))
	msg, err := b.Finish()
	noError(t, err)
	want := mustAppend(t, c, &value{padded{1, 2}, &padded{1, 2}, []padded{{1, 2}, {1, 2}}})
	if !bytes.Equal(msg, want) {
		t.Errorf("built\n% x\nwant\n% x", msg, want)
	}
}

// TestBuildMemoryIsZero: Make hands out zeros, whatever the memory held, unless it is told not to.
func TestBuildMemoryIsZero(t *testing.T) {
	if !aliases() {
		t.Skip("no slices over messages")
	}
	c := format.MustFor[[]uint8]()
	h := format.MustField[[]uint8](c, "")
	for _, dirty := range []bool{false, true} {
		b, _ := beginBuild(t, c)
		if dirty {
			b.Dirty()
		}
		s, err := h.Make(b.Root(), 13)
		noError(t, err)
		if want := map[bool]byte{false: 0, true: 0xAA}[dirty]; bytes.Count(s, []byte{want}) != 13 {
			t.Errorf("dirty %v: % x", dirty, s)
		}
		msg, err := b.Finish()
		noError(t, err)
		if tail := msg[len(msg)-3:]; !bytes.Equal(tail, []byte{0, 0, 0}) {
			t.Errorf("dirty %v: the gap behind is % x", dirty, tail)
		}
	}
}

// TestBuildOutgrows: a buffer that is too small is an error with both numbers at every step, and stays as it was;
// the builder goes on with what fits.
func TestBuildOutgrows(t *testing.T) {
	c := format.MustFor[Piece]()
	v := Piece{"label that is long", 3, &Piece{Label: "other"}}
	whole, err := c.Append(nil, &v)
	noError(t, err)
	label, other := format.MustField[string](c, "Label"), format.MustField[string](c, "Owner.Label")
	for n := range len(whole) + 8 {
		buf := buffer.New(n + 8)
		_, err := buf.Extend(3) // so that there is a gap
		noError(t, err)
		b, err := c.Build(buf)
		if err == nil {
			err = label.Set(b.Root(), v.Label)
		}
		if err == nil {
			err = other.Set(b.Root(), "other")
		}
		if err == nil {
			_, err = b.Finish()
		}
		switch fits := n >= len(whole); {
		case fits && err != nil:
			t.Fatalf("capacity %d for %d: %v", n, len(whole), err)
		case !fits && (!errors.Is(err, buffer.ErrFull) || buf.Len() != 3):
			t.Fatalf("capacity %d for %d: %v, length %d", n, len(whole), err, buf.Len())
		case fits:
			continue
		}
		small, err := c.Append(nil, &Piece{})
		noError(t, err)
		if n < len(small) {
			continue
		}
		if b, err = c.Build(buf); err == nil { // and the buffer is as good as before
			_, err = b.Finish()
		}
		noError(t, err)
		if buf.Len() != 8+len(small) || !bytes.Equal(buf.Bytes()[3:8], make([]byte, 5)) {
			t.Fatalf("capacity %d: the buffer holds % x", n, buf.Bytes())
		}
	}
	// The builder itself goes on too.
	b, err := c.Build(buffer.New(len(whole)))
	noError(t, err)
	if err := label.Set(b.Root(), strings.Repeat("x", 1000)); !errors.Is(err, buffer.ErrFull) || !strings.Contains(err.Error(), "Label") {
		t.Errorf("%v", err)
	}
	noError(t, label.Set(b.Root(), v.Label))
	msg, err := b.Finish()
	var got Piece
	noError(t, err, c.Decode(msg, &got))
	if got.Label != v.Label {
		t.Errorf("got %+v", got)
	}
}

func TestBuildLimits(t *testing.T) {
	c := format.MustFor[Piece](format.WithMaxMessage(128), format.WithMaxDepth(3))
	b, _ := beginBuild(t, c)
	err := format.MustField[string](c, "Label").Set(b.Root(), strings.Repeat("x", 200))
	if !errors.Is(err, format.ErrLimit) || !strings.Contains(err.Error(), "128") {
		t.Errorf("a message that is too large: %v", err)
	}
	owner := format.MustField[format.View[Piece]](c, "Owner")
	d := b.Root()
	for range 4 {
		if d, err = format.Sub(owner, d); err != nil {
			break
		}
	}
	if err == nil {
		_, err = b.Finish()
	}
	if !errors.Is(err, format.ErrLimit) {
		t.Errorf("a message that is too deep: %v", err)
	}
	list := format.MustFor[[]uint64]()
	h := format.MustField[uint64](list, "[]")
	bl, _ := beginBuild(t, list)
	for _, n := range []int{-1, math.MaxInt} {
		if err := h.MakeList(bl.Root(), n); !errors.Is(err, format.ErrLimit) && !errors.Is(err, buffer.ErrFull) {
			t.Errorf("%d elements: %v", n, err)
		}
	}
}

// TestBuildClosed: a buffer that was closed is told, not written to.
func TestBuildClosed(t *testing.T) {
	c := format.MustFor[Piece]()
	buf := buffer.New(1000)
	noError(t, buf.Close())
	if _, err := c.Build(buf); !errors.Is(err, buffer.ErrClosed) {
		t.Errorf("Build: %v", err)
	}
	if _, err := c.Build(nil); !errors.Is(err, format.ErrType) {
		t.Errorf("Build without a buffer: %v", err)
	}
	buf = buffer.New(1000)
	b, err := c.Build(buf)
	noError(t, err, buf.Close())
	if _, err := b.Finish(); !errors.Is(err, buffer.ErrClosed) {
		t.Errorf("Finish: %v", err)
	}
	var none format.Builder[Piece]
	if _, err := none.Finish(); !errors.Is(err, format.ErrType) {
		t.Errorf("Finish of no builder: %v", err)
	}
	if err := format.MustField[string](c, "Label").Set(format.Draft[Piece]{}, "x"); !errors.Is(err, format.ErrType) {
		t.Errorf("Set of no draft: %v", err)
	}
	if err := (format.Draft[Piece]{}).Encode(nil); !errors.Is(err, format.ErrType) {
		t.Errorf("Encode into no draft: %v", err)
	}
	if !(format.Draft[Piece]{}).View().IsNil() {
		t.Error("a view of no draft is not nil")
	}
}

// TestBuildMeanwhile: nobody else may write into the buffer between Build and Finish.
func TestBuildMeanwhile(t *testing.T) {
	c := format.MustFor[Piece]()
	b, buf := beginBuild(t, c)
	noError(t, c.Encode(buf, &Piece{}))
	had := buf.Len()
	if _, err := b.Finish(); !errors.Is(err, format.ErrType) || buf.Len() != had {
		t.Errorf("%v, length %d, had %d", err, buf.Len(), had)
	}
}

func TestClear(t *testing.T) {
	c := format.MustFor[Assembled]()
	b, _ := beginBuild(t, c)
	root := b.Root()
	count := format.MustField[uint32](c, "Count")
	name := format.MustField[string](c, "Name")
	next := format.MustField[format.View[Assembled]](c, "Next")
	_, err := format.Sub(next, root)
	noError(t, err, count.Set(root, 3), name.Set(root, "x"), count.Clear(root), name.Clear(root), next.Clear(root), next.Clear(root))
	noError(t, format.MustField[string](c, "Next.Name").Clear(root))
	msg, err := b.Finish()
	var got Assembled
	noError(t, err, c.Decode(msg, &got))
	if !reflect.DeepEqual(got, Assembled{}) {
		t.Errorf("got %+v", got)
	}
}

// TestSetRefuses: each thing that a draft does not take is an error with its path.
func TestSetRefuses(t *testing.T) {
	c := format.MustFor[Assembled]()
	b, _ := beginBuild(t, c)
	root := b.Root()
	var view format.View[Piece]
	_, makeString := format.MustField[string](c, "Name").Make(root, 3)
	_, sliceString := format.MustField[string](c, "Name").Slice(root)
	for name, err := range map[string]error{
		"a view":            format.MustField[format.View[Piece]](c, "Parts[]").Set(root, view, 0),
		"a pointer":         format.MustField[*Spot](c, "At").Set(root, new(Spot)),
		"an index":          format.MustField[string](c, "Names[]").Set(root, "x", 0),
		"too few indices":   format.MustField[string](c, "Names[]").Set(root, "x"),
		"a negative index":  format.MustField[bool](c, "Marks[]").Set(root, true, -1),
		"a list of a array": format.MustField[bool](c, "Marks[]").MakeList(root, 3),
		"a made string":     makeString,
		"a sliced string":   sliceString,
	} {
		if !errors.Is(err, format.ErrType) && !errors.Is(err, format.ErrIndex) {
			t.Errorf("%s: %v", name, err)
		}
		var e *format.Error
		if !errors.As(err, &e) || e.Path == "" {
			t.Errorf("%s: no path in %v", name, err)
		}
	}
	msg, err := b.Finish()
	var got Assembled
	noError(t, err, c.Decode(msg, &got))
	if !reflect.DeepEqual(got, Assembled{}) {
		t.Errorf("something was set all the same: %+v", got)
	}
}

func mustAppend[T any](t *testing.T, c *format.Codec[T], v *T) []byte {
	t.Helper()
	msg, err := c.Append(nil, v)
	noError(t, err)
	return msg
}

// TestBuildAllocations: a steady loop that builds allocates nothing.
func TestBuildAllocations(t *testing.T) {
	if raceEnabled || !aliases() {
		t.Skip("the race detector and the build without unsafe allocate")
	}
	c := format.MustFor[MediaContent]()
	uri, width := format.MustField[string](c, "Media.URI"), format.MustField[int32](c, "Images[].Width")
	images := format.MustField[format.View[Image]](c, "Images[]")
	data := format.MustFor[ArraysData]()
	doubles := format.MustField[[]float64](data, "Doubles")
	buf := buffer.New(1 << 16)
	for name, build := range map[string]func() error{
		"objects": func() error {
			buf.Reset()
			b, err := c.Build(buf)
			if err != nil {
				return err
			}
			root := b.Root()
			err = errors.Join(uri.Set(root, "http://"), images.MakeList(root, 2))
			for i := range 2 {
				d, e := format.Sub(images, root, i)
				_ = d
				err = errors.Join(err, e, width.Set(root, 640, i))
			}
			_, e := b.Finish()
			return errors.Join(err, e)
		},
		"arrays": func() error {
			buf.Reset()
			b, err := data.Build(buf)
			if err != nil {
				return err
			}
			b.Dirty()
			s, err := doubles.Make(b.Root(), 1000)
			for i := range s {
				s[i] = float64(i)
			}
			_, e := b.Finish()
			return errors.Join(err, e)
		},
	} {
		if err := build(); err != nil {
			t.Fatal(name, err)
		}
		if n := testing.AllocsPerRun(100, func() { _ = build() }); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

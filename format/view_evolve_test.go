package format_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// What a writer has, and what this program has made of it since.
type (
	oldPart struct {
		Name  string
		Count int32
		Gone  []string
	}
	oldMessage struct {
		A       int32
		B       string
		PB      *string
		PEmpty  *string
		PNone   *string
		C       []float64
		D       [3]int16
		E       *int64
		F       int8
		Bool    bool
		Part    oldPart
		PPart   *oldPart
		Parts   []oldPart
		PParts  []*oldPart
		Map     map[string]oldPart
		ByInt   map[int32]string
		ByWide  map[int64]int32
		When    time.Time
		Bytes   []byte
		Opts    []*int32
		Wide    int64
		Renamed float32
		List    []int32
		Tail    []oldPart
	}
	newPart2 struct {
		Added float64 `ashlar:",default=0.5"`
		Count *int64
		Name  []byte
		More  []*newPart2
	}
	newMessage struct {
		List    [3]int32
		Alpha   float64 `ashlar:"Alpha,alias=Renamed"`
		Bool    int32
		F       float32
		E       int64
		D       []int16
		C       []float32
		PB      []byte
		PEmpty  []byte
		PNone   []byte
		B       *string
		A       *int64
		PPart   newPart2
		Part    *newPart2
		PParts  []newPart2
		Parts   []*newPart2
		Map     map[string]*newPart2
		ByInt   map[int64]string
		When    *time.Time
		Bytes   string
		Opts    []int64
		Default int16  `ashlar:",default=-7"`
		Text    string `ashlar:",default=text"`
		New     *newPart2
		News    []newPart2
		NewMap  map[string]newPart2
		NewInts []int32
		NewView struct{ In struct{ X []int32 } }
		Wide    int8
		ByWide  map[uint64]int64
		Tail    []oldPart2
	}
	oldPart2 struct {
		Count uint8
		More  newPart2
	}
)

func oldValue() oldMessage {
	part := func(i int32) oldPart { return oldPart{Name: fmt.Sprint("part ", i), Count: i, Gone: []string{"x"}} }
	return oldMessage{
		A: -5, B: "b", PB: new("pb"), PEmpty: new(""), C: []float64{0.5, 2}, D: [3]int16{1, 2, 3}, E: new(int64(9)), F: 7, Bool: true, Part: part(1), PPart: new(part(2)),
		Parts: []oldPart{part(3), part(4)}, PParts: []*oldPart{new(part(5)), nil}, Map: map[string]oldPart{"k": part(6), "l": part(7)}, ByInt: map[int32]string{-1: "m", 2: "p"},
		ByWide: map[int64]int32{5: 6}, When: time.Unix(5, 6).UTC(), Bytes: []byte("bytes"), Opts: []*int32{new(int32(1)), nil}, Wide: 40, Tail: []oldPart{part(8)}, Renamed: 2.5, List: []int32{1, 2, 3},
	}
}

// evolvedPart has handles of c for what has become of an old message.
func evolvedPart(c *format.Codec[newMessage]) *part[newMessage] {
	inner := newPart(format.MustFor[newPart2]())
	reads(inner, "Added", func(x *newPart2) float64 { return x.Added })
	maybe(inner, "Count", func(x *newPart2) *int64 { return x.Count })
	reads(inner, "Name", func(x *newPart2) []byte { return x.Name })
	subs(inner, "More[]", inner, func(x *newPart2) []*newPart2 { return x.More })
	decoded(inner)
	tail := newPart(format.MustFor[oldPart2]())
	reads(tail, "Count", func(x *oldPart2) uint8 { return x.Count })
	decoded(tail)
	p := newPart(c)
	reads(p, "Alpha", func(x *newMessage) float64 { return x.Alpha })
	reads(p, "Bool", func(x *newMessage) int32 { return x.Bool })
	reads(p, "F", func(x *newMessage) float32 { return x.F })
	reads(p, "E", func(x *newMessage) int64 { return x.E })
	reads(p, "Wide", func(x *newMessage) int8 { return x.Wide })
	whole(p, "Wide", func(x *newMessage) *int8 { return &x.Wide })
	reads(p, "D", func(x *newMessage) []int16 { return x.D })
	list(p, "D[]", func(x *newMessage) []int16 { return x.D })
	list(p, "C[]", func(x *newMessage) []float32 { return x.C })
	reads(p, "C", func(x *newMessage) []float32 { return x.C })
	reads(p, "PB", func(x *newMessage) []byte { return x.PB })
	reads(p, "PEmpty", func(x *newMessage) []byte { return x.PEmpty })
	reads(p, "PNone", func(x *newMessage) []byte { return x.PNone })
	maybe(p, "B", func(x *newMessage) *string { return x.B })
	maybe(p, "A", func(x *newMessage) *int64 { return x.A })
	whole(p, "A", func(x *newMessage) *int64 { return x.A })
	reads(p, "List", func(x *newMessage) [3]int32 { return x.List })
	list(p, "List[]", func(x *newMessage) []int32 { return x.List[:] })
	maybes(p, "Opts[]", func(x *newMessage) []int64 { return x.Opts }, func(e *int64) *int64 {
		if *e == 0 { // the writer has a nil pointer there
			return nil
		}
		return e
	})
	maybe(p, "When", func(x *newMessage) *time.Time { return x.When })
	reads(p, "Bytes", func(x *newMessage) string { return x.Bytes })
	reads(p, "PPart.Count", func(x *newMessage) int64 { return *x.PPart.Count })
	reads(p, "PPart.Added", func(x *newMessage) float64 { return x.PPart.Added })
	sub(p, "PPart", inner, func(x *newMessage) *newPart2 { return &x.PPart })
	sub(p, "Part", inner, func(x *newMessage) *newPart2 { return x.Part })
	subs(p, "Parts[]", inner, func(x *newMessage) []*newPart2 { return x.Parts })
	subs(p, "Tail[]", tail, func(x *newMessage) []*oldPart2 { return addresses(x.Tail) })
	parts(p, "Map", inner, func(x *newMessage) map[string]*newPart2 { return x.Map }, "k", "none")
	entries(p, "ByInt", func(x *newMessage) map[int64]string { return x.ByInt }, -5, 1<<40)
	// What the writer does not have.
	reads(p, "Default", func(x *newMessage) int16 { return x.Default })
	whole(p, "Default", func(x *newMessage) *int16 { return &x.Default })
	reads(p, "Text", func(x *newMessage) string { return x.Text })
	sub(p, "New", inner, func(x *newMessage) *newPart2 { return x.New })
	maybe(p, "New.Count", func(x *newMessage) *int64 { return nil })
	reads(p, "New.Added", func(x *newMessage) float64 { return 0 }) // what is not there has no defaults
	subs(p, "News[]", inner, func(x *newMessage) []*newPart2 { return nil })
	maybe(p, "NewView.In.X", func(x *newMessage) *[]int32 { return nil })
	parts(p, "NewMap", inner, func(x *newMessage) map[string]*newPart2 { return nil }, "a")
	reads(p, "NewInts", func(x *newMessage) []int32 { return x.NewInts })
	decoded(p)
	return p
}

func evolvedMessages(t *testing.T) (foreign *format.Codec[newMessage], msg []byte) {
	t.Helper()
	w := format.MustFor[oldMessage]()
	old := oldValue()
	msg, err := w.Append(nil, &old)
	if err != nil {
		t.Fatal(err)
	}
	foreign, err = format.EvolvedFor[newMessage](w.Description(), format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	return foreign, msg
}

// TestViewsOfAnotherSchema: handles, whichever codec made them, read what a decode into this program's type gives.
func TestViewsOfAnotherSchema(t *testing.T) {
	foreign, msg := evolvedMessages(t)
	own := format.MustFor[newMessage]()
	var x newMessage
	if err := foreign.Decode(msg, &x); err != nil {
		t.Fatal(err)
	}
	mine := must(own.Append(nil, &x))
	for name, p := range map[string]*part[newMessage]{"handles of the type": evolvedPart(own), "handles of the writer's": evolvedPart(foreign)} {
		t.Run(name, func(t *testing.T) {
			for range 2 { // by turns
				w := &walk{t: t, n: len(msg), steps: 1 << 20, sound: true, copies: true}
				p.walk(w, must(foreign.View(msg)), &x)
				if w.reads < 100 {
					t.Errorf("%d reads", w.reads)
				}
			}
			def := format.MustField[int16](own, "Default")
			if got, err := def.Get(must(own.View(mine))); got != -7 || err != nil {
				t.Errorf("Default of this program's own: %d, %v", got, err)
			}
		})
	}
}

// TestViewsOfWhatCannotBecome: it is an error of the read, or of the handle where the codec is the writer's, and names
// what both sides have.
func TestViewsOfWhatCannotBecome(t *testing.T) {
	foreign, msg := evolvedMessages(t)
	own := format.MustFor[newMessage]()
	v := must(foreign.View(msg))
	elem := format.MustField[byte](own, "PB[]")
	_, err := elem.Get(v, 0)
	keys := format.MustMap[uint64, int64](own, "ByWide")
	_, _, keyErr := keys.Get(v, 5)
	_, fieldErr := format.Field[byte](foreign, "PB[]")
	_, lenErr := elem.Len(v)
	var allErr error
	for _, allErr = range elem.All(v) {
	}
	for _, x := range []struct {
		what, path string
		err        error
		want       []string
	}{
		{"an element of a string", "PB[]", err, []string{"string", "[]uint8"}},
		{"a handle for it", "PB[]", fieldErr, []string{"string", "[]uint8"}},
		{"Len", "PB[]", lenErr, []string{"string", "[]uint8"}},
		{"All", "PB[]", allErr, []string{"string", "[]uint8"}},
		{"keys in another order", "ByWide", keyErr, []string{"int64", "uint64"}},
	} {
		wantErr(t, x.what, x.err, format.ErrSchema)
		var e *format.Error
		if !errors.As(x.err, &e) || e.Path != x.path {
			t.Errorf("%s: %v, want the path %s", x.what, x.err, x.path)
		}
		for _, text := range x.want {
			if !strings.Contains(fmt.Sprint(x.err), text) {
				t.Errorf("%s: %v, want %q", x.what, x.err, text)
			}
		}
	}
	// They are gone over, and converted.
	n := 0
	for e, err := range keys.All(v) {
		if n++; err != nil || e != (format.Entry[uint64, int64]{Key: 5, Value: 6}) {
			t.Errorf("%v, %v", e, err)
		}
	}
	if n != 1 {
		t.Errorf("%d entries", n)
	}
	// A number that is too large is an error of its read alone.
	old := oldValue()
	old.Wide, old.List, old.ByWide = 1<<40, []int32{1}, map[int64]int32{-1: 1}
	msg = must(format.MustFor[oldMessage]().Append(nil, &old))
	v = must(foreign.View(msg))
	_, err = format.MustField[int8](own, "Wide").Get(v)
	wantErr(t, "a number", err, format.ErrLimit)
	_, err = format.MustField[[3]int32](own, "List").Get(v)
	wantErr(t, "an array of another length", err, format.ErrLimit)
	for _, err := range keys.All(v) {
		wantErr(t, "a key", err, format.ErrLimit)
	}
	if got, err := format.MustField[string](own, "Text").Get(v); got != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// versions are n schemas of the same two fields, which stand at other offsets in each.
func versions(n int) []reflect.Type {
	out := make([]reflect.Type, n)
	for i := range out {
		fields := []reflect.StructField{{Name: fmt.Sprint("F", i), Type: reflect.ArrayOf(1+i%7, reflect.TypeFor[int64]())}}
		if i%2 == 0 {
			fields = append(fields, reflect.StructField{Name: "Text", Type: reflect.TypeFor[string]()})
		}
		out[i] = reflect.StructOf(append(fields, reflect.StructField{Name: "N", Type: reflect.TypeFor[int32]()}))
	}
	return out
}

type versioned struct {
	N    int64
	Text string `ashlar:",default=none"`
}

// TestViewsOfManySchemas: more than a handle remembers its way through, from many goroutines at their first use.
func TestViewsOfManySchemas(t *testing.T) {
	types := versions(thinned(300))
	if !slow() {
		types = versions(300)
	}
	codecs, msgs := make([]*format.Codec[versioned], len(types)), make([][]byte, len(types))
	for i, typ := range types {
		w := must(format.AnyFor(typ))
		x := reflect.New(typ)
		x.Elem().FieldByName("N").SetInt(int64(i))
		if f := x.Elem().FieldByName("Text"); f.IsValid() {
			f.SetString(fmt.Sprint("text ", i))
		}
		msgs[i] = must(w.Append(nil, x.Interface()))
		codecs[i] = must(format.EvolvedFor[versioned](w.Description(), format.SchemaLimits{}))
	}
	own := format.MustFor[versioned]()
	number, text := format.MustField[int64](own, "N"), format.MustField[string](own, "Text")
	var start, done sync.WaitGroup
	start.Add(1)
	for g := range 8 {
		done.Go(func() {
			start.Wait()
			for round := range 2 {
				for k := range types {
					i := (k*(2*round+1) + g*37) % len(types)
					v := must(codecs[i].View(msgs[i]))
					n, err := number.Get(v)
					s, err2 := text.Get(v)
					want := "none"
					if i%2 == 0 {
						want = fmt.Sprint("text ", i)
					}
					if n != int64(i) || s != want || err != nil || err2 != nil {
						t.Errorf("schema %d: %d, %q, %v, %v", i, n, s, err, err2)
						return
					}
				}
			}
		})
	}
	start.Done()
	done.Wait()
	mine := must(own.Append(nil, &versioned{math.MaxInt64, "own"}))
	if n, err := number.Get(must(own.View(mine))); n != math.MaxInt64 || err != nil {
		t.Errorf("its own: %d, %v", n, err)
	}
}

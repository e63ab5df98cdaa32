package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"sync"
	"testing"
	"testing/iotest"
	"time"
	_ "time/tzdata" // for machines that have none

	"github.com/ashlar-go/ashlar/format"
)

// A ref of a graph that leads elsewhere must be an error or another graph: a reader
// that trusted it would index memory with it.
func caseForeignRefs(t *testing.T) {
	a, b := &Double{Value: 1}, &Double{Value: 2}
	a.Next, b.Prev, b.Next = b, a, b
	node := &Node{Name: "root"}
	node.Kids, node.List, node.Any = map[string]*Node{"a": node, "b": {Any: node}}, []*Node{node, node}, node
	for _, r := range []row{ofGraph("doubles", a), ofGraph("node", node)} {
		x := newVictim(t, r.codec(t))
		msg := r.encode(r.values[0])
		for _, p := range placesOf(msg, r.typ) {
			if p.typ == nil || p.typ.Kind() == reflect.Bool {
				continue
			}
			left := int32(int64(len(msg))-p.off) / 8
			for _, distance := range []int32{math.MinInt32, -1 << 28, int32(-p.off/8) - 1, int32(-p.off / 8), int32(1 - p.off/8), left, left + 1, 1 << 28, math.MaxInt32} {
				for _, count := range []uint32{1, 2, 1 << 31, math.MaxUint32} {
					bad := bytes.Clone(msg)
					binary.LittleEndian.PutUint64(bad[p.off:], ref(distance, count))
					if err := x.attack(t, bad); err == nil {
						t.Errorf("%s: %d at %+d from %#x is taken", r.name, count, distance, p.off)
					}
				}
			}
			for distance := int32(-p.off / 8); distance < left; distance++ { // what is inside may be right
				bad := bytes.Clone(msg)
				binary.LittleEndian.PutUint64(bad[p.off:], ref(distance, 1))
				_ = x.attack(t, bad)
			}
		}
	}
}

// The number of nodes must not wrap in anything, nor must their identity depend on it.
func caseManyNodes(t *testing.T) {
	counts := []int{126, 127, 128, 129, 255, 256, 65535, 65536}
	if thin() {
		counts = counts[:6]
	}
	for _, n := range counts {
		nodes := make([]*Node, 0, 2*n)
		for i := range n {
			nodes = append(nodes, &Node{Name: fmt.Sprint(i)})
		}
		for i := range n {
			nodes[i].List = []*Node{nodes[(i+1)%n]}
			nodes = append(nodes, nodes[i*7919%n])
		}
		c := format.MustFor[[]*Node](format.WithRefs(), format.WithMaxDepth(graphDepth(n)))
		msg, err := c.Append(nil, &nodes)
		if err != nil {
			t.Fatalf("%d nodes: %v", n, err)
		}
		for name, read := range map[string]func([]byte, *[]*Node) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias} {
			var got []*Node
			if err := read(msg, &got); err != nil || len(got) != 2*n {
				t.Fatalf("%s of %d nodes: %d, %v", name, n, len(got), err)
			}
			for i := range n {
				if got[i].Name != nodes[i].Name || got[i].List[0] != got[(i+1)%n] || got[n+i] != got[i*7919%n] {
					t.Fatalf("%s of %d nodes: node %d is not what it was", name, n, i)
				}
			}
		}
		if err := c.Verify(msg); err != nil {
			t.Errorf("Verify of %d nodes: %v", n, err)
		}
		// Without the option each is written each time, and nothing is shared.
		for i := range n {
			nodes[i].List = nil
		}
		var got []*Node
		if msg, err = format.Marshal(&nodes); err != nil {
			t.Fatal(err)
		}
		if err := format.Unmarshal(msg, &got); err != nil || len(got) != 2*n || got[n] == got[0] || got[n].Name != got[0].Name {
			t.Errorf("%d nodes without the option: %v", n, err)
		}
	}
}

// A walk into boxes without a limit would overflow the stack, which ends the process.
func caseDeepAny(t *testing.T) {
	skipWhenSlow(t)
	runChild(t, "any", nil)
}

func childDeepAny(t *testing.T) {
	const deep = 100_000
	c := format.MustFor[any]()
	graph := format.MustFor[any](format.WithRefs())
	check := func(what string, err error) {
		if !errors.Is(err, format.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", what, err)
		}
	}
	for name, wrap := range map[string]func(any) any{
		"[]any": func(v any) any { return []any{v} }, "*any": func(v any) any { return &v }, "[2]any": func(v any) any { return [2]any{nil, v} },
		"map[string]any": func(v any) any { return map[string]any{"a": v} }, "map[any]any": func(v any) any { return map[any]any{1: v} },
		"*Anyone": func(v any) any { return &Anyone{v} }, "Node": func(v any) any { return Node{Any: v} },
	} {
		var v any
		for range deep {
			v = wrap(v)
		}
		_, err := c.Append(nil, &v)
		check("Append of "+name, err)
		_, err = c.Size(&v)
		check("Size of "+name, err)
		_, err = c.Clone(&v)
		check("Clone of "+name, err)
		_, err = graph.Append(nil, &v)
		check("Append with references of "+name, err)
		_, err = format.Marshal(&v)
		check("Marshal of "+name, err)
	}
	var key any
	for range deep {
		key = [2]any{nil, key}
	}
	_, err := format.Marshal(map[any]int8{key: 1})
	check("Marshal of a deep key", err)
	_, err = format.MustFor[map[any]int8]().Size(&map[any]int8{key: 1})
	check("Size of a deep key", err)

	for name, level := range map[string][]uint64{ // a box at 1, whose last word is a ref to the next
		"[]any": {box64[[]any]("[]any"), ref(1, 1)}, "*any": {box64[*any]("*any"), ref(1, 1)}, "*Anyone": {box64[*Anyone]("*Anyone"), ref(1, 1)},
		"[2]any": {box64[[2]any]("[2]any"), 0}, "map[any]any": {box64[map[any]any]("map[any]any"), ref(1, 1), 0},
	} {
		words := make([]uint64, 0, deep*4)
		for range deep {
			words = append(append(words, ref(1, 1)), level...)
		}
		msg := craft(reflect.TypeFor[any](), append(words, 0, 0)...)
		check("Verify of "+name, c.Verify(msg))
		check("Verify with references of "+name, graph.Verify(msg))
		for _, d := range decodes {
			check(d.name+" of "+name, d.call(wrap(c), msg, new(any)))
		}
		// And as a key, whose order is looked at in the message.
		words = append([]uint64{ref(1, 1)}, words...)
		msg = craft(reflect.TypeFor[map[any]struct{}](), append(words, 0, 0)...)
		for _, d := range decodes {
			if err := d.call(must(forget[map[any]struct{}]()), msg, new(map[any]struct{})); !errors.Is(err, format.ErrLimit) && !errors.Is(err, format.ErrCorrupt) {
				t.Errorf("%s of a key %s: %v", d.name, name, err)
			}
		}
	}
}

// A time cut short must not be read past its end.
func caseShortTimes(t *testing.T) {
	type S struct {
		Time  time.Time
		Ptr   *time.Time
		Many  []time.Time
		For   time.Duration
		PFor  *time.Duration
		Map   map[string]time.Time
		Any   any
		Last  time.Time
		Lasts [2]time.Duration
	}
	at := time.Date(2026, 11, 30, 1, 2, 3, 4, time.FixedZone("", -7200))
	s := S{at, &at, []time.Time{at, {}}, time.Hour, new(time.Minute), map[string]time.Time{"a": at}, at, at, [2]time.Duration{-1, 1}}
	for _, r := range []row{of("struct", s), of("time", at), of("pointer", &at), of("duration", time.Hour), of("times", []time.Time{at, {}}), of("durations", []time.Duration{1, 2})} {
		x := newVictim(t, r.codec(t))
		msg := r.encode(r.values[0])
		for n := range len(msg) {
			_ = x.attack(t, msg[:n]) // against pages that cannot be read
			for _, h := range x.calls() {
				_, err := h.call(x, msg[:n])
				wantErr(t, fmt.Sprintf("%s of %d bytes of %s", h.name, n, r.name), err, format.ErrTruncated)
			}
			if n%8 == 0 && n >= modelHeader { // that say they are whole
				short := bytes.Clone(msg[:n])
				binary.LittleEndian.PutUint32(short[4:], uint32(n/8))
				if err := x.attack(t, short); err == nil {
					t.Errorf("%d bytes of %s are taken", n, r.name)
				}
			}
		}
	}
}

// A method that calls the package for its own value would never end; the stack grows
// until the process dies.
func caseMethodCallsItself(t *testing.T) {
	skipWhenSlow(t)
	runChild(t, "methods", nil)
}

type (
	selfBinary  struct{ N int8 }
	selfText    struct{ N int8 }
	selfAppend  struct{ N int8 }
	selfPointer struct{ N int8 }
	selfBoxed   struct{ N int8 }
	selfSize    struct{ N int8 }
	ping        struct{ N int8 }
	pong        struct{ N int8 }
)

func (s selfBinary) MarshalBinary() ([]byte, error) { return format.Marshal(s) }
func (s *selfBinary) UnmarshalBinary(b []byte) error {
	return format.Unmarshal(oneByte[selfBinary](), s)
}
func (s selfText) MarshalText() ([]byte, error)  { return format.Marshal([]selfText{s}) }
func (s *selfText) UnmarshalText(b []byte) error { return format.Unmarshal(oneByte[selfText](), s) }
func (s selfAppend) AppendBinary(b []byte) ([]byte, error) {
	return format.MustFor[selfAppend]().Append(b, &s)
}
func (s *selfAppend) UnmarshalBinary(b []byte) error {
	return format.MustFor[selfAppend]().DecodeAlias(oneByte[selfAppend](), s)
}
func (s *selfPointer) MarshalBinary() ([]byte, error) {
	v, err := format.MustFor[selfPointer]().Clone(s)
	return nil, errors.Join(err, fmt.Errorf("no error but %v", v))
}
func (s *selfPointer) UnmarshalBinary(b []byte) error {
	return format.MustFor[selfPointer]().DecodeReuse(oneByte[selfPointer](), s)
}
func (s selfBoxed) MarshalBinary() ([]byte, error) { return format.Marshal(new(any(s))) }
func (s *selfBoxed) UnmarshalBinary(b []byte) error {
	return format.Unmarshal(craft(reflect.TypeFor[any](), ref(1, 1), box64[selfBoxed]("selfBoxed"), ref(1, 1), 1), new(any))
}
func (s selfSize) MarshalBinary() ([]byte, error) {
	_, err := format.MustFor[selfSize]().Size(&s)
	return nil, err
}
func (s *selfSize) UnmarshalBinary(b []byte) error { return nil }
func (ping) MarshalBinary() ([]byte, error)        { return format.Marshal(map[string]pong{"x": {}}) }
func (*ping) UnmarshalBinary(b []byte) error       { return format.Unmarshal(oneByte[pong](), new(pong)) }
func (pong) MarshalText() ([]byte, error)          { return format.Marshal([]*ping{{}}) }
func (*pong) UnmarshalText(b []byte) error         { return format.Unmarshal(oneByte[ping](), new(ping)) }

// oneByte is the message of a custom type whose bytes are one.
func oneByte[T any]() []byte { return craft(reflect.TypeFor[T](), ref(1, 1), 1) }

func childMethods(t *testing.T) {
	format.Register[selfBoxed]("selfBoxed")
	check := func(name string, want error, f func() error) {
		var err error
		if got := allocated(func() { err = f() }); got > 256<<20 {
			t.Errorf("%s allocates %d bytes", name, got)
		}
		if !errors.Is(err, want) || !errors.Is(err, format.ErrLimit) {
			t.Errorf("%s: %.500v, want %v by way of ErrLimit", name, err, want)
		}
	}
	type target struct {
		name  string
		value any
		msg   []byte
		one   bool // only its writer calls itself
	}
	for _, x := range []target{
		{"binary", new(selfBinary), oneByte[selfBinary](), false}, {"text", new(selfText), oneByte[selfText](), false},
		{"append", new(selfAppend), oneByte[selfAppend](), false}, {"pointer", new(selfPointer), oneByte[selfPointer](), false},
		{"boxed", new(selfBoxed), oneByte[selfBoxed](), false}, {"in turn", new(ping), oneByte[ping](), false},
		{"size", new(selfSize), nil, true},
	} {
		check("Marshal of "+x.name, format.ErrType, func() error { _, err := format.Marshal(x.value); return err })
		if !x.one {
			check("Unmarshal of "+x.name, format.ErrCorrupt, func() error { return format.Unmarshal(x.msg, x.value) })
		}
		// And from many goroutines at once, none of which goes deep before the others.
		var done sync.WaitGroup
		for range 16 {
			done.Go(func() {
				if _, err := format.Marshal(x.value); !errors.Is(err, format.ErrLimit) {
					t.Errorf("Marshal of %s among others: %.500v", x.name, err)
				}
			})
		}
		done.Wait()
	}
	// Who does not call himself is not the one to pay, however many there are.
	var start, done sync.WaitGroup
	start.Add(1)
	for range 5000 {
		done.Go(func() {
			start.Wait()
			if _, err := format.Marshal(&UUID{1}); err != nil {
				t.Errorf("Marshal among thousands: %v", err)
			}
		})
	}
	start.Done()
	done.Wait()
}

// Whatever reads, bytes cut short are an error and not a panic.
func caseShortEverywhere(t *testing.T) {
	v := Holder{Any: map[string]any{"a": 1}, Named: map[string]any{"b": []any{"x"}}, ByAny: map[any]int32{"k": 1}}
	msg := mustModelEncode(&v)
	c := format.MustFor[Holder]()
	graph := format.MustFor[Holder](format.WithRefs())
	shared := format.MustFor[Holder](format.WithShared())
	for n := range len(msg) {
		in := msg[:n:n]
		for name, read := range map[string]func() error{
			"Unmarshal":           func() error { return format.Unmarshal(in, new(Holder)) },
			"Decode":              func() error { return c.Decode(in, new(Holder)) },
			"DecodeReuse":         func() error { return c.DecodeReuse(in, new(Holder)) },
			"DecodeAlias":         func() error { return c.DecodeAlias(in, new(Holder)) },
			"Verify":              func() error { return c.Verify(in) },
			"Decode with refs":    func() error { return graph.Decode(in, new(Holder)) },
			"Verify with refs":    func() error { return graph.Verify(in) },
			"DecodeAlias, shared": func() error { return shared.DecodeAlias(in, new(Holder)) },
			"Next":                func() error { _, _, err := format.Next(in); return err },
			"Messages":            func() error { return lastError(format.Messages(in)) },
			"ReadMessages":        func() error { return lastError(format.ReadMessages(bytes.NewReader(in), 0)) },
			"ReadMessages, bytes": func() error { return lastError(format.ReadMessages(iotest.OneByteReader(bytes.NewReader(in)), 0)) },
			"ReadMessages, last":  func() error { return lastError(format.ReadMessages(iotest.DataErrReader(bytes.NewReader(in)), 0)) },
		} {
			err := read()
			if n == 0 && err == nil && (name[0] == 'M' || name[:2] == "Re") {
				continue // an empty run
			}
			wantErr(t, fmt.Sprintf("%s of %d bytes", name, n), err, format.ErrTruncated)
		}
		if _, err := format.Peek(in); (err == nil) != (n >= modelHeader) || err != nil && !errors.Is(err, format.ErrTruncated) {
			t.Errorf("Peek of %d bytes: %v", n, err)
		}
	}
	long := append(bytes.Clone(msg), msg...)
	err := lastError(format.ReadMessages(io.MultiReader(bytes.NewReader(long[:len(msg)+50]), iotest.ErrReader(io.ErrClosedPipe)), 0))
	if !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("a reader that fails within a message: %v", err)
	}
}

func lastError(run func(yield func([]byte, error) bool)) (last error) {
	for _, err := range run {
		last = err
	}
	return last
}

// One corrupt message must cost its reader that message, and not the rest of the run.
func caseCorruptInRun(t *testing.T) {
	type T = textsAndMap
	c := must(forget[T]())
	var run []byte
	var starts []int
	for i := range int32(3) {
		starts = append(starts, len(run))
		run, _ = c.Append(run, &T{[]string{"one", "two", "three"}, map[string][]int32{"a": {i}, "b": {i, i}}})
	}
	msg := run[starts[1]:starts[2]]
	for _, p := range placesOf(msg, reflect.TypeFor[T]()) {
		for _, r := range []uint64{ref(-1-int32(p.off/8), 1), ref(1<<20, 1), ref(1, math.MaxUint32), ref(0, 1<<20), 2} {
			bad := bytes.Clone(run)
			binary.LittleEndian.PutUint64(bad[starts[1]+int(p.off):], r)
			i := 0
			for m, err := range format.Messages(bad) {
				if err != nil {
					t.Fatalf("message %d: %v", i, err)
				}
				var v T
				verified, decoded := c.Verify(m), c.Decode(m, &v)
				views, readAll := viewsOf(t, m)
				if i != 1 && (readAll != nil || views != 5) {
					t.Errorf("message %d through views: %d texts and entries, %v", i, views, readAll)
				} else if readAll != nil {
					wantErr(t, "a view", readAll, format.ErrCorrupt)
				}
				if i == 1 {
					wantErr(t, "Verify", verified, format.ErrCorrupt)
					wantErr(t, "Decode", decoded, format.ErrCorrupt)
				} else if verified != nil || decoded != nil || v.Map["a"][0] != int32(i) {
					t.Errorf("message %d after a corrupt one: %v, %v", i, verified, decoded)
				}
				i++
			}
			if i != 3 {
				t.Errorf("%d messages of 3", i)
			}
		}
	}
}

type textsAndMap struct {
	Texts []string
	Map   map[string][]int32
}

// viewsOf reads the texts and the entries of a message through views, and returns how many there are and what was
// wrong last.
func viewsOf(t *testing.T, msg []byte) (n int, bad error) {
	t.Helper()
	c := format.MustFor[textsAndMap]()
	v, err := c.View(msg)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range format.MustField[string](c, "Texts[]").All(v) {
		if n++; err != nil {
			bad = err
		}
	}
	for _, err := range format.MustMap[string, []int32](c, "Map").All(v) {
		if n++; err != nil {
			bad = err
		}
	}
	return n, bad
}

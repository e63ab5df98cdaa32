//go:build ashlar_hook

package format_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// flips are the values that a load gives in place of its own.
var flips = []func(v uint64) uint64{
	func(v uint64) uint64 { return 0 }, func(v uint64) uint64 { return 1 }, func(v uint64) uint64 { return ^uint64(0) },
	func(v uint64) uint64 { return v + 1 }, func(v uint64) uint64 { return v - 1 }, func(v uint64) uint64 { return v ^ 1<<63 },
	func(v uint64) uint64 { return v ^ 1<<31 }, func(v uint64) uint64 { return v ^ 1<<7 }, func(v uint64) uint64 { return v + 1<<32 },
}

// TestLoadsThatChange: whichever load of a reader gives another value than the one before it or after it, the reader
// gives an error or a value, and stays within the message.
func TestLoadsThatChange(t *testing.T) {
	defer format.SetLoadHook(nil)
	faultsPanic(t)
	c, graph := format.MustFor[Rich](format.WithShared()), format.MustFor[Rich](format.WithShared(), format.WithRefs())
	handles := richPart(c, true)
	good := mustModelEncode(new(rich()))
	msg := newGuarded(t, len(good)).before(good)
	old := oldValue()
	evolvedMsg := must(format.MustFor[oldMessage]().Append(nil, &old))
	foreign := must(format.EvolvedFor[newMessage](format.MustFor[oldMessage]().Description(), format.SchemaLimits{}, format.WithShared()))
	evolved := evolvedPart(foreign)
	theirs := newGuarded(t, len(evolvedMsg)).before(evolvedMsg)
	ring := &Crossing{ID: 1, Named: map[string]*Crossing{"a": nil}}
	ring.Next, ring.Many, ring.Twice, ring.Any = ring, []*Crossing{ring, {ID: 2}}, &ring.Next, ring
	crossing := format.MustFor[Crossing](format.WithRefs(), format.WithShared())
	ringMsg := must(crossing.Append(nil, ring))
	rings := newGuarded(t, len(ringMsg)).before(ringMsg)
	var x, aliased Rich
	var y newMessage
	var z Crossing
	for _, op := range []struct {
		name string
		n    int
		call func() error
		most int // flips of loads that are tried, of views: of which there are many
	}{
		{"views", len(msg), func() error { return walkOnce(c, handles, msg) }, 1500},
		{"views of another schema", len(theirs), func() error { return walkOnce(foreign, evolved, theirs) }, 1 << 30},
		{"Verify", len(msg), func() error { return c.Verify(msg) }, 1 << 30},
		{"Decode", len(msg), func() error { return c.Decode(msg, &x) }, 1 << 30},
		{"DecodeAlias", len(msg), func() error { return c.DecodeAlias(msg, &aliased) }, 1 << 30},
		{"Decode, tracked", len(msg), func() error { return graph.Decode(msg, &x) }, 1 << 30},
		{"Verify of a graph", len(rings), func() error { return crossing.Verify(rings) }, 1 << 30},
		{"Decode of a graph", len(rings), func() error { return crossing.Decode(rings, &z) }, 1 << 30},
		{"DecodeAlias of another schema", len(theirs), func() error { return foreign.DecodeAlias(theirs, &y) }, 1 << 30},
	} {
		t.Run(op.name, func(t *testing.T) {
			loads := 0
			format.SetLoadHook(func(_, v uint64, _ int) uint64 { loads++; return v })
			if err := op.call(); err != nil {
				t.Fatal(err)
			}
			if loads < 20 {
				t.Fatalf("%d loads", loads)
			}
			tried, errs := 0, 0
			for k := 0; k < loads; k += max(1, loads/op.most) {
				for i, flip := range flips {
					turn := 0
					format.SetLoadHook(func(_, v uint64, bits int) uint64 {
						if turn++; turn == k+1 {
							v = flip(v) & (^uint64(0) >> (64 - bits))
						}
						return v
					})
					err := unhurt(op.call)
					tried++
					if err == nil {
						continue
					}
					errs++
					if bad := unclassified(err, op.n); bad != "" {
						t.Fatalf("load %d of %d, flip %d: %s", k, loads, i, bad)
					}
				}
			}
			if errs == 0 {
				t.Error("no load matters")
			}
			t.Logf("%d loads, %d flips, %d of them errors", loads, tried, errs)
		})
	}
}

// walkOnce goes through views of msg; each read may fail. It returns an error that a read gave.
func walkOnce[T any](c *format.Codec[T], p *part[T], msg []byte) error {
	v, err := c.View(msg)
	if err != nil {
		return err
	}
	w := &walk{t: thrower{}, n: len(msg), steps: 3000, changes: true, copies: true}
	p.walk(w, v, nil)
	if w.errs > 0 {
		return &format.Error{Op: "walk", Offset: -1, Err: format.ErrCorrupt}
	}
	return nil
}

// unhurt calls f, and makes a panic an error of no known class.
func unhurt(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a panic: %v", r)
		}
	}()
	return f()
}

// TestViewsLoadOnce: a read through a view loads each place once.
func TestViewsLoadOnce(t *testing.T) {
	defer format.SetLoadHook(nil)
	c := richCodec()
	x := richTree()
	x.Title = new("title") // what is nil or empty begins anew, with all its checks
	msg := alignedCopy(mustModelEncode(&x))
	v := must(c.View(msg))
	maps := must(format.MustField[format.View[richMaps]](c, "Maps").Get(v))
	read := func(_ any, err error) error { return err }
	name, title, deep := format.MustField[string](c, "Name"), format.MustField[string](c, "Title"), format.MustField[int32](c, "Deep")
	point, at, rows := format.MustField[int32](c, "PPoint.Y"), format.MustField[*int64](c, "Opts.Int64"), format.MustField[int32](c, "Rows[][]")
	strs, longs, kid := format.MustField[string](c, "Strings[]"), format.MustField[[]int64](c, "Longs"), format.MustField[format.View[Rich]](c, "PKid")
	when, pair, flag := format.MustField[sharedPair](c, "Pair"), format.MustField[*sharedPair](c, "PPair"), format.MustField[bool](c, "Scalars.Bool")
	texts := format.MustMap[string, int32](format.MustFor[richMaps](), "Strings")
	ints := format.MustMap[int8, string](format.MustFor[richMaps](), "Int8s")
	for what, f := range map[string]func() error{
		"a string": func() error { return read(name.Get(v)) }, "a *string": func() error { return read(title.Get(v)) }, "a **int32": func() error { return read(deep.Get(v)) },
		"a field behind pointers": func() error { return read(point.Get(v)) }, "an optional": func() error { return read(at.Get(v)) },
		"an element of an element": func() error { return read(rows.Get(v, 2, 1)) }, "a string of a list": func() error { return read(strs.Get(v, 2)) },
		"a slice": func() error { return read(longs.Get(v)) }, "a view": func() error { return read(kid.Get(v)) }, "Len": func() error { return read(longs.Len(v)) },
		"Len of a list": func() error { return read(rows.Len(v, 2)) }, "Has": func() error { return read(title.Has(v)) }, "a plain struct": func() error { return read(when.Get(v)) },
		"a pointer": func() error { return read(pair.Get(v)) }, "a bool": func() error { return read(flag.Get(v)) },
		"a key":             func() error { _, ok, err := texts.Get(maps, "bb"); return errors.Join(err, there(ok)) },
		"a number as a key": func() error { _, ok, err := ints.Get(maps, 1); return errors.Join(err, there(ok)) },
	} {
		loads := map[uint64]int{}
		format.SetLoadHook(func(at, v uint64, bits int) uint64 { loads[at]++; return v })
		err := f()
		format.SetLoadHook(nil)
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if len(loads) == 0 && what != "a bool" {
			t.Errorf("%s loads nothing", what)
		}
		for at, n := range loads {
			if n > 1 {
				t.Errorf("%s loads what is at %d %d times", what, at, n)
			}
		}
	}
}

func there(ok bool) error {
	if !ok {
		return errors.New("not found")
	}
	return nil
}

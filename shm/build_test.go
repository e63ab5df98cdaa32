//go:build linux

package shm

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// Ways to the fields of a sample.
var (
	samples   = format.MustFor[sample]()
	theNumber = format.MustField[int64](samples, "Number")
	theText   = format.MustField[string](samples, "Text")
	theValues = format.MustField[[]float64](samples, "Values")
	oneValue  = format.MustField[float64](samples, "Values[]")
	theFlags  = format.MustField[[]bool](samples, "Flags")
	oneFlag   = format.MustField[bool](samples, "Flags[]")
)

// fillIn makes a sample with a number out of a builder's root: two flags, and n values from number on.
func fillIn(d format.Draft[sample], n int, from int64) error {
	v, err := theValues.Make(d, n)
	for i := range v {
		v[i] = float64(from) + float64(i)
	}
	flags, e := theFlags.Make(d, 2)
	copy(flags, []bool{true, false})
	return errors.Join(err, e, theNumber.Set(d, from), theText.Set(d, fmt.Sprint("text ", from)))
}

// built is what fillIn makes.
func built(n int, from int64) sample {
	s := sample{from, []bool{true, false}, make([]float64, n), fmt.Sprint("text ", from)}
	for i := range s.Values {
		s.Values[i] = float64(from) + float64(i)
	}
	return s
}

// sendBuilt builds a sample in a slot and commits it.
func sendBuilt(ctx context.Context, w *Writer[sample], n int, from int64) error {
	l, err := w.Loan(ctx)
	if err != nil {
		return err
	}
	b, err := l.Build()
	if err == nil {
		err = fillIn(b.Root(), n, from)
	}
	if err == nil {
		_, err = b.Finish()
	}
	if err != nil {
		return errors.Join(err, l.Abort())
	}
	return l.Commit()
}

// seen reads a sample through a view, field by field.
func seen(v format.View[sample]) (s sample, err error) {
	one := func(e error) { err = errors.Join(err, e) }
	var e error
	s.Number, e = theNumber.Get(v)
	one(e)
	s.Text, e = theText.Get(v)
	one(e)
	s.Text = strings.Clone(s.Text)
	all, e := theValues.Get(v)
	one(e)
	s.Values = slices.Clone(all)
	for i := range all {
		x, e := oneValue.Get(v, i)
		if e != nil || x != all[i] {
			one(fmt.Errorf("value %d is %v alone and %v in the slice: %w", i, x, all[i], e))
		}
	}
	n, e := oneFlag.Len(v)
	one(e)
	for i := range n {
		x, e := oneFlag.Get(v, i)
		one(e)
		s.Flags = append(s.Flags, x)
	}
	return s, err
}

func init() {
	// Reads messages through views and says what it sees.
	children["views"] = func(args []string) {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		r, err := Attach[sample](ctx, args[0])
		must(err)
		for {
			m, err := r.Receive(ctx)
			if err != nil {
				say(err.Error())
				break
			}
			v, err := m.View()
			must(err)
			s, err := seen(v)
			must(err)
			say(fmt.Sprintf("%+v", s))
			must(m.Release())
		}
		must(r.Close())
	}
}

func TestBuiltInALoanAndViewedInAnotherProcess(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[sample](path, Options{Slots: 2, SlotSize: 4096})
	wantNil(t, "Create", err)
	c := start(t, "views", path)
	for i := range int64(10) {
		n := int(i) * 40
		wantNil(t, "build", sendBuilt(ctx, w, n, i))
		s := built(n, i)
		wantNil(t, "Send", w.Send(ctx, &s))
		c.want(fmt.Sprintf("%+v", s))
		c.want(fmt.Sprintf("%+v", s))
	}
	wantNil(t, "Close", w.Close())
	c.want("EOF")
	wantNil(t, "the child", c.Wait())
}

// One view reads the same from each kind of memory, of messages that were encoded and of those that were built.
func TestViewsOfEveryKindOfMemory(t *testing.T) {
	const n, from = 50, 7
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	want := built(n, from)
	dir := t.TempDir()
	open := func(b *buffer.Buffer, err error) *buffer.Buffer {
		t.Helper()
		wantNil(t, "open", err)
		t.Cleanup(func() { b.Close() })
		return b
	}
	for _, kind := range []struct {
		name string
		view func(t *testing.T, build bool) (format.View[sample], error)
	}{
		{"heap", func(t *testing.T, build bool) (format.View[sample], error) {
			return viewIn(buffer.New(4096), build, n, from)
		}},
		{"off heap", func(t *testing.T, build bool) (format.View[sample], error) {
			return viewIn(open(buffer.OffHeap(4096)), build, n, from)
		}},
		{"mapped file", func(t *testing.T, build bool) (format.View[sample], error) {
			path := filepath.Join(dir, fmt.Sprint(build))
			b := open(buffer.Create(path, 4096))
			if _, err := viewIn(b, build, n, from); err != nil {
				return format.View[sample]{}, err
			}
			wantNil(t, "Close", b.Close())
			return samples.View(open(buffer.Open(path)).Bytes())
		}},
		{"shared memory", func(t *testing.T, build bool) (format.View[sample], error) {
			w, r := pair[sample](t, Options{Slots: 1, SlotSize: 4096})
			t.Cleanup(func() { wantNil(t, "Close", errors.Join(w.Close(), r.Close())) })
			var err error
			if build {
				err = sendBuilt(ctx, w, n, from)
			} else {
				err = w.Send(ctx, &want)
			}
			wantNil(t, "send", err)
			m, err := r.Receive(ctx)
			wantNil(t, "Receive", err)
			t.Cleanup(func() { wantNil(t, "Release", m.Release()) })
			return m.View()
		}},
	} {
		for _, build := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/built=%t", kind.name, build), func(t *testing.T) {
				v, err := kind.view(t, build)
				wantNil(t, "View", err)
				got, err := seen(v)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("%+v, %v, want %+v", got, err, want)
				}
				var whole sample
				if err := v.Decode(&whole); err != nil || !reflect.DeepEqual(whole, want) {
					t.Errorf("decoded: %+v, %v, want %+v", whole, err, want)
				}
				all, err := theFlags.Get(v)
				if shared := kind.name == "shared memory"; shared && (!errors.Is(err, format.ErrType) || all != nil) {
					t.Errorf("a slice of bools in shared memory: %v, %v, want ErrType", all, err)
				} else if !shared && (err != nil || !slices.Equal(all, want.Flags)) {
					t.Errorf("a slice of bools: %v, %v", all, err)
				}
			})
		}
	}
}

// viewIn puts what fillIn makes into b and views it.
func viewIn(b *buffer.Buffer, build bool, n int, from int64) (format.View[sample], error) {
	if !build {
		s := built(n, from)
		if err := samples.Encode(b, &s); err != nil {
			return format.View[sample]{}, err
		}
		return samples.View(b.Bytes())
	}
	s, err := samples.Build(b)
	if err == nil {
		err = fillIn(s.Root(), n, from)
	}
	if err != nil {
		return format.View[sample]{}, err
	}
	msg, err := s.Finish()
	if err != nil {
		return format.View[sample]{}, err
	}
	return samples.View(msg)
}

func TestLoansThatAreBuilt(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	w, r := pair[sample](t, Options{Slots: 2, SlotSize: 512})
	_, err := Loan[sample]{}.Build()
	wantError(t, "Build of no loan", err, ErrReleased)
	refused := func(what string, l Loan[sample], says string) {
		t.Helper()
		if err := l.Commit(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error that says %q", what, err, says)
		}
	}
	over := func(after string, b *format.Builder[sample]) {
		t.Helper()
		_, finish := b.Finish()
		_, made := theValues.Make(b.Root(), 3)
		for what, err := range map[string]error{"Finish": finish, "Set": theNumber.Set(b.Root(), 9), "Make": made} {
			wantError(t, what+" after "+after, err, format.ErrType)
		}
	}
	next := func(want sample) {
		t.Helper()
		m, err := r.Receive(ctx)
		wantNil(t, "Receive", err)
		var got sample
		if err := m.Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
		wantNil(t, "Release", m.Release())
	}

	l, err := w.Loan(ctx)
	wantNil(t, "Loan", err)
	refused("Commit of an empty loan", l, "empty")
	b, err := l.Build()
	wantNil(t, "Build", err)
	wantNil(t, "fill in", fillIn(b.Root(), 3, 1))
	refused("Commit before Finish", l, "not finished")
	// Too large for the slot: both numbers, and the loan goes on.
	_, err = theValues.Make(b.Root(), 1000)
	if !errors.Is(err, buffer.ErrFull) || !strings.Contains(err.Error(), "8128 bytes wanted") || !strings.Contains(err.Error(), "capacity 512") {
		t.Errorf("Make of 8000 bytes in a slot of 512: %v", err)
	}
	_, err = b.Finish()
	wantNil(t, "Finish after it", err)
	wantNil(t, "Commit", l.Commit())
	next(built(3, 1))
	wantError(t, "Commit again", l.Commit(), ErrReleased)
	_, err = l.Build()
	wantError(t, "Build after Commit", err, ErrReleased)
	over("Commit", b)

	// Begun and given up: nothing of it is left for the next message, even if it is finished then.
	l, err = w.Loan(ctx)
	wantNil(t, "Loan", err)
	stale, err := l.Build()
	wantNil(t, "Build", err)
	wantNil(t, "fill in", fillIn(stale.Root(), 20, 666))
	wantNil(t, "Abort", l.Abort())
	over("Abort", stale)
	l, err = w.Loan(ctx)
	wantNil(t, "Loan", err)
	refused("Commit of an empty loan", l, "empty")
	b, err = l.Build()
	wantNil(t, "Build", err)
	wantNil(t, "fill in", fillIn(b.Root(), 20, 666))
	s := built(2, 5)
	wantNil(t, "Encode in its place", l.Encode(&s))
	over("Encode", b)
	wantNil(t, "Commit", l.Commit())
	next(s)

	l, err = w.Loan(ctx)
	wantNil(t, "Loan", err)
	wantNil(t, "Encode", l.Encode(&s))
	b, err = l.Build()
	wantNil(t, "Build in its place", err)
	stale = b
	b, err = l.Build()
	wantNil(t, "Build once more", err)
	over("Build", stale)
	refused("Commit before Finish", l, "not finished")
	_, err = b.Finish()
	wantNil(t, "Finish", err)
	wantNil(t, "Commit", l.Commit())
	next(sample{})
	l, err = w.Loan(ctx)
	wantNil(t, "Loan", err)
	b, err = l.Build()
	wantNil(t, "Build", err)
	wantNil(t, "fill in", fillIn(b.Root(), 3, 1))
	wantError(t, "Close with a loan out", w.Close(), ErrHeld)
	wantNil(t, "Abort", l.Abort())
	wantNil(t, "Close", w.Close())
	over("Close", b)
	wantNil(t, "Close", r.Close())
}

func TestViewAndReuseEndWithRelease(t *testing.T) {
	leavesNothing(t)
	w, r := pair[sample](t, Options{Slots: 2, SlotSize: 256})
	send(t, w, 1)
	m := receive(t, r, 1)
	var v sample
	wantNil(t, "DecodeReuse", m.DecodeReuse(&v))
	if v.Number != 1 || v.Text != "text" {
		t.Errorf("%+v", v)
	}
	wantNil(t, "Release", m.Release())
	_, err := m.View()
	wantError(t, "View", err, ErrReleased)
	wantError(t, "DecodeReuse", m.DecodeReuse(&v), ErrReleased)
	_, err = Message[sample]{}.View()
	wantError(t, "View of no message", err, ErrReleased)

	full := sample{2, []bool{true}, []float64{1, 2}, "text"}
	wantNil(t, "Send", w.Send(context.Background(), &full))
	m = receive(t, r, 2)
	wantNil(t, "DecodeReuse", m.DecodeReuse(&v))
	first := &v.Values[0]
	if n := testing.AllocsPerRun(100, func() { m.DecodeReuse(&v) }); n != 0 || first != &v.Values[0] {
		t.Errorf("%v allocations, want the memory that is there", n)
	}
	if n := testing.AllocsPerRun(100, func() {
		x, _ := m.View()
		if got, err := oneValue.Get(x, 1); err != nil || got != 2 {
			t.Errorf("%v, %v", got, err)
		}
	}); n != 0 && !raceEnabled {
		t.Errorf("a view takes %v allocations", n)
	}
	wantNil(t, "Release", m.Release())
	wantNil(t, "Close", r.Close())
	wantNil(t, "Close", w.Close())
}

// Types of values in interfaces that were built are described before the message, in slots of their own.
func TestBuiltBoxesAreDescribed(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[envelope](path, Options{Slots: 2, SlotSize: 512, Types: shapes[olderShape, olderTree](t)})
	wantNil(t, "Create", err)
	r, err := Attach[envelope](ctx, path, Options{Types: shapes[newerShape, newerTree](t)})
	wantNil(t, "Attach", err)
	build := func(ctx context.Context, x any) (Loan[envelope], error) {
		l, err := w.Loan(ctx)
		wantNil(t, "Loan", err)
		b, err := l.Build()
		wantNil(t, "Build", err)
		wantNil(t, "Encode", b.Root().Encode(&envelope{x}))
		_, err = b.Finish()
		return l, err
	}
	short, end := context.WithTimeout(ctx, 20*time.Millisecond)
	defer end()
	// The other slot has a message: there is no room for the description, and the loan remains.
	wantNil(t, "Send", w.Send(ctx, &envelope{1}))
	l, err := build(short, olderShape{2})
	wantNil(t, "build", err)
	wantError(t, "Commit without a slot for the description", l.Commit(), context.DeadlineExceeded)
	m, err := r.Receive(ctx)
	wantNil(t, "Receive", err)
	wantNil(t, "Release", m.Release())
	wantNil(t, "Abort", l.Abort())
	received := make(chan any, 10)
	go func() {
		defer close(received)
		for {
			m, err := r.Receive(ctx)
			if err != nil {
				return
			}
			var v envelope
			if err := m.Decode(&v); err != nil {
				received <- err
			}
			received <- v.Any
			m.Release()
		}
	}()
	for _, c := range []struct{ in, want any }{
		{olderTree{[]any{olderShape{3}, true}, "root"}, newerTree{"root", 0, []any{newerShape{A: 3}, true}}}, // two descriptions
		{olderShape{4}, newerShape{A: 4}},
		{"text", "text"},
	} {
		l, err := build(ctx, c.in)
		wantNil(t, "build", err)
		wantNil(t, "Commit", l.Commit())
		if got := <-received; !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	wantNil(t, "Close", w.Close())
	<-received
	wantNil(t, "Close", r.Close())
}

func TestBuiltBoxesInOneSlot(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	path := filepath.Join(t.TempDir(), "c")
	types := shapes[olderShape, olderTree](t)
	w, err := Create[envelope](path, Options{Slots: 1, SlotSize: 512, Types: types})
	wantNil(t, "Create", err)
	r, err := Attach[envelope](ctx, path, Options{Types: types})
	wantNil(t, "Attach", err)
	l, err := w.Loan(ctx)
	wantNil(t, "Loan", err)
	b, err := l.Build()
	wantNil(t, "Build", err)
	wantNil(t, "Encode", b.Root().Encode(&envelope{olderShape{1}}))
	_, err = b.Finish()
	wantNil(t, "Finish", err)
	err = l.Commit()
	wantError(t, "Commit", err, format.ErrLimit)
	if err == nil || !strings.Contains(err.Error(), "2 slots") || !strings.Contains(err.Error(), "Slots 1") {
		t.Errorf("%v does not name the limit and both numbers", err)
	}
	_, err = r.Receive(ended)
	wantError(t, "Receive", err, context.Canceled)
	wantNil(t, "Abort", l.Abort())
	wantNil(t, "Close", w.Close())
	wantNil(t, "Close", r.Close())
}

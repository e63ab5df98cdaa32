//go:build linux

package shm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// Two versions of what two programs put into interfaces.
type (
	envelope   struct{ Any any }
	olderShape struct{ A int16 }
	newerShape struct {
		B string
		A int64
	}
	olderTree struct {
		Kids []any
		Name string
	}
	newerTree struct {
		Name string
		Size int32
		Kids []any
	}
)

// shapes are Types with a shape and a tree.
func shapes[S, T any](t testing.TB) *format.Types {
	t.Helper()
	types := format.NewTypes()
	wantNil(t, "RegisterIn", format.RegisterIn[S](types, "shape"))
	wantNil(t, "RegisterIn", format.RegisterIn[T](types, "tree"))
	return types
}

func TestBoxesOfAnotherVersion(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for _, slots := range []int{1, 2, 8} {
		path := filepath.Join(t.TempDir(), "c")
		w, err := Create[envelope](path, Options{Slots: slots, SlotSize: 512, Types: shapes[olderShape, olderTree](t)})
		wantNil(t, "Create", err)
		r, err := Attach[envelope](ctx, path, Options{Types: shapes[newerShape, newerTree](t)})
		wantNil(t, "Attach", err)
		values := []any{
			5, "text", nil, []any{1, "a"}, // which need no description
			olderTree{[]any{olderShape{1}, olderTree{}, true}, "root"}, // which needs two
			olderShape{2},
			olderTree{[]any{olderShape{3}}, "again"},
		}
		want := []any{
			5, "text", nil, []any{1, "a"},
			newerTree{"root", 0, []any{newerShape{A: 1}, newerTree{}, true}},
			newerShape{A: 2},
			newerTree{"again", 0, []any{newerShape{A: 3}}},
		}
		sent := make(chan error, 1)
		go func() {
			for i, v := range values {
				v := envelope{v}
				if i%2 == 0 {
					if err := w.Send(ctx, &v); err != nil {
						sent <- err
						return
					}
					continue
				}
				l, err := w.Loan(ctx)
				if err == nil {
					err = l.Encode(&v)
				}
				if err == nil {
					err = l.Commit()
				}
				if err != nil {
					sent <- err
					return
				}
			}
			sent <- nil
		}()
		for i := range want {
			if got := take(t, r); !reflect.DeepEqual(got.Any, want[i]) {
				t.Errorf("%d slots, message %d: %+v, want %+v", slots, i, got.Any, want[i])
			}
		}
		wantNil(t, "Send", <-sent)
		if w.end.announced != 2 || r.end.heard != 2 {
			t.Errorf("%d descriptions were sent, %d came, want 2", w.end.announced, r.end.heard)
		}
		end(t, w, r)
	}
}

// The roots differ as well; that the reader has no such field does not matter to descriptions.
func TestBoxesInAnotherVersion(t *testing.T) {
	leavesNothing(t)
	type before struct {
		Any  any
		Gone any
		N    int8
	}
	type after struct {
		N   int64
		Any any
	}
	type without struct{ N int16 }
	old, current := Options{Slots: 2, SlotSize: 512, Types: shapes[olderShape, olderTree](t)}, Options{Types: shapes[newerShape, newerTree](t)}
	v := before{olderShape{1}, olderTree{Name: "gone"}, 3}
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[before](path, old)
	wantNil(t, "Create", err)
	r, err := Attach[after](context.Background(), path, Options{}, current) // the last counts
	wantNil(t, "Attach", err)
	go w.Send(context.Background(), &v)
	if got, want := take(t, r), (after{3, newerShape{A: 1}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	<-w.Attached()
	end(t, w, r)

	w, err = Create[before](path, old)
	wantNil(t, "Create", err)
	none, err := Attach[without](context.Background(), path)
	wantNil(t, "Attach", err)
	go w.Send(context.Background(), &v)
	if got := take(t, none); got.N != 3 {
		t.Errorf("%+v", got)
	}
	<-w.Attached()
	end(t, w, none)
}

func TestBoxesThatTheReaderDoesNotKnow(t *testing.T) {
	leavesNothing(t)
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c")
	types := shapes[olderShape, olderTree](t)
	w, err := Create[envelope](path, Options{Slots: 4, SlotSize: 512, Types: types})
	wantNil(t, "Create", err)
	other := format.NewTypes()
	wantNil(t, "RegisterIn", format.RegisterIn[struct{ A string }](other, "shape")) // which an int16 cannot become
	r, err := Attach[envelope](ctx, path, Options{Types: other})
	wantNil(t, "Attach", err)
	for _, v := range []any{olderShape{1}, olderTree{}} {
		wantNil(t, "Send", w.Send(ctx, &envelope{v}))
		m, err := r.Receive(ctx)
		wantNil(t, "Receive", err)
		wantError(t, "Alias", m.Alias(new(envelope)), format.ErrSchema)
		wantError(t, "Decode", m.Decode(new(envelope)), format.ErrSchema)
		wantNil(t, "Release", m.Release())
	}
	if got := pass(t, w, r, envelope{7}); got.Any != 7 {
		t.Error(got)
	}
	wantError(t, "Send of what is not registered", w.Send(ctx, &envelope{struct{}{}}), format.ErrType)
	if got := pass(t, w, r, envelope{8}); got.Any != 8 {
		t.Error(got)
	}
	end(t, w, r)
}

// What does not fit is said before anything is sent, and the channel goes on.
func TestDescriptionsThatDoNotFit(t *testing.T) {
	leavesNothing(t)
	ctx := context.Background()
	type wide struct {
		APrettyLongNameOfAField, AnotherPrettyLongNameOfAField, AThirdPrettyLongNameOfAField *int8
	}
	types := format.NewTypes()
	wantNil(t, "RegisterIn", format.RegisterIn[wide](types, "wide"))
	w, r := connect[envelope, envelope](t, Options{Slots: 1, SlotSize: 64, Types: types})
	schema, err := format.SchemaOf(reflect.TypeFor[wide]())
	wantNil(t, "SchemaOf", err)
	size := len(format.AppendDescription(nil, schema.Named("wide")))
	for range 2 {
		err = w.Send(ctx, &envelope{wide{}})
		wantError(t, "Send", err, format.ErrLimit)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprintf("%d bytes, at most SlotSize 64", size)) {
			t.Error(err)
		}
		err = w.Send(ctx, &envelope{strings.Repeat("x", 100)})
		wantError(t, "Send", err, format.ErrLimit)
		if err == nil || !strings.Contains(err.Error(), "144 bytes, at most SlotSize 64") {
			t.Error(err)
		}
		l, err := w.Loan(ctx)
		wantNil(t, "Loan", err)
		wantError(t, "Encode", l.Encode(&envelope{wide{}}), format.ErrLimit)
		if l.Commit() == nil {
			t.Error("Commit after a failed Encode succeeds")
		}
		wantNil(t, "Encode with the same loan", l.Encode(&envelope{5}))
		wantNil(t, "Commit", l.Commit())
		if got := take(t, r); got.Any != 5 {
			t.Error(got)
		}
	}
	end(t, w, r)
}

// The wait for the slot behind a description ends as every other does.
func TestTheWaitBehindADescription(t *testing.T) {
	leavesNothing(t)
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c")
	o := Options{Slots: 1, SlotSize: 256, Types: shapes[olderShape, olderTree](t)}
	w, err := Create[envelope](path, o)
	wantNil(t, "Create", err)
	v := envelope{olderShape{1}}
	soon, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	l, err := w.Loan(soon)
	wantNil(t, "Loan", err)
	wantError(t, "Encode", l.Encode(&v), context.DeadlineExceeded)
	for _, err := range []error{l.Encode(&v), l.Commit(), l.Abort()} {
		wantError(t, "a loan whose wait has ended", err, ErrReleased)
	}
	err = w.Send(soon, &v)
	wantError(t, "Send", err, context.DeadlineExceeded)
	w2, err := Create[envelope](path+"2", o)
	wantNil(t, "Create", err)
	err = w2.Send(ended, &v)
	if !errors.Is(err, context.Canceled) || errors.Is(err, ErrReleased) {
		t.Error("Send whose wait behind a description has ended:", err)
	}
	wantNil(t, "Close, of which no message is lost", w2.Close())
	wantNil(t, "Close, of which no message is lost", w.Close())

	w, err = Create[envelope](path, o)
	wantNil(t, "Create", err)
	waits := make(chan error)
	go func() { waits <- w.Send(ctx, &v) }()
	time.Sleep(5 * time.Millisecond)
	within(t, 10*time.Second, "Close of the writer", func() { wantNil(t, "Close", w.Close()) })
	wantError(t, "Send", <-waits, ErrClosed)

	// A description is sent once, whatever became of the message.
	w, err = Create[envelope](path, o)
	wantNil(t, "Create", err)
	wantError(t, "Send", w.Send(ended, &v), context.Canceled)
	go w.Send(ctx, &v)
	r, err := Attach[envelope](ctx, path, o)
	wantNil(t, "Attach", err)
	if got := take(t, r); got != v {
		t.Errorf("%+v", got)
	}
	if r.end.heard != 1 {
		t.Errorf("%d descriptions came", r.end.heard)
	}
	<-w.Attached()
	end(t, w, r)
}

// A reader that holds all slots but one gets descriptions and messages all the same.
func TestDescriptionsWhileMessagesAreHeld(t *testing.T) {
	leavesNothing(t)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	w, r := connect[envelope, envelope](t, Options{Slots: 2, SlotSize: 256, Types: shapes[olderShape, olderTree](t)})
	wantNil(t, "Send", w.Send(ctx, &envelope{1}))
	held, err := r.Receive(ctx)
	wantNil(t, "Receive", err)
	sent := make(chan error)
	go func() { sent <- w.Send(ctx, &envelope{olderTree{Kids: []any{olderShape{1}}}}) }()
	m, err := r.Receive(ctx)
	wantNil(t, "Receive", err)
	wantNil(t, "Send", <-sent)
	var v envelope
	wantNil(t, "Alias", m.Alias(&v))
	if !reflect.DeepEqual(v.Any, any(olderTree{Kids: []any{olderShape{1}}})) {
		t.Errorf("%+v", v)
	}
	wantNil(t, "Release", held.Release())
	wantNil(t, "Release", m.Release())
	end(t, w, r)
}

// put commits bytes that are no good message.
func (c *heapChannel) put(t testing.TB, b []byte) {
	t.Helper()
	slot, err := c.s.loan(ended)
	if err != nil {
		t.Fatal(err)
	}
	into, err := c.s.slots[slot].Extend(len(b))
	if err != nil {
		t.Fatal(err)
	}
	copy(into, b)
	c.s.commit(slot)
}

// Descriptions that are none, or too many, are errors; their slots come back and what follows is received.
func TestHostileDescriptions(t *testing.T) {
	c := newHeapChannel(evilSlots, 512)
	w, r := typed[sampleOfWords](c)
	c.r.known = compat.NewRegistry(compat.Limits{Descriptions: mostBoxes})
	schema, err := format.SchemaOf(reflect.TypeFor[olderShape]())
	wantNil(t, "SchemaOf", err)
	follows := func(what string) {
		t.Helper()
		wantNil(t, "Send", w.Send(ended, &sampleOfWords{Number: 5}))
		m, err := r.Receive(ended)
		if err != nil {
			t.Fatalf("after %s: %v", what, err)
		}
		wantNil(t, "Release", m.Release())
		wantNil(t, "loan", func() error { slot, err := c.s.loan(ended); c.s.abort(slot); return err }())
		if len(c.s.free) != evilSlots || c.s.sound() != nil || c.r.holds != 0 {
			t.Fatalf("after %s: free %v, lent %v", what, c.s.free, c.s.lent)
		}
	}
	good := format.AppendDescription(nil, schema.Named("shape"))
	heard := func() uint64 { return c.r.heard }
	for at := 0; at < len(good); at++ {
		for _, bit := range []byte{1, 2, 0x80} {
			b := append([]byte(nil), good...)
			b[at] ^= bit
			c.put(t, b)
			m, err := r.Receive(ended)
			if err == nil { // it is a message of another kind
				if format.IsDescription(b) || m.Decode(new(sampleOfWords)) == nil {
					t.Errorf("byte %d ^ %#x: a message", at, bit)
				}
				wantNil(t, "Release", m.Release())
			}
			follows(fmt.Sprintf("byte %d ^ %#x: %v", at, bit, err))
		}
		c.r.heard = 0
	}
	c.put(t, good)
	c.put(t, good)
	follows("descriptions")
	if heard() != 2 {
		t.Errorf("%d descriptions were heard", heard())
	}
	long := append([]byte(nil), good...)
	binary.LittleEndian.PutUint32(long[4:], 1<<30)
	c.put(t, long)
	_, err = r.Receive(ended)
	wantError(t, "Receive of a description that says that it is long", err, format.ErrTruncated)
	follows("it")
	for heard() < mostBoxes {
		c.put(t, good)
		follows("one of many")
	}
	for range 3 {
		c.put(t, good)
		_, err := r.Receive(ended)
		wantError(t, "Receive of too many descriptions", err, format.ErrLimit)
		follows("too many")
	}
}

// A writer knows how many descriptions a reader takes.
func TestTooManyDescriptions(t *testing.T) {
	c := newHeapChannel(2, 512)
	types := shapes[olderShape, olderTree](t)
	w := &Writer[envelope]{codec: format.MustFor[envelope](format.WithTypes(types)), end: &writerEnd{sender: c.s}, boxes: newBoxes(types)}
	c.s.announced = mostBoxes
	err := w.Send(ended, &envelope{olderShape{}})
	wantError(t, "Send", err, format.ErrLimit)
	if err == nil || !strings.Contains(err.Error(), "after 1000 others, at most 1000") {
		t.Error(err)
	}
	wantNil(t, "Send", w.Send(ended, &envelope{5}))
}

// Once a type was described nothing is allocated for its descriptions.
func TestNothingIsAllocatedForBoxes(t *testing.T) {
	w, r := connect[envelope, envelope](t, Options{Slots: 4, SlotSize: 512, Types: shapes[olderShape, olderTree](t)})
	ctx := context.Background()
	v := envelope{olderTree{Kids: []any{olderShape{1}, 5}, Name: "name"}}
	n := testing.AllocsPerRun(500, func() {
		if err := w.Send(ctx, &v); err != nil {
			t.Fatal(err)
		}
		m, err := r.Receive(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Release(); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 && !raceEnabled { // the race detector takes things out of pools
		t.Errorf("%v allocations a message", n)
	}
	end(t, w, r)
}

func TestGraphsOverAChannel(t *testing.T) {
	leavesNothing(t)
	type node struct {
		Name string
		Next *node
	}
	type newNode struct {
		Next *newNode
		Name string
		N    int64
	}
	ring := &node{Name: "a", Next: &node{Name: "b"}}
	ring.Next.Next = ring
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[node](path, Options{Slots: 2, SlotSize: 256, Refs: true})
	wantNil(t, "Create", err)
	r, err := Attach[newNode](ctx, path, Options{Refs: true})
	wantNil(t, "Attach", err)
	wantNil(t, "Send", w.Send(ctx, ring))
	m, err := r.Receive(ctx)
	wantNil(t, "Receive", err)
	for _, decode := range []func(*newNode) error{m.Decode, m.Alias} {
		var got newNode
		wantNil(t, "Decode", decode(&got))
		if got.Name != "a" || got.Next.Name != "b" || got.Next.Next != &got {
			t.Errorf("%+v", got)
		}
	}
	wantNil(t, "Release", m.Release())
	<-w.Attached()
	end(t, w, r)

	w, err = Create[node](path, Options{Slots: 2, SlotSize: 256, Refs: true})
	wantNil(t, "Create", err)
	tree, err := Attach[node](ctx, path)
	wantNil(t, "Attach", err)
	wantNil(t, "Send", w.Send(ctx, ring))
	m2, err := tree.Receive(ctx)
	wantNil(t, "Receive", err)
	wantError(t, "Decode of a graph without Refs", m2.Decode(new(node)), format.ErrSchema)
	wantNil(t, "Release", m2.Release())
	<-w.Attached()
	end(t, w, tree)

	w2, r2 := connect[node, node](t, Options{Slots: 2, SlotSize: 256})
	wantError(t, "Send of a ring without Refs", w2.Send(ctx, ring), format.ErrCycle)
	end(t, w2, r2)
}

//go:build linux

package shm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// Two versions of a type: a field is widened, one renamed, one removed and two added.
type (
	older struct {
		ID     int32
		Text   string
		Flags  []bool
		Values []float64
		Gone   map[string]int32
		Inner  *olderInner
	}
	olderInner struct{ A, B int16 }

	newer struct {
		Inner  *newerInner
		Values []float64
		ID     int64
		Title  string `ashlar:"Title,alias=Text"`
		Flags  []bool
		Added  []string
		Kind   int32 `ashlar:"Kind,default=7"`
	}
	newerInner struct {
		B int64
		C string
	}
)

// connect makes a channel whose ends are of two types.
func connect[W, R any](t testing.TB, o Options) (*Writer[W], *Reader[R]) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[W](path, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	r, err := Attach[R](ctx, path, o)
	if err != nil {
		w.Close()
		t.Fatal(err)
	}
	<-w.Attached()
	return w, r
}

// pass sends v and returns what is received, decoded and aliased, which must be equal.
func pass[W, R any](t testing.TB, w *Writer[W], r *Reader[R], v W) (got R) {
	t.Helper()
	wantNil(t, "Send", w.Send(context.Background(), &v))
	return take(t, r)
}

func take[R any](t testing.TB, r *Reader[R]) (got R) {
	t.Helper()
	m, err := r.Receive(context.Background())
	if err != nil {
		t.Fatal("Receive:", err)
	}
	var alias R
	wantNil(t, "Decode", m.Decode(&got))
	wantNil(t, "Alias", m.Alias(&alias))
	if !reflect.DeepEqual(alias, got) {
		t.Errorf("Alias gives %+v, Decode %+v", alias, got)
	}
	wantNil(t, "Release", m.Release())
	return got
}

func end[W, R any](t testing.TB, w *Writer[W], r *Reader[R]) {
	t.Helper()
	wantNil(t, "Close", w.Close())
	wantNil(t, "Close", r.Close())
}

func TestReaderOfAnotherVersion(t *testing.T) {
	leavesNothing(t)
	o := Options{Slots: 2, SlotSize: 1024}
	old := older{-5, "text", []bool{true, false}, []float64{1, 2.5}, map[string]int32{"a": 1}, &olderInner{1, 2}}
	{
		w, r := connect[older, newer](t, o)
		want := newer{&newerInner{B: 2}, old.Values, -5, "text", old.Flags, nil, 7}
		for range 3 {
			if got := pass(t, w, r, old); !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		}
		end(t, w, r)
	}
	{
		w, r := connect[newer, older](t, o)
		v := newer{&newerInner{B: 2}, old.Values, 6, "title", old.Flags, []string{"added"}, 1}
		want := older{ID: 6, Flags: old.Flags, Values: old.Values, Inner: &olderInner{B: 2}}
		if got := pass(t, w, r, v); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		// A number that does not fit is an error of the message, and the next one is read.
		v.ID = 1 << 40
		wantNil(t, "Send", w.Send(context.Background(), &v))
		m, err := r.Receive(context.Background())
		wantNil(t, "Receive", err)
		wantError(t, "Alias", m.Alias(new(older)), format.ErrLimit)
		wantError(t, "Decode", m.Decode(new(older)), format.ErrLimit)
		wantNil(t, "Release", m.Release())
		v.ID = 6
		if got := pass(t, w, r, v); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, want %+v", got, want)
		}
		end(t, w, r)
	}
	{
		w, r := connect[older, older](t, o)
		if got := pass(t, w, r, old); !reflect.DeepEqual(got, old) {
			t.Errorf("%+v, want %+v", got, old)
		}
		end(t, w, r)
	}
}

// A reader that cannot read what comes says where, and does not harm the channel.
func TestReaderOfAnImpossibleVersion(t *testing.T) {
	leavesNothing(t)
	type impossible struct {
		ID    int32
		Inner *struct{ B string }
	}
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[older](path, Options{Slots: 2, SlotSize: 1024})
	wantNil(t, "Create", err)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	for range 3 {
		_, err = Attach[impossible](ctx, path)
		wantError(t, "Attach", err, format.ErrSchema)
		for _, part := range []string{"Inner.B", "int16", "string"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("the error %v does not name %s", err, part)
			}
		}
	}
	select {
	case <-w.Attached():
		t.Error("attached")
	default:
	}
	r, err := Attach[newer](ctx, path)
	wantNil(t, "Attach", err)
	if got := pass(t, w, r, older{ID: 3}); got.ID != 3 {
		t.Errorf("%+v", got)
	}
	end(t, w, r)
}

// A writer is told what a reader thinks of its type.
func TestVerdicts(t *testing.T) {
	leavesNothing(t)
	for name, c := range map[string]struct {
		hello   func([]byte) []byte
		verdict uint32
	}{
		"the same type":         {func(b []byte) []byte { return b }, accepted},
		"another version":       {described(2, 18, 1, 6, 'N', 'u', 'm', 'b', 'e', 'r', 1, 3), accepted},
		"another type":          {described(2, 16, 1, 6), otherSchema},
		"no description":        {described(1, 99), refused},
		"another description":   {func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, otherSchema},
		"a wrong fingerprint":   {word(24, 5), refused},
		"too long":              {word(48, 1<<40), refused},
		"slots of no such size": {word(16, 3), refused},
	} {
		path := filepath.Join(t.TempDir(), "c") // an Attach that looks again does not meet the next case
		l := listener(t, path)
		verdict := make(chan uint32)
		go func() {
			var b [verdictSize]byte
			offer{hello: c.hello, send: func(conn *net.UnixConn, hello, rights []byte) {
				conn.WriteMsgUnix(hello, rights, nil)
				if _, err := recvFull(conn, b[:]); err != nil {
					t.Error(name, err)
				}
				verdict <- binary.LittleEndian.Uint32(b[4:])
			}}.once(t, l, format.MustFor[sample]())
		}()
		ctx, cancel := context.WithCancel(context.Background())
		attached := make(chan error)
		go func() {
			_, err := Attach[sample](ctx, path)
			attached <- err
		}()
		if v := <-verdict; v != c.verdict {
			t.Errorf("%s: verdict %d, want %d", name, v, c.verdict)
		}
		cancel()
		if err := <-attached; err == nil {
			t.Error(name, "is attached without a welcome")
		}
		l.Close()
	}
}

// A description that is larger than what the socket takes at once.
func TestLargeDescription(t *testing.T) {
	leavesNothing(t)
	field := func(n, name int) (f reflect.StructField) {
		f.Name, f.Type = fmt.Sprintf("F%0*d", name, n), reflect.TypeFor[int8]()
		return f
	}
	for _, name := range []int{50, 1000} { // some 50 KiB, which are within the limits, and 1 MiB
		var fields []reflect.StructField
		for i := range 1000 {
			fields = append(fields, field(i, name))
		}
		schema, err := format.SchemaOf(reflect.StructOf(fields))
		wantNil(t, "SchemaOf", err)
		var reads error
		own, err := format.SchemaOf(reflect.TypeFor[older]())
		wantNil(t, "SchemaOf", err)
		for _, same := range []bool{false, true} {
			j := judge{own, func(s *format.Schema) error { return reads }}
			if same {
				j.own = schema
			}
			path := filepath.Join(t.TempDir(), "c")
			w, err := create(path, geometry{2, 256}, schema)
			wantNil(t, "create", err)
			for range 3 { // does not take it, and holds up nobody
				c, err := net.Dial("unix", path)
				wantNil(t, "Dial", err)
				defer c.Close()
			}
			ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second) // less than a handshake may take
			r, err := attach(ctx, path, j)
			cancel()
			if name > 50 && !same {
				wantError(t, "attach", err, format.ErrLimit)
				if err != nil && !strings.Contains(err.Error(), fmt.Sprint(len(schema.Description()))) {
					t.Error(err)
				}
			} else {
				wantNil(t, "attach", err)
				wantNil(t, "Close", r.close())
			}
			within(t, 3*time.Second, "Close of the writer", func() { wantNil(t, "Close", w.close()) })
		}
	}
}

// Nothing is allocated for a message of another version of a plain type.
func TestNothingIsAllocatedForAMessageOfAnotherVersion(t *testing.T) {
	type before struct {
		Number int32
		Values []float64
		Text   string
		Gone   int64
	}
	type after struct {
		Text   string
		Added  int64
		Values []float64
		Number int64
	}
	w, r := connect[before, after](t, Options{Slots: 2, SlotSize: 512})
	ctx := context.Background()
	v, got := before{Values: make([]float64, 20), Text: "text"}, after{}
	n := testing.AllocsPerRun(500, func() {
		v.Number++
		if err := w.Send(ctx, &v); err != nil {
			t.Fatal(err)
		}
		m, err := r.Receive(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := m.Alias(&got); err != nil || got.Number != int64(v.Number) || got.Text != "text" || len(got.Values) != 20 {
			t.Fatalf("%+v, %v", got, err)
		}
		if err := m.Release(); err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations a message", n)
	}
	end(t, w, r)
}

// Every prefix and every changed byte of a description is an error of Attach or a channel that can be read.
func TestEveryDoctoredDescription(t *testing.T) {
	schema, err := format.SchemaOf(reflect.TypeFor[older]())
	wantNil(t, "SchemaOf", err)
	own, err := format.SchemaOf(reflect.TypeFor[newer]())
	wantNil(t, "SchemaOf", err)
	accepted := 0
	j := judge{own, func(s *format.Schema) error {
		accepted++
		_, err := format.EvolvedFor[newer](s.Description(), format.SchemaLimits{}, format.WithShared())
		return err
	}}
	try := func(fingerprint uint64, d []byte, lies bool) {
		t.Helper()
		before := accepted
		err := j.judge(fingerprint, d)
		if lies && (err == nil || accepted != before) {
			t.Errorf("% x under %016x: %v", d, fingerprint, err)
		}
		if err != nil && !errors.Is(err, format.ErrSchema) && !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrTruncated) && !errors.Is(err, format.ErrLimit) {
			t.Error(err)
		}
	}
	good := schema.Description()
	wantNil(t, "the description itself", j.judge(schema.Fingerprint(), good))
	wantNil(t, "the own description", j.judge(own.Fingerprint(), own.Description()))
	wantError(t, "another description under the own fingerprint", j.judge(own.Fingerprint(), good), format.ErrSchema)
	for i := range good {
		try(schema.Fingerprint(), good[:i], true)
		try(own.Fingerprint(), own.Description()[:i], true)
		for bit := range 8 {
			d := append([]byte(nil), good...)
			d[i] ^= 1 << bit
			try(schema.Fingerprint(), d, true)
			if s, err := format.ParseSchema(d, format.SchemaLimits{}); err == nil {
				try(s.Fingerprint(), d, false)
			}
		}
	}
}

// A writer that sends its description a byte at a time, or says that it is long, does not hold a reader.
func TestSlowDescriptions(t *testing.T) {
	leavesNothing(t)
	defer func(was time.Duration) { handshakeTime = was }(handshakeTime)
	handshakeTime = 200 * time.Millisecond
	codec := format.MustFor[sample]()
	for name, send := range map[string]func(b []byte) []byte{
		"slow": func(b []byte) []byte { return append(b, make([]byte, 1000)...) },
		"long": func(b []byte) []byte { return b },
	} {
		path := filepath.Join(t.TempDir(), "c")
		l := listener(t, path)
		served := make(chan bool)
		go func() {
			defer close(served)
			offer{
				hello: func(b []byte) []byte {
					binary.LittleEndian.PutUint64(b[48:], 50_000)
					return send(b)
				},
				send: drip,
				hold: true,
			}.serve(t, l, codec)
		}()
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		within(t, 5*time.Second, "Attach to a writer whose description is "+name, func() {
			_, err := Attach[newer](ctx, path)
			wantError(t, "Attach", err, ErrForeign)
			if err == nil || !strings.Contains(err.Error(), "of 50000") {
				t.Error(err)
			}
		})
		cancel()
		l.Close()
		<-served
	}
}

// What a refused description took is given back.
func TestRefusedDescriptionsLeaveNothing(t *testing.T) {
	own, err := format.SchemaOf(reflect.TypeFor[older]())
	wantNil(t, "SchemaOf", err)
	j := judge{own, func(*format.Schema) error { return format.ErrSchema }}
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	refuse := func(n int) {
		for i := range n {
			name := fmt.Sprintf("%08d", i)
			d := append([]byte{2, 18, 1, 8}, name...)
			s, err := format.ParseSchema(append(d, 1, 6), format.SchemaLimits{})
			if err != nil {
				t.Fatal(err)
			}
			if err := j.judge(s.Fingerprint(), s.Description()); !errors.Is(err, format.ErrSchema) {
				t.Fatal(err)
			}
		}
	}
	refuse(100)
	before := heap()
	refuse(10_000)
	if after := heap(); after > before+64<<10 {
		t.Errorf("the heap grows from %d to %d bytes", before, after)
	}
}

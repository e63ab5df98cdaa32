package format_test

import (
	"bytes"
	"reflect"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// TestCollectorKeepsDecodedValues: what a decode makes is the collector's like any
// other memory. Values are decoded while it runs without pause, alias messages that
// nothing else refers to, and are looked at after their neighbours have died (C06).
func TestCollectorKeepsDecodedValues(t *testing.T) {
	if emulated {
		t.Skip("the collector is the same on every machine, and slow on this one")
	}
	inSmallHeap(t, "collector")
}

func init() {
	children["collector"] = collectorKeeps
	children["failures"] = failuresLeaveNoTrace
}

// inSmallHeap runs a test in a child, since the collector has to go through all that other tests have left.
func inSmallHeap(t *testing.T, what string) {
	if emulated {
		children[what](t)
		return
	}
	runChild(t, what, nil)
}

// collecting has the collector run without pause, until the function that it returns is called.
func collecting() (stop func()) {
	percent := debug.SetGCPercent(1)
	var stopped atomic.Bool
	var done sync.WaitGroup
	done.Go(func() {
		for !stopped.Load() {
			runtime.GC()
		}
	})
	return func() {
		stopped.Store(true)
		done.Wait()
		debug.SetGCPercent(percent)
	}
}

func collectorKeeps(t *testing.T) {
	defer collecting()()

	rows := table()
	if thin() {
		rows = rows[len(rows)/2:]
	}
	for _, r := range rows {
		c := r.codec(t)
		values := r.all(2)
		type kept struct {
			value int
			name  string
			got   any
		}
		var keep []kept
		reused := make([]any, len(decodes))
		for round := range 3 {
			for i, v := range values {
				want := mustModelEncode(v)
				for j, d := range decodes {
					got := reflect.New(r.typ).Interface()
					if d.name == "DecodeReuse" {
						if reused[j] == nil {
							reused[j] = got
						}
						got = reused[j]
					}
					if err := d.call(c, alignedCopy(want), got); err != nil {
						t.Fatalf("%s: value %d: %s: %v", r.name, i, d.name, err)
					}
					if diff := difference(got, v); diff != "" {
						t.Fatalf("%s: value %d: %s gives%s", r.name, i, d.name, diff)
					}
					if (i+round)%2 == 0 && d.name != "DecodeReuse" {
						keep = append(keep, kept{i, d.name, got}) // the others die
					}
				}
			}
		}
		runtime.GC()
		for _, k := range keep {
			if diff := difference(k.got, values[k.value]); diff != "" {
				t.Fatalf("%s: value %d: what %s gave has become%s", r.name, k.value, k.name, diff)
			}
		}
	}
}

// TestConcurrentUse: a codec has no state that two uses share, and a message that
// is read is not written to (C20). The race detector looks on.
func TestConcurrentUse(t *testing.T) {
	v := sample()
	c := format.MustFor[Sample]()
	msg := alignedCopy(mustModelEncode(&v))
	bad := bytes.Clone(msg)
	bad[16+40] = 7
	var done sync.WaitGroup
	for range 8 {
		done.Go(func() {
			reused, aliased := new(Sample), new(Sample)
			for i := range thinned(200) {
				got, err := c.Append(nil, &v)
				if err != nil || !bytes.Equal(got, msg) {
					t.Errorf("Append: %v", err)
				}
				var fresh Sample
				for name, p := range map[string]*Sample{"Decode": &fresh, "DecodeReuse": reused, "DecodeAlias": aliased} {
					err := map[string]func([]byte, *Sample) error{"Decode": c.Decode, "DecodeReuse": c.DecodeReuse, "DecodeAlias": c.DecodeAlias}[name](msg, p)
					if err != nil {
						t.Errorf("%s: %v", name, err)
					} else if d := difference(p, &v); d != "" {
						t.Errorf("%s gives%s", name, d)
					}
				}
				if err := c.Verify(msg); err != nil {
					t.Errorf("Verify: %v", err)
				}
				if i%10 == 0 {
					_ = c.Decode(bad, new(Sample))
				}
			}
		})
	}
	done.Wait()
}

// TestReuseReplacesLiveMappings: what a value aliases in a live off-heap buffer is
// replaced, not written to, by DecodeReuse.
func TestReuseReplacesLiveMappings(t *testing.T) {
	type T struct {
		Arrays ArraysData
		Media  MediaContent
		Points []Point
		Point  *Point
		Opt    *int64
		Texts  []string
	}
	c := must(forget[T]())
	full := T{arraysData(20), mediaContent(), []Point{{1, 2}, {3, 4}}, &Point{5, 6}, new(int64(7)), []string{"eight", "nine"}}
	other := T{arraysData(7), mediaContent(), []Point{{9, 9}}, &Point{9, 9}, new(int64(9)), []string{"seven", "nine"}}
	b, err := buffer.OffHeap(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := c.Encode(b, &full); err != nil {
		t.Fatal(err)
	}
	was := bytes.Clone(b.Bytes())
	for _, next := range []*T{&other, {}, {Points: []Point{}, Point: &Point{}, Opt: new(int64(0)), Texts: []string{""}}, &full} {
		var v T
		if err := c.DecodeAlias(b.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		if err := c.DecodeReuse(mustModelEncode(next), &v); err != nil {
			t.Fatal(err)
		}
		if d := difference(&v, next); d != "" {
			t.Errorf("gives%s", d)
		}
		if !bytes.Equal(b.Bytes(), was) {
			t.Fatalf("the mapping is written to: %s", firstDifference(b.Bytes(), was))
		}
	}
}

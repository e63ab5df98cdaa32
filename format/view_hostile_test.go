package format_test

import (
	"encoding/binary"
	"hash/crc32"
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// A stranger reads hostile messages of Rich through views: as they are, as memory that changes, and as graphs.
type stranger struct {
	memory *guarded
	ways   []strangersWay
}

type strangersWay struct {
	name    string
	c       *format.Codec[Rich]
	handles *part[Rich]
}

// strangersSteps is how many reads a hostile message is good for: its lists overlap, and its parts contain themselves.
const strangersSteps = 700

func newStranger(t testing.TB) *stranger {
	faultsPanic(t)
	shared, graph := format.MustFor[Rich](format.WithShared()), format.MustFor[Rich](format.WithRefs())
	return &stranger{newGuarded(t, maxHostile), []strangersWay{
		{"views", richCodec(), richHandles()},
		{"views of memory that changes", shared, richPart(shared, true)},
		{"views of graphs", graph, richHandles()},
	}}
}

// attack goes through input, which lies against a guard page, and holds what is read against what Decode reads, if that
// can be. It reports whether it can. The input chooses one of the ways, and where they begin.
func (s *stranger) attack(t reporter, input []byte) (valid bool) {
	sum := crc32.ChecksumIEEE(input)
	return s.attackIn(t, input, int(sum%3), int(sum>>8))
}

func (s *stranger) attackIn(t reporter, input []byte, i, from int) (valid bool) {
	way := s.ways[i]
	msg := s.memory.before(input)
	if i == 1 {
		msg = s.memory.behind(input)
	}
	func() {
		defer func() {
			if r := recover(); r != nil {
				t.Fatalf("%s: %v of\n%x", way.name, r, input)
			}
		}()
		v, err := way.c.View(msg)
		if err != nil {
			if bad := unclassified(err, len(msg)); bad != "" {
				t.Fatalf("View: %s", bad)
			}
			return
		}
		w := &walk{t: t, n: len(msg), steps: strangersSteps, from: from, copies: bits32}
		var x Rich
		if way.c.Verify(msg) != nil || way.c.Decode(msg, &x) != nil { // a method of a type may refuse what Verify does not
			way.handles.walk(w, v, nil)
			return
		}
		valid = true
		w.sound, w.graph = true, msg[3] != 0
		way.handles.walk(w, v, &x)
	}()
	return valid
}

// TestViewsOfHostileMessages damages messages in every small way.
func TestViewsOfHostileMessages(t *testing.T) {
	s := newStranger(t)
	step := strided(151, 601)
	tried, valid := 0, 0
	for _, x := range []Rich{rich(), richTree()} {
		msg := mustModelEncode(&x)
		for i := range s.ways {
			for from := range max(3, thinned(20)) {
				if !s.attackIn(t, msg, i, 7*from) {
					t.Fatal("the undamaged message is not valid")
				}
			}
		}
		mutations(msg, step, func(input []byte) {
			tried++
			if s.attack(t, input) {
				valid++
			}
		})
	}
	if valid == 0 || valid == tried {
		t.Errorf("%d inputs, %d of them valid", tried, valid)
	}
	t.Logf("%d inputs, %d of them valid", tried, valid)
}

// FuzzView: whatever the bytes, a walk through views is a value or an error, stays inside of the message and comes to an
// end; and of a message that Verify has passed no read fails, and each is what Decode reads.
func FuzzView(f *testing.F) {
	s := newStranger(f)
	for _, x := range []Rich{{}, rich(), richTree()} {
		body := mustModelEncode(&x)[modelHeader:]
		f.Add(true, false, body)
		f.Add(true, true, body)
		f.Add(true, false, append(body[:len(body):len(body)], make([]byte, 64)...))
		f.Add(false, false, mustModelEncode(&x))
	}
	inputs, verdicts := make(chan []byte), make(chan string)
	go func() { // one goroutine keeps its faults panics, for all inputs
		debug.SetPanicOnFault(true)
		for in := range inputs {
			verdicts <- s.verdict(in)
		}
	}()
	f.Fuzz(func(t *testing.T, framed, graph bool, body []byte) {
		if len(body) > 1<<14 {
			return
		}
		input := body
		if framed { // else hardly anything gets past the header
			input = craft(reflect.TypeFor[Rich](), make([]uint64, len(body)/8)...)
			copy(input[modelHeader:], body)
			if graph {
				input[3] = 1
			}
		}
		inputs <- input
		if bad := <-verdicts; bad != "" {
			t.Fatal(bad)
		}
	})
}

func (s *stranger) verdict(input []byte) (bad string) {
	defer func() {
		if r := recover(); r != nil {
			bad, _ = r.(string)
			if bad == "" {
				bad = "a panic"
			}
		}
	}()
	s.attack(thrower{}, input)
	return ""
}

// TestViewsOfRefs: each ref of a message is given each hostile value.
func TestViewsOfRefs(t *testing.T) {
	s := newStranger(t)
	msg := mustModelEncode(new(richTree()))
	places := placesOf(msg, reflect.TypeFor[Rich]())
	bad := make([]byte, len(msg))
	n := uint64(len(msg))
	part := strided(9, 37)
	for i, p := range places {
		left := (n - uint64(p.off)) / 8
		for k, r := range []uint64{
			1, 2, ref(0, 1), ref(-1, 1), ref(1, 0xffffffff), ref(0, 2), ref(int32(left), 1), ref(int32(left)-1, 1), ref(int32(left)-1, 8), ref(int32(left)-1, 9),
			ref(-int32(p.off/8), 1), ref(2-int32(p.off/8), 1), ref(2-int32(p.off/8), uint32(n-16)), ref(-1<<31, 1), ref(1<<31-1, 1), ref(1, 0x20000000), ref(1, 0x10000000),
		} {
			if (i+k)%part != 0 {
				continue
			}
			copy(bad, msg)
			binary.LittleEndian.PutUint64(bad[p.off:], r)
			s.attack(t, bad)
		}
	}
}

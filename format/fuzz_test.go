package format_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"runtime/debug"
	"runtime/metrics"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

// fuzzed are the types that FuzzDecode chooses among. Append only: the corpus
// knows them by number.
func fuzzed() []row {
	rows := []row{
		of("part", Part{"ashlar", []int16{1, -2, 3}, new(float32(2.5))}), of("media", mediaContent()), of("arrays data", arraysData(9)),
		of("optionals", Optionals{Bool: new(true), Int: new(1)}), of("tree", Tree{Name: "x", Kids: []Tree{{}, {}}}), of("list", *listOf(4)),
		of("nest", Nest{nil, {}, {{}}}), of("loop", Loop(new(Loop(nil)))), of("strings", []string{"", "a"}), of("string", "abc"),
		of("bytes", [][]byte{nil, {}, {1, 2, 3}}), of("pointers", Pointers{PString: new(new("x")), PInt: new(new(int32(1)))}),
		of("slices", Slices{Deep: [][][]bool{{{true}, {}}}, Texts: [][2]string{{"x", "y"}}, PPOptional: []**int8{new(new(int8(1)))}}),
		of("arrays", Arrays{Strings: [3]string{"a"}, Optionals: [3]*bool{new(true)}}), of("nothing", []struct{}{{}}),
		of("hollow refs", HollowRefs{P: &Nothing{}, S: make([]Nothing, 3)}), of("bools", boolPlaces{Slice: []bool{true}, PP: new(new(true))}),
		of("embedding", []Embedding{{Other: &Other{new(true)}}}), of("scalars", []Scalars{{Last: true}}), of("skipping", []Skipping{{B: "x"}}),
		of("optional 65", []Optional65{{F65: new(1.0)}}), of("even", Even{&Odd{[]Even{{}}}}), of("optional", new(true)),
		of("optional elements", []*bool{new(true), nil}), of("gaps", Gaps{Many: make([]Gapped, 2)}), of("sample", sample()),
	}
	return append(rows, wideFuzzed()...)
}

// FuzzDecode: whatever the bytes, every reader says what the model says, stays
// inside the message and within its budget of memory; and what is read can be
// written and read again.
func FuzzDecode(f *testing.F) {
	rows := fuzzed()
	victims := make([]*victim, len(rows))
	for i, r := range rows {
		c, err := r.make()
		if err != nil {
			f.Fatal(err)
		}
		c.refs = r.refs
		victims[i] = newVictim(f, c)
		for _, v := range []any{reflect.New(r.typ).Interface(), r.values[0]} {
			body := r.encode(v)[modelHeader:]
			f.Add(uint8(i), true, body)
			f.Add(uint8(i), true, body[:len(body)/16*8])
			f.Add(uint8(i), true, append(bytes.Clone(body), make([]byte, 64)...)) // room for refs to go wild in
		}
		f.Add(uint8(i), false, r.encode(r.values[0]))
	}
	inputs, verdicts := make(chan fuzzInput), make(chan string)
	go judge(inputs, verdicts)
	f.Fuzz(func(t *testing.T, which uint8, framed bool, body []byte) {
		x := victims[int(which)%len(victims)]
		if len(body) > 1024 {
			return
		}
		input := body
		if framed { // else hardly anything gets past the header
			input = craft(x.c.Type(), make([]uint64, len(body)/8)...)
			copy(input[modelHeader:], body)
			if x.c.refs {
				input[3] = 1
			}
		}
		inputs <- fuzzInput{x, input}
		if bad := <-verdicts; bad != "" {
			t.Fatal(bad)
		}
	})
}

type fuzzInput struct {
	x     *victim
	input []byte
}

// judge gives a verdict on each input, empty if all is well. It keeps one
// goroutine, with its grown stack and its faults made panics, for all of them.
func judge(inputs <-chan fuzzInput, verdicts chan<- string) {
	debug.SetPanicOnFault(true)
	for in := range inputs {
		func() {
			defer func() {
				bad := ""
				if r := recover(); r != nil {
					bad = fmt.Sprint(r)
				}
				verdicts <- bad
			}()
			in.x.fuzz(thrower{}, in.input)
		}()
	}
}

// thrower reports by a panic.
type thrower struct{}

func (thrower) Helper()                           {}
func (thrower) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// fuzzCalls are hostileCalls for speed: Unmarshal is Decode, and a target that is
// kept saves making one.
var fuzzCalls = []hostileCall{
	{"Decode", func(x *victim, msg []byte) (any, error) { return x.decoded, x.c.Decode(msg, x.decoded) }},
	{"DecodeReuse", func(x *victim, msg []byte) (any, error) { return x.reused, x.c.DecodeReuse(msg, x.reused) }},
	{"DecodeAlias", func(x *victim, msg []byte) (any, error) { return x.aliased, x.c.DecodeAlias(msg, x.aliased) }},
	{"Verify", func(x *victim, msg []byte) (any, error) { return nil, x.c.Verify(msg) }},
}

// fuzz is attack for speed: one place in memory, and memory measured on the way.
func (x *victim) fuzz(t reporter, input []byte) {
	msg := x.memory.before(input)
	model, modelErr := modelDecodeWith(input, x.c.Type(), x.c.options())
	before := heapAllocated()
	for i := range fuzzCalls {
		h := &fuzzCalls[i]
		v, err := h.call(x, msg)
		if h.name == "Verify" && err == nil && isMethods(modelErr) {
			continue
		}
		if (err == nil) != (modelErr == nil) {
			t.Fatalf("%s says %v, the model %v", h.name, err, modelErr)
		}
		if err != nil {
			if bad := unclassified(err, len(msg)); bad != "" {
				t.Fatalf("%s: %s", h.name, bad)
			}
		} else if v != nil {
			if d := x.c.difference(v, model.Interface()); d != "" {
				t.Fatalf("%s differs from the model%s", h.name, d)
			}
		}
	}
	// Three decodes at most; whoever allocates more is looked at closely.
	if got := heapAllocated() - before; got > 64<<10 {
		checkAllocation(t, x.c, [][]byte{bytes.Clone(input)})
	}
	if !bytes.Equal(msg, input) {
		t.Fatalf("a reader wrote into the message")
	}
	x.peek(t, msg)
	if modelErr == nil {
		x.again(t, input, model.Interface())
	}
}

var heapSample = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}

// heapAllocated is how many bytes have ever been allocated, roughly: cheaper than
// runtime.ReadMemStats and good enough to notice a bomb.
func heapAllocated() uint64 {
	metrics.Read(heapSample)
	return heapSample[0].Value.Uint64()
}

// FuzzRoundTrip makes a type of the first number, and values of it of the bytes.
func FuzzRoundTrip(f *testing.F) {
	for i := range uint16(64) {
		f.Add(i*31, []byte{byte(i), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
		f.Add(i*37, bytes.Repeat([]byte{byte(i) * 5, 0xff, 0}, 40))
	}
	types := map[uint16]reflect.Type{}
	reused := map[uint16]any{}
	f.Fuzz(func(t *testing.T, seed uint16, data []byte) {
		seed %= 2048 // reflect never forgets a type, nor does the package
		if len(data) > 1024 {
			return // a value as large takes seconds
		}
		typ, ok := types[seed]
		if !ok {
			typ = randomType(seeded(uint64(seed), 0), 3)
			if typ.Size() > 8<<10 {
				typ = randomType(seeded(uint64(seed), 0), 1)
			}
			types[seed] = typ
		}
		fill := filler{next: numbersOf(data), budget: 4 + len(data), nils: 2}
		v := fill.random(typ).Interface()
		want, err := modelEncode(v)
		if err != nil {
			t.Fatalf("%v: the model refuses its value: %v", typ, err)
		}
		for range 2 {
			got, err := format.Marshal(v)
			if err != nil {
				t.Fatalf("%v: Marshal: %v", typ, err)
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("%v: %s", typ, firstDifference(got, want))
			}
		}
		fresh := reflect.New(typ).Interface()
		if reused[seed] == nil {
			reused[seed] = reflect.New(typ).Interface()
		}
		for _, target := range []any{fresh, reused[seed]} {
			if err := format.Unmarshal(want, target); err != nil {
				t.Fatalf("%v: Unmarshal: %v", typ, err)
			}
			if d := difference(target, v); d != "" {
				t.Fatalf("%v: Unmarshal gives%s", typ, d)
			}
		}
	})
}

// numbersOf spends data on numbers, and then goes on without end, mixing.
func numbersOf(data []byte) func() uint64 {
	state := uint64(len(data))
	return func() uint64 {
		var x uint64
		if len(data) >= 3 {
			x = uint64(data[0]) | uint64(data[1])<<56 | uint64(data[2])<<28
			data = data[3:]
		} else {
			for _, b := range data {
				x = x<<8 | uint64(b)
			}
			data = nil
		}
		state = (state ^ x) * 0x9E3779B97F4A7C15
		if data == nil {
			return state ^ state>>29
		}
		return x ^ binary.BigEndian.Uint64([]byte{0, byte(x), 0, byte(x), 0, byte(x), 0, 0})
	}
}

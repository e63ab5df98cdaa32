package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/format"
)

type onlyRest struct {
	Rest format.Unknown `ashlar:",unknown"`
}

// TestUnknownBombs: what is kept counts against what a message may allocate, however it is cut up.
func TestUnknownBombs(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector has pools drop what they keep")
	}
	type one struct {
		A    uint8
		Rest format.Unknown `ashlar:",unknown"`
	}
	bomb[struct{ A, B uint8 }, []one]("bytes", func(i int, x *struct{ A, B uint8 }) {})(t)
	bomb[struct{ B uint8 }, []*onlyRest]("pointers", func(i int, x *struct{ B uint8 }) {})(t)
	bomb[struct {
		A uint8
		S string
	}, []one]("texts", func(i int, x *struct {
		A uint8
		S string
	}) {
		x.S = "text"
	})(t)
	bomb[struct{ M map[uint8]struct{ A, B bool } }, []struct {
		M map[uint8]struct {
			B    bool
			Rest format.Unknown `ashlar:",unknown"`
		}
	}]("maps", func(i int, x *struct{ M map[uint8]struct{ A, B bool } }) {
		x.M = map[uint8]struct{ A, B bool }{1: {}, uint8(i): {}}
	})(t)
	bomb[struct{ L [][]any }, []onlyRest]("anys", func(i int, x *struct{ L [][]any }) {
		x.L = [][]any{{int8(i), "x"}}
	})(t)
}

// TestUnknownDepth: refs in fields that Go does not have are as deep as any.
func TestUnknownDepth(t *testing.T) {
	type chain struct {
		Next *chain
		N    int8
	}
	type in struct{ Head *chain }
	for _, refs := range []int{99, 100, 101} {
		x := in{}
		for range refs {
			x.Head = &chain{Next: x.Head}
		}
		msg := must(format.MustFor[in]().Append(nil, &x))
		r := must(format.EvolvedFor[onlyRest](format.MustFor[in]().Description(), format.SchemaLimits{}, format.WithMaxDepth(100)))
		var v onlyRest
		err := r.Decode(msg, &v)
		if refs > 100 {
			if !errors.Is(err, format.ErrLimit) || !strings.Contains(err.Error(), "MaxDepth 100") {
				t.Errorf("%d: %v", refs, err)
			}
			continue
		}
		if err == nil {
			_, err = r.Append(nil, &v)
		}
		if err != nil {
			t.Errorf("%d: %v", refs, err)
		}
		// A writer with a lower limit meets it.
		low := must(format.EvolvedFor[onlyRest](format.MustFor[in]().Description(), format.SchemaLimits{}, format.WithMaxDepth(50)))
		if _, err := low.Append(nil, &v); !errors.Is(err, format.ErrLimit) {
			t.Errorf("%d, written: %v", refs, err)
		}
	}
}

// TestUnknownStack: structs nested by value around a ref, each of which takes stack and no bytes of the message, do
// not end the process.
func TestUnknownStack(t *testing.T) {
	const nested, refs = 900, 10_000
	d := binary.AppendUvarint(nil, nested+2)
	for i := range nested + 1 {
		d = append(d, byte(format.KindStruct), 1, 1, 'f')
		d = binary.AppendUvarint(d, uint64(i+1))
	}
	d = append(d, byte(format.KindPointer), 1)
	r, err := format.EvolvedFor[onlyRest](d, format.SchemaLimits{})
	if err != nil {
		t.Fatal(err)
	}
	msg := binary.LittleEndian.AppendUint64(nil, 0x014ca5|(2+refs+1)<<32)
	msg = binary.LittleEndian.AppendUint64(msg, r.Fingerprint())
	for range refs {
		msg = binary.LittleEndian.AppendUint64(msg, 1|1<<32)
	}
	msg = binary.LittleEndian.AppendUint64(msg, 0)
	if err := r.Decode(alignedCopy(msg), new(onlyRest)); !errors.Is(err, format.ErrLimit) || !strings.Contains(err.Error(), "nest") {
		t.Error(err)
	}
}

// TestUnknownChecks: each rule of SPEC §5.2 holds for what Go does not have as for what it has. Every message that
// the codec of the writer's type refuses is refused.
func TestUnknownChecks(t *testing.T) {
	victims := 0
	for i, row := range table() {
		if row.refs || row.typ.Size() > 2048 || thin() && i%4 != 0 || slow() && i%16 != 0 {
			continue
		}
		in := reflect.StructOf([]reflect.StructField{{Name: "A", Type: reflect.TypeFor[int8]()}, {Name: "It", Type: row.typ}})
		out := reflect.TypeFor[onlyRest]()
		c := must(format.AnyFor(in))
		r := must(format.EvolvedAny(out, c.Description(), format.SchemaLimits{}))
		x := &relay{in, out, c, r}
		for n := range 2 {
			msg := x.check(t, seeded(uint64(i*10+n), 30).random(in).Interface())
			mutations(msg, 7, func(input []byte) {
				bad := alignedCopy(input)
				refused := c.Verify(bad)
				if refused != nil && (methodsMissing(refused) || strconv.IntSize == 32 && errors.Is(refused, format.ErrLimit)) {
					return // an int that is passed on need not fit one of this platform
				}
				if refused == nil {
					if err := r.Verify(bad); err != nil {
						t.Fatalf("%v: a good message: %v", in, err)
					}
					x.relayed(t, bad)
					return
				}
				victims++
				if err := r.Verify(bad); err == nil {
					t.Fatalf("%v: taken, where the codec of the type says: %v", in, refused)
				}
			})
		}
	}
	if victims < thinned(1000) {
		t.Errorf("%d bad messages", victims)
	}
}

// TestUnknownGaps: what a writer has left in gaps is not passed on.
func TestUnknownGaps(t *testing.T) {
	type gappy struct {
		A uint8
		B uint32
	}
	type in struct {
		One  gappy
		Two  [2]gappy
		List []gappy
		More []struct {
			A uint8
			S string
			T uint8
		}
	}
	c := must(format.For[in]())
	r := must(format.EvolvedFor[onlyRest](c.Description(), format.SchemaLimits{}))
	x := in{List: make([]gappy, 3)}
	x.More = append(x.More, struct {
		A uint8
		S string
		T uint8
	}{S: "text"})
	want := must(c.Append(nil, &x))
	dirty := alignedCopy(want)
	gaps := 0
	for i := 16; i < len(dirty); i++ {
		bad := alignedCopy(dirty)
		bad[i] = 0xa5
		var y in
		if err := c.Decode(bad, &y); err == nil && reflect.DeepEqual(x, y) {
			dirty[i] = 0xa5
			gaps++
		}
	}
	var v onlyRest
	if err := r.Decode(dirty, &v); err != nil || gaps < 3*6 {
		t.Fatal(err, gaps)
	}
	if got, err := r.Append(nil, &v); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%v: %s", err, firstDifference(got, want))
	}
}

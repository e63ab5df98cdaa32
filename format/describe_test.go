package format_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/format"
)

// unbounded are limits that no description of a Go type meets.
var unbounded = format.SchemaLimits{Bytes: 1 << 30, Fields: 1 << 30, Leaves: 1 << 30, Block: 1 << 34}

// describedTypes are the types of all tables.
func describedTypes() []reflect.Type {
	var types []reflect.Type
	for _, rows := range [][]row{table(), goldens(), fuzzed()} {
		for _, r := range rows {
			types = append(types, r.typ)
		}
	}
	for seed := range uint64(thinned(400)) {
		types = append(types, randomType(seeded(seed, 0), 3))
	}
	return types
}

// TestDescriptionsRoundTrip: what describes a type is read as this type's description,
// and is the nodes that it is made of.
func TestDescriptionsRoundTrip(t *testing.T) {
	for _, typ := range describedTypes() {
		s, err := format.SchemaOf(typ)
		if err != nil {
			t.Fatalf("%v: %v", typ, err)
		}
		d := modelDescription(typ)
		if !bytes.Equal(s.Description(), d) || s.Fingerprint() != modelFingerprint(typ) {
			t.Fatalf("%v: description % x, want % x", typ, s.Description(), d)
		}
		back, err := format.ParseSchema(d, format.SchemaLimits{})
		if err != nil {
			t.Fatalf("%v: % x: %v", typ, d, err)
		}
		if !back.Equal(s) || back.Fingerprint() != s.Fingerprint() || back.String() != s.String() || !bytes.Equal(describeNodes(back.Nodes()), d) {
			t.Fatalf("%v: reads as %v", typ, back)
		}
		d[0]++ // the schema's own by now
		if !back.Equal(s) {
			t.Fatalf("%v: the schema keeps the bytes that it was read from", typ)
		}
		clear(back.Description())
		if !back.Equal(s) {
			t.Fatalf("%v: Description gives the schema's own bytes", typ)
		}
	}
}

// describeNodes is §6.1.
func describeNodes(nodes []format.SchemaNode) []byte {
	d := binary.AppendUvarint(nil, uint64(len(nodes)))
	for _, n := range nodes {
		d = append(d, byte(n.Kind))
		switch n.Kind {
		case format.KindArray:
			d = binary.AppendUvarint(d, n.Length)
		case format.KindStruct:
			d = binary.AppendUvarint(d, uint64(len(n.Names)))
		}
		for i, c := range n.Children {
			if n.Kind == format.KindStruct {
				d = binary.AppendUvarint(d, uint64(len(n.Names[i])))
				d = append(d, n.Names[i]...)
			}
			d = binary.AppendUvarint(d, uint64(c))
		}
	}
	return d
}

// TestSchemaBlock: a block is measured as it is laid out.
func TestSchemaBlock(t *testing.T) {
	for _, typ := range describedTypes() {
		holder := reflect.ArrayOf(3, typ)
		size := int64(layoutOf(holder).size)
		d := modelDescription(holder)
		most := unbounded
		if most.Block = size; size > 16 { // refs within have blocks of their own
			if _, err := format.ParseSchema(d, most); err != nil && byValueOnly(typ) {
				t.Errorf("%v: %v", holder, err)
			}
			most.Block = size - 1
			_, err := format.ParseSchema(d, most)
			wantErr(t, holder.String(), err, format.ErrLimit)
		}
	}
}

// byValueOnly reports whether nothing that t refers to can have a larger block.
func byValueOnly(t reflect.Type) bool {
	for _, n := range must(format.SchemaOf(t)).Nodes() {
		if n.Kind == format.KindPointer || n.Kind == format.KindSlice || n.Kind == format.KindMap {
			return false
		}
	}
	return true
}

// TestSchemaText: people see each struct once, one field a line.
func TestSchemaText(t *testing.T) {
	type inner struct {
		X int32
		Y *Nest
	}
	for _, c := range []struct {
		typ  reflect.Type
		want string
	}{
		{reflect.TypeFor[string](), "string\n"},
		{reflect.TypeFor[map[[2]uint8]*[]time.Time](), "map[[2]uint8]*[]time\n"},
		{reflect.TypeFor[struct{}](), "struct{}\n"},
		{reflect.TypeFor[Part](), "struct {\n\tName string\n\tSizes []int16\n\tWeight *float32\n}\n"},
		{reflect.TypeFor[Nest](), "#0 = []#0\n"},
		{reflect.TypeFor[Loop](), "#0 = *#0\n"},
		{reflect.TypeFor[Trie](), "#0 = map[string]#0\n"},
		{reflect.TypeFor[[]Even](), "[]#1\n#1 = struct {\n\tOdd *struct {\n\t\tEven []#1\n\t}\n}\n"},
		{reflect.TypeFor[List](), "#0 = struct {\n\tValue int32\n\tNext *#0\n}\n"},
		{reflect.TypeFor[struct{ A, B []inner }](), "struct {\n\tA []#2\n\tB []#2\n}\n#2 = struct {\n\tX int32\n\tY *#5\n}\n#5 = []#5\n"},
		{reflect.TypeFor[struct {
			A struct{ B struct{ C any } }
			D struct{} `ashlar:"a b\x1b[1m\xff"`
		}](), "struct {\n\tA struct {\n\t\tB struct {\n\t\t\tC interface\n\t\t}\n\t}\n\t\"a b\\x1b[1m\\xff\" struct{}\n}\n"},
		{reflect.TypeFor[struct{ A, B *******int8 }](), "struct {\n\tA #1\n\tB #1\n}\n#1 = *******int8\n"},
	} {
		s := must(format.SchemaOf(c.typ))
		if d := cmp.Diff(c.want, s.String()); d != "" {
			t.Errorf("%v (-want +got):\n%s", c.typ, d)
		}
	}
	s := must(format.SchemaOf(reflect.TypeFor[Celsius]())).Named("celsius")
	if want := "celsius = "; !strings.HasPrefix(s.String(), want) {
		t.Errorf("%q does not begin with %q", s, want)
	}
}

// TestSchemaTextIsShort: no text is long for what it describes.
func TestSchemaTextIsShort(t *testing.T) {
	n := 2000
	nested := [][]byte{uvarint(uint64(n + 1))} // structs that hold each other by pointer
	for i := range n / 2 {
		nested = append(nested, []byte{18, 1, 1, 'a'}, uvarint(uint64(2*i+1)), []byte{15}, uvarint(uint64(2*i+2)))
	}
	nested = append(nested, []byte{14})
	chains := [][]byte{uvarint(uint64(n/2 + 1)), {18}, uvarint(uint64(n / 2))} // one chain of arrays in many fields
	for i := range n / 2 {
		name := fmt.Sprintf("%05d", i)
		chains = append(chains, []byte{5}, []byte(name), uvarint(1))
	}
	for i := range n/2 - 1 {
		chains = append(chains, []byte{17, 1}, uvarint(uint64(i+2)))
	}
	chains = append(chains, []byte{14})
	for name, d := range map[string][]byte{"nested": bytes.Join(nested, nil), "chains": bytes.Join(chains, nil)} {
		s, err := format.ParseSchema(d, format.SchemaLimits{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if text := s.String(); len(text) > 20*len(d) {
			t.Errorf("%s: %d bytes of text for %d: %.200s", name, len(text), len(d), text)
		}
	}
}

func uvarint(n uint64) []byte { return binary.AppendUvarint(nil, n) }

// TestDescriptionMessages: a description travels as a message, of either form, and
// ordinary codecs refuse it.
func TestDescriptionMessages(t *testing.T) {
	for _, typ := range describedTypes() {
		plain := must(format.SchemaOf(typ))
		d := plain.Description()
		for _, s := range []*format.Schema{plain, plain.Named("a name")} {
			want := must(format.Marshal(&d))
			if s.Name() != "" {
				want = must(format.Marshal(&struct {
					Name        string
					Description []byte
				}{s.Name(), d}))
			}
			if format.IsDescription(want) {
				t.Fatal("a message of bytes passes for a description")
			}
			want[3] = 2
			msg := format.AppendDescription([]byte("before"), s)[6:]
			if !bytes.Equal(msg, want) {
				t.Fatalf("%v: % x, want % x", typ, msg, want)
			}
			back, err := format.ReadDescription(msg, format.SchemaLimits{})
			if err != nil || !back.Equal(s) || back.Name() != s.Name() || back.BoxID() != s.BoxID() {
				t.Fatalf("%v: reads as %v, %v", typ, back, err)
			}
			if !format.IsDescription(msg) {
				t.Fatal("not known as a description")
			}
			if next, rest, err := format.Next(msg); err != nil || len(next) != len(msg) || len(rest) != 0 {
				t.Fatalf("Next: %v", err)
			}
			wantErr(t, "[]byte", format.Unmarshal(msg, new([]byte)), format.ErrSchema)
			wantErr(t, "a graph of []byte", must(format.For[[]byte](format.WithRefs())).Decode(msg, new([]byte)), format.ErrSchema)
			if _, err := format.ParseSchema(msg, format.SchemaLimits{}); err == nil {
				t.Fatal("the message passes for a description")
			}
			if format.IsDescription(d) {
				t.Fatal("the description passes for a message")
			}
		}
	}
}

// TestBadDescriptionMessages: each prefix and each turned bit gives an error or a schema.
func TestBadDescriptionMessages(t *testing.T) {
	s := must(format.SchemaOf(reflect.TypeFor[Part]()))
	for _, s := range []*format.Schema{s, s.Named("part")} {
		msg := format.AppendDescription(nil, s)
		for n := range len(msg) {
			_, err := format.ReadDescription(msg[:n], format.SchemaLimits{})
			wantErr(t, fmt.Sprint(n, " bytes"), err, format.ErrTruncated)
		}
		for bit := range 8 * len(msg) {
			bad := bytes.Clone(msg)
			bad[bit/8] ^= 1 << (bit % 8)
			back, err := format.ReadDescription(bad, format.SchemaLimits{})
			if err == nil && bit < 16*8 && bit != 4*8 {
				t.Errorf("bit %d of the header: no error", bit)
			}
			if err == nil && (back.Equal(s) && back.Name() == s.Name()) && bad[bit/8] != 0 && bit/8 < len(msg)-8 && bit/8 > 48 {
				t.Errorf("bit %d makes no difference", bit)
			}
		}
		long := append(bytes.Clone(msg), make([]byte, 1<<20)...)
		_, err := format.ReadDescription(long, format.SchemaLimits{})
		wantErr(t, "bytes behind it", err, format.ErrLimit)
		_, err = format.ReadDescription(msg, format.SchemaLimits{Bytes: 8})
		wantErr(t, "a low limit", err, format.ErrLimit)
	}
	var msg [32]byte
	_, err := format.ReadDescription(msg[:], format.SchemaLimits{})
	wantErr(t, "zeroes", err, format.ErrCorrupt)
	_, err = format.ReadDescription(must(format.Marshal(new([]byte("x")))), format.SchemaLimits{})
	wantErr(t, "bytes", err, format.ErrSchema)
	unnamed := must(format.Marshal(&struct {
		Name        string
		Description []byte
	}{"", s.Description()}))
	unnamed[3] = 2
	_, err = format.ReadDescription(unnamed, format.SchemaLimits{})
	wantErr(t, "no name", err, format.ErrCorrupt)
	foreign := must(format.Marshal(new("x")))
	foreign[3] = 2
	_, err = format.ReadDescription(foreign, format.SchemaLimits{})
	wantErr(t, "a string as a description", err, format.ErrSchema)
	both := format.AppendDescription(nil, s)
	both[3] = 3
	_, err = format.ReadDescription(both, format.SchemaLimits{})
	wantErr(t, "with the graph flag", err, format.ErrCorrupt)
}

// TestSchemasOfBoxes: what is registered can be described, under its id.
func TestSchemasOfBoxes(t *testing.T) {
	types := format.NewTypes()
	if err := format.RegisterIn[Point](types, "a point"); err != nil {
		t.Fatal(err)
	}
	for name, typ := range map[string]reflect.Type{"a point": reflect.TypeFor[Point](), "[]byte": reflect.TypeFor[[]byte](), "time.Duration": reflect.TypeFor[time.Duration]()} {
		s, ok := types.Schema(boxID(name, typ))
		if !ok || s.Name() != name || s.BoxID() != boxID(name, typ) || !s.Named("").Equal(must(format.SchemaOf(typ))) {
			t.Errorf("%s: %v, %v", name, s, ok)
		}
	}
	if _, ok := types.Schema(1); ok {
		t.Error("an id that nobody has is known")
	}
	if _, ok := (*format.Types)(nil).Schema(boxID("string", reflect.TypeFor[string]())); !ok {
		t.Error("nil Types are not those of Register")
	}
	wantErr(t, "no name", format.RegisterIn[Point](format.NewTypes(), ""), format.ErrType)
}

// TestDamagedDescriptions: of a description each prefix, each turned bit and each word
// that is replaced gives an error or a schema that is whole; and errors say where.
func TestDamagedDescriptions(t *testing.T) {
	words := []uint64{0, 1, 1<<63 - 1, 1 << 63, 1<<64 - 1, 0x8080808080808080, 0x0f0f0f0f0f0f0f0f, 0x1010101010101010, 0x1212121212121212, 0x7f7f7f7f7f7f7f7f}
	for i, typ := range describedTypes() {
		d := modelDescription(typ)
		if len(d) > 120 && i%16 > 0 || i%strided(1, 4) > 0 {
			continue
		}
		for n := range len(d) {
			_, err := format.ParseSchema(d[:n], format.SchemaLimits{})
			wantErr(t, fmt.Sprint(typ, " cut to ", n), err, format.ErrTruncated)
		}
		bad := bytes.Clone(d)
		for bit := range 8 * len(d) {
			bad[bit/8] ^= 1 << (bit % 8)
			checkDescription(t, bad)
			bad[bit/8] = d[bit/8]
		}
		for at := 0; at+8 <= len(d); at++ {
			for _, w := range words {
				binary.LittleEndian.PutUint64(bad[at:], w)
				checkDescription(t, bad)
			}
			copy(bad, d)
		}
	}
}

// checkDescription reads what may be a description, and uses what comes of it.
func checkDescription(t testing.TB, d []byte) {
	s, err := format.ParseSchema(d, format.SchemaLimits{})
	if err != nil {
		var e *format.Error
		if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(d)) || s != nil {
			t.Fatalf("% x: %v", d, err)
		}
		if !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrTruncated) && !errors.Is(err, format.ErrLimit) {
			t.Fatalf("% x: %v", d, err)
		}
		return
	}
	if again := describeNodes(s.Nodes()); !bytes.Equal(again, d) {
		t.Fatalf("% x is read as % x", d, again)
	}
	if text := s.String(); len(text) > 1000*len(d) {
		t.Fatalf("% x: %d bytes of text", d, len(text))
	}
	if back, err := format.ReadDescription(format.AppendDescription(nil, s), format.SchemaLimits{}); err != nil || !back.Equal(s) {
		t.Fatalf("% x: the message reads as %v, %v", d, back, err)
	}
}

// TestHostileDescriptions: what would take much is refused before it takes it.
func TestHostileDescriptions(t *testing.T) {
	join := func(parts ...any) []byte {
		var d []byte
		for _, p := range parts {
			switch p := p.(type) {
			case int:
				d = binary.AppendUvarint(d, uint64(p))
			case uint64:
				d = binary.AppendUvarint(d, p)
			case string:
				d = append(binary.AppendUvarint(d, uint64(len(p))), p...)
			case []byte:
				d = append(d, p...)
			}
		}
		return d
	}
	nested := func(n int, kind byte) []byte {
		d := uvarint(uint64(n + 1))
		for i := range n {
			d = append(d, kind)
			if kind == 17 {
				d = append(d, 1)
			}
			d = binary.AppendUvarint(d, uint64(i+1))
		}
		return append(d, 1)
	}
	doubling := func(n int, last ...byte) []byte {
		d := uvarint(uint64(n + 1))
		for i := range n {
			d = append(d, join(18, 2, "a", i+1, "b", i+1)...)
		}
		return append(d, last...)
	}
	const two31 = uint64(1) << 31
	doublingOptionals := doubling(30, 15, 31, 1)
	doublingOptionals[0]++
	arrays := func(n int, length uint64, last ...byte) []byte {
		d := uvarint(uint64(n + 1))
		for i := range n {
			d = append(d, join(17, length, i+1)...)
		}
		return append(d, last...)
	}
	wide := join(1002, 18, 1000) // a thousand structs that have each other's fields by value
	for i := range 1000 {
		wide = append(wide, join(fmt.Sprint(i), 1)...)
	}
	for i := range 1000 {
		wide = append(wide, join(18, 2, "a", i+2, "b", 1001)...)
	}
	wide = append(wide, 1)
	for _, c := range []struct {
		name string
		d    []byte
		want error
	}{
		{"nothing", nil, format.ErrTruncated},
		{"no nodes", join(0), format.ErrCorrupt},
		{"2^31 nodes", join(two31, 18), format.ErrLimit},
		{"2^63 nodes", join(uint64(1)<<63, 18), format.ErrLimit},
		{"2^31 fields", join(2, 18, two31, "a", 1), format.ErrLimit},
		{"2^64-1 fields", join(2, 18, ^uint64(0), "a", 1), format.ErrLimit},
		{"a million nested slices", nested(1_000_000, 16), format.ErrLimit},
		{"a million nested arrays", nested(1_000_000, 17), format.ErrLimit},
		{"1,001 nested arrays", nested(1001, 17), format.ErrLimit},
		{"an array of 2^31 bytes", join(2, 17, two31, 1, 6), format.ErrLimit},
		{"an array of 2^31 of nothing", join(2, 17, two31, 1, 18, 0), format.ErrLimit},
		{"an array of 2^64-1 of nothing", join(2, 17, ^uint64(0), 1, 18, 0), format.ErrLimit},
		{"arrays of 2^60 of nothing", arrays(2, 1<<30, 18, 0), format.ErrLimit},
		{"arrays of 2^40 of nothing, of small lengths", arrays(20, 4, 18, 0), format.ErrLimit},
		{"an array of none of an array of 2^31", join(3, 17, 0, 1, 17, two31, 2, 6), format.ErrLimit},
		{"arrays of 2^64 bytes", arrays(2, 1<<32, 6), format.ErrLimit},
		{"arrays of 2^64 bytes, of small lengths", arrays(64, 2, 6), format.ErrLimit},
		{"arrays of 2^65 bytes", arrays(5, 1<<13, 6), format.ErrLimit},
		{"a struct of itself", join(1, 18, 1, "a", 0), format.ErrCorrupt},
		{"an array of itself", join(1, 17, 1, 0), format.ErrCorrupt},
		{"an array of none of itself", join(1, 17, 0, 0), format.ErrCorrupt},
		{"two structs of each other", join(2, 18, 1, "a", 1, 18, 1, "a", 0), format.ErrCorrupt},
		{"a struct of itself behind a slice", join(2, 16, 1, 18, 1, "a", 1), format.ErrCorrupt},
		{"a name of 1 MiB", join(2, 18, 1, strings.Repeat("x", 1<<20), 1, 6), format.ErrLimit},
		{"a name that claims 1 MiB", join(2, 18, 1, 1<<20, []byte("x")), format.ErrLimit},
		{"a name that claims 2^64-1", join(2, 18, 1, ^uint64(0), []byte("x")), format.ErrLimit},
		{"structs that double 30 deep", doubling(30, 6), format.ErrLimit},
		{"structs that double 900 deep", doubling(900, 6), format.ErrLimit},
		{"structs of nothing that double 30 deep", doubling(30, 18, 0), format.ErrLimit},
		{"structs of optionals that double 30 deep", doublingOptionals, format.ErrLimit},
		{"the same fields again and again", wide, format.ErrLimit},
		{"a map of slices", join(3, 19, 1, 1, 16, 2, 6), format.ErrCorrupt},
		{"a map of itself", join(1, 19, 0, 0), format.ErrCorrupt},
		{"a map of arrays of none of pointers", join(4, 19, 1, 3, 17, 0, 2, 15, 3, 6), format.ErrCorrupt},
		{"a map of structs of times", join(4, 19, 1, 3, 18, 1, "a", 2, 21, 6), format.ErrCorrupt},
		{"kind 0", join(1, 0), format.ErrCorrupt},
		{"kind 23", join(1, 23), format.ErrCorrupt},
		{"a long number", []byte{0x81, 0x00, 6}, format.ErrCorrupt},
		{"a number beyond 64 bits", []byte{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2, 6}, format.ErrCorrupt},
		{"bytes behind it", join(1, 6, 6), format.ErrCorrupt},
		{"nodes out of order", join(3, 18, 2, "a", 2, "b", 1, 6, 7), format.ErrCorrupt},
		{"a node that is not met", join(2, 6, 7), format.ErrCorrupt},
		{"a node that is not there", join(1, 16, 1), format.ErrCorrupt},
		{"a field without a name", join(2, 18, 1, "", 1, 6), format.ErrCorrupt},
		{"two fields of one name", join(2, 18, 2, "a", 1, "a", 1, 6), format.ErrCorrupt},
	} {
		err := error(nil)
		got := allocated(func() { _, err = format.ParseSchema(c.d, format.SchemaLimits{}) })
		wantErr(t, c.name, err, c.want)
		if got > 1<<20 && !raceEnabled {
			t.Errorf("%s: allocates %d bytes", c.name, got)
		}
		checkDescriptionError(t, c.name, c.d, err)
	}
	for name, d := range map[string][]byte{
		"cycles":              join(3, 18, 2, "a", 1, "b", 2, 15, 0, 16, 1),
		"a slice of nothing":  join(2, 16, 1, 18, 0),
		"structs that double": doubling(12, 6),
		"nested slices":       nested(9999, 16),
		"1,000 nested arrays": nested(1000, 17),
		"an array of 2^30":    join(2, 17, 1<<30, 1, 6),
		"no struct twice":     join(5, 18, 2, "a", 1, "b", 3, 16, 2, 6, 16, 4, 6), // §6.4: not checked
	} {
		if _, err := format.ParseSchema(d, format.SchemaLimits{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		checkDescription(t, d)
	}
}

// checkDescriptionError: the offset is one of the description.
func checkDescriptionError(t *testing.T, name string, d []byte, err error) {
	t.Helper()
	var e *format.Error
	if errors.As(err, &e) && (e.Offset < 0 || e.Offset > int64(len(d))) {
		t.Errorf("%s: at %d of %d", name, e.Offset, len(d))
	}
}

// TestDescriptionErrorsSayWhere: the offset is that of the number, name or node.
func TestDescriptionErrorsSayWhere(t *testing.T) {
	d := modelDescription(reflect.TypeFor[Part]()) // as in SPEC §8
	for at, b := range map[int]byte{0: 0, 1: 23, 2: 200, 3: 0, 8: 9} {
		bad := bytes.Clone(d)
		bad[at] = b
		_, err := format.ParseSchema(bad, format.SchemaLimits{})
		var e *format.Error
		if !errors.As(err, &e) || e.Offset != int64(at) {
			t.Errorf("%d at %d: %v", b, at, err)
		}
	}
}

// TestManyDescriptions: a million descriptions, most of them damaged, leave nothing.
func TestManyDescriptions(t *testing.T) {
	skipWhenSlow(t)
	n := 1_000_000
	if thin() {
		n = 20_000
	}
	var seeds [][]byte
	for _, typ := range describedTypes() {
		if d := modelDescription(typ); len(d) <= 120 {
			seeds = append(seeds, d)
		}
	}
	f := seeded(1, 0)
	bad := make([]byte, 0, 256)
	read := func(n int) (good int) {
		for range n {
			bad = append(bad[:0], seeds[f.below(len(seeds))]...)
			for range f.below(4) {
				bad[f.below(len(bad))] = byte(f.next() % 24)
			}
			if _, err := format.ParseSchema(bad, format.SchemaLimits{}); err == nil {
				good++
			}
		}
		return good
	}
	read(1000)
	before := heapInUse()
	good := read(n)
	if after := heapInUse(); after > before+1<<20 {
		t.Errorf("the heap grows from %d to %d bytes", before, after)
	}
	t.Logf("%d of %d are descriptions", good, n)
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// FuzzDescribe: any bytes are a description or an error, at no great cost.
func FuzzDescribe(f *testing.F) {
	for _, typ := range describedTypes() {
		if d := modelDescription(typ); len(d) < 500 {
			f.Add(d)
		}
	}
	f.Fuzz(func(t *testing.T, d []byte) {
		if len(d) > 4096 {
			return
		}
		before := heapAllocated()
		_, _ = format.ParseSchema(d, format.SchemaLimits{})
		if got := heapAllocated() - before; got > 1<<20 {
			t.Fatalf("% x: allocates %d bytes", d, got)
		}
		checkDescription(t, d)
	})
}

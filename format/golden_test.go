package format_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden and *.json from the values in golden_test.go")

// Part is the example of SPEC.md.
type Part struct {
	Name   string
	Sizes  []int16
	Weight *float32
}

// goldens is the conformance suite: for each a file of annotated bytes and one of
// the value, which is what is tested on every architecture. Ints fit 32 bits.
func goldens() []row {
	n := func(f float64) *float64 { return &f }
	rows := []row{
		of("spec", Part{"ashlar", []int16{1, -2, 3}, new(float32(2.5))}),
		of("scalars", Scalars{
			Bool: true, Int64: math.MinInt64, Int8: -1, Int16: -2, Uint8: 255, Int32: math.MinInt32, Uint16: 0xABCD,
			Float32: -1.5, Uint32: 0xDEADBEEF, Complex64: complex(1, -2), Float64: math.Pi, Uint64: math.MaxUint64,
			Complex128: complex(math.Inf(1), math.Inf(-1)), Int: -3, Uint: 4, Last: true,
		}),
		of("scalars_zero", Scalars{}),
		of("floats", []float64{
			0, math.Copysign(0, -1), math.Float64frombits(0x7ff8000000000001), math.Float64frombits(0x7ff0000000000001),
			math.Inf(1), math.Inf(-1), math.SmallestNonzeroFloat64, math.MaxFloat64,
		}),
		of("float32s", []float32{
			math.Float32frombits(1 << 31), math.Float32frombits(0x7f800001), math.Float32frombits(0xffc0beef),
			math.SmallestNonzeroFloat32, math.MaxFloat32,
		}),
		of("text", []string{"", "a", "seven77", "eight888", "nine99999", "日本語", "\xff\x00\xfe"}),
		of("optionals", Optionals{
			Bool: new(true), Int8: new(int8(-1)), Uint16: new(uint16(0xABCD)), Int32: new(int32(-2)), Float32: new(float32(1.5)),
			Int64: new(int64(-3)), Float64: new(2.5), Complex64: new(complex64(1i)), Complex128: new(complex128(2i)),
			Int: new(-4), Uint: new(uint(5)), Named: new(Bool(false)),
		}),
		of("optionals_zero", Optionals{Bool: new(false), Float32: new(float32(0)), Uint: new(uint(0))}),
		of("optionals_65", Optional65{F1: new(uint8(1)), F64: new(uint8(64)), F65: n(65)}),
		of("optional_root", new(int32(7))),
		of("optional_elements", []*bool{nil, new(true), new(false)}),
		of("nil_and_empty", []struct {
			String *string
			Bytes  []byte
			Slice  *[]string
			Twice  **string
			Number **int8
		}{
			{},
			{new(""), []byte{}, new([]string(nil)), new((*string)(nil)), new((*int8)(nil))},
			{new("x"), []byte{0}, new([]string{}), new(new("")), new(new(int8(0)))},
			{nil, nil, new([]string{""}), new(new("y")), new(new(int8(-1)))},
		}),
		of("slices", Slices{
			Bools: []bool{true, false, true}, Bytes: []byte("bytes"), Int16s: []int16{1, 2, 3, 4, 5}, Floats: []float32{0.5},
			Complexes: []complex128{1i}, Ints: []int{-1, 0, 1}, Strings: []string{"a", "", "b"}, PStrings: []*string{nil, new("")},
			Slices: [][]int32{nil, {}, {1}, {2, 3}}, Deep: [][][]bool{{{true}, {}}, nil}, Points: []Point{{1, 2}, {3, 4}},
			Blanks: []Blank{{A: 1, B: 2, C: 3}}, Pointers: []*Point{nil, {5, 6}}, Optionals: []*int32{nil, new(int32(7))},
			PPOptional: []**int8{new(new(int8(8)))}, Arrays: [][3]int8{{1, 2, 3}, {4, 5, 6}}, Texts: [][2]string{{"x", ""}},
		}),
		of("arrays", Arrays{
			Bools: [3]bool{true, false, true}, Bytes: [5]byte{1, 2, 3, 4, 5}, Int64s: [2]int64{-1, 1}, Strings: [3]string{"", "b", "c"},
			Pointers: [2]*Point{nil, {1, 2}}, PStrings: [2]*string{new(""), nil}, Optionals: [3]*bool{new(true), nil, new(false)},
			Slices: [2][]int16{{1}, nil}, Grid: [2][2][2]uint8{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, Refs: [2]List{{1, &List{2, nil}}, {3, nil}},
		}),
		of("pointers", Pointers{
			String: new("a"), PString: new(new("")), PPString: new(new(new("c"))), PInt: new(new(int32(1))), PPBool: new(new(new(true))),
			Slice: new([]int32{1, 2}), Strings: new([]string{"d"}), Array: new([3]int16{1, 2, 3}),
			OptionalArray: new([2]*int16{nil, new(int16(4))}), Struct: &Point{5, 6}, PStruct: new(&Point{7, 8}),
			Optionals: &Optionals{Int8: new(int8(9))}, Deep: new([]*[]*string{nil, new([]*string{new("e"), nil})}),
		}),
		of("gaps", Gaps{
			One: Gapped{1, 2, 3, 4, 5, 6, 7}, Many: []Gapped{{A: 1}, {G: 7}}, Array: [3]Gapped{{B: 1}}, Ptr: &Gapped{F: 6},
			Narrow: []struct {
				A uint32
				B uint8
			}{{1, 2}, {3, 4}},
		}),
		of("embedded", Embedding{Base: Base{1, "base"}, Other: &Other{new(true)}, Text: "text", Float: new(Float(0.5)), After: -1}),
		of("renamed", struct {
			A int32  `ashlar:"b"`
			B string `ashlar:"a"`
			C *bool  `ashlar:"日本"`
			_ int32
			D int8     `ashlar:"d"`
			E chan int `ashlar:"-"`
		}{A: 1, B: "x", C: new(false), D: 2}),
		of("list", *listOf(4)),
		of("tree", Tree{Name: "root", Left: &Tree{Name: "left", Kids: []Tree{{Name: "kid"}, {}}}, Right: &Tree{Kids: []Tree{}}}),
		of("nest", Nest{nil, {}, {nil, {{}}}}),
		of("loop", Loop(new(Loop(new(Loop(nil)))))),
		of("no_bytes", HollowRefs{
			P: new(Nothing{}), Q: new(Aligner{}), S: make([]Nothing, 9), R: []Aligner{}, PS: new(make([]struct{}, 2)),
			PP: new(new(Nothing{})), A: [2]*struct{}{nil, {}}, T: []*Nothing{nil, {}},
		}),
		of("hollow", []Hollow{{A: 1, B: 2, C: 3, D: true}, {A: -1}}),
		of("arrays_data", arraysData(7)),
		of("cache_lines", []string{"x", strings.Repeat("seven77 ", 64)[1:], "y", strings.Repeat("eight888", 64), "z"}),
		of("media_content", mediaContent()),
		of("sample", sample()),
		of("struct_100", numbered[Struct100]()),
		of("struct_100_optional", numbered[Struct100Optional]()),
	}
	return append(rows, wideGoldens()...)
}

// numbered is a struct of numbers, or of pointers to numbers of which every third
// is nil, that count up and take turns in sign.
func numbered[T any]() T {
	var v T
	r := reflect.ValueOf(&v).Elem()
	for i := range r.NumField() {
		f, n := r.Field(i), i+1
		if i%2 != 0 {
			n = -n
		}
		if f.Kind() == reflect.Pointer {
			if i%3 == 2 {
				continue
			}
			f.Set(reflect.New(f.Type().Elem()))
			f = f.Elem()
		}
		if f.CanInt() {
			f.SetInt(int64(n))
		} else {
			f.SetFloat(float64(n) / 4)
		}
	}
	return v
}

type goldenJSON struct {
	Description string          `json:"description"`
	Fingerprint string          `json:"fingerprint"`
	Value       json.RawMessage `json:"value"`
}

// TestGolden holds the files against the model and the package.
func TestGolden(t *testing.T) {
	for _, r := range goldens() {
		t.Run(r.name, func(t *testing.T) {
			want, file, value := checkGolden(t, r)
			c := r.codec(t)
			got, err := c.Append(nil, value)
			if err != nil {
				t.Fatalf("Append: %v", err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("other bytes: %s", firstDifference(got, want))
			}
			if s := fmt.Sprintf("%x", c.Description()); s != file.Description {
				t.Errorf("description %s, want %s", s, file.Description)
			}
			if s := fmt.Sprintf("%016x", c.Fingerprint()); s != file.Fingerprint {
				t.Errorf("fingerprint %s, want %s", s, file.Fingerprint)
			}
			if err := c.Verify(want); err != nil {
				t.Errorf("Verify: %v", err)
			}
			for _, d := range r.readers() {
				target := reflect.New(r.typ).Interface()
				if err := d.call(c, want, target); err != nil {
					t.Errorf("%s: %v", d.name, err)
				} else if diff := r.difference(target, value); diff != "" {
					t.Errorf("%s gives another value%s", d.name, diff)
				}
			}
		})
	}
}

// TestWideGolden is TestGolden without the package.
func TestWideGolden(t *testing.T) {
	for _, r := range wideGoldens() {
		t.Run(r.name, func(t *testing.T) { checkGolden(t, r) })
	}
}

// checkGolden reads the row's files and holds them against the row and the model.
func checkGolden(t *testing.T, r row) (want []byte, file goldenJSON, value any) {
	t.Helper()
	base := filepath.Join("testdata", r.name)
	if *update {
		writeGolden(t, base, r)
	}
	text := readGolden(t, base+".golden")
	want, err := dumpBytes(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(readGolden(t, base+".json")), &file); err != nil {
		t.Fatal(err)
	}
	value = reflect.New(r.typ).Interface()
	if err := parseJSON(file.Value, value); err != nil {
		t.Fatal(err)
	}
	if d := r.difference(value, r.values[0]); d != "" {
		t.Errorf("the JSON is not the value of this test:%s", d)
	}
	if model := r.encode(value); !bytes.Equal(model, want) {
		t.Errorf("the model writes other bytes: %s", firstDifference(model, want))
	}
	if back, err := modelDecodeWith(want, r.typ, r.options()); err != nil {
		t.Errorf("the model refuses it: %v", err)
	} else if d := r.difference(back.Interface(), value); d != "" {
		t.Errorf("the model reads another value%s", d)
	}
	if d := cmp.Diff(text, dump(want, value)); d != "" {
		t.Errorf("the notes in the golden are not what the bytes mean (-golden +now):\n%s", d)
	}
	return want, file, value
}

// TestGoldenFilesAreTested: a file without a test would rot.
func TestGoldenFilesAreTested(t *testing.T) {
	known := map[string]bool{}
	for _, r := range goldens() {
		known[r.name+".golden"], known[r.name+".json"] = true, true
	}
	files, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !f.IsDir() && !known[f.Name()] {
			t.Errorf("testdata/%s belongs to no test", f.Name())
		}
		delete(known, f.Name())
	}
	for name := range known {
		t.Errorf("testdata/%s is missing: run with -update and read what it writes", name)
	}
}

func readGolden(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	// A checkout may have turned the ends of lines.
	return strings.ReplaceAll(string(b), "\r\n", "\n")
}

// writeGolden writes what the model makes of the row's value; the codec has no say.
func writeGolden(t *testing.T, base string, r row) {
	t.Helper()
	v := r.values[0]
	files := map[string][]byte{
		".golden": []byte(dump(r.encode(v), v)),
		".json": fmt.Appendf(nil, "{\n\t\"description\": \"%x\",\n\t\"fingerprint\": \"%016x\",\n\t\"value\": %s\n}\n",
			modelDescription(r.typ), modelFingerprint(r.typ), goldenValue(v, r.refs)),
	}
	for ext, content := range files {
		if err := os.MkdirAll("testdata", 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(base+ext, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

package compat_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// Versions of one type.
type (
	log1 struct {
		N    int32
		Text string
	}
	log2 struct {
		Text   string
		N      int64
		Values []float64
	}
	log3 struct {
		Values []float64
		N      int64
		Label  string `ashlar:"Label,alias=Text"`
		More   map[string]int8
		Any    any
	}
)

// appendFile opens a file to append to, and skips where there are none.
func appendFile(t testing.TB, path string) *buffer.Buffer {
	t.Helper()
	b, err := buffer.Append(path, 64<<20)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// appendAll opens the file at path, appends the values, and closes it.
func appendAll(t testing.TB, path string, opts []compat.Option, values ...any) {
	t.Helper()
	b := appendFile(t, path)
	e, err := compat.AppendTo(b, opts...)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}

// readFile reads all messages of a file in one way, under Guard. What cannot be read has no place in the result.
func readFile[T any](t testing.TB, path, how string, opts ...compat.Option) (all []T) {
	t.Helper()
	b, err := buffer.Open(path)
	if errors.Is(err, buffer.ErrEmpty) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	registry := compat.NewRegistry(compat.Limits{})
	r := must(compat.For[T](registry, opts...))
	if err := b.Guard(func(file []byte) error {
		for msg, err := range registry.Messages(file) {
			if err != nil {
				return err
			}
			var v T
			if err := decodes(r)[how](msg, &v); err != nil {
				return err
			}
			all = append(all, v)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// descriptionsIn counts the description messages of a file.
func descriptionsIn(t testing.TB, path string) (n, messages int) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for msg, err := range format.Messages(content) {
		if err != nil {
			t.Fatal(err)
		}
		if format.IsDescription(msg) {
			n++
		}
		messages++
	}
	return n, messages
}

// Programs of three versions append to a file, each several times; those of each read it all.
func TestFileOfSeveralVersions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	old, later := []compat.Option{compat.WithTypes(typesOf[oldBox](t))}, []compat.Option{compat.WithTypes(typesOf[newBox](t))}
	for round := range 3 {
		n := 10 * round
		appendAll(t, path, old, log1{int32(n), "one"}, &log1{int32(n + 1), ""})
		appendAll(t, path, old)
		appendAll(t, path, old, log2{"two", int64(n + 2), []float64{1, 2}}, log1{int32(n + 3), "one"})
		appendAll(t, path, old, log3{N: int64(n + 4), Label: "three", Any: oldBox{5}})
		appendAll(t, path, later, log3{N: int64(n + 5), Label: "three", Any: newBox{"b", 6}})
	}
	if n, all := descriptionsIn(t, path); n != 5 || all != 18+5 { // three types, and two versions of a box
		t.Errorf("%d descriptions among %d messages, want 5 among 23", n, all)
	}
	for _, how := range []string{"Decode", "DecodeReuse", "DecodeAlias"} {
		var numbers []int
		for i, v := range readFile[log3](t, path, how, later...) {
			numbers = append(numbers, int(v.N))
			want := []log3{{Label: "one"}, {}, {Label: "two", Values: []float64{1, 2}}, {Label: "one"},
				{Label: "three", Any: newBox{A: 5}}, {Label: "three", Any: newBox{"b", 6}}}[i%6]
			want.N = v.N
			if !reflect.DeepEqual(v, want) {
				t.Errorf("%s: message %d is %+v, want %+v", how, i, v, want)
			}
		}
		if want := []int{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25}; !slices.Equal(numbers, want) {
			t.Errorf("%s: read %v", how, numbers)
		}
		for i, v := range readFile[log1](t, path, how) { // who does not know Any, nor Label
			want := log1{int32(i/6*10 + i%6), []string{"one", "", "two", "one", "", ""}[i%6]}
			if v != want {
				t.Errorf("%s: message %d is %+v, want %+v", how, i, v, want)
			}
		}
		for i, v := range readFile[log2](t, path, how) {
			if v.N != int64(i/6*10+i%6) {
				t.Errorf("%s: message %d is %+v", how, i, v)
			}
		}
	}
}

// A file is a stream: its bytes are those that go to a writer.
func TestFileIsAStream(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	types := compat.WithTypes(typesOf[oldBox](t))
	var stream bytes.Buffer
	e := compat.NewEncoder(&stream, types)
	values := []any{log1{1, "a"}, holder{oldBox{1}}, holder{int8(1)}, log1{2, "b"}, holder{[]any{oldBox{1}, "x"}}, log3{Any: holder{}}, &log2{Values: make([]float64, 1000)}}
	values[5] = log3{Any: map[string]any{"a": oldBox{1}, "b": 2.5}}
	for i, v := range values {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		appendAll(t, path, []compat.Option{types}, v)
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, stream.Bytes()) {
			t.Fatalf("value %d: the file has %d bytes, the stream %d; %v", i, len(got), stream.Len(), err)
		}
	}
	d := compat.NewDecoder(&stream, types)
	for range values {
		var v any
		if err := d.Decode(&v); !errors.Is(err, format.ErrSchema) { // no message is one of an interface
			t.Error(err)
		}
	}
}

// A file is as it was after a value that cannot be written, whatever of it was: a reader sees nothing, nor does
// who appends a shorter message.
func TestFileAfterAnError(t *testing.T) {
	for _, fresh := range []bool{true, false} {
		b := buffer.Wrap(make([]byte, 8192))
		e := must(compat.AppendTo(b, compat.WithTypes(typesOf[oldBox](t))))
		if !fresh {
			for _, v := range []any{holder{oldBox{2}}, holder{1}, []any{1}} {
				if err := e.Encode(v); err != nil {
					t.Fatal(err)
				}
			}
		}
		before := slices.Clone(b.Bytes())
		for _, v := range []any{
			nil, (*log1)(nil), func() {}, holder{func() {}}, holder{newBox{}}, []any{1, "text", oldBox{1}, newBox{}}, map[string]any{"a": 1, "b": 'b', "c": newBox{}},
		} {
			if err := e.Encode(v); !errors.Is(err, format.ErrType) || !bytes.Equal(b.Bytes(), before) {
				t.Errorf("%T: %v, %d bytes of %d", v, err, b.Len(), len(before))
			}
		}
		for _, v := range []any{log2{Values: make([]float64, 1100)}, log2{Values: make([]float64, 1013)}, [8192]byte{}} {
			if err := e.Encode(v); !errors.Is(err, buffer.ErrFull) || !bytes.Equal(b.Bytes(), before) {
				t.Errorf("%T: %v, %d bytes of %d", v, err, b.Len(), len(before))
			}
		}
		if err := e.Encode(log1{1, "x"}); err != nil {
			t.Error(err)
		}
	}
}

// In a file what was given up is cleared, and there is nothing but zero behind what was written.
func TestFileIsZeroBehindItsMessages(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	b := appendFile(t, path)
	e := must(compat.AppendTo(b, compat.WithTypes(typesOf[oldBox](t)), compat.WithRefs()))
	self := &list1{V: 1}
	self.Next = self
	labels := map[string]any{}
	for i := range 300 {
		labels[fmt.Sprint("label ", i)] = oldBox{int16(i)}
	}
	when := time.Unix(1, 2)
	for _, v := range []any{
		log2{Values: make([]float64, 20000)}, self, labels, []any{labels, func() {}}, map[any]any{1: 2, "x": labels, oldBox{1}: "y"}, struct{ A, B any }{when, holder{}},
		map[string]bool{"a": true, "": false}, struct{ A *int8 }{}, [][]any{{1, 2, nil}, {"x"}}, []time.Time{when}, [5]bool{true}, log1{}, struct{}{}, tree1{Named: map[string]*tree1{"x": {}}},
	} {
		err := e.Encode(v)
		if err != nil && !errors.Is(err, format.ErrType) {
			t.Errorf("%T: %v", v, err)
		}
		content, err := os.ReadFile(path)
		if err != nil || len(content) < b.Len() || len(bytes.Trim(content[b.Len():], "\x00")) > 0 {
			t.Errorf("behind a %T there is more than zeros in a file of %d bytes, %v", v, len(content), err)
		}
		for _, err := range format.Messages(content) {
			if err != nil {
				t.Errorf("%T: %v", v, err)
			}
		}
	}
}

// Whatever part of a message stands at the end of a file, it is cleared, and appending goes on there.
func TestFileWithATornMessage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	whole := log2{"two", 1, []float64{1, 2, 3}}
	appendAll(t, path, nil, log1{1, "one"}, whole)
	content := must(os.ReadFile(path))
	var starts []int
	for msg, err := range format.Messages(content) {
		if err != nil {
			t.Fatal(err)
		}
		starts = append(starts, len(msg))
	}
	last := starts[len(starts)-1]
	keep := len(content) - last
	for cut := 0; cut < last; cut++ {
		for _, zeros := range []int{0, 5, 10_000} {
			file := slices.Concat(content[:keep+cut], make([]byte, zeros))
			if cut >= 8 && zeros > 0 {
				// A header makes it a message: what is missing is zero. The word is stored last for this.
				if clear(file[keep : keep+8]); cut == 8 {
					continue
				}
			} else if cut > 0 && zeros > 0 {
				continue // half a word is never stored
			}
			if err := os.WriteFile(path, file, 0o600); err != nil {
				t.Fatal(err)
			}
			appendAll(t, path, nil, log1{2, "again"})
			got := readFile[log1](t, path, "Decode")
			if want := []log1{{1, "one"}, {2, "again"}}; !slices.Equal(got, want) {
				t.Fatalf("cut %d bytes into the last message, %d zeros behind: %+v", cut, zeros, got)
			}
			if n, all := descriptionsIn(t, path); n != 2 || all != 4 {
				t.Fatalf("cut %d: %d descriptions among %d messages", cut, n, all)
			}
		}
	}
}

// What is no file of messages is refused, and stays as it is.
func TestAppendToRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	good := message(t, log1{1, "x"})
	content := append(slices.Clone(good), "something else than a message, and long enough"...)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	b := appendFile(t, path)
	e, err := compat.AppendTo(b)
	var where *format.Error
	if e != nil || !errors.Is(err, format.ErrCorrupt) || !errors.As(err, &where) || where.Offset != int64(len(good)) {
		t.Errorf("%v, want ErrCorrupt at %d", err, len(good))
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := compat.AppendTo(b); !errors.Is(err, buffer.ErrClosed) {
		t.Error(err)
	}
	if got := must(os.ReadFile(path)); !bytes.Equal(got, content) {
		t.Error("the file has changed")
	}
	if err := os.WriteFile(path, good, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := compat.AppendTo(mapped(t, path)); !errors.Is(err, buffer.ErrReadOnly) {
		t.Error(err)
	}
	if _, err := compat.AppendTo(nil); !errors.Is(err, format.ErrType) {
		t.Error(err)
	}
}

// Who writes without descriptions adds nothing; who appends later does.
func TestFileWithoutDescriptions(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	appendAll(t, path, []compat.Option{compat.WithoutDescriptions()}, log1{1, "x"}, holder{1})
	want := slices.Concat(message(t, log1{1, "x"}), message(t, holder{1}))
	if got := must(os.ReadFile(path)); !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d", len(got), len(want))
	}
	appendAll(t, path, nil, log1{2, "y"})
	if n, all := descriptionsIn(t, path); n != 1 || all != 4 {
		t.Errorf("%d descriptions among %d messages", n, all)
	}
}

// Appending allocates nothing, once the types are described.
func TestFileAllocatesNothing(t *testing.T) {
	e := must(compat.AppendTo(buffer.New(1 << 20)))
	v, h := &log2{"text", 1, []float64{1, 2}}, &holder{V: "text"}
	write := func() {
		if err := errors.Join(e.Encode(v), e.Encode(h)); err != nil {
			t.Fatal(err)
		}
	}
	write()
	if n := testing.AllocsPerRun(100, write); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

const childEnv = "ASHLAR_COMPAT_TEST_FILE"

// TestKilledWhileAppending kills a writer at any moment, many times over, each time another one of the same
// file. A reader sees what the writers have said to be complete, and at most one message more, and the next
// writer goes on behind that.
func TestKilledWhileAppending(t *testing.T) {
	if path := os.Getenv(childEnv); path != "" {
		appendUntilKilled(t, path)
		return
	}
	if emulated {
		t.Skip("cannot start itself")
	}
	kills := 30
	if testing.Short() || compat.RaceEnabled {
		kills = 12
	}
	dir, path := t.TempDir(), ""
	appendFile(t, filepath.Join(dir, "file")).Close() // skips
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	count, all, unsaid, torn := 0, 0, 0, 0
	for kill := range kills {
		if kill%10 == 0 { // or reading takes too long
			path, count = filepath.Join(dir, fmt.Sprint(kill)), 0
		}
		cmd := exec.Command(self, "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s", childEnv, path), fmt.Sprintf("ASHLAR_COMPAT_TEST_FROM=%d", count), "GORACE=atexit_sleep_ms=0")
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Skipf("cannot start a child here: %v", err)
		}
		wait := time.Duration(random.IntN(4_000)) * time.Microsecond
		said, lines := count, bufio.NewScanner(out)
		for lines.Scan() {
			n, err := strconv.Atoi(lines.Text())
			if err != nil || n != said {
				break // cut short, or the child's own complaint
			}
			if said++; n == count {
				time.AfterFunc(wait, func() { cmd.Process.Kill() })
			}
		}
		rest := lines.Text()
		for lines.Scan() {
			rest += "\n" + lines.Text()
		}
		if err := cmd.Wait(); err == nil || said == count {
			t.Fatalf("kill %d: the writer said nothing or was not killed: %v\n%s", kill, err, rest)
		}
		got := readFile[log3](t, path, "DecodeAlias")
		if len(got) < said || len(got) > said+1 {
			t.Fatalf("kill %d: %d messages, the writer said %d", kill, len(got), said)
		}
		for n, v := range got {
			if want := recordAs3(n); !reflect.DeepEqual(v, want) {
				t.Fatalf("kill %d: message %d is %+v, want %+v", kill, n, v, want)
			}
		}
		if content := must(os.ReadFile(path)); len(bytes.Trim(content[endOf(t, content):], "\x00")) > 0 {
			torn++ // within an append
		}
		all += len(got) - count
		unsaid += len(got) - said
		count = len(got)
		if n, all := descriptionsIn(t, path); count > 2 && (n != 4 || all != count+4) { // that of string, in Any, too
			t.Errorf("kill %d: %d descriptions among %d messages, want 4 among %d", kill, n, all, count+4)
		}
	}
	t.Logf("%d kills, %d of them within an append; %d messages, %d of them complete and not said", kills, torn, all, unsaid)
}

// endOf returns where the messages end.
func endOf(t *testing.T, content []byte) (end int) {
	for msg, err := range format.Messages(content) {
		if err != nil {
			t.Fatal(err)
		}
		end += len(msg)
	}
	return end
}

// recordOf is the n-th record, of one version or another.
func recordOf(n int) any {
	text := strings.Repeat("x", n*7%300)
	switch n % 3 {
	case 0:
		return &log1{int32(n), text}
	case 1:
		return &log2{text, int64(n), make([]float64, n*131%2500)}
	}
	return &log3{N: int64(n), Label: text, More: map[string]int8{"a": int8(n), "b": 1}, Any: "boxed"}
}

// recordAs3 is what a reader of the last version makes of the n-th record.
func recordAs3(n int) log3 {
	switch v := recordOf(n).(type) {
	case *log1:
		return log3{N: int64(v.N), Label: v.Text}
	case *log2:
		if len(v.Values) == 0 {
			v.Values = []float64{}
		}
		return log3{N: v.N, Label: v.Text, Values: v.Values}
	case *log3:
		return *v
	}
	return log3{}
}

// appendUntilKilled is the child: it says the number of each record when that is written.
func appendUntilKilled(t *testing.T, path string) {
	var b *buffer.Buffer
	for range 100 { // while the lock of the one before goes
		var err error
		if b, err = buffer.Append(path, 1<<30); err == nil {
			break
		}
		fmt.Println(err)
		time.Sleep(10 * time.Millisecond)
	}
	e, err := compat.AppendTo(b)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(os.Getenv("ASHLAR_COMPAT_TEST_FROM"))
	if err != nil {
		t.Fatal(err)
	}
	for ; ; n++ {
		if err := e.Encode(recordOf(n)); err != nil {
			t.Fatal(err)
		}
		fmt.Println(n)
	}
}

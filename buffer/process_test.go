package buffer_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// A record is what the processes below hand each other.
type record struct {
	N       int64
	Even    bool
	Name    string
	Tags    []string
	Samples []float32
	Odd     []bool
	Gain    *int32
	Next    *record
}

var records = format.MustFor[record]()

// recordOf returns the n-th record. They differ in size.
func recordOf(n int) *record {
	gain := int32(-n)
	r := &record{
		N: int64(n), Even: n%2 == 0, Name: fmt.Sprint("record ", n), Tags: []string{"", "a tag", strings.Repeat("long ", n%20)},
		Samples: make([]float32, 1+n*37%900), Odd: []bool{n%2 == 1, n%3 == 1}, Gain: &gain, Next: &record{N: int64(n + 1), Tags: []string{"next"}},
	}
	for i := range r.Samples {
		r.Samples[i] = float32(n + i)
	}
	return r
}

// messages splits what a file holds, as far as a word of zero or the end.
func messages(p []byte) (all [][]byte, err error) {
	for len(p) >= 8 && binary.LittleEndian.Uint64(p) != 0 {
		var msg []byte
		if msg, p, err = format.Next(p); err != nil {
			return all, err
		}
		all = append(all, msg)
	}
	return all, nil
}

const childEnv = "ASHLAR_BUFFER_TEST_FILE"

// child prepares to run this test again in another process, with path for its
// file.
func child(t *testing.T, path string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	cmd.Env = append(os.Environ(), childEnv+"="+path, "GORACE=atexit_sleep_ms=0")
	cmd.Stderr = os.Stderr
	return cmd
}

// mustStart skips where there are no files to map or the test binary cannot be
// started, as under an emulator.
func mustStart(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	b, err := buffer.Create(filepath.Join(t.TempDir(), "file"), 1)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	b.Close()
	if err := cmd.Start(); err != nil {
		if os.Getenv("ASHLAR_EMULATED") != "" {
			t.Skip("the test binary cannot be started under this emulator: ", err)
		}
		t.Fatal(err)
	}
}

// writeRecords is a child: it writes count records to a new file and prints
// each number when the record is written, and synced if wanted.
func writeRecords(path string, count int, sync bool) error {
	b, err := buffer.Create(path, 1<<30)
	if err != nil {
		return err
	}
	for n := range count {
		if err := records.Encode(b, recordOf(n)); err != nil {
			return err
		}
		if sync {
			if err := b.Sync(); err != nil {
				return err
			}
		}
		fmt.Println(n)
	}
	if err := b.Close(); err != nil {
		return err
	}
	fmt.Println(count)
	return nil
}

// checkRecords opens the file, of which the first count records are complete,
// and returns how many there are.
func checkRecords(t *testing.T, path string, count int) int {
	t.Helper()
	b, err := buffer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	var got int
	if err := b.Guard(func(p []byte) error {
		all, err := messages(p)
		if got = len(all); got < count {
			return fmt.Errorf("%d messages, want %d at least: %v", got, count, err)
		}
		for n, msg := range all[:count] {
			var r record
			if err := records.DecodeAlias(msg, &r); err != nil {
				return fmt.Errorf("message %d: %w", n, err)
			}
			if want := recordOf(n); !reflect.DeepEqual(&r, want) {
				return fmt.Errorf("message %d is %+v, want %+v", n, r, *want)
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return got
}

// TestReaderAndWriterInTwoProcesses opens the file again and again while
// another process writes it, and reads what that says is complete.
func TestReaderAndWriterInTwoProcesses(t *testing.T) {
	const count = 200
	if path := os.Getenv(childEnv); path != "" {
		if err := writeRecords(path, count, true); err != nil {
			t.Fatal(err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "file")
	cmd := child(t, path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	mustStart(t, cmd)
	lines := bufio.NewScanner(out)
	var early *buffer.Buffer // opened at the first message and kept
	for n := 0; lines.Scan() && n <= count; n++ {
		if lines.Text() != fmt.Sprint(n) {
			t.Fatalf("the writer says %q, want %d", lines.Text(), n)
		}
		switch {
		case n == 0:
			if early, err = buffer.Open(path); err != nil {
				t.Fatal(err)
			}
			defer early.Close()
		case n == count: // closed
			if got := checkRecords(t, path, count); got != count {
				t.Errorf("%d messages in the end, want %d", got, count)
			}
		case n%20 == 0:
			checkRecords(t, path, n+1)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	// What was mapped first shows the messages that came later and fit in it,
	// the last cut short.
	all, err := messages(early.Bytes())
	if len(all) < 10 || !errors.Is(err, format.ErrTruncated) {
		t.Errorf("the first mapping shows %d messages, %v", len(all), err)
	}
}

// TestAKilledWriterLosesNothing kills the writer soon after it has said that a
// message is written, or synced. That message and all before it must be there.
func TestAKilledWriterLosesNothing(t *testing.T) {
	if path := os.Getenv(childEnv); path != "" {
		if err := writeRecords(path, 1_000_000, strings.HasSuffix(path, "-sync")); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, after := range []int{0, 7, 100, 300} {
		for _, mode := range []string{"append", "sync"} {
			path := filepath.Join(t.TempDir(), fmt.Sprintf("%d-%s", after, mode))
			cmd := child(t, path)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			mustStart(t, cmd)
			said := 0
			for lines := bufio.NewScanner(out); lines.Scan(); {
				if lines.Text() != fmt.Sprint(said) {
					break // cut short
				}
				if said++; said == after+1 {
					cmd.Process.Kill()
				}
			}
			if err := cmd.Wait(); err == nil || said <= after {
				t.Fatalf("the writer was not killed: it said %d, want %d; %v", said, after+1, err)
			}
			if got := checkRecords(t, path, said); got > said+1 {
				t.Errorf("%d messages, and the writer said %d", got, said)
			} else {
				t.Logf("%s: killed after %d, said %d, found %d", mode, after+1, said, got)
			}
		}
	}
}

// TestAnotherProcessTruncatesWhileReading reads on and on, decoding, until a
// page that it needs is gone.
func TestAnotherProcessTruncatesWhileReading(t *testing.T) {
	if path := os.Getenv(childEnv); path != "" {
		if err := os.Truncate(path, int64(os.Getpagesize())); err != nil {
			t.Fatal(err)
		}
		return
	}
	path := filepath.Join(t.TempDir(), "file")
	cmd := child(t, path)
	mustStart(t, cmd)
	if err := cmd.Wait(); err == nil {
		t.Fatal("truncated a file that is not there")
	}
	if err := writeQuietly(path, 200); err != nil {
		t.Fatal(err)
	}
	b, err := buffer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	cmd = child(t, path)
	mustStart(t, cmd)
	rounds := 0
	for ; err == nil; rounds++ {
		err = b.Guard(func(p []byte) error {
			all, err := messages(p)
			if err != nil {
				return err
			}
			for _, msg := range all {
				var r record
				if err := records.Decode(msg, &r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if e := cmd.Wait(); e != nil {
		t.Fatal(e)
	}
	var fault *buffer.FaultError
	if !errors.As(err, &fault) || fault.Offset < os.Getpagesize() || fault.Offset >= b.Len() {
		t.Errorf("after %d rounds: %v, want ErrFault in the second page or later", rounds, err)
	}
}

func writeQuietly(path string, count int) error {
	b, err := buffer.Create(path, 1<<30)
	if err != nil {
		return err
	}
	for n := range count {
		if err := records.Encode(b, recordOf(n)); err != nil {
			return err
		}
	}
	return b.Close()
}

// TestAMessageCutShortIsTruncated cuts a file everywhere within its last
// message.
func TestAMessageCutShortIsTruncated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	err := writeQuietly(path, 3)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, err := messages(whole)
	if err != nil || len(all) != 3 {
		t.Fatalf("%d messages, %v", len(all), err)
	}
	last := len(whole) - len(all[2])
	for size := last + 8; size < len(whole); size += 1 + size%13 {
		if err := os.WriteFile(path, whole[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := buffer.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := messages(b.Bytes()); len(got) != 2 || !errors.Is(err, format.ErrTruncated) {
			t.Fatalf("cut at %d: %d messages, %v, want ErrTruncated", size, len(got), err)
		}
		b.Close()
	}
}

// touch reads all that r holds.
func touch(r *record) (sum int) {
	for ; r != nil; r = r.Next {
		sum += int(r.N) + len(r.Name) + len(r.Odd)
		for _, c := range []byte(r.Name) {
			sum += int(c)
		}
		for _, s := range r.Tags {
			for i := range len(s) {
				sum += int(s[i])
			}
		}
		for _, v := range r.Samples {
			sum += int(int8(v))
		}
		table := [2]int{3, 5}
		for _, v := range r.Odd {
			i := 0
			if v {
				i = 1
			}
			sum += table[i]
		}
		if r.Gain != nil {
			sum += int(*r.Gain)
		}
	}
	return sum
}

// TestEveryBitFlippedInAMappedFile maps a file of 64 KiB for reading, flips its
// bits one after another through the writer's mapping, and reads what the flip
// can reach: the message around it, or all of them if it is in a header.
func TestEveryBitFlippedInAMappedFile(t *testing.T) {
	const size = 64 << 10
	path := filepath.Join(t.TempDir(), "file")
	w, err := buffer.Create(path, size)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for n := 0; err == nil; n++ {
		err = records.Encode(w, recordOf(n))
	}
	if !errors.Is(err, buffer.ErrFull) {
		t.Fatal(err)
	}
	rest, err := w.Extend(size - w.Len())
	if err != nil {
		t.Fatal(err)
	}
	clear(rest)
	b, err := buffer.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	all, err := messages(b.Bytes())
	if err != nil || len(all) < 20 || b.Len() != size {
		t.Fatalf("%d messages in %d bytes, %v", len(all), b.Len(), err)
	}

	bits := w.Bytes()
	step := 1
	if slow() {
		step = 61
	}
	flips, failed, sum := 0, 0, 0
	var r record
	read := func(msg []byte) {
		r = record{}
		if err := records.DecodeAlias(msg, &r); err != nil {
			failed++
			return
		}
		sum += touch(&r)
	}
	if err := b.Guard(func(p []byte) error {
		start := 0 // of the message, or of what is behind the last
		for i, at := 0, 0; at < size*8; at += step {
			for i < len(all) && at/8 >= start+len(all[i]) {
				start += len(all[i])
				i++
			}
			bits[at/8] ^= 1 << (at % 8)
			if i == len(all) || at/8 < start+16 {
				now, err := messages(p)
				if err != nil {
					failed++
				}
				for _, msg := range now {
					read(msg)
				}
			} else {
				read(all[i])
			}
			bits[at/8] ^= 1 << (at % 8)
			flips++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d flips in %d messages: %d errors", flips, len(all), failed)
	if failed == 0 {
		t.Error("no flip was an error")
	}
}

// slow reports whether the code runs at a tenth of its speed or less.
func slow() bool {
	if os.Getenv("ASHLAR_EMULATED") != "" || testing.CoverMode() != "" {
		return true
	}
	info, _ := debug.ReadBuildInfo()
	for _, s := range info.Settings {
		if s.Key == "-race" && s.Value == "true" || s.Key == "-tags" && strings.Contains(s.Value, "purego") {
			return true
		}
	}
	return false
}

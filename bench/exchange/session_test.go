package exchange

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestTheWholeExchangeInASmokeRun(t *testing.T) {
	s := session(t)
	start := time.Now()
	last := 0.0
	results, err := Measure(t.Context(), s, All(), Plan{Slice: time.Millisecond, Rounds: 3, Budget: 2 * time.Second},
		func(done float64, _ Name) {
			if done < last-1e-9 || done > 1+1e-9 {
				t.Errorf("%v done after %v", done, last)
			}
			last = done
		})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	t.Logf("it took %v", took)
	if took > 20*time.Second { // 2.5 s on a quiet machine; the race detector and other work take their share
		t.Errorf("it took %v", took)
	}
	want := 0
	for _, n := range All() {
		if s.Missing(n.Link) == nil {
			want++
		}
	}
	if len(results) != want {
		t.Errorf("%d results, want %d", len(results), want)
	}
	for _, r := range results {
		if len(r.Rounds) != leastRounds {
			t.Errorf("%v: %d rounds, want %d", r.Name, len(r.Rounds), leastRounds)
		}
	}
}

func TestAnInterruptKeepsCompleteRounds(t *testing.T) {
	s := session(t)
	names := []Name{All()[1], All()[3], All()[5], All()[7]} // sockets, at once and paced
	ctx, cancel := context.WithCancel(t.Context())
	results, err := Measure(ctx, s, names, Plan{Slice: 5 * time.Millisecond, Rounds: 20, Budget: time.Hour},
		func(_ float64, group Name) {
			if group.Pace != 0 {
				cancel()
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != 2 || len(results[0].Rounds) != 20 || len(results[1].Rounds) != 20 {
		t.Errorf("results of %d cases, want all rounds of the first group's two", len(results))
	}
	if _, err := s.Run(names[0], 1); err != nil {
		t.Errorf("after an interrupt: %v", err)
	}
}

func TestTheDeathOfTheSecondProcessIsAnError(t *testing.T) {
	for _, i := range []int{0, 1, 2, 3} { // one of each link
		name := All()[i]
		name.Pace = Pace
		s := session(t)
		if s.Missing(name.Link) != nil {
			continue
		}
		time.AfterFunc(30*time.Millisecond, s.kill)
		start := time.Now()
		_, err := s.Run(name, 60_000)
		if err == nil || !strings.Contains(err.Error(), "killed") {
			t.Errorf("%v: got %v, want to hear that it was killed", name, err)
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("%v: it took %v to notice", name, took)
		}
		if _, again := s.Run(name, 1); again == nil || again.Error() != err.Error() {
			t.Errorf("%v: afterwards %v, want the same error", name, again)
		}
	}
}

func TestARunThatDoesNotEndIsEnded(t *testing.T) {
	s := session(t)
	s.deadline = 50 * time.Millisecond
	name := All()[5]
	if _, err := s.Run(name, 60_000); err == nil {
		t.Error("a run of a minute was let go on")
	}
}

func TestErrorsOfTheFirstProcessAreReported(t *testing.T) {
	for _, tt := range []struct {
		name Name
		want string
	}{
		{Name{Op: RoundTrip, Data: Bytes, N: 7, Link: Unix}, "n=7"},
		{Name{Op: RoundTrip, Data: Bytes, N: Word, Link: "pigeon"}, "pigeon"},
		{Name{Op: Stream, Data: suite.PrimitiveArray, N: 1 << 20, Link: Shm}, "SlotSize"},
	} {
		s := session(t)
		if s.Missing(tt.name.Link) != nil {
			continue
		}
		if _, err := s.Run(tt.name, 1); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: %v, want something on %s", tt.name, err, tt.want)
		}
	}
}

// parentVariable makes the test binary start a session, say the second process's
// id, and wait for its death.
const parentVariable = "ASHLAR_BENCH_EXCHANGE_PARENT"

func TestTheSecondProcessEndsWithTheFirst(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("needs /proc")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, busy := range []string{"idle", "busy"} {
		t.Run(busy, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), program)
			c.Env = append(os.Environ(), parentVariable+"="+busy)
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			var line [32]byte
			n, err := out.Read(line[:])
			if err != nil {
				t.Fatal(err)
			}
			pid := strings.TrimSpace(string(line[:n]))
			if !alive(pid) {
				t.Fatalf("no process %s", pid)
			}
			time.Sleep(20 * time.Millisecond)
			c.Process.Kill()
			c.Wait()
			for end := time.Now().Add(10 * time.Second); alive(pid); time.Sleep(5 * time.Millisecond) {
				if time.Now().After(end) {
					t.Fatalf("process %s outlives its parent", pid)
				}
			}
		})
	}
}

// alive says that a process exists and is no zombie.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(state, "Z")
}

// parent is what the test binary does when the variable is set.
func parent(busy string) {
	s, err := Start()
	if err != nil {
		panic(err)
	}
	os.Stdout.WriteString(strconv.Itoa(s.child.Process.Pid) + "\n")
	for busy == "busy" {
		if _, err := s.Run(All()[0], 10_000); err != nil {
			panic(err)
		}
	}
	time.Sleep(time.Minute)
}

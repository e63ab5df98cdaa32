//go:build linux

package shm

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"testing"
	"time"
)

// A holding is what this process holds of what a channel is made of.
type holding struct{ descriptors, mappings, goroutines int }

func held(t testing.TB) (h holding) {
	t.Helper()
	fds, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return holding{len(fds), bytes.Count(maps, []byte("/memfd:")), runtime.NumGoroutine()}
}

// leavesNothing reports a test that ends with more descriptors, mappings of memfds or goroutines than it
// began with. It is called first in a test that does not run in parallel with others.
func leavesNothing(t testing.TB) {
	t.Helper()
	warm := make(chan bool)
	time.AfterFunc(0, func() { close(warm) }) // the poller's and the clock's own descriptors
	<-warm
	if r, w, err := os.Pipe(); err == nil {
		r.Close()
		w.Close()
	}
	before := held(t)
	t.Cleanup(func() {
		var after holding
		for range 400 {
			after = held(t)
			if after.descriptors <= before.descriptors && after.mappings <= before.mappings && after.goroutines <= before.goroutines {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
		stacks := make([]byte, 1<<16)
		t.Errorf("left behind: %+v, before %+v\n%s\n%s", after, before, descriptorsOpen(), stacks[:runtime.Stack(stacks, true)])
	})
}

func descriptorsOpen() string {
	var b bytes.Buffer
	fds, _ := os.ReadDir("/proc/self/fd")
	for _, e := range fds {
		to, _ := os.Readlink("/proc/self/fd/" + e.Name())
		fmt.Fprintln(&b, e.Name(), to)
	}
	return b.String()
}

// within fails the test if f takes longer than d, and shows where all goroutines are.
func within(t testing.TB, d time.Duration, what string, f func()) {
	t.Helper()
	watchdog := time.AfterFunc(d, func() {
		stacks := make([]byte, 1<<20)
		panic(fmt.Sprintf("%s takes longer than %v\n%s", what, d, stacks[:runtime.Stack(stacks, true)]))
	})
	defer watchdog.Stop()
	f()
}

//go:build linux

package shm

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Two programs that were built of two versions of a type exchange messages both ways at once, over pipes and
// over two channels. Each checks all that it receives.
func TestProgramsOfTwoVersions(t *testing.T) {
	needChildren(t)
	if testing.Short() {
		t.Skip("builds two programs")
	}
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("needs the go command:", err)
	}
	dir := t.TempDir()
	programs := [2]string{filepath.Join(dir, "older"), filepath.Join(dir, "newer")}
	for i, tags := range []string{"", "newer"} {
		build := exec.Command(tool, "build", "-tags", tags, "-o", programs[i], "./testdata/talk")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", build, err, out)
		}
	}
	const n = "100000"
	t.Run("pipe", func(t *testing.T) {
		var ends [2][2]*os.File // a pipe from each program, to read and to write
		for i := range ends {
			if ends[i][0], ends[i][1], err = os.Pipe(); err != nil {
				t.Fatal(err)
			}
		}
		older, newer := exec.Command(programs[0], "pipe", n), exec.Command(programs[1], "pipe", n)
		older.Stdout, newer.Stdin = ends[0][1], ends[0][0]
		newer.Stdout, older.Stdin = ends[1][1], ends[1][0]
		talk(t, older, newer, func() {
			for _, pipe := range ends {
				pipe[0].Close()
				pipe[1].Close()
			}
		})
	})
	t.Run("channel", func(t *testing.T) {
		there, back := filepath.Join(dir, "there"), filepath.Join(dir, "back")
		talk(t, exec.Command(programs[0], "channel", n, there, back), exec.Command(programs[1], "channel", n, back, there), func() {})
	})
}

// talk runs two programs that talk to each other until both have ended. What is done when both have begun
// leaves them alone with each other.
func talk(t *testing.T, a, b *exec.Cmd, begun func()) {
	t.Helper()
	ends := make(chan error, 2)
	for _, c := range []*exec.Cmd{a, b} {
		c.Stderr = os.Stderr
		c.WaitDelay = time.Second
		wantNil(t, "Start", c.Start())
		t.Cleanup(func() { c.Process.Kill() })
		go func() { ends <- c.Wait() }()
	}
	begun()
	within(t, 2*time.Minute, "the exchange", func() {
		for range 2 {
			wantNil(t, "a program", <-ends)
		}
	})
}

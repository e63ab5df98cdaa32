//go:build linux

package shm

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Tests of two processes run this test binary again as a child: childEnv names what it does, a key of
// children, and argsEnv its arguments.
const (
	childEnv = "ASHLAR_SHM_TEST_CHILD"
	argsEnv  = "ASHLAR_SHM_TEST_ARGS"
)

var children = map[string]func(args []string){}

func TestMain(m *testing.M) {
	// Nothing here may depend on a sleep that ends by itself.
	longestSleep = unix.NsecToTimespec(int64(time.Hour))
	if role := os.Getenv(childEnv); role != "" {
		in := os.Stdin
		if role != "stopped" {
			go func() { // does not outlive the parent
				io.Copy(io.Discard, in)
				os.Exit(3)
			}()
		}
		children[role](strings.Split(os.Getenv(argsEnv), "\n"))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// A child is a process that runs children[role].
type child struct {
	*exec.Cmd
	t   testing.TB
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t testing.TB, role string, args ...string) *child {
	t.Helper()
	return startAs(t, nil, role, args...)
}

func startAs(t testing.TB, as *syscall.Credential, role string, args ...string) *child {
	t.Helper()
	needChildren(t)
	if children[role] == nil {
		t.Fatalf("no child %q", role)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if as != nil {
		exe = "/proc/self/exe" // the path of the binary may be closed to another user
	}
	c := &child{Cmd: exec.Command(exe, "-test.run=^$"), t: t}
	c.Env = append(os.Environ(), childEnv+"="+role, argsEnv+"="+strings.Join(args, "\n"), "GOMAXPROCS=2")
	c.Stderr = os.Stderr
	if as != nil {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: as}
		c.Dir = "/"
	}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.in, c.out = in, bufio.NewReader(out)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.kill)
	return c
}

func needChildren(t testing.TB) {
	t.Helper()
	if os.Getenv("ASHLAR_EMULATED") != "" {
		t.Skip("a child process cannot be run under emulation")
	}
}

// line is what the child says next.
func (c *child) line() string {
	c.t.Helper()
	s, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatalf("the child said %q: %v", s, err)
	}
	return strings.TrimSpace(s)
}

// want is a line that must come next.
func (c *child) want(s string) {
	c.t.Helper()
	if got := c.line(); got != s {
		c.t.Fatalf("the child says %q, want %q", got, s)
	}
}

// kill ends the child, if it has not ended, and waits until it is gone.
func (c *child) kill() {
	if c.ProcessState == nil {
		c.Process.Kill()
		c.Wait()
		c.in.Close()
	}
}

func say(s string) { os.Stdout.WriteString(s + "\n") }

func must(err error) {
	if err != nil {
		say(err.Error())
		os.Exit(1)
	}
}

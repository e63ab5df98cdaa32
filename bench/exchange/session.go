package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Session is this process, a second one, and the links between them. It is
// used by one goroutine at a time.
type Session struct {
	child   *exec.Cmd
	control control
	pipes   []io.Closer // of control
	stderr  tail
	ended   chan struct{} // closed when the second process has ended

	links    map[string]link
	missing  map[string]error
	callers  map[Name]caller
	listen   []net.Listener
	theirs   []*os.File // the second process's ends of the pipes
	folder   string
	deadline time.Duration // within which a call of Run has to end
	broken   error         // what ended the session
}

type caller struct {
	source
	client
}

// Start starts the second process, which has to come to Serve, and joins the
// links. It has to be closed.
func Start() (*Session, error) {
	s := &Session{
		links:    make(map[string]link),
		missing:  make(map[string]error),
		callers:  make(map[Name]caller),
		ended:    make(chan struct{}),
		deadline: time.Minute,
	}
	if err := s.start(); err != nil {
		return nil, fmt.Errorf("exchange: %w", errors.Join(err, s.Close()))
	}
	return s, nil
}

func (s *Session) start() (err error) {
	if s.folder, err = os.MkdirTemp("", "ashlar"); err != nil {
		return err
	}
	in := introduction{Folder: s.folder}
	var shm *shmParent
	switch shm, err = createShm(s.folder); {
	case err == nil:
		s.links[Shm], s.links[CopyRing] = shm, shm
		in.Links = append(in.Links, Shm)
	case errors.Is(err, errors.ErrUnsupported):
		s.missing[Shm], s.missing[CopyRing] = err, err
	default:
		return err
	}
	for _, at := range [][2]string{{Unix, filepath.Join(s.folder, unixPath)}, {TCP, "127.0.0.1:0"}} {
		l, err := net.Listen(at[0], at[1])
		if err != nil {
			return err
		}
		s.listen = append(s.listen, l)
		in.Links = append(in.Links, at[0])
		in.Address = l.Addr().String() // TCP is the last
	}
	if pipesInherit {
		if err := s.makePipes(); err != nil {
			return err
		}
		in.Links = append(in.Links, Pipe)
	} else {
		s.missing[Pipe] = fmt.Errorf("a second process inherits no pipes on %s: %w", runtime.GOOS, errors.ErrUnsupported)
	}
	if err := s.startChild(in); err != nil {
		return err
	}
	watch := time.AfterFunc(patience, s.kill)
	defer watch.Stop()
	if err := s.control.ready(); err != nil {
		return s.explain(err)
	}
	for _, l := range s.listen {
		c, err := l.Accept() // there already
		if err != nil {
			return err
		}
		end, err := connLink(c)
		if err != nil {
			return err
		}
		s.links[l.Addr().Network()] = end
	}
	if shm != nil {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := shm.attach(ctx, s.folder); err != nil {
			return err
		}
	}
	return s.clean()
}

// clean removes what was needed to meet, so that nothing stays behind however
// this process ends.
func (s *Session) clean() error {
	var errs []error
	for _, l := range s.listen {
		errs = append(errs, l.Close())
	}
	for _, f := range s.theirs {
		errs = append(errs, f.Close())
	}
	if s.folder != "" {
		errs = append(errs, os.RemoveAll(s.folder))
	}
	s.listen, s.theirs, s.folder = nil, nil, ""
	return errors.Join(errs...)
}

// makePipes makes a pipe each way.
func (s *Session) makePipes() error {
	r1, w1, err := os.Pipe()
	if err != nil {
		return err
	}
	r2, w2, err := os.Pipe()
	if err != nil {
		return errors.Join(err, r1.Close(), w1.Close())
	}
	s.theirs = []*os.File{r1, w2}
	s.links[Pipe] = &byteLink{r: r2, w: w1, c: []io.Closer{w1, r2}}
	return nil
}

func (s *Session) startChild(in introduction) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := json.Marshal(in)
	if err != nil {
		return err
	}
	c := exec.Command(program)
	c.Env = append(os.Environ(), environment+"="+string(text))
	c.ExtraFiles = s.theirs
	c.Stderr = &s.stderr
	dieWithParent(c)
	orders, err := c.StdinPipe()
	if err != nil {
		return err
	}
	reports, reportsEnd, err := os.Pipe() // StdoutPipe's is closed by Wait, perhaps before it was read
	if err != nil {
		return err
	}
	c.Stdout = reportsEnd
	err = c.Start()
	reportsEnd.Close()
	for _, f := range s.theirs {
		f.Close()
	}
	s.theirs = nil
	if err != nil {
		return errors.Join(err, reports.Close())
	}
	s.child, s.pipes, s.control = c, []io.Closer{orders, reports}, newControl(reports, orders)
	go func() {
		c.Wait() // how it ended is of no interest: what it said is
		close(s.ended)
	}()
	return nil
}

// Missing says why this system has no such link; nil when it has.
func (s *Session) Missing(link string) error { return s.missing[link] }

// Run exchanges so many messages and measures them. An error, such as a wrong
// sum, ends the session.
func (s *Session) Run(name Name, count int) (Round, error) {
	if s.broken != nil {
		return Round{}, s.broken
	}
	r, err := s.run(name, count)
	if err != nil {
		s.broken = fmt.Errorf("%v: %w", name, s.explain(err))
		return Round{}, s.broken
	}
	return r, nil
}

func (s *Session) run(name Name, count int) (Round, error) {
	c, ok := s.callers[name]
	if !ok {
		l := s.links[name.Link]
		if l == nil {
			return Round{}, fmt.Errorf("no link %q", name.Link)
		}
		from, err := newSource(name)
		if err != nil {
			return Round{}, err
		}
		to, err := l.client(name, from)
		if err != nil {
			return Round{}, err
		}
		c = caller{from, to}
		s.callers[name] = c
	}
	watch := time.AfterFunc(s.deadline, s.kill)
	defer watch.Stop()
	if err := s.control.e.Encode(order{name, count}); err != nil {
		return Round{}, err
	}
	if err := s.control.ready(); err != nil {
		return Round{}, err
	}
	return drive(name, c.source, c.client, count)
}

// explain adds to an error what the second process has to say on it.
func (s *Session) explain(err error) error {
	if errors.As(err, new(secondError)) {
		return err
	}
	select {
	case <-s.ended:
	case <-time.After(time.Second / 2):
		return err // it lives: the error is this process's own
	}
	e := s.control.ready()
	for e == nil {
		e = s.control.ready()
	}
	var said []string
	if second := secondError(""); errors.As(e, &second) {
		said = append(said, string(second))
	}
	if text := s.stderr.String(); text != "" {
		said = append(said, text)
	}
	if len(said) == 0 {
		said = append(said, s.child.ProcessState.String())
	}
	return fmt.Errorf("%w; the second process: %s", err, strings.Join(said, "\n"))
}

// kill ends the second process, and with it all that waits for it.
func (s *Session) kill() { s.child.Process.Kill() }

// Close ends the second process and waits for its end.
func (s *Session) Close() error {
	errs := []error{s.clean()}
	if s.child != nil {
		s.pipes[0].Close() // the end of its input is its end
		if s.broken != nil {
			s.kill()
		}
		select {
		case <-s.ended:
		case <-time.After(patience):
			s.kill()
			<-s.ended
		}
	}
	delete(s.links, CopyRing) // the same as Shm
	for _, l := range s.links {
		if err := l.close(); s.broken == nil {
			errs = append(errs, err)
		}
	}
	for _, c := range s.pipes {
		c.Close()
	}
	return errors.Join(errs...)
}

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 4 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	if n := len(t.text); n > most {
		t.text = t.text[n-most:]
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text))
}

package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/heap"
)

// patience is how long one process waits for the other one to begin and to end.
const patience = 10 * time.Second

// unixPath is the unix socket in the folder that both processes know.
const unixPath = "socket"

// Serve returns at once, unless Start has started this process: then it answers
// the first process until that ends, and ends this one.
func Serve() {
	text, ok := os.LookupEnv(environment)
	if !ok {
		return
	}
	signal.Ignore(os.Interrupt) // a terminal sends it to both; the first process decides
	defer heap.Ballast()()
	c := newControl(os.Stdin, os.Stdout)
	err := serveAll(c, func() (map[string]link, error) { return join(text) })
	if err == nil {
		os.Exit(0)
	}
	c.e.Encode(report{Error: err.Error()}) // if nobody reads it, nobody wants to know
	os.Exit(1)
}

// serveAll joins the links and does what it is ordered to, until there are no
// more orders.
func serveAll(c control, join func() (map[string]link, error)) (err error) {
	defer func() {
		if e := recover(); e != nil { // a library found a bad message
			err = fmt.Errorf("panic: %v", e)
		}
	}()
	links, err := join()
	if err != nil {
		return err
	}
	if err := c.e.Encode(report{}); err != nil {
		return err
	}
	servers := make(map[Name]server)
	for {
		var o order
		if err := c.d.Decode(&o); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("read an order: %w", err)
		}
		s := servers[o.Name]
		if s == nil {
			if err := o.Name.valid(); err != nil {
				return err
			}
			l := links[o.Name.Link]
			if l == nil {
				return fmt.Errorf("no link %q", o.Name.Link)
			}
			if s, err = l.server(o.Name); err != nil {
				return err
			}
			servers[o.Name] = s
		}
		runtime.GC() // the garbage of another case is not this one's
		if err := c.e.Encode(report{}); err != nil {
			return err
		}
		if err := serve(o.Name, s, o.Count); err != nil {
			return err
		}
	}
}

// join joins the links that the first process has made.
func join(text string) (map[string]link, error) {
	var in introduction
	if err := json.Unmarshal([]byte(text), &in); err != nil {
		return nil, fmt.Errorf("%s: %w", environment, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	links := make(map[string]link)
	for _, name := range in.Links {
		var err error
		switch name {
		case Shm:
			var c *shmChild
			c, err = attachShm(ctx, in.Folder)
			links[Shm], links[CopyRing] = c, c
		case Unix:
			links[name], err = dial(ctx, "unix", filepath.Join(in.Folder, unixPath))
		case TCP:
			links[name], err = dial(ctx, "tcp", in.Address)
		case Pipe:
			links[name] = inheritedPipes()
		default:
			err = errors.New("unknown")
		}
		if err != nil {
			return nil, fmt.Errorf("link %s: %w", name, err)
		}
	}
	return links, nil
}

func dial(ctx context.Context, network, address string) (link, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return connLink(c)
}

// connLink makes a link of a connection.
func connLink(c net.Conn) (link, error) {
	if t, ok := c.(*net.TCPConn); ok {
		if err := t.SetNoDelay(true); err != nil {
			c.Close()
			return nil, err
		}
	}
	return &byteLink{r: c, w: c, c: []io.Closer{c}}, nil
}

// inheritedPipes are the first files after standard error.
func inheritedPipes() link {
	r, w := os.NewFile(3, "messages"), os.NewFile(4, "answers")
	return &byteLink{r: r, w: w, c: []io.Closer{r, w}}
}

package exchange

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// second runs what the second process runs, and returns the first one's end.
func second(t *testing.T, join func() (map[string]link, error)) (c control, orders io.Closer, ended chan error) {
	t.Helper()
	ordersRead, ordersWrite := io.Pipe()
	reportsRead, reportsWrite := io.Pipe()
	ended = make(chan error, 1)
	go func() {
		err := serveAll(newControl(ordersRead, reportsWrite), join)
		reportsWrite.Close()
		ordersRead.Close()
		ended <- err
	}()
	return newControl(reportsRead, ordersWrite), ordersWrite, ended
}

// end waits for what serveAll returns.
func end(t *testing.T, ended chan error) error {
	t.Helper()
	select {
	case err := <-ended:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("it goes on")
		return nil
	}
}

func TestTheSecondProcessDoesWhatItIsOrdered(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	c, orders, ended := second(t, func() (map[string]link, error) {
		return map[string]link{Unix: &byteLink{r: b, w: b}}, nil
	})
	if err := c.ready(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time with what was made the first time
		for _, name := range ofEachOp {
			from, err := newSource(name)
			if err != nil {
				t.Fatal(err)
			}
			to, err := (&byteLink{r: a, w: a}).client(name, from)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.e.Encode(order{name, 5}); err != nil {
				t.Fatal(err)
			}
			if err := c.ready(); err != nil {
				t.Fatal(err)
			}
			if _, err := drive(name, from, to, 5); err != nil {
				t.Errorf("%v: %v", name, err)
			}
		}
	}
	orders.Close()
	if err := end(t, ended); err != nil {
		t.Errorf("after the last order: %v", err)
	}
}

func TestTheSecondProcessSaysWhyItEnds(t *testing.T) {
	good := func() (map[string]link, error) { return map[string]link{Unix: &byteLink{}}, nil }
	for _, tt := range []struct {
		name  string
		join  func() (map[string]link, error)
		order any
		want  string
	}{
		{"no links", func() (map[string]link, error) { return nil, errors.New("nobody there") }, nil, "nobody there"},
		{"unknown link", good, order{Name{Op: RoundTrip, Data: Bytes, N: Word, Link: "pigeon"}, 1}, `"pigeon"`},
		{"unknown operation", good, order{Name{Op: "juggle", Data: Bytes, N: 64, Link: Unix}, 1}, `"juggle"`},
		{"unknown library", good, order{Name{Op: Stream, Data: suite.PrimitiveArray, N: 8, Link: Unix, Lib: "xml"}, 1}, `"xml"`},
		{"no order", good, 7, "order"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, orders, ended := second(t, tt.join)
			defer orders.Close()
			if tt.order != nil {
				if err := c.ready(); err != nil {
					t.Fatal(err)
				}
				if err := c.e.Encode(tt.order); err != nil {
					t.Fatal(err)
				}
			}
			if err := end(t, ended); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want something on %s", err, tt.want)
			}
		})
	}
}

func TestABadMessageEndsTheSecondProcess(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	c, orders, ended := second(t, func() (map[string]link, error) {
		return map[string]link{Unix: &byteLink{r: b, w: b}}, nil
	})
	defer orders.Close()
	name := ofEachOp[1] // of a library that panics
	if err := errors.Join(c.ready(), c.e.Encode(order{name, 1}), c.ready()); err != nil {
		t.Fatal(err)
	}
	w := frameWriter{w: a}
	if err := w.write([]byte("no message of any library")); err != nil {
		t.Fatal(err)
	}
	if err := end(t, ended); err == nil || !strings.Contains(err.Error(), "panic") {
		t.Errorf("got %v, want the panic", err)
	}
}

func TestOrdersAndReportsAreJSON(t *testing.T) {
	for _, name := range All() {
		text, err := json.Marshal(order{name, 12})
		if err != nil {
			t.Fatal(err)
		}
		var o order
		if err := json.Unmarshal(text, &o); err != nil || o.Name != name || o.Count != 12 {
			t.Errorf("%v comes back as %v: %v", name, o, err)
		}
	}
}

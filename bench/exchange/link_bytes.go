package exchange

import (
	"errors"
	"io"
)

// byteLink is an end of a link that carries bytes both ways.
type byteLink struct {
	r io.Reader
	w io.Writer
	c []io.Closer
}

func (l *byteLink) close() error {
	var errs []error
	for _, c := range l.c {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

func (l *byteLink) client(name Name, from source) (client, error) {
	c := byteClient{r: l.r, w: l.w, frames: frameWriter{w: l.w}}
	switch v := from.(type) {
	case *wordsSource:
		c.transmit = func(c *byteClient) error {
			v.v.put(c.out[:])
			_, err := c.w.Write(c.out[:])
			return err
		}
	case *bytesSource:
		c.transmit = func(c *byteClient) error { return c.frames.write(v.v) }
	case *arraysSource:
		f, err := newForm(name)
		if err != nil {
			return nil, err
		}
		c.transmit = func(c *byteClient) error {
			msg, err := f.write(v.v)
			if err != nil {
				return err
			}
			return c.frames.write(msg)
		}
	}
	return &c, nil
}

type byteClient struct {
	r        io.Reader
	w        io.Writer
	frames   frameWriter
	transmit func(*byteClient) error
	in, out  [Word]byte
}

func (c *byteClient) prepare() error { return nil }
func (c *byteClient) send() error    { return c.transmit(c) }

func (c *byteClient) receive() (answer, error) {
	if _, err := io.ReadFull(c.r, c.in[:]); err != nil {
		return answer{}, err
	}
	var w words
	w.get(c.in[:])
	return answerOf(&w), nil
}

func (l *byteLink) server(name Name) (server, error) {
	s := &byteServer{r: l.r, w: l.w, frames: frameReader{r: l.r}}
	switch {
	case name.Op == HandOver:
		first := firstByte(name.N)
		s.take = func(s *byteServer) (uint64, error) {
			msg, err := s.frames.next()
			if err != nil {
				return 0, err
			}
			return first(&msg), nil
		}
	case name.Data == Bytes:
		s.take = func(s *byteServer) (uint64, error) {
			if _, err := io.ReadFull(s.r, s.in[:]); err != nil {
				return 0, err
			}
			var w words
			w.get(s.in[:])
			return w.sum(), nil
		}
	default:
		f, err := newForm(name)
		if err != nil {
			return nil, err
		}
		s.take = func(s *byteServer) (uint64, error) {
			msg, err := s.frames.next()
			if err != nil {
				return 0, err
			}
			return f.sum(msg)
		}
	}
	return s, nil
}

type byteServer struct {
	r       io.Reader
	w       io.Writer
	frames  frameReader
	take    func(*byteServer) (uint64, error)
	in, out [Word]byte
}

func (s *byteServer) receive() (uint64, error) { return s.take(s) }

func (s *byteServer) answer(a answer) error {
	w := a.words()
	w.put(s.out[:])
	_, err := s.w.Write(s.out[:])
	return err
}

package shm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ashlar-go/ashlar/format"
)

// A readerEnd is a receiver and what keeps it up.
type readerEnd struct {
	*receiver
	conn  *net.UnixConn
	tasks sync.WaitGroup
}

// Attach looks for the writer at intervals that grow from the first to the last.
const (
	firstLook = time.Millisecond
	lastLook  = 20 * time.Millisecond
)

func attach(ctx context.Context, path string, j judge) (*readerEnd, error) {
	path = socketPath(path)
	var dialer net.Dialer
	cause := errors.New("no answer yet") // of the last look that did not fail for ctx
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		r, err := knock(ctx, &dialer, path, j)
		if err == nil {
			return r, nil
		}
		switch {
		case ctx.Err() != nil, errors.Is(err, context.DeadlineExceeded): // the dialer's clock may be ahead
			<-ctx.Done()
			return nil, waited(ctx, path, cause)
		case errors.Is(err, errNobody), errors.Is(err, os.ErrNotExist), errors.Is(err, unix.EAGAIN):
		case errors.Is(err, unix.ECONNREFUSED): // nobody listens, or a file that is not a socket
			if fi, e := os.Stat(path); e == nil && fi.Mode().Type() != os.ModeSocket {
				return nil, fmt.Errorf("%w: %s is not a socket", ErrForeign, path)
			}
		default:
			return nil, err
		}
		cause = err
		select {
		case <-ctx.Done():
			return nil, waited(ctx, path, cause)
		case <-time.After(pause):
		}
	}
}

// waited is the error of a reader that has waited in vain. What it saw last does not tell a writer that
// has not come from one that has gone, or has its reader.
func waited(ctx context.Context, path string, cause error) error {
	return fmt.Errorf("shm: attach to %s: %w: no writer is there that has no reader yet (%w)", path, context.Cause(ctx), cause)
}

// knock tries to attach once.
func knock(ctx context.Context, dialer *net.Dialer, path string, j judge) (*readerEnd, error) {
	c, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, fmt.Errorf("shm: attach: %w", err)
	}
	r, err := meet(ctx, c.(*net.UnixConn), j)
	if err != nil {
		return nil, err
	}
	r.tasks.Go(func() { r.peer.watch(r.conn, &r.bell) })
	return r, nil
}

// meet is the reader's part of the handshake. It closes c unless it succeeds.
func meet(ctx context.Context, c *net.UnixConn, j judge) (_ *readerEnd, err error) {
	seg := &segment{}
	var files []*os.File
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer func() {
		hangUp(files...)
		if !stop() && err == nil {
			err = ctx.Err()
		}
		if err != nil {
			hangUp(c)
			_ = seg.unmap()
		}
	}()
	if err := sameUser(c); err != nil {
		return nil, err
	}
	if err := c.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return nil, err
	}
	b, files, err := readHello(c)
	if err != nil {
		return nil, err
	}
	o, err := parseHello(b)
	if err == nil {
		err = o.readDescription(c, j.most())
	}
	verdict := uint32(refused)
	if err == nil {
		verdict, err = seg.accept(o, files, j)
	}
	if err != nil {
		_ = answer(c, verdict, j.own.Fingerprint())
		return nil, err
	}
	// This is a channel: from here on only ctx ends the patience, since its writer may be stopped.
	if err := c.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	if err := answer(c, accepted, j.own.Fingerprint()); err != nil {
		return nil, errNobody
	}
	if err := readWelcome(c); err != nil {
		return nil, err
	}
	return &readerEnd{receiver: newReceiver(seg, new(peer)), conn: c}, nil
}

// accept checks what the writer offers and maps it, or returns the verdict on it.
func (s *segment) accept(o *offered, files []*os.File, j judge) (verdict uint32, err error) {
	if len(files) != 2 {
		return refused, fmt.Errorf("%w: %d descriptors, want 2", ErrForeign, len(files))
	}
	switch err := j.judge(o.fingerprint, o.description); {
	case errors.Is(err, format.ErrSchema):
		return otherSchema, err
	case err != nil:
		return refused, err
	}
	g := o.geometry
	s.geometry = g
	if err := checkMemory(files[0], g.payload(), payloadSeals); err != nil {
		return refused, err
	}
	if err := checkMemory(files[1], g.record(), recordSeals); err != nil {
		return refused, err
	}
	if s.payload, err = mapMemory(files[0], g.payload(), unix.PROT_READ); err != nil {
		return refused, err
	}
	if err := populate(s.payload); err != nil {
		return refused, err
	}
	if s.record, err = mapMemory(files[1], g.record(), unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return refused, err
	}
	return accepted, nil
}

func (r *readerEnd) close() error {
	err := r.shut(r.bell.ring, func() error {
		if r.holds > 0 {
			return fmt.Errorf("%w: %d messages are held", ErrHeld, r.holds)
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.receiver.close()
	hangUp(r.conn)
	bounded(r.tasks.Wait)
	r.bell.silence()
	return r.seg.unmap()
}

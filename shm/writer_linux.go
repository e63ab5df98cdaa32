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

// A writerEnd is a sender and what keeps it up.
type writerEnd struct {
	*sender
	current  uint64 // the loan that is out, 0 for none
	slot     uint32 // of that loan
	loans    uint64
	files    [2]*os.File // payload and record
	door     *door
	hello    []byte // with the description behind it
	attached chan struct{}
	tasks    sync.WaitGroup

	mu     sync.Mutex
	guests map[*net.UnixConn]bool // that the handshake is going on with
	reader *net.UnixConn          // the one that stays, or nil
	closed bool
}

func create(path string, g geometry, schema *format.Schema) (_ *writerEnd, err error) {
	w := &writerEnd{hello: hello(g, schema.Fingerprint(), schema.Description()), attached: make(chan struct{}), guests: map[*net.UnixConn]bool{}}
	seg := &segment{geometry: g}
	defer func() {
		if err != nil {
			w.closeFiles()
			_ = seg.unmap()
		}
	}()
	if err := room(g.payload() + g.record()); err != nil {
		return nil, fmt.Errorf("shm: allocate %d bytes: %w", g.payload()+g.record(), err)
	}
	if w.files[0], err = newMemory("ashlar-payload", g.payload()); err != nil {
		return nil, err
	}
	if w.files[1], err = newMemory("ashlar-record", g.record()); err != nil {
		return nil, err
	}
	if seg.payload, err = mapMemory(w.files[0], g.payload(), unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return nil, err
	}
	if seg.record, err = mapMemory(w.files[1], g.record(), unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return nil, err
	}
	// From here on nobody can write to the payload but through the mapping just made.
	if err = seal(w.files[0], payloadSeals); err != nil {
		return nil, err
	}
	if err = seal(w.files[1], recordSeals); err != nil {
		return nil, err
	}
	if w.door, err = listen(socketPath(path)); err != nil {
		return nil, fmt.Errorf("shm: create %s: %w", path, err)
	}
	w.sender = newSender(seg, new(peer))
	w.tasks.Go(w.serve)
	return w, nil
}

func (w *writerEnd) closeFiles() {
	for _, f := range w.files {
		if f != nil {
			f.Close()
		}
	}
}

// mostGuests is with how many readers the handshake may go on at once: one that hangs does not keep a
// good one waiting, and many do not use up the descriptors.
const mostGuests = 16

// serve shakes hands with readers until one stays, takes the socket out of the file system, and watches
// that reader.
func (w *writerEnd) serve() {
	var greetings sync.WaitGroup
	places := make(chan struct{}, mostGuests)
	for {
		places <- struct{}{}
		c, err := w.door.AcceptUnix()
		if errors.Is(err, net.ErrClosed) {
			break
		}
		if err != nil { // no descriptor is free: one may be later
			<-places
			time.Sleep(lastLook)
			continue
		}
		greetings.Go(func() {
			w.greet(c)
			<-places
		})
	}
	w.tasks.Go(func() {
		greetings.Wait() // a descriptor that is being handed over must not be closed
		w.closeFiles()
	})
	w.mu.Lock()
	c := w.reader
	w.mu.Unlock()
	if c != nil {
		close(w.attached)
		w.peer.watch(c, &w.bell)
	}
}

// greet shakes hands with one reader. The first one that accepts is welcomed and stays; then, as at
// Close, all others are sent away.
func (w *writerEnd) greet(c *net.UnixConn) {
	w.mu.Lock()
	full := w.closed || w.reader != nil
	if !full {
		w.guests[c] = true
	}
	w.mu.Unlock()
	if full || w.offer(c) != nil {
		w.sendAway(c)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.guests, c)
	if w.closed || w.reader != nil || welcome(c) != nil || c.SetDeadline(time.Time{}) != nil {
		go c.Close()
		return
	}
	w.reader = c
	w.sendAllAway()
	w.door.shut()
}

// offer sends the hello and reads the verdict.
func (w *writerEnd) offer(c *net.UnixConn) error {
	if err := sameUser(c); err != nil {
		return err
	}
	if err := c.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return err
	}
	rights := unix.UnixRights(int(w.files[0].Fd()), int(w.files[1].Fd()))
	n, _, err := c.WriteMsgUnix(w.hello, rights, nil)
	if err != nil {
		return err
	}
	if _, err := c.Write(w.hello[n:]); err != nil { // more than the socket takes at once
		return err
	}
	return readVerdict(c)
}

func (w *writerEnd) sendAway(c *net.UnixConn) {
	w.mu.Lock()
	delete(w.guests, c)
	w.mu.Unlock()
	hangUp(c)
}

// sendAllAway is called with mu held.
func (w *writerEnd) sendAllAway() {
	for c := range w.guests {
		go c.Close() // and its greet ends
	}
}

func (w *writerEnd) loan(ctx context.Context) (id uint64, err error) {
	if err := w.enter(); err != nil {
		return 0, err
	}
	defer w.leave()
	if w.current != 0 {
		return 0, fmt.Errorf("%w: a loan is out", ErrHeld)
	}
	if w.slot, err = w.sender.loan(ctx); err != nil {
		return 0, err
	}
	w.loans++
	w.current = w.loans
	return w.current, nil
}

// announce commits a description in the slot of the loan that is out, and takes another slot for the loan,
// which ends if none comes.
func (w *writerEnd) announce(ctx context.Context, description []byte) (err error) {
	if err := w.enter(); err != nil {
		return err
	}
	defer w.leave()
	b := w.slots[w.slot]
	b.Reset()
	into, err := b.Extend(len(description))
	if err != nil {
		return err
	}
	copy(into, description)
	loan := w.current
	w.current = 0
	w.commit(w.slot)
	w.announced++
	if w.slot, err = w.sender.loan(ctx); err != nil {
		return err
	}
	w.current = loan
	return nil
}

// announceBeside commits a description in a slot of its own, while the loan that is out keeps its slot.
func (w *writerEnd) announceBeside(ctx context.Context, description []byte) error {
	if err := w.enter(); err != nil {
		return err
	}
	defer w.leave()
	slot, err := w.sender.loan(ctx)
	if err != nil {
		return err
	}
	into, err := w.slots[slot].Extend(len(description))
	if err != nil {
		return err
	}
	copy(into, description)
	w.commit(slot)
	w.announced++
	return nil
}

// lost says that messages were committed which nobody will read, unless the program knows.
func (w *writerEnd) lost() error {
	if w.told {
		return nil
	}
	w.mu.Lock()
	reader := w.reader
	w.mu.Unlock()
	var why error
	switch {
	case reader == nil:
		why = errors.New("no reader has attached")
	case w.theirs.closed.Load() != 0:
		why = ErrPeerClosed
	case w.peer.gone.Load():
		why = ErrPeerDied
	default:
		return nil
	}
	messages := w.tail - w.announced
	if n := min(w.tail-min(w.tail, w.theirs.tail.Load()), messages); n > 0 {
		return fmt.Errorf("%w: %d of %d were not released: %w", ErrLost, n, messages, why)
	}
	return nil
}

func (w *writerEnd) close() error {
	err := w.shut(w.bell.ring, func() error {
		if w.current != 0 {
			return fmt.Errorf("%w: a loan is out", ErrHeld)
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.sender.close()
	lost := w.lost()
	w.mu.Lock()
	w.closed = true
	w.sendAllAway()
	reader := w.reader
	w.mu.Unlock()
	if reader != nil {
		hangUp(reader)
	} else {
		w.door.shut()
	}
	bounded(w.tasks.Wait)
	w.bell.silence()
	return errors.Join(lost, w.seg.unmap())
}

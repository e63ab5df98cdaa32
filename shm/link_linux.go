package shm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ashlar-go/ashlar/format"
)

// The handshake: the writer sends a hello with the descriptors of the payload and the record, the
// reader answers with a verdict. All numbers are little-endian.
const (
	helloMagic   = 0x4D68734C // "Lshm"
	helloVersion = 1
	helloSize    = 48 // u32 magic, u16 version, u16 features, u64 slots, slot size, fingerprint, payload, record
	verdictSize  = 16 // u32 magic, u32 0 or 1 (the schema differs) or 2 (refused), u64 the reader's fingerprint

	handshakeTime = 5 * time.Second // for a peer that connects and then says nothing

	payloadSeals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_FUTURE_WRITE | unix.F_SEAL_SEAL
	recordSeals  = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL
	populateMost = 1 << 30
)

func hello(g geometry, fingerprint uint64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, helloMagic)
	b = binary.LittleEndian.AppendUint16(b, helloVersion)
	b = binary.LittleEndian.AppendUint16(b, 0)
	for _, v := range []uint64{g.slots, g.slotSize, fingerprint, g.payload(), g.record()} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}

// parseHello checks a hello and returns the geometry and the writer's fingerprint.
func parseHello(b []byte) (g geometry, fingerprint uint64, err error) {
	if len(b) < 6 || binary.LittleEndian.Uint32(b) != helloMagic {
		return g, 0, fmt.Errorf("%w: the first bytes are % x", ErrForeign, b[:min(len(b), 8)])
	}
	if v := binary.LittleEndian.Uint16(b[4:]); v != helloVersion {
		return g, 0, fmt.Errorf("%w: the writer's is %d, this is %d", ErrVersion, v, helloVersion)
	}
	if len(b) != helloSize {
		return g, 0, fmt.Errorf("%w: a hello of %d bytes, want %d", ErrForeign, len(b), helloSize)
	}
	if f := binary.LittleEndian.Uint16(b[6:]); f != 0 {
		return g, 0, fmt.Errorf("%w: unknown features %#x", ErrVersion, f)
	}
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8+8*i:]) }
	g = geometry{word(0), word(1)}
	if err := g.check(); err != nil {
		return g, 0, err
	}
	if word(3) != g.payload() || word(4) != g.record() {
		return g, 0, fmt.Errorf("%w: %d and %d bytes of memory, want %d and %d", ErrGeometry, word(3), word(4), g.payload(), g.record())
	}
	return g, word(2), nil
}

// newMemory makes sealable memory of a size, allocated in full.
func newMemory(name string, size uint64) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, os.NewSyscallError("memfd_create", err)
	}
	f := os.NewFile(uintptr(fd), name)
	for {
		err = unix.Fallocate(fd, 0, 0, int64(size))
		if err != unix.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("shm: allocate %d bytes: %w", size, os.NewSyscallError("fallocate", err))
	}
	return f, nil
}

func seal(f *os.File, seals int) error {
	_, err := unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, seals)
	return os.NewSyscallError("fcntl", err)
}

func mapMemory(f *os.File, size uint64, prot int) ([]byte, error) {
	flags := unix.MAP_SHARED
	if size <= populateMost {
		flags |= unix.MAP_POPULATE
	}
	m, err := unix.Mmap(int(f.Fd()), 0, int(size), prot, flags)
	return m, os.NewSyscallError("mmap", err)
}

// unmap ends the mappings of a segment.
func (s *segment) unmap() error {
	var errs []error
	for _, m := range []*[]byte{&s.payload, &s.record} {
		if *m != nil {
			errs = append(errs, os.NewSyscallError("munmap", unix.Munmap(*m)))
			*m = nil
		}
	}
	return errors.Join(errs...)
}

// sameUser checks that the process at the other end runs under this user id.
func sameUser(c *net.UnixConn) error {
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	var cred *unix.Ucred
	if e := raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); e != nil {
		return e
	}
	if err != nil {
		return os.NewSyscallError("getsockopt", err)
	}
	if uid := os.Geteuid(); int(cred.Uid) != uid {
		return fmt.Errorf("%w: user id %d, this is %d", ErrPeerUser, cred.Uid, uid)
	}
	return nil
}

// watch waits until the kernel says that the peer's end of the socket is gone, and rings.
func (p *peer) watch(c *net.UnixConn, b *bell) {
	var one [16]byte
	for {
		if _, err := c.Read(one[:]); err != nil {
			break
		}
	}
	p.gone.Store(true)
	b.ring()
}

// A writerEnd is a sender and what keeps it up.
type writerEnd struct {
	*sender
	current  uint64 // the loan that is out, 0 for none
	loans    uint64
	files    [2]*os.File // payload and record
	listener *net.UnixListener
	path     string
	attached chan struct{}
	tasks    sync.WaitGroup

	mu     sync.Mutex
	conn   *net.UnixConn
	closed bool
}

func create(path string, g geometry, fingerprint uint64) (_ *writerEnd, err error) {
	w := &writerEnd{path: path, attached: make(chan struct{})}
	seg := &segment{geometry: g}
	defer func() {
		if err != nil {
			seg.unmap()
			for _, f := range w.files {
				if f != nil {
					f.Close()
				}
			}
		}
	}()
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
	if w.listener, err = listen(path); err != nil {
		return nil, err
	}
	w.sender = newSender(seg, new(peer))
	w.tasks.Add(1)
	go func() {
		defer w.tasks.Done()
		w.accept(hello(g, fingerprint), fingerprint)
	}()
	return w, nil
}

// listen makes the socket, in place of one that a writer left when it died. The directory is locked
// meanwhile, so that of two writers one gets the path.
func listen(path string) (*net.UnixListener, error) {
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	if err := unix.Flock(int(dir.Fd()), unix.LOCK_EX); err != nil {
		return nil, &os.PathError{Op: "lock", Path: dir.Name(), Err: err}
	}
	switch fi, err := os.Lstat(path); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, err
	case fi.Mode().Type() != os.ModeSocket:
		return nil, fmt.Errorf("%w: %s is not a socket", ErrInUse, path)
	default:
		c, err := net.DialTimeout("unix", path, handshakeTime)
		if err == nil {
			c.Close()
			return nil, fmt.Errorf("%w: a process listens at %s", ErrInUse, path)
		}
		if !errors.Is(err, unix.ECONNREFUSED) {
			return nil, err
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	config := net.ListenConfig{Control: func(_, _ string, raw syscall.RawConn) error {
		var err error
		if e := raw.Control(func(fd uintptr) { err = unix.Fchmod(int(fd), 0o600) }); e != nil {
			return e
		}
		return err
	}}
	l, err := config.Listen(context.Background(), "unix", path)
	if err != nil {
		return nil, err
	}
	u := l.(*net.UnixListener)
	u.SetUnlinkOnClose(true)
	return u, nil
}

// accept shakes hands with readers until one stays, then takes the socket out of the file system and
// watches that reader.
func (w *writerEnd) accept(hello []byte, fingerprint uint64) {
	for {
		c, err := w.listener.AcceptUnix()
		if err != nil {
			return // closed
		}
		w.mu.Lock()
		if w.closed {
			w.mu.Unlock()
			c.Close()
			return
		}
		w.conn = c
		w.mu.Unlock()
		if w.greet(c, hello, fingerprint) != nil {
			w.mu.Lock()
			w.conn = nil
			w.mu.Unlock()
			c.Close()
			continue
		}
		w.listener.Close() // and unlink
		for _, f := range w.files {
			f.Close()
		}
		close(w.attached)
		w.peer.watch(c, &w.bell)
		return
	}
}

// greet sends the hello and reads the verdict.
func (w *writerEnd) greet(c *net.UnixConn, hello []byte, fingerprint uint64) error {
	if err := sameUser(c); err != nil {
		return err
	}
	if err := c.SetDeadline(time.Now().Add(handshakeTime)); err != nil {
		return err
	}
	rights := unix.UnixRights(int(w.files[0].Fd()), int(w.files[1].Fd()))
	if _, _, err := c.WriteMsgUnix(hello, rights, nil); err != nil {
		return err
	}
	var verdict [verdictSize]byte
	if _, err := io.ReadFull(c, verdict[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(verdict[:]) != helloMagic || binary.LittleEndian.Uint32(verdict[4:]) != 0 {
		return errors.New("refused")
	}
	return c.SetDeadline(time.Time{})
}

func (w *writerEnd) loan(ctx context.Context) (slot uint32, id uint64, err error) {
	if w.current != 0 {
		return 0, 0, fmt.Errorf("%w: a loan is out", ErrHeld)
	}
	if slot, err = w.sender.loan(ctx); err != nil {
		return 0, 0, err
	}
	w.loans++
	w.current = w.loans
	return slot, w.current, nil
}

func (w *writerEnd) close() error {
	if w.err == ErrClosed {
		return ErrClosed
	}
	if w.current != 0 {
		return fmt.Errorf("%w: a loan is out", ErrHeld)
	}
	w.sender.close()
	w.err = ErrClosed
	w.mu.Lock()
	w.closed = true
	conn := w.conn
	w.mu.Unlock()
	w.listener.Close()
	if conn != nil {
		conn.Close()
	}
	w.tasks.Wait()
	w.bell.silence()
	for _, f := range w.files {
		f.Close()
	}
	return w.seg.unmap()
}

// A readerEnd is a receiver and what keeps it up.
type readerEnd struct {
	*receiver
	conn  *net.UnixConn
	tasks sync.WaitGroup
}

// Attach looks for the writer at intervals that grow from the first to the second.
const (
	firstLook = time.Millisecond
	lastLook  = 20 * time.Millisecond
)

func attach(ctx context.Context, path string, fingerprint uint64) (*readerEnd, error) {
	var dialer net.Dialer
	for pause := firstLook; ; pause = min(2*pause, lastLook) {
		c, err := dialer.DialContext(ctx, "unix", path)
		if err == nil {
			r, err := meet(ctx, c.(*net.UnixConn), fingerprint)
			if err == nil || !errors.Is(err, errNobody) {
				return r, err
			}
		} else if !errors.Is(err, os.ErrNotExist) && !errors.Is(err, unix.ECONNREFUSED) {
			return nil, fmt.Errorf("shm: attach: %w", err)
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("shm: attach: nobody listens at %s: %w", path, ctx.Err())
		case <-time.After(pause):
		}
	}
}

// errNobody: the writer went away, or already has a reader.
var errNobody = errors.New("shm: no writer")

// meet is the reader's part of the handshake. It closes c unless it succeeds.
func meet(ctx context.Context, c *net.UnixConn, fingerprint uint64) (_ *readerEnd, err error) {
	seg := &segment{}
	var files []*os.File
	defer func() {
		for _, f := range files {
			f.Close()
		}
		if err != nil {
			seg.unmap()
			c.Close()
		}
	}()
	if err := sameUser(c); err != nil {
		return nil, err
	}
	deadline := time.Now().Add(handshakeTime)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	if err := c.SetDeadline(deadline); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	b, files, err := readHello(c)
	if err != nil {
		if cause := ctx.Err(); cause != nil {
			err = cause
		}
		return nil, err
	}
	g, theirs, err := parseHello(b)
	if err != nil {
		refuse(c, 2, fingerprint)
		return nil, err
	}
	if theirs != fingerprint {
		refuse(c, 1, fingerprint)
		return nil, fmt.Errorf("shm: attach: %w: the writer's fingerprint is %016x, this type's is %016x", format.ErrSchema, theirs, fingerprint)
	}
	seg.geometry = g
	if len(files) != 2 {
		refuse(c, 2, fingerprint)
		return nil, fmt.Errorf("%w: %d descriptors, want 2", ErrForeign, len(files))
	}
	for i, want := range []struct {
		size  uint64
		seals int
	}{{g.payload(), payloadSeals}, {g.record(), recordSeals}} {
		if err := checkMemory(files[i], want.size, want.seals); err != nil {
			refuse(c, 2, fingerprint)
			return nil, err
		}
	}
	if seg.payload, err = mapMemory(files[0], g.payload(), unix.PROT_READ); err != nil {
		return nil, err
	}
	if seg.record, err = mapMemory(files[1], g.record(), unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return nil, err
	}
	if err := answer(c, 0, fingerprint); err != nil {
		return nil, errNobody
	}
	if !stop() {
		return nil, ctx.Err()
	}
	if err := c.SetDeadline(time.Time{}); err != nil {
		return nil, err
	}
	r := &readerEnd{receiver: newReceiver(seg, new(peer)), conn: c}
	r.tasks.Add(1)
	go func() {
		defer r.tasks.Done()
		r.peer.watch(c, &r.bell)
	}()
	return r, nil
}

// readHello reads the hello and the descriptors that come with it.
func readHello(c *net.UnixConn) (b []byte, files []*os.File, err error) {
	b = make([]byte, helloSize)
	control := make([]byte, unix.CmsgSpace(8*4)) // more than the two that are expected
	n, cn, _, _, err := c.ReadMsgUnix(b, control)
	if cn > 0 {
		messages, e := unix.ParseSocketControlMessage(control[:cn])
		if e != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrForeign, e)
		}
		for i := range messages {
			fds, e := unix.ParseUnixRights(&messages[i])
			if e != nil {
				continue
			}
			for _, fd := range fds {
				files = append(files, os.NewFile(uintptr(fd), "ashlar"))
			}
		}
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, files, fmt.Errorf("%w: it says nothing", ErrForeign)
	case err != nil || n == 0:
		return nil, files, errNobody
	}
	return b[:n], files, nil
}

// checkMemory checks that f is memory of a size that nobody can change any more.
func checkMemory(f *os.File, size uint64, seals int) error {
	have, err := unix.FcntlInt(f.Fd(), unix.F_GET_SEALS, 0)
	if err != nil {
		return fmt.Errorf("%w: not sealable memory: %w", ErrSeals, os.NewSyscallError("fcntl", err))
	}
	if have&seals != seals {
		return fmt.Errorf("%w: %#x, want %#x", ErrSeals, have, seals)
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return os.NewSyscallError("fstat", err)
	}
	if st.Size < 0 || uint64(st.Size) != size {
		return fmt.Errorf("%w: memory of %d bytes, want %d", ErrGeometry, st.Size, size)
	}
	return nil
}

func answer(c *net.UnixConn, verdict uint32, fingerprint uint64) error {
	b := binary.LittleEndian.AppendUint32(nil, helloMagic)
	b = binary.LittleEndian.AppendUint32(b, verdict)
	b = binary.LittleEndian.AppendUint64(b, fingerprint)
	_, err := c.Write(b)
	return err
}

// refuse answers with a verdict that is not 0; if that fails the writer sees the end of the connection.
func refuse(c *net.UnixConn, verdict uint32, fingerprint uint64) { _ = answer(c, verdict, fingerprint) }

func (r *readerEnd) holding(slot uint32, number uint64) bool {
	return r.err != ErrClosed && r.held[slot] == number
}

func (r *readerEnd) release(slot uint32, number uint64) error {
	if r.err == ErrClosed {
		return ErrClosed
	}
	return r.receiver.release(slot, number)
}

func (r *readerEnd) close() error {
	if r.err == ErrClosed {
		return ErrClosed
	}
	if r.holds > 0 {
		return fmt.Errorf("%w: %d messages are held", ErrHeld, r.holds)
	}
	r.receiver.close()
	r.err = ErrClosed
	r.conn.Close()
	r.tasks.Wait()
	r.bell.silence()
	return r.seg.unmap()
}

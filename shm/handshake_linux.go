package shm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ashlar-go/ashlar/format"
)

// The handshake (SPEC.md §3): the writer's hello with the descriptors of the payload and the record, and the
// description of its type; the reader's verdict; the writer's welcome. All numbers are little-endian.
const (
	helloMagic   = 0x4D68734C // "Lshm"
	helloVersion = 1
	helloSize    = 56 // u32 magic, u16 version, u16 features, u64 slots, slot size, fingerprint, payload, record, description
	verdictSize  = 16 // u32 magic, u32 verdict, u64 the reader's fingerprint
	welcomeSize  = 8  // u32 magic, u32 0

	accepted    = 0
	otherSchema = 1
	refused     = 2
)

// handshakeTime is how long a peer that has connected may say nothing.
var handshakeTime = 5 * time.Second

// errNobody: the writer went away, or has another reader, or says nothing yet.
var (
	errNobody = errors.New("the writer hung up")
	errSilent = errors.New("who listens says nothing")

	errDescriptors = errors.New("descriptors where there are none")
)

// hello is a hello and the description behind it.
func hello(g geometry, fingerprint uint64, description []byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, helloMagic)
	b = binary.LittleEndian.AppendUint16(b, helloVersion)
	b = binary.LittleEndian.AppendUint16(b, 0)
	for _, v := range []uint64{g.slots, g.slotSize, fingerprint, g.payload(), g.record(), uint64(len(description))} {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return append(b, description...)
}

// checkHello checks as much of a hello as has come.
func checkHello(b []byte) error {
	var magic [4]byte
	binary.LittleEndian.PutUint32(magic[:], helloMagic)
	if n := min(len(b), 4); string(b[:n]) != string(magic[:n]) {
		return fmt.Errorf("%w: the first bytes are % x", ErrForeign, b[:min(len(b), 8)])
	}
	if len(b) >= 6 {
		if v := binary.LittleEndian.Uint16(b[4:]); v != helloVersion {
			return fmt.Errorf("%w: the writer's is %d, this is %d", ErrVersion, v, helloVersion)
		}
	}
	if len(b) >= 8 {
		if f := binary.LittleEndian.Uint16(b[6:]); f != 0 {
			return fmt.Errorf("%w: unknown features %#x", ErrVersion, f)
		}
	}
	return nil
}

// An offered is what a writer says that it has.
type offered struct {
	geometry
	fingerprint uint64
	size        uint64 // of the description, in bytes
	description []byte
}

// parseHello returns what a whole hello that has been checked says.
func parseHello(b []byte) (*offered, error) {
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[8+8*i:]) }
	o := &offered{geometry: geometry{word(0), word(1)}, fingerprint: word(2), size: word(5)}
	if err := o.check(); err != nil {
		return nil, err
	}
	if word(3) != o.payload() || word(4) != o.record() {
		return nil, fmt.Errorf("%w: %d and %d bytes of memory, want %d and %d", ErrGeometry, word(3), word(4), o.payload(), o.record())
	}
	return o, nil
}

// readDescription reads the description, which may have most bytes.
func (o *offered) readDescription(c *net.UnixConn, most uint64) error {
	if o.size > most {
		return fmt.Errorf("shm: attach: %w: a description of %d bytes, at most %d", format.ErrLimit, o.size, most)
	}
	o.description = make([]byte, o.size)
	n, err := recvFull(c, o.description)
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, errDescriptors) {
		return fmt.Errorf("%w: a description cut short after %d bytes of %d: %w", ErrForeign, n, o.size, err)
	}
	if err != nil {
		return errNobody
	}
	return nil
}

// readHello reads a hello and the two descriptors that come with it. The descriptors are the caller's to
// close, with an error too.
func readHello(c *net.UnixConn) (b []byte, files []*os.File, err error) {
	var into [helloSize]byte
	for len(b) < helloSize {
		n, more, flags, err := recvSome(c, into[len(b):])
		files = append(files, more...)
		b = into[:len(b)+n]
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded) && len(b) == 0:
			return nil, files, fmt.Errorf("%w: %w", errNobody, errSilent)
		case err != nil && len(b) > 0:
			return nil, files, fmt.Errorf("%w: a hello cut short after %d bytes of %d", ErrForeign, len(b), helloSize)
		case err != nil || n == 0:
			return nil, files, errNobody
		case len(files) > 2:
			return nil, files, fmt.Errorf("%w: more than 2 descriptors", ErrForeign)
		case flags&unix.MSG_CTRUNC != 0:
			return nil, files, fmt.Errorf("%w: descriptors were lost: too many came, or this process can open no more", ErrForeign)
		}
		if err := checkHello(b); err != nil {
			return nil, files, err
		}
	}
	return b, files, nil
}

// recvSome reads what has come, descriptors with it: those that are not asked for the kernel would close at
// once, and its caller would wait for as long as the sender has seen to (SO_LINGER).
func recvSome(c *net.UnixConn, b []byte) (n int, files []*os.File, flags int, err error) {
	control := make([]byte, unix.CmsgSpace(mostDescriptors*4))
	n, cn, flags, _, err := c.ReadMsgUnix(b, control)
	return max(n, 0), descriptors(control[:cn]), flags, err
}

// mostDescriptors is how many the kernel lets come at once (SCM_MAX_FD).
const mostDescriptors = 253

// recvFull fills b, and returns how much of it. Descriptors have no place there.
func recvFull(c *net.UnixConn, b []byte) (n int, err error) {
	for n < len(b) {
		more, files, _, err := recvSome(c, b[n:])
		hangUp(files...)
		switch {
		case err != nil:
			return n, err
		case more == 0:
			return n, io.ErrUnexpectedEOF
		case len(files) > 0:
			return n, errDescriptors
		}
		n += more
	}
	return n, nil
}

// hangUp closes what a peer has to do with. How long that takes may be in the hands of the peer, so it is
// not waited for without end.
func hangUp[C io.Closer](all ...C) {
	if len(all) > 0 {
		bounded(func() {
			for _, c := range all {
				c.Close()
			}
		})
	}
}

// bounded waits until f has ended, or for a while, and reports whether f has.
func bounded(f func()) bool {
	done := make(chan struct{})
	go func() {
		f()
		close(done)
	}()
	select {
	case <-done:
		return true
	case <-time.After(patience):
		return false
	}
}

// patience is how long the kernel may take for what takes it no time with an honest peer.
const patience = time.Second

// descriptors are those in a control message.
func descriptors(control []byte) (files []*os.File) {
	messages, _ := unix.ParseSocketControlMessage(control)
	for i := range messages {
		fds, _ := unix.ParseUnixRights(&messages[i])
		for _, fd := range fds {
			files = append(files, os.NewFile(uintptr(fd), "ashlar"))
		}
	}
	return files
}

// answer sends the reader's verdict. When it is not accepted and cannot be sent, the writer sees the end of
// the connection, which means the same.
func answer(c *net.UnixConn, verdict uint32, fingerprint uint64) error {
	b := binary.LittleEndian.AppendUint32(nil, helloMagic)
	b = binary.LittleEndian.AppendUint32(b, verdict)
	b = binary.LittleEndian.AppendUint64(b, fingerprint)
	_, err := c.Write(b)
	return err
}

// readVerdict returns nil if the reader accepts.
func readVerdict(c *net.UnixConn) error {
	var b [verdictSize]byte
	if _, err := recvFull(c, b[:]); err != nil {
		return err
	}
	if binary.LittleEndian.Uint32(b[:]) != helloMagic || binary.LittleEndian.Uint32(b[4:]) != accepted {
		return errors.New("refused")
	}
	return nil
}

func welcome(c *net.UnixConn) error {
	b := binary.LittleEndian.AppendUint32(nil, helloMagic)
	b = binary.LittleEndian.AppendUint32(b, 0)
	_, err := c.Write(b)
	return err
}

func readWelcome(c *net.UnixConn) error {
	var b [welcomeSize]byte
	if _, err := recvFull(c, b[:]); err != nil {
		return errNobody
	}
	if binary.LittleEndian.Uint32(b[:]) != helloMagic || binary.LittleEndian.Uint32(b[4:]) != 0 {
		return fmt.Errorf("%w: welcomed with % x", ErrForeign, b)
	}
	return nil
}

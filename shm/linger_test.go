//go:build linux

package shm

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ashlar-go/ashlar/buffer"
)

// lingering is a descriptor whose last close takes a minute: a TCP socket with data that nobody reads.
func lingering(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	wantNil(t, "Listen", err)
	c, err := net.Dial("tcp", l.Addr().String())
	wantNil(t, "Dial", err)
	unread, err := l.Accept()
	wantNil(t, "Accept", err)
	f, err := c.(*net.TCPConn).File()
	wantNil(t, "File", err)
	c.Close()
	fd := int(f.Fd())
	wantNil(t, "SetNonblock", unix.SetNonblock(fd, true))
	for b := make([]byte, 1<<20); ; {
		if _, err := unix.Write(fd, b); err != nil {
			break
		}
	}
	wantNil(t, "SetNonblock", unix.SetNonblock(fd, false))
	linger := unix.Linger{Onoff: 1, Linger: 60}
	wantNil(t, "SetsockoptLinger", unix.SetsockoptLinger(fd, unix.SOL_SOCKET, unix.SO_LINGER, &linger))
	own, err := unix.Dup(fd)
	wantNil(t, "Dup", err)
	f.Close()
	t.Cleanup(func() { // a reset ends the wait
		_ = unread.(*net.TCPConn).SetLinger(0)
		unread.Close()
		l.Close()
	})
	return own
}

// give sends a descriptor and keeps none.
func give(t *testing.T, c net.Conn, b []byte) {
	t.Helper()
	fd := lingering(t)
	_, _, err := c.(*net.UnixConn).WriteMsgUnix(b, unix.UnixRights(fd), nil)
	wantNil(t, "WriteMsgUnix", err)
	go unix.Close(fd) // maybe the last one
}

// What a peer sends, and how long it takes to close that, is no matter of this side.
func TestDescriptorsThatLinger(t *testing.T) {
	t.Run("from a writer", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "c")
		l, err := net.Listen("unix", path)
		wantNil(t, "Listen", err)
		defer l.Close()
		go func() {
			if c, err := l.Accept(); err == nil {
				give(t, c, []byte("Lshm"))
				c.Close()
			}
		}()
		within(t, 20*time.Second, "Attach", func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if _, err := Attach[sample](ctx, path); err == nil {
				t.Error("attached")
			}
		})
	})
	t.Run("from a visitor", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "c")
		w, err := Create[sample](path, Options{Slots: 1, SlotSize: 64})
		wantNil(t, "Create", err)
		c, err := net.Dial("unix", path)
		wantNil(t, "Dial", err)
		give(t, c, []byte("x"))
		c.Close()
		within(t, 20*time.Second, "the exchange", func() {
			ctx := context.Background()
			r, err := Attach[sample](ctx, path)
			wantNil(t, "Attach", err)
			<-w.Attached()
			give(t, r.end.conn, []byte("y"))
			wantNil(t, "Send", w.Send(ctx, &sample{}))
			m, err := r.Receive(ctx)
			wantNil(t, "Receive", err)
			wantNil(t, "Release", m.Release())
			wantNil(t, "Close", r.Close())
			for err == nil {
				err = w.Send(ctx, &sample{})
			}
			wantError(t, "Send", err, ErrPeerClosed)
			wantNil(t, "Close", w.Close())
		})
	})
}

// A folder that is none does not hold up Create.
func TestCreateInAFIFO(t *testing.T) {
	fifo := filepath.Join(t.TempDir(), "fifo")
	wantNil(t, "Mkfifo", unix.Mkfifo(fifo, 0o600))
	within(t, 10*time.Second, "Create", func() {
		if _, err := Create[sample](filepath.Join(fifo, "c"), Options{}); !errors.Is(err, unix.ENOTDIR) {
			t.Error(err)
		}
	})
}

// Blocks behind the end of the memory are not the memory that was promised.
func TestMemoryBehindTheEnd(t *testing.T) {
	g := geometry{1, 1 << 20}
	fd, err := unix.MemfdCreate("holes", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	wantNil(t, "MemfdCreate", err)
	f := os.NewFile(uintptr(fd), "holes")
	defer f.Close()
	size := int64(g.payload())
	wantNil(t, "Ftruncate", unix.Ftruncate(fd, size))
	wantNil(t, "Fallocate", unix.Fallocate(fd, unix.FALLOC_FL_KEEP_SIZE, size, size))
	var st unix.Stat_t
	wantNil(t, "Fstat", unix.Fstat(fd, &st))
	if st.Blocks*512 < size {
		t.Skip("this kernel does not count blocks behind the end")
	}
	m, err := mapMemory(f, g.payload(), unix.PROT_READ)
	wantNil(t, "mmap", err)
	defer buffer.Retire(m)
	wantNil(t, "populate", populate(m))
	wantNil(t, "Fstat", unix.Fstat(fd, &st))
	if have := st.Blocks * 512; have < 2*size {
		t.Errorf("%d bytes of memory are there, want %d", have, 2*size)
	}
}

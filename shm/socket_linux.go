package shm

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A door is the socket at which a writer is found. It is not the only thing that can stand at its path
// later: it is removed only as long as it is the one that was made.
type door struct {
	*net.UnixListener
	path string
	made os.FileInfo
}

// shut removes the socket from the file system and closes it. While it listens no other writer takes the
// path, so that between the look and the removal nothing happens.
func (d *door) shut() {
	if now, err := os.Lstat(d.path); err == nil && os.SameFile(now, d.made) {
		_ = os.Remove(d.path) // what stays is replaced by the next writer
	}
	d.Close()
}

// socketPath is path in a form that is never the name of an abstract socket.
func socketPath(path string) string {
	if path != "" && path[0] == '@' {
		return "./" + path
	}
	return path
}

// listen makes the socket, in place of one that a writer left when it died. The directory is locked
// meanwhile, so that of two writers one gets the path.
func listen(path string) (*door, error) {
	dir, err := lockDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	switch fi, err := os.Lstat(path); {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return nil, err
	case fi.Mode().Type() != os.ModeSocket:
		return nil, fmt.Errorf("%w: what is there is no socket", ErrInUse)
	default:
		c, err := net.DialTimeout("unix", path, handshakeTime)
		if err == nil {
			c.Close()
		}
		if err == nil || errors.Is(err, unix.EAGAIN) { // EAGAIN: so many wait already
			return nil, fmt.Errorf("%w: a process listens there", ErrInUse)
		}
		if !errors.Is(err, unix.ECONNREFUSED) {
			return nil, err
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	// The mode of a socket before it is bound becomes, but for the umask, that of its file.
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
	d := &door{UnixListener: l.(*net.UnixListener), path: path}
	d.SetUnlinkOnClose(false)
	if d.made, err = os.Lstat(path); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// lockDir opens and locks a directory. In one that others can read, such as /tmp, they can hold the lock
// too: it is not waited for without end.
func lockDir(name string) (*os.File, error) {
	dir, err := os.OpenFile(name, unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(handshakeTime); ; time.Sleep(time.Millisecond) {
		err := unix.Flock(int(dir.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return dir, nil
		}
		if err != unix.EWOULDBLOCK && err != unix.EINTR || time.Now().After(end) {
			dir.Close()
			return nil, &os.PathError{Op: "lock", Path: name, Err: err}
		}
	}
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

// watch waits until the kernel says that the peer's end of the socket is gone, and rings. It reads
// nothing, so that nothing that the peer may send keeps it.
func (p *peer) watch(c *net.UnixConn, b *bell) {
	const ends = unix.POLLRDHUP | unix.POLLHUP | unix.POLLERR | unix.POLLNVAL
	if raw, err := c.SyscallConn(); err == nil {
		_ = raw.Read(func(fd uintptr) bool { // an error: this side has closed
			look := []unix.PollFd{{Fd: int32(fd), Events: ends}}
			n, err := unix.Poll(look, 0)
			return err == nil && n > 0 && look[0].Revents&ends != 0
		})
	}
	p.gone.Store(true)
	b.ring()
}

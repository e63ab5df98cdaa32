//go:build linux

package shm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/format"
)

// knockRaw connects to a writer and takes the hello's descriptors.
func knockRaw(t testing.TB, path string) (*net.UnixConn, []*os.File) {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	c.SetDeadline(time.Now().Add(10 * time.Second))
	_, files, err := readHello(c.(*net.UnixConn))
	if err != nil || len(files) != 2 {
		t.Fatalf("%d descriptors, %v", len(files), err)
	}
	return c.(*net.UnixConn), files
}

func TestDoctoredWritersAreRefused(t *testing.T) {
	codec, err := format.For[sample]()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range offers {
		t.Run(o.name, func(t *testing.T) {
			leavesNothing(t)
			path := filepath.Join(t.TempDir(), "c")
			l := listener(t, path)
			served := make(chan bool)
			go func() { o.serve(t, l, codec); close(served) }()
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
			defer cancel()
			began := time.Now()
			_, err = Attach[sample](ctx, path)
			wantError(t, "Attach", err, o.want)
			if err != nil && !strings.Contains(err.Error(), o.message) {
				t.Errorf("the error is %q, want %q in it", err, o.message)
			}
			if d := time.Since(began); d > 3*time.Second {
				t.Errorf("it takes %v", d)
			}
			l.Close()
			<-served
		})
	}
}

// listener is a socket that a doctored writer listens at.
func listener(t testing.TB, path string) *net.UnixListener {
	t.Helper()
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestHelloInPieces(t *testing.T) {
	leavesNothing(t)
	codec, err := format.For[sample]()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "c")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan bool)
	go func() {
		defer close(served)
		offer{hold: true, send: func(c *net.UnixConn, b, rights []byte) {
			inPieces(1, 2, 3, 10, 20)(c, b, rights)
			if readVerdict(c) != nil || welcome(c) != nil {
				t.Error("the reader does not accept")
			}
		}}.serve(t, l, codec)
	}()
	r, err := Attach[sample](context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	wantNil(t, "Close", r.Close())
	l.Close()
	<-served
}

// What listens and says nothing, hangs up, or does not listen at all.
func TestForeignersAtThePath(t *testing.T) {
	leavesNothing(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "c")
	attach := func(d time.Duration) error {
		ctx, cancel := context.WithTimeout(context.Background(), d)
		defer cancel()
		_, err := Attach[sample](ctx, path)
		return err
	}
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantError(t, "Attach to a file", attach(10*time.Second), ErrForeign)
	_, err := Create[sample](path, Options{Slots: 1, SlotSize: 64})
	wantError(t, "Create at a file", err, ErrInUse)
	os.Remove(path)
	if err := os.Symlink(filepath.Join(dir, "nowhere"), path); err != nil {
		t.Fatal(err)
	}
	_, err = Create[sample](path, Options{Slots: 1, SlotSize: 64})
	wantError(t, "Create at a symbolic link", err, ErrInUse)
	os.Remove(path)

	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Create[sample](path, Options{Slots: 1, SlotSize: 64})
	wantError(t, "Create at another's socket", err, ErrInUse)
	err = attach(50 * time.Millisecond)
	wantError(t, "Attach to what says nothing", err, context.DeadlineExceeded)
	defer func(was time.Duration) { handshakeTime = was }(handshakeTime)
	handshakeTime = 100 * time.Millisecond
	wantError(t, "Attach to what says nothing for long", attach(500*time.Millisecond), errSilent)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	err = attach(200 * time.Millisecond)
	wantError(t, "Attach to what hangs up", err, context.DeadlineExceeded)
	if err == nil || !strings.Contains(err.Error(), "hung up") {
		t.Errorf("the error %v does not say that the writer hung up", err)
	}
	l.Close()
}

func TestAnotherTypeIsRefusedAndTheNextReaderServed(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[sample](path, Options{Slots: 2, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, err = Attach[[]int32](context.Background(), path)
		wantError(t, "Attach of another type", err, format.ErrSchema)
	}
	select {
	case <-w.Attached():
		t.Error("attached")
	default:
	}
	send(t, w, 1)
	serves(t, w, path, 1)
}

// serves checks that a good reader can attach, and ends the channel.
func serves(t *testing.T, w *Writer[sample], path string, number int64) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second) // less than a handshake may take
	defer cancel()
	r, err := Attach[sample](ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	wantNil(t, "Release", receive(t, r, number).Release())
	wantNil(t, "Close", w.Close())
	wantNil(t, "Close", r.Close())
}

func TestDoctoredReadersDoNotEndAWriter(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	w, err := Create[sample](path, Options{Slots: 2, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	send(t, w, 1)
	verdict := func(magic, verdict uint32) []byte {
		b := binary.LittleEndian.AppendUint32(nil, magic)
		b = binary.LittleEndian.AppendUint32(b, verdict)
		return append(b, make([]byte, 8)...)
	}
	var hanging []*net.UnixConn
	for i := range 3 {
		for _, answer := range [][]byte{nil, []byte("garbage garbage garbage"), verdict(helloMagic, 1), verdict(helloMagic, 77), verdict(1, 0), verdict(helloMagic, 0)[:15]} {
			c, files := knockRaw(t, path)
			for _, f := range files {
				f.Close()
			}
			c.Write(answer)
			switch {
			case i == 1: // dies with what it has been sent unread
				c.Close()
			case i == 2 && len(hanging) < mostGuests/2:
				hanging = append(hanging, c)
			default:
				c.Close()
			}
		}
	}
	for range 5 { // does not even take the hello
		c, err := net.Dial("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	serves(t, w, path, 1)
	for _, c := range hanging {
		c.Close()
	}
}

// A reader that accepts when another has been welcomed is not attached.
func TestOneReaderOfManyStays(t *testing.T) {
	leavesNothing(t)
	for range 6 {
		path := filepath.Join(t.TempDir(), "c")
		w, err := Create[sample](path, Options{Slots: 2, SlotSize: 256})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		readers := make(chan *Reader[sample])
		for range 5 {
			go func() {
				r, err := Attach[sample](ctx, path)
				if err != nil {
					wantError(t, "Attach", err, context.DeadlineExceeded)
				}
				readers <- r
			}()
		}
		n := 0
		for range 5 {
			if r := <-readers; r != nil {
				n++
				wantNil(t, "Close", r.Close())
			}
		}
		if n != 1 {
			t.Errorf("%d readers are attached", n)
		}
		cancel()
		wantNil(t, "Close", w.Close())
	}
}

func TestCloseDuringTheHandshake(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	for i := range 20 {
		w, err := Create[sample](path, Options{Slots: 1, SlotSize: 64})
		if err != nil {
			t.Fatal(err)
		}
		var conns []net.Conn
		for range i {
			c, err := net.Dial("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			conns = append(conns, c)
		}
		within(t, 4*time.Second, "Close while readers hang", func() { wantNil(t, "Close", w.Close()) })
		if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("the socket is still there: %v", err)
		}
		for _, c := range conns {
			c.Close()
		}
	}
	// A reader whose context ends at any moment.
	w, err := Create[sample](path, Options{Slots: 1, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*3*time.Microsecond)
		if r, err := Attach[[]string](ctx, path); err == nil {
			t.Error("attached with another type")
			r.Close()
		}
		cancel()
	}
	send(t, w, 1)
	serves(t, w, path, 1)
}

// The path of a writer that lives is not removed by one that has lost it.
func TestOnlyTheOwnSocketIsRemoved(t *testing.T) {
	leavesNothing(t)
	path := filepath.Join(t.TempDir(), "c")
	first, err := Create[sample](path, Options{Slots: 1, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Create[sample](path, Options{Slots: 1, SlotSize: 256})
	wantError(t, "Create at a path in use", err, ErrInUse)
	os.Remove(path)
	second, err := Create[sample](path, Options{Slots: 1, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	wantNil(t, "Close", first.Close())
	send(t, second, 1)
	serves(t, second, path, 1)

	t.Chdir(filepath.Dir(path))
	w, err := Create[sample]("@c", Options{Slots: 1, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat("@c"); err != nil {
		t.Error("the socket is an abstract one:", err)
	}
	send(t, w, 1)
	serves(t, w, "@c", 1)
}

func init() {
	// A process of another user, once as writer and once as a reader that connects all the same.
	children["foreign writer"] = func(args []string) {
		syscall.Umask(0)
		w, err := Create[sample](args[0], Options{Slots: 1, SlotSize: 256})
		must(err)
		must(os.Chmod(args[0], 0o666))
		say("ready")
		time.Sleep(20 * time.Second)
		w.Close()
	}
	children["foreign reader"] = func(args []string) {
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		defer cancel()
		if _, err := Attach[sample](ctx, args[0]); errors.Is(err, os.ErrPermission) {
			say("no permission")
		} else {
			say(fmt.Sprint(err))
		}
	}
	children["foreign caller"] = func(args []string) {
		c, err := net.Dial("unix", args[0])
		must(err)
		c.SetDeadline(time.Now().Add(5 * time.Second))
		_, files, err := readHello(c.(*net.UnixConn))
		say(fmt.Sprint(len(files), " ", err))
	}
}

func TestOtherUsersAreRefused(t *testing.T) {
	needChildren(t)
	if os.Geteuid() != 0 {
		t.Skip("needs root, to run a child as another user")
	}
	leavesNothing(t)
	other := &syscall.Credential{Uid: 65534, Gid: 65534}
	dir, err := os.MkdirTemp("", "ashlar")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "c")
	c := startAs(t, other, "foreign writer", path)
	c.want("ready")
	_, err = Attach[sample](context.Background(), path)
	wantError(t, "Attach to another user's writer", err, ErrPeerUser)
	c.kill()

	w, err := Create[sample](path, Options{Slots: 1, SlotSize: 256})
	if err != nil {
		t.Fatal(err)
	}
	c = startAs(t, other, "foreign reader", path)
	c.want("no permission")
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	c.kill()
	c = startAs(t, other, "foreign caller", path)
	c.want("0 " + errNobody.Error())
	c.kill()
	send(t, w, 1)
	serves(t, w, path, 1)
}

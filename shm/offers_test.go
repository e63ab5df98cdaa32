//go:build linux

package shm

import (
	"crypto/sha256"
	"encoding/binary"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/ashlar-go/ashlar/format"
)

// memory makes a memfd as a doctored writer does.
func memory(t testing.TB, size uint64, seals int) *os.File {
	t.Helper()
	fd, err := unix.MemfdCreate("doctored", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "doctored")
	if err := unix.Fallocate(fd, 0, 0, int64(size)); err != nil {
		t.Fatal(err)
	}
	if err := seal(f, seals); err != nil {
		t.Fatal(err)
	}
	return f
}

var doctoredGeometry = geometry{4, 256}

// An offer is what a doctored writer sends, and then does.
type offer struct {
	name    string
	hello   func(b []byte) []byte              // changes a good hello and the description behind it
	files   func(t testing.TB) []*os.File      // nil: good ones
	send    func(c *net.UnixConn, b, o []byte) // nil: all at once
	hold    bool                               // the connection stays open
	want    error
	message string
}

func good(t testing.TB) []*os.File {
	return []*os.File{memory(t, doctoredGeometry.payload(), payloadSeals), memory(t, doctoredGeometry.record(), recordSeals)}
}

func word(at int, v uint64) func([]byte) []byte {
	return func(b []byte) []byte { binary.LittleEndian.PutUint64(b[at:], v); return b }
}

func replaced(i int, with func(t testing.TB) *os.File) func(testing.TB) []*os.File {
	return func(t testing.TB) []*os.File {
		files := good(t)
		files[i].Close()
		files[i] = with(t)
		return files
	}
}

func unsealed(i, missing int) func(testing.TB) []*os.File {
	return replaced(i, func(t testing.TB) *os.File {
		if i == 0 {
			return memory(t, doctoredGeometry.payload(), payloadSeals&^missing)
		}
		return memory(t, doctoredGeometry.record(), recordSeals&^missing)
	})
}

func inPieces(sizes ...int) func(*net.UnixConn, []byte, []byte) {
	return func(c *net.UnixConn, b, rights []byte) {
		for _, n := range append(sizes, len(b)) {
			n = min(n, len(b))
			c.WriteMsgUnix(b[:n], rights, nil)
			rights = nil
			b = b[n:]
			time.Sleep(2 * time.Millisecond)
		}
	}
}

// drip sends what is behind the hello a byte at a time, as long as somebody takes it.
func drip(c *net.UnixConn, b, rights []byte) {
	_, _, err := c.WriteMsgUnix(b[:helloSize], rights, nil)
	for i := helloSize; i < len(b) && err == nil; i++ {
		time.Sleep(time.Millisecond)
		_, err = c.Write(b[i : i+1])
	}
}

// described makes the hello that of a writer with a description, which may be none.
func described(d ...byte) func([]byte) []byte {
	return func(b []byte) []byte {
		fingerprint := sha256.Sum256(d)
		copy(b[24:], fingerprint[:8])
		return append(word(48, uint64(len(d)))(b[:helloSize]), d...)
	}
}

// deep is the description of structs within each other.
func deep(n int) (d []byte) {
	d = binary.AppendUvarint(d, uint64(n+1))
	for i := range n {
		d = append(d, 18, 2, 1, 'a')
		d = binary.AppendUvarint(d, uint64(i+1))
		d = append(d, 1, 'b')
		d = binary.AppendUvarint(d, uint64(i+1))
	}
	return append(d, 6)
}

var offers = []offer{
	{name: "no description", hello: described(), want: format.ErrTruncated},
	{name: "a description that is none", hello: described(1, 99), want: format.ErrCorrupt},
	{name: "a description with more behind it", hello: described(1, 6, 6), want: format.ErrCorrupt},
	{name: "a description of 2^40 leaves", hello: described(deep(40)...), want: format.ErrLimit},
	{name: "a description with a million nodes", hello: described(0xC0, 0x84, 0x3D, 16, 1), want: format.ErrLimit},
	{name: "a description of another type", hello: described(2, 16, 1, 6), want: format.ErrSchema, message: "[]uint8"},
	{name: "another description under the fingerprint", hello: func(b []byte) []byte { b[len(b)-1] ^= 1; return b }, want: format.ErrSchema, message: "is another"},
	{name: "a description of 2^64-1 bytes", hello: word(48, 1<<64-1), hold: true, want: format.ErrLimit, message: "18446744073709551615"},
	{name: "a description of 64 KiB and a byte", hello: word(48, mostDescription+1), hold: true, want: format.ErrLimit, message: "65537 bytes, at most 65536"},
	{name: "a shorter description", hello: func(b []byte) []byte { return word(48, uint64(len(b)-helloSize-1))(b) }, hold: true, want: format.ErrSchema},
	{name: "descriptors with the description", send: func(c *net.UnixConn, b, rights []byte) {
		c.WriteMsgUnix(b[:helloSize], rights, nil)
		c.WriteMsgUnix(b[helloSize:], rights, nil)
	}, hold: true, want: ErrForeign, message: "descriptors"},
	{name: "HTTP", hello: func([]byte) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n\r\n") }, hold: true, want: ErrForeign, message: "48 54 54 50"},
	{name: "another magic", hello: func(b []byte) []byte { b[0]++; return b }, want: ErrForeign, message: "first bytes"},
	{name: "another version", hello: func(b []byte) []byte { b[4] = 2; return b }, want: ErrVersion, message: "writer's is 2"},
	{name: "another version and a longer hello", hello: func(b []byte) []byte { b[4] = 2; return append(b, b...) }, want: ErrVersion},
	{name: "another version and a shorter hello", hello: func(b []byte) []byte { b[4] = 2; return b[:20] }, hold: true, want: ErrVersion},
	{name: "an unknown feature", hello: func(b []byte) []byte { b[6] = 4; return b }, want: ErrVersion, message: "0x4"},
	{name: "no slots", hello: word(8, 0), want: ErrGeometry, message: "0 slots"},
	{name: "three slots", hello: word(8, 3), want: ErrGeometry, message: "3 slots"},
	{name: "2^63 slots", hello: word(8, 1<<63), want: ErrGeometry},
	{name: "2^17 slots", hello: word(8, 1<<17), want: ErrGeometry},
	{name: "slots of no bytes", hello: word(16, 0), want: ErrGeometry},
	{name: "slots of 257 bytes", hello: word(16, 257), want: ErrGeometry},
	{name: "slots of 2^64-8 bytes", hello: word(16, 1<<64-8), want: ErrGeometry},
	{name: "slots of 2^34+8 bytes", hello: word(16, 1<<34+8), want: ErrGeometry},
	{name: "larger slots than the memory has", hello: word(16, 4096), want: ErrGeometry},
	{name: "another size of the payload", hello: word(32, doctoredGeometry.payload()+4096), want: ErrGeometry},
	{name: "another size of the record", hello: word(40, 1<<63), want: ErrGeometry},
	{name: "another fingerprint", hello: word(24, 1), want: format.ErrCorrupt, message: "0000000000000001"},
	{name: "cut short", hello: func(b []byte) []byte { return b[:55] }, want: ErrForeign, message: "55 bytes"},
	{name: "cut shorter", hello: func(b []byte) []byte { return b[:1] }, want: ErrForeign, message: "1 bytes"},
	{name: "no descriptors", files: func(testing.TB) []*os.File { return nil }, want: ErrForeign, message: "0 descriptors"},
	{name: "one descriptor", files: func(t testing.TB) []*os.File {
		files := good(t)
		files[1].Close()
		return files[:1]
	}, want: ErrForeign, message: "1 descriptors"},
	{name: "three descriptors", files: func(t testing.TB) []*os.File { return append(good(t), memory(t, 4096, 0)) }, want: ErrForeign, message: "more than 2"},
	{name: "250 descriptors", files: func(t testing.TB) []*os.File {
		files := good(t)
		for len(files) < 250 {
			files = append(files, files[0])
		}
		return files
	}, want: ErrForeign, message: "more than 2"},
	{name: "a file", files: replaced(0, func(t testing.TB) *os.File {
		f, err := os.Create(filepath.Join(t.TempDir(), "file"))
		if err != nil || f.Truncate(int64(doctoredGeometry.payload())) != nil {
			t.Fatal(err)
		}
		return f
	}), want: ErrSeals},
	{name: "a pipe", files: replaced(1, func(t testing.TB) *os.File {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
		return r
	}), want: ErrSeals},
	{name: "no seals", files: unsealed(0, payloadSeals), want: ErrSeals},
	{name: "no seals of the record", files: unsealed(1, recordSeals), want: ErrSeals},
	{name: "a payload that can shrink", files: unsealed(0, unix.F_SEAL_SHRINK), want: ErrSeals},
	{name: "a payload that can grow", files: unsealed(0, unix.F_SEAL_GROW), want: ErrSeals},
	{name: "a payload that can be written", files: unsealed(0, unix.F_SEAL_FUTURE_WRITE), want: ErrSeals},
	{name: "a record that can shrink", files: unsealed(1, unix.F_SEAL_SHRINK), want: ErrSeals},
	{name: "a payload that is too small", files: replaced(0, func(t testing.TB) *os.File { return memory(t, doctoredGeometry.payload()-4096, payloadSeals) }), want: ErrGeometry, message: "want 12288"},
	{name: "a record that is too large", files: replaced(1, func(t testing.TB) *os.File { return memory(t, doctoredGeometry.record()+1, recordSeals) }), want: ErrGeometry},
	{name: "a payload that is not allocated", files: replaced(0, func(t testing.TB) *os.File {
		f := memory(t, 4096, 0)
		if err := f.Truncate(int64(doctoredGeometry.payload())); err != nil {
			t.Fatal(err)
		}
		must(seal(f, payloadSeals))
		return f
	}), want: ErrGeometry, message: "allocated"},
	{name: "the descriptors the other way round", files: func(t testing.TB) []*os.File { f := good(t); return []*os.File{f[1], f[0]} }, want: ErrSeals},
	{name: "no welcome but garbage", send: func(c *net.UnixConn, b, rights []byte) {
		c.WriteMsgUnix(b, rights, nil)
		c.Write([]byte("garbage!"))
	}, hold: true, want: ErrForeign, message: "welcomed"},
	{name: "more than a hello", hello: func(b []byte) []byte { return append(b, b...) }, hold: true, want: ErrForeign, message: "welcomed"},
	{name: "garbage in pieces", hello: func(b []byte) []byte { b[3] = 0; return b }, send: inPieces(1, 1, 1, 1), hold: true, want: ErrForeign},
}

// serve answers one connection after another at path with the offer, until the listener is closed.
func (o offer) serve(t testing.TB, l *net.UnixListener, codec *format.Codec[sample]) {
	for o.once(t, l, codec) {
	}
}

// once answers one connection, unless the listener is closed.
func (o offer) once(t testing.TB, l *net.UnixListener, codec *format.Codec[sample]) bool {
	c, err := l.AcceptUnix()
	if err != nil {
		return false
	}
	b := hello(doctoredGeometry, codec.Fingerprint(), codec.Description())
	if o.hello != nil {
		b = o.hello(b)
	}
	files := good
	if o.files != nil {
		files = o.files
	}
	var fds []int
	opened := files(t)
	for _, f := range opened {
		fds = append(fds, int(f.Fd()))
	}
	var rights []byte
	if len(fds) > 0 {
		rights = unix.UnixRights(fds...)
	}
	if o.send != nil {
		o.send(c, b, rights)
	} else {
		c.WriteMsgUnix(b, rights, nil)
	}
	for _, f := range opened {
		f.Close()
	}
	if o.hold {
		c.SetReadDeadline(time.Now().Add(20 * time.Second))
		for err = nil; err == nil; {
			_, err = c.Read(make([]byte, 64))
		}
	}
	c.Close()
	return true
}

//go:build unix

package buffer

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// plant puts something of each kind that is no regular file into dir.
func plant(t *testing.T, dir string) (paths []string) {
	t.Helper()
	at := func(name string, err error) {
		if err != nil {
			t.Logf("no %s to test with: %v", name, err)
			return
		}
		paths = append(paths, filepath.Join(dir, name))
	}
	at("directory", os.Mkdir(filepath.Join(dir, "directory"), 0o700))
	at("link", os.Symlink(write(t, []byte("target")), filepath.Join(dir, "link")))
	at("dangling", os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling")))
	at("loop", os.Symlink("loop", filepath.Join(dir, "loop")))
	at("fifo", unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "socket"), Net: "unix"})
	if at("socket", err); err == nil {
		t.Cleanup(func() { l.Close() })
	}
	return paths
}

// TestOpenTakesRegularFilesOnly would hang on the pipe if Open waited.
func TestOpenTakesRegularFilesOnly(t *testing.T) {
	dir, err := os.MkdirTemp("", "") // a short path, for the socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, path := range append(plant(t, dir), "/dev/null") {
		if err := opened(path); !errors.Is(err, ErrNotRegular) || errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %v, want ErrNotRegular", path, err)
		} else {
			t.Log(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("what the dangling link names has been made")
	}
}

func TestCreateRefusesWhateverIsThere(t *testing.T) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, path := range plant(t, dir) {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		b, err := Create(path, 100)
		if b != nil || !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s: %v, want ErrExist", path, err)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() {
			t.Errorf("%s is not what it was: %v", path, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("what the dangling link names has been made")
	}
}

func TestAFileIsItsOwnersAlone(t *testing.T) {
	b, path := create(t, 100)
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v, want 0600", info.Mode(), err)
	}
	if flags, err := unix.FcntlInt(b.file.Fd(), unix.F_GETFD, 0); err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("a child inherits the file: flags %#x, %v", flags, err)
	}
}

// TestAppendTakesRegularFilesOnly would hang on the pipe if Append waited.
func TestAppendTakesRegularFilesOnly(t *testing.T) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for _, path := range append(plant(t, dir), "/dev/null") {
		if b, err := Append(path, 1<<20); b != nil || !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v, want ErrNotRegular", path, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("what the dangling link names has been made")
	}
}

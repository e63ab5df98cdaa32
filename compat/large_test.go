package compat_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// Two versions of a parcel with a large load.
type (
	oldLoad struct {
		N    int32
		Load []byte
		Tags []string
	}
	newLoad struct {
		Tags []string
		N    int64
		Load []byte
		Note string `ashlar:"Note,default=none"`
	}
)

func load(mib int) oldLoad {
	v := oldLoad{7, make([]byte, mib<<20), []string{"a", "bc"}}
	for i := 0; i < len(v.Load); i += 4096 {
		v.Load[i] = byte(i>>12) | 1
	}
	return v
}

// same reports whether a new version of a load is that of an old one.
func (v newLoad) same(old *oldLoad) error {
	if v.N != int64(old.N) || v.Note != "none" || !reflect.DeepEqual(v.Tags, old.Tags) || !bytes.Equal(v.Load, old.Load) {
		return fmt.Errorf("N %d, Note %q, Tags %q and a load of %d bytes, want those of the message", v.N, v.Note, v.Tags, len(v.Load))
	}
	return nil
}

// Nothing keeps a large message from passing, and where a limit is set the error names it and both numbers.
func caseLargeSession(t *testing.T) {
	if reflecting {
		t.Skip("takes minutes by reflection")
	}
	in := load(65)
	var stream bytes.Buffer
	if err := compat.NewEncoder(&stream).Encode(&in); err != nil {
		t.Fatal(err)
	}
	const less, enough = 64 << 20, 66 << 20
	for _, c := range []struct {
		name string
		opts []compat.Option
		ok   bool
	}{
		{"no limit", nil, true},
		{"64 MiB", []compat.Option{compat.WithMaxMessage(less)}, false},
		{"raised to 66 MiB", []compat.Option{compat.WithMaxMessage(less), compat.WithMaxMessage(enough)}, true},
	} {
		var v newLoad
		err := compat.NewDecoder(bytes.NewReader(stream.Bytes()), c.opts...).Decode(&v)
		if c.ok {
			if err == nil {
				err = v.same(&in)
			}
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if !errors.Is(err, format.ErrLimit) {
			t.Errorf("%s: %v, want ErrLimit", c.name, err)
			continue
		}
		size := len(message(t, in))
		for _, part := range []string{"MaxMessage", fmt.Sprint(less), fmt.Sprint(size)} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: the error %q does not name %s", c.name, err, part)
			}
		}
	}
}

// Many goroutines read one message, which lies where a write to it would be a fault.
func caseManyReaders(t *testing.T) {
	in := load(0)
	in.Load = bytes.Repeat([]byte("load"), 1000)
	msg := message(t, in)
	if b, err := buffer.Open(writeFile(t, msg)); err == nil {
		defer b.Close()
		msg = b.Bytes()
	} else if !errors.Is(err, errors.ErrUnsupported) {
		t.Fatal(err)
	}
	registry := compat.NewRegistry(compat.Limits{})
	if err := registry.Add(describe[oldLoad]()); err != nil {
		t.Fatal(err)
	}
	same, other := must(compat.For[oldLoad](registry)), must(compat.For[newLoad](registry))
	rounds := 100
	if testing.Short() {
		rounds = 10
	}
	var readers sync.WaitGroup
	for range 32 {
		readers.Go(func() {
			reused, aliased := new(newLoad), new(newLoad)
			for range rounds {
				for how, v := range map[string]*newLoad{"Decode": new(newLoad), "DecodeReuse": reused, "DecodeAlias": aliased} {
					if err := decodes(other)[how](msg, v); err != nil {
						t.Errorf("%s: %v", how, err)
					} else if err := v.same(&in); err != nil {
						t.Errorf("%s: %v", how, err)
					}
				}
				for how, decode := range decodes(same) {
					var v oldLoad
					if err := decode(msg, &v); err != nil || !reflect.DeepEqual(v, in) {
						t.Errorf("%s: %+v, %v", how, v, err)
					}
				}
			}
		})
	}
	readers.Wait()
}

// A large message, and one field of it that is read again and again: no limit counts what honest reads do.
func caseLargeMessage(t *testing.T) {
	if reflecting {
		t.Skip("takes minutes by reflection")
	}
	in := load(70)
	msg := message(t, in)
	registry := compat.NewRegistry(compat.Limits{})
	if err := registry.Add(describe[oldLoad]()); err != nil {
		t.Fatal(err)
	}
	r := must(compat.For[newLoad](registry))
	for how, decode := range decodes(r) {
		var v newLoad
		err := decode(msg, &v)
		if err == nil {
			err = v.same(&in)
		}
		if err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
	codec := must(format.For[newLoad]())
	part, tag := must(format.Field[[]byte](codec, "Load")), must(format.Field[string](codec, "Tags[]"))
	v := must(r.View(msg))
	if allocated := testing.AllocsPerRun(100_000, func() {
		if x, err := part.Get(v); len(x) != len(in.Load) || &x[0] != &must(part.Get(v))[0] || err != nil {
			t.Errorf("%d bytes, %v, want those of the message", len(x), err)
		}
		if x, err := tag.Get(v, 1); x != "bc" || err != nil {
			t.Errorf("%q, %v", x, err)
		}
	}); allocated != 0 && !compat.RaceEnabled {
		t.Errorf("a read takes %v allocations", allocated)
	}
}

func writeFile(t *testing.T, p []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, p, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

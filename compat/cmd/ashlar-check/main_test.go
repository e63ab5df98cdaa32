package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/format"
)

type version1 struct {
	ID     int32
	Name   string
	Images []struct{ URI string }
}

type version2 struct {
	Name   string
	ID     int64
	Images []struct {
		URI  string
		Size int32
	}
}

// save writes files with descriptions and returns their names.
func save(t *testing.T) map[string]string {
	t.Helper()
	dir, files := t.TempDir(), map[string]string{"missing": filepath.Join(t.TempDir(), "missing")}
	put := func(name string, b []byte) {
		files[name] = filepath.Join(dir, name)
		if err := os.WriteFile(files[name], b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	schema := func(t reflect.Type) *format.Schema {
		s, err := format.SchemaOf(t)
		if err != nil {
			panic(err)
		}
		return s
	}
	v1 := schema(reflect.TypeFor[version1]())
	put("v1", v1.Description())
	put("v2", schema(reflect.TypeFor[version2]()).Description())
	put("more", schema(reflect.TypeFor[struct {
		ID   int32
		Name string
	}]()).Description())
	put("string", schema(reflect.TypeFor[string]()).Description())
	put("message", format.AppendDescription(nil, v1))
	put("named", format.AppendDescription(nil, v1.Named("thing")))
	put("junk", []byte("junk"))
	return files
}

// TestCommand builds the command and runs it.
func TestCommand(t *testing.T) {
	goTool, err := exec.LookPath("go")
	if err != nil || testing.Short() {
		t.Skip("builds a program")
	}
	binary := filepath.Join(t.TempDir(), "ashlar-check.exe")
	if out, err := exec.Command(goTool, "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	testCommand(t, func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		cmd := exec.Command(binary, args...)
		cmd.Stdout, cmd.Stderr = &out, &errs
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), out.String(), errs.String()
	})
}

// TestRun is TestCommand without a process.
func TestRun(t *testing.T) {
	testCommand(t, func(args ...string) (int, string, string) {
		var out, errs bytes.Buffer
		code := run(args, &out, &errs)
		return code, out.String(), errs.String()
	})
}

func testCommand(t *testing.T, call func(args ...string) (int, string, string)) {
	files := save(t)
	const text = "struct {\n\tID int32\n\tName string\n\tImages []struct {\n\t\tURI string\n\t}\n}\n"
	for _, c := range []struct {
		args string
		code int
		out  string
		errs string // part of
	}{
		{"v1 v1", 0, "", ""},
		{"v1 message", 0, "", ""},
		{"named named", 0, "", ""},
		{"v1 more", 0, "safe  Images  field removed  []struct #4\n", ""},
		{"v1 v2", 2, `safe             ID             field moved
safe old to new  ID             type changed  int32 -> int64 (the value must fit exactly)
safe             Images[].Size  field added   int32
`, ""},
		{"v1 string", 1, "breaking  .  type changed  struct #0 -> string (there is no such conversion)\n", ""},
		{"-text v1", 0, text, ""},
		{"-text message", 0, text, ""},
		{"-text named", 0, "thing = " + text, ""},
		{"v1 named", 3, "", "registered"},
		{"v1 junk", 3, "", "junk"},
		{"junk v1", 3, "", "junk"},
		{"v1 missing", 3, "", "missing"},
		{"-text junk", 3, "", "junk"},
		{"", 3, "", "usage"},
		{"v1", 3, "", "usage"},
		{"v1 v2 v1", 3, "", "usage"},
		{"-text", 3, "", "usage"},
		{"-x v1 v2", 3, "", "usage"},
	} {
		var args []string
		for _, a := range strings.Fields(c.args) {
			if f, ok := files[a]; ok {
				a = f
			}
			args = append(args, a)
		}
		code, out, errs := call(args...)
		if code != c.code || (errs == "") != (c.errs == "") || !strings.Contains(errs, c.errs) {
			t.Errorf("%s: exit code %d, want %d: %s", c.args, code, c.code, errs)
		}
		if d := cmp.Diff(c.out, out); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, d)
		}
	}
}

package measure

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// A Machine is where and on what a run was made. What could not be found out is
// empty.
type Machine struct {
	Processor string
	Procs     int // GOMAXPROCS
	Kernel    string
	GoVersion string
	Commit    string
	Load      []float64 // averages of 1, 5 and 15 minutes, before the run
	Date      time.Time
}

// ThisMachine looks at the machine, and at the commit of the program.
func ThisMachine(ctx context.Context) Machine {
	return Machine{
		Processor: processor(),
		Procs:     runtime.GOMAXPROCS(0),
		Kernel:    kernel(),
		GoVersion: runtime.Version(),
		Commit:    commit(ctx),
		Load:      loadAverage(),
		Date:      time.Now(),
	}
}

// lines are the facts with their names, for the result file.
func (m Machine) lines() [][2]string {
	lines := [][2]string{{"date", m.Date.UTC().Format(time.RFC3339)}}
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, [2]string{key, value})
		}
	}
	add("commit", m.Commit)
	add("go", m.GoVersion)
	add("kernel", m.Kernel)
	add("procs", fmt.Sprint(m.Procs))
	add("load", m.LoadText())
	return lines
}

// read takes the facts out of a file's comments.
func (m *Machine) read(text string) {
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "# "), ": ")
		if !ok || !strings.HasPrefix(line, "# ") {
			continue
		}
		switch key {
		case "date":
			m.Date, _ = time.Parse(time.RFC3339, value)
		case "commit":
			m.Commit = value
		case "go":
			m.GoVersion = value
		case "kernel":
			m.Kernel = value
		case "procs":
			m.Procs, _ = strconv.Atoi(value)
		case "load":
			m.Load = nil
			for f := range strings.FieldsSeq(value) {
				if l, err := strconv.ParseFloat(f, 64); err == nil {
					m.Load = append(m.Load, l)
				}
			}
		}
	}
}

// LoadText writes the averages down.
func (m Machine) LoadText() string {
	var s []string
	for _, l := range m.Load {
		s = append(s, fmt.Sprintf("%.2f", l))
	}
	return strings.Join(s, " ")
}

// Busy says that somebody else was at work before the run began.
func (m Machine) Busy() bool {
	return len(m.Load) > 0 && m.Load[0] > 0.25*float64(m.Procs)
}

// commit asks the binary, then git, which revision this is. go run stamps none.
func commit(ctx context.Context) string {
	var revision, modified string
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				revision = s.Value
			case "vcs.modified":
				modified = s.Value
			}
		}
	}
	if revision == "" {
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		out, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
		if err != nil {
			return ""
		}
		revision = strings.TrimSpace(string(out))
		if out, err := exec.CommandContext(ctx, "git", "status", "--porcelain").Output(); err == nil && len(out) > 0 {
			modified = "true"
		}
	}
	if len(revision) > 12 {
		revision = revision[:12]
	}
	if modified == "true" {
		revision += " with changes"
	}
	return revision
}

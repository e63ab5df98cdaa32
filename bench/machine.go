package main

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// A machine is where and on what a run was made. What could not be found out is
// empty.
type machine struct {
	processor string
	procs     int // GOMAXPROCS
	kernel    string
	goVersion string
	commit    string
	load      []float64 // averages of 1, 5 and 15 minutes, before the run
	date      time.Time
}

func thisMachine(ctx context.Context) machine {
	return machine{
		processor: processor(),
		procs:     runtime.GOMAXPROCS(0),
		kernel:    kernel(),
		goVersion: runtime.Version(),
		commit:    commit(ctx),
		load:      loadAverage(),
		date:      time.Now(),
	}
}

// lines are the facts with their names, for the result file.
func (m machine) lines() [][2]string {
	lines := [][2]string{{"date", m.date.UTC().Format(time.RFC3339)}}
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, [2]string{key, value})
		}
	}
	add("commit", m.commit)
	add("go", m.goVersion)
	add("kernel", m.kernel)
	add("procs", fmt.Sprint(m.procs))
	add("load", m.loadText())
	return lines
}

func (m machine) loadText() string {
	var s []string
	for _, l := range m.load {
		s = append(s, fmt.Sprintf("%.2f", l))
	}
	return strings.Join(s, " ")
}

// busy says that somebody else was at work before the run began.
func (m machine) busy() bool {
	return len(m.load) > 0 && m.load[0] > 0.25*float64(m.procs)
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

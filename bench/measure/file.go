package measure

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// Write writes a line for each case and round in the Go benchmark format,
// https://go.dev/design/14313-benchmark-format, names and units as go test has
// them.
//
// What tells one machine from another stands as configuration, as go test has
// it. What differs from run to run is in comments: benchstat would else compare
// no run with any other.
func Write(w io.Writer, m Machine, exchanged []exchange.Result, results []Result) error {
	b := bufio.NewWriter(w) // keeps the first error for Flush
	for _, l := range m.lines() {
		fmt.Fprintf(b, "# %s: %s\n", l[0], l[1])
	}
	fmt.Fprintf(b, "\ngoos: %s\ngoarch: %s\npkg: github.com/ashlar-go/ashlar/bench\n", runtime.GOOS, runtime.GOARCH)
	if m.Processor != "" {
		fmt.Fprintf(b, "cpu: %s\n", m.Processor)
	}
	procs := ""
	if m.Procs > 1 {
		procs = fmt.Sprintf("-%d", m.Procs)
	}
	for _, res := range exchanged {
		for _, round := range res.Rounds {
			fmt.Fprintf(b, "%v%s\t%d", res.Name, procs, round.Count)
			for _, m := range MetricsOf(res.Name, round) {
				fmt.Fprintf(b, "\t%.2f %s", m.Value, m.Unit)
			}
			fmt.Fprintln(b)
		}
	}
	for _, res := range results {
		for _, ns := range res.Times {
			fmt.Fprintf(b, "%v%s\t%d\t%.2f ns/op\t%d B/op\t%d allocs/op\t%d B/message",
				res.Name, procs, res.Iterations, ns, res.AllocBytes, res.Allocs, res.Message)
			if res.Deflated != 0 {
				fmt.Fprintf(b, "\t%d B/deflated", res.Deflated)
			}
			fmt.Fprintln(b)
		}
	}
	return b.Flush()
}

// A File is what a file of results says.
type File struct {
	Machine Machine
	Results []Result
	// Exchanged are the cases between two processes, with the median of each round alone.
	Exchanged []exchange.Result
}

// Read reads what Write has written, or go test -bench. A line that is no case of package suite or exchange is left
// out; a file without any is an error, and so is one that is not in the format.
func Read(r io.Reader, name string) (*File, error) {
	f := &File{}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	f.Machine.read(string(text))
	at, exchanged := make(map[suite.Name]int), make(map[exchange.Name]int)
	lines := benchfmt.NewReader(bytes.NewReader(text), name)
	for lines.Scan() {
		switch line := lines.Result().(type) {
		case *benchfmt.SyntaxError:
			return nil, line
		case *benchfmt.Result:
			full := string(line.Name.Full())
			if i := strings.LastIndexByte(full, '-'); i >= 0 {
				if n, err := strconv.Atoi(full[i+1:]); err == nil {
					full, f.Machine.Procs = full[:i], n
				}
			}
			if cpu := line.GetConfig("cpu"); cpu != "" {
				f.Machine.Processor = cpu
			}
			if err := f.add(line, full, at, exchanged); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(f.Results)+len(f.Exchanged) == 0 {
		return nil, fmt.Errorf("%s has no results of this benchmark", name)
	}
	return f, nil
}

// add adds a line's round to the results of its case.
func (f *File) add(line *benchfmt.Result, full string, at map[suite.Name]int, exchanged map[exchange.Name]int) error {
	value := func(unit string) float64 {
		v, _ := line.Value(unit)
		return v
	}
	sec, ok := line.Value("sec/op")
	if !ok {
		return fmt.Errorf("%s has no time", full)
	}
	if n, err := suite.ParseName(full); err == nil {
		i, ok := at[n]
		if !ok {
			i = len(f.Results)
			at[n] = i
			f.Results = append(f.Results, Result{Name: n, Iterations: line.Iters,
				Message: int(value("B/message")), Deflated: int(value("B/deflated")), Allocs: int(value("allocs/op")), AllocBytes: int(value("B/op"))})
		}
		f.Results[i].Times = append(f.Results[i].Times, sec*1e9)
		return nil
	}
	n, err := exchange.ParseName(full)
	if err != nil {
		return nil // another benchmark
	}
	i, ok := exchanged[n]
	if !ok {
		i = len(f.Exchanged)
		exchanged[n] = i
		f.Exchanged = append(f.Exchanged, exchange.Result{Name: n})
	}
	f.Exchanged[i].Rounds = append(f.Exchanged[i].Rounds, exchange.Round{Count: line.Iters,
		Elapsed: time.Duration(sec * 1e9 * float64(line.Iters)), Samples: []float64{sec * 1e9}})
	return nil
}

// Save writes the results to a file of the folder and returns its path. A
// file of the same name is replaced once the new one is complete.
func Save(folder, name string, m Machine, exchanged []exchange.Result, results []Result) (path string, err error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	path = filepath.Join(folder, name)
	f, err := os.CreateTemp(folder, name+".*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if err := Write(f, m, exchanged, results); err != nil {
		return "", err
	}
	if err := f.Chmod(0o644); err != nil && runtime.GOOS != "windows" {
		return "", err
	}
	if err := f.Close(); err != nil {
		return "", err
	}
	return path, os.Rename(f.Name(), path)
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ashlar-go/ashlar/bench/exchange"
)

// writeResults writes a line for each case and round in the Go benchmark format,
// https://go.dev/design/14313-benchmark-format, names and units as go test has
// them.
//
// What tells one machine from another stands as configuration, as go test has
// it. What differs from run to run is in comments: benchstat would else compare
// no run with any other.
func writeResults(w io.Writer, m machine, exchanged []exchange.Result, results []result) error {
	b := bufio.NewWriter(w) // keeps the first error for Flush
	for _, l := range m.lines() {
		fmt.Fprintf(b, "# %s: %s\n", l[0], l[1])
	}
	fmt.Fprintf(b, "\ngoos: %s\ngoarch: %s\npkg: github.com/ashlar-go/ashlar/bench\n", runtime.GOOS, runtime.GOARCH)
	if m.processor != "" {
		fmt.Fprintf(b, "cpu: %s\n", m.processor)
	}
	procs := ""
	if m.procs > 1 {
		procs = fmt.Sprintf("-%d", m.procs)
	}
	for _, res := range exchanged {
		for _, round := range res.Rounds {
			fmt.Fprintf(b, "%v%s\t%d", res.Name, procs, round.Count)
			for _, m := range metricsOf(res.Name, round) {
				fmt.Fprintf(b, "\t%.2f %s", m.value, m.unit)
			}
			fmt.Fprintln(b)
		}
	}
	for _, res := range results {
		for _, ns := range res.Times {
			fmt.Fprintf(b, "%v%s\t%d\t%.2f ns/op\t%d B/op\t%d allocs/op\t%d B/message\n",
				res.Name, procs, res.Iterations, ns, res.AllocBytes, res.Allocs, res.Message)
		}
	}
	return b.Flush()
}

// saveResults writes the results to a file of the folder and returns its path. A
// file of the same name is replaced once the new one is complete.
func saveResults(folder, name string, m machine, exchanged []exchange.Result, results []result) (path string, err error) {
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
	if err := writeResults(f, m, exchanged, results); err != nil {
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

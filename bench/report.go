package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	page "github.com/ashlar-go/ashlar/bench/report"
)

// reporting makes a page of files of results.
type reporting struct {
	Results []string `arg:"" type:"existingfile" help:"Results of bench, of the command in bench/wide, or of go test -bench."`
	Output  string   `short:"o" default:"bench-results/report.html" placeholder:"FILE" help:"Where to write the page (${default})."`
}

// Run writes the page. What was there before is replaced once the new one is complete.
func (f *reporting) Run(c *console) (err error) {
	var sources []page.Source
	for _, path := range f.Results {
		results, err := readResults(path)
		if err != nil {
			return err
		}
		sources = append(sources, page.Source{Path: path, File: results})
	}
	if err := os.MkdirAll(filepath.Dir(f.Output), 0o777); err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(f.Output), filepath.Base(f.Output)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(file.Name())
		}
	}()
	if err := page.Write(file, sources); err != nil {
		return err
	}
	if err := file.Chmod(0o644); err != nil && runtime.GOOS != "windows" {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Rename(file.Name(), f.Output); err != nil {
		return err
	}
	fmt.Fprintln(c.stdout, f.Output)
	return nil
}

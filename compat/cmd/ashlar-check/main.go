// Ashlar-check compares two versions of a type and says which messages stay readable.
//
//	ashlar-check OLD NEW
//	ashlar-check -text FILE
//
// The files hold descriptions: the bytes that compat.Describe gives, or a description message (SPEC §6.5). It
// prints each change in a line: the verdict, the path, what it is. With -text it prints a description as text.
//
// The exit code is 0 if every message of either version is read by the other, 2 if this holds in one
// direction alone, 1 if it holds in none, and 3 if the arguments or the files are no good. Build or install the
// command: go run gives 1 for each of them.
//
// A test of the program itself is the simplest way to make the files: it writes what compat.Describe gives for
// the type as it is now, and compares it with the file of the version that is deployed.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

const (
	exitSafe     = 0
	exitBreaking = 1
	exitOneWay   = 2
	exitBad      = 3
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("ashlar-check", flag.ContinueOnError)
	flags.SetOutput(errs)
	text := flags.Bool("text", false, "print one description as text")
	flags.Usage = func() {
		fmt.Fprint(errs, "usage: ashlar-check OLD NEW\n       ashlar-check -text FILE\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return exitSafe
	} else if err != nil {
		return exitBad
	}
	files := 2
	if *text {
		files = 1
	}
	if flags.NArg() != files {
		fmt.Fprintf(errs, "ashlar-check: %d files, want %d\n", flags.NArg(), files)
		flags.Usage()
		return exitBad
	}
	code, err := exitBad, error(nil)
	if *text {
		code, err = show(flags.Arg(0), out)
	} else {
		code, err = check(flags.Arg(0), flags.Arg(1), out)
	}
	if err != nil {
		fmt.Fprintln(errs, "ashlar-check:", err)
		return exitBad
	}
	return code
}

func show(file string, out io.Writer) (int, error) {
	s, err := load(file)
	if err != nil {
		return exitBad, err
	}
	_, err = fmt.Fprint(out, s)
	return exitSafe, err
}

func check(oldFile, newFile string, out io.Writer) (int, error) {
	old, err := load(oldFile)
	if err != nil {
		return exitBad, err
	}
	new, err := load(newFile)
	if err != nil {
		return exitBad, err
	}
	if old.Name() != new.Name() {
		return exitBad, fmt.Errorf("the descriptions are of two types, registered as %q and as %q", old.Name(), new.Name())
	}
	changes, err := compat.Check(old.Description(), new.Description())
	if err != nil {
		return exitBad, err
	}
	verdict, err := list(changes, out)
	switch verdict {
	case compat.Safe:
		return exitSafe, err
	case compat.Breaking:
		return exitBreaking, err
	}
	return exitOneWay, err
}

// list prints the changes in columns and returns their common verdict.
func list(changes []compat.Change, out io.Writer) (compat.Verdict, error) {
	all := compat.Safe
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, c := range changes {
		all &= c.Verdict
		path, about := c.Path, ""
		if path == "" {
			path = "."
		}
		switch {
		case c.Old != "" && c.New != "":
			about = "\t" + c.Old + " -> " + c.New
		case c.What != compat.Moved:
			about = "\t" + c.Old + c.New
		}
		if c.Note != "" {
			about += " (" + c.Note + ")"
		}
		fmt.Fprintf(w, "%s\t%s\t%s%s\n", c.Verdict, path, c.What, about)
	}
	return all, w.Flush()
}

// load reads a file that holds a description or a description message.
func load(file string) (*format.Schema, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	read := format.ParseSchema
	if format.IsDescription(b) {
		read = format.ReadDescription
	}
	s, err := read(b, format.SchemaLimits{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return s, nil
}

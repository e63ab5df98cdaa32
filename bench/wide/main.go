// Command wide measures Ashlar beside many of Go's serializers:
//
//	go run .                      # six minutes
//	go run . --profile full       # a quarter of an hour
//	go run . --select data=CAR/   # what matches a regular expression
//
// Each library is a package of this module, which says how it writes and reads each workload, or why it does not. Every
// round trip is checked before it is timed; what is timed together runs in interleaved rounds. way=known is what both
// sides do who know the types, way=described what messages take that say what is in them. The results go to a file in
// the Go benchmark format, which bench's commands compare and report read too.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"slices"
	"time"

	"github.com/alecthomas/kong"

	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

type flags struct {
	Profile string `enum:"smoke,quick,full" default:"quick" short:"p" help:"How long to measure: smoke (seconds), quick (six minutes), full (a quarter of an hour)."`
	Select  string `short:"s" placeholder:"REGEXP" help:"Measure the cases whose name matches."`
	Output  string `short:"o" default:"bench-results" placeholder:"FOLDER" help:"Where to write the results (${default})."`
	List    bool   `help:"Print the names of the cases and end."`
}

var plans = map[string]measure.Plan{
	"smoke": {Slice: 300 * time.Microsecond, Rounds: 3, Budget: 5 * time.Second, Deflate: true},
	"quick": {Slice: time.Millisecond, Rounds: 40, Budget: 2 * time.Minute, Deflate: true},
	"full":  {Slice: 3 * time.Millisecond, Rounds: 60, Budget: 10 * time.Minute, Deflate: true},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills
	var f flags
	kong.Parse(&f, kong.Description("Measures Ashlar beside many of Go's serializers."))
	if err := f.run(ctx, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintf(os.Stderr, "wide: %v\n", err)
		os.Exit(1)
	}
}

func (f *flags) run(ctx context.Context, stdout, stderr io.Writer) error {
	selection, err := regexp.Compile(f.Select)
	if err != nil {
		return fmt.Errorf("--select: %w", err)
	}
	chosen := slices.DeleteFunc(cases(), func(c suite.Case) bool { return !selection.MatchString(c.String()) })
	if len(chosen) == 0 {
		return fmt.Errorf("--select: no case matches %q; --list shows their names", f.Select)
	}
	if f.List {
		for _, c := range chosen {
			fmt.Fprintln(stdout, c)
		}
		return nil
	}
	plan := plans[f.Profile]
	fmt.Fprintf(stderr, "Measuring %d cases, for %v or a little longer.\n", len(chosen), plan.Budget)
	machine := measure.ThisMachine(ctx)
	last := ""
	results, err := measure.Run(ctx, chosen, plan, func(done float64, group suite.Name) {
		if what := group.Op + " " + group.Data; what != last {
			fmt.Fprintf(stderr, "%3.0f%%  %s\n", 100*done, what)
			last = what
		}
	})
	if err != nil {
		return err
	}
	if len(results) == 0 {
		return errors.New("interrupted before anything was measured")
	}
	write(stdout, machine, measure.NewSet(results))
	path, err := measure.Save(f.Output, "wide.txt", machine, nil, results)
	if err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	fmt.Fprintf(stdout, "\nEvery sample, in the Go benchmark format: %s\n", path)
	return nil
}

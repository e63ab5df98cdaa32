package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"time"

	"github.com/alecthomas/kong"
	"golang.org/x/term"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// commands are what the program does; without a name it measures.
type commands struct {
	Run     measuring `cmd:"" default:"withargs" help:"Measure, and print tables and what is claimed (this is what bench does without a command)."`
	Compare comparing `cmd:"" help:"List what has become slower or faster from one file of results to another, beyond noise."`
	Report  reporting `cmd:"" help:"Make one HTML page of files of results: findings, charts, tables, and published figures beside them."`
	Figures figuring  `cmd:"" help:"Write the figures of the README from a file of results."`
}

// measuring are the flags of a measurement.
type measuring struct {
	Profile string `enum:"smoke,quick,full" default:"quick" short:"p" help:"How long to measure: smoke (seconds), quick (a minute), full (several minutes, all cases)."`
	Select  string `short:"s" placeholder:"REGEXP" help:"Measure the cases whose name matches."`
	Output  string `short:"o" default:"bench-results" placeholder:"FOLDER" help:"Where to write the results (${default})."`
	Check   bool   `help:"Fail when the best round misses a claim by more than a factor of two."`
	List    bool   `help:"Print the names of the cases and end."`
}

func main() {
	exchange.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills
	os.Exit(command(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// command does what the arguments say and returns the exit code: 1 after an
// error or a failed check, 2 after bad arguments.
func command(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var f commands
	exited, code := false, 0
	parser := kong.Must(&f,
		kong.Name("bench"),
		kong.Description("Measures Ashlar beside FlatBuffers, Cap'n Proto and a memmove of the same bytes. "+
			"Without a command it takes a minute; \"bench run --help\" shows the flags of a measurement, which need no \"run\" either."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(c int) { exited, code = true, c }),
	)
	chosen, err := parser.Parse(args)
	if exited { // --help
		return code
	}
	if err != nil {
		fmt.Fprintf(stderr, "bench: %v; see --help\n", err)
		return 2
	}
	if err := chosen.Run(&console{ctx, stdout, stderr}); err != nil {
		fmt.Fprintf(stderr, "bench: %v\n", err)
		return 1
	}
	return 0
}

// A console is what a command runs in.
type console struct {
	context.Context
	stdout, stderr io.Writer
}

// style is that of the standard output.
func (c *console) style() style {
	return style{colour: isTerminal(c.stdout) && os.Getenv("NO_COLOR") == ""}
}

// Run measures.
func (f *measuring) Run(c *console) error {
	ctx, stdout, stderr := c.Context, c.stdout, c.stderr
	p, err := profileNamed(f.Profile)
	if err != nil {
		return err
	}
	var selection *regexp.Regexp
	if f.Select != "" {
		if selection, err = regexp.Compile(f.Select); err != nil {
			return fmt.Errorf("--select: %w", err)
		}
	}
	cases, names := p.choose(suite.All(), selection), matching(exchange.All(), selection)
	if len(cases)+len(names) == 0 {
		return fmt.Errorf("--select: no case matches %q; --list shows their names", f.Select)
	}
	if f.List {
		for _, n := range names {
			fmt.Fprintln(stdout, n)
		}
		for _, c := range cases {
			fmt.Fprintln(stdout, c)
		}
		return nil
	}

	budget := p.Budget
	first := float64(0) // part of the whole that the exchange takes
	switch {
	case len(cases) == 0:
		budget, first = p.exchange.Budget, 1
	case len(names) > 0:
		budget += p.exchange.Budget
		first = float64(p.exchange.Budget) / float64(budget)
	}
	tick, finish := func(float64, string) {}, func() {}
	if isTerminal(stderr) {
		tick, finish = newProgress(stderr)
	} else {
		fmt.Fprintf(stderr, "Measuring %d cases, for %v at most.\n", len(cases)+len(names), budget)
	}
	r := &run{machine: measure.ThisMachine(ctx), profile: p.name}
	start := time.Now()
	r.exchange, err = measureExchange(ctx, names, p.exchange, func(done float64, group exchange.Name) {
		tick(first*done, fmt.Sprintf("%s %s n=%d", group.Op, group.Data, group.N))
	})
	if err != nil {
		finish()
		return err
	}
	results, err := measure.Run(ctx, cases, p.Plan, func(done float64, group suite.Name) {
		tick(first+(1-first)*done, group.Op+" "+group.Data+" "+group.Buffer)
	})
	finish()
	if err != nil {
		return err
	}
	r.report, r.took, r.interrupted = newReport(results), time.Since(start), ctx.Err() != nil
	if len(results)+len(r.exchange.results) == 0 {
		if !r.interrupted {
			return errors.New("this system has none of the cases")
		}
		return errors.New("interrupted before anything was measured")
	}

	r.write(stdout, c.style())
	path, err := measure.Save(f.Output, p.name+".txt", r.machine, r.exchange.results, results)
	if err != nil {
		return fmt.Errorf("write the results: %w", err)
	}
	fmt.Fprintf(stdout, "\nEvery sample, in the Go benchmark format: %s\n", path)
	if f.Check {
		if broken := r.broken(); len(broken) != 0 {
			for _, b := range broken {
				fmt.Fprintf(stderr, "bench: %s\n", b)
			}
			return fmt.Errorf("%d claims are missed by more than a factor of two", len(broken))
		}
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

package exchange

import (
	"encoding/json"
	"fmt"
	"io"
)

// environment names the variable that makes a process the second one. It holds
// an introduction as JSON.
const environment = "ASHLAR_BENCH_EXCHANGE"

// An introduction tells the second process where the links are to be found.
type introduction struct {
	Links   []string // to be joined in this order
	Folder  string   // with the unix sockets of links
	Address string   // of TCP
}

// The first process writes orders to the second one's standard input, as JSON,
// one after the other is done, and reads reports from its standard output. The
// end of the input is the end of the second process.

// An order is to take so many messages of a case.
type order struct {
	Name  Name
	Count int
}

// A report says that the second process is ready for messages, or why it ends.
type report struct{ Error string }

// A secondError is what the second process reports.
type secondError string

func (e secondError) Error() string { return "the second process: " + string(e) }

// control is one process's end of these two pipes.
type control struct {
	e *json.Encoder
	d *json.Decoder
}

func newControl(r io.Reader, w io.Writer) control {
	return control{json.NewEncoder(w), json.NewDecoder(r)}
}

// ready reads a report and turns it into an error if it says so.
func (c control) ready() error {
	var r report
	if err := c.d.Decode(&r); err != nil {
		return fmt.Errorf("no report: %w", err)
	}
	if r.Error != "" {
		return secondError(r.Error)
	}
	return nil
}

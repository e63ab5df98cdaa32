package exchange

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// The levels of a name that package suite does not have. They stay as they are
// for ever, lest results be incomparable.
const (
	RoundTrip = "roundtrip"
	Stream    = "stream"
	HandOver  = "handover"

	Bytes = "BYTES"

	Shm      = "shm"
	Unix     = "unix"
	Pipe     = "pipe"
	TCP      = "tcp"
	CopyRing = "copyring"

	Raw = "raw"
)

// Word is the length in bytes of the messages of BYTES that go there and back,
// and of every answer.
const Word = 64

// Pace is the interval of the messages that are not sent at once.
const Pace = time.Millisecond

// HandOvers are the lengths in bytes of the messages of HandOver.
var HandOvers = []int{64 << 10, 1 << 20}

// A Name says what a case measures. Names can be compared and be keys of maps.
type Name struct {
	Op   string
	Data string
	N    int           // elements in each array, or bytes
	Pace time.Duration // from one message to the next; 0: at once
	Link string
	Way  string
	Lib  string
}

// String returns the name as the Go benchmark format has it, and as go test
// prints it but for the number of processors at the end.
func (n Name) String() string { return "BenchmarkExchange/" + n.Sub() }

// Sub returns the name less that of the benchmark function.
func (n Name) Sub() string {
	pace := ""
	if n.Pace != 0 {
		pace = fmt.Sprintf("/pace=%v", n.Pace)
	}
	return fmt.Sprintf("op=%s/data=%s/n=%d%s/link=%s/way=%s/lib=%s", n.Op, n.Data, n.N, pace, n.Link, n.Way, n.Lib)
}

// ParseName is the inverse of String.
func ParseName(s string) (Name, error) {
	var n Name
	to := map[string]*string{"op": &n.Op, "data": &n.Data, "link": &n.Link, "way": &n.Way, "lib": &n.Lib}
	_, levels, _ := strings.Cut(s, "/")
	for level := range strings.SplitSeq(levels, "/") {
		key, value, _ := strings.Cut(level, "=")
		switch p := to[key]; {
		case p != nil:
			*p = value
		case key == "n":
			n.N, _ = strconv.Atoi(value)
		case key == "pace":
			n.Pace, _ = time.ParseDuration(value)
		}
	}
	if n.String() != "Benchmark"+strings.TrimPrefix(s, "Benchmark") {
		return Name{}, fmt.Errorf("%q is no name of an exchange", s)
	}
	return n, nil
}

// Group returns the levels that cases have in common which are measured
// together, in interleaved rounds.
func (n Name) Group() Name { return Name{Op: n.Op, Data: n.Data, N: n.N, Pace: n.Pace} }

// Over returns the name with another link, way and library: a case to compare
// with.
func (n Name) Over(link, way, lib string) Name {
	n.Link, n.Way, n.Lib = link, way, lib
	return n
}

// Payload is how many bytes of elements a message has.
func (n Name) Payload() int {
	if n.Data == Bytes {
		return n.N
	}
	return 22 * n.N
}

// All returns every case, ordered by group. The first one of each group is
// Ashlar's over shared memory.
func All() []Name {
	var all []Name
	add := func(group Name, cases ...[3]string) {
		for _, c := range cases {
			all = append(all, group.Over(c[0], c[1], c[2]))
		}
	}
	shm := [3]string{Shm, suite.Alias, suite.Ashlar}
	for _, pace := range []time.Duration{0, Pace} {
		add(Name{Op: RoundTrip, Data: Bytes, N: Word, Pace: pace}, shm,
			[3]string{Unix, suite.Copy, Raw}, [3]string{Pipe, suite.Copy, Raw}, [3]string{TCP, suite.Copy, Raw})
	}
	for _, op := range []string{Stream, RoundTrip} {
		for _, n := range suite.Sizes {
			add(Name{Op: op, Data: suite.PrimitiveArray, N: n}, shm,
				[3]string{Unix, suite.Alias, suite.Ashlar},
				[3]string{Unix, suite.Documented, suite.FlatBuffers}, [3]string{Unix, suite.Expert, suite.FlatBuffers},
				[3]string{Unix, suite.Documented, suite.CapnProto}, [3]string{Unix, suite.Expert, suite.CapnProto})
		}
	}
	for _, n := range HandOvers {
		add(Name{Op: HandOver, Data: Bytes, N: n}, shm,
			[3]string{CopyRing, suite.Copy, Raw}, [3]string{Unix, suite.Copy, Raw})
	}
	return all
}

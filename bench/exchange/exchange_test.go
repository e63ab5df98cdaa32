package exchange

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/suite"
)

func TestMain(m *testing.M) {
	Serve()
	if busy, ok := os.LookupEnv(parentVariable); ok {
		parent(busy)
	}
	os.Exit(m.Run())
}

// session starts a session that ends with the test.
func session(t *testing.T) *Session {
	t.Helper()
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The grammar that names keep for ever, written down a second time.
var grammar = regexp.MustCompile(`^BenchmarkExchange/(` +
	`op=roundtrip/data=BYTES/n=64(/pace=1ms)?/link=(shm/way=alias/lib=ashlar|(unix|pipe|tcp)/way=copy/lib=raw)` +
	`|op=(roundtrip|stream)/data=PRIMITIVE_ARRAY/n=(200|1000|5000)/link=` +
	`(shm/way=alias/lib=ashlar|unix/way=(alias/lib=ashlar|(documented|expert)/lib=(flatbuffers|capnproto)))` +
	`|op=handover/data=BYTES/n=(65536|1048576)/link=(shm/way=alias/lib=ashlar|(copyring|unix)/way=copy/lib=raw)` +
	`)$`)

func TestNamesFollowTheGrammar(t *testing.T) {
	seen := make(map[string]bool)
	groups := make(map[Name]bool)
	var last Name
	for _, n := range All() {
		if !grammar.MatchString(n.String()) {
			t.Errorf("%v does not follow the grammar", n)
		}
		if seen[n.String()] {
			t.Errorf("%v stands twice", n)
		}
		seen[n.String()] = true
		if g := n.Group(); g != last {
			if groups[g] {
				t.Errorf("%v stands apart from its group", n)
			}
			if n != g.Over(Shm, suite.Alias, suite.Ashlar) {
				t.Errorf("%v is the first of its group", n)
			}
			groups[g], last = true, g
		}
	}
	if len(seen) != 50 || len(groups) != 10 {
		t.Errorf("%d cases in %d groups, want 50 in 10", len(seen), len(groups))
	}
}

func TestEveryCaseRuns(t *testing.T) {
	s := session(t)
	for _, name := range All() {
		if s.Missing(name.Link) != nil {
			continue
		}
		for _, count := range []int{3, 20} {
			r, err := s.Run(name, count)
			if err != nil {
				t.Fatal(err)
			}
			if r.Count != count || r.Elapsed <= 0 {
				t.Errorf("%v: %+v", name, r)
			}
			want := count
			if name.Op == Stream {
				want = 0
			}
			if len(r.Samples) != want {
				t.Errorf("%v: %d samples, want %d", name, len(r.Samples), want)
			}
			for _, ns := range r.Samples {
				if ns <= 0 || ns > float64(time.Minute) {
					t.Errorf("%v: %v ns", name, ns)
				}
			}
		}
	}
}

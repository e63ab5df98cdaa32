package main

import (
	"fmt"
	"regexp"
	"time"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// A profile says how long to measure.
type profile struct {
	name   string
	slice  time.Duration // that one case runs in one round
	rounds int           // at most
	budget time.Duration // for all cases together; few rounds are made when it is short
	data   *regexp.Regexp
}

// leastRounds are made whatever the budget, for a median needs them.
const leastRounds = 3

// everyday leaves out BUFFER_STRUCT, which differs from BUFFER by one ref.
var everyday = regexp.MustCompile(`/data=(PRIMITIVE_ARRAY|BUFFER|STRUCT|MEDIA_CONTENT)/`)

var profiles = []profile{
	{name: "smoke", slice: 300 * time.Microsecond, rounds: 5, budget: 8 * time.Second, data: everyday},
	{name: "quick", slice: 2 * time.Millisecond, rounds: 60, budget: 48 * time.Second, data: everyday},
	{name: "full", slice: 5 * time.Millisecond, rounds: 100, budget: 5 * time.Minute},
}

func profileNamed(name string) (profile, error) {
	for _, p := range profiles {
		if p.name == name {
			return p, nil
		}
	}
	return profile{}, fmt.Errorf("no profile is named %q", name)
}

// choose returns the cases whose name the selection matches; without one, those
// that the profile has.
func (p profile) choose(cases []suite.Case, selection *regexp.Regexp) []suite.Case {
	if selection == nil {
		selection = p.data
	}
	if selection == nil {
		return cases
	}
	var chosen []suite.Case
	for _, c := range cases {
		if selection.MatchString(c.String()) {
			chosen = append(chosen, c)
		}
	}
	return chosen
}

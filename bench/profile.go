package main

import (
	"fmt"
	"regexp"
	"time"

	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/measure"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// A profile says how long to measure.
type profile struct {
	name         string
	exchange     exchange.Plan
	measure.Plan // of the cases within this process
	cases        *regexp.Regexp
}

// everyday leaves out BUFFER_STRUCT, which differs from BUFFER by one ref, and
// kinds of memory that differ from OffHeap by what they take to set up. Of the
// objects with optional fields, with references or of other versions and of the maps it has what
// something is claimed of: a map's entries are sorted in the same way wherever the
// message is to lie.
var everyday = regexp.MustCompile(
	`/op=(serialize|deserialize|traverse|build)/data=(PRIMITIVE_ARRAY|BUFFER)/n=\d+/buffer=(array|offheap)/` +
		`|/op=(serialize|deserialize|traverse|field)/data=(STRUCT|MEDIA_CONTENT)/buffer=(array|offheap)/refs=off/mode=c` +
		`|/op=(serialize|deserialize)/data=(STRUCT2|SAMPLE)/buffer=(array|offheap)/refs=off/mode=c` +
		`|/op=deserialize/data=[A-Z_]+/buffer=(array|offheap)/refs=off/mode=(evolved|added|removed|swapped)/way=copy/` +
		`|/op=(serialize|deserialize)/data=MEDIA_CONTENT/buffer=(array|offheap)/refs=on/` +
		`|/op=field/data=MEDIA_100K/` +
		`|/op=field/data=(STRUCT|MEDIA_CONTENT)/buffer=(array|offheap)/refs=off/mode=(evolved|added|removed|swapped)/` +
		`|/data=MAP/type=[a-z0-9-]+/n=\d+/buffer=array/`)

var profiles = []profile{
	{
		name:     "smoke",
		exchange: exchange.Plan{Slice: 20 * time.Millisecond, Rounds: 5, Budget: 6 * time.Second},
		Plan:     measure.Plan{Slice: 300 * time.Microsecond, Rounds: 5, Budget: 8 * time.Second},
		cases:    everyday,
	},
	{
		name:     "quick",
		exchange: exchange.Plan{Slice: 12 * time.Millisecond, Rounds: 60, Budget: 12 * time.Second},
		Plan:     measure.Plan{Slice: 2 * time.Millisecond, Rounds: 60, Budget: 43 * time.Second},
		cases:    everyday,
	},
	{
		name:     "full",
		exchange: exchange.Plan{Slice: 25 * time.Millisecond, Rounds: 100, Budget: time.Minute},
		Plan:     measure.Plan{Slice: 5 * time.Millisecond, Rounds: 100, Budget: 5 * time.Minute},
	},
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
		selection = p.cases
	}
	return matching(cases, selection)
}

// matching returns those whose name the selection matches; nil matches all.
func matching[T fmt.Stringer](all []T, selection *regexp.Regexp) []T {
	if selection == nil {
		return all
	}
	var chosen []T
	for _, v := range all {
		if selection.MatchString(v.String()) {
			chosen = append(chosen, v)
		}
	}
	return chosen
}

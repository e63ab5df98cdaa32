package main

import (
	"github.com/ashlar-go/ashlar/bench/exchange"
	"github.com/ashlar-go/ashlar/bench/suite"
)

// An exchangeClaim is a bound on the ratio of two cases of one group.
type exchangeClaim struct {
	text       string
	bound      float64
	atLeast    bool // else at most
	name, base exchange.Name
}

// find holds the claim against a report. It fails when the report does not have
// what the claim is about.
func (c *exchangeClaim) find(r *exchangeReport) (finding, bool) {
	return findingOf(&claim{text: c.text, bound: c.bound, atLeast: c.atLeast}, r.ratios(c.name, c.base))
}

const exchangeChapter = "exchange between two processes"

// exchangeClaims are about time, so that "at least 5 times the messages a second"
// reads: the other takes at least 5 times as long.
var exchangeClaims = func() []exchangeClaim {
	over := func(op, data string, n int) (shm exchange.Name) {
		return exchange.Name{Op: op, Data: data, N: n}.Over(exchange.Shm, suite.Alias, suite.Ashlar)
	}
	raw := func(shm exchange.Name, link string) exchange.Name {
		return shm.Over(link, suite.Copy, exchange.Raw)
	}
	word := over(exchange.RoundTrip, exchange.Bytes, exchange.Word)
	paced := word
	paced.Pace = exchange.Pace
	arrays := over(exchange.Stream, suite.PrimitiveArray, 5000)
	flat := func(way string) exchange.Name { return arrays.Over(exchange.Unix, way, suite.FlatBuffers) }
	claims := []exchangeClaim{
		{"64 bytes and back, shm / unix socket", 0.4, false, word, raw(word, exchange.Unix)},
		{"one a millisecond, shm / unix socket", 0.6, false, paced, raw(paced, exchange.Unix)},
		{"arrays n=5000, FlatBuffers as documented / shm", 5, true, flat(suite.Documented), arrays},
		{"arrays n=5000, FlatBuffers by an expert / shm", 2, true, flat(suite.Expert), arrays},
	}
	for _, n := range exchange.HandOvers {
		shm := over(exchange.HandOver, exchange.Bytes, n)
		claims = append(claims,
			exchangeClaim{"first byte of " + sizeText(n) + ", unix socket / shm", 5, true, raw(shm, exchange.Unix), shm},
			exchangeClaim{"first byte of " + sizeText(n) + ", ring that copies / shm", 5, true, raw(shm, exchange.CopyRing), shm})
	}
	return claims
}()

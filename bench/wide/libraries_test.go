package main

import (
	"testing"

	"github.com/ashlar-go/ashlar/bench/suite"
)

// Every library gives back what it got, in every workload that it does not leave out.
func TestEveryCasePassesItsCheck(t *testing.T) {
	have := make(map[[2]string]bool)
	for _, c := range cases() {
		have[[2]string{c.Lib, c.Data}] = true
		if c.Lib == suite.Ashlar || c.Lib == suite.Memmove || c.N > suite.Sizes[0] ||
			c.Data == suite.TVCatalogue && c.Op != suite.RoundTrip { // the same types as TV, and slow
			continue
		}
		p, err := c.Prepare()
		if err == nil {
			err = p.Check()
			p.Close()
		}
		if err != nil {
			t.Errorf("%.3000v", err)
		}
	}
	for _, l := range libraries {
		for _, data := range []string{suite.PrimitiveArray, suite.Buffer, suite.Struct, suite.Struct2, suite.MediaContent, suite.Sample,
			suite.Car, suite.CarLarge, suite.Complex, suite.TV, suite.TVCatalogue} {
			if has, left := have[[2]string{l.name, data}], l.blank[data] != ""; has == left {
				t.Errorf("%s has %s: %v; says why not: %v", l.name, data, has, left)
			}
		}
	}
}

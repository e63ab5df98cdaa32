package measure

import (
	"slices"

	"github.com/ashlar-go/ashlar/bench/exchange"
)

// PerMessage returns a round's ns for one message: the median, or what it took to
// send all of them by their number.
func PerMessage(r exchange.Round) float64 {
	if r.Samples == nil {
		return float64(r.Elapsed.Nanoseconds()) / float64(r.Count)
	}
	return Quantile(slices.Sorted(slices.Values(r.Samples)), 0.5)
}

// A Metric is a value of the Go benchmark format.
type Metric struct {
	Value float64
	Unit  string
}

// MetricsOf returns what a round says of a case.
func MetricsOf(name exchange.Name, r exchange.Round) []Metric {
	ns := PerMessage(r)
	m := []Metric{{ns, "ns/op"}}
	if r.Samples != nil {
		m = append(m, Metric{Quantile(slices.Sorted(slices.Values(r.Samples)), 0.99), "p99-ns"})
	}
	if name.Op != exchange.HandOver && name.Pace == 0 { // these wait, or do what is not measured, in between
		rate := float64(r.Count) / r.Elapsed.Seconds()
		m = append(m, Metric{rate, "msg/s"}, Metric{rate * float64(name.Payload()), "B/s"})
	}
	return m
}

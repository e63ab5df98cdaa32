package exchange

import (
	"fmt"
	"time"
)

// A Round is what was measured of some messages of a case.
type Round struct {
	Count   int           // messages
	Elapsed time.Duration // from the first message to the last answer
	Samples []float64     // ns of each message; of Stream there are none
}

// drive sends messages and measures. It returns an error when an answer is not
// what it must be.
func drive(name Name, from source, c client, count int) (Round, error) {
	r := Round{Count: count}
	if name.Op == Stream {
		start := time.Now()
		for i := range count {
			if err := transfer(from, c, i); err != nil {
				return r, err
			}
		}
		a, err := c.receive()
		r.Elapsed = time.Since(start)
		if err != nil {
			return r, fmt.Errorf("the answer to %d messages: %w", count, err)
		}
		var d digest
		for i := range count {
			d.add(from.sum(i))
		}
		return r, check(a, answer{count: uint64(count), sum: uint64(d)}, fmt.Sprintf("of %d messages", count))
	}

	r.Samples = make([]float64, count)
	start := time.Now()
	last := start
	for i := range count {
		if name.Pace != 0 {
			time.Sleep(time.Until(start.Add(time.Duration(i+1) * name.Pace)))
			last = time.Now()
		}
		if name.Op == HandOver {
			from.set(i)
			if err := c.prepare(); err != nil {
				return r, fmt.Errorf("message %d: %w", i, err)
			}
			last = time.Now()
			if err := c.send(); err != nil {
				return r, fmt.Errorf("message %d: %w", i, err)
			}
		} else if err := transfer(from, c, i); err != nil {
			return r, err
		}
		a, err := c.receive()
		if err != nil {
			return r, fmt.Errorf("the answer to message %d: %w", i, err)
		}
		if name.Op == HandOver {
			r.Samples[i] = float64(a.at - last.UnixNano())
		} else {
			now := time.Now()
			r.Samples[i] = float64(now.Sub(last).Nanoseconds())
			last = now
		}
		if a.count != 1 || a.sum != from.sum(i) {
			return r, check(a, answer{count: 1, sum: from.sum(i)}, fmt.Sprintf("of message %d", i))
		}
	}
	r.Elapsed = time.Since(start)
	return r, nil
}

// transfer sends message i, from the value to the link.
func transfer(from source, c client, i int) error {
	from.set(i)
	err := c.prepare()
	if err == nil {
		err = c.send()
	}
	if err != nil {
		return fmt.Errorf("message %d: %w", i, err)
	}
	return nil
}

// check says how an answer differs from what it must be.
func check(got, want answer, of string) error {
	switch {
	case got.count != want.count:
		return fmt.Errorf("the answer is to %d messages, want %d", got.count, want.count)
	case got.sum != want.sum:
		return fmt.Errorf("the sum %s is %#x, want %#x", of, got.sum, want.sum)
	}
	return nil
}

// serve takes as many messages as drive sends, and answers.
func serve(name Name, s server, count int) error {
	if name.Op == Stream {
		var d digest
		for i := range count {
			sum, err := s.receive()
			if err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
			d.add(sum)
		}
		return s.answer(answer{count: uint64(count), sum: uint64(d)})
	}
	for i := range count {
		sum, err := s.receive()
		if err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		a := answer{count: 1, sum: sum}
		if name.Op == HandOver {
			a.at = time.Now().UnixNano()
		}
		if err := s.answer(a); err != nil {
			return fmt.Errorf("the answer to message %d: %w", i, err)
		}
	}
	return nil
}

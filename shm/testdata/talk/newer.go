//go:build newer

package main

import "reflect"

const version = "newer"

type message struct {
	Values []float64
	Added  map[string]int
	Title  string `ashlar:"Text"`
	Any    any
	ID     int64
	Even   *bool
	Level  uint8 `ashlar:"Level,default=3"`
}

type shape struct {
	Name string
	X    int64
}

func sent(i int) *message {
	even := i%2 == 0
	m := &message{values(i), map[string]int{"i": i}, text(i), nil, int64(i), &even, uint8(i)}
	switch i % 3 {
	case 1:
		m.Any = shape{text(i), int64(i % 1000)}
	case 2:
		m.Any = text(i)
	}
	return m
}

// check checks what the older version sends.
func check(i int, m *message) error {
	even := i%2 == 0
	w := &message{Values: values(i), Title: text(i), ID: int64(i), Even: &even, Level: 3}
	switch i % 3 {
	case 1:
		w.Any = shape{"", int64(i % 1000)}
	case 2:
		w.Any = i
	}
	return want(i, m, w, reflect.DeepEqual(m, w))
}

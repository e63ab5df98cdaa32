//go:build !newer

package main

import "reflect"

const version = "older"

type message struct {
	ID     int32
	Text   string
	Even   bool
	Values []float64
	Gone   *int64
	Any    any
}

type shape struct{ X, Y int16 }

func sent(i int) *message {
	gone := int64(i)
	m := &message{int32(i), text(i), i%2 == 0, values(i), &gone, nil}
	switch i % 3 {
	case 1:
		m.Any = shape{int16(i % 1000), -1}
	case 2:
		m.Any = i
	}
	return m
}

// check checks what the newer version sends.
func check(i int, m *message) error {
	w := &message{ID: int32(i), Text: text(i), Even: i%2 == 0, Values: values(i)}
	switch i % 3 {
	case 1:
		w.Any = shape{int16(i % 1000), 0}
	case 2:
		w.Any = text(i)
	}
	return want(i, m, w, reflect.DeepEqual(m, w))
}

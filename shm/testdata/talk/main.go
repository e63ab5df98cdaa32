// Command talk exchanges messages with another version of itself: it is built with and without the tag
// newer, which makes two versions of the type message. Each program sends messages and checks those that
// come, at the same time.
//
//	talk pipe N             over its standard output and input
//	talk channel N OUT IN   over two channels
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
	"github.com/ashlar-go/ashlar/shm"
)

func main() {
	n, err := strconv.Atoi(os.Args[2])
	if err == nil {
		switch os.Args[1] {
		case "pipe":
			err = pipe(n)
		case "channel":
			err = channel(n, os.Args[3], os.Args[4])
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "talk (%s): %v\n", version, err)
		os.Exit(1)
	}
}

// both runs two things at once and returns their errors.
func both(send, receive func() error) error {
	sent := make(chan error)
	go func() { sent <- send() }()
	err := receive()
	return errors.Join(err, <-sent)
}

func pipe(n int) error {
	return both(func() error {
		e := compat.NewEncoder(os.Stdout, compat.WithTypes(types()))
		for i := range n {
			if err := e.Encode(sent(i)); err != nil {
				return err
			}
		}
		return os.Stdout.Close()
	}, func() error {
		d := compat.NewDecoder(os.Stdin, compat.WithTypes(types()))
		for i := range n {
			var m message
			if err := d.Decode(&m); err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
			if err := check(i, &m); err != nil {
				return err
			}
		}
		if err := d.Decode(new(message)); err != io.EOF {
			return fmt.Errorf("after the last message: %v", err)
		}
		return nil
	})
}

func channel(n int, out, in string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	w, err := shm.Create[message](out, shm.Options{Slots: 8, SlotSize: 1024, Types: types()})
	if err != nil {
		return err
	}
	r, err := shm.Attach[message](ctx, in, shm.Options{Types: types()})
	if err != nil {
		return err
	}
	<-w.Attached()
	err = both(func() error {
		for i := range n {
			if err := w.Send(ctx, sent(i)); err != nil {
				return err
			}
		}
		return w.Close()
	}, func() error {
		for i := range n {
			m, err := r.Receive(ctx)
			if err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
			var v message
			if i%2 == 0 {
				err = m.Alias(&v)
			} else {
				err = m.Decode(&v)
			}
			if err == nil {
				err = check(i, &v)
			}
			if err = errors.Join(err, m.Release()); err != nil {
				return fmt.Errorf("message %d: %w", i, err)
			}
		}
		if _, err := r.Receive(ctx); err != io.EOF {
			return fmt.Errorf("after the last message: %v", err)
		}
		return nil
	})
	return errors.Join(err, r.Close())
}

func types() *format.Types {
	t := format.NewTypes()
	if err := format.RegisterIn[shape](t, "shape"); err != nil {
		panic(err)
	}
	return t
}

// want is an error if a message is not as it was sent.
func want(i int, got, want any, same bool) error {
	if !same {
		return fmt.Errorf("message %d is %+v, want %+v", i, got, want)
	}
	return nil
}

func text(i int) string { return "text " + strconv.Itoa(i) }

func values(i int) []float64 {
	v := make([]float64, i%7)
	for k := range v {
		v[k] = float64(i) + float64(k)/8
	}
	return v
}

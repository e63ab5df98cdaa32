package suite

import (
	"bytes"
	"errors"
	"net"

	"github.com/ashlar-go/ashlar/format"
)

// gathering adds to Ashlar's library the way that refers to large arrays where
// they lie instead of copying them. What it does copy goes where the case's
// message would lie.
func gathering[T any](l library[T]) library[T] {
	c := format.MustFor[T]()
	l.ways = append(l.ways, way[T]{Serialize, Gather, ashlarForm[T](), false, func(r *run[T]) func() {
		b := r.mem.buf
		var parts net.Buffers
		r.settle = func() {
			whole := bytes.Join(parts, nil)
			want, err := c.Append(nil, r.src)
			must(err)
			if !bytes.Equal(whole, want) {
				panic(errors.New("the parts are not those of the message that Append writes"))
			}
			r.out = r.mem.put(whole) // which overwrites the parts in b
		}
		return func() {
			b.Reset()
			var err error
			parts, err = c.Gather(parts[:0], b, r.src)
			must(err)
		}
	}})
	return l
}

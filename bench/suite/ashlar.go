package suite

import "github.com/ashlar-go/ashlar/format"

// ashlarForm is the form of Ashlar's messages.
func ashlarForm[T any]() *form[T] {
	c := format.MustFor[T]()
	return &form[T]{
		write: func(v *T) ([]byte, error) { return c.Append(nil, v) },
		read:  c.Decode,
	}
}

// ashlarLibrary is the same for every workload. shares says that an aliasing
// decode leaves something in the message.
func ashlarLibrary[T any](shares bool, sum func(*T) uint64) library[T] {
	c := format.MustFor[T]()
	f := ashlarForm[T]()
	return library[T]{Ashlar, []way[T]{
		{Serialize, Contiguous, f, false, func(r *run[T]) func() {
			b := r.mem.buf
			r.settle = func() { r.out = b.Bytes() }
			return func() {
				b.Reset()
				must(c.Encode(b, r.src))
			}
		}},
		{Deserialize, Copy, f, false, func(r *run[T]) func() {
			return func() { must(c.Decode(r.msg, r.dst)) }
		}},
		{Deserialize, Reuse, f, false, func(r *run[T]) func() {
			return func() { must(c.DecodeReuse(r.msg, r.dst)) }
		}},
		{Deserialize, Alias, f, shares, func(r *run[T]) func() {
			return func() { must(c.DecodeAlias(r.msg, r.dst)) }
		}},
		{Traverse, Alias, f, false, func(r *run[T]) func() {
			return func() {
				must(c.DecodeAlias(r.msg, r.dst))
				r.sum = sum(r.dst)
			}
		}},
	}}
}

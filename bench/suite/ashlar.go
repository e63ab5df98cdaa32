package suite

import "github.com/ashlar-go/ashlar/format"

// ashlarForm is the form of Ashlar's messages.
func ashlarForm[T any](opts ...format.Option) *form[T] {
	c := format.MustFor[T](opts...)
	return &form[T]{
		write: func(v *T) ([]byte, error) { return c.Append(nil, v) },
		read:  c.Decode,

		copiesBools: true,
	}
}

// ashlarLibrary is the same for every workload. shares says that an aliasing
// decode leaves something in the message.
func ashlarLibrary[T any](shares bool, sum func(*T) uint64, opts ...format.Option) library[T] {
	c, shared := format.MustFor[T](opts...), format.MustFor[T](append(opts, format.WithShared())...)
	of := func(r *run[T]) *format.Codec[T] {
		if r.mem.kind == Shm {
			return shared
		}
		return c
	}
	f := ashlarForm[T](opts...)
	return library[T]{Ashlar, []way[T]{
		{Serialize, Contiguous, f, false, func(r *run[T]) func() {
			if r.mem.kind == Shm {
				return ashlarLoan(r)
			}
			b := r.mem.buf
			r.settle = func() { r.out = b.Bytes() }
			return func() {
				b.Reset()
				must(c.Encode(b, r.src))
			}
		}},
		{Deserialize, Copy, f, false, func(r *run[T]) func() {
			c := of(r)
			return func() { must(c.Decode(r.msg, r.dst)) }
		}},
		{Deserialize, Reuse, f, false, func(r *run[T]) func() {
			c := of(r)
			return func() { must(c.DecodeReuse(r.msg, r.dst)) }
		}},
		{Deserialize, Alias, f, shares, func(r *run[T]) func() {
			c := of(r)
			return func() { must(c.DecodeAlias(r.msg, r.dst)) }
		}},
		{Traverse, Alias, f, false, func(r *run[T]) func() {
			c := of(r)
			return func() {
				must(c.DecodeAlias(r.msg, r.dst))
				r.sum = sum(r.dst)
			}
		}},
	}}
}

// ashlarLoan serializes into a channel's slot, which it gives up before the next
// time instead of committing it.
func ashlarLoan[T any](r *run[T]) func() {
	ch, err := newChannel[T](len(r.mem.all))
	must(err)
	loan, err := ch.w.Loan(forever)
	must(err)
	r.mem.closers = append(r.mem.closers, func() error {
		loan.Abort() // or it was committed
		return ch.close()
	})
	// The message is received, so as to see it, and copied to where others write.
	r.settle = func() {
		must(loan.Commit())
		m, err := ch.r.Receive(forever)
		must(err)
		r.out = r.mem.put(m.Bytes())
		must(m.Release())
		loan, err = ch.w.Loan(forever)
		must(err)
	}
	return func() {
		must(loan.Abort())
		var err error
		loan, err = ch.w.Loan(forever)
		must(err)
		must(loan.Encode(r.src))
	}
}

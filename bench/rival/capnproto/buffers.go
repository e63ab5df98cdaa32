package capnproto

import (
	"bytes"

	capnp "capnproto.org/go/capnp/v3"

	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteBuffers sets buffer by buffer.
func (b *Builder) WriteBuffers(v *workload.Buffers) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if err := setBuffers(seg, *v); err != nil {
		return nil, err
	}
	return b.msg.Marshal()
}

// WriteBuffersExpert does the same where the message is to lie: Set copies in
// bulk as it is.
func (b *BuilderOver) WriteBuffersExpert(v *workload.Buffers) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if err := setBuffers(seg, *v); err != nil {
		return nil, err
	}
	return b.finish(seg), nil
}

func setBuffers(seg *capnp.Segment, v workload.Buffers) error {
	x, err := cps.NewRootBuffers(seg)
	if err != nil {
		return err
	}
	list, err := x.NewBuffers(int32(len(v)))
	if err != nil {
		return err
	}
	for i, p := range v {
		if err := list.Set(i, p); err != nil {
			return err
		}
	}
	return nil
}

// ReadBuffers copies what At returns.
func ReadBuffers(msg []byte, v *workload.Buffers) error {
	x, err := root(msg, cps.ReadRootBuffers)
	if err != nil {
		return err
	}
	list, err := x.Buffers()
	if err != nil {
		return err
	}
	*v = make(workload.Buffers, list.Len())
	for i := range *v {
		p, err := list.At(i)
		if err != nil {
			return err
		}
		(*v)[i] = bytes.Clone(p)
	}
	return nil
}

// ReadBuffersExpert copies the message and views the copy.
func ReadBuffersExpert(msg []byte, v *workload.Buffers) {
	*v = nil
	ViewBuffers(bytes.Clone(msg), v)
}

// ViewBuffers makes v's buffers point into the message; v itself is reused.
func ViewBuffers(msg []byte, v *workload.Buffers) {
	s := segment(msg[header:])
	_, at := s.object(0)
	from, n := s.pointers(at)
	if cap(*v) < n {
		*v = make(workload.Buffers, n)
	}
	*v = (*v)[:n]
	for i := range *v {
		(*v)[i], _ = s.list(from + i*8)
	}
}

// SumBuffers sums the bytes that At returns.
func SumBuffers(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootBuffers)
	if err != nil {
		return 0, err
	}
	list, err := x.Buffers()
	if err != nil {
		return 0, err
	}
	var s uint64
	for i, n := 0, list.Len(); i < n; i++ {
		p, err := list.At(i)
		if err != nil {
			return 0, err
		}
		s += workload.SumBytes(p)
	}
	return s, nil
}

// SumBuffersExpert sums views.
func SumBuffersExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	_, at := s.object(0)
	from, n := s.pointers(at)
	var sum uint64
	for i := range n {
		b, _ := s.list(from + i*8)
		sum += workload.SumBytes(b)
	}
	return sum
}

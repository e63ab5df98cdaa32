package suite

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers"
)

// A Case is one measurement.
type Case struct {
	Name
	prepare func() (*Prepared, error)
}

// Prepare makes the workload, the memory and the message that the case needs.
// The error is errors.ErrUnsupported where the system has no such memory.
func (c Case) Prepare() (*Prepared, error) {
	p, err := c.prepare()
	if err != nil {
		return nil, fmt.Errorf("%v: %w", c.Name, err)
	}
	p.name = c.Name
	return p, nil
}

// A Prepared case is ready to run.
type Prepared struct {
	Op    func() // one operation
	Bytes int    // length of the message, which depends on the library

	// Message is the message of the value, in memory of its own.
	Message []byte

	name  Name
	check func() error
	alter func() // makes what Op works on differ from what check wants
	close func()
}

// Check runs the operation, twice since much is reused, and says in which way
// its result is not what it should be.
func (p *Prepared) Check() (err error) {
	defer func() {
		if e := recover(); e != nil { // an operation failed, or a rival found a bad message
			err = fmt.Errorf("%v: %v", p.name, e)
		}
	}()
	for range 2 {
		p.Op()
		if err := p.check(); err != nil {
			return fmt.Errorf("%v: %w", p.name, err)
		}
	}
	return nil
}

// Close gives back memory outside the Go heap. The case cannot run any more.
func (p *Prepared) Close() { p.close() }

// All returns every case, ordered by group.
func All() []Case {
	var all []Case
	for _, op := range []string{Serialize, Deserialize, RoundTrip, Traverse} {
		for _, kind := range []string{Heap, OffHeap, Mmap, Shm} {
			all = append(all, arrays.cases(op, kind)...)
			all = append(all, buffers.cases(op, kind)...)
			all = append(all, bufferStruct.cases(op, kind)...)
			if kind == Heap || kind == OffHeap {
				all = append(all, structs.cases(op, kind)...)
				all = append(all, structModes(op, kind)...)
				all = append(all, structs2.cases(op, kind)...)
				all = append(all, structs2Nil.cases(op, kind)...)
				all = append(all, media.cases(op, kind)...)
				all = append(all, mediaRefs(op, kind)...)
				all = append(all, mediaModes(op, kind)...)
				all = append(all, sample.cases(op, kind)...)
				all = append(all, sampleRefs(op, kind)...)
				all = append(all, sampleModes(op, kind)...)
				all = append(all, mapCases(op, kind)...)
				all = append(all, car.cases(op, kind)...)
				all = append(all, carLarge.cases(op, kind)...)
				all = append(all, complexes.cases(op, kind)...)
				all = append(all, programme.cases(op, kind)...)
				all = append(all, programmes.cases(op, kind)...)
			}
		}
	}
	for _, kind := range []string{Heap, OffHeap} {
		all = append(all, structFieldCases(kind)...)
		all = append(all, mediaFieldCases(kind)...)
		all = append(all, galleryFieldCases(kind)...)
		all = append(all, built.cases(Build, kind)...)
	}
	all = append(all, media.cases(Create, Heap)...)
	return all
}

// A subject is a workload and how the libraries handle it.
type subject[T any] struct {
	bench, data string
	sizes       []int  // nil: it has but one
	kind        string // of Maps: the level type
	refs        bool   // of Objects: shared references tracked
	mode        string // of Objects: empty is Consistent
	make        func(n int) *T
	alter       func(*T) // changes the value, but not the lengths in it
	equal       func(a, b *T) bool
	sum         func(*T) uint64
	lose        func(*T) // of Evolved: takes out what the writer's version has not
	// parts calls visit with the memory that an alias of the value shares, and
	// says of what are bools.
	parts func(v *T, visit func(p []byte, bools bool))
	libs  []library[T]
}

// A library is what one library can do with one workload.
type library[T any] struct {
	name string
	ways []way[T]
}

// A way is one way to do an operation.
type way[T any] struct {
	op, name string
	form     *form[T]
	// shares says that the result of a read lies in the message.
	shares bool
	prepare[T]
}

// prepare returns the operation on what the run holds. It panics on errors that
// the run must not have.
type prepare[T any] func(r *run[T]) func()

// A form is a library's message for a workload. It makes the messages that the
// reads work on, and reads those that are written, to check them.
type form[T any] struct {
	write func(*T) ([]byte, error)
	read  func([]byte, *T) error
	// copiesBools says that an alias of shared memory has bools of its own.
	copiesBools bool
}

// A run is what one operation works on.
type run[T any] struct {
	mem *memory // where the message is to lie, or lies
	src *T      // what to serialize
	msg []byte  // what to deserialize or to traverse

	out []byte // the message that an operation finished
	dst *T     // the value that an operation read
	sum uint64 // the sum that it found

	// settle completes the results above, where doing so in the operation
	// itself would be unfair.
	settle func()
}

// cases lists what the libraries do for one operation in one kind of memory.
func (s *subject[T]) cases(op, kind string) []Case {
	if op == RoundTrip && (s.mode != "" || s.refs || s.bench == Maps || kind != Heap && kind != OffHeap) {
		return nil // both halves are there
	}
	sizes := s.sizes
	if sizes == nil {
		sizes = []int{0}
	}
	var cases []Case
	for _, n := range sizes {
		for _, lib := range s.libs {
			ways := lib.ways
			if op == RoundTrip && lib.name != Memmove {
				ways = roundTrips(lib.ways)
			}
			for _, w := range ways {
				if w.op != op || (w.name == Gather || w.name == View) && kind == Shm { // a slot takes whole messages, and there bools are not viewed
					continue
				}
				name := Name{Bench: s.bench, Op: op, Data: s.data, Type: s.kind, N: n, Buffer: kind, Way: w.name, Lib: lib.name}
				if s.bench == Objects {
					name.Refs, name.Mode = RefsOff, cmp.Or(s.mode, Consistent)
					if s.refs {
						name.Refs = RefsOn
					}
				}
				cases = append(cases, Case{name, func() (*Prepared, error) { return s.prepare(name, w) }})
			}
		}
	}
	return cases
}

func (s *subject[T]) prepare(name Name, w way[T]) (*Prepared, error) {
	r := &run[T]{src: s.make(name.N), dst: new(T)}
	want := s.make(name.N)
	if s.lose != nil {
		s.lose(want)
	}
	msg, err := w.form.write(r.src)
	if err != nil {
		return nil, err
	}
	if r.mem, err = newMemory(name.Buffer, len(msg)+flatbuffers.Slack); err != nil {
		return nil, err
	}
	p := &Prepared{Bytes: len(msg), Message: bytes.Clone(msg), close: r.mem.close}
	switch name.Op {
	case Serialize:
		p.alter = func() { s.alter(r.src) }
		p.check = func() error { return s.checkMessage(r, w, want) }
	case Build:
		p.alter = func() { s.alter(want) }
		p.check = func() error { return s.checkMessage(r, w, want) }
	case Create:
		p.alter = func() { s.alter(want) }
		p.check = func() error {
			err := s.checkValue(r, w, want)
			r.dst = new(T)
			return err
		}
	case RoundTrip:
		p.alter = func() { s.alter(r.src) }
		p.check = func() error {
			err := s.checkValue(r, w, want)
			clear(r.msg) // so that the next check cannot pass on what is there now
			*r.dst = *new(T)
			return err
		}
	default:
		if r.msg, err = r.mem.show(msg); err != nil {
			r.mem.close()
			return nil, err
		}
		p.alter = func() {
			s.alter(r.src)
			msg, err := w.form.write(r.src)
			must(err)
			_, err = r.mem.show(msg)
			must(err)
		}
		p.check = func() error { return s.checkValue(r, w, want) }
		if name.Op == Traverse || name.Op == Field {
			p.check = func() error { return s.checkSum(r, want) }
		}
	}
	p.Op = w.prepare(r)
	return p, nil
}

func (r *run[T]) settled() {
	if r.settle != nil {
		r.settle()
	}
}

// checkMessage says what is wrong with a message that was written.
func (s *subject[T]) checkMessage(r *run[T], w way[T], want *T) error {
	r.settled()
	if !r.mem.local && !r.mem.holds(r.out) {
		return errors.New("the message does not lie in the off-heap memory")
	}
	got := new(T)
	if err := w.form.read(r.out, got); err != nil {
		return err
	}
	clear(r.out) // so that the next check cannot pass on what is there now
	return s.compare(want, got)
}

// checkValue says what is wrong with a value that was read.
func (s *subject[T]) checkValue(r *run[T], w way[T], want *T) error {
	var misplaced error
	s.parts(r.dst, func(p []byte, bools bool) {
		want := w.shares && !(bools && w.form.copiesBools && r.mem.kind == Shm)
		if len(p) != 0 && r.mem.holds(p) != want {
			misplaced = fmt.Errorf("%d bytes of the value lie in the message: %v, want %v", len(p), !want, want)
		}
	})
	r.settled()
	if err := s.compare(want, r.dst); err != nil {
		return err
	}
	return misplaced
}

// checkSum says what is wrong with a sum.
func (s *subject[T]) checkSum(r *run[T], want *T) error {
	r.settled()
	if want := s.sum(want); r.sum != want {
		return fmt.Errorf("the sum is %#x, want %#x", r.sum, want)
	}
	r.sum = 0
	return nil
}

// compare says how got differs from want.
func (s *subject[T]) compare(want, got *T) error {
	if s.equal(want, got) {
		return nil
	}
	const most = 2000
	diff := gocmp.Diff(want, got)
	if len(diff) > most {
		diff = diff[:most] + "..."
	}
	return fmt.Errorf("the value differs (-want +got):\n%s", diff)
}

// must panics on an error of an operation that Check has seen succeed.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

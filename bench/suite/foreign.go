package suite

import (
	"bytes"
	"slices"

	"github.com/ashlar-go/ashlar/bench/workload"
)

// A Codec is how a library from elsewhere turns the values of a workload into messages and back.
type Codec[T any] struct {
	Lib string // such as msgpack
	Way string // Known, Described, or Alias where what is read lies in the message
	// Encode returns the message of v. Its memory may be used again by the next call.
	Encode func(v *T) ([]byte, error)
	// Decode makes *v, which is zero, what the message says. But with Alias it shares nothing with msg.
	Decode func(msg []byte, v *T) error
}

// Foreign are libraries from elsewhere, by the workload that they have been taught.
type Foreign struct {
	Arrays       []Codec[workload.ArraysData]
	Buffers      []Codec[workload.Buffers]
	Struct       []Codec[workload.Struct]
	Struct2      []Codec[workload.Struct2]
	MediaContent []Codec[workload.MediaContent]
	Sample       []Codec[workload.Sample]
	Car          []Codec[workload.Car] // and CAR_LARGE
	Complex      []Codec[workload.Complex]
	TV           []Codec[workload.Programme]
	TVCatalogue  []Codec[workload.Catalogue]
}

// Cases returns what is measured of them on the Go heap, with Ashlar and a memmove beside them in each group:
// serialize, deserialize and both, and how long the value of MEDIA_CONTENT itself takes.
func (f *Foreign) Cases() []Case {
	var all []Case
	for _, op := range []string{Serialize, Deserialize, RoundTrip} {
		all = append(all, beside(arrays, f.Arrays).cases(op, Heap)...)
		all = append(all, beside(buffers, f.Buffers).cases(op, Heap)...)
		all = append(all, beside(structs, f.Struct).cases(op, Heap)...)
		all = append(all, beside(structs2, f.Struct2).cases(op, Heap)...)
		all = append(all, beside(media, f.MediaContent).cases(op, Heap)...)
		all = append(all, beside(sample, f.Sample).cases(op, Heap)...)
		all = append(all, beside(car, f.Car).cases(op, Heap)...)
		all = append(all, beside(carLarge, f.Car).cases(op, Heap)...)
		all = append(all, beside(complexes, f.Complex).cases(op, Heap)...)
		all = append(all, beside(programme, f.TV).cases(op, Heap)...)
		all = append(all, beside(programmes, f.TVCatalogue).cases(op, Heap)...)
	}
	return append(all, media.cases(Create, Heap)...)
}

// beside is a subject with other libraries, beside Ashlar and a memmove.
func beside[T any](s *subject[T], codecs []Codec[T]) *subject[T] {
	own := *s
	own.libs = slices.DeleteFunc(slices.Clone(s.libs), func(l library[T]) bool { return l.name != Ashlar && l.name != Memmove })
	for _, c := range codecs {
		own.libs = append(own.libs, c.library())
	}
	return &own
}

func (c Codec[T]) library() library[T] {
	f := &form[T]{
		write: func(v *T) ([]byte, error) {
			msg, err := c.Encode(v)
			return bytes.Clone(msg), err
		},
		read: func(msg []byte, v *T) error { return c.Decode(bytes.Clone(msg), v) }, // which v may lie in
	}
	return library[T]{c.Lib, []way[T]{
		{Serialize, c.Way, f, false, func(r *run[T]) func() {
			return func() { r.out = must1(c.Encode(r.src)) }
		}},
		{Deserialize, c.Way, f, c.Way == Alias, func(r *run[T]) func() {
			return func() {
				*r.dst = *new(T)
				must(c.Decode(r.msg, r.dst))
			}
		}},
	}}
}

// roundTrips are the ways of RoundTrip that follow from those of a library: what one writes and another reads.
func roundTrips[T any](ways []way[T]) []way[T] {
	find := func(op string, names ...string) (w way[T], ok bool) {
		i := slices.IndexFunc(ways, func(w way[T]) bool { return w.op == op && slices.Contains(names, w.name) })
		if i < 0 {
			return w, false
		}
		return ways[i], true
	}
	var both []way[T]
	for _, name := range []string{Copy, Documented, Expert, Known, Described, Alias} {
		write, ok := find(Serialize, name)
		shares := name != Alias // else the message is in memory of the library's own
		if !ok && (name == Copy || name == Alias) {
			write, ok = find(Serialize, Contiguous)
			shares = true
		}
		read, and := find(Deserialize, name)
		if !ok || !and {
			continue
		}
		both = append(both, way[T]{RoundTrip, name, read.form, read.shares && shares, func(r *run[T]) func() {
			there := *r
			put := write.prepare(&there)
			get := read.prepare(r)
			settle := there.settle
			return func() {
				put()
				if settle != nil {
					settle()
				}
				r.msg = there.out
				get()
			}
		}})
	}
	return both
}

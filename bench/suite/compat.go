package suite

import (
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/buffer"
	"github.com/ashlar-go/ashlar/compat"
	"github.com/ashlar-go/ashlar/format"
)

// inModes are the cases of a subject where readers may meet other schemas.
func inModes[T any](s *subject[T], shares bool) func(op, kind string) []Case {
	in := func(mode string, lib library[T]) *subject[T] {
		other := *s
		other.mode, other.libs = mode, []library[T]{lib}
		return &other
	}
	modes := []*subject[T]{in(Compatible, compatLibrary[T](shares))}
	for _, mode := range versions {
		other := in(mode, evolvedLibrary[T](mode, shares))
		other.lose = func(v *T) { lose(mode, v) }
		modes = append(modes, other)
	}
	return func(op, kind string) (all []Case) {
		for _, s := range modes {
			all = append(all, s.cases(op, kind)...)
		}
		return all
	}
}

var (
	structModes = inModes(structs, false)
	mediaModes  = inModes(media, true)
	sampleModes = inModes(sample, true)
)

// compatLibrary is Ashlar where a reader may meet other schemas than its own: what
// it costs when it does not.
func compatLibrary[T any](shares bool) library[T] {
	read := readers[T](compat.NewRegistry(compat.Limits{}))
	f := ashlarForm[T]()
	write := way[T]{Serialize, Contiguous, f, false, func(r *run[T]) func() {
		b := r.mem.buf
		e := compat.NewEncoder(inBuffer{b}, compat.WithoutDescriptions())
		r.settle = func() { r.out = b.Bytes() }
		return func() {
			b.Reset()
			must(e.Encode(r.src))
		}
	}}
	return library[T]{Ashlar, append(readerWays(read, f, shares), write)}
}

// evolvedLibrary is Ashlar where the messages are of a writer whose types are other
// versions.
func evolvedLibrary[T any](mode string, shares bool) library[T] {
	writer := must1(format.AnyFor(version(mode, reflect.TypeFor[T](), nil)))
	registry := compat.NewRegistry(compat.Limits{})
	must(registry.Add(writer.Description()))
	read := readers[T](registry)
	f := &form[T]{
		write:       func(v *T) ([]byte, error) { return writer.Append(nil, older(mode, v).Interface()) },
		read:        read(Heap).Decode,
		copiesBools: true,
	}
	return library[T]{Ashlar, readerWays(read, f, shares)}
}

// readers returns the readers for the kinds of memory.
func readers[T any](r *compat.Registry) func(kind string) *compat.Reader[T] {
	own, shared := must1(compat.For[T](r)), must1(compat.For[T](r, compat.WithShared()))
	return func(kind string) *compat.Reader[T] {
		if kind == Shm {
			return shared
		}
		return own
	}
}

func readerWays[T any](read func(kind string) *compat.Reader[T], f *form[T], shares bool) []way[T] {
	return []way[T]{
		{Deserialize, Copy, f, false, func(r *run[T]) func() {
			c := read(r.mem.kind)
			return func() { must(c.Decode(r.msg, r.dst)) }
		}},
		{Deserialize, Reuse, f, false, func(r *run[T]) func() {
			c := read(r.mem.kind)
			return func() { must(c.DecodeReuse(r.msg, r.dst)) }
		}},
		{Deserialize, Alias, f, shares, func(r *run[T]) func() {
			c := read(r.mem.kind)
			return func() { must(c.DecodeAlias(r.msg, r.dst)) }
		}},
	}
}

// evolving adds the aliasing decode of arrays that a writer of another version
// wrote, whose elements are the same.
func evolving(lib library[workload.ArraysData]) library[workload.ArraysData] {
	for _, w := range evolvedLibrary[workload.ArraysData](Evolved, true).ways {
		if w.op == Deserialize && w.name == Alias {
			w.name = EvolvedAlias
			lib.ways = append(lib.ways, w)
		}
	}
	return lib
}

// version is the type that a writer of another version has for t: in every struct is
// changed what the mode says. Structs
// of one or two fields have theirs, and one of five lacks none, for all that
// PRIMITIVE_ARRAY has is to be there.
func version(mode string, t reflect.Type, within []reflect.Type) reflect.Type {
	for _, outer := range within {
		if t == outer { // reflect makes no type that holds itself
			return t
		}
	}
	within = append(within, t)
	switch t.Kind() {
	case reflect.Pointer:
		return reflect.PointerTo(version(mode, t.Elem(), within))
	case reflect.Slice:
		return reflect.SliceOf(version(mode, t.Elem(), within))
	case reflect.Struct:
		var fields []reflect.StructField
		for i := range t.NumField() {
			f := t.Field(i)
			fields = append(fields, reflect.StructField{Name: f.Name, Type: version(mode, f.Type, within)})
		}
		if n := len(fields); n > 2 {
			if mode == Swapped || mode == Evolved {
				fields[1], fields[n-2] = fields[n-2], fields[1]
			}
			if at := n/2 - 1; n > 5 && (mode == Added || mode == Evolved) {
				fields = slices.Delete(fields, at, at+1)
			}
			if mode == Removed || mode == Evolved {
				fields = slices.Insert(fields, n/3, reflect.StructField{Name: "Gone", Type: reflect.TypeFor[int64]()})
			}
		}
		return reflect.StructOf(fields)
	}
	return t
}

// older is the value of the other version that has what *v has.
func older[T any](mode string, v *T) reflect.Value {
	out := reflect.New(version(mode, reflect.TypeFor[T](), nil))
	convert(reflect.ValueOf(v).Elem(), out.Elem())
	return out
}

// lose takes out of v what gets lost on its way through the other version.
func lose[T any](mode string, v *T) {
	from := older(mode, v)
	*v = *new(T)
	convert(from.Elem(), reflect.ValueOf(v).Elem())
}

// convert fills out with what of in has the same name.
func convert(in, out reflect.Value) {
	switch {
	case in.Type() == out.Type():
		out.Set(in)
	case in.Kind() == reflect.Struct:
		for i := range out.NumField() {
			if f := in.FieldByName(out.Type().Field(i).Name); f.IsValid() {
				convert(f, out.Field(i))
			}
		}
	case in.Kind() == reflect.Pointer && !in.IsNil():
		out.Set(reflect.New(out.Type().Elem()))
		convert(in.Elem(), out.Elem())
	case in.Kind() == reflect.Slice && !in.IsNil():
		out.Set(reflect.MakeSlice(out.Type(), in.Len(), in.Len()))
		for i := range in.Len() {
			convert(in.Index(i), out.Index(i))
		}
	}
}

// inBuffer writes to a buffer.
type inBuffer struct{ *buffer.Buffer }

func (b inBuffer) Write(p []byte) (int, error) {
	room, err := b.Extend(len(p))
	return copy(room, p), err
}

func must1[T any](v T, err error) T {
	must(err)
	return v
}

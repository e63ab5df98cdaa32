package suite

import (
	"math"
	"reflect"

	cpr "github.com/ashlar-go/ashlar/bench/rival/capnproto"
	fbr "github.com/ashlar-go/ashlar/bench/rival/flatbuffers"
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
)

// op=field reads one field of a message, from its bytes on: the check of the header or the root is part of it.

// A field is one that is read, and how the libraries do it.
type field[T any] struct {
	name         string
	want         func(*T) uint64
	ashlar       func(c *format.Codec[T]) func(msg []byte) uint64 // in a view of c's
	fb, fbExpert func(msg []byte) uint64
	cp           func(msg []byte) (uint64, error)
	cpExpert     func(msg []byte) uint64
}

var structFields = []field[workload.Struct]{
	{"F49", func(v *workload.Struct) uint64 { return uint64(v.F49) }, ashlarF49,
		fbr.F49, fbr.F49Expert, cpr.F49, cpr.F49Expert},
	{"F52", func(v *workload.Struct) uint64 { return math.Float64bits(v.F52) }, ashlarF52,
		fbr.F52, fbr.F52Expert, cpr.F52, cpr.F52Expert},
}

var mediaFields = []field[workload.MediaContent]{
	{"Media.URI", func(v *workload.MediaContent) uint64 { return workload.TextSum(v.Media.URI) }, ashlarURI,
		fbr.MediaURI, fbr.MediaURIExpert, cpr.MediaURI, cpr.MediaURIExpert},
	{"Media.Duration", func(v *workload.MediaContent) uint64 { return uint64(v.Media.Duration) }, ashlarDuration,
		fbr.MediaDuration, fbr.MediaDurationExpert, cpr.MediaDuration, cpr.MediaDurationExpert},
	imageWidth("Images[2].Width", 2),
}

var galleryFields = []field[workload.MediaContent]{
	imageWidth(FirstImage, 0), imageWidth(LastImage, workload.Gallery-1),
}

// imageWidth reads the width of the i-th image.
func imageWidth(name string, i int) field[workload.MediaContent] {
	return field[workload.MediaContent]{name, func(v *workload.MediaContent) uint64 { return uint64(v.Images[i].Width) },
		ashlarWidth(i),
		func(msg []byte) uint64 { return fbr.ImageWidth(msg, i) },
		func(msg []byte) uint64 { return fbr.ImageWidthExpert(msg, i) },
		func(msg []byte) (uint64, error) { return cpr.ImageWidth(msg, i) },
		func(msg []byte) uint64 { return cpr.ImageWidthExpert(msg, i) }}
}

// The handles, made once, as a program keeps them.
var (
	structCodec = format.MustFor[workload.Struct]()
	mediaCodec  = format.MustFor[workload.MediaContent]()

	f49      = format.MustField[int32](structCodec, "F49")
	f52      = format.MustField[float64](structCodec, "F52")
	uri      = format.MustField[string](mediaCodec, "Media.URI")
	duration = format.MustField[int64](mediaCodec, "Media.Duration")
	width    = format.MustField[int32](mediaCodec, "Images[].Width")
)

func ashlarF49(c *format.Codec[workload.Struct]) func([]byte) uint64 {
	return func(msg []byte) uint64 {
		v, err := c.View(msg)
		must(err)
		x, err := f49.Get(v)
		must(err)
		return uint64(x)
	}
}

func ashlarF52(c *format.Codec[workload.Struct]) func([]byte) uint64 {
	return func(msg []byte) uint64 {
		v, err := c.View(msg)
		must(err)
		x, err := f52.Get(v)
		must(err)
		return math.Float64bits(x)
	}
}

func ashlarURI(c *format.Codec[workload.MediaContent]) func([]byte) uint64 {
	return func(msg []byte) uint64 {
		v, err := c.View(msg)
		must(err)
		s, err := uri.Get(v)
		must(err)
		return workload.TextSum(s)
	}
}

func ashlarDuration(c *format.Codec[workload.MediaContent]) func([]byte) uint64 {
	return func(msg []byte) uint64 {
		v, err := c.View(msg)
		must(err)
		x, err := duration.Get(v)
		must(err)
		return uint64(x)
	}
}

func ashlarWidth(i int) func(c *format.Codec[workload.MediaContent]) func([]byte) uint64 {
	return func(c *format.Codec[workload.MediaContent]) func([]byte) uint64 {
		return func(msg []byte) uint64 {
			v, err := c.View(msg)
			must(err)
			x, err := width.Get(v, i)
			must(err)
			return uint64(x)
		}
	}
}

var gallery = &subject[workload.MediaContent]{
	bench: Objects,
	data:  Media100K,
	make:  func(int) *workload.MediaContent { return workload.NewGallery() },
}

// fieldCases are those of the fields of one subject, for which the rivals' messages have the forms fb and cp.
func fieldCases[T any](s *subject[T], fields []field[T], fb, cp *form[T], modes ...string) func(kind string) []Case {
	var all []*subject[T]
	add := func(f field[T], mode string, libs ...library[T]) {
		one := *s
		one.kind, one.mode, one.sum, one.libs = f.name, mode, f.want, libs
		one.alter = alterAll[T]
		all = append(all, &one)
	}
	own := ashlarForm[T]()
	for _, f := range fields {
		add(f, Consistent, library[T]{Ashlar, []way[T]{viewField(f, own, format.MustFor[T]())}},
			library[T]{FlatBuffers, []way[T]{
				{Field, Documented, fb, false, summing[T](f.fb)}, {Field, Expert, fb, false, summing[T](f.fbExpert)}}},
			library[T]{CapnProto, []way[T]{
				{Field, Documented, cp, false, summing[T](func(msg []byte) uint64 { return must1(f.cp(msg)) })},
				{Field, Expert, cp, false, summing[T](f.cpExpert)}}})
		for _, mode := range modes {
			if lost := s.make(0); f.want(lost) != 0 {
				if lose(mode, lost); f.want(lost) == 0 {
					continue // that writer does not have it
				}
			}
			writer := must1(format.AnyFor(version(mode, reflect.TypeFor[T](), nil)))
			form := &form[T]{write: func(v *T) ([]byte, error) { return writer.Append(nil, older(mode, v).Interface()) }}
			add(f, mode, library[T]{Ashlar, []way[T]{
				viewField(f, form, must1(format.EvolvedFor[T](writer.Description(), format.SchemaLimits{})))}})
		}
	}
	return func(kind string) (cases []Case) {
		for _, s := range all {
			cases = append(cases, s.cases(Field, kind)...)
		}
		return cases
	}
}

// viewField reads a field through a view of c's; the handle is for T's own schema.
func viewField[T any](f field[T], form *form[T], c *format.Codec[T]) way[T] {
	return way[T]{Field, View, form, false, summing[T](f.ashlar(c))}
}

// summing is the operation that makes a sum of the message.
func summing[T any](sum func(msg []byte) uint64) prepare[T] {
	return func(r *run[T]) func() { return func() { r.sum = sum(r.msg) } }
}

// alterAll changes every number and text of a value, but no length.
func alterAll[T any](v *T) { alterValue(reflect.ValueOf(v).Elem()) }

func alterValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Int32, reflect.Int64:
		v.SetInt(v.Int() ^ 1)
	case reflect.Float32, reflect.Float64:
		v.SetFloat(v.Float() + 1)
	case reflect.String:
		if s := []byte(v.String()); len(s) > 0 {
			s[len(s)-1] ^= 1
			v.SetString(string(s))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			alterValue(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			alterValue(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			alterValue(v.Field(i))
		}
	}
}

var (
	structFieldCases  = fieldCases(structs, structFields, documentedForm(flatbuffersStruct()), documentedForm(capnprotoStruct()), versions...)
	mediaFieldCases   = fieldCases(media, mediaFields, documentedForm(flatbuffersMedia()), documentedForm(capnprotoMedia()), versions...)
	galleryFieldCases = fieldCases(gallery, galleryFields, documentedForm(flatbuffersMedia()), documentedForm(capnprotoMedia()))
)

// versions are the modes in which the writer's type is another version.
var versions = append([]string{Evolved}, Edits...)

// documentedForm is the form of the messages that a library's documented use makes.
func documentedForm[T any](lib library[T]) *form[T] { return lib.ways[0].form }

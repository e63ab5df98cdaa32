package flatbuffers

import (
	"bytes"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteMediaExpert writes the fixed fields of each object as one struct, which
// leaves half as many slots in the vtables, and allocates nothing.
func (b *Builder) WriteMediaExpert(v *workload.MediaContent) []byte {
	b.Reset()
	media := b.mediaExpert(v.Media)
	offsets := b.offsets[:0]
	for _, im := range v.Images {
		var of fb.UOffsetT
		if im.Media != nil {
			b.offsets = offsets // mediaExpert appends behind what is in use
			of = b.mediaExpert(im.Media)
		}
		uri, title := b.CreateString(im.URI), b.optional(im.Title)
		fbs.ImageExpertStart(&b.Builder)
		fbs.ImageExpertAddMedia(&b.Builder, of)
		fbs.ImageExpertAddTitle(&b.Builder, title)
		fbs.ImageExpertAddUri(&b.Builder, uri)
		fbs.ImageExpertAddFixed(&b.Builder, fbs.CreateImageFixed(&b.Builder, im.Width, im.Height, fbs.Size(im.Size)))
		offsets = append(offsets, fbs.ImageExpertEnd(&b.Builder))
	}
	b.offsets = offsets[:0]
	images := b.vectorOf(offsets)
	fbs.MediaContentExpertStart(&b.Builder)
	fbs.MediaContentExpertAddMedia(&b.Builder, media)
	fbs.MediaContentExpertAddImages(&b.Builder, images)
	b.Finish(fbs.MediaContentExpertEnd(&b.Builder))
	return b.FinishedBytes()
}

func (b *Builder) mediaExpert(v *workload.Media) fb.UOffsetT {
	used := len(b.offsets)
	for _, p := range v.Persons {
		b.offsets = append(b.offsets, b.CreateString(p))
	}
	persons := b.vectorOf(b.offsets[used:])
	b.offsets = b.offsets[:used]
	uri, title, format, copyright := b.CreateString(v.URI), b.optional(v.Title), b.CreateString(v.Format), b.optional(v.Copyright)
	fbs.MediaExpertStart(&b.Builder)
	fbs.MediaExpertAddCopyright(&b.Builder, copyright)
	fbs.MediaExpertAddPersons(&b.Builder, persons)
	fbs.MediaExpertAddFormat(&b.Builder, format)
	fbs.MediaExpertAddTitle(&b.Builder, title)
	fbs.MediaExpertAddUri(&b.Builder, uri)
	fbs.MediaExpertAddFixed(&b.Builder, fbs.CreateMediaFixed(&b.Builder,
		v.Duration, v.Size, v.Width, v.Height, v.Bitrate, v.HasBitrate, fbs.Player(v.Player)))
	return fbs.MediaExpertEnd(&b.Builder)
}

// ReadMediaExpert copies the message once and lets all strings lie in the copy.
func ReadMediaExpert(msg []byte, v *workload.MediaContent) {
	*v = workload.MediaContent{}
	ViewMedia(bytes.Clone(msg), v)
}

// ViewMedia makes v's strings point into the message; the objects that v holds
// are reused.
func ViewMedia(msg []byte, v *workload.MediaContent) {
	var x fbs.MediaContentExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	var m fbs.MediaExpert
	viewMedia(x.Media(&m), &v.Media)
	n := x.ImagesLength()
	if len(v.Images) != n {
		images := make([]workload.Image, n)
		v.Images = make([]*workload.Image, n)
		for i := range images {
			v.Images[i] = &images[i]
		}
	}
	var x1 fbs.ImageExpert
	var fixed fbs.ImageFixed
	for i, im := range v.Images {
		x.Images(&x1, i)
		im.URI = raw.String(x1.Uri())
		viewOptional(x1.Title(), &im.Title)
		x1.Fixed(&fixed)
		im.Width, im.Height, im.Size = fixed.Width(), fixed.Height(), workload.Size(fixed.Size())
		viewMedia(x1.Media(&m), &im.Media)
	}
}

func viewMedia(x *fbs.MediaExpert, v **workload.Media) {
	if x == nil {
		*v = nil
		return
	}
	if *v == nil {
		*v = new(workload.Media)
	}
	m := *v
	var fixed fbs.MediaFixed
	x.Fixed(&fixed)
	m.Duration, m.Size, m.Bitrate, m.HasBitrate = fixed.Duration(), fixed.Size(), fixed.Bitrate(), fixed.HasBitrate()
	m.Width, m.Height, m.Player = fixed.Width(), fixed.Height(), workload.Player(fixed.Player())
	m.URI, m.Format = raw.String(x.Uri()), raw.String(x.Format())
	viewOptional(x.Title(), &m.Title)
	viewOptional(x.Copyright(), &m.Copyright)
	n := x.PersonsLength()
	if cap(m.Persons) < n {
		m.Persons = make([]string, n)
	}
	m.Persons = m.Persons[:n]
	for i := range m.Persons {
		m.Persons[i] = raw.String(x.Persons(i))
	}
}

func viewOptional(s []byte, v **string) {
	switch {
	case s == nil:
		*v = nil
	case *v == nil:
		*v = new(raw.String(s))
	default:
		**v = raw.String(s)
	}
}

// SumMediaExpert sums through the accessors of the expert's schema, which reach
// the fixed fields without a vtable.
func SumMediaExpert(msg []byte) uint64 {
	var x fbs.MediaContentExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	var m fbs.MediaExpert
	s := sumMediaExpert(x.Media(&m))
	var im fbs.ImageExpert
	var fixed fbs.ImageFixed
	for i, n := 0, x.ImagesLength(); i < n; i++ {
		x.Images(&im, i)
		im.Fixed(&fixed)
		s += int64(len(im.Uri())+len(im.Title())) + int64(fixed.Width()) + int64(fixed.Height()) + int64(fixed.Size()) +
			sumMediaExpert(im.Media(&m))
	}
	return uint64(s)
}

func sumMediaExpert(x *fbs.MediaExpert) int64 {
	if x == nil {
		return 0
	}
	var fixed fbs.MediaFixed
	x.Fixed(&fixed)
	s := int64(len(x.Uri())+len(x.Title())+len(x.Format())+len(x.Copyright())) +
		int64(fixed.Width()) + int64(fixed.Height()) + fixed.Duration() + fixed.Size() + int64(fixed.Bitrate()) + int64(fixed.Player())
	if fixed.HasBitrate() {
		s++
	}
	for i, n := 0, x.PersonsLength(); i < n; i++ {
		s += int64(len(x.Persons(i)))
	}
	return s
}

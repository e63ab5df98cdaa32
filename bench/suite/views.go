package suite

import (
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
)

// viewing adds the traversal through a view to what Ashlar does with a workload.
func viewing[T any](lib library[T], sum func(format.View[T]) uint64, more ...way[T]) library[T] {
	lib.ways = append(append(lib.ways, traversal(View, ashlarForm[T](), sum)), more...)
	return lib
}

// traversal sums what a view of an M shows, in messages of a form.
func traversal[T, M any](name string, f *form[T], sum func(format.View[M]) uint64) way[T] {
	c := format.MustFor[M]()
	return way[T]{Traverse, name, f, false, func(r *run[T]) func() {
		return func() { r.sum = sum(must1(c.View(r.msg))) }
	}}
}

// arraysHandles read the arrays.
type arraysHandles struct {
	booleans *format.Handle[workload.ArraysData, []bool]
	octets   *format.Handle[workload.ArraysData, []int8]
	ints     *format.Handle[workload.ArraysData, []int32]
	longs    *format.Handle[workload.ArraysData, []int64]
	doubles  *format.Handle[workload.ArraysData, []float64]
}

func newArraysHandles() *arraysHandles {
	c := format.MustFor[workload.ArraysData]()
	return &arraysHandles{
		format.MustField[[]bool](c, "Booleans"), format.MustField[[]int8](c, "Bytes"), format.MustField[[]int32](c, "Ints"),
		format.MustField[[]int64](c, "Longs"), format.MustField[[]float64](c, "Doubles"),
	}
}

// view returns the arrays where they lie.
func (h *arraysHandles) view(v format.View[workload.ArraysData]) workload.ArraysData {
	return workload.ArraysData{Booleans: must1(h.booleans.Get(v)), Bytes: must1(h.octets.Get(v)), Ints: must1(h.ints.Get(v)),
		Longs: must1(h.longs.Get(v)), Doubles: must1(h.doubles.Get(v))}
}

func viewArrays() func(format.View[workload.ArraysData]) uint64 {
	h := newArraysHandles()
	return func(v format.View[workload.ArraysData]) uint64 {
		a := h.view(v)
		return a.Sum()
	}
}

// mediaHandles read every field of a MediaContent.
type mediaHandles struct {
	media                                *format.Handle[workload.MediaContent, format.View[workload.Media]]
	images                               *format.Handle[workload.MediaContent, format.View[workload.Image]]
	uri, title, kind, copyright, persons *format.Handle[workload.Media, string]
	width, height, bitrate               *format.Handle[workload.Media, int32]
	duration, size                       *format.Handle[workload.Media, int64]
	hasBitrate                           *format.Handle[workload.Media, bool]
	player                               *format.Handle[workload.Media, workload.Player]
	imageURI, imageTitle                 *format.Handle[workload.Image, string]
	imageWidth, imageHeight              *format.Handle[workload.Image, int32]
	imageSize                            *format.Handle[workload.Image, workload.Size]
	imageMedia                           *format.Handle[workload.Image, format.View[workload.Media]]
}

func newMediaHandles() *mediaHandles {
	c, m, i := format.MustFor[workload.MediaContent](), format.MustFor[workload.Media](), format.MustFor[workload.Image]()
	return &mediaHandles{
		media:  format.MustField[format.View[workload.Media]](c, "Media"),
		images: format.MustField[format.View[workload.Image]](c, "Images[]"),

		uri: format.MustField[string](m, "URI"), title: format.MustField[string](m, "Title"), kind: format.MustField[string](m, "Format"),
		copyright: format.MustField[string](m, "Copyright"), persons: format.MustField[string](m, "Persons[]"),
		width: format.MustField[int32](m, "Width"), height: format.MustField[int32](m, "Height"), bitrate: format.MustField[int32](m, "Bitrate"),
		duration: format.MustField[int64](m, "Duration"), size: format.MustField[int64](m, "Size"),
		hasBitrate: format.MustField[bool](m, "HasBitrate"), player: format.MustField[workload.Player](m, "Player"),

		imageURI: format.MustField[string](i, "URI"), imageTitle: format.MustField[string](i, "Title"),
		imageWidth: format.MustField[int32](i, "Width"), imageHeight: format.MustField[int32](i, "Height"),
		imageSize: format.MustField[workload.Size](i, "Size"), imageMedia: format.MustField[format.View[workload.Media]](i, "Media"),
	}
}

// viewMedia adds all numbers and the lengths of all strings.
func viewMedia() func(format.View[workload.MediaContent]) uint64 { return newMediaHandles().sum }

func (h *mediaHandles) sum(v format.View[workload.MediaContent]) uint64 {
	s := h.sumMedia(must1(h.media.Get(v)))
	for x, err := range h.images.All(v) {
		must(err)
		s += int64(len(must1(h.imageURI.Get(x)))+len(must1(h.imageTitle.Get(x)))) +
			int64(must1(h.imageWidth.Get(x))) + int64(must1(h.imageHeight.Get(x))) + int64(must1(h.imageSize.Get(x)))
		if m := must1(h.imageMedia.Get(x)); !m.IsNil() {
			s += h.sumMedia(m)
		}
	}
	return uint64(s)
}

func (h *mediaHandles) sumMedia(m format.View[workload.Media]) int64 {
	s := int64(len(must1(h.uri.Get(m)))+len(must1(h.title.Get(m)))+len(must1(h.kind.Get(m)))+len(must1(h.copyright.Get(m)))) +
		int64(must1(h.width.Get(m))) + int64(must1(h.height.Get(m))) + must1(h.duration.Get(m)) + must1(h.size.Get(m)) +
		int64(must1(h.bitrate.Get(m))) + int64(must1(h.player.Get(m)))
	if must1(h.hasBitrate.Get(m)) {
		s++
	}
	for p, err := range h.persons.All(m) {
		must(err)
		s += int64(len(p))
	}
	return s
}

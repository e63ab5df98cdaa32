package flatbuffers

import (
	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteMedia creates the strings first, then adds field by field.
func (b *Builder) WriteMedia(v *workload.MediaContent) []byte {
	b.Reset()
	media := b.media(v.Media)
	images := make([]fb.UOffsetT, len(v.Images))
	for i, im := range v.Images {
		images[i] = b.image(im)
	}
	fbs.MediaContentStartImagesVector(&b.Builder, len(images))
	for i := len(images) - 1; i >= 0; i-- {
		b.PrependUOffsetT(images[i])
	}
	list := b.EndVector(len(images))
	fbs.MediaContentStart(&b.Builder)
	fbs.MediaContentAddMedia(&b.Builder, media)
	fbs.MediaContentAddImages(&b.Builder, list)
	b.Finish(fbs.MediaContentEnd(&b.Builder))
	return b.FinishedBytes()
}

// optional creates a string that may be absent; an offset of 0 adds no field.
func (b *Builder) optional(s *string) fb.UOffsetT {
	if s == nil {
		return 0
	}
	return b.CreateString(*s)
}

func (b *Builder) media(v *workload.Media) fb.UOffsetT {
	uri, title, format := b.CreateString(v.URI), b.optional(v.Title), b.CreateString(v.Format)
	persons := make([]fb.UOffsetT, len(v.Persons))
	for i, p := range v.Persons {
		persons[i] = b.CreateString(p)
	}
	fbs.MediaStartPersonsVector(&b.Builder, len(persons))
	for i := len(persons) - 1; i >= 0; i-- {
		b.PrependUOffsetT(persons[i])
	}
	list := b.EndVector(len(persons))
	copyright := b.optional(v.Copyright)

	fbs.MediaStart(&b.Builder)
	fbs.MediaAddUri(&b.Builder, uri)
	fbs.MediaAddTitle(&b.Builder, title)
	fbs.MediaAddWidth(&b.Builder, v.Width)
	fbs.MediaAddHeight(&b.Builder, v.Height)
	fbs.MediaAddFormat(&b.Builder, format)
	fbs.MediaAddDuration(&b.Builder, v.Duration)
	fbs.MediaAddSize(&b.Builder, v.Size)
	fbs.MediaAddBitrate(&b.Builder, v.Bitrate)
	fbs.MediaAddHasBitrate(&b.Builder, v.HasBitrate)
	fbs.MediaAddPersons(&b.Builder, list)
	fbs.MediaAddPlayer(&b.Builder, fbs.Player(v.Player))
	fbs.MediaAddCopyright(&b.Builder, copyright)
	return fbs.MediaEnd(&b.Builder)
}

func (b *Builder) image(v *workload.Image) fb.UOffsetT {
	var media fb.UOffsetT
	if v.Media != nil {
		media = b.media(v.Media)
	}
	uri, title := b.CreateString(v.URI), b.optional(v.Title)
	fbs.ImageStart(&b.Builder)
	fbs.ImageAddUri(&b.Builder, uri)
	fbs.ImageAddTitle(&b.Builder, title)
	fbs.ImageAddWidth(&b.Builder, v.Width)
	fbs.ImageAddHeight(&b.Builder, v.Height)
	fbs.ImageAddSize(&b.Builder, fbs.Size(v.Size))
	fbs.ImageAddMedia(&b.Builder, media)
	return fbs.ImageEnd(&b.Builder)
}

// ReadMedia makes fresh objects and strings from the generated accessors.
func ReadMedia(msg []byte, v *workload.MediaContent) {
	x := fbs.GetRootAsMediaContent(msg, 0)
	v.Media = readMedia(x.Media(nil))
	v.Images = make([]*workload.Image, x.ImagesLength())
	var im fbs.Image
	for i := range v.Images {
		x.Images(&im, i)
		v.Images[i] = &workload.Image{
			URI:    string(im.Uri()),
			Title:  optional(im.Title()),
			Width:  im.Width(),
			Height: im.Height(),
			Size:   workload.Size(im.Size()),
			Media:  readMedia(im.Media(nil)),
		}
	}
}

// optional reads a string that may be absent.
func optional(s []byte) *string {
	if s == nil {
		return nil
	}
	return new(string(s))
}

func readMedia(x *fbs.Media) *workload.Media {
	if x == nil {
		return nil
	}
	v := &workload.Media{
		URI:        string(x.Uri()),
		Title:      optional(x.Title()),
		Width:      x.Width(),
		Height:     x.Height(),
		Format:     string(x.Format()),
		Duration:   x.Duration(),
		Size:       x.Size(),
		Bitrate:    x.Bitrate(),
		HasBitrate: x.HasBitrate(),
		Persons:    make([]string, x.PersonsLength()),
		Player:     workload.Player(x.Player()),
		Copyright:  optional(x.Copyright()),
	}
	for i := range v.Persons {
		v.Persons[i] = string(x.Persons(i))
	}
	return v
}

// SumMedia sums through the generated accessors.
func SumMedia(msg []byte) uint64 {
	x := fbs.GetRootAsMediaContent(msg, 0)
	var m fbs.Media
	s := sumMedia(x.Media(&m))
	var im fbs.Image
	for i, n := 0, x.ImagesLength(); i < n; i++ {
		x.Images(&im, i)
		s += int64(len(im.Uri())+len(im.Title())) + int64(im.Width()) + int64(im.Height()) + int64(im.Size()) +
			sumMedia(im.Media(&m))
	}
	return uint64(s)
}

func sumMedia(x *fbs.Media) int64 {
	if x == nil {
		return 0
	}
	s := int64(len(x.Uri())+len(x.Title())+len(x.Format())+len(x.Copyright())) +
		int64(x.Width()) + int64(x.Height()) + x.Duration() + x.Size() + int64(x.Bitrate()) + int64(x.Player())
	if x.HasBitrate() {
		s++
	}
	for i, n := 0, x.PersonsLength(); i < n; i++ {
		s += int64(len(x.Persons(i)))
	}
	return s
}

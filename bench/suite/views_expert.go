package suite

import (
	"github.com/ashlar-go/ashlar/bench/workload"
	"github.com/ashlar-go/ashlar/format"
)

// A MediaContent as an expert lays it out who reads all of it: what has a fixed size is one plain struct in each block,
// which one read returns.
type (
	mediaContentExpert struct {
		Media  *mediaExpert
		Images []*imageExpert
	}
	mediaExpert struct {
		URI, Format      string
		Title, Copyright *string
		Persons          []string
		HasBitrate       bool
		Fixed            mediaFixed
	}
	mediaFixed struct {
		Duration, Size         int64
		Width, Height, Bitrate int32
		Player                 workload.Player
	}
	imageExpert struct {
		URI   string
		Title *string
		Media *mediaExpert
		Fixed imageFixed
	}
	imageFixed struct {
		Width, Height int32
		Size          workload.Size
	}
)

// mediaExpertForm is the form of such messages.
func mediaExpertForm() *form[workload.MediaContent] {
	c := format.MustFor[mediaContentExpert]()
	return &form[workload.MediaContent]{
		write: func(v *workload.MediaContent) ([]byte, error) {
			x := mediaContentExpert{Media: expertOf(v.Media)}
			for _, im := range v.Images {
				x.Images = append(x.Images, &imageExpert{im.URI, im.Title, expertOf(im.Media), imageFixed{im.Width, im.Height, im.Size}})
			}
			return c.Append(nil, &x)
		},
		read: func(msg []byte, v *workload.MediaContent) error {
			var x mediaContentExpert
			if err := c.Decode(msg, &x); err != nil {
				return err
			}
			*v = workload.MediaContent{Media: x.Media.media()}
			for _, im := range x.Images {
				v.Images = append(v.Images, &workload.Image{URI: im.URI, Title: im.Title, Width: im.Fixed.Width, Height: im.Fixed.Height,
					Size: im.Fixed.Size, Media: im.Media.media()})
			}
			return nil
		},
	}
}

func expertOf(m *workload.Media) *mediaExpert {
	if m == nil {
		return nil
	}
	return &mediaExpert{m.URI, m.Format, m.Title, m.Copyright, m.Persons, m.HasBitrate,
		mediaFixed{m.Duration, m.Size, m.Width, m.Height, m.Bitrate, m.Player}}
}

func (x *mediaExpert) media() *workload.Media {
	if x == nil {
		return nil
	}
	f := &x.Fixed
	return &workload.Media{URI: x.URI, Title: x.Title, Width: f.Width, Height: f.Height, Format: x.Format, Duration: f.Duration, Size: f.Size,
		Bitrate: f.Bitrate, HasBitrate: x.HasBitrate, Persons: x.Persons, Player: f.Player, Copyright: x.Copyright}
}

// mediaExpertHandles read every field of such a message.
type mediaExpertHandles struct {
	media                                *format.Handle[mediaContentExpert, format.View[mediaExpert]]
	images                               *format.Handle[mediaContentExpert, format.View[imageExpert]]
	uri, title, kind, copyright, persons *format.Handle[mediaExpert, string]
	hasBitrate                           *format.Handle[mediaExpert, bool]
	fixed                                *format.Handle[mediaExpert, mediaFixed]
	imageURI, imageTitle                 *format.Handle[imageExpert, string]
	imageMedia                           *format.Handle[imageExpert, format.View[mediaExpert]]
	imageFixed                           *format.Handle[imageExpert, imageFixed]
}

// viewMediaExpert adds what viewMedia does.
func viewMediaExpert() func(format.View[mediaContentExpert]) uint64 {
	c, m, i := format.MustFor[mediaContentExpert](), format.MustFor[mediaExpert](), format.MustFor[imageExpert]()
	h := &mediaExpertHandles{
		media:  format.MustField[format.View[mediaExpert]](c, "Media"),
		images: format.MustField[format.View[imageExpert]](c, "Images[]"),

		uri: format.MustField[string](m, "URI"), title: format.MustField[string](m, "Title"), kind: format.MustField[string](m, "Format"),
		copyright: format.MustField[string](m, "Copyright"), persons: format.MustField[string](m, "Persons[]"),
		hasBitrate: format.MustField[bool](m, "HasBitrate"), fixed: format.MustField[mediaFixed](m, "Fixed"),

		imageURI: format.MustField[string](i, "URI"), imageTitle: format.MustField[string](i, "Title"),
		imageMedia: format.MustField[format.View[mediaExpert]](i, "Media"), imageFixed: format.MustField[imageFixed](i, "Fixed"),
	}
	return h.sum
}

func (h *mediaExpertHandles) sum(v format.View[mediaContentExpert]) uint64 {
	s := h.sumMedia(must1(h.media.Get(v)))
	for x, err := range h.images.All(v) {
		must(err)
		f := must1(h.imageFixed.Get(x))
		s += int64(len(must1(h.imageURI.Get(x)))+len(must1(h.imageTitle.Get(x)))) + int64(f.Width) + int64(f.Height) + int64(f.Size)
		if m := must1(h.imageMedia.Get(x)); !m.IsNil() {
			s += h.sumMedia(m)
		}
	}
	return uint64(s)
}

func (h *mediaExpertHandles) sumMedia(m format.View[mediaExpert]) int64 {
	f := must1(h.fixed.Get(m))
	s := int64(len(must1(h.uri.Get(m)))+len(must1(h.title.Get(m)))+len(must1(h.kind.Get(m)))+len(must1(h.copyright.Get(m)))) +
		int64(f.Width) + int64(f.Height) + f.Duration + f.Size + int64(f.Bitrate) + int64(f.Player)
	if must1(h.hasBitrate.Get(m)) {
		s++
	}
	for p, err := range h.persons.All(m) {
		must(err)
		s += int64(len(p))
	}
	return s
}

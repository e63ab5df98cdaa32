package capnproto

import (
	capnp "capnproto.org/go/capnp/v3"

	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteMedia sets field by field.
func (b *Builder) WriteMedia(v *workload.MediaContent) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if err := setMediaContent(seg, v); err != nil {
		return nil, err
	}
	return b.msg.Marshal()
}

// WriteMediaExpert does the same where the message is to lie: the generated
// functions copy texts in bulk as it is.
func (b *BuilderOver) WriteMediaExpert(v *workload.MediaContent) ([]byte, error) {
	seg, err := b.reset()
	if err != nil {
		return nil, err
	}
	if err := setMediaContent(seg, v); err != nil {
		return nil, err
	}
	return b.finish(seg), nil
}

func setMediaContent(seg *capnp.Segment, v *workload.MediaContent) error {
	x, err := cps.NewRootMediaContent(seg)
	if err != nil {
		return err
	}
	m, err := x.NewMedia()
	if err != nil {
		return err
	}
	if err := setMedia(m, v.Media); err != nil {
		return err
	}
	list, err := x.NewImages(int32(len(v.Images)))
	if err != nil {
		return err
	}
	for i, im := range v.Images {
		if err := setImage(list.At(i), im); err != nil {
			return err
		}
	}
	return nil
}

func setMedia(x cps.Media, v *workload.Media) error {
	if err := x.SetUri(v.URI); err != nil {
		return err
	}
	if v.Title != nil {
		if err := x.SetTitle(*v.Title); err != nil {
			return err
		}
	}
	x.SetWidth(v.Width)
	x.SetHeight(v.Height)
	if err := x.SetFormat(v.Format); err != nil {
		return err
	}
	x.SetDuration(v.Duration)
	x.SetSize(v.Size)
	x.SetBitrate(v.Bitrate)
	x.SetHasBitrate(v.HasBitrate)
	persons, err := x.NewPersons(int32(len(v.Persons)))
	if err != nil {
		return err
	}
	for i, p := range v.Persons {
		if err := persons.Set(i, p); err != nil {
			return err
		}
	}
	x.SetPlayer(cps.Player(v.Player))
	if v.Copyright != nil {
		return x.SetCopyright(*v.Copyright)
	}
	return nil
}

func setImage(x cps.Image, v *workload.Image) error {
	if err := x.SetUri(v.URI); err != nil {
		return err
	}
	if v.Title != nil {
		if err := x.SetTitle(*v.Title); err != nil {
			return err
		}
	}
	x.SetWidth(v.Width)
	x.SetHeight(v.Height)
	x.SetSize(cps.Size(v.Size))
	if v.Media == nil {
		return nil
	}
	m, err := x.NewMedia()
	if err != nil {
		return err
	}
	return setMedia(m, v.Media)
}

// ReadMedia makes fresh objects and strings from the generated accessors.
func ReadMedia(msg []byte, v *workload.MediaContent) error {
	x, err := root(msg, cps.ReadRootMediaContent)
	if err != nil {
		return err
	}
	m, err := x.Media()
	if err != nil {
		return err
	}
	if v.Media, err = readMedia(m); err != nil {
		return err
	}
	list, err := x.Images()
	if err != nil {
		return err
	}
	v.Images = make([]*workload.Image, list.Len())
	for i := range v.Images {
		if v.Images[i], err = readImage(list.At(i)); err != nil {
			return err
		}
	}
	return nil
}

func readImage(x cps.Image) (*workload.Image, error) {
	v := &workload.Image{Width: x.Width(), Height: x.Height(), Size: workload.Size(x.Size())}
	var err error
	if v.URI, err = x.Uri(); err != nil {
		return nil, err
	}
	if x.HasTitle() {
		title, err := x.Title()
		if err != nil {
			return nil, err
		}
		v.Title = &title
	}
	if x.HasMedia() {
		m, err := x.Media()
		if err != nil {
			return nil, err
		}
		if v.Media, err = readMedia(m); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func readMedia(x cps.Media) (*workload.Media, error) {
	v := &workload.Media{
		Width:      x.Width(),
		Height:     x.Height(),
		Duration:   x.Duration(),
		Size:       x.Size(),
		Bitrate:    x.Bitrate(),
		HasBitrate: x.HasBitrate(),
		Player:     workload.Player(x.Player()),
	}
	var err error
	if v.URI, err = x.Uri(); err != nil {
		return nil, err
	}
	if x.HasTitle() {
		title, err := x.Title()
		if err != nil {
			return nil, err
		}
		v.Title = &title
	}
	if v.Format, err = x.Format(); err != nil {
		return nil, err
	}
	persons, err := x.Persons()
	if err != nil {
		return nil, err
	}
	v.Persons = make([]string, persons.Len())
	for i := range v.Persons {
		if v.Persons[i], err = persons.At(i); err != nil {
			return nil, err
		}
	}
	if x.HasCopyright() {
		copyright, err := x.Copyright()
		if err != nil {
			return nil, err
		}
		v.Copyright = &copyright
	}
	return v, nil
}

// SumMedia sums through the generated accessors, those of texts as bytes.
func SumMedia(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootMediaContent)
	if err != nil {
		return 0, err
	}
	m, err := x.Media()
	if err != nil {
		return 0, err
	}
	s, err := sumMedia(m)
	if err != nil {
		return 0, err
	}
	list, err := x.Images()
	if err != nil {
		return 0, err
	}
	for i, n := 0, list.Len(); i < n; i++ {
		t, err := sumImage(list.At(i))
		if err != nil {
			return 0, err
		}
		s += t
	}
	return uint64(s), nil
}

func sumImage(x cps.Image) (int64, error) {
	uri, err := x.UriBytes()
	if err != nil {
		return 0, err
	}
	title, err := x.TitleBytes()
	if err != nil {
		return 0, err
	}
	s := int64(len(uri)+len(title)) + int64(x.Width()) + int64(x.Height()) + int64(x.Size())
	if !x.HasMedia() {
		return s, nil
	}
	m, err := x.Media()
	if err != nil {
		return 0, err
	}
	t, err := sumMedia(m)
	return s + t, err
}

func sumMedia(x cps.Media) (int64, error) {
	uri, err := x.UriBytes()
	if err != nil {
		return 0, err
	}
	title, err := x.TitleBytes()
	if err != nil {
		return 0, err
	}
	format, err := x.FormatBytes()
	if err != nil {
		return 0, err
	}
	copyright, err := x.CopyrightBytes()
	if err != nil {
		return 0, err
	}
	s := int64(len(uri)+len(title)+len(format)+len(copyright)) +
		int64(x.Width()) + int64(x.Height()) + x.Duration() + x.Size() + int64(x.Bitrate()) + int64(x.Player())
	if x.HasBitrate() {
		s++
	}
	persons, err := x.Persons()
	if err != nil {
		return 0, err
	}
	for i, n := 0, persons.Len(); i < n; i++ {
		p, err := persons.BytesAt(i)
		if err != nil {
			return 0, err
		}
		s += int64(len(p))
	}
	return s, nil
}

package capnproto

import (
	"bytes"
	"encoding/binary"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Where the compiler put the fields, as `capnp compile -ocapnp` tells: scalars
// by their byte in the data section, pointers by their byte among the pointers.
const (
	mediaContentMedia  = 0
	mediaContentImages = 8

	mediaWidth      = 0
	mediaHeight     = 4
	mediaDuration   = 8
	mediaSize       = 16
	mediaBitrate    = 24
	mediaHasBitrate = 28
	mediaPlayer     = 30
	mediaURI        = 0
	mediaTitle      = 8
	mediaFormat     = 16
	mediaPersons    = 24
	mediaCopyright  = 32

	imageWidth  = 0
	imageHeight = 4
	imageSize   = 8
	imageURI    = 0
	imageTitle  = 8
	imageMedia  = 16
)

func int32At(p []byte, i int) int32 { return int32(binary.LittleEndian.Uint32(p[i:])) }
func int64At(p []byte, i int) int64 { return int64(binary.LittleEndian.Uint64(p[i:])) }
func enumAt(p []byte, i int) int32  { return int32(binary.LittleEndian.Uint16(p[i:])) }

// ReadMediaExpert copies the message once and lets all strings lie in the copy.
func ReadMediaExpert(msg []byte, v *workload.MediaContent) {
	*v = workload.MediaContent{}
	ViewMedia(bytes.Clone(msg), v)
}

// ViewMedia makes v's strings point into the message; the objects that v holds
// are reused.
func ViewMedia(msg []byte, v *workload.MediaContent) {
	s := segment(msg[header:])
	_, at := s.object(0)
	s.viewMedia(at+mediaContentMedia, &v.Media)
	from, n, data, size := s.structs(at + mediaContentImages)
	if len(v.Images) != n {
		images := make([]workload.Image, n)
		v.Images = make([]*workload.Image, n)
		for i := range images {
			v.Images[i] = &images[i]
		}
	}
	for i, im := range v.Images {
		d := s[from+i*size:][:size]
		p := from + i*size + data
		im.Width, im.Height, im.Size = int32At(d, imageWidth), int32At(d, imageHeight), workload.Size(enumAt(d, imageSize))
		im.URI = raw.String(s.text(p + imageURI))
		s.viewOptional(p+imageTitle, &im.Title)
		s.viewMedia(p+imageMedia, &im.Media)
	}
}

func (s segment) viewMedia(at int, v **workload.Media) {
	d, p := s.object(at)
	if d == nil {
		*v = nil
		return
	}
	if *v == nil {
		*v = new(workload.Media)
	}
	m := *v
	m.Width, m.Height, m.Player = int32At(d, mediaWidth), int32At(d, mediaHeight), workload.Player(enumAt(d, mediaPlayer))
	m.Duration, m.Size, m.Bitrate = int64At(d, mediaDuration), int64At(d, mediaSize), int32At(d, mediaBitrate)
	m.HasBitrate = d[mediaHasBitrate]&1 != 0
	m.URI, m.Format = raw.String(s.text(p+mediaURI)), raw.String(s.text(p+mediaFormat))
	s.viewOptional(p+mediaTitle, &m.Title)
	s.viewOptional(p+mediaCopyright, &m.Copyright)
	from, n := s.pointers(p + mediaPersons)
	if cap(m.Persons) < n {
		m.Persons = make([]string, n)
	}
	m.Persons = m.Persons[:n]
	for i := range m.Persons {
		m.Persons[i] = raw.String(s.text(from + i*8))
	}
}

func (s segment) viewOptional(at int, v **string) {
	b := s.text(at)
	switch {
	case b == nil:
		*v = nil
	case *v == nil:
		*v = new(raw.String(b))
	default:
		**v = raw.String(b)
	}
}

// SumMediaExpert sums by hand.
func SumMediaExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	_, at := s.object(0)
	sum := s.sumMedia(at + mediaContentMedia)
	from, n, data, size := s.structs(at + mediaContentImages)
	for i := range n {
		d := s[from+i*size:][:size]
		p := from + i*size + data
		sum += int64(int32At(d, imageWidth)) + int64(int32At(d, imageHeight)) + int64(enumAt(d, imageSize)) +
			int64(len(s.text(p+imageURI))+len(s.text(p+imageTitle))) + s.sumMedia(p+imageMedia)
	}
	return uint64(sum)
}

func (s segment) sumMedia(at int) int64 {
	d, p := s.object(at)
	if d == nil {
		return 0
	}
	sum := int64(int32At(d, mediaWidth)) + int64(int32At(d, mediaHeight)) + int64(enumAt(d, mediaPlayer)) +
		int64At(d, mediaDuration) + int64At(d, mediaSize) + int64(int32At(d, mediaBitrate)) + int64(d[mediaHasBitrate]&1) +
		int64(len(s.text(p+mediaURI))+len(s.text(p+mediaTitle))+len(s.text(p+mediaFormat))+len(s.text(p+mediaCopyright)))
	from, n := s.pointers(p + mediaPersons)
	for i := range n {
		sum += int64(len(s.text(from + i*8)))
	}
	return sum
}

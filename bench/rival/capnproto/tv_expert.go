package capnproto

import (
	"bytes"
	"math"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// Where the compiler put the fields: scalars by their byte in the data section, pointers by theirs among the pointers.
const (
	programmeID         = 0
	programmeSeason     = 8
	programmeNumber     = 12
	programmeSeconds    = 16
	programmeRating     = 20
	programmePopularity = 24
	programmeFlags      = 32 // live, subtitled
	programmeProduced   = 40
	programmeTitle      = 0
	programmeEpisode    = 8
	programmeSynopsis   = 16
	programmeGenres     = 24
	programmeChannel    = 32
	programmeShowings   = 40
	programmeCredits    = 48
	programmeReviews    = 56
	programmeLicence    = 64

	channelNumber    = 0
	channelHD        = 4
	channelFrequency = 8
	channelName      = 0

	showingBegin    = 0
	showingEnd      = 8
	showingRepeat   = 16
	showingAudience = 24

	creditName = 0
	creditRole = 8
	creditPart = 16

	reviewStars  = 0
	reviewAt     = 8
	reviewAuthor = 0
	reviewText   = 8

	licenceUntil     = 0
	licenceCents     = 8
	licenceOwner     = 0
	licenceTerritory = 8
)

// ReadProgrammeExpert copies the message once and lets all strings lie in the copy.
func ReadProgrammeExpert(msg []byte, v *workload.Programme) {
	*v = workload.Programme{}
	ViewProgramme(bytes.Clone(msg), v)
}

// ReadCatalogueExpert does so with all programmes.
func ReadCatalogueExpert(msg []byte, v *workload.Catalogue) {
	*v = workload.Catalogue{}
	ViewCatalogue(bytes.Clone(msg), v)
}

// ViewProgramme makes v's strings point into the message; the objects that v holds are reused.
func ViewProgramme(msg []byte, v *workload.Programme) {
	s := segment(msg[header:])
	d, p := s.object(0)
	s.viewProgramme(d, p, v)
}

// ViewCatalogue does so with all programmes.
func ViewCatalogue(msg []byte, v *workload.Catalogue) {
	s := segment(msg[header:])
	_, at := s.object(0)
	from, n, data, size := s.structs(at)
	if len(v.Programmes) != n {
		programmes := make([]workload.Programme, n)
		v.Programmes = make([]*workload.Programme, n)
		for i := range programmes {
			v.Programmes[i] = &programmes[i]
		}
	}
	for i, p := range v.Programmes {
		at := from + i*size
		s.viewProgramme(s[at:at+data], at+data, p)
	}
}

func (s segment) viewProgramme(d []byte, p int, v *workload.Programme) {
	v.ID, v.Season, v.Number, v.Seconds = int64At(d, programmeID), int32At(d, programmeSeason), int32At(d, programmeNumber), int32At(d, programmeSeconds)
	v.Rating, v.Popularity = float32At(d, programmeRating), float64At(d, programmePopularity)
	v.Live, v.Subtitled, v.Produced = d[programmeFlags]&1 != 0, d[programmeFlags]&2 != 0, second(int64At(d, programmeProduced))
	v.Title, v.Synopsis = raw.String(s.text(p+programmeTitle)), raw.String(s.text(p+programmeSynopsis))
	s.viewOptional(p+programmeEpisode, &v.Episode)
	v.Genres = s.viewTexts(p+programmeGenres, v.Genres)
	c, cp := s.object(p + programmeChannel)
	v.Channel = workload.Channel{Name: raw.String(s.text(cp + channelName)), Number: int32At(c, channelNumber),
		Frequency: float64At(c, channelFrequency), HD: c[channelHD]&1 != 0}
	from, n, _, size := s.structs(p + programmeShowings)
	v.Showings = resized(v.Showings, n)
	for i := range v.Showings {
		e := s[from+i*size:][:size]
		v.Showings[i] = workload.Showing{Begin: second(int64At(e, showingBegin)), End: second(int64At(e, showingEnd)),
			Repeat: e[showingRepeat]&1 != 0, Audience: int64At(e, showingAudience)}
	}
	from, n, data, size := s.structs(p + programmeCredits)
	v.Credits = resized(v.Credits, n)
	for i := range v.Credits {
		at, to := from+i*size+data, &v.Credits[i]
		to.Name, to.Role = raw.String(s.text(at+creditName)), raw.String(s.text(at+creditRole))
		s.viewOptional(at+creditPart, &to.Part)
	}
	from, n, data, size = s.structs(p + programmeReviews)
	v.Reviews = resized(v.Reviews, n)
	for i := range v.Reviews {
		e, at := s[from+i*size:][:size], from+i*size+data
		v.Reviews[i] = workload.Review{Author: raw.String(s.text(at + reviewAuthor)), Text: raw.String(s.text(at + reviewText)),
			Stars: float32At(e, reviewStars), At: second(int64At(e, reviewAt))}
	}
	l, lp := s.object(p + programmeLicence)
	if l == nil {
		v.Licence = nil
		return
	}
	if v.Licence == nil {
		v.Licence = new(workload.Licence)
	}
	v.Licence.Owner, v.Licence.Until, v.Licence.Cents = raw.String(s.text(lp+licenceOwner)), second(int64At(l, licenceUntil)), int64At(l, licenceCents)
	v.Licence.Territory = s.viewTexts(lp+licenceTerritory, v.Licence.Territory)
}

// SumProgrammeExpert sums by hand.
func SumProgrammeExpert(msg []byte) uint64 {
	s := segment(msg[header:])
	d, p := s.object(0)
	return s.sumProgramme(d, p)
}

// SumCatalogueExpert does so with all programmes.
func SumCatalogueExpert(msg []byte) (sum uint64) {
	s := segment(msg[header:])
	_, at := s.object(0)
	from, n, data, size := s.structs(at)
	for i := range n {
		at := from + i*size
		sum += s.sumProgramme(s[at:at+data], at+data)
	}
	return sum
}

func (s segment) sumProgramme(d []byte, p int) uint64 {
	c, cp := s.object(p + programmeChannel)
	f := float64(float32At(d, programmeRating)) + float64At(d, programmePopularity) + float64At(c, channelFrequency)
	sum := int64At(d, programmeID) + int64(int32At(d, programmeSeason)) + int64(int32At(d, programmeNumber)) + int64(int32At(d, programmeSeconds)) +
		int64(d[programmeFlags]&3) + int64At(d, programmeProduced) + int64(int32At(c, channelNumber)) + 4*int64(c[channelHD]&1) +
		int64(len(s.text(p+programmeTitle))+len(s.text(p+programmeEpisode))+len(s.text(p+programmeSynopsis))+len(s.text(cp+channelName))) +
		s.sumTexts(p+programmeGenres)
	from, n, _, size := s.structs(p + programmeShowings)
	for i := range n {
		e := s[from+i*size:][:size]
		sum += int64At(e, showingBegin) + int64At(e, showingEnd) + int64(e[showingRepeat]&1) + int64At(e, showingAudience)
	}
	from, n, data, size := s.structs(p + programmeCredits)
	for i := range n {
		at := from + i*size + data
		sum += int64(len(s.text(at+creditName)) + len(s.text(at+creditRole)) + len(s.text(at+creditPart)))
	}
	from, n, data, size = s.structs(p + programmeReviews)
	for i := range n {
		e, at := s[from+i*size:][:size], from+i*size+data
		sum += int64(len(s.text(at+reviewAuthor))+len(s.text(at+reviewText))) + int64At(e, reviewAt)
		f += float64(float32At(e, reviewStars))
	}
	if l, lp := s.object(p + programmeLicence); l != nil {
		sum += int64(len(s.text(lp+licenceOwner))) + int64At(l, licenceUntil) + int64At(l, licenceCents) + s.sumTexts(lp+licenceTerritory)
	}
	return uint64(sum) ^ math.Float64bits(f)
}

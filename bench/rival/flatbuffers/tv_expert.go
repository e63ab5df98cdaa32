package flatbuffers

import (
	"bytes"
	"math"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/internal/raw"
	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteProgrammeExpert writes the fixed fields of each object as one struct, the channel's among the programme's, and
// allocates nothing.
func (b *Builder) WriteProgrammeExpert(v *workload.Programme) []byte {
	b.Reset()
	b.Finish(b.programmeExpert(v))
	return b.FinishedBytes()
}

// WriteCatalogueExpert does so with all programmes.
func (b *Builder) WriteCatalogueExpert(v *workload.Catalogue) []byte {
	b.Reset()
	b.offsets = b.offsets[:0]
	for _, p := range v.Programmes {
		b.offsets = append(b.offsets, b.programmeExpert(p))
	}
	list := b.vectorOf(b.offsets)
	b.offsets = b.offsets[:0]
	fbs.CatalogueExpertStart(&b.Builder)
	fbs.CatalogueExpertAddProgrammes(&b.Builder, list)
	b.Finish(fbs.CatalogueExpertEnd(&b.Builder))
	return b.FinishedBytes()
}

func (b *Builder) programmeExpert(v *workload.Programme) fb.UOffsetT {
	title, episode, synopsis, channel := b.CreateString(v.Title), b.optional(v.Episode), b.CreateString(v.Synopsis), b.CreateString(v.Channel.Name)
	genres := b.stringsExpert(v.Genres)

	fbs.ProgrammeExpertStartShowingsVector(&b.Builder, len(v.Showings))
	for i := len(v.Showings) - 1; i >= 0; i-- {
		s := &v.Showings[i]
		fbs.CreateShowingFixed(&b.Builder, s.Begin.Unix(), s.End.Unix(), s.Audience, s.Repeat)
	}
	showings := b.EndVector(len(v.Showings))

	used := len(b.offsets)
	b.offsets = b.credits(v.Credits, b.offsets)
	credits := b.vectorOf(b.offsets[used:])
	b.offsets = b.offsets[:used]

	for i := range v.Reviews {
		r := &v.Reviews[i]
		author, text := b.CreateString(r.Author), b.CreateString(r.Text)
		fbs.ReviewExpertStart(&b.Builder)
		fbs.ReviewExpertAddText(&b.Builder, text)
		fbs.ReviewExpertAddAuthor(&b.Builder, author)
		fbs.ReviewExpertAddFixed(&b.Builder, fbs.CreateReviewFixed(&b.Builder, r.At.Unix(), r.Stars))
		b.offsets = append(b.offsets, fbs.ReviewExpertEnd(&b.Builder))
	}
	reviews := b.vectorOf(b.offsets[used:])
	b.offsets = b.offsets[:used]

	var licence fb.UOffsetT
	if l := v.Licence; l != nil {
		owner, territory := b.CreateString(l.Owner), b.stringsExpert(l.Territory)
		fbs.LicenceExpertStart(&b.Builder)
		fbs.LicenceExpertAddTerritory(&b.Builder, territory)
		fbs.LicenceExpertAddOwner(&b.Builder, owner)
		fbs.LicenceExpertAddFixed(&b.Builder, fbs.CreateLicenceFixed(&b.Builder, l.Until.Unix(), l.Cents))
		licence = fbs.LicenceExpertEnd(&b.Builder)
	}

	fbs.ProgrammeExpertStart(&b.Builder)
	fbs.ProgrammeExpertAddLicence(&b.Builder, licence)
	fbs.ProgrammeExpertAddReviews(&b.Builder, reviews)
	fbs.ProgrammeExpertAddCredits(&b.Builder, credits)
	fbs.ProgrammeExpertAddShowings(&b.Builder, showings)
	fbs.ProgrammeExpertAddChannel(&b.Builder, channel)
	fbs.ProgrammeExpertAddGenres(&b.Builder, genres)
	fbs.ProgrammeExpertAddSynopsis(&b.Builder, synopsis)
	fbs.ProgrammeExpertAddEpisode(&b.Builder, episode)
	fbs.ProgrammeExpertAddTitle(&b.Builder, title)
	fbs.ProgrammeExpertAddFixed(&b.Builder, fbs.CreateProgrammeFixed(&b.Builder, v.ID, v.Popularity, v.Produced.Unix(), v.Channel.Frequency,
		v.Season, v.Number, v.Seconds, v.Rating, v.Channel.Number, v.Live, v.Subtitled, v.Channel.HD))
	return fbs.ProgrammeExpertEnd(&b.Builder)
}

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
	var x fbs.ProgrammeExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	viewProgramme(&x, v)
}

// ViewCatalogue does so with all programmes.
func ViewCatalogue(msg []byte, v *workload.Catalogue) {
	var x fbs.CatalogueExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	if n := x.ProgrammesLength(); len(v.Programmes) != n {
		programmes := make([]workload.Programme, n)
		v.Programmes = make([]*workload.Programme, n)
		for i := range programmes {
			v.Programmes[i] = &programmes[i]
		}
	}
	var p fbs.ProgrammeExpert
	for i := range v.Programmes {
		x.Programmes(&p, i)
		viewProgramme(&p, v.Programmes[i])
	}
}

func viewProgramme(x *fbs.ProgrammeExpert, v *workload.Programme) {
	var fixed fbs.ProgrammeFixed
	x.Fixed(&fixed)
	v.ID, v.Season, v.Number, v.Seconds = fixed.Id(), fixed.Season(), fixed.Number(), fixed.Seconds()
	v.Rating, v.Popularity, v.Live, v.Subtitled = fixed.Rating(), fixed.Popularity(), fixed.Live(), fixed.Subtitled()
	v.Produced = second(fixed.Produced())
	v.Channel = workload.Channel{Name: raw.String(x.Channel()), Number: fixed.Channel(), Frequency: fixed.Frequency(), HD: fixed.Hd()}
	v.Title, v.Synopsis = raw.String(x.Title()), raw.String(x.Synopsis())
	viewOptional(x.Episode(), &v.Episode)
	v.Genres = resized(v.Genres, x.GenresLength())
	for i := range v.Genres {
		v.Genres[i] = raw.String(x.Genres(i))
	}
	v.Showings = resized(v.Showings, x.ShowingsLength())
	var s fbs.ShowingFixed
	for i := range v.Showings {
		x.Showings(&s, i)
		v.Showings[i] = workload.Showing{Begin: second(s.Begin()), End: second(s.End()), Repeat: s.Repeat(), Audience: s.Audience()}
	}
	v.Credits = resized(v.Credits, x.CreditsLength())
	var c fbs.Credit
	for i := range v.Credits {
		x.Credits(&c, i)
		to := &v.Credits[i]
		to.Name, to.Role = raw.String(c.Name()), raw.String(c.Role())
		viewOptional(c.Part(), &to.Part)
	}
	v.Reviews = resized(v.Reviews, x.ReviewsLength())
	var r fbs.ReviewExpert
	var rf fbs.ReviewFixed
	for i := range v.Reviews {
		x.Reviews(&r, i)
		r.Fixed(&rf)
		v.Reviews[i] = workload.Review{Author: raw.String(r.Author()), Text: raw.String(r.Text()), Stars: rf.Stars(), At: second(rf.At())}
	}
	var l fbs.LicenceExpert
	if x.Licence(&l) == nil {
		v.Licence = nil
		return
	}
	if v.Licence == nil {
		v.Licence = new(workload.Licence)
	}
	var lf fbs.LicenceFixed
	l.Fixed(&lf)
	v.Licence.Owner, v.Licence.Until, v.Licence.Cents = raw.String(l.Owner()), second(lf.Until()), lf.Cents()
	v.Licence.Territory = resized(v.Licence.Territory, l.TerritoryLength())
	for i := range v.Licence.Territory {
		v.Licence.Territory[i] = raw.String(l.Territory(i))
	}
}

// SumProgrammeExpert sums through the accessors of the expert's schema.
func SumProgrammeExpert(msg []byte) uint64 {
	var x fbs.ProgrammeExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	return sumProgrammeExpert(&x)
}

// SumCatalogueExpert does so with all programmes.
func SumCatalogueExpert(msg []byte) (s uint64) {
	var x fbs.CatalogueExpert
	x.Init(msg, fb.GetUOffsetT(msg))
	var p fbs.ProgrammeExpert
	for i := range x.ProgrammesLength() {
		x.Programmes(&p, i)
		s += sumProgrammeExpert(&p)
	}
	return s
}

func sumProgrammeExpert(x *fbs.ProgrammeExpert) uint64 {
	var fixed fbs.ProgrammeFixed
	x.Fixed(&fixed)
	f := float64(fixed.Rating()) + fixed.Popularity() + fixed.Frequency()
	s := fixed.Id() + int64(len(x.Title())+len(x.Episode())+len(x.Synopsis())+len(x.Channel())) +
		int64(fixed.Season()) + int64(fixed.Number()) + int64(fixed.Seconds()) + bit(fixed.Live()) + 2*bit(fixed.Subtitled()) + fixed.Produced() +
		int64(fixed.Channel()) + 4*bit(fixed.Hd())
	for i := range x.GenresLength() {
		s += int64(len(x.Genres(i)))
	}
	var w fbs.ShowingFixed
	for i := range x.ShowingsLength() {
		x.Showings(&w, i)
		s += w.Begin() + w.End() + bit(w.Repeat()) + w.Audience()
	}
	var c fbs.Credit
	for i := range x.CreditsLength() {
		x.Credits(&c, i)
		s += int64(len(c.Name()) + len(c.Role()) + len(c.Part()))
	}
	var r fbs.ReviewExpert
	var rf fbs.ReviewFixed
	for i := range x.ReviewsLength() {
		x.Reviews(&r, i)
		r.Fixed(&rf)
		s += int64(len(r.Author())+len(r.Text())) + rf.At()
		f += float64(rf.Stars())
	}
	var l fbs.LicenceExpert
	if x.Licence(&l) != nil {
		var lf fbs.LicenceFixed
		l.Fixed(&lf)
		s += int64(len(l.Owner())) + lf.Until() + lf.Cents()
		for i := range l.TerritoryLength() {
			s += int64(len(l.Territory(i)))
		}
	}
	return uint64(s) ^ math.Float64bits(f)
}

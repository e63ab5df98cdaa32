package flatbuffers

import (
	"math"
	"time"

	fb "github.com/google/flatbuffers/go"

	"github.com/ashlar-go/ashlar/bench/rival/flatbuffers/fbs"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteProgramme creates what is inside first, then adds field by field.
func (b *Builder) WriteProgramme(v *workload.Programme) []byte {
	b.Reset()
	b.Finish(b.programme(v))
	return b.FinishedBytes()
}

// WriteCatalogue does so with all programmes.
func (b *Builder) WriteCatalogue(v *workload.Catalogue) []byte {
	b.Reset()
	programmes := make([]fb.UOffsetT, len(v.Programmes))
	for i, p := range v.Programmes {
		programmes[i] = b.programme(p)
	}
	fbs.CatalogueStartProgrammesVector(&b.Builder, len(programmes))
	for i := len(programmes) - 1; i >= 0; i-- {
		b.PrependUOffsetT(programmes[i])
	}
	list := b.EndVector(len(programmes))
	fbs.CatalogueStart(&b.Builder)
	fbs.CatalogueAddProgrammes(&b.Builder, list)
	b.Finish(fbs.CatalogueEnd(&b.Builder))
	return b.FinishedBytes()
}

func (b *Builder) programme(v *workload.Programme) fb.UOffsetT {
	title, episode, synopsis, genres := b.CreateString(v.Title), b.optional(v.Episode), b.CreateString(v.Synopsis), b.strings(v.Genres)

	name := b.CreateString(v.Channel.Name)
	fbs.ChannelStart(&b.Builder)
	fbs.ChannelAddName(&b.Builder, name)
	fbs.ChannelAddNumber(&b.Builder, v.Channel.Number)
	fbs.ChannelAddFrequency(&b.Builder, v.Channel.Frequency)
	fbs.ChannelAddHd(&b.Builder, v.Channel.HD)
	channel := fbs.ChannelEnd(&b.Builder)

	offsets := make([]fb.UOffsetT, len(v.Showings))
	for i := range v.Showings {
		s := &v.Showings[i]
		fbs.ShowingStart(&b.Builder)
		fbs.ShowingAddBegin(&b.Builder, s.Begin.Unix())
		fbs.ShowingAddEnd(&b.Builder, s.End.Unix())
		fbs.ShowingAddRepeat(&b.Builder, s.Repeat)
		fbs.ShowingAddAudience(&b.Builder, s.Audience)
		offsets[i] = fbs.ShowingEnd(&b.Builder)
	}
	showings := b.vectorOf(offsets)

	credits := b.vectorOf(b.credits(v.Credits, make([]fb.UOffsetT, 0, len(v.Credits))))

	offsets = make([]fb.UOffsetT, len(v.Reviews))
	for i := range v.Reviews {
		r := &v.Reviews[i]
		author, text := b.CreateString(r.Author), b.CreateString(r.Text)
		fbs.ReviewStart(&b.Builder)
		fbs.ReviewAddAuthor(&b.Builder, author)
		fbs.ReviewAddText(&b.Builder, text)
		fbs.ReviewAddStars(&b.Builder, r.Stars)
		fbs.ReviewAddAt(&b.Builder, r.At.Unix())
		offsets[i] = fbs.ReviewEnd(&b.Builder)
	}
	reviews := b.vectorOf(offsets)

	var licence fb.UOffsetT
	if l := v.Licence; l != nil {
		owner, territory := b.CreateString(l.Owner), b.strings(l.Territory)
		fbs.LicenceStart(&b.Builder)
		fbs.LicenceAddOwner(&b.Builder, owner)
		fbs.LicenceAddTerritory(&b.Builder, territory)
		fbs.LicenceAddUntil(&b.Builder, l.Until.Unix())
		fbs.LicenceAddCents(&b.Builder, l.Cents)
		licence = fbs.LicenceEnd(&b.Builder)
	}

	fbs.ProgrammeStart(&b.Builder)
	fbs.ProgrammeAddId(&b.Builder, v.ID)
	fbs.ProgrammeAddTitle(&b.Builder, title)
	fbs.ProgrammeAddEpisode(&b.Builder, episode)
	fbs.ProgrammeAddSynopsis(&b.Builder, synopsis)
	fbs.ProgrammeAddSeason(&b.Builder, v.Season)
	fbs.ProgrammeAddNumber(&b.Builder, v.Number)
	fbs.ProgrammeAddSeconds(&b.Builder, v.Seconds)
	fbs.ProgrammeAddRating(&b.Builder, v.Rating)
	fbs.ProgrammeAddPopularity(&b.Builder, v.Popularity)
	fbs.ProgrammeAddLive(&b.Builder, v.Live)
	fbs.ProgrammeAddSubtitled(&b.Builder, v.Subtitled)
	fbs.ProgrammeAddProduced(&b.Builder, v.Produced.Unix())
	fbs.ProgrammeAddGenres(&b.Builder, genres)
	fbs.ProgrammeAddChannel(&b.Builder, channel)
	fbs.ProgrammeAddShowings(&b.Builder, showings)
	fbs.ProgrammeAddCredits(&b.Builder, credits)
	fbs.ProgrammeAddReviews(&b.Builder, reviews)
	fbs.ProgrammeAddLicence(&b.Builder, licence)
	return fbs.ProgrammeEnd(&b.Builder)
}

// credits creates the tables, whose offsets it appends.
func (b *Builder) credits(list []workload.Credit, offsets []fb.UOffsetT) []fb.UOffsetT {
	for i := range list {
		c := &list[i]
		name, role, part := b.CreateString(c.Name), b.CreateString(c.Role), b.optional(c.Part)
		fbs.CreditStart(&b.Builder)
		fbs.CreditAddName(&b.Builder, name)
		fbs.CreditAddRole(&b.Builder, role)
		fbs.CreditAddPart(&b.Builder, part)
		offsets = append(offsets, fbs.CreditEnd(&b.Builder))
	}
	return offsets
}

// ReadProgramme makes fresh objects and strings from the generated accessors.
func ReadProgramme(msg []byte, v *workload.Programme) {
	readProgramme(fbs.GetRootAsProgramme(msg, 0), v)
}

// ReadCatalogue does so with all programmes.
func ReadCatalogue(msg []byte, v *workload.Catalogue) {
	x := fbs.GetRootAsCatalogue(msg, 0)
	v.Programmes = make([]*workload.Programme, x.ProgrammesLength())
	var p fbs.Programme
	for i := range v.Programmes {
		x.Programmes(&p, i)
		v.Programmes[i] = new(workload.Programme)
		readProgramme(&p, v.Programmes[i])
	}
}

func readProgramme(x *fbs.Programme, v *workload.Programme) {
	channel := x.Channel(nil)
	*v = workload.Programme{
		ID:         x.Id(),
		Title:      string(x.Title()),
		Episode:    optional(x.Episode()),
		Synopsis:   string(x.Synopsis()),
		Season:     x.Season(),
		Number:     x.Number(),
		Seconds:    x.Seconds(),
		Rating:     x.Rating(),
		Popularity: x.Popularity(),
		Live:       x.Live(),
		Subtitled:  x.Subtitled(),
		Produced:   second(x.Produced()),
		Genres:     make([]string, x.GenresLength()),
		Channel:    workload.Channel{Name: string(channel.Name()), Number: channel.Number(), Frequency: channel.Frequency(), HD: channel.Hd()},
		Showings:   make([]workload.Showing, x.ShowingsLength()),
		Credits:    make([]workload.Credit, x.CreditsLength()),
		Reviews:    make([]workload.Review, x.ReviewsLength()),
	}
	for i := range v.Genres {
		v.Genres[i] = string(x.Genres(i))
	}
	var s fbs.Showing
	for i := range v.Showings {
		x.Showings(&s, i)
		v.Showings[i] = workload.Showing{Begin: second(s.Begin()), End: second(s.End()), Repeat: s.Repeat(), Audience: s.Audience()}
	}
	var c fbs.Credit
	for i := range v.Credits {
		x.Credits(&c, i)
		v.Credits[i] = workload.Credit{Name: string(c.Name()), Role: string(c.Role()), Part: optional(c.Part())}
	}
	var r fbs.Review
	for i := range v.Reviews {
		x.Reviews(&r, i)
		v.Reviews[i] = workload.Review{Author: string(r.Author()), Text: string(r.Text()), Stars: r.Stars(), At: second(r.At())}
	}
	if l := x.Licence(nil); l != nil {
		v.Licence = &workload.Licence{Owner: string(l.Owner()), Territory: make([]string, l.TerritoryLength()), Until: second(l.Until()), Cents: l.Cents()}
		for i := range v.Licence.Territory {
			v.Licence.Territory[i] = string(l.Territory(i))
		}
	}
}

func second(s int64) time.Time { return time.Unix(s, 0).UTC() }

// SumProgramme sums through the generated accessors.
func SumProgramme(msg []byte) uint64 { return sumProgramme(fbs.GetRootAsProgramme(msg, 0)) }

// SumCatalogue does so with all programmes.
func SumCatalogue(msg []byte) (s uint64) {
	x := fbs.GetRootAsCatalogue(msg, 0)
	var p fbs.Programme
	for i := range x.ProgrammesLength() {
		x.Programmes(&p, i)
		s += sumProgramme(&p)
	}
	return s
}

func sumProgramme(x *fbs.Programme) uint64 {
	var channel fbs.Channel
	x.Channel(&channel)
	f := float64(x.Rating()) + x.Popularity() + channel.Frequency()
	s := x.Id() + int64(len(x.Title())+len(x.Episode())+len(x.Synopsis())+len(channel.Name())) +
		int64(x.Season()) + int64(x.Number()) + int64(x.Seconds()) + bit(x.Live()) + 2*bit(x.Subtitled()) + x.Produced() +
		int64(channel.Number()) + 4*bit(channel.Hd())
	for i := range x.GenresLength() {
		s += int64(len(x.Genres(i)))
	}
	var w fbs.Showing
	for i := range x.ShowingsLength() {
		x.Showings(&w, i)
		s += w.Begin() + w.End() + bit(w.Repeat()) + w.Audience()
	}
	var c fbs.Credit
	for i := range x.CreditsLength() {
		x.Credits(&c, i)
		s += int64(len(c.Name()) + len(c.Role()) + len(c.Part()))
	}
	var r fbs.Review
	for i := range x.ReviewsLength() {
		x.Reviews(&r, i)
		s += int64(len(r.Author())+len(r.Text())) + r.At()
		f += float64(r.Stars())
	}
	var l fbs.Licence
	if x.Licence(&l) != nil {
		s += int64(len(l.Owner())) + l.Until() + l.Cents()
		for i := range l.TerritoryLength() {
			s += int64(len(l.Territory(i)))
		}
	}
	return uint64(s) ^ math.Float64bits(f)
}

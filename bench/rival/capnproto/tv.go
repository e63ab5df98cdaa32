package capnproto

import (
	"errors"
	"math"
	"time"

	capnp "capnproto.org/go/capnp/v3"

	"github.com/ashlar-go/ashlar/bench/rival/capnproto/cps"
	"github.com/ashlar-go/ashlar/bench/workload"
)

// WriteProgramme sets field by field.
func (b *Builder) WriteProgramme(v *workload.Programme) ([]byte, error) {
	return written(b, v, setRootProgramme)
}

// WriteProgrammeExpert does the same where the message is to lie.
func (b *BuilderOver) WriteProgrammeExpert(v *workload.Programme) ([]byte, error) {
	return writtenOver(b, v, setRootProgramme)
}

// WriteCatalogue sets field by field of all programmes.
func (b *Builder) WriteCatalogue(v *workload.Catalogue) ([]byte, error) {
	return written(b, v, setCatalogue)
}

// WriteCatalogueExpert does the same where the message is to lie.
func (b *BuilderOver) WriteCatalogueExpert(v *workload.Catalogue) ([]byte, error) {
	return writtenOver(b, v, setCatalogue)
}

func setRootProgramme(seg *capnp.Segment, v *workload.Programme) error {
	x, err := cps.NewRootProgramme(seg)
	if err != nil {
		return err
	}
	return setProgramme(x, v)
}

func setCatalogue(seg *capnp.Segment, v *workload.Catalogue) error {
	x, err := cps.NewRootCatalogue(seg)
	if err != nil {
		return err
	}
	list, err := x.NewProgrammes(int32(len(v.Programmes)))
	if err != nil {
		return err
	}
	for i, p := range v.Programmes {
		if err := setProgramme(list.At(i), p); err != nil {
			return err
		}
	}
	return nil
}

func setProgramme(x cps.Programme, v *workload.Programme) error {
	x.SetId(v.ID)
	x.SetSeason(v.Season)
	x.SetNumber(v.Number)
	x.SetSeconds(v.Seconds)
	x.SetRating(v.Rating)
	x.SetPopularity(v.Popularity)
	x.SetLive(v.Live)
	x.SetSubtitled(v.Subtitled)
	x.SetProduced(v.Produced.Unix())
	if err := errors.Join(x.SetTitle(v.Title), x.SetSynopsis(v.Synopsis)); err != nil {
		return err
	}
	if v.Episode != nil {
		if err := x.SetEpisode(*v.Episode); err != nil {
			return err
		}
	}
	genres, err := x.NewGenres(int32(len(v.Genres)))
	if err != nil {
		return err
	}
	if err := setTexts(genres, v.Genres); err != nil {
		return err
	}
	channel, err := x.NewChannel()
	if err != nil {
		return err
	}
	channel.SetNumber(v.Channel.Number)
	channel.SetFrequency(v.Channel.Frequency)
	channel.SetHd(v.Channel.HD)
	if err := channel.SetName(v.Channel.Name); err != nil {
		return err
	}
	showings, err := x.NewShowings(int32(len(v.Showings)))
	if err != nil {
		return err
	}
	for i := range v.Showings {
		from, to := &v.Showings[i], showings.At(i)
		to.SetBegin(from.Begin.Unix())
		to.SetEnd(from.End.Unix())
		to.SetRepeat(from.Repeat)
		to.SetAudience(from.Audience)
	}
	if err := setCredits(x, v.Credits); err != nil {
		return err
	}
	reviews, err := x.NewReviews(int32(len(v.Reviews)))
	if err != nil {
		return err
	}
	for i := range v.Reviews {
		from, to := &v.Reviews[i], reviews.At(i)
		to.SetStars(from.Stars)
		to.SetAt(from.At.Unix())
		if err := errors.Join(to.SetAuthor(from.Author), to.SetText(from.Text)); err != nil {
			return err
		}
	}
	if v.Licence == nil {
		return nil
	}
	licence, err := x.NewLicence()
	if err != nil {
		return err
	}
	licence.SetUntil(v.Licence.Until.Unix())
	licence.SetCents(v.Licence.Cents)
	if err := licence.SetOwner(v.Licence.Owner); err != nil {
		return err
	}
	territory, err := licence.NewTerritory(int32(len(v.Licence.Territory)))
	if err != nil {
		return err
	}
	return setTexts(territory, v.Licence.Territory)
}

func setCredits(x cps.Programme, list []workload.Credit) error {
	credits, err := x.NewCredits(int32(len(list)))
	if err != nil {
		return err
	}
	for i := range list {
		from, to := &list[i], credits.At(i)
		if err := errors.Join(to.SetName(from.Name), to.SetRole(from.Role)); err != nil {
			return err
		}
		if from.Part != nil {
			if err := to.SetPart(*from.Part); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadProgramme makes fresh objects and strings from the generated accessors.
func ReadProgramme(msg []byte, v *workload.Programme) error {
	x, err := root(msg, cps.ReadRootProgramme)
	if err != nil {
		return err
	}
	return readProgramme(x, v)
}

// ReadCatalogue does so with all programmes.
func ReadCatalogue(msg []byte, v *workload.Catalogue) error {
	list, err := catalogue(msg)
	if err != nil {
		return err
	}
	v.Programmes = make([]*workload.Programme, list.Len())
	for i := range v.Programmes {
		v.Programmes[i] = new(workload.Programme)
		if err := readProgramme(list.At(i), v.Programmes[i]); err != nil {
			return err
		}
	}
	return nil
}

// catalogue opens a message of many programmes, once for each read: the library counts what is read of one.
func catalogue(msg []byte) (cps.Programme_List, error) {
	x, err := root(msg, cps.ReadRootCatalogue)
	if err != nil {
		return cps.Programme_List{}, err
	}
	return x.Programmes()
}

func second(s int64) time.Time { return time.Unix(s, 0).UTC() }

func readProgramme(x cps.Programme, v *workload.Programme) (err error) {
	v.ID, v.Season, v.Number, v.Seconds, v.Rating, v.Popularity = x.Id(), x.Season(), x.Number(), x.Seconds(), x.Rating(), x.Popularity()
	v.Live, v.Subtitled, v.Produced = x.Live(), x.Subtitled(), second(x.Produced())
	if v.Title, err = x.Title(); err != nil {
		return err
	}
	episode, err := x.Episode()
	if v.Episode, err = given(x.HasEpisode(), episode, err); err != nil {
		return err
	}
	if v.Synopsis, err = x.Synopsis(); err != nil {
		return err
	}
	if v.Genres, err = texts(x.Genres()); err != nil {
		return err
	}
	channel, err := x.Channel()
	if err != nil {
		return err
	}
	v.Channel = workload.Channel{Number: channel.Number(), Frequency: channel.Frequency(), HD: channel.Hd()}
	if v.Channel.Name, err = channel.Name(); err != nil {
		return err
	}
	showings, err := x.Showings()
	if err != nil {
		return err
	}
	v.Showings = make([]workload.Showing, showings.Len())
	for i := range v.Showings {
		s := showings.At(i)
		v.Showings[i] = workload.Showing{Begin: second(s.Begin()), End: second(s.End()), Repeat: s.Repeat(), Audience: s.Audience()}
	}
	credits, err := x.Credits()
	if err != nil {
		return err
	}
	v.Credits = make([]workload.Credit, credits.Len())
	for i := range v.Credits {
		if err := readCredit(credits.At(i), &v.Credits[i]); err != nil {
			return err
		}
	}
	reviews, err := x.Reviews()
	if err != nil {
		return err
	}
	v.Reviews = make([]workload.Review, reviews.Len())
	for i := range v.Reviews {
		r, to := reviews.At(i), &v.Reviews[i]
		to.Stars, to.At = r.Stars(), second(r.At())
		if to.Author, err = r.Author(); err != nil {
			return err
		}
		if to.Text, err = r.Text(); err != nil {
			return err
		}
	}
	if !x.HasLicence() {
		return nil
	}
	licence, err := x.Licence()
	if err != nil {
		return err
	}
	v.Licence = &workload.Licence{Until: second(licence.Until()), Cents: licence.Cents()}
	if v.Licence.Owner, err = licence.Owner(); err != nil {
		return err
	}
	v.Licence.Territory, err = texts(licence.Territory())
	return err
}

func readCredit(x cps.Credit, v *workload.Credit) (err error) {
	if v.Name, err = x.Name(); err != nil {
		return err
	}
	if v.Role, err = x.Role(); err != nil {
		return err
	}
	part, err := x.Part()
	v.Part, err = given(x.HasPart(), part, err)
	return err
}

// SumProgramme sums through the generated accessors, those of texts as bytes.
func SumProgramme(msg []byte) (uint64, error) {
	x, err := root(msg, cps.ReadRootProgramme)
	if err != nil {
		return 0, err
	}
	return sumProgramme(x)
}

// SumCatalogue does so with all programmes.
func SumCatalogue(msg []byte) (s uint64, _ error) {
	list, err := catalogue(msg)
	if err != nil {
		return 0, err
	}
	for i := range list.Len() {
		p, err := sumProgramme(list.At(i))
		if err != nil {
			return 0, err
		}
		s += p
	}
	return s, nil
}

func sumProgramme(x cps.Programme) (uint64, error) {
	title, err1 := x.TitleBytes()
	episode, err2 := x.EpisodeBytes()
	synopsis, err3 := x.SynopsisBytes()
	genres, err4 := sumTexts(x.Genres())
	channel, err5 := x.Channel()
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return 0, err
	}
	name, err1 := channel.NameBytes()
	showings, err2 := x.Showings()
	credits, err3 := x.Credits()
	reviews, err4 := x.Reviews()
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return 0, err
	}
	f := float64(x.Rating()) + x.Popularity() + channel.Frequency()
	s := x.Id() + int64(len(title)+len(episode)+len(synopsis)+len(name)) + genres +
		int64(x.Season()) + int64(x.Number()) + int64(x.Seconds()) + bit(x.Live()) + 2*bit(x.Subtitled()) + x.Produced() +
		int64(channel.Number()) + 4*bit(channel.Hd())
	for i := range showings.Len() {
		w := showings.At(i)
		s += w.Begin() + w.End() + bit(w.Repeat()) + w.Audience()
	}
	for i := range credits.Len() {
		c := credits.At(i)
		name, err1 := c.NameBytes()
		role, err2 := c.RoleBytes()
		part, err3 := c.PartBytes()
		if err := errors.Join(err1, err2, err3); err != nil {
			return 0, err
		}
		s += int64(len(name) + len(role) + len(part))
	}
	for i := range reviews.Len() {
		r := reviews.At(i)
		author, err1 := r.AuthorBytes()
		text, err2 := r.TextBytes()
		if err := errors.Join(err1, err2); err != nil {
			return 0, err
		}
		s += int64(len(author)+len(text)) + r.At()
		f += float64(r.Stars())
	}
	if x.HasLicence() {
		l, err := x.Licence()
		if err != nil {
			return 0, err
		}
		owner, err1 := l.OwnerBytes()
		territory, err2 := sumTexts(l.Territory())
		if err := errors.Join(err1, err2); err != nil {
			return 0, err
		}
		s += int64(len(owner)) + territory + l.Until() + l.Cents()
	}
	return uint64(s) ^ math.Float64bits(f), nil
}

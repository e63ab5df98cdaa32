package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// Programme is data=TV: what a guide knows of one television programme. Its times are whole seconds of UTC.
type Programme struct {
	ID         int64
	Title      string
	Episode    *string // its own title, if it has one
	Synopsis   string
	Season     int32
	Number     int32 // in the season
	Seconds    int32 // how long it is
	Rating     float32
	Popularity float64
	Live       bool
	Subtitled  bool
	Produced   time.Time
	Genres     []string
	Channel    Channel
	Showings   []Showing
	Credits    []Credit
	Reviews    []Review
	Licence    *Licence // nil where the channel made it
}

// Channel is where a Programme is shown.
type Channel struct {
	Name      string
	Number    int32
	Frequency float64 // MHz
	HD        bool
}

// Showing is one time that a Programme is shown.
type Showing struct {
	Begin    time.Time
	End      time.Time
	Repeat   bool
	Audience int64
}

// Credit is who did what in a Programme.
type Credit struct {
	Name string
	Role string
	Part *string // of actors
}

// Review is what somebody wrote about a Programme.
type Review struct {
	Author string
	Text   string
	Stars  float32
	At     time.Time
}

// Licence is by whom a Programme may be shown, and until when.
type Licence struct {
	Owner     string
	Territory []string
	Until     time.Time
	Cents     int64
}

// Catalogue is data=TV_CATALOGUE.
type Catalogue struct {
	Programmes []*Programme
}

// CatalogueSize is how many programmes a Catalogue has.
const CatalogueSize = 2000

// NewProgramme makes the first programme of the catalogue.
func NewProgramme() *Programme { return newProgramme(rand.New(rand.NewPCG(seed, 0)), 0) }

// NewCatalogue makes all of them.
func NewCatalogue() *Catalogue {
	c := &Catalogue{}
	for i := range CatalogueSize {
		c.Programmes = append(c.Programmes, newProgramme(rand.New(rand.NewPCG(seed, uint64(i))), i))
	}
	return c
}

var (
	titleWords = strings.Fields("Night River Harbour Stone Winter Garden Letter Signal Island Market Silver Forest Bridge Shadow Summer Border Orchard Lantern Valley Coast")
	textWords  = strings.Fields("the a of and in with after before while long old quiet two three family detective town returns secret journey finds leaves learns story house mountain sea train city friend doctor teacher keeper past years summer storm decision brother sister promise evidence river market")
	firstNames = strings.Fields("Anna Boris Clara David Elena Felix Greta Henry Irene Jonas Karin Louis Marta Niels Olga Peter")
	lastNames  = strings.Fields("Abel Brandt Carver Dumont Eriksen Fischer Garnier Hansen Ivanov Jensen Keller Lindqvist Moreau Novak Olsen Petrov")
	genres     = strings.Fields("drama crime documentary comedy news sport nature history music children")
	roles      = strings.Fields("director writer producer composer camera")
	countries  = strings.Fields("AT BE CH CZ DE DK ES FI FR GB IE IT NL NO PL PT SE")
	channels   = strings.Fields("One Two Culture Sport News Family")
)

func words(r *rand.Rand, from []string, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(from[r.IntN(len(from))])
	}
	return b.String()
}

func person(r *rand.Rand) string {
	return firstNames[r.IntN(len(firstNames))] + " " + lastNames[r.IntN(len(lastNames))]
}

// second is some second of a year from 2001 on.
func second(r *rand.Rand, year int) time.Time {
	return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(365*24*3600)) * time.Second)
}

func newProgramme(r *rand.Rand, i int) *Programme {
	channel := r.IntN(len(channels))
	p := &Programme{
		ID: 1_000_000_007 * int64(i+1), Title: words(r, titleWords, 2+r.IntN(2)), Synopsis: words(r, textWords, 45+r.IntN(20)),
		Season: int32(r.IntN(12)), Number: int32(r.IntN(24)), Seconds: int32(60 * (20 + r.IntN(100))),
		Rating: float32(r.IntN(100)) / 8, Popularity: float64(r.IntN(1<<20)) / (1 << 20), Live: r.IntN(8) == 0, Subtitled: r.IntN(2) == 0,
		Produced: second(r, 2001+r.IntN(20)),
		Channel:  Channel{Name: "Channel " + channels[channel], Number: int32(channel + 1), Frequency: 474 + 8*float64(channel), HD: channel%2 == 0},
	}
	if r.IntN(2) == 0 {
		title := words(r, titleWords, 3)
		p.Episode = &title
	}
	for range 1 + r.IntN(3) {
		p.Genres = append(p.Genres, genres[r.IntN(len(genres))])
	}
	for range 2 + r.IntN(3) {
		begin := second(r, 2024)
		p.Showings = append(p.Showings, Showing{begin, begin.Add(time.Duration(p.Seconds) * time.Second), len(p.Showings) > 0, r.Int64N(5_000_000)})
	}
	for i := range 5 + r.IntN(4) {
		c := Credit{Name: person(r), Role: "actor"}
		if i < 2 {
			c.Role = roles[r.IntN(len(roles))]
		} else {
			part := person(r)
			c.Part = &part
		}
		p.Credits = append(p.Credits, c)
	}
	for range 1 + r.IntN(3) {
		p.Reviews = append(p.Reviews, Review{person(r), words(r, textWords, 12+r.IntN(12)), float32(r.IntN(11)) / 2, second(r, 2023)})
	}
	if r.IntN(3) != 0 {
		l := &Licence{Owner: fmt.Sprintf("%s Pictures", lastNames[r.IntN(len(lastNames))]), Until: second(r, 2030), Cents: r.Int64N(100_000_000)}
		for range 1 + r.IntN(4) {
			l.Territory = append(l.Territory, countries[r.IntN(len(countries))])
		}
		p.Licence = l
	}
	return p
}

// Sum adds all numbers and times and the lengths of all strings.
func (c *Catalogue) Sum() uint64 {
	var s uint64
	for _, p := range c.Programmes {
		s += p.Sum()
	}
	return s
}

// Sum adds all numbers and times and the lengths of all strings.
func (p *Programme) Sum() uint64 {
	f := float64(p.Rating) + p.Popularity + p.Channel.Frequency
	s := p.ID + int64(len(p.Title)+len(p.Synopsis)+len(p.Channel.Name)) + optional(p.Episode) +
		int64(p.Season) + int64(p.Number) + int64(p.Seconds) + bit(p.Live) + 2*bit(p.Subtitled) + p.Produced.Unix() +
		int64(p.Channel.Number) + 4*bit(p.Channel.HD)
	for _, g := range p.Genres {
		s += int64(len(g))
	}
	for i := range p.Showings {
		x := &p.Showings[i]
		s += x.Begin.Unix() + x.End.Unix() + bit(x.Repeat) + x.Audience
	}
	for i := range p.Credits {
		x := &p.Credits[i]
		s += int64(len(x.Name)+len(x.Role)) + optional(x.Part)
	}
	for i := range p.Reviews {
		x := &p.Reviews[i]
		s += int64(len(x.Author)+len(x.Text)) + x.At.Unix()
		f += float64(x.Stars)
	}
	if l := p.Licence; l != nil {
		s += int64(len(l.Owner)) + l.Until.Unix() + l.Cents
		for _, t := range l.Territory {
			s += int64(len(t))
		}
	}
	return uint64(s) ^ math.Float64bits(f)
}

func optional(s *string) int64 {
	if s == nil {
		return 0
	}
	return int64(len(*s))
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

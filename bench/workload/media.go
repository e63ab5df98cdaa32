package workload

// Player says what plays a Media.
type Player int32

// The players.
const (
	Java Player = iota
	Flash
)

// Size is the size class of an Image.
type Size int32

// The size classes.
const (
	Small Size = iota
	Large
)

// Media is one film of a MediaContent.
type Media struct {
	URI        string
	Title      *string
	Width      int32
	Height     int32
	Format     string
	Duration   int64
	Size       int64
	Bitrate    int32
	HasBitrate bool
	Persons    []string
	Player     Player
	Copyright  *string
}

// Image is one still of a MediaContent.
type Image struct {
	URI    string
	Title  *string
	Width  int32
	Height int32
	Size   Size
	Media  *Media
}

// MediaContent is data=MEDIA_CONTENT: a small object with strings, pointers and
// absent values.
type MediaContent struct {
	Media  *Media
	Images []*Image
}

// NewMediaContent makes the value that jvm-serializers prescribes, without
// references from the images to the film.
func NewMediaContent() *MediaContent {
	return &MediaContent{
		Media: &Media{
			URI:       "http://javaone.com/keynote.ogg",
			Width:     641,
			Height:    481,
			Format:    "video/theora\u1234",
			Duration:  18000001,
			Size:      58982401,
			Persons:   []string{"Bill Gates, Jr.", "Steven Jobs"},
			Player:    Flash,
			Copyright: new("Copyright (c) 2009, Scooby Dooby Doo"),
		},
		Images: []*Image{
			{URI: "http://javaone.com/keynote_huge.jpg", Title: new("Javaone Keynote\u1234"), Width: 32000, Height: 24000, Size: Large},
			{URI: "http://javaone.com/keynote_large.jpg", Width: 1024, Height: 768, Size: Large},
			{URI: "http://javaone.com/keynote_small.jpg", Width: 320, Height: 240, Size: Small},
		},
	}
}

// NewMediaContentRefs makes the same value with references: all images point at
// the one film.
func NewMediaContentRefs() *MediaContent {
	m := NewMediaContent()
	for _, im := range m.Images {
		im.Media = m.Media
	}
	return m
}

// Sum adds all numbers and the lengths of all strings.
func (m *MediaContent) Sum() uint64 {
	s := m.Media.sum()
	for _, im := range m.Images {
		s += int64(len(im.URI)+length(im.Title)) + int64(im.Width) + int64(im.Height) + int64(im.Size)
		if im.Media != nil {
			s += im.Media.sum()
		}
	}
	return uint64(s)
}

func (m *Media) sum() int64 {
	s := int64(len(m.URI)+length(m.Title)+len(m.Format)+length(m.Copyright)) +
		int64(m.Width) + int64(m.Height) + m.Duration + m.Size + int64(m.Bitrate) + int64(m.Player)
	if m.HasBitrate {
		s++
	}
	for _, p := range m.Persons {
		s += int64(len(p))
	}
	return s
}

func length(s *string) int {
	if s == nil {
		return 0
	}
	return len(*s)
}

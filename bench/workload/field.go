package workload

// Gallery is how many images data=MEDIA_100K has.
const Gallery = 100_000

// NewGallery makes a MediaContent with so many images, each with a width of its own.
func NewGallery() *MediaContent {
	m := NewMediaContent()
	images := make([]Image, Gallery)
	first := m.Images[0]
	m.Images = make([]*Image, Gallery)
	for i := range images {
		images[i] = *first
		images[i].Title = nil
		images[i].Width = int32(i + 1)
		m.Images[i] = &images[i]
	}
	return m
}

// TextSum is what op=field makes of a text, to know it by: its length and last byte.
func TextSum[T string | []byte](s T) uint64 {
	if len(s) == 0 {
		return 0
	}
	return uint64(len(s))<<8 | uint64(s[len(s)-1])
}

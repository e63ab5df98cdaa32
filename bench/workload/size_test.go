package workload

import (
	"encoding/json"
	"math"
	"testing"
)

// What the suites that the values come from say of their JSON.
func TestJSONSizes(t *testing.T) {
	for _, tt := range []struct {
		name        string
		value       any
		want, slack int
	}{
		{"CAR", NewCar(), 360, 5},
		{"CAR_LARGE", NewCarLarge(), 5295, 50},
		{"TV_CATALOGUE", NewCatalogue(), 3_660_000, 3_660_000 / 20},
	} {
		text, err := json.Marshal(tt.value)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(float64(len(text) - tt.want)); off > float64(tt.slack) {
			t.Errorf("%s: %d bytes of JSON, want %d within %d", tt.name, len(text), tt.want, tt.slack)
		}
	}
}

// Everything that a Sum is to see is seen: any field that changes, changes it.
func TestSumsSeeEveryField(t *testing.T) {
	if a, b := NewProgramme().Sum(), NewCatalogue().Programmes[0].Sum(); a != b {
		t.Errorf("the first programme sums to %d, the catalogue's to %d", a, b)
	}
	for name, change := range map[string]func(*Programme){
		"Episode": func(p *Programme) { s := "?"; p.Episode = &s },
		"Showing": func(p *Programme) { p.Showings[1].Audience++ },
		"Credit":  func(p *Programme) { p.Credits[2].Part = nil },
		"Review":  func(p *Programme) { p.Reviews[0].Stars += 0.5 },
		"Channel": func(p *Programme) { p.Channel.HD = !p.Channel.HD },
		"Genres":  func(p *Programme) { p.Genres = append(p.Genres, "x") },
	} {
		p := NewProgramme()
		if change(p); p.Sum() == NewProgramme().Sum() {
			t.Errorf("%s is not in the sum", name)
		}
	}
}

package measure

import (
	"fmt"
	"strings"
)

// NoisySpread is the median spread beyond which a run is called noisy.
const NoisySpread = 0.05

// Noise says why the figures of a run are not to be trusted, by its machine and the median spread of its cases. It is
// empty when they are.
func Noise(m Machine, spread float64) string {
	var why []string
	if m.Busy() {
		why = append(why, fmt.Sprintf("its load average was %.2f before the run", m.Load[0]))
	}
	if spread > NoisySpread {
		why = append(why, fmt.Sprintf("half of the cases spread by %s or more", SpreadText(spread)))
	}
	if len(why) == 0 {
		return ""
	}
	return "This machine is noisy: " + strings.Join(why, ", and ") + ".\nRepeat the run on a quiet one before you quote it."
}

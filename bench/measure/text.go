package measure

import "fmt"

// TimeText shows nanoseconds with three digits.
func TimeText(ns float64) string {
	switch {
	case ns < 999.5:
		return Digits(ns) + " ns"
	case ns < 999.5e3:
		return Digits(ns/1e3) + " µs"
	default:
		return Digits(ns/1e6) + " ms"
	}
}

// RatioText shows a ratio with three digits, below 1 with two or three places.
func RatioText(r float64) string {
	if r < 0.0995 {
		return fmt.Sprintf("%.3fx", r)
	}
	return Digits(r) + "x"
}

// SpreadText shows a part in per cent, of three digits at most.
func SpreadText(s float64) string {
	return fmt.Sprintf("±%.0f%%", min(s*100, 999))
}

// Digits shows three of them.
func Digits(v float64) string {
	switch {
	case v < 9.995:
		return fmt.Sprintf("%.2f", v)
	case v < 99.95:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}

//go:build !linux && !darwin

package measure

import "os"

func processor() string { return os.Getenv("PROCESSOR_IDENTIFIER") } // Windows sets it

func kernel() string { return "" }

func loadAverage() []float64 { return nil }

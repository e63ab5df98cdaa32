package measure

import "golang.org/x/sys/unix"

func processor() string {
	s, _ := unix.Sysctl("machdep.cpu.brand_string") // "" when there is none
	return s
}

func kernel() string {
	s, err := unix.Sysctl("kern.osrelease")
	if err != nil {
		return ""
	}
	return "Darwin " + s
}

func loadAverage() []float64 { return nil }

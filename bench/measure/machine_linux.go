package measure

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(info)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func kernel() string {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return ""
	}
	return unix.ByteSliceToString(u.Sysname[:]) + " " + unix.ByteSliceToString(u.Release[:])
}

func loadAverage() []float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	fields := strings.Fields(string(text))
	if len(fields) < 3 {
		return nil
	}
	load := make([]float64, 3)
	for i := range load {
		if load[i], err = strconv.ParseFloat(fields[i], 64); err != nil {
			return nil
		}
	}
	return load
}

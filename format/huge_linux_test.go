package format_test

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// roomFor is how many bytes there are on the disk of a directory and in memory.
func roomFor(dir string) (disk, memory uint64, err error) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0, err
	}
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if rest, ok := strings.CutPrefix(in.Text(), "MemAvailable:"); ok {
			if _, err := fmt.Sscan(rest, &memory); err != nil {
				return 0, 0, err
			}
		}
	}
	return s.Bavail * uint64(s.Bsize), memory << 10, nil
}

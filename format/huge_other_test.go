//go:build !linux

package format_test

import "errors"

func roomFor(string) (disk, memory uint64, err error) {
	return 0, 0, errors.New("how much room there is is not known here")
}

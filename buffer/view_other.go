//go:build !unix && !windows

package buffer

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// view says that the platform cannot, so that closeView is never called.
func view(*os.File, int) ([]byte, error) {
	return nil, fmt.Errorf("%s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

func closeView([]byte) error { return errors.ErrUnsupported }

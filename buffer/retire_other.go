//go:build !unix

package buffer

import (
	"errors"
	"fmt"
	"runtime"
)

var errNoRetire = fmt.Errorf("buffer: %s/%s: retire a mapping: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)

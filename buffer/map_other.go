//go:build !unix && !windows

package buffer

import (
	"errors"
	"fmt"
	"runtime"
)

// reserve says that the platform cannot. No Buffer comes to hold a
// reservation, so the functions below are never called.
func reserve(int) ([]byte, error) {
	return nil, fmt.Errorf("%s/%s: %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

func commit([]byte) error { return errors.ErrUnsupported }

func discard([]byte) error { return errors.ErrUnsupported }

func release([]byte) error { return errors.ErrUnsupported }

const spansJoin = false

func forbid(span) error { return errors.ErrUnsupported }

func unmap(span) error { return errors.ErrUnsupported }

func limited() bool { return true }

func wide() bool { return false }

func retireMapping([]byte) error { return errNoRetire }

//go:build !linux

package shm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
)

var errNoChannels = fmt.Errorf("shm: channels need Linux, this is %s: %w", runtime.GOOS, errors.ErrUnsupported)

type writerEnd struct {
	*sender
	current  uint64
	attached chan struct{}
}

func create(string, geometry, uint64) (*writerEnd, error) { return nil, errNoChannels }

func (w *writerEnd) loan(context.Context) (uint32, uint64, error) { return 0, 0, errNoChannels }
func (w *writerEnd) close() error                                 { return errNoChannels }

type readerEnd struct{ *receiver }

func attach(context.Context, string, uint64) (*readerEnd, error) { return nil, errNoChannels }

func (r *readerEnd) close() error { return errNoChannels }

func futexWait(*atomic.Uint32, uint32) {}
func futexWake(*atomic.Uint32)         {}
func yield()                           {}

//go:build !linux

package shm

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/format"
)

var errNoChannels = fmt.Errorf("shm: channels need Linux, this is %s: %w", runtime.GOOS, errors.ErrUnsupported)

type writerEnd struct {
	*sender
	current  uint64
	slot     uint32
	attached chan struct{}
}

func create(string, geometry, *format.Schema) (*writerEnd, error) { return nil, errNoChannels }

func (w *writerEnd) loan(context.Context) (uint64, error)         { return 0, errNoChannels }
func (w *writerEnd) announce(context.Context, []byte) error       { return errNoChannels }
func (w *writerEnd) announceBeside(context.Context, []byte) error { return errNoChannels }
func (w *writerEnd) close() error                                 { return errNoChannels }

type readerEnd struct{ *receiver }

func attach(context.Context, string, judge) (*readerEnd, error) { return nil, errNoChannels }

func (r *readerEnd) close() error { return errNoChannels }

func futexWait(*atomic.Uint32, uint32) {}
func futexWake(*atomic.Uint32)         {}
func yield()                           {}

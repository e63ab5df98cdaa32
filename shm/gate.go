package shm

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A gate lets one goroutine at a time into a side of the channel, and none after Close. A second one is
// told so: two at once would be a bug of the program that may otherwise go unnoticed for long. Close may
// come from any goroutine, since that is how programs end; it ends a wait that is going on.
type gate struct {
	state   atomic.Uint32
	closing atomic.Bool
}

const (
	gateOpen uint32 = iota
	gateInside
	gateAsked // Close looks whether it may
	gateShut
)

func (g *gate) enter() error {
	for !g.state.CompareAndSwap(gateOpen, gateInside) {
		switch g.state.Load() {
		case gateShut:
			return ErrClosed
		case gateInside:
			return ErrBusy
		case gateAsked:
			runtime.Gosched()
		}
	}
	return nil
}

func (g *gate) leave() { g.state.Store(gateOpen) }

func (g *gate) isShut() bool { return g.state.Load() == gateShut }

// shut enters once nobody is inside, and shuts the gate unless may has an error; ring wakes who waits
// inside.
func (g *gate) shut(ring func(), may func() error) error {
	g.closing.Store(true)
	for !g.state.CompareAndSwap(gateOpen, gateAsked) {
		if g.isShut() {
			return ErrClosed
		}
		ring()
		time.Sleep(50 * time.Microsecond)
	}
	if err := may(); err != nil {
		g.closing.Store(false)
		g.leave()
		return err
	}
	g.state.Store(gateShut)
	return nil
}

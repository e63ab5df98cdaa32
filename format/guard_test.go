package format_test

import (
	"runtime/debug"
	"testing"
)

// before puts b flush with the guard page behind the memory.
func (g *guarded) before(b []byte) []byte {
	at := len(g.inner) - len(b)
	copy(g.inner[at:], b)
	return g.inner[at:]
}

// behind puts b flush with the guard page in front of the memory.
func (g *guarded) behind(b []byte) []byte {
	copy(g.inner, b)
	return g.inner[:len(b):len(b)]
}

// faultsPanic makes a fault of this goroutine a panic until the test ends.
func faultsPanic(t testing.TB) {
	was := debug.SetPanicOnFault(true)
	t.Cleanup(func() { debug.SetPanicOnFault(was) })
}

// TestGuardPagesFault: the oracle of the hostile tests works.
func TestGuardPagesFault(t *testing.T) {
	if !guardsWork {
		t.Skip("no guard pages here")
	}
	faultsPanic(t)
	g := newGuarded(t, 64)
	if faultAt(g, 0) || faultAt(g, len(g.inner)-1) {
		t.Error("memory between the guards faults")
	}
	if !faultAt(g, -1) || !faultAt(g, len(g.inner)) {
		t.Error("a guard page does not fault")
	}
}

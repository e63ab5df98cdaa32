//go:build !unix

package format_test

import "testing"

// guarded is ordinary memory where guard pages cannot be had.
type guarded struct {
	inner []byte
}

func newGuarded(t testing.TB, size int) *guarded { return &guarded{alignedBytes(alignedSize(size))} }

func alignedSize(n int) int { return (n + 15) &^ 15 }

const guardsWork = false

func faultAt(*guarded, int) bool { return true }

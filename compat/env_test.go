package compat_test

import (
	"os"
	"runtime"
)

// emulated says that another processor's code is run here, slowly and without children.
var emulated = os.Getenv("ASHLAR_EMULATED") != ""

// heap returns how many bytes of the heap are in use.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

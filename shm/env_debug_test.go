//go:build ashlar_debug

package shm

// debugBuild says that slots that come back are filled with poison.
const debugBuild = true

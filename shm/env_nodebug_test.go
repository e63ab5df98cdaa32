//go:build !ashlar_debug

package shm

const debugBuild = false

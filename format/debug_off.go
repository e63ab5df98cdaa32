//go:build !ashlar_debug

package format

const debug = false

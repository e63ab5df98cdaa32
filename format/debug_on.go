//go:build ashlar_debug

package format

// debug says that views look, at each read, whether their message is still there.
const debug = true

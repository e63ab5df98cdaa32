//go:build !ashlar_debug

package buffer

// poisons says that what is given up is filled with poison.
const poisons = false

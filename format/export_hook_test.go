//go:build ashlar_hook

package format

// SetLoadHook sets what each load from a message goes through.
func SetLoadHook(f func(at, v uint64, bits int) uint64) { loadHook = f }

package workload

import "math/rand/v2"

// NewMapStringInt64 makes data=MAP of type=string-int64 with n entries.
func NewMapStringInt64(n int) *map[string]int64 {
	return newMap(n, word, func(r *rand.Rand) int64 { return int64(r.Uint64()) })
}

// NewMapInt64Float64 makes data=MAP of type=int64-float64 with n entries.
func NewMapInt64Float64(n int) *map[int64]float64 {
	return newMap(n, func(r *rand.Rand) int64 { return int64(r.Uint64()) }, (*rand.Rand).NormFloat64)
}

// NewMapStringString makes data=MAP of type=string-string with n entries.
func NewMapStringString(n int) *map[string]string {
	return newMap(n, word, word)
}

// newMap makes a map of n entries, always the same one.
func newMap[K comparable, V any](n int, key func(*rand.Rand) K, value func(*rand.Rand) V) *map[K]V {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	m := make(map[K]V, n)
	for len(m) < n {
		k := key(r)
		m[k] = value(r)
	}
	return &m
}

// word makes a string of 8 to 24 lower-case letters.
func word(r *rand.Rand) string {
	p := make([]byte, 8+r.IntN(17))
	for i := range p {
		p[i] = byte('a' + r.IntN(26))
	}
	return string(p)
}

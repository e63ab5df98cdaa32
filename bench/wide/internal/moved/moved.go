// Package moved has what generated code needs that moves values between two sets of types.
package moved

// There is p, or a new message where there is none.
func There[M any](p *M) *M {
	if p == nil {
		p = new(M)
	}
	return p
}

// Several is a list of n messages, those of old first.
func Several[M any](old []*M, n int) []*M {
	old = old[:cap(old)]
	for len(old) < n {
		old = append(old, nil)
	}
	for i := range old[:n] {
		old[i] = There(old[i])
	}
	return old[:n]
}

// A Number can be another number's value.
type Number interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~float32 | ~float64
}

// Pointer points to the same number of another type.
func Pointer[To, From Number](p *From) *To {
	if p == nil {
		return nil
	}
	n := To(*p)
	return &n
}

// List has the same numbers of another type.
func List[To, From Number](from []From) []To {
	if from == nil {
		return nil
	}
	to := make([]To, len(from))
	for i, n := range from {
		to[i] = To(n)
	}
	return to
}

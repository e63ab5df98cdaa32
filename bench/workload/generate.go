package workload

// Generated is the i-th of the numbers that op=build generates, one multiplication each, so that whoever builds
// from back to front has the same ones.
func Generated(i int) uint64 {
	x := uint64(i)*0x9E3779B97F4A7C15 + seed
	return x ^ x>>32
}

// The elements of the arrays that op=build makes, each from a number of its own.
func GeneratedBool(i int) bool      { return Generated(i)&1 == 1 }
func GeneratedInt8(i int) int8      { return int8(Generated(i)) }
func GeneratedInt32(i int) int32    { return int32(Generated(i)) }
func GeneratedInt64(i int) int64    { return int64(Generated(i)) }
func GeneratedDouble(i int) float64 { return float64(int32(Generated(i))) / 1024 }

// Generate fills the arrays, which have their lengths.
func (a *ArraysData) Generate() {
	for i := range a.Booleans {
		a.Booleans[i] = GeneratedBool(i)
	}
	a.GenerateNumbers()
}

// GenerateNumbers fills all arrays but the booleans, for who has these in another form.
func (a *ArraysData) GenerateNumbers() {
	for i := range a.Bytes {
		a.Bytes[i] = GeneratedInt8(i)
	}
	for i := range a.Ints {
		a.Ints[i] = GeneratedInt32(i)
	}
	for i := range a.Longs {
		a.Longs[i] = GeneratedInt64(i)
	}
	for i := range a.Doubles {
		a.Doubles[i] = GeneratedDouble(i)
	}
}

// NewGenerated makes arrays of n generated elements each.
func NewGenerated(n int) *ArraysData {
	a := MakeArrays(n)
	a.Generate()
	return &a
}

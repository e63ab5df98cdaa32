package workload

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
)

// ArraysData is data=PRIMITIVE_ARRAY: five arrays of primitives, 22 bytes for
// each n.
type ArraysData struct {
	Booleans []bool
	Bytes    []int8
	Ints     []int32
	Longs    []int64
	Doubles  []float64
}

// NewArrays makes arrays of n elements each. The booleans are random, so that
// whoever checks them cannot be lucky. The doubles are random multiples of 1/1024
// of 31 bits: their sum is exact in whatever order they are added.
func NewArrays(n int) *ArraysData {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	a := MakeArrays(n)
	for i := range n {
		a.Booleans[i] = r.Uint32()&1 == 1
		a.Bytes[i] = int8(r.Uint32())
		a.Ints[i] = int32(r.Uint32())
		a.Longs[i] = int64(r.Uint64())
		a.Doubles[i] = float64(int32(r.Uint32())>>1) / 1024
	}
	return &a
}

// MakeArrays makes zeroed arrays of n elements each.
func MakeArrays(n int) ArraysData {
	return ArraysData{
		Booleans: make([]bool, n),
		Bytes:    make([]int8, n),
		Ints:     make([]int32, n),
		Longs:    make([]int64, n),
		Doubles:  make([]float64, n),
	}
}

// Equal reports whether a and b hold the same elements.
func (a *ArraysData) Equal(b *ArraysData) bool {
	return slices.Equal(a.Booleans, b.Booleans) && slices.Equal(a.Bytes, b.Bytes) &&
		slices.Equal(a.Ints, b.Ints) && slices.Equal(a.Longs, b.Longs) && slices.Equal(a.Doubles, b.Doubles)
}

// Sum adds all elements of all arrays.
func (a *ArraysData) Sum() uint64 {
	return uint64(count(a.Booleans)) + a.SumNumbers()
}

// SumNumbers adds all elements of all arrays but the booleans, for readers that
// have these in another form.
func (a *ArraysData) SumNumbers() uint64 {
	i := sum[int8, int64](a.Bytes) + sum[int32, int64](a.Ints) + sum[int64, int64](a.Longs)
	return uint64(i) + math.Float64bits(sum[float64, float64](a.Doubles))
}

// sum adds eight elements at a time in four lanes, so that an addition need not
// wait for the one before. What is measured with it is how a reader gets at the
// elements, and that should not drown in a slow loop over them.
func sum[T int8 | int32 | int64 | float64, S int64 | float64](v []T) S {
	var a, b, c, d S
	for ; len(v) >= 8; v = v[8:] {
		p := (*[8]T)(v)
		a, b, c, d = a+S(p[0]), b+S(p[1]), c+S(p[2]), d+S(p[3])
		a, b, c, d = a+S(p[4]), b+S(p[5]), c+S(p[6]), d+S(p[7])
	}
	for _, x := range v {
		a += S(x)
	}
	return a + b + c + d
}

// count returns how many elements are true.
func count(v []bool) int64 {
	var a, b, c, d int64
	for ; len(v) >= 8; v = v[8:] {
		p := (*[8]bool)(v)
		a, b, c, d = a+one(p[0]), b+one(p[1]), c+one(p[2]), d+one(p[3])
		a, b, c, d = a+one(p[4]), b+one(p[5]), c+one(p[6]), d+one(p[7])
	}
	for _, x := range v {
		a += one(x)
	}
	return a + b + c + d
}

// one is 1 for true. This form compiles to no branch, which random booleans
// would mispredict.
func one(v bool) int64 {
	var n int64
	if v {
		n = 1
	}
	return n
}

// Buffers is data=BUFFER: a list of byte buffers, five of n bytes each. It is an
// alias, since the message's root is the plain [][]byte.
type Buffers = [][]byte

// BufferStruct is data=BUFFER_STRUCT: the same inside a struct.
type BufferStruct struct {
	Buffers [][]byte
}

// buffers is how many byte buffers there are.
const buffers = 5

// NewBuffers makes five buffers of n random bytes.
func NewBuffers(n int) *Buffers {
	r := rand.New(rand.NewPCG(seed, uint64(n)))
	b := MakeBuffers(n)
	for _, p := range b {
		for i := range p {
			p[i] = byte(r.Uint32())
		}
	}
	return &b
}

// MakeBuffers makes five zeroed buffers of n bytes.
func MakeBuffers(n int) Buffers {
	b := make(Buffers, buffers)
	for i := range b {
		b[i] = make([]byte, n)
	}
	return b
}

// NewBufferStruct makes a struct of the same buffers.
func NewBufferStruct(n int) *BufferStruct {
	return &BufferStruct{Buffers: *NewBuffers(n)}
}

// EqualBuffers reports whether a and b hold the same bytes.
func EqualBuffers(a, b *Buffers) bool {
	return slices.EqualFunc(*a, *b, bytes.Equal)
}

// SumBuffers adds all bytes.
func SumBuffers(b *Buffers) uint64 {
	var s uint64
	for _, p := range *b {
		s += SumBytes(p)
	}
	return s
}

// SumBytes adds the bytes of one buffer.
func SumBytes(p []byte) uint64 {
	var s uint64
	for _, v := range p {
		s += uint64(v)
	}
	return s
}

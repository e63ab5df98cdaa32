package suite

import "fmt"

// The levels of a name. They stay as they are for ever, lest results be
// incomparable.
const (
	Arrays  = "Arrays"
	Objects = "Objects"

	Serialize   = "serialize"
	Deserialize = "deserialize"
	Traverse    = "traverse"

	PrimitiveArray = "PRIMITIVE_ARRAY"
	Buffer         = "BUFFER"
	BufferStruct   = "BUFFER_STRUCT"
	Struct         = "STRUCT"
	MediaContent   = "MEDIA_CONTENT"

	Heap    = "array"
	OffHeap = "offheap"
	Mmap    = "mmap"
	Shm     = "shm"

	Ashlar      = "ashlar"
	FlatBuffers = "flatbuffers"
	CapnProto   = "capnproto"
	Memmove     = "memmove"

	Contiguous = "contiguous"
	Copy       = "copy"
	Reuse      = "reuse"
	Alias      = "alias"
	Documented = "documented"
	Expert     = "expert"
	MakeCopy   = "makecopy"
	Bools      = "bools"
)

// Sizes are the values of the level n of Arrays.
var Sizes = []int{200, 1000, 5000}

// A Name says what a case measures. Names can be compared and be keys of maps.
type Name struct {
	Bench  string // Arrays or Objects
	Op     string
	Data   string
	N      int // elements in each array; 0 in Objects
	Buffer string
	Refs   string // of Objects: shared references tracked or not
	Mode   string // of Objects: consistent or compatible
	Way    string
	Lib    string
}

// String returns the name as the Go benchmark format has it, and as go test
// prints it but for the number of processors at the end.
func (n Name) String() string {
	return "Benchmark" + n.Bench + "/" + n.Sub()
}

// Sub returns the name less that of the benchmark function.
func (n Name) Sub() string {
	if n.Bench == Arrays {
		return fmt.Sprintf("op=%s/data=%s/n=%d/buffer=%s/way=%s/lib=%s", n.Op, n.Data, n.N, n.Buffer, n.Way, n.Lib)
	}
	return fmt.Sprintf("op=%s/data=%s/buffer=%s/refs=%s/mode=%s/way=%s/lib=%s",
		n.Op, n.Data, n.Buffer, n.Refs, n.Mode, n.Way, n.Lib)
}

// Group returns the levels that cases have in common which are measured
// together, in interleaved rounds.
func (n Name) Group() Name {
	return Name{Bench: n.Bench, Op: n.Op, Data: n.Data, Buffer: n.Buffer, Refs: n.Refs, Mode: n.Mode}
}

// With returns the name with another way and library: a case to compare with.
func (n Name) With(way, lib string) Name {
	n.Way, n.Lib = way, lib
	return n
}

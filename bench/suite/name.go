package suite

import (
	"fmt"
	"strconv"
	"strings"
)

// The levels of a name. They stay as they are for ever, lest results be
// incomparable.
const (
	Arrays  = "Arrays"
	Objects = "Objects"
	Maps    = "Maps"

	Serialize   = "serialize"
	Deserialize = "deserialize"
	Traverse    = "traverse"
	Field       = "field"     // one field from the message's bytes on
	Build       = "build"     // generated into the message where it is to lie
	RoundTrip   = "roundtrip" // serialize and deserialize
	Create      = "create"    // the value itself

	PrimitiveArray = "PRIMITIVE_ARRAY"
	Buffer         = "BUFFER"
	BufferStruct   = "BUFFER_STRUCT"
	Struct         = "STRUCT"
	Struct2        = "STRUCT2"
	Struct2Nil     = "STRUCT2_NIL"
	Sample         = "SAMPLE"
	Map            = "MAP"
	Car            = "CAR"
	CarLarge       = "CAR_LARGE"
	Complex        = "COMPLEX"
	TV             = "TV"
	TVCatalogue    = "TV_CATALOGUE"

	StringInt64  = "string-int64"
	Int64Float64 = "int64-float64"
	StringString = "string-string"
	MediaContent = "MEDIA_CONTENT"
	Media100K    = "MEDIA_100K" // MEDIA_CONTENT with 100,000 images

	FirstImage = "Images[0].Width"
	LastImage  = "Images[99999].Width"

	Heap    = "array"
	OffHeap = "offheap"
	Mmap    = "mmap"
	Shm     = "shm"

	Consistent = "consistent"
	Compatible = "compatible" // by a reader that may meet other schemas, and does not
	Evolved    = "evolved"    // by a reader of another version than the writer: all of the following at once
	Added      = "added"      // the reader has a field that the writer lacks
	Removed    = "removed"    // the writer has a field that the reader lacks
	Swapped    = "swapped"    // two fields are in each other's place

	RefsOff = "off"
	RefsOn  = "on"

	Ashlar      = "ashlar"
	FlatBuffers = "flatbuffers"
	CapnProto   = "capnproto"
	Memmove     = "memmove"
	ReflectSort = "reflect-sort"
	Slices      = "slices" // Go slices, and no message
	Go          = "go"     // the value as it is in Go

	Contiguous = "contiguous"
	Gather     = "gather"
	Copy       = "copy"
	Reuse      = "reuse"
	Alias      = "alias"
	Documented = "documented"
	Expert     = "expert"
	MakeCopy   = "makecopy"
	Bools      = "bools"
	// EvolvedAlias is Alias by a reader of another version.
	EvolvedAlias = "alias-evolved"
	Copy800      = "copy800"
	View         = "view"
	InPlace      = "in-place"
	Direct       = "direct"
	New          = "new"
	Known        = "known"     // of libraries from elsewhere: both sides know the types
	Described    = "described" // each message says what its types are
)

// Edits are the modes in which one thing has changed.
var Edits = []string{Added, Removed, Swapped}

// Sizes are the values of the level n of Arrays, MapSizes those of Maps.
var (
	Sizes    = []int{200, 1000, 5000}
	MapSizes = []int{10, 1000, 100_000}
)

// A Name says what a case measures. Names can be compared and be keys of maps.
type Name struct {
	Bench  string // Arrays, Objects or Maps
	Op     string
	Data   string
	Type   string // of Maps: those of key and value; of Field: its path
	N      int    // elements in each array, entries in a map; 0 in Objects
	Buffer string
	Refs   string // of Objects: shared references tracked or not
	Mode   string // of Objects
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
	switch n.Bench {
	case Arrays:
		return fmt.Sprintf("op=%s/data=%s/n=%d/buffer=%s/way=%s/lib=%s", n.Op, n.Data, n.N, n.Buffer, n.Way, n.Lib)
	case Maps:
		return fmt.Sprintf("op=%s/data=%s/type=%s/n=%d/buffer=%s/way=%s/lib=%s", n.Op, n.Data, n.Type, n.N, n.Buffer, n.Way, n.Lib)
	}
	if n.Op == Field {
		return fmt.Sprintf("op=%s/data=%s/buffer=%s/refs=%s/mode=%s/field=%s/way=%s/lib=%s",
			n.Op, n.Data, n.Buffer, n.Refs, n.Mode, n.Type, n.Way, n.Lib)
	}
	return fmt.Sprintf("op=%s/data=%s/buffer=%s/refs=%s/mode=%s/way=%s/lib=%s",
		n.Op, n.Data, n.Buffer, n.Refs, n.Mode, n.Way, n.Lib)
}

// Group returns the levels that cases have in common which are measured
// together, in interleaved rounds: those that something is claimed of, side by
// side. A large map takes so much longer than a small one that it is measured in
// rounds of its own.
func (n Name) Group() Name {
	g := Name{Bench: n.Bench, Op: n.Op, Data: n.Data, Buffer: n.Buffer}
	if n.Bench == Maps {
		g.Type, g.N = n.Type, n.N
	}
	return g
}

// With returns the name with another way and library: a case to compare with.
func (n Name) With(way, lib string) Name {
	n.Way, n.Lib = way, lib
	return n
}

// ParseName is the inverse of String.
func ParseName(s string) (Name, error) {
	var n Name
	bench, levels, _ := strings.Cut(strings.TrimPrefix(s, "Benchmark"), "/")
	n.Bench = bench
	to := map[string]*string{"op": &n.Op, "data": &n.Data, "type": &n.Type, "field": &n.Type, "buffer": &n.Buffer,
		"refs": &n.Refs, "mode": &n.Mode, "way": &n.Way, "lib": &n.Lib}
	for level := range strings.SplitSeq(levels, "/") {
		key, value, _ := strings.Cut(level, "=")
		switch p := to[key]; {
		case p != nil:
			*p = value
		case key == "n":
			n.N, _ = strconv.Atoi(value)
		}
	}
	if n.String() != "Benchmark"+strings.TrimPrefix(s, "Benchmark") {
		return Name{}, fmt.Errorf("%q is no name of a case", s)
	}
	return n, nil
}

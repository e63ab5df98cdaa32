package format

import "strconv"

// A Kind is the wire's kind of a value, numbered as in a description (SPEC §6.1).
type Kind uint8

const (
	KindBool Kind = iota + 1
	KindInt8
	KindInt16
	KindInt32
	KindInt64
	KindUint8
	KindUint16
	KindUint32
	KindUint64
	KindFloat32
	KindFloat64
	KindComplex64
	KindComplex128
	KindString
	KindPointer
	KindSlice
	KindArray
	KindStruct
	KindMap
	KindInterface
	KindTime
	KindCustom
)

var kindNames = [...]string{"", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
	"float32", "float64", "complex64", "complex128", "string", "pointer", "slice", "array", "struct", "map",
	"interface", "time", "custom"}

// String returns the kind's name in SPEC §6.1.
func (k Kind) String() string {
	if k == 0 || int(k) >= len(kindNames) {
		return "kind " + strconv.Itoa(int(k))
	}
	return kindNames[k]
}

func (k Kind) scalar() bool { return k >= KindBool && k <= KindComplex128 }

// The names that the package itself uses.
type kind = Kind

const (
	kindBool       = KindBool
	kindInt8       = KindInt8
	kindInt16      = KindInt16
	kindInt32      = KindInt32
	kindInt64      = KindInt64
	kindUint8      = KindUint8
	kindUint16     = KindUint16
	kindUint32     = KindUint32
	kindUint64     = KindUint64
	kindFloat32    = KindFloat32
	kindFloat64    = KindFloat64
	kindComplex64  = KindComplex64
	kindComplex128 = KindComplex128
	kindString     = KindString
	kindPointer    = KindPointer
	kindSlice      = KindSlice
	kindArray      = KindArray
	kindStruct     = KindStruct
	kindMap        = KindMap
	kindInterface  = KindInterface
	kindTime       = KindTime
	kindCustom     = KindCustom
)

package main

import (
	"fmt"
	"reflect"
	"time"
)

const thriftHeader = `// What the workloads are to thrift. Written by schemas thrift.
namespace go schema
`

func thriftField(_, t reflect.Type, name string, id int) string {
	label := ""
	if t.Kind() == reflect.Pointer {
		label, t = "optional ", t.Elem()
	}
	return fmt.Sprintf("%d: %s%s %s", id, label, thriftWord(t), name)
}

func thriftWord(t reflect.Type) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "i64"
	case t == reflect.TypeFor[[]byte](), t == reflect.TypeFor[[]int8]():
		return "binary"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.Int8:
		return "i8"
	case reflect.Int16, reflect.Uint16:
		return "i16"
	case reflect.Int32:
		return "i32"
	case reflect.Int64:
		return "i64"
	case reflect.Float32, reflect.Float64:
		return "double"
	case reflect.String:
		return "string"
	case reflect.Slice:
		return "list<" + thriftWord(t.Elem()) + ">"
	case reflect.Pointer:
		return thriftWord(t.Elem())
	}
	return t.Name()
}

// thriftType is what thrift has: nothing unsigned, no float of 32 bits.
func thriftType(t reflect.Type) reflect.Type {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return reflect.TypeFor[int64]()
	case t.Kind() == reflect.Int32:
		return reflect.TypeFor[int32]()
	case t.Kind() == reflect.Uint16:
		return reflect.TypeFor[int16]()
	case t.Kind() == reflect.Float32:
		return reflect.TypeFor[float64]()
	}
	return t
}

package main

import (
	"fmt"
	"reflect"
	"time"

	"github.com/ashlar-go/ashlar/bench/workload"
)

const protoHeader = `// What the workloads are to protobuf. Written by schemas proto.
syntax = "proto3";
package workload;
option go_package = "github.com/ashlar-go/ashlar/bench/wide/protobuf/pb";
`

// protoField chooses as somebody does who knows the values: numbers of random bits have a fixed length, those that may be
// negative are zigzag.
func protoField(owner, t reflect.Type, name string, id int) string {
	label := ""
	switch {
	case t.Kind() == reflect.Pointer && !isStruct(t):
		label, t = "optional ", t.Elem()
	case t.Kind() == reflect.Pointer:
		t = t.Elem()
	case t == reflect.TypeFor[[]byte](), t == reflect.TypeFor[[]int8]():
		return fmt.Sprintf("bytes %s = %d;", name, id)
	case t.Kind() == reflect.Slice:
		label, t = "repeated ", t.Elem()
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
	}
	prefix := "int"
	switch owner {
	case reflect.TypeFor[workload.ArraysData](), reflect.TypeFor[workload.Struct](), reflect.TypeFor[workload.Struct2]():
		prefix = "sfixed"
	case reflect.TypeFor[workload.Sample]():
		prefix = "sint"
	}
	return fmt.Sprintf("%s%s %s = %d;", label, protoWord(t, prefix), name, id)
}

func protoWord(t reflect.Type, prefix string) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "int64"
	case t == reflect.TypeFor[[]byte]():
		return "bytes"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "bool"
	case reflect.Int8, reflect.Int16, reflect.Int32:
		return prefix + "32"
	case reflect.Uint16:
		return "uint32"
	case reflect.Int64:
		return prefix + "64"
	case reflect.Float32:
		return "float"
	case reflect.Float64:
		return "double"
	case reflect.String:
		return "string"
	}
	return t.Name()
}

func protoType(t reflect.Type) reflect.Type {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return reflect.TypeFor[int64]()
	case t.Kind() == reflect.Int8, t.Kind() == reflect.Int16, t.Kind() == reflect.Int32:
		return reflect.TypeFor[int32]()
	case t.Kind() == reflect.Uint16:
		return reflect.TypeFor[uint32]()
	}
	return t
}

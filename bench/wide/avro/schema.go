package avro

import (
	"fmt"
	"reflect"
	"strings"
	"time"
)

// schemaOf writes the schema of a type: pointers are unions with null, times microseconds.
func schemaOf[T any]() string {
	return schema(reflect.TypeFor[T](), make(map[reflect.Type]bool))
}

func schema(t reflect.Type, known map[reflect.Type]bool) string {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return `{"type":"long","logicalType":"timestamp-micros"}`
	case t == reflect.TypeFor[[]byte]():
		return `"bytes"`
	}
	switch t.Kind() {
	case reflect.Bool:
		return `"boolean"`
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Uint16:
		return `"int"`
	case reflect.Int64:
		return `"long"`
	case reflect.Float32:
		return `"float"`
	case reflect.Float64:
		return `"double"`
	case reflect.String:
		return `"string"`
	case reflect.Pointer:
		return `["null",` + schema(t.Elem(), known) + `]`
	case reflect.Slice:
		return `{"type":"array","items":` + schema(t.Elem(), known) + `}`
	case reflect.Struct:
		if known[t] {
			return `"` + t.Name() + `"`
		}
		known[t] = true
		var fields []string
		for i := range t.NumField() {
			f := t.Field(i)
			fields = append(fields, fmt.Sprintf(`{"name":%q,"type":%s}`, f.Name, schema(f.Type, known)))
		}
		return fmt.Sprintf(`{"type":"record","name":%q,"fields":[%s]}`, t.Name(), strings.Join(fields, ","))
	}
	panic(fmt.Sprintf("avro: no schema for %s", t)) // the workloads have no other
}

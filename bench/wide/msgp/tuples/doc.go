//go:generate go run ../../internal/schemas msgpack-tuple
//go:generate go tool msgp -file types.go -o code.go -io=false -tests=false

// Package tuples has types whose values msgp writes as arrays.
package tuples

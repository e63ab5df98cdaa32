//go:generate go run ../../internal/schemas msgpack-map
//go:generate go tool msgp -file types.go -o code.go -io=false -tests=false

// Package maps has types whose values msgp writes as maps.
package maps

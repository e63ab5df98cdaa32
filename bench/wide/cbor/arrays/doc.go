//go:generate go run ../../internal/schemas cbor-array

// Package arrays has types whose values cbor writes as arrays.
package arrays

//go:build !purego

package format_test

const pureGo = false

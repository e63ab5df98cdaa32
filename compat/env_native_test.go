//go:build !purego

package compat_test

const reflecting = false

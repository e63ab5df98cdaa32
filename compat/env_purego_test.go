//go:build purego

package compat_test

// reflecting says that every byte is moved by reflection, so that tests of large messages take minutes.
const reflecting = true

//go:build purego || !(386 || amd64 || arm64 || loong64 || ppc64le || riscv64 || wasm)

package compat_test

// reflecting says that every byte is moved by reflection, so that tests of large messages take minutes.
const reflecting = true

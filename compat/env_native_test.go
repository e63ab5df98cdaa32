//go:build !purego && (386 || amd64 || arm64 || loong64 || ppc64le || riscv64 || wasm)

package compat_test

const reflecting = false

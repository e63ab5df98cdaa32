//go:build purego || !(386 || amd64 || arm64 || loong64 || ppc64le || riscv64 || wasm)

package buffer_test

// aliases says that values can point into a Buffer: not in a build without unsafe.
const aliases = false

//go:build !purego && (386 || amd64 || arm64 || loong64 || ppc64le || riscv64 || wasm)

package format_test

// aliases reports whether an aliasing decode can point into messages in this build.
func aliases() bool { return true }

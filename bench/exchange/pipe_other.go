//go:build !unix

package exchange

// pipesInherit says that exec.Cmd's ExtraFiles work.
const pipesInherit = false

package exchange

import (
	"os/exec"
	"syscall"
)

// dieWithParent has the system end the process when this one ends, however that
// happens.
func dieWithParent(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

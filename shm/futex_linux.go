package shm

import (
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	futexWaitOp = 0
	futexWakeOp = 1
)

// futexWait sleeps while *word is still heard. It may return at any time for no reason. It is a system
// call that the scheduler knows of, so that a sleeper holds up neither goroutines nor the collector.
func futexWait(word *atomic.Uint32, heard uint32) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWaitOp, uintptr(heard), 0, 0, 0)
}

// futexWake wakes whoever sleeps on word, in this process or another.
func futexWake(word *atomic.Uint32) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWakeOp, 1, 0, 0, 0)
}

// yield lets another thread have the processor.
func yield() { unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

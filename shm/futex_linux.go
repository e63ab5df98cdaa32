package shm

import (
	"math"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	futexWaitOp = 0
	futexWakeOp = 1
)

// longestSleep bounds one sleep. Between honest peers no wake-up is lost and nothing depends on it. One
// that is not can put the word back to what it was, or move the sleeper to another futex, and must not
// keep it from seeing the end of its context or of the peer (SPEC.md §5.3).
var longestSleep = unix.NsecToTimespec(int64(500 * time.Millisecond))

// futexWait sleeps while *word is still heard. It may return at any time for no reason. It is a system
// call that the scheduler knows of, so that a sleeper holds up neither goroutines nor the collector.
func futexWait(word *atomic.Uint32, heard uint32) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWaitOp, uintptr(heard), uintptr(unsafe.Pointer(&longestSleep)), 0, 0)
}

// futexWake wakes all that sleep on word, in this process or another: the owner need not be the first.
func futexWake(word *atomic.Uint32) {
	unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWakeOp, math.MaxInt32, 0, 0, 0)
}

// yield lets another thread have the processor.
func yield() { unix.Syscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

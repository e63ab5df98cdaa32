package buffer

// limited reports whether the process may have only so many addresses. There is
// no such limit here.
func limited() bool { return false }

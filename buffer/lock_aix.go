package buffer

import "os"

// lock does nothing: the locks of AIX belong to a process, not a file that it has
// open, and go with the first of its descriptors that is closed.
func lock(*os.File) error { return nil }

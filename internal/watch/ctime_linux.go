package watch

import (
	"io/fs"
	"syscall"
)

// changedAt is when the system changed anything of a file. Whoever sets the time of
// writing back, as programs do that copy, doesn't reach it.
func changedAt(info fs.FileInfo) syscall.Timespec {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim
	}
	return syscall.Timespec{}
}

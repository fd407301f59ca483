package treetest

import (
	"os"
	"slices"
	"strings"
	"syscall"
)

// InMemory lets the tests of this process, and the programs that they start, have their
// temporary files in memory. A disk looks again and again past the inodes of files that
// went a moment ago, which takes tests that make and remove thousands of small files
// longer than all that they show. It is for TestMain; a folder that somebody chose with
// TMPDIR stays, and where the memory has no room, or runs no programs, nothing changes.
// Nor does it for benchmarks: what a disk costs is part of what they measure.
func InMemory() {
	const folder = "/dev/shm"
	if os.Getenv("TMPDIR") != "" || slices.ContainsFunc(os.Args[1:], benchmarks) || !roomy(folder) {
		return
	}
	if err := os.Setenv("TMPDIR", folder); err != nil {
		panic(err)
	}
}

// benchmarks says whether an argument of a test program is about benchmarks.
func benchmarks(argument string) bool {
	return strings.HasPrefix(strings.TrimLeft(argument, "-"), "test.bench")
}

// roomy says whether a folder is of memory, has room for all that tests write at once,
// and is good for everything that they do in the usual one: programs too are run there.
func roomy(folder string) bool {
	const (
		tmpfs          = 0x01021994
		noExec         = 0x8
		room           = 2 << 30
		writeAndSearch = 0x3
	)
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return false
	}
	return int64(s.Type) == tmpfs && s.Flags&noExec == 0 && s.Bavail*uint64(s.Bsize) >= room && syscall.Access(folder, writeAndSearch) == nil
}

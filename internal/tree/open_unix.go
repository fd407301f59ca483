//go:build unix

package tree

import "syscall"

// nonblock makes opening a named pipe return at once instead of waiting for a
// writer; a terminal doesn't become ours by being opened.
const nonblock = syscall.O_NONBLOCK | syscall.O_NOCTTY

var errNotDir error = syscall.ENOTDIR

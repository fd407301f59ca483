//go:build unix

package treetest

import (
	"syscall"
	"testing"
)

// Pipe makes a named pipe, and reports whether there are such here.
func Pipe(t testing.TB, path string) bool {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	return true
}

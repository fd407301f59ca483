//go:build !unix

package treetest

import "testing"

// Pipe makes a named pipe, and reports whether there are such here.
func Pipe(testing.TB, string) bool { return false }

//go:build !linux

package treetest

import "testing"

// Unprivileged runs a function as whoever the tests run as: only on Linux can the
// superuser do without the power over files.
func Unprivileged(_ testing.TB, _ string, run func()) { run() }

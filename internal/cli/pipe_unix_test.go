//go:build unix

package cli_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

func makePipe(name string) func(*testing.T, string) {
	return func(t *testing.T, dir string) { must(t, syscall.Mkfifo(filepath.Join(dir, name), 0o644)) }
}

//go:build !linux

package store_test

import (
	"os"
	"runtime"
	"testing"
)

func protect(t *testing.T, folder, file string) (unlock func()) {
	t.Helper()
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("modes of files keep nobody from writing here")
	}
	return protectByMode(t, folder, file)
}

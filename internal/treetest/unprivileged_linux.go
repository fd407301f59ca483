package treetest

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// Unprivileged runs a function without the power of the superuser over files, if
// the tests have it: permissions bind it. The folder is opened to everybody.
func Unprivileged(t testing.TB, dir string, run func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		run()
		return
	}
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// Of Linux alone, and of one thread: other tests keep what they may.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	const nobody = 65534
	if err := syscall.Setfsuid(nobody); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := syscall.Setfsuid(0); err != nil {
			t.Error(err)
		}
	}()
	run()
}

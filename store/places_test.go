package store_test

import (
	"os"
	"testing"
)

func protectByMode(t *testing.T, folder, file string) (unlock func()) {
	t.Helper()
	set := func(file, folder os.FileMode, names ...string) {
		for i, mode := range []os.FileMode{file, folder} {
			if err := os.Chmod(names[i], mode); err != nil {
				t.Error(err)
			}
		}
	}
	set(0o400, 0o500, file, folder)
	return func() { set(0o600, 0o700, file, folder) }
}

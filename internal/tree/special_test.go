//go:build unix

package tree_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/cento-dev/cento/internal/tree"
)

// TestSpecialFilesAreNotWaitedFor opens what would block for ever if it were
// opened in the usual way.
func TestSpecialFilesAreNotWaitedFor(t *testing.T) {
	dir, err := os.MkdirTemp("", "tree") // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	names := []string{"pipe", "link", "socket"}
	// A device can only be made by the superuser.
	if err := syscall.Mknod(filepath.Join(dir, "device"), syscall.S_IFCHR|0o644, 1<<8|5); err == nil {
		names = append(names, "device")
	}
	tr := open(t, dir, tree.Options{})

	done := make(chan struct{})
	go func() {
		defer close(done)
		for _, name := range names {
			_, err := tr.Read(name)
			wantErrorOff(t, err, name)
			_, err = tree.ReadPath(filepath.Join(dir, name), tree.Options{Show: func(string) string { return name }})
			wantErrorOff(t, err, name)
			if _, err = tr.ReadDir(name, 1); err == nil {
				t.Errorf("%s lists as a folder", name)
			}
			if _, err = tree.Open(filepath.Join(dir, name), tree.Options{}); err == nil {
				t.Errorf("%s opens as a folder", name)
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("a special file is waited for")
	}
}

func wantErrorOff(t *testing.T, err error, name string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s is read", name)
		return
	}
	if got := err.Error(); got != name+": not a regular file but "+map[string]string{
		"pipe": "a named pipe", "link": "a named pipe", "socket": "a socket", "device": "a device",
	}[name] {
		t.Errorf("%s: error is %q", name, got)
	}
}

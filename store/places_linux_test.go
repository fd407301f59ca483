package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/cento-dev/cento/store"
	"github.com/cento-dev/cento/store/engines"
)

// smallDisk is a file system of a few bytes. Only root can make one.
func smallDisk(t *testing.T, bytes int) string {
	t.Helper()
	folder := t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("no file system of %d bytes can be made here: %v; failing writes are tested all the same", bytes, err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// TestDiskFull writes until a disk is full. What was acknowledged is there, the
// next transition is refused as a whole, and once there is room all goes on.
func TestDiskFull(t *testing.T) {
	folder := smallDisk(t, 4<<20)
	place := filepath.Join(folder, "cento.db")
	ballast := filepath.Join(folder, "ballast")
	s, err := engines.Open(t.Context(), place, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ballast, make([]byte, 256<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	var acknowledged []store.Stored
	write := func(n int) error {
		d, err := draftOf(fmt.Sprintf("%d %x", n, make([]byte, 2000)))
		if err != nil {
			return err
		}
		done, err := s.Append(t.Context(), "s", d)
		acknowledged = append(acknowledged, done...)
		return err
	}
	n := 0
	for err = nil; err == nil && n < 10_000; n++ {
		err = write(n)
	}
	if !errors.Is(err, store.Full) {
		t.Fatalf("after %d: %v", n, err)
	}
	if v := verified(t, s, acknowledged...); v.Records != int64(len(acknowledged)) {
		t.Errorf("%d records are there, %d were acknowledged", v.Records, len(acknowledged))
	}
	if _, err := engines.Open(t.Context(), filepath.Join(folder, "another.db"), store.Options{}); !errors.Is(err, store.Full) && !errors.Is(err, store.Unreachable) && !errors.Is(err, store.Failed) {
		t.Errorf("another one: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if err := write(n); err != nil {
		t.Errorf("there is room again: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	s = store.OpenForTest(t, place, store.Options{})
	if v := verified(t, s, acknowledged...); v.Records != int64(len(acknowledged)) {
		t.Errorf("%d records are there, %d were acknowledged", v.Records, len(acknowledged))
	}
	t.Logf("%d records, then no room", n-1)
}

// protect lets nobody write to a folder and a file in it, root included.
func protect(t *testing.T, folder, file string) (unlock func()) {
	t.Helper()
	if os.Getuid() == 0 {
		if err := syscall.Mount(folder, folder, "", syscall.MS_BIND, ""); err != nil {
			t.Skipf("this is root, which may write anywhere, and nothing can be mounted here: %v", err)
		}
		unlock = func() {
			if err := syscall.Unmount(folder, syscall.MNT_DETACH); err != nil {
				t.Error(err)
			}
		}
		if err := syscall.Mount("", folder, "", syscall.MS_BIND|syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			unlock()
			t.Skipf("nothing can be mounted read-only here: %v", err)
		}
		return unlock
	}
	return protectByMode(t, folder, file)
}

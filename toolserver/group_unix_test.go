//go:build unix

package toolserver_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A program that doesn't end is ended, with what it started.
func TestNothingIsLeftBehind(t *testing.T) {
	pid := filepath.Join(t.TempDir(), "pid")
	for _, mode := range [][]string{{"stubborn"}, {"parent", pid}} {
		got, err := lister(t).List(t.Context(), program(t, mode...), t.TempDir())
		if err != nil || got.Text != good {
			t.Fatalf("%s: %v\n%s", mode[0], err, got.Text)
		}
	}
	text, err := os.ReadFile(pid)
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(10 * time.Second); alive(n); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatalf("the child %d is still there", n)
		}
	}
}

// alive reports whether a process is there and does something. One that ended
// waits for its new parent to take notice.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}

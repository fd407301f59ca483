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

// A program that doesn't end is ended, with what it started, whether it gave its
// listing or its time is over.
func TestNothingIsLeftBehind(t *testing.T) {
	if _, err := lister(t).List(t.Context(), program(t, "stubborn"), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{"parent", "silent-parent"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "pid")
			s := program(t, mode, file)
			if mode == "silent-parent" {
				s.Timeout = 1
			}
			got, err := lister(t).List(t.Context(), s, t.TempDir())
			if mode == "parent" && (err != nil || got.Text != good) || mode == "silent-parent" && (err == nil || !strings.Contains(err.Error(), "longer than 1s")) {
				t.Fatalf("%v\n%s", err, got.Text)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			child, err := strconv.Atoi(string(text))
			if err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(10 * time.Second); alive(child); runtime.Gosched() {
				if time.Now().After(deadline) {
					t.Fatalf("the child %d is still there", child)
				}
			}
		})
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

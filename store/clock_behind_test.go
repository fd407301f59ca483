package store

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestClockBehind checks that a change whose clock stands before the last change of the
// session says so.
func TestClockBehind(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "s.db"), Options{})
	change := func(at string) *Committed {
		t.Helper()
		when, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		done, err := s.Commit(t.Context(), Transition{At: when, Changes: []Change{{Session: "s", Expect: AnyVersion}}})
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	for _, x := range []struct{ at, want string }{
		{"2026-11-27T10:00:00Z", ""},
		{"2030-01-01T00:00:00Z", ""},
		{"2029-12-31T23:59:30Z", ""}, // clocks of two machines
		{"2026-11-28T10:00:00Z", `the clock says 2026-11-28T10:00:00Z, and session "s" was changed at 2030-01-01T00:00:00Z`},
		{"2030-01-02T00:00:00Z", ""},
	} {
		notes := change(x.at).Notes
		switch {
		case x.want == "" && len(notes) > 0:
			t.Errorf("%s: %v", x.at, notes)
		case x.want != "" && (len(notes) != 1 || notes[0].Code != CodeClockBehind || !strings.HasPrefix(notes[0].Message, x.want)):
			t.Errorf("%s: %v, want %s", x.at, notes, x.want)
		}
	}
}

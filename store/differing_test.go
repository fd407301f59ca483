package store

import "testing"

func TestDifferingMembers(t *testing.T) {
	for _, x := range []struct{ was, is, want string }{
		{"d", "e", ""},
		{"d", "e a:1", ""},
		{"d a:1", "e", ""},
		{"d a:1 b:1", "e a:1 b:2", ": b differs"},
		{"d a:1", "e a:1 b:2", ": b differs"},
		{"d c:1 a:1 b:1", "e a:1 b:2", ": b, c differ"},
		{"d a:1", "e a:1", ""},
		{"", "", ""},
	} {
		if got := differing(x.was, x.is); got != x.want {
			t.Errorf("%q, %q: %q, want %q", x.was, x.is, got, x.want)
		}
	}
}

package confusable

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSkeleton(t *testing.T) {
	for _, pair := range [][2]string{
		{"read_file", "re\u0430d_file"}, {"read_file", "\uff52ead_file"}, {"list", "1ist"}, {"list", "Iist"}, {"O", "0"}, {"com", "corn"},
		{"send", "s\u0435nd"}, {"pay", "\u0440\u0430\u0443"}, {"read", "re\u200bad"}, {"A", "\u0391"}, {"tool_1", "tool_l"},
	} {
		if a, b := Skeleton(pair[0]), Skeleton(pair[1]); a != b {
			t.Errorf("%q and %q: %q and %q", pair[0], pair[1], a, b)
		}
	}
	for _, pair := range [][2]string{{"read", "write"}, {"read_file", "read-file"}, {"cafe", "caf\u00e9"}, {"Read", "read"}, {"v1", "v2"}, {"a", "aa"}} {
		if a, b := Skeleton(pair[0]), Skeleton(pair[1]); a == b {
			t.Errorf("%q and %q: %q", pair[0], pair[1], a)
		}
	}
	if n := len(lookalikes()); n < 1700 {
		t.Errorf("%d characters", n)
	}
}

func TestScripts(t *testing.T) {
	for name, want := range map[string][]string{
		"read_file": {"Latin"}, "re\u0430d": {"Latin", "Cyrillic"}, "\u0447\u0438\u0442\u0430\u0442\u044c": {"Cyrillic"}, "\u03b1x": {"Latin", "Greek"},
		"\u6771\u4eactower": {"Latin"}, "_1": nil,
	} {
		if got := Scripts(name); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// A skeleton is its own skeleton, and that of a name is made of those of its parts.
func TestSkeletonLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		s := Skeleton(a)
		if strings.ToValidUTF8(a, "") == a && Skeleton(s) != s {
			t.Fatalf("%q: %q, then %q", a, s, Skeleton(s))
		}
		if Skeleton(a+b) != s+Skeleton(b) {
			t.Fatalf("%q and %q", a, b)
		}
	})
}

package pack

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cento-dev/cento"
)

// TestFrontKeys: what is offered as keys of front matter, and looked for in texts that
// were meant as such, are those that its reader takes.
func TestFrontKeys(t *testing.T) {
	ref, err := ParseRef("$workspace/a", Ref{}, cento.Position{})
	if err != nil {
		t.Fatal(err)
	}
	src := &Source{Ref: ref, Text: "---\ntitle: x\n\"0\": 1\n---\nText.\n"}
	_, _, _, err = frontMatter(src, cento.DefaultLimits())
	list := cento.SourceErrors(err)
	if want := "known here: " + strings.Join(frontKeys(), ", "); len(list) != 1 || list[0].Hint != want {
		t.Errorf("%v, want the hint %q", list, want)
	}
}

// An included file whose front matter has nothing but a key is told of exactly where that
// key is one that counts for nothing there, and only there.
func TestIgnoredKeys(t *testing.T) {
	values := map[string]string{
		"title": "T", "description": "D", "vars": "[{name: x, default: 1}]", "requires_tools": "[a]", "requires_caps": "[b]", "stability": "session", "importance": "5",
	}
	if got := slices.Sorted(maps.Keys(values)); !slices.Equal(got, slices.Sorted(slices.Values(frontKeys()))) {
		t.Fatalf("there are values for %q, and the keys are %q", got, frontKeys())
	}
	for key, value := range values {
		roots, err := RootsOf(map[string]string{
			"$workspace/a": "---\n" + key + ": " + value + "\n---\nA. {% include 'b' %}", "$workspace/b": "---\n" + key + ": " + value + "\n---\nB.", "$workspace/c": "{% include 'a' %}",
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, others := range map[string]int{"b": 0, "a": 1, "c": 2} {
			ref, err := ParseRef("$workspace/"+name, Ref{}, cento.Position{})
			if err != nil {
				t.Fatal(err)
			}
			f, err := NewLoader(roots, cento.Limits{}).Open(ref, cento.Position{})
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			for _, n := range f.Notes() {
				if n.Code == FrontMatterIgnored {
					told++
				}
			}
			want := 0
			if slices.Contains(IgnoredKeys(), key) {
				want = others
			}
			if told != want {
				t.Errorf("%s in %s and in %d that it includes: told of %d, want %d", key, name, others, told, want)
			}
		}
	}
}

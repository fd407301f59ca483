package provenance

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/cento-dev/cento"
	"github.com/cento-dev/cento/internal/lengthtest"
	"github.com/cento-dev/cento/internal/needle"
	"github.com/cento-dev/cento/project"
	"github.com/cento-dev/cento/workspace"
)

// lined is a fragment whose every line has a place of its own, as those of a
// manifest have.
func lined(id, body string) cento.Fragment {
	f := cento.Fragment{ID: id, Body: body, Trust: cento.TrustWorkspace, Origin: cento.Position{File: id + ".md", Line: 1, Column: 1}}
	for start, line := 0, 1; start < len(body); line++ {
		end := start + lineEnd(body[start:])
		end = min(end+1, len(body))
		f.Runs = append(f.Runs, cento.Run{
			Start: start, End: end, Trust: f.Trust, Position: cento.Position{File: f.Origin.File, Line: line, Column: 1},
		})
		start = end
	}
	return f
}

// TestWhyOfVeryMany: a text that stands in half a million places is told in
// time that grows with the text, a few of them one by one and the others as a
// number.
func TestWhyOfVeryMany(t *testing.T) {
	lengthtest.NotShort(t, "half a million places")
	const lines = 200_000
	body := strings.Repeat("ab\n", lines)
	one := cento.Fragment{ID: "one", Body: body, Origin: cento.Position{File: "one.md", Line: 1, Column: 1}}
	out := lined("out", body)
	out.RequiresTools = []string{"none"}
	prompt, err := cento.ReduceFragments([]cento.Fragment{one, lined("lines", body), out}, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := Of(&project.Project{})
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/AGENTS.md", []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	p.project.Instructions.Files = []workspace.File{{Path: dir + "/AGENTS.md", Status: workspace.Shadowed, Reason: "shadowed"}}
	for _, c := range []struct {
		text string
		more int
	}{{"ab", 4*lines - maxMatches}, {"b\na", 4*(lines-1) + 1 - maxMatches}, {"B A", 4*(lines-1) + 1 - maxMatches}} {
		s := &search{Texts: p, prompt: prompt}
		why, _, err := s.explain(t.Context(), s.leftOut(), c.text)
		if err != nil {
			t.Fatal(err)
		}
		if len(why.Matches) != maxMatches || why.More != c.more {
			t.Errorf("%q: %d matches and %d more, want %d and %d", c.text, len(why.Matches), why.More, maxMatches, c.more)
		}
	}
	// Only what is out: the last of those that are told.
	s := &search{Texts: p, prompt: mustReduce(t, out)}
	why, _, err := s.explain(t.Context(), nil, "ab")
	if err != nil {
		t.Fatal(err)
	}
	if last := why.Matches[maxMatches-1].Origin; last == nil || last.Line != maxMatches {
		t.Errorf("match %d is at %v", maxMatches, last)
	}
	s = &search{Texts: p, prompt: mustReduce(t)}
	why, _, err = s.explain(t.Context(), s.leftOut(), "ab")
	if err != nil {
		t.Fatal(err)
	}
	if last := why.Matches[maxMatches-1].Origin; last == nil || last.Line != maxMatches || last.Column != 1 {
		t.Errorf("match %d is at %v", maxMatches, last)
	}
}

func mustReduce(t *testing.T, fragments ...cento.Fragment) *cento.Prompt {
	t.Helper()
	prompt, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return prompt
}

// TestMatchLaws: however many places there are, the origin of each is that of
// its first byte.
func TestMatchLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var fragments []cento.Fragment
		for k := range rapid.IntRange(1, 4).Draw(t, "fragments") {
			body := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "é", "\n", "漢", " a"}), 1, 30).Draw(t, "body"), "")
			f := lined(fmt.Sprint("f", k), body)
			if rapid.Bool().Draw(t, "title") {
				f.Title = "a title"
			}
			if rapid.Bool().Draw(t, "one run") {
				f.Runs = nil
			}
			fragments = append(fragments, f)
		}
		prompt, err := cento.ReduceFragments(fragments, cento.Active{}, cento.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found, _ := matches(prompt, nil, needle.Exact("a"))
		for _, m := range found {
			want, ok := prompt.Locate(*m.Start)
			if !ok || m.Origin == nil || *m.Origin != want {
				t.Fatalf("byte %d is at %v, and the match says %v", *m.Start, want, m.Origin)
			}
		}
	})
}

package lint

import (
	"slices"
	"strings"
	"testing"
)

func TestLinkedPaths(t *testing.T) {
	for _, x := range []struct {
		file, text string
		paths      []string // that links lead to, from the root
	}{
		{"AGENTS.md", "See [a](docs/a.md).", []string{"docs/a.md"}},
		{"web/AGENTS.md", "See [a](docs/a.md#b) and [c](../c.md?plain=1).", []string{"web/docs/a.md", "c.md"}},
		{"AGENTS.md", "[a](<with blank.md>) [b](b(1).md \"B\") [c]( ./c/ )", []string{"with blank.md", "b(1).md", "c/"}},
		{"AGENTS.md", "[a](../out.md) [b](/abs.md) [c](#here) [d](https://x.org/d.md) [e](mailto:a@b.c) [f](//x.org/f)", nil},
		{"AGENTS.md", "![a](a.png) [![b](b.png)](b.md) [a [b] c](d.md)", []string{"b.md", "d.md"}},
		{"AGENTS.md", "`[a](a.md)` ``[b](b.md) ` `` [c](c.md) `d", []string{"c.md"}},
		{"AGENTS.md", "[a](url) [b](docs/*.md) [c](docs/<name>.md) [d](path/to/d.md) [e](${DIR}/e.md)", nil},
		{"AGENTS.md", "[a]: a.md \"A\"\n[^b]: b.md\n[c][a] [d]\n", []string{"a.md"}},
		{"AGENTS.md", "```\n[a](a.md)\n```\n[b](b.md)\n~~~~\n~~~\n[c](c.md)\n~~~~\n", []string{"b.md"}},
		{"AGENTS.md", "- item\n\n    [a](a.md)\n\nText.\n\n    [b](b.md)\n", []string{"a.md"}},
		{"AGENTS.md", "<!-- [a](a.md) --> [b](b.md)\n<!--\n[c](c.md)\n-->\n[d](d.md) <!-- open\n[e](e.md)\n", []string{"b.md", "d.md", "e.md"}},
		{"AGENTS.md", "[a](a.md and no end\n[b](\n[c]", nil},
	} {
		var got []string
		linkedPaths(x.text, func(target string, offset int) {
			if !strings.HasPrefix(x.text[offset:], target) {
				t.Errorf("%q isn't at %d of %q", target, offset, x.text)
			}
			if full, ok := linkedPath(x.file, target); ok {
				got = append(got, full)
			}
		})
		if !slices.Equal(got, x.paths) {
			t.Errorf("%q of %s leads to %q, want %q", x.text, x.file, got, x.paths)
		}
	}
}

func FuzzLinkedPaths(f *testing.F) {
	f.Add("[a](b.md) <!-- `c` -->\n[d]: <e>\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		last := -1
		linkedPaths(text, func(target string, at int) {
			if at <= last || !strings.HasPrefix(text[at:], target) {
				t.Fatalf("%q isn't at %d of %q, behind %d", target, at, text, last)
			}
			last = at
			if full, ok := linkedPath("a/b.md", target); ok && (full == "" || full[0] == '/' || strings.HasPrefix(full, "../")) {
				t.Fatalf("%q leads to %q", target, full)
			}
		})
	})
}

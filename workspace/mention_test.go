package workspace

import (
	"slices"
	"strings"
	"testing"
)

func TestMentions(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"@a":                              "a",
		"@a @b\t@c\n@d":                   "a b c d",
		"x@a (@b) `@c` *@d*":              "",
		"@a.md, @b.md. @c.md; @d.md!":     "a.md b.md c.md d.md",
		"@ @. @@ @@a":                     "",
		"see @a.md's":                     "a.md's",
		"@docs/x.md)":                     "docs/x.md",
		"` @a\n\n` @b":                    "a b",
		"` @a\n` @b":                      "b",
		"`` @a ` @b `` @c":                "c",
		"- ` @a\n- @b `":                  "a b",
		"# ` @a\n@b `":                    "",
		"\\` @a \\`":                      "a",
		"\\\\` @a `":                      "",
		"\\`` @a `` @b `":                 "", // the second backquote opens, the last closes
		"```\n@a\n```\n@b":                "b",
		"```go\n@a\n``\n@b\n````\n@c":     "c",
		"```\n@a\n~~~\n@b":                "",
		"~~~ ` \n@a\n~~~\n@b":             "b",
		"``` `\n@a\n":                     "a",
		"  > 1. ```\n  > @a\n  > ```\n@b": "b",
		"a ``` @b":                        "b",
		"@`a`":                            "",
		"@a`b`":                           "a",
		"@" + strings.Repeat("x", 1025):   "",
	} {
		var got []string
		for _, m := range mentions(text) {
			got = append(got, m.path)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q mentions %q, want %q", text, s, want)
		}
	}
}

// Those of Gemini CLI: after white space, up to the next, with a first character
// that a path has, and not between as many backquotes as opened.
func TestMarkedMentions(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"no mention":                      "",
		"@":                               "",
		"@ @\t@":                          "",
		"@a":                              "a",
		"@a.md, x@b (@c) @./d! @/e @Z @9": "a.md, ./d! /e Z",
		"@@a @-a @_a @[a @`a":             "",
		"`@a`":                            "",
		"`@a` @b `":                       "b",
		"`@a @b":                          "b",
		"`` @a ` @b `` @c ``":             "c",
		"@a `":                            "a",
		"@a ```":                          "a",
		"```\n@a\n``` @b\n```":            "b",
		"` @a ` @b ` @c ` @d":             "b d",
		"x `@a` `` @b `` @c @d":           "c d",
		"@" + strings.Repeat("x", 1024):   strings.Repeat("x", 1024),
		"@" + strings.Repeat("x", 1025):   "",
	} {
		var got []string
		for _, m := range markedMentions(text) {
			got = append(got, m.path)
			if text[m.start:m.end] != "@"+m.path {
				t.Errorf("%q: %+v", text, m)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%q mentions %q, want %q", text, s, want)
		}
	}
}

// FuzzMentions holds that what is found is there, in order, and outside of
// code.
func FuzzMentions(f *testing.F) {
	for _, s := range []string{"@a", "`@a` @b", "```\n@a\n```\n@b.", "- ` @a\n- @b", "\\` @a `", "> ~~~\n@x", "@@@ @a@b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := mentions(text)
		end := 0
		for _, m := range found {
			if m.start < end || m.end > len(text) || text[m.start:m.end] != "@"+m.path || m.path == "" {
				t.Fatalf("%q: %+v after %d", text, m, end)
			}
			if m.start > 0 && !isSpace(text[m.start-1]) || strings.ContainsAny(m.path, " \t\n") {
				t.Fatalf("%q: %+v isn't a word", text, m)
			}
			end = m.end
		}
		code := codeRanges(text)
		end = 0
		for _, c := range code {
			if c.start < end || c.end <= c.start || c.end > len(text) {
				t.Fatalf("%q: code %v", text, code)
			}
			end = c.end
			if i := slices.IndexFunc(found, func(m mention) bool { return m.start < c.end && m.end > c.start }); i >= 0 {
				t.Fatalf("%q: %+v lies in code %v", text, found[i], c)
			}
		}
		// Within a fence that nothing in it can close, there are none.
		if fenced := mentions(strings.Repeat("`", len(text)+3) + "\n" + text); len(fenced) > 0 {
			t.Fatalf("%q: %+v in a fence", text, fenced)
		}
	})
}

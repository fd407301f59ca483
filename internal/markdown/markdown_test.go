package markdown

import (
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"pgregory.net/rapid"
)

const tail = "\n\n---\n## Working boundaries\n\nReadable: nothing.\n"

// closed is a text with everything closed that it leaves open.
func closed(s string) string {
	for _, o := range unclosed(s) {
		s += o.Closer
	}
	return s
}

var parsers = map[string]goldmark.Markdown{
	"CommonMark": goldmark.New(),
	"GFM":        goldmark.New(goldmark.WithExtensions(extension.GFM)),
}

// hasTail reports whether a parser of CommonMark sees the heading behind a text.
func hasTail(m goldmark.Markdown, s string) bool {
	source := []byte(s + tail)
	root := m.Parser().Parse(text.NewReader(source))
	for n := root.LastChild(); n != nil; n = n.PreviousSibling() {
		if h, ok := n.(*ast.Heading); ok && h.Level == 2 && string(h.Lines().Value(source)) == "Working boundaries" {
			return true
		}
	}
	return false
}

// texts are made of what opens, closes and contains.
func texts() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{
		"```", "````", "~~~", "~~~~", "`", "``", "``` go", "```x`", "~~~ a`b", "<!--", "-->", "<!-->", "<!x", "<!X", "<search>", "<source>", "<![CDATA[", "]]>", "<?", "?>",
		"<script>", "</script>", "<pre", "</PRE>", "<style >", "<textarea>", "</style>", "<details>", "</details>", "<div>", "<p", "<b>", "</b>",
		"<a href='x", "<x-y z=\"", "\">", "'>", "> ", ">", "- ", "-", "+\t", "* ", "1. ", "1)", "2. ", "0001.", "1234567890.", "10) ",
		"    ", "   ", "  ", " ", "\t", "\n", "\n", "\n", "\n", "\n\n", "a", "word", "# ", "#", "####### ", "===", "---", "- - -", "***", "_ _ _", "=",
		"[a]: /b", "[a]:", "[", "]: <", "\"t", "(t)", "'", "\\", "| a | b |\n|---|---|\n", "é", ">\t", "-\t\t",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.TrimSpace(strings.Join(rapid.SliceOfN(part, 0, 14).Draw(t, "parts"), ""))
	})
}

// TestTailIsSeen: behind any text, with what it leaves open closed, a parser
// sees the heading of the section that follows; and nothing is closed behind
// which it would have seen it anyway.
func TestTailIsSeen(t *testing.T) {
	open := 0
	rapid.Check(t, func(t *rapid.T) {
		s := texts().Draw(t, "text")
		for name, m := range parsers {
			if !hasTail(m, closed(s)) {
				t.Fatalf("%s: %q swallows what follows: %+v", name, s, unclosed(s))
			}
		}
		blocks := false
		for _, o := range unclosed(s) {
			if !strings.HasPrefix(s[o.Offset:], "```") && !strings.HasPrefix(s[o.Offset:], "~~~") && s[o.Offset] != '<' {
				t.Fatalf("%q: %s is said to begin at %q", s, o.What, s[o.Offset:])
			}
			// What dialects don't agree on is closed for those that have it open.
			blocks = blocks || !strings.HasPrefix(o.Closer, "\n\n") && !strings.HasPrefix(o.Closer, "\n<!--")
		}
		if blocks {
			open++
			if hasTail(parsers["CommonMark"], s) {
				t.Fatalf("%q leaves nothing open, and is closed: %+v", s, unclosed(s))
			}
		}
	})
	if open == 0 {
		t.Error("no text left anything open")
	}
}

func TestUnclosed(t *testing.T) {
	for _, c := range []struct{ text, opened, closer string }{
		{"", "", ""},
		{"plain", "", ""},
		{"```", "```", "\n```"},
		{"x\n\n~~~~", "~~~~", "\n~~~~"},
		{"```go\nx\n```", "", ""},
		{"````\n```", "````\n```", "\n````"},
		{"```\nx\n```\n```", "```", "\n```"},
		{"x\n  ```\n    ```", "```\n    ```", "\n```"},
		{"- a\n  ```\n  b", "", ""}, // ends with its list
		{"- a\n\n```", "```", "\n```"},
		{"> ```", "", ""},
		{"    ```", "", ""},
		{"a\n    ```", "", ""},
		{"``` a`b", "", ""},
		{"<!-- hidden", "<!-- hidden", "\n-->"},
		{"a <!-- b", "", ""}, // no comment: it has no end in its paragraph
		{"<!-- a --> <details>", "<details>", "\n\n</details>"},
		{"<SCRIPT>\n\n1", "<SCRIPT>\n\n1", "\n</script>"},
		{"<details>\n<summary>x</summary>", "<details>\n<summary>x</summary>", "\n\n</details>"},
		{"<details>\n\n```", "```|<details>\n\n```", "\n```|\n\n</details>"},
		{"`<details>` and \\<details> and <path>", "", ""},
		{"a <details> b", "<details> b", "\n\n</details>"},
		{"```\n<details>\n```", "", ""},
		{"<details><table></details>", "<table></details>|<details><table></details>", "\n\n</table>|\n\n</details>"},
		{"</details>", "", ""},
	} {
		var opened, closers []string
		for _, o := range unclosed(c.text) {
			opened = append(opened, c.text[o.Offset:])
			closers = append(closers, o.Closer)
		}
		if strings.Join(opened, "|") != c.opened || strings.Join(closers, "|") != c.closer {
			t.Errorf("%q leaves %q open, closed by %q", c.text, opened, closers)
		}
		if rest := unclosed(closed(c.text)); rest != nil {
			t.Errorf("%q is closed and leaves open: %+v", c.text, rest)
		}
	}
}

// What a source opens is closed at the end of the line in which it ends; what others
// opened stays. A source that others interrupt ends with its last stretch.
func TestClose(t *testing.T) {
	for _, c := range []struct {
		parts []string // of sources 0 to 2, or, with a -, of nobody below the host
		want  string
	}{
		{[]string{"0```\na\n", "-# h"}, "```\na\n```\n# h"},
		{[]string{"0```\na", "-\n\n# h"}, "```\na\n```\n\n# h"},
		{[]string{"-```\n", "0a", "-\n```\nb"}, "```\na\n```\nb"},
		{[]string{"0```\n", "1a", "0\n```\nb", "-\nc"}, "```\na\n```\nb\nc"},
		{[]string{"0```\n", "1a", "-\n# h"}, "```\n```\na\n# h"},
		{[]string{"-x: ", "0<details>", "- y\n# h"}, "x: <details> y\n\n</details>\n\n# h"},
		{[]string{"0<div>\n", "-# h"}, "<div>\n\n# h"},
		{[]string{"0<div>\n", "-\n# h"}, "<div>\n\n# h"},
		{[]string{"0<p x=\"\n\n", "-# h"}, "<p x=\"\n\n\n<!--\"'>]]>-->\n# h"},
		{[]string{"0~~~", "1```", "-\r\n# h"}, "~~~```\n~~~\r\n# h"},
		{[]string{"0`<details>`", "-\n# h"}, "`<details>`\n# h"},
		{[]string{"0a", "-\n<details>\n", "0b", "-\nc"}, "a\n<details>\nb\nc\n\n</details>"},
	} {
		text, stretches := "", []Stretch(nil)
		for _, part := range c.parts {
			if part[0] != '-' {
				stretches = append(stretches, Stretch{len(text), len(text) + len(part) - 1, int(part[0] - '0')})
			}
			text += part[1:]
		}
		got, at := "", 0
		for _, closing := range Close(text, stretches) {
			got, at = got+text[at:closing.At]+closing.Text, closing.At
		}
		if got += text[at:]; got != c.want {
			t.Errorf("%q: %q, want %q", c.parts, got, c.want)
		}
	}
}

// Eight times the text makes no more than some eight times the allocations.
func TestUnclosedAllocatesInProportion(t *testing.T) {
	for _, unit := range []string{"<details>", "<!--", "a <!-- ", "`", "` `` ", "<table></details>", "> ", "- ", "- a\n", "[a]: b\n===\n", "<a b=\"", "<a b='<c d=\"", "<?", "<p x=\"\n\n", "<!x\n\n", "<script><!--", "\n", "```\n", "1. ", "\t> "} {
		allocations := func(size int) float64 {
			text := strings.Repeat(unit, size/len(unit))
			return testing.AllocsPerRun(1, func() { unclosed(text) })
		}
		// Half as much again is let pass for what grows by doubling and for pools.
		small, large := allocations(1<<14), allocations(1<<17)
		if large > 12*small+100 {
			t.Errorf("%q: 8 times the text makes %.0f allocations in place of %.0f", unit, large, small)
		}
	}
}

// unclosed lists what a text leaves open, in the order in which it is to be
// closed.
func unclosed(text string) []Opening {
	for _, c := range Close(text, nil) {
		return c.Openings
	}
	return nil
}

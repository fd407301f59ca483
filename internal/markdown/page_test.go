package markdown

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	goldmarkhtml "github.com/yuin/goldmark/renderer/html"
	"golang.org/x/net/html"
	"pgregory.net/rapid"
)

// pages render HTML as it is written, as the pages of most hosts do.
var pages = goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(goldmarkhtml.WithUnsafe()))

// shown reports whether whoever opens the page of a text sees a heading: it stands
// in the tree that the parser of HTML makes, and in nothing that hides it.
func shown(t *rapid.T, text, heading string) bool {
	var page bytes.Buffer
	if err := pages.Convert([]byte(text), &page); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "h2" || n.FirstChild == nil || n.FirstChild.Data != heading {
			continue
		}
		hidden := false
		for a := range n.Ancestors() {
			// Where an element of text alone took in the end of a table, the table
			// goes on, and shows what stands in it.
			hidden = hidden || slices.Contains(hiding, a.Data) && a.Data != "table"
		}
		if !hidden {
			return true
		}
	}
	return false
}

// htmlTexts are made of what begins tags, values and comments and what ends them.
// Those of drawings and formulas aren't among them: pages have other rules in there.
func htmlTexts() *rapid.Generator[string] {
	part := rapid.SampledFrom([]string{
		"<div x=\"", "<div", "<div x='", "<b x=\"", "<p ", "</div", "</details", "<details", "<details>", "<details open=\"", "</details>", "<pre x=\"", "<pre>", "</pre>", "<script>", "</script>", "<script x='",
		"<textarea>", "</textarea>", "<title>", "<select>", "<object>", "<template>", "<table>", "<tr><td>", "</table>", "<iframe>", "<xmp>", "<noscript>", "<style>",
		"<!--", "-->", "--!>", "<!-->", "<!x", "<?", "?>", "<![CDATA[", "]]>", "</ ", "</>", "<a=\"", "=", "=\"", "\"", "'", ">", "/>", " ", "\t", "x", "a < b", "`", "\\",
		"\n", "\n", "\n", "\n\n", "\n\n", "> ", "- ", "    ", "```", "# h", "[a](b \"t\")",
	})
	return rapid.Custom(func(t *rapid.T) string {
		return strings.TrimSpace(strings.Join(rapid.SliceOfN(part, 0, 10).Draw(t, "parts"), ""))
	})
}

// TestTailIsShown: behind any text, with what it leaves open closed, a browser shows
// the heading of the section that follows.
func TestTailIsShown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(htmlTexts(), texts()).Draw(t, "text")
		if !shown(t, closed(s)+tail, "Working boundaries") {
			t.Fatalf("%q swallows what follows: %q", s, closed(s))
		}
	})
}

package workspace

import (
	"strings"
	"testing"
	"time"
)

// TestClaudeTextEnds reads texts that are written to take long.
func TestClaudeTextEnds(t *testing.T) {
	const size = 1 << 16
	for name, piece := range map[string]string{
		"tags": "<a b='", "closed tags": "<a b='\n>", "links": "](a \"", "brackets": "[", "emphasis": "*a_b", "comments": "<!-- -->", "open comments": "<!--\n",
		"quotes": "> ", "lists": "- ", "images": "![", "code": "`a``", "html": "<div>\n", "mentions": "@a.md ", "indent": " - a\n", "fences": "```\n", "labels": "[a]: b\n[a][", "escapes": "\\@",
		"images and links": "![[a](b)", "front": "---\n",
	} {
		for _, text := range []string{strings.Repeat(piece, size/len(piece)), strings.Repeat(piece, size/2/len(piece)) + strings.Repeat("]>-->*_)\n", size/16), "- x\n" + strings.Repeat("  "+piece+"\n", size/(len(piece)+3))} {
			start := time.Now()
			readClaudeText(text+" @b.md", false)
			if d := time.Since(start); d > 5*time.Second {
				t.Errorf("%s: %v for %d bytes", name, d, len(text))
			}
		}
	}
}

package project

import "testing"

func TestImportedPath(t *testing.T) {
	for text, want := range map[string]string{
		"@AGENTS.md": "AGENTS.md", "@./a/b.md": "./a/b.md", "@{a.md}": "a.md", "{file:./a.md}": "./a.md", "file://a.md": "a.md", "#[[file:a.md]]": "a.md", "!include a.md": "a.md",
		"AGENTS.md": "", "{a.md}": "", "#a.md": "",
	} {
		path, imported := importedPath(text)
		if want == "" {
			want = text
		}
		if path != want || imported != (want != text) {
			t.Errorf("%q: %q, %t", text, path, imported)
		}
	}
}

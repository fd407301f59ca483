package tree_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"unicode"

	"github.com/cento-dev/cento/internal/tree"
	"golang.org/x/text/unicode/norm"
)

// TestReadNamed: of two names that read the same neither can be named.
func TestReadNamed(t *testing.T) {
	const composed, apart = "caf\u00e9.md", "cafe\u0301.md"
	const kelvin = "\u212aEY.md" // its form NFC is KEY.md
	for _, c := range []struct {
		files []string
		name  string
		twin  bool
	}{
		{[]string{"a.md", "b.md"}, "a.md", false},
		{[]string{composed, "cafe.md"}, composed, false},
		{[]string{composed, apart}, composed, true},
		{[]string{composed, apart}, apart, true},
		{[]string{composed + "/a.md", apart + "/b.md"}, composed + "/a.md", true},
		{[]string{"KEY.md", kelvin}, "KEY.md", true},
		{[]string{"KEY.md", "key.md"}, "KEY.md", false},
	} {
		dir := t.TempDir()
		for _, name := range c.files {
			full := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(name), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) < len(c.files) {
			t.Logf("%q: the disk takes the names for one", c.files)
			continue
		}
		tr, err := tree.Open(dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		f, err := tr.ReadNamed(c.name)
		tr.Close()
		if c.twin != errors.Is(err, tree.Twin) || !c.twin && (err != nil || f.Text != c.name) {
			t.Errorf("%+q of %+q: %v", c.name, c.files, err)
		}
	}
}

// TestNormalASCII: no character but these has a form NFC of ASCII.
func TestNormalASCII(t *testing.T) {
	for r := rune(0x80); r <= unicode.MaxRune; r++ {
		for _, c := range norm.NFC.String(string(r)) {
			if c < 0x80 && c != 'K' && c != '`' && c != ';' {
				t.Errorf("%U is %q", r, c)
			}
		}
	}
}

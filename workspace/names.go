package workspace

import (
	"path"
	"strings"
	"unicode"

	"github.com/cento-dev/cento/internal/unitab"
)

// Visible writes a file name so that it can stand inside a line of a trusted
// text: whatever could end the line, hide, or open a tag is given as a visible
// `<U+XXXX>`. Letters, marks and symbols of every script stay.
func Visible(name string) string { return unitab.SpellOut(name, risky) }

func risky(r rune) bool {
	return r == '<' || breaksLine(r) || r != ' ' && !unicode.IsGraphic(r) ||
		unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || unicode.Is(unicode.Variation_Selector, r)
}

// breaksLine reports control characters and whatever else a reader may take
// for the end of a line.
func breaksLine(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// below gives the name of p relative to dir, and whether p is dir or lies
// below it. Both are canonical.
func below(dir, p string) (string, bool) {
	if p == dir {
		return ".", true
	}
	rest, ok := strings.CutPrefix(p, strings.TrimSuffix(dir, "/")+"/")
	return rest, ok
}

// ancestors gives a canonical folder and all above it, nearest first.
func ancestors(dir string) []string {
	out := []string{dir}
	for {
		up := parent(dir)
		if up == dir {
			return out
		}
		out, dir = append(out, up), up
	}
}

// parent is path.Dir, except that the root of a drive is its own parent.
func parent(p string) string {
	if strings.HasSuffix(p, "/") {
		return p
	}
	up := path.Dir(p)
	if len(up) == 2 && up[1] == ':' {
		up += "/"
	}
	return up
}

// Package confusable tells which names read the same to a person: by Unicode's
// table of confusable characters (UTS 39), as far as they look like text of ASCII,
// and by the scripts that a name is written in. It decides nothing about them.
package confusable

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/cento-dev/cento/internal/unitab"
)

//go:embed table.txt
var table string

// lookalikes are the characters that look like text of ASCII.
var lookalikes = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for line := range strings.Lines(table) {
		to, points, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !ok || strings.HasPrefix(line, "# ") {
			continue
		}
		for hex := range strings.FieldsSeq(points) {
			if n, err := strconv.ParseUint(hex, 16, 32); err == nil {
				out[rune(n)] = to
			}
		}
	}
	return out
})

// Skeleton is what a name looks like: two names with one skeleton read the same.
// It isn't for people.
func Skeleton(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch to := lookalikes()[r]; {
		case unitab.DefaultIgnorable(r):
		case r >= 0xff01 && r <= 0xff5e: // the same characters, as wide as ideographs
			b.WriteString(Skeleton(string(r - 0xfee0)))
		case to != "":
			b.WriteString(to)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// scripts are those whose letters look alike. Others, such as those of Japanese,
// are written beside Latin letters as a matter of course.
var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Latin", unicode.Latin}, {"Cyrillic", unicode.Cyrillic}, {"Greek", unicode.Greek}, {"Armenian", unicode.Armenian},
	{"Cherokee", unicode.Cherokee}, {"Coptic", unicode.Coptic}, {"Georgian", unicode.Georgian},
}

// Scripts are the scripts that a name is written in, of those whose letters look
// alike. More than one in a name is how an imitation is made.
func Scripts(name string) []string {
	var out []string
	for _, s := range scripts {
		if strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(s.table, r) }) {
			out = append(out, s.name)
		}
	}
	return out
}

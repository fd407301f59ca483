// Package nearest finds the name that somebody probably meant, or the sentence. It only
// proposes: nothing is taken for what was meant.
//
// The usual path is one call, [Name], where an unknown key, id, tool or target
// has been met and the known ones are at hand. [Sentence] does it for a sentence
// that stands in none of some texts. They propose only what is close: a far-fetched
// proposal is worse than none. Which name is near depends on the names alone, never
// on their order.
package nearest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is how many code points a name may have to get a proposal. The cost
// of a comparison is the product of the two lengths, and no name that a person
// mistypes is longer.
const longest = 64

// Name returns the known name nearest to got, and false when none is near. A
// name that differs in letter case alone is nearest of all. Otherwise it is the
// one with the fewest changes (a letter put in, left out or replaced, two
// neighbours swapped, or a plural -ies), at most one change for every three
// letters and one at least. Of these it is the one that shares most letters with
// got: people swap, drop and double letters more often than they type another.
// Of equally near names it is the longest, or the first in bytewise order. In a
// name of two letters another letter makes another name: "if" isn't near to "id".
func Name(got string, known []string) (string, bool) {
	best, ways := search(got, known)
	return best, ways > 0
}

// Only is [Name] for those who won't ask: false where several names are equally near.
func Only(got string, known []string) (string, bool) {
	best, ways := search(got, known)
	return best, ways == 1
}

// Hint asks for the nearest of the known names, and is another text where none is near.
func Hint(got string, known []string, otherwise string) string {
	if near, ok := Name(got, known); ok {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	return otherwise
}

// maxListed is how many names a hint lists.
const maxListed = 8

// List gives the first eight of some names, and how many more there are.
func List(names []string) string {
	if more := len(names) - maxListed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:maxListed], ", "), more)
	}
	return strings.Join(names, ", ")
}

// search gives the first of the nearest names, and how many are as near.
func search(got string, known []string) (best string, ways int) {
	for _, k := range known {
		if strings.EqualFold(k, got) {
			if ways == 0 || k < best {
				best = k
			}
			ways++
		}
	}
	if ways > 0 || len(got) > longest*utf8.UTFMax {
		return best, ways
	}
	a := fold(got)
	if len(a) == 0 || len(a) > longest {
		return "", 0
	}
	least, other := max(1, len(a)/3), 0
	var rows [3][longest + 1]int
	for _, k := range known {
		if len(k) > longest*utf8.UTFMax {
			continue
		}
		b := fold(k)
		if len(b) > longest || abs(len(a)-len(b)) > max(least, 2) {
			continue
		}
		// A name of which nothing is left is another name.
		d := distance(a, b, &rows)
		if abs(len(a)-len(b)) == 2 && (plural(a, b) || plural(b, a)) {
			d = 1
		}
		if d > least || d >= max(len(a), len(b)) {
			continue
		}
		o := unshared(a, b)
		switch {
		case o > 1 && max(len(a), len(b)) <= 2 || d == least && ways > 0 && o > other:
		case d < least || ways == 0 || o < other:
			best, least, other, ways = k, d, o, 1
		default:
			if len(k) > len(best) || len(k) == len(best) && k < best {
				best = k
			}
			ways++
		}
	}
	return best, ways
}

// plural reports whether a name ends in -ies where another ends in -y.
func plural(many, one []rune) bool {
	stem, is := strings.CutSuffix(string(many), "ies")
	return is && stem+"y" == string(one)
}

// unshared counts the letters of each name that the other doesn't have as often.
func unshared(a, b []rune) (n int) {
	rest := slices.Clone(b)
	for _, r := range a {
		if i := slices.Index(rest, r); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			n++
		}
	}
	return n + len(rest)
}

// changesOf is how many changes make one name of another: a letter put in, left out or
// replaced, or two neighbours swapped. Case counts. Beyond what a name may have to get a
// proposal it is the longer length.
func changesOf(a, b string) int {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) > longest {
		return max(len(x), len(y))
	}
	var rows [3][longest + 1]int
	return distance(x, y, &rows)
}

// fold lists the code points of a name in lower case.
func fold(s string) []rune {
	r := []rune(s)
	for i := range r {
		r[i] = unicode.ToLower(r[i])
	}
	return r
}

// distance counts the changes that make b of a, where two swapped neighbours
// are one change and no stretch is changed twice (optimal string alignment).
// The rows are working memory.
func distance(a, b []rune, rows *[3][longest + 1]int) int {
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func abs(n int) int { return max(n, -n) }

package needle

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// StandsIn reports whether the needle stands in a text, which one without words does
// everywhere. Nothing is made of the text unless letter case is set aside: very many
// prompts are asked for a few words.
func (n Needle) StandsIn(text string) bool {
	if n.anyCase {
		return n.wordIn(text) && strings.Contains(fold(text, true).text, n.text)
	}
	before, word, after := n.text[:n.word[0]], n.text[n.word[0]:n.word[1]], n.text[n.word[1]:]
	for from := 0; ; {
		k := strings.Index(text[from:], word)
		if k < 0 {
			return false
		}
		at := from + k
		if ends(text[:at], before) && begins(text[at+len(word):], after) {
			return true
		}
		from = at + 1
	}
}

// wordIn reports whether the longest word may stand in a text, with letter case set aside:
// false where it can't, found without folding. Letters beyond ASCII may be folded to some
// of it, so that nothing is said of a text that has them.
func (n Needle) wordIn(text string) bool {
	word := n.text[n.word[0]:n.word[1]]
	if word == "" || word[0] >= utf8.RuneSelf {
		return true
	}
	first, upper := word[0], word[0]
	if 'a' <= first && first <= 'z' {
		upper -= 'a' - 'A'
	}
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return true
		}
		if (c == first || c == upper) && len(text)-i >= len(word) && strings.EqualFold(text[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// longestWord is where the longest word of a folded text stands: it is found fast.
func longestWord(s string) (word [2]int) {
	for start := 0; start <= len(s); {
		end := len(s)
		if k := strings.IndexByte(s[start:], ' '); k >= 0 {
			end = start + k
		}
		if end-start > word[1]-word[0] {
			word = [2]int{start, end}
		}
		start = end + 1
	}
	return word
}

// begins reports whether a text begins with what is folded.
func begins(text, folded string) bool {
	for rest := folded; rest != ""; {
		if rest[0] != ' ' {
			if text == "" || text[0] != rest[0] {
				return false
			}
			text, rest = text[1:], rest[1:]
			continue
		}
		rest = rest[1:]
		trimmed := strings.TrimLeftFunc(text, unicode.IsSpace)
		if len(trimmed) == len(text) {
			return false
		}
		text = trimmed
	}
	return true
}

// ends reports whether a text ends with what is folded.
func ends(text, folded string) bool {
	for rest := folded; rest != ""; {
		last := len(rest) - 1
		if rest[last] != ' ' {
			if text == "" || text[len(text)-1] != rest[last] {
				return false
			}
			text, rest = text[:len(text)-1], rest[:last]
			continue
		}
		rest = rest[:last]
		trimmed := strings.TrimRightFunc(text, unicode.IsSpace)
		if len(trimmed) == len(text) {
			return false
		}
		text = trimmed
	}
	return true
}

package store

import (
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A text is searched by its words: an index gives the texts that hold all of
// them, and each is then looked at as it is. So the index only has to miss
// nothing, and what a word is can be simple: a run of letters, marks and digits,
// in lower case. In scripts that put no blanks between words each character is
// one.
//
// The database sees a word as ASCII letters and digits alone, so that it has
// nothing to decide about it.

// maxWord is after how many bytes a word is cut. A longer one is found by its
// beginning.
const maxWord = 48

// words are the distinct words of a text, in order of appearance.
func words(text string) []string {
	var out []string
	seen := map[string]bool{}
	eachWord(text, func(w string, _ int) {
		if !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	})
	return out
}

// eachWord hands out the words of a text, and where each ends.
func eachWord(text string, f func(word string, end int)) {
	start := -1
	flush := func(end int) {
		if start >= 0 {
			f(indexed(text[start:end]), end)
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case unspaced(r):
			flush(i)
			f(indexed(text[i:i+utf8.RuneLen(r)]), i+utf8.RuneLen(r))
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if start < 0 {
				start = i
			}
		default:
			flush(i)
		}
	}
	flush(len(text))
}

// unspaced reports whether a script writes words without blanks between them.
func unspaced(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// indexed is the form of a word that the database sees.
func indexed(w string) string {
	if len(w) > maxWord {
		k := maxWord
		for !utf8.RuneStart(w[k]) {
			k--
		}
		w = w[:k]
	}
	ascii := true
	for i := range len(w) {
		if w[i] >= utf8.RuneSelf {
			ascii = false
		}
	}
	// A letter whose lower case takes another number of bytes would make a
	// beginning of a word another word.
	w = strings.ToLower(w)
	if ascii {
		return "a" + w
	}
	return "u" + hex.EncodeToString([]byte(w))
}

// fold writes every run of white space as one blank, and none at the ends.
func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// sentence is what is searched for.
type sentence struct {
	text string // folded
	// whole are words that must stand in a text. Of the one that the text may go on from
	// last are the forms that it may begin with; empty where there is none.
	whole, last []string
}

func newSentence(text string) sentence {
	s := sentence{text: fold(text)}
	type found struct {
		word string
		end  int
	}
	var all []found
	eachWord(s.text, func(w string, end int) { all = append(all, found{w, end}) })
	for i, f := range all {
		if i == len(all)-1 && f.end == len(s.text) {
			s.last = beginnings(f.word)
			break
		}
		s.whole = append(s.whole, f.word)
	}
	return s
}

// beginnings are the beginnings that the index may have of a word which begins with an
// indexed one: after ASCII alone there may come other letters.
func beginnings(word string) []string {
	if ascii, ok := strings.CutPrefix(word, "a"); ok {
		return []string{word, "u" + hex.EncodeToString([]byte(ascii))}
	}
	return []string{word}
}

// WordBegins reports whether a word, or something that is none, begins at a byte
// of a text: [Store.Search] finds what begins so.
func WordBegins(text string, at int) bool {
	r, _ := utf8.DecodeRuneInString(text[at:])
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
	return at == 0 || !inWord(r) || unspaced(r) || !inWord(before) || unspaced(before)
}

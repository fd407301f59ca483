package workspace

import (
	"slices"
	"strings"
)

// mention is an `@path` in a text: text[start:end] is `@` and path.
type mention struct {
	start, end int
	path       string
}

// Mentions gives what a Markdown text names as `@path`, outside of code, each as
// it is written. Many are names of people and packages.
func Mentions(text string) []string {
	found := mentions(text)
	out := make([]string, len(found))
	for i, m := range found {
		out[i] = m.path
	}
	return out
}

// maxMention is longer than any path that could be opened by it.
const maxMention = 1024

// mentions finds every `@path` of a Markdown text: at the beginning of a line
// or after white space, up to the next white space, without the punctuation of
// the sentence around it, and not inside code. It looks at nothing but the text.
func mentions(text string) []mention { return mentionsAfter(text, "") }

// mentionsAfter also finds mentions that follow one of the bytes.
func mentionsAfter(text, opening string) []mention {
	if !strings.Contains(text, "@") {
		return nil
	}
	code := codeRanges(text)
	var out []mention
	for i := 0; i < len(text); {
		at := strings.IndexByte(text[i:], '@')
		if at < 0 {
			break
		}
		start := i + at
		i = start + 1
		if start > 0 && !isSpace(text[start-1]) && strings.IndexByte(opening, text[start-1]) < 0 {
			continue
		}
		for len(code) > 0 && code[0].end <= start {
			code = code[1:]
		}
		stop := len(text)
		if len(code) > 0 {
			if code[0].start <= start {
				i = code[0].end
				continue
			}
			stop = code[0].start
		}
		end := start + 1
		for end < stop && !isSpace(text[end]) {
			end++
		}
		i = end
		path := strings.TrimRight(text[start+1:end], ".,;:!?)]}>\"'*_")
		if path == "" || path[0] == '@' || len(path) > maxMention {
			continue
		}
		out = append(out, mention{start, start + 1 + len(path), path})
	}
	return out
}

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'
}

// span is a range of code in a text.
type span struct{ start, end int }

// codeRanges finds fenced blocks and code spans, in order. A fence that is
// never closed lasts to the end; backquotes that are never closed are text.
func codeRanges(text string) []span {
	var out []span
	var fence string // the characters that opened the block we are in
	fenced := 0      // where it began
	paragraph := 0   // where the paragraph we are in began
	for at := 0; at < len(text); {
		next := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			next = at + n + 1
		}
		line := text[at:next]
		switch {
		case fence != "":
			if closes(line, fence) {
				out = append(out, span{fenced, next})
				fence, paragraph = "", next
			}
		case opens(line) != "":
			out = codeSpans(out, text, paragraph, at)
			fence, fenced = opens(line), at
		case startsBlock(line):
			out = codeSpans(out, text, paragraph, at)
			paragraph = at
		}
		at = next
	}
	if fence != "" {
		return append(out, span{fenced, len(text)})
	}
	return codeSpans(out, text, paragraph, len(text))
}

// opens gives the characters that open a fenced block in a line, which may
// stand in a quote or a list.
func opens(line string) string {
	s := strings.TrimLeft(line, " \t>")
	if n := listMarker(s); n > 0 {
		s = strings.TrimLeft(s[n:], " \t")
	}
	if len(s) < 3 || s[0] != '`' && s[0] != '~' {
		return ""
	}
	n := len(s) - len(strings.TrimLeft(s, s[:1]))
	if n < 3 || s[0] == '`' && strings.Contains(s[n:], "`") {
		return ""
	}
	return s[:n]
}

// closes reports whether a line ends the block that fence began.
func closes(line, fence string) bool {
	s := strings.TrimLeft(line, " \t>")
	rest := strings.TrimLeft(s, fence[:1])
	return len(s)-len(rest) >= len(fence) && strings.TrimSpace(rest) == ""
}

// startsBlock reports whether a line ends the paragraph before it, so that no
// code span reaches over it.
func startsBlock(line string) bool {
	s := strings.TrimSpace(line)
	return s == "" || s[0] == '#' || s[0] == '>' || s[0] == '|' || listMarker(s) > 0
}

// listMarker gives the length of the marker that a list item begins with.
func listMarker(s string) int {
	n := 0
	for n < len(s) && n < 9 && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	switch {
	case n == 0 && s != "" && strings.IndexByte("-*+", s[0]) >= 0:
	case n > 0 && n < len(s) && (s[n] == '.' || s[n] == ')'):
	default:
		return 0
	}
	n++
	if n < len(s) && s[n] != ' ' && s[n] != '\t' && s[n] != '\n' {
		return 0
	}
	return n
}

// codeSpans adds the code spans of one paragraph: from a run of backquotes to
// the next of the same length.
func codeSpans(out []span, text string, from, to int) []span {
	type run struct {
		start, end int
		escaped    bool // the first backquote is a text of its own
	}
	var runs []run
	byLength := map[int][]int{}
	for i := from; i < to; {
		n := strings.IndexByte(text[i:to], '`')
		if n < 0 {
			break
		}
		start := i + n
		for i = start; i < to && text[i] == '`'; i++ {
		}
		slashes := 0
		for start-1-slashes >= from && text[start-1-slashes] == '\\' {
			slashes++
		}
		byLength[i-start] = append(byLength[i-start], len(runs))
		runs = append(runs, run{start, i, slashes%2 == 1})
	}
	for i := 0; i < len(runs); i++ {
		r := runs[i]
		if r.escaped {
			r.start++
		}
		same := byLength[r.end-r.start]
		k, _ := slices.BinarySearch(same, i+1)
		if k == len(same) || r.start == r.end {
			continue
		}
		i = same[k]
		out = append(out, span{r.start, runs[i].end})
	}
	return out
}

package workspace

import "strings"

// commentRanges finds the HTML comments of a Markdown text that begin a line
// outside of fenced blocks, in order: whole lines where nothing else stands on
// them. One that is never closed is text.
func commentRanges(text string) []span {
	if !strings.Contains(text, "<!--") {
		return nil
	}
	var out []span
	fence := ""
	for at := 0; at < len(text); {
		next := lineEnd(text, at)
		line := text[at:next]
		rest := strings.TrimLeft(line, " ")
		switch {
		case fence != "":
			if closes(line, fence) {
				fence = ""
			}
		case opens(line) != "":
			fence = opens(line)
		case len(line)-len(rest) <= 3 && strings.HasPrefix(rest, "<!--"):
			start := at + len(line) - len(rest)
			n := strings.Index(text[start+len("<!--"):], "-->")
			if n < 0 {
				return out
			}
			end := start + len("<!--") + n + len("-->")
			next = lineEnd(text, end)
			if strings.TrimSpace(text[end:next]) == "" {
				start, end = at, next
			} else {
				next = end // there may be another one behind it
			}
			out = append(out, span{start, end})
		}
		at = next
	}
	return out
}

// lineEnd is the offset behind the line that an offset lies in.
func lineEnd(text string, at int) int {
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

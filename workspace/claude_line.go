package workspace

import "strings"

// What a line of Markdown begins, by the CommonMark specification, with the deviations of
// Claude Code that were measured: "meta" counts among the names of blocks, only spaces part
// what is in a tag of a block, and a closing fence may have more characters of either kind.

// unindented is a line without up to three spaces before it; false with more of them.
func unindented(line string) (string, bool) {
	rest := strings.TrimLeft(line, " ")
	return rest, len(line)-len(rest) < 4
}

// run is how often a text begins with a character.
func run(text string, c byte) int {
	return len(text) - len(strings.TrimLeft(text, string(c)))
}

// spaceOrEnd reports whether a text is empty or begins with white space.
func spaceOrEnd(text string) bool { return text == "" || strings.IndexByte(htmlSpace, text[0]) >= 0 }

func isHeading(line string) bool {
	rest, ok := unindented(line)
	n := run(rest, '#')
	return ok && 0 < n && n < 7 && spaceOrEnd(rest[n:])
}

// isRule reports whether a line is a thematic break.
func isRule(line string) bool {
	rest, ok := unindented(line)
	if !ok || rest == "" || !strings.ContainsRune("-_*", rune(rest[0])) {
		return false
	}
	count := strings.Count(rest, rest[:1])
	return count > 2 && strings.Trim(rest, rest[:1]+" \t") == ""
}

// isUnderline reports whether a line makes a heading of the paragraph before it.
func isUnderline(line string) bool {
	rest, ok := unindented(line)
	rest = strings.TrimRight(rest, " ")
	return ok && rest != "" && (run(rest, '=') == len(rest) || run(rest, '-') == len(rest))
}

// fenceOf gives the characters that open a fenced block in a line.
func fenceOf(line string) string {
	rest, ok := unindented(line)
	for _, c := range []byte("`~") {
		if n := run(rest, c); ok && n > 2 && (c == '~' || !strings.Contains(rest[n:], "`")) {
			return rest[:n]
		}
	}
	return ""
}

// quoteMark is the length of what makes a line one of a quote.
func quoteMark(line string) int {
	rest, ok := unindented(line)
	if rest, is := strings.CutPrefix(rest, ">"); ok && is {
		return len(line) - len(strings.TrimPrefix(rest, " "))
	}
	return 0
}

// itemMark gives the marker of a list item and where it ends; empty for none. Text
// follows after it, or nothing.
func itemMark(line string) (marker string, end int) {
	rest, ok := unindented(line)
	if !ok || rest == "" {
		return "", 0
	}
	n := 0
	for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
		n++
	}
	kinds := "*+-"
	if n > 0 {
		kinds = ".)"
	}
	if n > 9 || n == len(rest) || strings.IndexByte(kinds, rest[n]) < 0 {
		return "", 0
	}
	if after := rest[n+1:]; after != "" && after[0] != ' ' && after[0] != '\t' {
		return "", 0
	}
	return rest[:n+1], len(line) - len(rest) + n + 1
}

// tagName gives the name of a tag, in small letters, and what is after it. Closing: the tag
// begins with "</".
func tagName(text string) (name, rest string, closing bool) {
	rest, ok := strings.CutPrefix(text, "<")
	if !ok {
		return "", "", false
	}
	rest, closing = strings.CutPrefix(rest, "/")
	n := 0
	for n < len(rest) && (isLetter(rest[n]) || n > 0 && isWord(rest[n])) {
		n++
	}
	return strings.ToLower(rest[:n]), rest[n:], closing
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isWord reports whether a byte may be in the name of a tag after its first letter.
func isWord(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' || c == '-' || c == '_' }

// blockNames are the elements that begin a block of HTML which a blank line ends.
var blockNames = setOf(`address article aside blockquote details dialog dd div dl dt fieldset figcaption figure
	footer form h1 h2 h3 h4 h5 h6 header hr legend li main menu menuitem nav ol optgroup option p param search section
	summary ul  table caption col colgroup tbody td tfoot th thead tr
	html head body base basefont link meta title  frame frameset iframe noframes  center dir`)

// rawNames are the elements whose block their closing tag ends.
var rawNames = setOf("script pre style textarea")

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for _, n := range strings.Fields(names) {
		set[n] = true
	}
	return set
}

// isBlockTag reports whether a line begins with a tag of a block.
func isBlockTag(line string) bool {
	name, rest, _ := tagName(line)
	return blockNames[name] && (rest == "" || rest[0] == ' ' || rest[0] == '>' || strings.HasPrefix(rest, "/>"))
}

// rawTag gives the name of an element that ends with its closing tag; empty for none.
func rawTag(line string) string {
	name, rest, closing := tagName(line)
	if closing || !rawNames[name] || !spaceOrEnd(rest) && rest[0] != '>' {
		return ""
	}
	return name
}

// isLoneTag reports whether a line is one tag and nothing else.
func isLoneTag(line string) bool {
	n := tagEnd(line, " ", true)
	return n > 0 && strings.Trim(line[n:], " \t") == ""
}

// tagEnd is the length of the opening or closing tag that a text begins with; 0 for none.
// Blanks part an opening tag.
func tagEnd(text, blanks string, oneLine bool) int {
	name, rest, closing := tagName(text)
	if name == "" {
		return 0
	}
	if closing {
		if !oneLine {
			for rest != "" && (isWord(rest[0]) || rest[0] == ':') {
				rest = rest[1:]
			}
		}
		rest = strings.TrimLeft(rest, htmlSpace)
		if !strings.HasPrefix(rest, ">") {
			return 0
		}
		return len(text) - len(rest) + 1
	}
	for {
		trimmed := strings.TrimLeft(rest, blanks)
		if end := strings.TrimPrefix(trimmed, "/"); strings.HasPrefix(end, ">") {
			return len(text) - len(end) + 1
		}
		after := attribute(trimmed, blanks, oneLine)
		if len(trimmed) == len(rest) || len(after) == len(trimmed) {
			return 0
		}
		rest = after
	}
}

// htmlSpace is the white space between the parts of a tag.
const htmlSpace = " \t\n\f\r"

// attribute gives what is after an attribute; the text itself where there is none.
func attribute(text, blanks string, oneLine bool) string {
	n := 0
	for n < len(text) && (isLetter(text[n]) || text[n] == '_' || text[n] == ':' || n > 0 && (isWord(text[n]) || text[n] == '.')) {
		n++
	}
	rest := text[n:]
	if n == 0 {
		return text
	}
	value, ok := strings.CutPrefix(strings.TrimLeft(rest, blanks), "=")
	if !ok {
		return rest
	}
	value = strings.TrimLeft(value, blanks)
	if value == "" {
		return rest
	}
	if q := value[0]; q == '"' || q == '\'' {
		end := strings.IndexByte(value[1:], q)
		if end < 0 || oneLine && strings.Contains(value[1:end+1], "\n") {
			return rest
		}
		return value[end+2:]
	}
	end := strings.IndexAny(value, "\"'=<>`"+htmlSpace)
	switch end {
	case 0:
		return rest
	case -1:
		return ""
	}
	return value[end:]
}

func isItem(line string) bool { _, end := itemMark(line); return end > 0 }
